#include "sluice/python/attention.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <set>
#include <stdexcept>
#include <thread>

#include "sluice/file/errors.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// Calls that are at work. A thread that Python ends with its interpreter would leave them behind in the middle: before it goes, all are asked to stop and waited for.
class AtWork {
 public:
  void enter(Attention& call) {
    const std::lock_guard guard(mutex_);
    if (leaving_) throw std::runtime_error("the interpreter is about to go");
    calls_.insert(&call);
  }
  void leave(Attention& call) {
    const std::lock_guard guard(mutex_);
    calls_.erase(&call);
    left_.notify_all();
  }
  /// Without the interpreter's lock: those who end need it.
  void end_all() {
    std::unique_lock guard(mutex_);
    leaving_ = true;
    for (Attention* call : calls_) call->stop();
    left_.wait(guard, [&] { return calls_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  std::set<Attention*> calls_;
  bool leaving_ = false;
};

/// Never deleted: threads of this process may outlive what is deleted at its end.
AtWork* at_work = new AtWork;

class Entered {
 public:
  explicit Entered(Attention& call) : call_(call) { at_work->enter(call); }
  ~Entered() { at_work->leave(call_); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  Attention& call_;
};

}  // namespace

void bind_attention(py::module_&) {
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    const py::gil_scoped_release released;
    at_work->end_all();
  }));
  // A child has but the thread that forked: nobody is at work there, and nobody will unlock what others had locked.
  const auto forget = py::cpp_function([] { at_work = new AtWork; });
  py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") = forget);
}

lab::Advance Attention::progress() {
  return [this](std::int64_t done, std::int64_t of) {
    all_.store(of, std::memory_order_relaxed);
    done_.store(done, std::memory_order_relaxed);
  };
}

lab::Remark Attention::remark() {
  return [this](const std::string& remark) {
    const std::lock_guard guard(speaking_);
    remarks_.push_back(remark);
  };
}

lab::Advance Attention::progress_or_stop() {
  return [this, tell = progress()](std::int64_t done, std::int64_t of) {
    require_going_on();
    tell(done, of);
  };
}

lab::Remark Attention::remark_or_stop() {
  return [this](const std::string&) { require_going_on(); };
}

void Attention::require_going_on() const {
  if (is_stopping()) throw lab::Stopped();
}

void Attention::wait_for(const std::function<void()>& work) {
  constexpr std::chrono::milliseconds kBetween{50};
  const pid_t owner = getpid();
  const Entered entered(*this);
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable over;
  bool ended = false;
  {
    const py::gil_scoped_release released;
    std::thread worker([&] {
      try {
        const math::Stoppable stoppable(stop_requested());
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard guard(mutex);
      ended = true;
      over.notify_one();
    });
    std::unique_lock guard(mutex);
    while (!over.wait_for(guard, kBetween, [&] { return ended; })) {
      guard.unlock();
      look();
      if (getpid() != owner) {  // the listener forked: the work is at our parent's
        worker.detach();
        break;
      }
      guard.lock();
    }
    if (guard) {
      guard.unlock();
      worker.join();
    }
  }
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (getpid() != owner)
    throw IoError("this process was forked by the listener: the work is at its parent's");
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const lab::Stopped&) {  // before there was anything to show
    if (!interrupted_) throw;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
}

void Attention::look() {
  const py::gil_scoped_acquire locked;
  if (raised_ || interrupted_) return;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!listener_.is_none() && done_ >= 0) listener_(done_.load(), all_.load());
  } catch (py::error_already_set& error) {
    stopping_ = true;
    if (interrupt_ == Interrupt::kept && error.matches(PyExc_KeyboardInterrupt))
      interrupted_ = true;
    else
      raised_ = std::current_exception();
  } catch (const std::exception&) {
    stopping_ = true;
    raised_ = std::current_exception();
  }
}

int threads_of(std::optional<std::int64_t> threads) {
  if (threads && (*threads < 1 || *threads > 1024))
    throw InputError(fmt::format("threads = {}: expected an integer from 1 to 1024", *threads));
  const int most = math::hardware_threads();
  return threads ? static_cast<int>(std::min<std::int64_t>(*threads, most)) : most;
}

}  // namespace sluice::python

/// Folders of runs: read side by side, listed, watched, removed.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/printable.hpp"
#include "sluice/lab/remove_runs.hpp"
#include "sluice/lab/run_index.hpp"
#include "sluice/lab/watch.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/require.hpp"
#include "sluice/python/runs.hpp"
#include "sluice/python/texts.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

std::vector<Kept> all_kept(std::vector<lab::Recorded> runs) {
  std::vector<Kept> made;
  for (lab::Recorded& run : runs) made.push_back(std::make_shared<lab::Recorded>(std::move(run)));
  return made;
}

/// The same runs, their settings the keys in which they differ.
std::vector<Kept> told_apart(const std::vector<Kept>& runs) {
  for (const Kept& run : runs)
    if (!run->experiment)
      throw InputError(run->recording.name + ": weights without a spec; expected a run, which has one");
  return all_kept(unlocked([&] {
    std::vector<lab::Recorded> all;
    for (const Kept& run : runs) all.push_back(again(*run));
    lab::tell_apart(all);
    return all;
  }));
}

/// Columns in their order, and remarks.
py::tuple indexed(const std::string& folder, const lab::RunQuery& query, bool anew) {
  using Begin = lab::RunIndex::Begin;
  struct Found {
    lab::RunTable table = {};
    lab::RunArrays arrays = {};
    std::vector<std::string> remarks = {};
  };
  Found found = unlocked([&] {
    lab::RunIndex index(folder, anew ? Begin::anew : Begin::from_cache);
    Found made;
    if (index.size() > 0) made.table = index.select(query);
    made.arrays = lab::to_arrays(made.table);
    made.remarks = index.remarks();
    return made;
  });
  py::dict columns;
  for (const std::string& name : found.table.columns) columns[py::str(name)] = py::none();
  for (auto& [name, array] : found.arrays.numbers) columns[py::str(name)] = array_from(std::move(array));
  for (const auto& [name, texts] : found.arrays.texts) {
    py::list column;
    for (const std::string& text : texts) column.append(text_from(text));
    columns[py::str(name)] = column;
  }
  py::list remarks;
  for (const std::string& remark : found.remarks) remarks.append(file::printable(remark));
  return py::make_tuple(columns, remarks);
}

py::list removed(const std::vector<std::string>& folders, bool yes) {
  const std::vector<record::Removal> removals = unlocked([&] {
    std::vector<record::Removal> plan =
        lab::plan_removals(std::vector<std::filesystem::path>(folders.begin(), folders.end()));
    if (yes) lab::remove(plan);
    return plan;
  });
  py::list made;
  for (const record::Removal& removal : removals)
    made.append(py::dict(py::arg("folder") = text_from(removal.folder.string()),
                         py::arg("files") = removal.files, py::arg("bytes") = removal.bytes,
                         py::arg("removed") = yes));
  return made;
}

/// A page that is served by a thread of its own, which needs nothing of Python.
class Watching {
 public:
  Watching(const std::string& folder, int port)
      : watch_(std::make_unique<lab::Watch>(folder, port, [this](const std::string& why) { note(why); })),
        address_(watch_->address()),
        thread_(std::make_unique<std::thread>([this] { serve(); })) {}
  ~Watching() { close(); }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  const std::string& address() const { return address_; }
  std::string problem() const {
    const std::lock_guard guard(mutex_);
    return problem_;
  }
  bool closed() const { return closed_; }
  void close() {
    if (owner_ != getpid()) {  // a child of ours has no such thread, and what it had locked stays locked
      (void)thread_.release();
      (void)watch_.release();
      closed_ = true;
      return;
    }
    const std::lock_guard closing(closing_);  // several threads may want it gone
    if (closed_.exchange(true)) return;
    ended_ = true;
    thread_->join();
    thread_.reset();
    watch_.reset();
  }

 private:
  void serve() {
    while (!ended_) {
      try {
        watch_->serve_for(kTurn);
      } catch (const std::exception& failure) {
        note(words_of(failure));
        std::this_thread::sleep_for(kTurn);
      }
    }
  }
  void note(const std::string& why) {
    const std::lock_guard guard(mutex_);
    problem_ = why;
  }

  static constexpr std::chrono::milliseconds kTurn{100};
  mutable std::mutex mutex_;
  std::string problem_;
  std::mutex closing_;
  std::atomic<bool> ended_ = false, closed_ = false;
  pid_t owner_ = getpid();
  std::unique_ptr<lab::Watch> watch_;
  std::string address_;
  std::unique_ptr<std::thread> thread_;
};

}  // namespace

void bind_folders(py::module_& module) {
  module.def("read_all", [](const std::vector<std::string>& folders) {
    return all_kept(unlocked([&] { return lab::read_all(folders); }));
  });
  module.def("told_apart", &told_apart, py::arg("runs"));
  module.def(
      "runs",
      [](const std::string& folder, const std::string& where, const std::vector<std::string>& columns,
         const std::string& sort, bool descending, bool anew) {
        return indexed(folder, {where, columns, sort, descending}, anew);
      },
      py::arg("folder"), py::arg("where"), py::arg("columns"), py::arg("sort"), py::arg("descending"),
      py::arg("anew"));
  module.def("remove", &removed, py::arg("folders"), py::arg("yes"));
  py::class_<Watching>(module, "Watching")
      .def(py::init([](const std::string& folder, std::int64_t port) {
             require_within("port", port, 0, 65535);
             return std::make_unique<Watching>(folder, static_cast<int>(port));
           }),
           py::arg("folder"), py::arg("port"))
      .def_property_readonly("address", &Watching::address)
      .def_property_readonly("problem", &Watching::problem)
      .def_property_readonly("closed", &Watching::closed)
      .def("close", &Watching::close, py::call_guard<py::gil_scoped_release>());
}

}  // namespace sluice::python

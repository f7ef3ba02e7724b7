/// Parts written in Python: functions that the library calls from its own threads. They are called with the interpreter's lock and one
/// after the other; what they raise crosses the threads and is raised again where the run was started.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "sluice/python/attention.hpp"

namespace sluice::python {

/// The calls that a part serves. Once all of them are asked to stop it answers no more, so that a run that waits for slow functions ends
/// between two of them.
class Served {
 public:
  void enter(Attention& call);
  void leave(Attention& call);
  /// Throws lab::Stopped.
  void check() const;

 private:
  mutable std::mutex mutex_;
  std::multiset<Attention*> calls_;
};

/// What Python holds of one: the library finds the function as long as this lives.
struct Part {
  std::shared_ptr<const void> given;
  std::shared_ptr<Served> served;
};
using Parts = std::vector<Part>;

/// While it lives these parts serve this call.
class Serving {
 public:
  Serving(Parts parts, Attention& call);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

 private:
  Parts parts_;
  Attention& call_;
};

}  // namespace sluice::python

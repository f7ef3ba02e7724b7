/// What tasks made of another task share: its inputs, sample by sample, with other labels or only some of them.
#pragma once

#include <memory>
#include <utility>

#include "sluice/task/task.hpp"

namespace sluice::task {

class SameInputs : public Task {
 public:
  std::int64_t inputs() const final { return law_->inputs(); }
  std::int64_t dimensions() const final { return law_->dimensions(); }
  bool even() const final { return law_->even(); }
  bool stationary() const final { return law_->stationary(); }
  Moments moments(int which_class) const final { return law_->moments(which_class); }
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const final {
    law_->sample(first, which_class, x, scratch);
  }
  std::vector<std::string> remarks() const final { return law_->remarks(); }

 protected:
  /// By reference: the classes may be read from the law in the same call, before it is taken.
  SameInputs(const Classes& classes, std::unique_ptr<Task>&& law) : Task(classes), law_(std::move(law)) {}
  const Task& law() const { return *law_; }

 private:
  std::unique_ptr<Task> law_;
};

}  // namespace sluice::task

/// What a spec says about a task, and the keys that all tasks on a ring share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sluice/spec/keys.hpp"
#include "sluice/task/task.hpp"

namespace sluice::task {

struct Options {
  virtual ~Options() = default;
  virtual void describe(spec::Keys& keys) = 0;
  virtual std::unique_ptr<Task> make() const = 0;
};

struct RingOptions : Options {
  std::int64_t n = 40;
  std::array<double, 2> xi = {2.0, 1.0};
  std::array<double, 2> labels = {1.0, 0.0};

  void describe(spec::Keys& keys) override;
};

}  // namespace sluice::task

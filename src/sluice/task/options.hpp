/// What a spec says about a task, and the keys that tasks share.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "sluice/spec/keys.hpp"
#include "sluice/task/task.hpp"

namespace sluice::task {

struct Options {
  virtual ~Options() = default;
  virtual void describe(spec::Keys& keys) = 0;
  /// For tasks that name files: paths become absolute, relative ones taken from `folder` (the spec's); the checksum of what
  /// stands there becomes part of the options, or is compared with the one they state.
  virtual void resolve(const std::filesystem::path& folder) { static_cast<void>(folder); }
  virtual std::unique_ptr<Task> make() const = 0;
};

/// Sites and classes, which every task has. In two parts so that the keys of the classes can stand between them.
struct SiteOptions : Options {
  std::int64_t n = 40;
  Classes classes;

 protected:
  void describe_sites(spec::Keys& keys);
  void describe_classes(spec::Keys& keys);
};

/// Tasks made of a Gaussian on a ring.
struct RingOptions : SiteOptions {
  std::array<double, 2> xi = {2.0, 1.0};

  void describe(spec::Keys& keys) override;
};

}  // namespace sluice::task

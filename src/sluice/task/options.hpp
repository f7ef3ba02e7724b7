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
  /// 1: inputs lie on a ring, 2: on a torus, row by row.
  virtual std::int64_t dimensions() const { return 1; }
};

/// Sites and classes, which every task has. In two parts so that the keys of the classes can stand between them.
struct SiteOptions : Options {
  std::int64_t n = 40;
  std::int64_t dim = 1;
  Classes classes;

  std::int64_t sites() const { return dim == 1 ? n : n * n; }

 protected:
  /// For tasks that live on a ring of at most 4096 sites and on nothing else.
  void describe_sites(spec::Keys& keys);
  void describe_classes(spec::Keys& keys);
};

/// Tasks made of a Gaussian on a ring, or with dim = 2 on a torus of n × n sites.
struct RingOptions : SiteOptions {
  static constexpr std::int64_t kMostSites = 1'048'576;

  std::array<double, 2> xi = {2.0, 1.0};

  std::int64_t dimensions() const final { return dim; }

  void describe(spec::Keys& keys) override;
};

}  // namespace sluice::task

/// The kinds of task a spec can name. Adding one is a header, a source and a line in registry.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sluice/spec/keys.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

/// Every kind with one line on what it is.
spec::Choices kinds();
/// Those whose labels are those of the classes: what a teacher's inputs can be.
spec::Choices kinds_with_class_labels();
/// Those that never run out of samples: what a finite set can be drawn from.
spec::Choices endless_kinds();

/// Those whose inputs are the sites of a ring or torus: all but points and images.
spec::Choices kinds_on_sites();

/// Those whose samples can be drawn: sites and images.
spec::Choices kinds_to_draw();

/// The [task] section: the kind, then the keys of that kind.
class Section {
 public:
  Section();
  explicit Section(const std::string& kind);
  /// With these options, which must be of that kind.
  Section(std::string kind, std::unique_ptr<Options> options)
      : kind_(std::move(kind)), options_(std::move(options)) {}

  void describe(spec::Keys& keys) { describe(keys, kinds()); }
  /// As a part of another task, which may not take every kind.
  void describe(spec::Keys& keys, spec::Choices allowed);
  void resolve(const std::filesystem::path& folder) { options_->resolve(folder); }
  const std::string& kind() const { return kind_; }
  const Options& options() const { return *options_; }
  std::unique_ptr<Task> make() const { return options_->make(); }
  /// 1: inputs lie on a ring, 2: on a torus, row by row.
  std::int64_t dimensions() const { return options_->dimensions(); }

 private:
  std::string kind_;
  std::unique_ptr<Options> options_;
};

}  // namespace sluice::task

/// The kinds of task a spec can name. Adding one is a header, a source and a line in registry.cpp.
#pragma once

#include <memory>
#include <string>

#include "sluice/spec/keys.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

/// Every kind with one line on what it is.
spec::Choices kinds();

/// The [task] section: the kind, then the keys of that kind.
class Section {
 public:
  Section();
  explicit Section(const std::string& kind);

  void describe(spec::Keys& keys);
  const std::string& kind() const { return kind_; }
  const Options& options() const { return *options_; }
  std::unique_ptr<Task> make() const { return options_->make(); }

 private:
  std::string kind_;
  std::unique_ptr<Options> options_;
};

}  // namespace sluice::task

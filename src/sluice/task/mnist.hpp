/// task.kind = "mnist" as a finite task: the sets of task/digits.hpp, with class numbers as labels, or −1 and +1 for the
/// variant "binary".
#pragma once

#include <memory>

#include "sluice/task/digits.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

struct MnistOptions final : Options {
  DigitsOptions digits;

  void describe(spec::Keys& keys) override { digits.describe(keys); }
  void resolve(const std::filesystem::path& folder) override { digits.resolve(folder); }
  std::unique_ptr<Task> make() const override;
};

}  // namespace sluice::task

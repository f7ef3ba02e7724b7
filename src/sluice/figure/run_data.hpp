/// A record as the recipes want it: fields that are kernels without the zeros around them. IPR is recomputed from the weights: a record need not have watched it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/run_view.hpp"
#include "sluice/file/array.hpp"
#include "sluice/task/task.hpp"

namespace sluice::figure {

class RunData {
 public:
  /// The record must outlive it. Without weights, or where inputs lie in no order, there are no units and no sites to show.
  RunData(const std::string& title, const file::NamedArrays& record, const task::Layout& layout);
  RunData(const RunData&) = delete;
  RunData& operator=(const RunData&) = delete;
  RunData(RunData&&) = default;
  RunData& operator=(RunData&&) = default;
  ~RunData() = default;

  const RunView& view() const { return view_; }
  bool has_fields() const { return view_.units > 0; }
  /// Of fields that are kernels these, [T, K, sites of a kernel]; null: the weights of the record are shown as they are.
  const file::Array* kernels() const { return kernels_ ? &*kernels_ : nullptr; }

 private:
  std::optional<file::Array> kernels_;
  std::vector<float> ipr_;
  std::vector<std::uint8_t> localized_;  // at the end
  RunView view_;
};

}  // namespace sluice::figure

/// A record as the recipes want it. IPR is recomputed from the weights: a record need not have watched it.
#pragma once

#include <cstdint>
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

 private:
  std::vector<float> ipr_;
  std::vector<std::uint8_t> localized_;  // at the end
  RunView view_;
};

}  // namespace sluice::figure

/// What a recipe sees of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::figure {

/// What a recipe needs to know of a run, without owning it. Recipes copy what their draw function uses, so a
/// Figure may outlive the view. loss, accuracy and ipr may be left empty: a run need not have watched them.
struct RunView {
  std::string title;                           ///< "localization"
  std::int64_t units = 0, sites = 0;           ///< K, n
  std::span<const std::int64_t> step{};        ///< [T]
  std::span<const float> weights{};            ///< [T, K, n], or those of the end alone, [1, K, n]
  std::span<const float> ipr{};                ///< [T, K], NaN where nobody knows it
  std::span<const double> loss{}, accuracy{};  ///< [T]
  std::span<const double> train_loss{}, train_accuracy{};  ///< [T], of a run on a finite set
  std::span<const float> flow{};              ///< [T, K, n], the gradient flow from the same start
  std::int64_t columns = 0;                   ///< sites in a row of a torus or an image; 0: a ring
  std::int64_t channels = 1;                  ///< planes of an image: 1, or 3 of red, green and blue
  bool kernels = false;                       ///< fields are the kernels of convolutions, of `sites` numbers
  std::span<const std::uint8_t> localized{};  ///< [K] at the end, 1 or 0; empty: not known
  std::vector<std::size_t>
      chosen{};  ///< units that are asked for where a figure shows some; empty: it chooses

  std::size_t times() const { return step.size(); }
  /// Of a torus or an image.
  std::int64_t rows() const { return sites / (columns * channels); }
  /// Whether weights are those of all times.
  bool has_history() const {
    return weights.size() == times() * shown_units() * static_cast<std::size_t>(sites);
  }
  /// Receptive field of one unit at one time, n numbers; where there is no history, at the last.
  std::span<const float> field(std::size_t time, std::size_t unit) const;
  /// IPR of all units at one time, K numbers; empty when the run has none.
  std::span<const float> ipr_at(std::size_t time) const;
  /// IPR of one unit at the end; NaN when the run has none.
  float final_ipr(std::size_t unit) const;
  /// K, or 0 when there are no times: the number of receptive fields there are to show.
  std::size_t shown_units() const;
};

/// Throws std::invalid_argument, naming the run, the array and both lengths, when one does not fit T, K and
/// n.
void require_consistent(const RunView& view);

}  // namespace sluice::figure

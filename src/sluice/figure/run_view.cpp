#include "sluice/figure/run_view.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <string_view>

namespace sluice::figure {
namespace {

void require_length(const RunView& view, std::string_view array, std::size_t length, std::size_t expected) {
  if (length != expected)
    throw std::invalid_argument(
        fmt::format("run {}: {} has {} numbers, expected {}", view.title, array, length, expected));
}

}  // namespace

std::span<const float> RunView::field(std::size_t time, std::size_t unit) const {
  const auto k = static_cast<std::size_t>(units), n = static_cast<std::size_t>(sites);
  return weights.last((times() - time) * k * n).subspan(unit * n, n);
}

std::span<const float> RunView::ipr_at(std::size_t time) const {
  const auto k = static_cast<std::size_t>(units);
  return ipr.empty() ? ipr : ipr.subspan(time * k, k);
}

float RunView::final_ipr(std::size_t unit) const {
  return ipr.empty() ? std::numeric_limits<float>::quiet_NaN() : ipr_at(times() - 1)[unit];
}

std::size_t RunView::shown_units() const { return step.empty() ? 0 : static_cast<std::size_t>(units); }

void require_consistent(const RunView& view) {
  if (view.units < 0 || view.sites < 0)
    throw std::invalid_argument(
        fmt::format("run {}: {} units on {} sites", view.title, view.units, view.sites));
  const auto k = static_cast<std::size_t>(view.units), n = static_cast<std::size_t>(view.sites);
  if (view.columns < 0 || (view.columns > 0 && view.sites % (view.columns * view.channels) != 0))
    throw std::invalid_argument(
        fmt::format("run {}: {} sites in rows of {}", view.title, view.sites, view.columns));
  if (view.weights.size() != k * n || view.step.empty())
    require_length(view, "weights", view.weights.size(), view.times() * k * n);
  if (!view.ipr.empty()) require_length(view, "ipr", view.ipr.size(), view.times() * k);
  if (!view.localized.empty()) require_length(view, "localized", view.localized.size(), k);
  if (!view.loss.empty()) require_length(view, "loss", view.loss.size(), view.times());
  if (!view.accuracy.empty()) require_length(view, "accuracy", view.accuracy.size(), view.times());
  if (!view.flow.empty()) require_length(view, "flow_weights", view.flow.size(), view.weights.size());
  if (!view.train_loss.empty()) require_length(view, "train_loss", view.train_loss.size(), view.times());
  if (!view.train_accuracy.empty())
    require_length(view, "train_accuracy", view.train_accuracy.size(), view.times());
}

}  // namespace sluice::figure

#include "sluice/figure/run_data.hpp"

#include <limits>

#include "sluice/probe/ipr.hpp"
#include "sluice/probe/localized.hpp"

namespace sluice::figure {
namespace {

template <class T>
std::span<const T> array(const file::NamedArrays& record, const std::string& name) {
  const file::Array* found = file::find(record, name);
  return found == nullptr ? std::span<const T>{} : std::span<const T>(found->as<T>());
}

}  // namespace

RunData::RunData(const std::string& title, const file::NamedArrays& record, const task::Layout& layout) {
  view_ = {.title = title,
           .step = array<std::int64_t>(record, "step"),
           .loss = array<double>(record, "loss"),
           .accuracy = array<double>(record, "accuracy"),
           .train_loss = array<double>(record, "train_loss"),
           .train_accuracy = array<double>(record, "train_accuracy")};
  const file::Array* weights = file::find(record, "weights");
  if (weights == nullptr || layout.kind == task::Layout::Kind::plain) return;
  if (layout.kernel && layout.inputs() == weights->shape[2]) {
    const std::int64_t sites = task::of_kernels(layout).inputs();
    kernels_ = file::Array{{weights->shape[0], weights->shape[1], sites},
                           task::kernels_of(weights->as<float>(), layout)};
    weights = &*kernels_;
    view_.kernels = true;
  }
  const task::Layout drawn = kernels_ ? task::of_kernels(layout) : layout;
  view_.units = weights->shape[1];
  view_.sites = weights->shape[2];
  view_.weights = weights->as<float>();
  const auto flow = array<float>(record, "flow_weights");
  if (flow.size() == view_.weights.size()) view_.flow = flow;
  const auto n = static_cast<std::size_t>(view_.sites);
  const auto units = static_cast<std::size_t>(view_.units);
  for (std::size_t at = 0; at < view_.weights.size(); at += n)
    ipr_.push_back(static_cast<float>(probe::ipr(view_.weights.subspan(at, n))));
  view_.ipr = ipr_;
  if (!view_.has_history()) {  // what was watched of the fields is there at every time, if it was
    const auto watched = array<float>(record, "ipr");
    const std::size_t all = view_.times() * units;
    ipr_.insert(ipr_.begin(), all - units, std::numeric_limits<float>::quiet_NaN());
    view_.ipr = watched.size() == all && !kernels_ ? watched : ipr_;
  }
  if (layout.has_places() && !view_.step.empty()) {
    localized_ = probe::localized_flags(view_.weights.last(n * units), view_.sites, layout.torus_side());
    view_.localized = localized_;
  }
  if (drawn.drawn_as_image()) {
    view_.columns = drawn.columns;
    view_.channels = drawn.channels;
  }
}

}  // namespace sluice::figure

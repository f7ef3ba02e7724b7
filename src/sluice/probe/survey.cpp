#include "sluice/probe/survey.hpp"

#include "sluice/probe/gabor_errors.hpp"

namespace sluice::probe {

const std::vector<FieldShape>& Survey::shapes() {
  if (!shapes_) {
    shapes_.emplace();
    for (std::int64_t k = 0; k < now_.units; ++k)
      shapes_->push_back(instruments_.angles().shape(now_.field(k)));
  }
  return *shapes_;
}

const FieldSpectra& Survey::spectra() {
  if (!spectra_) spectra_ = instruments_.fourier().analyse(now_.weights);
  return *spectra_;
}

std::span<const float> Survey::power_shares(std::int64_t unit) {
  if (!power_) power_ = probe::power_shares(spectra());
  const auto frequencies = static_cast<std::size_t>(spectra().frequencies());
  return std::span<const float>(*power_).subspan(static_cast<std::size_t>(unit) * frequencies, frequencies);
}

const std::vector<Gabor>& Survey::gabors() {
  if (!gabors_) gabors_ = instruments_.gabor().fit(now_.weights);
  return *gabors_;
}

const std::vector<Gabor>& Survey::gabor_errors() {
  if (!gabor_errors_) {
    gabor_errors_.emplace();
    for (std::int64_t k = 0; k < now_.units; ++k)
      gabor_errors_->push_back(standard_errors(gabors()[static_cast<std::size_t>(k)], now_.field(k)));
  }
  return *gabor_errors_;
}

const std::vector<PlaneShape>& Survey::plane_shapes() {
  if (!plane_shapes_) {
    plane_shapes_.emplace();
    for (std::int64_t k = 0; k < now_.units; ++k)
      plane_shapes_->push_back(instruments_.plane().shape(now_.field(k)));
  }
  return *plane_shapes_;
}

const std::vector<PlaneWaves>& Survey::plane_waves() {
  if (!plane_waves_) {
    plane_waves_.emplace();
    for (std::int64_t k = 0; k < now_.units; ++k)
      plane_waves_->push_back(instruments_.plane().waves(now_.field(k)));
  }
  return *plane_waves_;
}

const std::vector<Gabor2Fit>& Survey::gabors2() {
  if (!gabors2_) {
    gabors2_.emplace();
    for (std::int64_t k = 0; k < now_.units; ++k)
      gabors2_->push_back(instruments_.gabor2().fit(now_.field(k)));
  }
  return *gabors2_;
}

const std::vector<std::uint8_t>& Survey::localized() {
  if (!localized_) {
    localized_.emplace();
    for (std::int64_t k = 0; k < now_.units; ++k)
      localized_->push_back(instruments_.localization().localized(now_.field(k)) ? 1 : 0);
  }
  return *localized_;
}

const kernel::Passage<double>& Survey::passage() {
  if (!passage_) passage_.emplace(now_.kernels->passage(now_.parameters));
  return *passage_;
}

const kernel::SampleMatrix<double>& Survey::tangent() {
  if (!tangent_) tangent_ = passage().tangent();
  return *tangent_;
}

const kernel::SampleMatrix<double>& Survey::gate_kernel() {
  if (!gate_kernel_) gate_kernel_ = passage().tangent(kernel::Passage<double>::gates);
  return *gate_kernel_;
}

const kernel::Passage<float>& Survey::gates() {
  if (!gates_) gates_.emplace(now_.kernels->gates(now_.parameters));
  return *gates_;
}

const kernel::GateCounts& Survey::active_counts() {
  if (!active_counts_)
    active_counts_ = kernel::count_gates(gates(), now_.parameters, now_.kernels->thresholds(), false);
  return *active_counts_;
}

const kernel::GateCounts& Survey::gate_counts() {
  if (!gate_counts_) gate_counts_ = kernel::count_gates(gates(), now_.parameters, now_.kernels->thresholds());
  return *gate_counts_;
}

}  // namespace sluice::probe

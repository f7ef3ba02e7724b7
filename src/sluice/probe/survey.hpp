/// One probe time, looked at by several probes: what they share is computed once, when the first asks for it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sluice/kernel/matrix.hpp"
#include "sluice/probe/gabor.hpp"
#include "sluice/probe/gabor2.hpp"
#include "sluice/probe/kernel_bench.hpp"
#include "sluice/probe/plane.hpp"
#include "sluice/probe/shape.hpp"
#include "sluice/probe/snapshot.hpp"
#include "sluice/probe/spectrum.hpp"
#include "sluice/theory/localized.hpp"

namespace sluice::probe {

/// What depends on the number of sites alone: made when first used, then shared by all times and threads.
class Instruments {
 public:
  explicit Instruments(std::int64_t sites, const task::Layout& layout = {})
      : sites_(sites), layout_(layout) {}

  const RingAngles& angles() const { return made(angles_, sites_); }
  const FieldFourier& fourier() const { return made(fourier_, sites_); }
  const GaborFitter& gabor() const { return made(gabor_, sites_); }
  const PlaneOptics& plane() const { return made(plane_, layout_); }
  const Gabor2Fitter& gabor2() const { return made(gabor2_, layout_); }
  const theory::Localization& localization() const {
    return made(localization_, sites_, layout_.torus_side());
  }

 private:
  template <class Instrument>
  struct Lazy {
    std::once_flag once;
    std::unique_ptr<const Instrument> instrument;
  };
  template <class Instrument, class... Of>
  static const Instrument& made(Lazy<Instrument>& lazy, const Of&... of) {
    std::call_once(lazy.once, [&] { lazy.instrument = std::make_unique<const Instrument>(of...); });
    return *lazy.instrument;
  }

  std::int64_t sites_;
  task::Layout layout_;
  mutable Lazy<theory::Localization> localization_;
  mutable Lazy<RingAngles> angles_;
  mutable Lazy<FieldFourier> fourier_;
  mutable Lazy<GaborFitter> gabor_;
  mutable Lazy<PlaneOptics> plane_;
  mutable Lazy<Gabor2Fitter> gabor2_;
};

class Survey {
 public:
  Survey(const Snapshot& now, const Instruments& instruments) : now_(now), instruments_(instruments) {}

  const Snapshot& now() const { return now_; }
  const Instruments& instruments() const { return instruments_; }

  const std::vector<FieldShape>& shapes();
  const FieldSpectra& spectra();
  /// P of unit k, n/2 + 1 numbers.
  std::span<const float> power_shares(std::int64_t unit);
  const std::vector<Gabor>& gabors();
  const std::vector<Gabor>& gabor_errors();
  /// 1 or 0 for every unit.
  const std::vector<std::uint8_t>& localized();

  // Of fields in a plane.
  const std::vector<PlaneShape>& plane_shapes();
  const std::vector<PlaneWaves>& plane_waves();
  const std::vector<Gabor2Fit>& gabors2();

  // Of a deep network, on the samples of its bench.
  const kernel::Passage<double>& passage();
  const kernel::SampleMatrix<double>& tangent();
  const kernel::SampleMatrix<double>& gate_kernel();  ///< K^a
  const kernel::Passage<float>& gates();
  const kernel::GateCounts& active_counts();  ///< without what is sensitive
  const kernel::GateCounts& gate_counts();

 private:
  const Snapshot& now_;
  const Instruments& instruments_;
  std::optional<std::vector<FieldShape>> shapes_;
  std::optional<FieldSpectra> spectra_;
  std::optional<std::vector<float>> power_;
  std::optional<std::vector<Gabor>> gabors_, gabor_errors_;
  std::optional<std::vector<PlaneShape>> plane_shapes_;
  std::optional<std::vector<PlaneWaves>> plane_waves_;
  std::optional<std::vector<Gabor2Fit>> gabors2_;
  std::optional<std::vector<std::uint8_t>> localized_;
  std::optional<kernel::Passage<double>> passage_;
  std::optional<kernel::SampleMatrix<double>> tangent_, gate_kernel_;
  std::optional<kernel::Passage<float>> gates_;
  std::optional<kernel::GateCounts> active_counts_, gate_counts_;
};

}  // namespace sluice::probe

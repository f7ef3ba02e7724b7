/// Samples that have no recipe: every member's batches, drawn by the threads of the CPU as they are for training there,
/// for a device.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sluice/gpu/ensemble_machine.hpp"
#include "sluice/learn/batches.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::gpu {

class MemberSamples final : public HostSamples {
 public:
  /// Of one shape; they and the workers must outlive this.
  MemberSamples(std::vector<const learn::Batches*> batches, math::Workers& workers);

  void draw(const Parcel& parcel, float* x, float* labels) override;

 private:
  /// What a thread draws with: the drawer of the member that it is at.
  struct Own {
    const learn::Batches* batches = nullptr;
    std::unique_ptr<learn::Drawer> drawer = nullptr;
    math::LanesBuffer<float> block;
  };

  std::vector<const learn::Batches*> batches_;
  math::Workers& workers_;
  std::int64_t inputs_, rows_;
  std::vector<learn::BlockPlan> plans_;  // of each: classes may divide a batch elsewhere
  std::vector<Own> own_;                 // by thread
};

}  // namespace sluice::gpu

/// What the tasks built on a latent Gaussian ring (or torus) share: sites, labels, one latent ring per class.
#pragma once

#include "sluice/task/latent_ring.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

class RingTask : public Task {
 public:
  std::int64_t inputs() const final { return sites_; }
  std::vector<std::string> remarks() const final {
    std::vector<std::string> remarks;
    for (const LatentRing& latent : latent_) {
      if (std::string remark = latent.remark(); !remark.empty()) remarks.push_back(std::move(remark));
    }
    return remarks;
  }

 protected:
  explicit RingTask(const RingOptions& options)
      : Task(options.classes),
        sites_(options.sites()),
        latent_{LatentRing(options.n, options.xi[0], options.dim),
                LatentRing(options.n, options.xi[1], options.dim)} {}

  const LatentRing& latent(int which_class) const {
    return latent_.at(static_cast<std::size_t>(which_class));
  }

 private:
  std::int64_t sites_;
  std::array<LatentRing, 2> latent_;
};

}  // namespace sluice::task

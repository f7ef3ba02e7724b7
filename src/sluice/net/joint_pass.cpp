#include "sluice/net/joint_pass.hpp"

#include <algorithm>
#include <vector>

#include "sluice/math/assert.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::net {
namespace {

/// One after the other.
class Turns final : public JointPass {
 public:
  Turns(std::span<const Network* const> networks, std::int64_t samples, std::span<const std::uint64_t> seeds)
      : outputs_(networks.front()->outputs()),
        gradient_row_(static_cast<std::size_t>(
            math::whole_vectors(static_cast<std::int64_t>(networks.front()->gradient_size())))) {
    for (std::size_t e = 0; e < networks.size(); ++e) passes_.push_back(networks[e]->pass(samples, seeds[e]));
  }

  void use(std::span<const std::span<const float>> parameters) override {
    for (std::size_t e = 0; e < passes_.size(); ++e) passes_[e]->use(parameters[e]);
  }
  void forward(const math::Lanes& x, std::int64_t first_row, const math::Lanes& outputs) override {
    for (std::size_t e = 0; e < passes_.size(); ++e) passes_[e]->forward(x, first_row, of(e, outputs));
  }
  void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) override {
    for (std::size_t e = 0; e < passes_.size(); ++e)
      passes_[e]->backward(x, of(e, slopes), gradient.subspan(e * gradient_row_, gradient_row_));
  }

 private:
  math::Lanes of(std::size_t member, const math::Lanes& all) const {
    return {all.data + static_cast<std::int64_t>(member) * outputs_ * all.stride, outputs_, all.samples,
            all.stride};
  }

  std::int64_t outputs_;
  std::size_t gradient_row_;
  std::vector<std::unique_ptr<Pass>> passes_;
};

/// All units under each other.
class Stacked final : public JointPass {
 public:
  Stacked(std::span<const Network* const> networks, std::int64_t samples)
      : layers_(dynamic_cast<const TwoLayerNetwork*>(networks.front())->layers()),
        members_(static_cast<std::int64_t>(networks.size())),
        scratch_(layers_.make_stack(members_, samples)),
        weights_(static_cast<std::size_t>(members_ * layers_.units() * layers_.inputs())),
        bias_(static_cast<std::size_t>(members_ * layers_.units())) {}

  void use(std::span<const std::span<const float>> parameters) override {
    for (std::size_t e = 0; e < parameters.size(); ++e) {
      const auto net = layers_.view(parameters[e]);
      std::ranges::copy(net.weights, weights_.begin() + static_cast<std::ptrdiff_t>(e * net.weights.size()));
      std::ranges::copy(net.bias, bias_.begin() + static_cast<std::ptrdiff_t>(e * net.bias.size()));
    }
  }
  void forward(const math::Lanes& x, std::int64_t, const math::Lanes& outputs) override {
    SLUICE_ASSERT(outputs.sites == members_ && outputs.samples == x.samples);
    layers_.forward_stack(weights_, bias_, x, outputs, scratch_);
  }
  void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) override {
    SLUICE_ASSERT(slopes.sites == members_ && slopes.samples == x.samples);
    layers_.backward_stack(x, slopes, gradient, scratch_);
  }

 private:
  const TwoLayer<float>& layers_;
  std::int64_t members_;
  TwoLayer<float>::Scratch scratch_;
  math::Aligned<float> weights_, bias_;  // [E K, n], [E K]
};

/// The same units and sites, everything but the numbers.
bool can_be_stacked(std::span<const Network* const> networks) {
  const auto* first = dynamic_cast<const TwoLayerNetwork*>(networks.front());
  if (first == nullptr || !first->layers().stacks()) return false;
  return std::ranges::all_of(networks, [&](const Network* each) {
    const auto* other = dynamic_cast<const TwoLayerNetwork*>(each);
    return other != nullptr && other->options().hidden == first->options().hidden &&
           other->options().activation == first->options().activation &&
           other->options().beta == first->options().beta &&
           other->options().learns_others() == first->options().learns_others() &&
           other->options().readout == first->options().readout &&
           other->options().pathway == first->options().pathway &&
           other->layers().learns_bias() == first->layers().learns_bias();
  });
}

}  // namespace

std::unique_ptr<JointPass> joint_pass(std::span<const Network* const> networks, std::int64_t samples,
                                      std::span<const std::uint64_t> seeds) {
  SLUICE_ASSERT(!networks.empty() && networks.size() == seeds.size());
  if (can_be_stacked(networks)) return std::make_unique<Stacked>(networks, samples);
  return std::make_unique<Turns>(networks, samples, seeds);
}

}  // namespace sluice::net

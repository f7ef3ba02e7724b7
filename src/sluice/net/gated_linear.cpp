#include "sluice/net/gated_linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/net/init.hpp"

namespace sluice::net {
namespace {

class GatedLinearPass final : public Pass {
 public:
  GatedLinearPass(const GatedLinearNetwork& network, std::int64_t samples)
      : network_(network),
        units_(network.units()),
        inputs_(network.inputs()),
        row_(math::whole_vectors(inputs_)),
        share_(1.0F / static_cast<float>(units_)),
        open_(static_cast<std::size_t>(units_ * math::whole_vectors(samples))),
        values_(open_.size()),
        sums_(static_cast<std::size_t>(math::whole_vectors(samples))),
        turned_(static_cast<std::size_t>(samples * row_)) {}

  void use(std::span<const float> parameters) override {
    SLUICE_ASSERT(parameters.size() == network_.parameter_count());
    weights_ = parameters.first(static_cast<std::size_t>(units_ * inputs_));
    vectors_ = network_.gate_vectors(parameters);
  }

  void forward(const math::Lanes& x, std::int64_t, const math::Lanes& outputs) override {
    SLUICE_ASSERT(outputs.sites == 1 && outputs.samples == x.samples);
    network_.gates().look(vectors_, x, open_.data());
    math::multiply(math::Product<float>{.m = units_,
                                        .n = x.stride,
                                        .k = inputs_,
                                        .a = weights_.data(),
                                        .a_stride = inputs_,
                                        .b = x.data,
                                        .b_stride = x.stride,
                                        .c = values_.data(),
                                        .c_stride = x.stride,
                                        .add = false});
    const auto sums = std::span(sums_).first(static_cast<std::size_t>(x.stride));
    std::ranges::fill(sums, 0.0F);
    for (std::int64_t k = 0; k < units_; ++k) {
      const float* g = open_.data() + k * x.stride;
      const float* h = values_.data() + k * x.stride;
      for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += g[r] * h[r];
    }
    for (std::int64_t r = 0; r < x.samples; ++r)
      outputs.at(0, r) = share_ * sums[static_cast<std::size_t>(r)];
  }

  void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) override {
    SLUICE_ASSERT(slopes.sites == 1 && slopes.samples == x.samples);
    SLUICE_ASSERT(gradient.size() >= network_.gradient_size());
    const auto factors = std::span(sums_).first(static_cast<std::size_t>(x.stride));
    std::ranges::fill(factors, 0.0F);  // lanes without a sample add nothing
    for (std::int64_t r = 0; r < x.samples; ++r)
      factors[static_cast<std::size_t>(r)] = share_ * slopes.at(0, r);
    math::scale_rows(open_.data(), units_, std::span<const float>(factors));
    math::transpose(x, turned_.data(), row_);
    math::multiply(math::Product<float>{.m = units_,
                                        .n = row_,
                                        .k = x.samples,
                                        .a = open_.data(),
                                        .a_stride = x.stride,
                                        .b = turned_.data(),
                                        .b_stride = row_,
                                        .c = gradient.data(),
                                        .c_stride = row_,
                                        .add = true});
  }

 private:
  const GatedLinearNetwork& network_;
  std::int64_t units_;
  std::int64_t inputs_;
  std::int64_t row_;
  float share_;                                // 1/K
  math::Aligned<float> open_, values_, sums_;  // [K, lanes], [K, lanes], [lanes]
  math::Aligned<float> turned_;                // [samples, row]: x, sites of a sample next to each other
  std::span<const float> weights_, vectors_;
};

Gates gates_of(const GateOptions& gate, std::int64_t units, std::int64_t inputs) {
  if (gate.law == "function") {
    if (GivenGates::Kept function = GivenGates::find(gate.source))
      return {units, inputs, std::move(function)};
    throw InputError(spec::lack_of_function("network.gate.source", gate.source, "gates are made"));
  }
  return {units, inputs, gate.law == "coin" ? units - gate.linear : 0, gate.open,
          gate.half_spaces() ? std::nullopt : std::optional(GateFunction(gate.shape))};
}

}  // namespace

GatedLinearNetwork::GatedLinearNetwork(const GatedLinearFamily& family, const Ends& ends)
    : Network(ends.inputs, 1),
      gate_(family.gate),
      init_(family.init),
      ends_(ends),
      gates_(gates_of(family.gate, family.hidden, ends.inputs)) {
  add_part("weights", {"unit", "site"}, {family.hidden, ends.inputs});
  add_part("gates", {"unit", "site"}, {family.hidden, ends.inputs});
}

std::span<const float> GatedLinearNetwork::gate_vectors(std::span<const float> parameters) const {
  return find_part("gates")->of(parameters);
}

std::vector<float> GatedLinearNetwork::start(std::uint64_t seed) const {
  std::vector<float> parameters = initial_weights(init_, units(), inputs(), seed);
  const std::vector<float> gates = net::gate_vectors(gate_, units(), ends_, seed);
  parameters.insert(parameters.end(), gates.begin(), gates.end());
  return parameters;
}

std::unique_ptr<Pass> GatedLinearNetwork::pass(std::int64_t samples, std::uint64_t) const {
  return std::make_unique<GatedLinearPass>(*this, samples);
}

std::size_t GatedLinearNetwork::gradient_size() const {
  return static_cast<std::size_t>(units() * math::whole_vectors(inputs()));
}

std::vector<Stretch> GatedLinearNetwork::trained() const {
  const auto sites = static_cast<std::size_t>(inputs());
  const auto row = static_cast<std::size_t>(math::whole_vectors(inputs()));
  std::vector<Stretch> stretches;
  for (std::size_t k = 0; k < static_cast<std::size_t>(units()); ++k)
    stretches.push_back({k * row, k * sites, sites});
  return stretches;
}

void GatedLinearFamily::describe(spec::Keys& keys) {
  keys.integer("hidden", hidden, spec::integers(1, 1'000'000), "K, number of gated linear units");
  keys.section("gate", "the gates, which stay as they are",
               [this](spec::Keys& inner) { gate.describe(inner, hidden); });
  keys.section("init", "initial weights", [this](spec::Keys& inner) { init.describe(inner); });
}

void GatedLinearFamily::resolve(const std::filesystem::path& folder) {
  for (std::string* path : {&gate.file.path, &init.path})
    if (!path->empty()) *path = (folder / *path).string();
}

std::unique_ptr<Network> GatedLinearFamily::make(const Ends& ends) const {
  if (ends.outputs != 1)
    throw InputError(
        fmt::format("network.kind = \"gated-linear\": expected \"deep-gated\" for the {} classes of the task",
                    ends.outputs));
  if (ends.dimensions != 1 && (init.law == "bump" || init.law == "gabor"))
    throw InputError(
        fmt::format("network.init.law = \"{}\": expected task.dim = 1, its fields lie on a ring", init.law));
  return std::make_unique<GatedLinearNetwork>(*this, ends);
}

KeptStart GatedLinearFamily::kept_start() const {
  KeptStart kept;
  if (init.law == "file") kept.parts.push_back("weights");
  if (gate.from_file()) kept.parts.push_back("gates");
  if (!kept.parts.empty()) kept.file = "start.npz";
  return kept;
}

void GatedLinearFamily::start_from_kept(const std::string& file) {
  if (init.law == "file") init = {.law = "file", .path = file, .array = "weights"};
  // What the folder keeps are all gates: pairs, repeats and the linear pathway are among them.
  if (gate.from_file()) gate = {.law = "file", .shape = gate.shape, .file = {.path = file, .array = "gates"}};
}

}  // namespace sluice::net

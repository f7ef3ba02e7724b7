#include "sluice/net/deep_options.hpp"

#include <array>
#include <cmath>

namespace sluice::net {
namespace {

constexpr std::array<spec::Choice, 3> kLayers{
    {{"dense", "every unit sees the whole layer before it"},
     {"circular", "circular convolutions of one channel, then the average over sites (section 4)"},
     {"convolutional", "convolutions of several channels, then dense layers"}}};
constexpr std::array<spec::Choice, 3> kPaddings{
    {{"zero", "nothing beyond the border: as many pixels as before (Keras' \"same\")"},
     {"circular", "the other border"},
     {"none", "windows within the image alone: fewer pixels than before (Keras' default, \"valid\")"}}};
constexpr std::array<spec::Choice, 2> kEndings{
    {{"flatten", "dense layers see every channel of every pixel"},
     {"average", "dense layers see the mean of every channel over all pixels"}}};
constexpr std::array<spec::Choice, 5> kGates{{
    {"own", "of the unit's own pre-activation: ReLU, soft-ReLU"},
    {"network", "of a second network with the same widths: GaLU, soft-GaLU"},
    {"random", "drawn once per sample, layer and unit: DGN-FRG"},
    {"open", "always 1: a deep linear network"},
    {"function", "of the input, by a function of the program around the library: all layers at once"},
}};
constexpr std::array<spec::Choice, 1> kShapes{
    {{"logistic", "(1+ε)/(1+e^(−βq)), with β = inf the step 1(q ≥ 0)"}}};
constexpr std::array<spec::Choice, 3> kTrained{{
    {"weights", "the weights; a gating network stays frozen"},
    {"both", "the weights and the gating network"},
    {"gates", "the gating network; the weights stay frozen"},
}};
constexpr std::array<spec::Choice, 6> kDeepLaws{{
    {"bernoulli", "±σ with equal probability (Assumption 1)"},
    {"normal", "independent normals, sd = σ"},
    {"he-normal", "independent normals, sd = √(2/inputs of the layer)"},
    {"xavier-normal", "independent normals, sd = √(2/(inputs + units of the layer))"},
    {"xavier-uniform", "uniform with the same sd as xavier-normal"},
    {"file", "the layers of another run of a deep network"},
}};
constexpr std::array<spec::Choice, 1> kSigmas{{{"unit-signal", "σ = √(1/(μw)), μ the share of open gates"}}};
constexpr std::array<spec::Choice, 3> kGateStarts{{
    {"independent", "the law of init, other random numbers"},
    {"equal", "Θ^g = Θ^w"},
    {"file", "the layers of another run of a deep network"},
}};

void describe_path(spec::Keys& keys, std::string& path) {
  keys.text("path", path, "a run folder or its record.npz, relative to the spec");
  keys.require(!path.empty(), "path", "the path of a run folder or its record.npz");
}

}  // namespace

void DeepInitOptions::describe(spec::Keys& keys) {
  keys.choice("law", law, kDeepLaws, "law of the initial weights");
  if (law == "bernoulli" || law == "normal")
    keys.word_or_number("std", std, kSigmas, spec::positive(), "σ, the same in every layer");
  if (law == "file") describe_path(keys, path);
}

void GateInitOptions::describe(spec::Keys& keys) {
  keys.choice("law", law, kGateStarts, "where the gating network starts");
  if (law == "file") describe_path(keys, path);
}

void DeepOptions::describe(spec::Keys& keys) {
  keys.choice("layers", layers, kLayers, "how a layer sees the one before it");
  describe_layers(keys);
  keys.choice("gates", gates, kGates, "who computes the gates");
  if (random_gates()) {
    const spec::Range share{.low = 0, .high = 1, .open_low = true, .expected = "a number above 0, up to 1"};
    keys.number("mu", mu, share, "μ: probability of an open gate");
  }
  if (function_gates())
    keys.text("gate_source", gate_source,
              "SHA-256 of the function's source: who does not have it cannot run this spec");
  if (own_gates() || gated_by_network()) {
    keys.word_or_text("gate_shape", gate_shape, kShapes, complaint_about_gate, "a formula of q, \"Phi(2*q)\"",
                      "the gate as a function of what it sees");
    describe_logistic(keys);
  }
  if (gated_by_network()) {
    keys.choice("train", train, kTrained, "what is trained");
    keys.require(!trains_gates() || gate().soft(), "train", "\"weights\": hard gates have no gradient");
  }
  keys.section("init", "initial weights", [this](spec::Keys& inner) { init.describe(inner); });
  if (gated_by_network())
    keys.section("gate_init", "initial gating network",
                 [this](spec::Keys& inner) { gate_init.describe(inner); });
}

void DeepOptions::describe_layers(spec::Keys& keys) {
  const spec::Range units = spec::integers(1, 100'000);
  const spec::Range steps = spec::integers(1, 1000);
  if (convolutional()) {
    keys.integer_list("channels", channels, units, "channels of each convolution");
    keys.require(!channels.empty(), "channels", "a list of numbers of channels, one for each convolution");
    keys.integer("kernel", kernel, steps,
                 "side of the convolutions' kernels: k × k pixels, on a ring k sites");
    keys.choice("padding", padding, kPaddings, "what kernels see beyond the border");
    const auto for_each = [&](const char* name, std::vector<std::int64_t>& values, const char* help) {
      keys.integer_list(name, values, steps, help);
      keys.require(values.empty() || values.size() == channels.size(), name,
                   "as many numbers as there are channels, or none");
    };
    for_each("strides", strides, "pixels from one window to the next, of each convolution; empty: 1");
    for_each("pools", pools,
             "side of the windows that are averaged behind each convolution's gates; empty: 1");
    keys.choice("ending", ending, kEndings, "what the first dense layer sees");
    keys.integer_list("widths", widths, units, "units of each hidden dense layer behind the convolutions");
    return;
  }
  if (dense())
    keys.integer_list("widths", widths, units,
                      "units of each hidden layer; empty: depth − 1 layers of width units");
  if (circular() || widths.empty())
    keys.integer("depth", depth, spec::integers(2, 1000), "d: layers of weights, the readout among them");
  if (dense() && widths.empty()) keys.integer("width", width, units, "w: units of every hidden layer");
  if (circular()) keys.integer("kernel", kernel, units, "ŵ: width of the convolutions' kernels");
}

void DeepOptions::describe_logistic(spec::Keys& keys) {
  if (!logistic()) return;
  spec::Range sharpness = spec::positive();
  sharpness.infinity_too = true;
  sharpness.expected = "a positive number or inf";
  keys.number("beta", beta, sharpness, "β: sharpness of the gates (1+ε)/(1+e^(−βq)); inf: 1(q ≥ 0)");
  if (std::isfinite(beta)) keys.number("epsilon", epsilon, spec::at_least(0), "ε: a gate ends at 1+ε");
}

std::vector<std::int64_t> DeepOptions::hidden() const {
  if (circular()) return {};
  if (convolutional() || !widths.empty()) return widths;
  return std::vector<std::int64_t>(static_cast<std::size_t>(depth - 1), width);
}

}  // namespace sluice::net

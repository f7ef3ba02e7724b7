#include "sluice/net/options.hpp"

#include <array>
#include <cmath>
#include <filesystem>

#include "sluice/net/activation.hpp"
#include "sluice/net/formula_unit.hpp"

namespace sluice::net {
namespace {

constexpr std::array<spec::Choice, 1> kThisKind{{{"two-layer", "ŷ = Σ_k a_k σ(⟨w_k,x⟩ + b_k) + c"}}};
constexpr std::array<spec::Choice, 2> kBiases{
    {{"none", "no biases"}, {"learned", "are trained, from 0 unless bias_init says otherwise"}}};
constexpr std::array<spec::Choice, 2> kReadouts{
    {{"mean", "the mean over units, fixed: a_k = 1/K, c = 0"}, {"learned", "a and c are trained"}}};
constexpr std::array<spec::Choice, 2> kBiasLaws{
    {{"zero", "all at 0"}, {"split", "a share of the units at −size, the others at +size"}}};
constexpr std::array<spec::Choice, 2> kReadoutLaws{
    {{"mean", "a_k = 1/K: training starts at the mean readout"},
     {"normal", "independent normals, sd = std"}}};
constexpr std::array<spec::Choice, 2> kOthers{
    {{"required", "the file must have them, under the names that record.npz gives them"},
     {"fresh", "they start as without a file"}}};
constexpr std::array<spec::Choice, 7> kLaws{{
    {"xavier-normal", "independent normals, sd = scale·√(2/(K+n))"},
    {"normal", "independent normals, sd = std"},
    {"basis", "unit k sees one site, evenly spread"},
    {"bump", "a Gaussian bump, centres evenly spread"},
    {"gabor", "a bump times a cosine, centres evenly spread"},
    {"file", "from an npy or npz file, such as a record: weights, and every other part that is learned"},
    {"zero", "all weights 0"},
}};

}  // namespace

spec::Range frequencies() { return spec::numbers(0, 1e9); }

void InitOptions::describe(spec::Keys& keys) {
  keys.choice("law", law, kLaws, "law of the initial weights");
  if (law == "xavier-normal") keys.number("scale", scale, spec::positive(), "factor on the sd √(2/(K+n))");
  if (law == "xavier-normal") keys.flag("truncated", truncated, "cut at 2 sd and rescaled, as JAX's is");
  const bool localized = law == "bump" || law == "gabor";
  if (localized || law == "basis") keys.number("norm", norm, spec::positive(), "length √Σw² of every field");
  if (localized) keys.number("width", width, spec::positive(), "sd of the envelope, in sites");
  if (law == "gabor")
    keys.number("frequency", frequency, frequencies(), "cycles of the carrier around the ring");
  if (law == "normal") keys.number("std", std, spec::positive(), "standard deviation");
  if (law == "file") {
    keys.text("path", path, "npy or npz file or the folder of a run, relative to the spec");
    keys.text("array", array, "name of the weights in an npz file; empty: its only array, or weights");
    keys.integer("index", index, spec::integers(-1'000'000'000, 1'000'000'000),
                 "entry of a time-first [T,K,n] array; -1: the last");
    keys.require(!path.empty(), "path", "the path of an npy or npz file, or of a run's folder");
  }
  if (localized || law == "basis" || law == "file")
    keys.number("noise", noise, spec::at_least(0), "sd of independent normals added to every weight");
}

void InitOptions::describe_others(spec::Keys& keys) {
  if (law == "file")
    keys.choice("others", others, kOthers,
                "learned parts that an npz file lacks: bias, readout, offset, pathway");
}

bool InitOptions::from_many() const {
  return law == "file" && std::filesystem::path(path).extension() != ".npy";
}

void BiasInitOptions::describe(spec::Keys& keys) {
  keys.choice("law", law, kBiasLaws, "law of the initial biases");
  if (law != "split") return;
  keys.number("size", size, spec::positive(), "|b| of every unit");
  keys.number("share", share, spec::numbers(0, 1), "of the units, the first ones, that start at −size");
}

void ReadoutInitOptions::describe(spec::Keys& keys) {
  keys.choice("law", law, kReadoutLaws, "law of the initial readout a; the offset c starts at 0");
  if (law == "normal")
    keys.number("std", std, spec::at_least(0), "standard deviation of a_k, not scaled by K");
}

void TwoLayerOptions::describe(spec::Keys& keys) {
  keys.required_choice("kind", kind, kThisKind, "what is trained");
  describe_layers(keys);
}

void TwoLayerOptions::describe_layers(spec::Keys& keys) {
  keys.integer("hidden", hidden, spec::integers(1, 1'000'000), "K, number of hidden units");
  keys.word_or_text("activation", activation, activation_choices(), complaint_about_unit,
                    "a formula of h, \"h*erf(h)\"", "σ of the hidden units");
  if (activation == "soft-relu") keys.number("beta", beta, spec::positive(), "sharpness β of the soft gate");
  keys.word_or_number("bias", bias, kBiases, spec::any_number(), "biases: none, learned, or a fixed number");
  keys.choice("readout", readout, kReadouts,
              "how hidden units make the output: their mean, or Σ a_k σ(h_k) + c with a, c trained");
  keys.number("pathway", pathway, spec::at_least(0),
              "strength s of a linear pathway beside the units, + s⟨v,x⟩ with v trained from 0; 0: none");
  keys.section("init", "initial weights", [this](spec::Keys& inner) {
    init.describe(inner);
    if (learns_others()) init.describe_others(inner);
  });
  if (learns_bias())
    keys.section("bias_init", "initial biases", [this](spec::Keys& inner) { bias_init.describe(inner); });
  if (learns_readout())
    keys.section("readout_init", "initial readout",
                 [this](spec::Keys& inner) { readout_init.describe(inner); });
}

double TwoLayerOptions::initial_bias(std::int64_t unit) const {
  if (const double* fixed = std::get_if<double>(&bias)) return *fixed;
  if (!learns_bias() || bias_init.law == "zero") return 0;
  return static_cast<double>(unit) < std::round(bias_init.share * static_cast<double>(hidden))
             ? -bias_init.size
             : bias_init.size;
}

}  // namespace sluice::net

#include "sluice/theory/quantity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sluice/file/errors.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/initial_loss.hpp"
#include "sluice/theory/sampling.hpp"

namespace sluice::theory {
namespace {

Request request(const task::Section& task, const net::Section& network, std::vector<Vector> weights) {
  const std::size_t units = weights.size();
  return {task, network, 0, std::move(weights), std::vector<double>(units, 0.0), ""};
}

TEST(Quantity, SpectrumOfTheLongClassIsTheSheets) {
  const task::Section task("gaussian");
  const net::Section network;
  const Table table = quantity("spectrum").table(request(task, network, {}));
  ASSERT_EQ(table.rows.size(), 40U);
  EXPECT_NEAR(table.rows[0][1], 3.5449077018, 1e-10);  // K.6
  EXPECT_NEAR(table.rows[20][1], 0.0003667078, 1e-10);
}

TEST(Quantity, ResponseOfOneSiteIsTheSheets) {
  const task::Section task("nlgp");
  const net::Section network;
  const Table table = quantity("response").table(request(task, network, {unit(40, 0)}));
  EXPECT_NEAR(table.rows[0][0], 0.4788775947, 1e-10);  // K.3
  EXPECT_NEAR(table.rows[0][1], 0.3075978322, 1e-10);  // K.4
}

TEST(Quantity, ResponseSaysWhereNothingExactIsKnown) {
  const task::Section task("nlgp");
  const net::Section network;
  EXPECT_THROW(quantity("response").table(request(task, network, {trial_weights(40, 1)})), InputError);
  Request approximate = request(task, network, {trial_weights(40, 1)});
  approximate.response = "mean-field";
  EXPECT_EQ(quantity("response").table(approximate).rows.size(), 1U);
}

TEST(Quantity, PairResponseOfAUnitWithItselfIsHalfTheCovariance) {  // N0.14
  const task::Section task("gaussian");
  const net::Section network;
  const Vector w = trial_weights(40, 1);
  const Table table = quantity("pair-response").table(request(task, network, {w, trial_weights(40, 2)}));
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.labels[1], "units 0, 1");
  const Vector half = 0.5 * (latent_covariance(40, 2) * w);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(table.rows[0][i], half[i], 1e-12);
}

// Two routes: the network formula of D.3 with one unit, and C.2 with a response that is closed.
TEST(Quantity, InitialLossOfOneUnitHasTwoRoutes) {
  const task::Section task("gaussian");
  const net::Section network;
  const Vector w = 0.3 * trial_weights(40, 1);
  const double loss = quantity("initial-loss").table(request(task, network, {w})).rows[0][0];
  const Ring one = latent_covariance(40, 2);
  const Ring zero = latent_covariance(40, 1);
  const double absolute = std::sqrt(2 / std::numbers::pi * form(w, one, w));
  EXPECT_NEAR(loss, 0.25 + form(w, one + zero, w) / 8 - absolute / 4, 1e-12);
}

TEST(Quantity, ModeMapIsWhereTheFlowEnds) {  // N0.c6, the sheet's numbers are from integrating the flow
  const task::Section task("gaussian");
  const net::Section network;
  const Table table = quantity("mode-map").table(request(task, network, {}));
  ASSERT_EQ(table.rows.size(), 36U * 36U);
  const auto at = [&](double one, double two) {
    return *std::ranges::find_if(table.rows, [&](const auto& row) { return row[0] == one && row[1] == two; });
  };
  EXPECT_EQ(at(2, 1)[2], 0);
  EXPECT_NEAR(at(2, 1)[3], 0.282508, 5e-7);
  EXPECT_EQ(at(1, 2)[2], 20);
  EXPECT_NEAR(at(1, 2)[3], 1.45344, 5e-6);
  EXPECT_EQ(at(3, 2)[2], 0);
  EXPECT_NEAR(at(3, 2)[3], 0.20761, 5e-6);
  for (const auto& row : table.rows) {
    if (row[0] > 3.3 && row[1] > 3.3) continue;  // see mode_map.hpp
    if (row[0] == row[1]) {
      EXPECT_TRUE(std::isnan(row[2]) && std::isnan(row[3])) << row[0];
      EXPECT_NEAR(row[4], 0.25 - 1 / (8 * std::numbers::pi), 1e-9);  // r = 1
    } else if (row[0] > row[1]) {
      EXPECT_EQ(row[2], 0) << row[0] << " " << row[1];
    } else if (row[0] <= 3.3) {
      EXPECT_EQ(row[2], 20) << row[0] << " " << row[1];
    }
  }
}

TEST(Quantity, ModeMapAgreesWithSteadyStates) {
  const task::Section task("gaussian");
  const net::Section network;
  const Table states = quantity("steady-states").table(request(task, network, {trial_weights(40, 1)}));
  for (const auto& row : quantity("mode-map").table(request(task, network, {})).rows) {
    if (row[0] != 2 || row[1] != 1) continue;  // the lengths of the default task
    EXPECT_EQ(row[2], states.rows[0][0]);
    EXPECT_NEAR(row[3], states.rows[0][2], 1e-12);
    EXPECT_NEAR(row[4], states.rows[0][3], 1e-12);
  }
}

TEST(Quantity, BasisIsAllModesOfTheRingByFrequency) {  // A.2
  const task::Section task("gaussian");
  const net::Section network;
  const Table table = quantity("basis").table(request(task, network, {}));
  ASSERT_EQ(table.columns.size(), 41U);
  ASSERT_EQ(table.rows.size(), 40U);
  const double flat = 1 / std::sqrt(40.0);
  const double wave = std::sqrt(2.0 / 40);
  for (std::size_t i = 0; i < 40; ++i) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(i) / 40;
    EXPECT_NEAR(table.rows[i][1], flat, 1e-14);
    for (std::size_t k = 1; k < 20; ++k) {
      const double angle = static_cast<double>(k) * turn;
      EXPECT_NEAR(table.rows[i][2 * k], wave * std::cos(angle), 1e-13);
      EXPECT_NEAR(table.rows[i][2 * k + 1], wave * std::sin(angle), 1e-13);
    }
    EXPECT_NEAR(table.rows[i][40], i % 2 == 0 ? flat : -flat, 1e-14);
  }
}

/// What a quantity says of one unit without bias, of labels 1 and 0 and of even classes, it does not say of others.
TEST(Quantity, LossesAreRefusedWhereTheSpecIsNotWhatTheyAreOf) {
  const auto refusal = [](const std::string& name, const task::Section& task,
                          const net::TwoLayerOptions& layers) {
    net::Section network("two-layer");
    dynamic_cast<net::TwoLayerFamily&>(network.options()).layers = layers;
    const Request asked{task, network, 0, {trial_weights(8, 1)}, {layers.initial_bias(0)}, ""};
    try {
      quantity(name).table(asked);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto ring = [](const char* kind, const task::Classes& classes) -> task::Section {
    if (kind == std::string("gaussian")) {
      auto options = std::make_unique<task::GaussianOptions>();
      options->n = 8;
      options->classes = classes;
      return {kind, std::move(options)};
    }
    auto options = std::make_unique<task::NlgpOptions>();
    options->n = 8;
    options->classes = classes;
    return {kind, std::move(options)};
  };
  const net::TwoLayerOptions plain{.hidden = 1};
  const task::Classes others{.labels = {2, 0}}, uneven{.balance = 0.9};
  for (const char* name : {"start-loss", "landscape", "flow-error", "modulation"}) {
    EXPECT_EQ(refusal(name, ring("nlgp", others), plain),
              name + std::string(": task.labels: expected [1, 0]"));
    EXPECT_EQ(refusal(name, ring("nlgp", uneven), plain),
              name + std::string(": task.balance = 0.9: expected 0.5"));
  }
  const task::Section even = ring("gaussian", {});
  EXPECT_EQ(refusal("advantage", ring("gaussian", others), plain), "advantage: task.labels: expected [1, 0]");
  EXPECT_EQ(refusal("steady-states", ring("gaussian", others), plain), "") << "they follow labels";
  for (const char* name : {"advantage", "steady-states"}) {
    EXPECT_EQ(refusal(name, even, plain), "");
    EXPECT_EQ(refusal(name, ring("gaussian", uneven), plain),
              name + std::string(": task.balance = 0.9: expected 0.5"));
    EXPECT_EQ(refusal(name, even, {.hidden = 1, .bias = -3.0}),
              name + std::string(": network.bias: expected \"none\""));
  }
  EXPECT_EQ(refusal("steady-states", even, {.hidden = 1, .readout = "learned"}),
            "steady-states: network.readout = \"learned\": expected \"mean\"");
  EXPECT_EQ(refusal("steady-states", even, {.hidden = 1, .pathway = 1}),
            "steady-states: network.pathway = 1: expected 0");
  EXPECT_EQ(refusal("steady-states", even, {.hidden = 1, .activation = "erf"}),
            "steady-states: network.activation = \"erf\": expected \"relu\"");
  const task::Section one_and_zero = ring("nlgp", {}), signs = ring("nlgp", {.labels = {1, -1}});
  EXPECT_EQ(refusal("start-loss", one_and_zero, {.hidden = 1, .bias = -0.5}),
            "start-loss: network.bias: expected \"none\"");
  EXPECT_EQ(refusal("start-loss", one_and_zero, {.hidden = 1, .activation = "erf"}),
            "start-loss: task.labels: expected [1, -1]");
  EXPECT_EQ(refusal("start-loss", signs, {.hidden = 1, .activation = "erf"}), "");
  // Where training begins these are as without.
  EXPECT_EQ(refusal("start-loss", one_and_zero,
                    {.hidden = 1, .bias = "learned", .readout = "learned", .pathway = 1}),
            "");
}

TEST(Quantity, LandscapeIsForNlgp) {
  const task::Section task("gaussian");
  const net::Section network;
  EXPECT_THROW(quantity("landscape").table(request(task, network, {})), InputError);
  EXPECT_THROW(quantity("modulation").table(request(task, network, {})), InputError);
}

task::Section small_ring(double gain = 3) {
  auto options = std::make_unique<task::NlgpOptions>();
  options->n = 16;
  options->gain = gain;
  return {"nlgp", std::move(options)};
}

TEST(Quantity, MarginsOfABumpAreThoseOfItsSites) {
  const task::Section task = small_ring();
  const net::Section network;
  const Table table = quantity("margins").table(request(task, network, {}));
  const std::size_t delta = 3, tail = 4, relaxation = 5;
  ASSERT_EQ(table.columns[delta], "bump: δ");
  const double beside = std::exp(-1.0 / 8);  // exp(−d²/2s²), s = 2, two sites of each distance
  EXPECT_EQ(table.rows[0][delta], 0);        // log₁₀ 1
  EXPECT_NEAR(table.rows[1][delta], std::log10(1 - beside), 1e-12);
  EXPECT_NEAR(table.rows[1][relaxation], std::log10(1 - beside), 1e-12);
  EXPECT_NEAR(table.rows[2][delta], std::log10(2 * beside - 1), 1e-12);
  EXPECT_TRUE(std::isnan(table.rows[2][relaxation])) << "0 as soon as three sides close a triangle";
  double others = std::exp(-8.0);  // n/2 away there is but one site
  for (int d = 1; d < 8; ++d) others += 2 * std::exp(-d * d / 8.0);
  EXPECT_NEAR(table.rows[0][tail], std::log10(others), 1e-12);
}

TEST(Quantity, CubeGatesOfFewBumpsAreKnown) {
  const task::Section task = small_ring(kSigns);
  const net::Section network;
  const Vector balanced = unit(16, 3) + unit(16, 9);
  const Table table =
      quantity("cube-gates")
          .table(request(task, network, {unit(16, 3), balanced, 3.0 * unit(16, 3) - unit(16, 9)}));
  EXPECT_EQ(table.rows[0], std::vector<double>(9, 1.0));
  EXPECT_EQ(table.rows[2], (std::vector<double>{2, 2, 2, 1, 1, 1, 1, 1, 100.0 / 82}));
  std::vector<double> tied = table.rows[1];
  EXPECT_NEAR(tied[4], 0.75, 4 * 0.25 / std::sqrt(20'000.0)) << "by half where the two sites differ";
  tied[4] = 0.75;
  EXPECT_EQ(tied, (std::vector<double>{2, 0, 0, 2, 0.75, 2, 2, 2, 2}));
}

TEST(Quantity, ChowParametersOfOneSiteAreTwiceItsResponse) {
  const task::Section task = small_ring();
  const net::Section network;
  const Table table = quantity("chow").table(request(task, network, {unit(16, 0)}));
  EXPECT_EQ(table.rows[0][2], 1);
  for (std::size_t j = 1; j < 16; ++j) EXPECT_EQ(table.rows[j][2], 0);
  const double next = 2 * 0.3075978322;  // K.4, gain 3
  EXPECT_NEAR(table.rows[1][3], next, 4 * table.rows[1][4]);
  EXPECT_LT(table.rows[1][4], 0.01 * next);
}

TEST(Quantity, BumpsTendToTheHypercube) {
  const task::Section task = small_ring();
  const net::Section network;
  const Table table = quantity("bumps").table(request(task, network, {}));
  const std::vector<double>& signs = table.rows.back();
  for (std::size_t c = 1; c < signs.size(); c += 3)
    EXPECT_NEAR(signs[c], signs[c + 2], 4.5 * signs[c + 1]) << table.columns[c];
  const auto at = [&](double gain) {
    return *std::ranges::find_if(table.rows, [gain](const auto& row) { return row[0] == gain; });
  };
  for (const std::size_t c : {1U, 4U})  // e_0 and e_0 + e_4, whose closed form is that of the gain
    EXPECT_NEAR(at(1)[c], at(1)[c + 2], 4.5 * at(1)[c + 1]) << table.columns[c];
  EXPECT_GT(at(100)[6] - signs[6], 0.05) << "balanced bumps do not, on smooth data";  // N1.9
}

bool has_mean_field(const task::Section& task) {
  try {
    return flow::make_operator("mean-field", task, 1) != nullptr;
  } catch (const InputError&) {
    return false;
  }
}

TEST(Quantity, EveryKindOfTaskHasAnOperatorOrSaysWhichToChoose) {
  for (const spec::Choice& kind : task::kinds_on_sites()) {
    if (kind.name == "dataset") continue;  // needs a file
    const task::Section task{std::string(kind.name)};
    EXPECT_NE(flow::make_operator("gaussian", task, 0), nullptr) << kind.name;
    if (kind.name == "norta" || kind.name == "teacher") {
      EXPECT_THROW(flow::make_operator("", task, 0), InputError);
      EXPECT_EQ(kind.name == "norta", has_mean_field(task));
    } else {
      EXPECT_NE(flow::make_operator("", task, 1), nullptr) << kind.name;
    }
  }
}

}  // namespace
}  // namespace sluice::theory

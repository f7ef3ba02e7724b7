#include "sluice/theory/quantity.hpp"

#include <gtest/gtest.h>

#include "sluice/file/errors.hpp"
#include "sluice/theory/initial_loss.hpp"
#include "sluice/theory/operators.hpp"
#include "sluice/theory/sampling.hpp"

namespace sluice::theory {
namespace {

Request request(const task::Section& task, const net::TwoLayerOptions& network, std::vector<Vector> weights) {
  const std::size_t units = weights.size();
  return {task, network, 0, std::move(weights), std::vector<double>(units, 0.0), ""};
}

TEST(Quantity, SpectrumOfTheLongClassIsTheSheets) {
  const task::Section task("gaussian");
  const net::TwoLayerOptions network;
  const Table table = quantity("spectrum").table(request(task, network, {}));
  ASSERT_EQ(table.rows.size(), 40U);
  EXPECT_NEAR(table.rows[0][1], 3.5449077018, 1e-10);  // K.6
  EXPECT_NEAR(table.rows[20][1], 0.0003667078, 1e-10);
}

TEST(Quantity, ResponseOfOneSiteIsTheSheets) {
  const task::Section task("nlgp");
  const net::TwoLayerOptions network;
  const Table table = quantity("response").table(request(task, network, {unit(40, 0)}));
  EXPECT_NEAR(table.rows[0][0], 0.4788775947, 1e-10);  // K.3
  EXPECT_NEAR(table.rows[0][1], 0.3075978322, 1e-10);  // K.4
}

TEST(Quantity, ResponseSaysWhereNothingExactIsKnown) {
  const task::Section task("nlgp");
  const net::TwoLayerOptions network;
  EXPECT_THROW(quantity("response").table(request(task, network, {trial_weights(40, 1)})), InputError);
  Request approximate = request(task, network, {trial_weights(40, 1)});
  approximate.response = "mean-field";
  EXPECT_EQ(quantity("response").table(approximate).rows.size(), 1U);
}

TEST(Quantity, PairResponseOfAUnitWithItselfIsHalfTheCovariance) {  // N0.14
  const task::Section task("gaussian");
  const net::TwoLayerOptions network;
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
  const net::TwoLayerOptions network;
  const Vector w = 0.3 * trial_weights(40, 1);
  const double loss = quantity("initial-loss").table(request(task, network, {w})).rows[0][0];
  const Ring one = latent_covariance(40, 2);
  const Ring zero = latent_covariance(40, 1);
  const double absolute = std::sqrt(2 / std::numbers::pi * form(w, one, w));
  EXPECT_NEAR(loss, 0.25 + form(w, one + zero, w) / 8 - absolute / 4, 1e-12);
}

bool has_mean_field(const task::Section& task) {
  try {
    return make_operator("mean-field", task, 1) != nullptr;
  } catch (const InputError&) {
    return false;
  }
}

TEST(Quantity, EveryKindOfTaskHasAnOperatorOrSaysWhichToChoose) {
  for (const spec::Choice& kind : task::kinds()) {
    if (kind.name == "dataset") continue;  // needs a file
    const task::Section task{std::string(kind.name)};
    EXPECT_NE(make_operator("gaussian", task, 0), nullptr) << kind.name;
    if (kind.name == "norta" || kind.name == "teacher") {
      EXPECT_THROW(make_operator("", task, 0), InputError);
      EXPECT_EQ(kind.name == "norta", has_mean_field(task));
    } else {
      EXPECT_NE(make_operator("", task, 1), nullptr) << kind.name;
    }
  }
}

}  // namespace
}  // namespace sluice::theory

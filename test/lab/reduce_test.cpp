// A trained network of two populations, and what is left of it as two filters.
#include "sluice/lab/reduce.hpp"

#include <gtest/gtest.h>

#include "sluice/file/errors.hpp"
#include "sluice/lab/run.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

std::string spec_of(const std::string& activation, const std::string& bias) {
  return "[task]\nkind = \"nlgp\"\nn = 20\ngain = 3.0\nxi = [2.0, 1.0]\nlabels = [1.0, -1.0]\n"
         "[network]\nkind = \"two-layer\"\nhidden = 24\nactivation = \"" +
         activation + "\"\nbias = " + bias +
         "\n[dynamics]\nkind = \"sgd\"\nrate = 4.8\nbatch = 200\nsteps = 1500\n"
         "[probe]\nevery = 500\nsamples = 500\nwatch = [\"loss\"]\n";
}

Recorded trained(const test::TempFolder& folder, const std::string& activation, const std::string& bias) {
  RunOptions options;
  options.out = folder / activation;
  run(parse_spec(spec_of(activation, bias), "test"), "test", options);
  return read_run(options.out);
}

TEST(Reduce, KeepsWhatTilesKeep) {
  const test::TempFolder folder;
  math::Workers workers(2);
  const ReducedRun run = reduce(trained(folder, "erf", "\"learned\""), {.samples = 4000}, workers);
  EXPECT_EQ(run.negative.units + run.positive.units, 24);
  ASSERT_EQ(run.models.size(), theory::kReductions.size());
  const ReducedModel& full = run.models.front();
  EXPECT_DOUBLE_EQ(full.correlation, 1);
  EXPECT_EQ(full.difference, 0);
  // The record's own loss is measured on other samples of the same law: 500 of them, each loss at most 2.
  const auto recorded = trained(folder, "tanh", "\"learned\"");
  const ReducedRun other = reduce(read_run(folder / "tanh"), {.samples = 4000}, workers);
  const double loss = *recorded.recording.summary.find("loss");
  EXPECT_NEAR(other.models.front().loss, loss, 4 * 0.5 / std::sqrt(500));
  for (const ReducedRun* each : {&run, &other}) {
    const auto model = [&](theory::Reduction reduction) {
      return each->models[static_cast<std::size_t>(reduction)];
    };
    EXPECT_GT(model(theory::Reduction::biases).correlation, model(theory::Reduction::tiled).correlation);
    EXPECT_LT(model(theory::Reduction::tiled).difference,
              model(theory::Reduction::tiled_as_printed).difference + 1e-12);
    EXPECT_LT(model(theory::Reduction::folded).difference,
              model(theory::Reduction::folded_as_printed).difference);
  }
  EXPECT_NE(reduce_page({run}).find("two filters"), std::string::npos);
  EXPECT_EQ(reduce_table({run, other}).rows.size(), 12);
}

TEST(Reduce, SaysWhatItCannotReduce) {
  const test::TempFolder folder;
  math::Workers workers(1);
  try {
    reduce(trained(folder, "relu", "\"learned\""), {}, workers);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), (folder / "relu" / "spec.toml").string() +
                                             ": network.activation = \"relu\": expected \"erf\", \"sigmoid\" "
                                             "or \"tanh\", whose pairs of opposite units fold");
  }
}

}  // namespace
}  // namespace sluice::lab

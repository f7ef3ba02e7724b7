// Frozen gates: a run whose gates stand still is its own frozen network; another is not, and the solution is that of a gated linear run.
#include "sluice/lab/freeze.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sluice/file/errors.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/simulation.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

constexpr const char* kGaussian = "kind = \"gaussian\"\nn = 12\nxi = [2.0, 1.0]";
constexpr const char* kFlow = "kind = \"flow\"\nrate = 0.1\ntolerance = 1e-9";

std::string spec_of(const std::string& task, const std::string& network, const std::string& dynamics,
                    int steps = 200) {
  return fmt::format(
      "seed = 3\n[task]\n{}\n[network]\n{}\n[dynamics]\n{}\nsteps = {}\n[probe]\nevery = 10\nsamples = "
      "2000\n",
      task, network, dynamics, steps);
}

Recorded run_of(const std::string& spec) {
  return {simulate(parse_spec(spec, "test"), "test", 2), parse_spec(spec, "test")};
}

FrozenRun frozen(const std::string& spec, const FreezeOptions& options = {}) {
  math::Workers workers(2);
  return freeze(run_of(spec), options, workers);
}

/// Along the constant wave, which Gaussian data leave alone (an eigenvector of both covariances), units grow and never turn: their gates
/// are those of the start, and the solution has to find the end of the integrated flow from every step. K = 2: a factor of K that is
/// missing anywhere would move the end by tens of per cent.
TEST(Freeze, ARunThatNeverTurnsIsItsFrozenNetwork) {
  const FrozenRun run = frozen(spec_of(
      kGaussian, "kind = \"two-layer\"\nhidden = 2\ninit = { law = \"bump\", width = 1e7, norm = 0.05 }",
      kFlow));
  ASSERT_EQ(run.moments, "closed");
  ASSERT_GE(run.freezes.size(), 8U);
  const Freeze& first = run.freezes.front();
  ASSERT_EQ(first.step, 0);
  ASSERT_GT(first.solved.of_end / first.solved.of_way, 0.5) << "the run has to go a long way";
  for (const Freeze& freeze : run.freezes) {
    EXPECT_LT(freeze.solved.of_end, 2e-6) << freeze.step;  // weights are recorded as float32
    EXPECT_EQ(freeze.error, 0) << "closed moments have none";
    EXPECT_FALSE(freeze.replayed) << "a flow has no batches";
    EXPECT_LT(freeze.flips, 1e-3) << freeze.step;
    EXPECT_NEAR(freeze.loss, run.loss, 1e-6) << freeze.step;
  }
  EXPECT_EQ(run.from(&Miss::of_end, 0.01), 0);
}

TEST(Freeze, NothingIsLeftToBeWrongAboutAtTheEnd) {
  const FrozenRun run =
      frozen(spec_of("kind = \"nlgp\"\nn = 8\ngain = 3.0", "kind = \"two-layer\"\nhidden = 3",
                     "kind = \"sgd\"\nrate = 0.5\nbatch = 100", 50),
             {.count = 4, .samples = 4000});
  EXPECT_EQ(run.moments, "sampled");
  EXPECT_GE(run.samples, 4000);
  const Freeze& last = run.freezes.back();
  EXPECT_EQ(last.step, 50);
  EXPECT_EQ(last.time, 25);
  EXPECT_LT(last.solved.distance, 1e-12);
  EXPECT_EQ(last.replayed.value().distance, 0);
  EXPECT_TRUE(std::isnan(last.solved.of_way));
  EXPECT_LT(last.error, 1e-12);
  EXPECT_EQ(last.flips, 0);
  EXPECT_NEAR(last.loss, run.loss, 1e-6) << "there a ReLU network is its gated linear one";
  EXPECT_GT(run.freezes.front().error, 0);
}

/// Two sites and w along their sum on fully correlated data: gates see one sign, which never changes. Trained on the same batches the
/// frozen network is the run, whatever the noise; the solution, which has none, is not.
TEST(Freeze, AReplayHasTheNoiseOfTheRun) {
  const FrozenRun run =
      frozen(spec_of("kind = \"gaussian\"\nn = 2\nxi = [1e4, 1e4]",
                     "kind = \"two-layer\"\nhidden = 2\ninit = { law = \"bump\", width = 1e4, norm = 0.3 }",
                     "kind = \"sgd\"\nrate = 0.2\nbatch = 4", 100));
  const Freeze& first = run.freezes.front();
  ASSERT_EQ(first.flips, 0);
  ASSERT_GT(first.solved.of_way, 0.01) << "four samples a step are noise";
  EXPECT_LT(first.replayed.value().of_way, 1e-5);  // float32 in two orders of addition
}

/// The same by the road of specs: gates of the run at a step, its weights as the start, dynamics.kind = "exact".
TEST(Freeze, IsTheGatedLinearRunFromThatStep) {
  const test::TempFolder folder;
  const std::string relu = spec_of(
      kGaussian, "kind = \"two-layer\"\nhidden = 3\ninit = { law = \"xavier-normal\", scale = 0.3 }", kFlow);
  run(parse_spec(relu, "test"), "relu", {.out = folder / "relu", .threads = 2});
  math::Workers workers(2);
  const FrozenRun frozen = freeze(read_run(folder / "relu"), {.at = {0, 50, 200}}, workers);
  ASSERT_EQ(frozen.freezes.size(), 3U);
  const record::Recording record = record::read_recording(folder / "relu");
  const std::vector<float>& weights = file::find(record.arrays, "weights")->as<float>();
  const std::size_t size = 36;
  for (const std::size_t entry : {0U, 5U}) {
    const std::string path = (folder / "relu/record.npz").string();
    const record::Recording gated = simulate(
        parse_spec(
            spec_of(kGaussian,
                    fmt::format("kind = \"gated-linear\"\nhidden = 3\ngate = {{ law = \"run\", path = "
                                "\"{}\", step = {} }}\n"
                                "init = {{ law = \"file\", path = \"{}\", array = \"weights\", index = {} }}",
                                (folder / "relu").string(), 10 * entry, path, entry),
                    "kind = \"exact\"\nrate = 0.1", static_cast<int>(200 - 10 * entry)),
            "test"),
        "test", 2);
    const std::vector<float>& ends = file::find(gated.arrays, "weights")->as<float>();
    double square = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double off =
          static_cast<double>(ends[ends.size() - size + i]) - weights[weights.size() - size + i];
      square += off * off;
    }
    const Freeze& freeze = frozen.freezes[entry == 0 ? 0 : 1];
    ASSERT_GT(freeze.solved.distance, 1e-3) << "its gates turn: this test can fail";
    EXPECT_NEAR(freeze.solved.distance, std::sqrt(square), 1e-5 * freeze.solved.distance + 1e-6) << entry;
  }
  EXPECT_GT(frozen.freezes[0].solved.of_end, frozen.freezes[1].solved.of_end) << "the later, the nearer";
  EXPECT_GT(frozen.freezes[0].flips, frozen.freezes[1].flips);
}

TEST(Freeze, StepsAreDenserTowardsBothEnds) {
  const std::string spec =
      spec_of("kind = \"gaussian\"\nn = 4", "kind = \"two-layer\"\nhidden = 1", kFlow, 1000);
  std::vector<std::int64_t> steps;
  for (const Freeze& freeze : frozen(spec, {.count = 9}).freezes) steps.push_back(freeze.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 10, 70, 500, 930, 990, 1000}));
}

TEST(Freeze, RefusesWhatIsNoGatedLinearNetworkBetweenFlips) {
  const std::string relu = "kind = \"two-layer\"\nhidden = 2", sgd = "kind = \"sgd\"\nrate = 0.1\nbatch = 10";
  struct Case {
    std::string network, dynamics, says;
  };
  for (const Case& each :
       {Case{relu + "\nactivation = \"erf\"", sgd, "network.activation = \"erf\": expected \"relu\""},
        Case{relu + "\nbias = \"learned\"", sgd, "network.bias = \"learned\": expected \"none\""},
        Case{relu + "\nbias = 0.5", sgd, "network.bias = \"0.5\": expected \"none\""},
        Case{relu + "\nreadout = \"learned\"", sgd, "network.readout = \"learned\": expected \"mean\""},
        Case{relu + "\npathway = 0.5", sgd, "network.pathway = \"0.5\": expected 0"},
        Case{relu, "kind = \"momentum\"\nrate = 0.1\nbatch = 10",
             "dynamics.kind = \"momentum\": expected \"sgd\" or \"flow\""},
        Case{relu, sgd + "\nloss = \"l1\"", "dynamics.loss = \"l1\": expected \"half-squared\""},
        Case{"kind = \"gated-linear\"\nhidden = 2", sgd,
             "network.kind = \"gated-linear\": expected \"two-layer\""}}) {
    try {
      frozen(spec_of("kind = \"gaussian\"\nn = 4", each.network, each.dynamics, 20));
      ADD_FAILURE() << each.says;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("test: " + each.says), std::string::npos) << error.what();
    }
  }
  try {
    frozen(spec_of("kind = \"gaussian\"\nn = 4", relu, sgd, 20), {.at = {10, 15}});
    ADD_FAILURE() << "a step that was not recorded";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("test: step 15: expected a recorded one, such as 10"),
              std::string::npos)
        << error.what();
  }
}

TEST(Freeze, FindsFromWhenOnAShareStaysBelow) {
  FrozenRun run{.steps = 40};
  for (const auto& [step, share] : {std::pair{0, 0.5}, {10, 0.05}, {20, 0.2}, {30, 0.09}, {40, 0.0}})
    run.freezes.push_back({.step = step, .solved = {.of_end = share}});
  EXPECT_EQ(run.from(&Miss::of_end, 0.1), 30) << "not 10: it rises again";
  EXPECT_EQ(run.from(&Miss::of_end, 0.6), 0);
  EXPECT_EQ(run.from(&Miss::of_end, 0.01), std::nullopt) << "the end itself does not count";
}

TEST(Freeze, ItsTableCsvJsonAndPageHoldTheSameRows) {
  FrozenRun run{.label = "gain = 3, seed = 1",
                .condition = "gain = 3",
                .units = 2,
                .steps = 20,
                .moments = "closed",
                .loss = 0.125};
  run.freezes.push_back({.step = 0,
                         .solved = {.of_way = 0.5, .of_end = 0.25},
                         .replayed = Miss{1, 0.5, 0.25},
                         .loss = 0.25,
                         .flips = 0.1});
  run.freezes.push_back({.step = 20, .time = 2, .solved = {.of_way = std::nan("")}, .loss = 0.125});
  EXPECT_EQ(freeze_table({run}).rows.size(), 2U);
  FrozenRun seed = run, other = run;
  seed.freezes[0].solved.of_way = 0.6;
  other.condition = "gain = 0.01";
  const figure::ReportTable table = freeze_table({run, other, seed});
  EXPECT_EQ(table.header.front(), "runs");
  ASSERT_EQ(table.rows.size(), 4U) << "seeds share a row";
  EXPECT_EQ(table.rows[0][0], "gain = 3");
  EXPECT_EQ(table.rows[0][3], "55 ± 7.1");
  EXPECT_EQ(
      freeze_csv({run}),
      "run,step,time,solved_distance,solved_of_way,solved_of_end,error,replayed_distance,replayed_of_way,"
      "replayed_of_end,loss_frozen,loss_relu,flips\n"
      "\"gain = 3, seed = 1\",0,0,0,0.5,0.25,0,1,0.5,0.25,0.25,0.125,0.1\n"
      "\"gain = 3, seed = 1\",20,2,0,nan,0,0,,,,0.125,0.125,0\n");
  EXPECT_NE(to_json({run}).dump(0).find("\"flips\""), std::string::npos);
  const std::string page = freeze_page({run});
  for (const char* part : {"From when on is a ReLU network a gated linear one?", "solved, % of way",
                           "within 10 % of w(end) from step", "<svg"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace sluice::lab

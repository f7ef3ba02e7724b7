#include "test/family/perceptron.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sluice/file/npz.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/run.hpp"
#include "test/support/gradient.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice {
namespace {

TEST(Perceptron, HasTheGradientOfItsOutputs) {
  test::expect_gradient(*net::PerceptronFamily{}.make({.inputs = 7}), 5);
}

lab::Source small(std::vector<std::string> more = {}) {
  std::vector<std::string> assignments{"network={kind=\"perceptron\"}",
                                       "task.n=12",
                                       "dynamics.steps=60",
                                       "dynamics.rate=0.1",
                                       "dynamics.batch=200",
                                       "probe.every=20",
                                       "probe.samples=200",
                                       "probe.watch=[\"power\"]"};
  assignments.insert(assignments.end(), more.begin(), more.end());
  return {.name_or_file = "localization", .assignments = std::move(assignments)};
}

/// One line in the registry, and the family is trained, recorded, resumed, probed, drawn and reported.
TEST(Perceptron, GoesTheWayOfEveryNetwork) {
  const test::TempFolder folder;
  const lab::Outcome whole = lab::run(lab::load(small()), "whole", {.out = folder / "whole", .threads = 2});
  EXPECT_EQ(whole.ending, lab::Ending::finished);
  const file::NamedArrays record = file::read_npz(folder / "whole/record.npz");
  EXPECT_EQ(file::find(record, "weights")->shape, (file::Shape{4, 1, 12}));
  EXPECT_EQ(file::find(record, "bias")->shape, (file::Shape{4, 1}));
  EXPECT_EQ(file::find(record, "power")->shape, (file::Shape{4, 1, 7}));
  const std::vector<double>& loss = file::find(record, "loss")->as<double>();
  EXPECT_LT(loss.back(), loss.front()) << "nothing was learned";

  int asked = 0;
  lab::run(lab::load(small()), "stopped",
           {.out = folder / "stopped", .stop_requested = [&] { return ++asked > 30; }});
  lab::run(lab::load(small()), "stopped",
           {.out = folder / "stopped", .existing = record::Existing::resume, .threads = 3});
  EXPECT_EQ(file::read_npz(folder / "stopped/record.npz"), record);

  std::vector<lab::Recorded> runs = lab::read_runs(folder / "whole");
  lab::write_run_page(folder / "again.html", runs.front());
  EXPECT_TRUE(std::filesystem::exists(folder / "whole/figures/receptive_fields.svg"));
}

}  // namespace
}  // namespace sluice

/// sluice probe and sluice figure, as a user would: on runs, on sweeps, on files of other programs.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/probe/probe.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

const std::vector<std::string> kSmallRun{"run",   "localization",      "--set",  "dynamics.steps=20",
                                         "--set", "network.hidden=12", "--set",  "probe.every=10",
                                         "--set", "probe.samples=200", "--quiet"};

void run_in(const test::TempFolder& folder, const std::string& out, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = kSmallRun;
  arguments.insert(arguments.end(), {"--out", out});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const test::Said said = test::sluice(arguments, folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
}

/// Bumps of width 2, unit k at site 5k, on 40 sites.
template <class Real>
std::vector<Real> bumps(std::int64_t times, std::int64_t units) {
  std::vector<Real> w;
  for (std::int64_t row = 0; row < times * units; ++row)
    for (int i = 0; i < 40; ++i) {
      const double d = std::remainder(i - 5.0 * static_cast<double>(row % units), 40.0);
      w.push_back(static_cast<Real>(std::exp(-d * d / 8)));
    }
  return w;
}

TEST(ProbeVerb, MeasuresARunAfterwardsAsTheRunWouldHave) {
  const test::TempFolder folder;
  run_in(folder, "r",
         {"--set",
          "probe.watch=[\"ipr\",\"gabor_width\",\"power\",\"sign_flips\",\"preactivation_kurtosis\",\"weight_"
          "sign_"
          "changes\"]"});
  const test::Said said = test::sluice({"probe", "r"}, folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("3 times, 12 units, 40 sites"), std::string::npos) << said.out;
  const file::NamedArrays live = file::read_npz(folder / "r/record.npz");
  const file::NamedArrays later = file::read_npz(folder / "r/probes.npz");
  for (const char* name : {"step", "ipr", "gabor_width", "power", "sign_flips", "preactivation_kurtosis",
                           "weight_sign_changes"}) {
    ASSERT_NE(file::find(later, name), nullptr) << name;
    EXPECT_EQ(*file::find(later, name), *file::find(live, name)) << name;
  }
  EXPECT_EQ(*file::find(live, "sign_flips"), *file::find(live, "weight_sign_changes")) << "two names of one";
  EXPECT_EQ(file::find(later, "power")->shape, (file::Shape{3, 12, 21}));
  // A new record makes old probes stale.
  run_in(folder, "r", {"--overwrite"});
  EXPECT_FALSE(std::filesystem::exists(folder / "r/probes.npz"));
}

TEST(ProbeVerb, MeasuresWeightsOfAnotherProgram) {
  const test::TempFolder folder;
  file::write_npz(folder / "theirs.npz",
                  {{"W", {{2, 8, 40}, bumps<double>(2, 8)}},
                   {"final", {{8, 40}, bumps<float>(1, 8)}},
                   {"data", {{16, 40}, bumps<float>(2, 8)}}},
                  file::Packing::compressed);
  const test::Said said = test::sluice({"probe", "theirs.npz", "position", "gabor_centre",
                                        "preactivation_kurtosis", "--weights", "W", "--inputs", "data"},
                                       folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  const file::NamedArrays probes = file::read_npz(folder / "theirs.probes.npz");
  EXPECT_EQ(file::find(probes, "step")->as<std::int64_t>(), (std::vector<std::int64_t>{0, 1}));
  for (std::size_t k = 1; k < 8; ++k) {
    EXPECT_NEAR(file::find(probes, "position")->as<float>()[8 + k], 5.0 * static_cast<double>(k), 1e-3);
    EXPECT_NEAR(file::find(probes, "gabor_centre")->as<float>()[8 + k], 5.0 * static_cast<double>(k), 0.05);
  }
  const test::Said flat =
      test::sluice({"probe", "theirs.npz", "--weights", "final", "--out", "p.npz", "--json"}, folder.path());
  ASSERT_EQ(flat.code, 0) << flat.err;
  const auto json = nlohmann::json::parse(flat.out);
  EXPECT_EQ(json["times"], 1);
  EXPECT_NEAR(json["probes"]["nearest_unit_similarity"]["end"].get<double>(), 1, 1e-4);
  EXPECT_EQ(json["probes"]["class"]["end"], 2);  // a clean bump, although its IPR is 0.14 < 8/40
  const test::Said self = test::sluice({"probe", "theirs.npz", "reference_distance", "--weights", "W",
                                        "--reference", "only.npy", "--out", "d.npz"},
                                       folder.path());
  EXPECT_EQ(self.code, 2);
  file::write_npy(folder / "only.npy", {{8, 40}, bumps<float>(1, 8)});
  const test::Said same = test::sluice({"probe", "theirs.npz", "reference_distance", "--weights", "W",
                                        "--reference", "only.npy", "--out", "d.npz"},
                                       folder.path());
  ASSERT_EQ(same.code, 0) << same.err;
  const file::NamedArrays distances = file::read_npz(folder / "d.npz");
  for (const float distance : file::find(distances, "reference_distance")->as<float>())
    EXPECT_NEAR(distance, 0, 1e-6);
}

TEST(ProbeVerb, WrongInputIsOneLineAndExitCodeTwo) {
  const test::TempFolder folder;
  run_in(folder, "r");
  file::write_npz(folder / "f.npz",
                  {{"W", {{2, 8, 40}, bumps<float>(2, 8)}},
                   {"line", {{40}, std::vector<float>(40)}},
                   {"whole", {{2, 3}, std::vector<std::int64_t>(6)}},
                   {"empty", {{0, 4}, std::vector<float>{}}}},
                  file::Packing::stored);
  file::write_npz(
      folder / "steps.npz",
      {{"weights", {{2, 8, 40}, bumps<float>(2, 8)}}, {"step", {{3}, std::vector<std::int64_t>{0, 1, 2}}}},
      file::Packing::stored);
  file::write_npz(folder / "bias.npz",
                  {{"weights", {{2, 8, 40}, bumps<float>(2, 8)}}, {"bias", {{8, 2}, std::vector<float>(16)}}},
                  file::Packing::stored);
  std::ofstream(folder / "text.npz") << "hello";
  struct Case {
    std::vector<std::string> arguments;
    std::string says;
  };
  const std::vector<Case> cases{
      {{"probe", "nowhere"}, "nowhere"},
      {{"probe", "text.npz"}, "text.npz: not a complete npz archive"},
      {{"probe", "f.npz"}, "f.npz: no array 'weights'; it has W [2, 8, 40], line [40]"},
      {{"probe", "f.npz", "--weights", "line"},
       "f.npz: line: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], found [40]"},
      {{"probe", "f.npz", "--weights", "whole"}, "found integers [2, 3]"},
      {{"probe", "f.npz", "--weights", "empty"}, "found [0, 4]"},
      {{"probe", "steps.npz"},
       "steps.npz: step: expected [2] increasing integers, as weights has times, found [3]"},
      {{"probe", "bias.npz"},
       "bias.npz: bias: expected floats [2, 8], as weights has times and units, found [8, 2]"},
      {{"probe", "f.npz", "gabor_widht", "--weights", "W"},
       "gabor_widht: no such probe; did you mean 'gabor_width'?"},
      {{"probe", "f.npz", "preactivation_kurtosis", "--weights", "W"}, "preactivation_kurtosis needs inputs"},
      {{"probe", "f.npz", "--weights", "W", "--inputs", "line"},
       "line: expected floats [N, 40], as weights has sites, found [40]"},
      {{"probe", "f.npz", "bias_norm", "--weights", "W"}, "bias_norm needs biases"},
      {{"probe", "r", "loss"}, "loss is seen by running experiments alone: name it in probe.watch"},
      {{"probe", "r", "reference_distance"}, "reference_distance needs another record"},
      {{"probe", "r", "--reference", "f.npz"}, "f.npz: no array 'weights'"},
      {{"probe", "r", "--reference", "steps.npz"}, "steps.npz: step: expected"},
      {{"probe", "r", "--reference", "bias.npz"}, "bias.npz: bias: expected"},
      {{"probe", "r", "--out", "p.txt"}, "expected a file ending in .npz"},
      {{"probe", "r", "--out", "f.npz"}, "f.npz: exists; overwrite it, or choose another file"},
      {{"probe"}, "expected RUN"},
      {{"figure", "r", "unit_mpa"}, "unit_mpa: no such figure; did you mean 'unit_map'?"},
      {{"figure", "r", "phase_diagram"}, "phase_diagram is a figure of sweeps"},
      {{"figure", "r", "flow_comparison"},
       "flow_comparison needs a run with probe.watch = [\"flow_weights\"]"},
      {{"figure", "r", "kinds", "--out", "k.gif"}, "expected a file ending in .svg, .pdf or .png"},
      {{"figure", "r", "kinds", "--out", "k.svg", "--format", "pdf"}, "expected the ending .pdf of --format"},
      {{"figure", "r", "--out", "k.svg"}, "expected the NAME of one figure"},
      {{"run", "localization", "--out", "n", "--set", "probe.watch=[\"reference_distance\"]"},
       "is measured after a run"},
      {{"run", "localization", "--out", "n", "--set", "task.dim=2", "--set", "probe.watch=[\"position\"]"},
       "probe.watch: position needs sites on a ring"},
  };
  for (const Case& each : cases) {
    const test::Said said = test::sluice(each.arguments, folder.path());
    SCOPED_TRACE(each.says);
    EXPECT_EQ(said.code, 2);
    EXPECT_NE(said.err.find(each.says), std::string::npos) << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    EXPECT_EQ(said.out, "");
  }
}

TEST(FigureVerb, DrawsTheSameBytesAsTheRunDidFromItsFolderAlone) {
  const test::TempFolder folder;
  run_in(folder, "r");
  const std::string drawn_by_the_run = file::read_text(folder / "r/figures/learning.svg");
  for (const char* left : {"r/report.html", "r/metrics.csv", "r/run.json"})
    std::filesystem::remove(folder / left);
  std::filesystem::remove_all(folder / "r/figures");
  const test::Said all = test::sluice({"figure", "r"}, folder.path());
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(file::read_text(folder / "r/figures/learning.svg"), drawn_by_the_run);
  const test::Said listed = test::sluice({"figure", "r", "--list"}, folder.path());
  EXPECT_NE(listed.out.find("gabor_fits"), std::string::npos);
  EXPECT_EQ(listed.out.find("phase_diagram"), std::string::npos);
  for (const char* name : {"spectra.svg", "kinds.svg", "gabor_fits.svg", "unit_map.svg", "time_map.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "r" / "figures" / name)) << name;
  ASSERT_EQ(test::sluice({"figure", "r", "spectra", "--format", "pdf"}, folder.path()).code, 0);
  EXPECT_TRUE(file::read_text(folder / "r/figures/spectra.pdf").starts_with("%PDF"));
}

// On a ring power is over frequencies, of all units; in a plane over wave vectors, beside some units' fields.
TEST(FigureVerb, SpectraOfATorusAreOverWaveVectors) {
  const test::TempFolder folder;
  run_in(folder, "ring");
  run_in(folder, "torus", {"--set", "task.dim=2", "--set", "task.n=8"});
  const auto spectra = [&](const char* run) {
    return test::sluice({"figure", run, "spectra", "--units", "2,0", "--out", std::string(run) + ".svg"},
                        folder.path());
  };
  EXPECT_EQ(spectra("ring").err, "sluice: spectra: does not choose units\n");
  const test::Said drawn = spectra("torus");
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("periods across and up the torus"), std::string::npos) << drawn.out;
  EXPECT_NE(drawn.out.find("Final weights of 2 units, as asked for"), std::string::npos) << drawn.out;
  const test::Said listed = test::sluice({"figure", "torus", "--list"}, folder.path());
  EXPECT_NE(listed.out.find("\nspectra "), std::string::npos) << listed.out;
  for (const char* ending : {"pdf", "png"})
    EXPECT_EQ(test::sluice({"figure", "torus", "spectra", "--format", ending}, folder.path()).code, 0);
}

TEST(FigureVerb, DrawsSweepsAndFilesOfOtherPrograms) {
  const test::TempFolder folder;
  std::vector<std::string> sweep = kSmallRun;
  sweep.front() = "sweep";
  sweep.insert(sweep.end(), {"--over", "task.gain=1,3", "--over", "task.xi=[2,1],[3,1]", "--over", "seed=1,2",
                             "--out", "s"});
  ASSERT_EQ(test::sluice(sweep, folder.path()).code, 0);
  for (const char* name : {"comparison", "phase_diagram", "seeds"}) {
    const std::string out = std::string(name) + ".png";
    const test::Said said = test::sluice({"figure", "s", name, "--out", out}, folder.path());
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(file::read_text(folder / out).starts_with("\x89PNG")) << name;
  }
  file::write_npz(folder / "w.npz", {{"weights", {{2, 8, 40}, bumps<double>(2, 8)}}}, file::Packing::stored);
  const test::Said said = test::sluice({"figure", "w.npz", "unit_map", "--out", "w.svg"}, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
}

TEST(Docs, EveryProbeAndEveryFigureHasItsPlace) {
  const auto mentions = [](const std::string& page, const std::string& before, std::string_view name,
                           const std::string& after) {
    std::string text = before;
    text.append(name).append(after);
    return page.find(text) != std::string::npos;
  };
  const std::string probes = file::read_text(PROJECT_FOLDER "/docs/probes.md");
  for (const probe::Probe& probe : probe::probes())
    EXPECT_TRUE(mentions(probes, "`", probe.choice.name, "`")) << probe.choice.name;
  const std::string gallery = file::read_text(PROJECT_FOLDER "/docs/gallery.md");
  for (const spec::Choice& figure : lab::figure_choices())
    EXPECT_TRUE(mentions(gallery, "images/gallery/", figure.name, ".png")) << figure.name;
}

}  // namespace
}  // namespace sluice

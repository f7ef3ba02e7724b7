// Fields that are the kernels of convolutions: recorded over all sites, shown as what they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sluice/figure/run_data.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/run_figures.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using test::TempFolder;

/// `samples` photographs of side × side pixels in three colours, of two classes.
void write_photographs(const std::filesystem::path& file, std::int64_t samples, std::int64_t side) {
  std::vector<float> x, y;
  for (std::int64_t s = 0; s < samples; ++s) {
    y.push_back(static_cast<float>(s % 2));
    for (std::int64_t i = 0; i < 3 * side * side; ++i)
      x.push_back(static_cast<float>((i * 7 + s * 13) % 11) / 11 + (s % 2 == 0 ? 0.0F : 0.3F));
  }
  file::write_npz(file, {{"x", {{samples, 3, side, side}, x}}, {"y", {{samples}, y}}}, file::Packing::stored);
}

/// A convolution of the example, changed by assignments.
Source example(std::vector<std::string> assignments) {
  assignments.insert(assignments.end(), {"dynamics.steps=4", "probe.every=2", "probe.samples=100"});
  return {.name_or_file = TEST_FOLDER "/../docs/examples/convolutions.toml",
          .assignments = std::move(assignments)};
}
Source on_photographs(const std::filesystem::path& file, std::vector<std::string> more = {}) {
  std::vector<std::string> all{fmt::format("task={{kind=\"dataset\",path=\"{}\"}}", file.string()),
                               "network.padding=zero",
                               "network.channels=[4,2]",
                               "network.ending=flatten",
                               "network.widths=[3]",
                               "dynamics.batch=full"};
  all.insert(all.end(), more.begin(), more.end());
  return example(std::move(all));
}
Recorded made(const std::filesystem::path& out, const Source& source) {
  run(load(source), "test", {.out = out});
  return read_run(out);
}

/// The run of a folder as the page has it.
nlohmann::json page_of(const std::filesystem::path& folder) {
  return nlohmann::json::parse(live_report(read_runs(folder), {}).data)["runs"][0];
}

std::string why_not(const Source& source) {
  try {
    const Setup setup(load(source));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(KernelFields, InColourAreDrawnAsTheKernelsOfTheFirstLayer) {
  const TempFolder folder;
  write_photographs(folder / "p.npz", 12, 8);
  const Recorded run = made(folder / "r", on_photographs(folder / "p.npz"));
  EXPECT_EQ(run.recording.layout.kernel, (net::Patch{.top = 2, .left = 2, .rows = 3, .columns = 3}));

  const figure::RunData data("r", run.arrays(), run.recording.layout);
  const figure::RunView& view = data.view();
  EXPECT_EQ(view.sites, 27);
  EXPECT_EQ(view.columns, 3);
  EXPECT_EQ(view.rows(), 3);
  EXPECT_EQ(view.channels, 3);
  const std::vector<float>& layer = file::find(run.arrays(), "layer1")->as<float>();  // [o, row, column, c]
  for (std::size_t o = 0; o < 4; ++o) {
    for (std::size_t pixel = 0; pixel < 9; ++pixel) {
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_EQ(view.field(view.times() - 1, o)[c * 9 + pixel], layer[(o * 9 + pixel) * 3 + c]);
    }
  }
  const nlohmann::json page = page_of(folder / "r");
  EXPECT_EQ(page["side"], 3);
  EXPECT_EQ(page["sites"], 27);
  EXPECT_EQ(page["channels"], 3);
  // The record keeps them over all sites, for what is measured on samples.
  EXPECT_EQ(file::find(run.arrays(), "weights")->shape, (file::Shape{3, 4, 192}));
  EXPECT_NE(draw_figure({folder / "r"}, "receptive_fields").caption.find("Kernels of the first layer"),
            std::string::npos);
}

/// A kernel is small by construction: that it is localized would be said of every one.
TEST(KernelFields, AreNotSaidToBeLocalized) {
  const TempFolder folder;
  const Recorded torus = made(folder / "t", example({"task.samples=60"}));
  const Recorded ring =
      made(folder / "r", example({"task.samples=60", "task.from={kind=\"nlgp\",n=20,gain=3.0}"}));
  for (const Recorded* run : {&torus, &ring}) {
    EXPECT_FALSE(run->recording.layout.has_places());
    for (const record::Number& number : run->recording.summary.numbers())
      EXPECT_NE(number.kind->key, "localized_share");
    const figure::RunData data("r", run->arrays(), run->recording.layout);
    EXPECT_TRUE(data.view().localized.empty());
  }
  EXPECT_EQ(figure::RunData("r", ring.arrays(), ring.recording.layout).view().sites, 3);
  EXPECT_EQ(figure::RunData("r", ring.arrays(), ring.recording.layout).view().columns, 0) << "a line";
  const nlohmann::json page = page_of(folder / "t");
  EXPECT_EQ(page["side"], 3);
  EXPECT_EQ(page["sites"], 9);
  EXPECT_TRUE(page["fields"].contains("weights"));
  EXPECT_FALSE(page.contains("localized"));
  EXPECT_THROW(draw_figure({folder / "r"}, "kinds"), InputError);

  // Of a dense layer on the same torus it is said.
  const Recorded dense = made(folder / "d", example({"task.samples=60", "network={kind=\"deep-gated\"}"}));
  EXPECT_TRUE(dense.recording.layout.has_places());
  EXPECT_FALSE(figure::RunData("d", dense.arrays(), dense.recording.layout).view().localized.empty());
  EXPECT_TRUE(page_of(folder / "d").contains("localized"));
}

TEST(KernelFields, AreRefusedByProbesOfPlaces) {
  EXPECT_EQ(why_not(example({"probe.watch=[\"localized\"]"})),
            "probe.watch: localized needs fields over all sites, found kernels of 3 × 3: localized by "
            "construction");
  EXPECT_EQ(why_not(example({"probe.watch=[\"ipr\",\"position_x\"]"})), "");
}

/// The network of experiments 6 and 7 of document 004: nothing of it is made before it is refused.
TEST(LargeNetworks, AreRefusedWhereTheirProbesWouldNotFit) {
  const TempFolder folder;
  write_photographs(folder / "p.npz", 6, 32);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"network.channels=[64,64,128,128]", "network.widths=[256,256]",
                             "network.ending=average", "network.beta=4"});
    return on_photographs(folder / "p.npz", std::move(more));
  };
  EXPECT_EQ(why_not(with({"probe.watch=[\"active_gates\",\"tangent_trace\"]"})), "") << "of six samples";
  const std::string line = why_not(with({"probe.watch=[\"sensitive_gates\"]"}));
  EXPECT_EQ(line.find("probe.watch: sensitive_gates needs "), 0U) << line;
  EXPECT_NE(line.find(" GiB, expected at most "), std::string::npos) << line;
  EXPECT_NE(line.find("leave it out, or take fewer units"), std::string::npos) << line;
}

TEST(LargeNetworks, SayHowManySamplesTheirKernelsHave) {
  const TempFolder folder;
  write_photographs(folder / "p.npz", 4000, 8);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"network.channels=[1000,1000]", "dynamics.batch=10"});
    return on_photographs(folder / "p.npz", std::move(more));
  };
  const std::string line = why_not(with({"probe.watch=[\"tangent_trace\"]", "probe.kernel_samples=4000"}));
  EXPECT_EQ(line.find("probe.watch: tangent_trace needs "), 0U) << line;
  EXPECT_NE(line.find("lower probe.kernel_samples = 4000"), std::string::npos) << line;
  try {
    kernel_matrix(load(with({})), {.kind = "tangent"});
    ADD_FAILURE() << "a kernel of more than a hundred GiB";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("samples = 4000: the kernel needs "), 0U) << error.what();
  }
}

}  // namespace
}  // namespace sluice::lab

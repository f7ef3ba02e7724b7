// Runs whose parts were given by the program around the library: here, by this test.
#include "sluice/lab/functions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/net/gates.hpp"
#include "sluice/probe/given.hpp"
#include "sluice/task/function.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using test::TempFolder;

std::string mark(char digit) { return std::string(64, digit); }

/// Normal inputs with a bump of one class; stops after so many calls where that is asked for.
task::GivenSamples::Kept give_bumps(std::atomic<int>* left = nullptr) {
  return task::GivenSamples::give(
      mark('1'), [left](const math::Address& first, int which_class, std::span<float> x, std::span<float>) {
        if (left != nullptr && --*left < 0) throw Stopped();
        math::RowNumbers numbers(first, static_cast<std::uint32_t>(which_class));
        for (float& value : x) value = static_cast<float>(numbers.normal());
        if (which_class == 0)
          for (std::size_t i = 0; i < x.size(); i += 10) x[i] += 1;
      });
}

probe::GivenProbes::Kept give_sum() {
  return probe::GivenProbes::give(
      mark('2'), {.measure = [](const probe::Snapshot& now) {
        double sum = 0;
        for (const float w : now.weights) sum += w;
        return file::Array{{2}, std::vector<double>{sum, static_cast<double>(now.step)}};
      }});
}

Source given_source(const std::vector<std::string>& more = {}) {
  std::vector<std::string> assignments{
      fmt::format("task={{kind=\"function\",n=10,source=\"{}\"}}", mark('1')),
      "network.hidden=4",
      "dynamics.steps=40",
      "dynamics.batch=200",
      "probe.every=10",
      "probe.samples=200",
      fmt::format("probe.functions=sum={}", mark('2'))};
  assignments.insert(assignments.end(), more.begin(), more.end());
  return {.name_or_file = "localization", .assignments = assignments};
}

TEST(Functions, AreWrittenDownAndRunAsAnyOtherPart) {
  const auto samples = give_bumps();
  const auto sum = give_sum();
  const record::Recording run = simulate(load(given_source()), "given", 2);
  EXPECT_EQ(run.status, "finished");
  const std::map<std::string, std::string> expected{{"task", mark('1')}, {"probe.sum", mark('2')}};
  EXPECT_EQ(run.functions, expected);
  EXPECT_EQ(functions_of(parse_spec(run.spec, "spec")), expected);
  const file::Array* seen = file::find(run.arrays, "sum");
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(seen->shape, (file::Shape{5, 2}));
  EXPECT_EQ(run.axes.at("sum"), (std::vector<std::string>{"step", "axis1"}));
  EXPECT_EQ(seen->as<double>()[9], 40);
  EXPECT_EQ(simulate(load(given_source()), "given", 1).arrays, run.arrays) << "whatever the threads";
  EXPECT_GT(*run.summary.find("accuracy"), 0.6) << "a bump is learned";
}

TEST(Functions, ARunWithoutThemSaysSo) {
  const auto sum = give_sum();
  const auto refused = [](const Source& source) {
    try {
      const lab::Setup setup(load(source));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(given_source()).find("task.source = \"111111111111…\""), std::string::npos);
  const auto samples = give_bumps();
  EXPECT_EQ(refused(given_source()), "");
  const std::string other = fmt::format("probe.functions=sum={}", mark('3'));
  EXPECT_NE(refused(given_source({other})).find("probe.functions: sum = \"333333333333…\""),
            std::string::npos);
  const std::string clash = fmt::format("probe.functions=loss={}", mark('2'));
  EXPECT_NE(refused(given_source({clash})).find("another name than loss"), std::string::npos);
  EXPECT_NE(refused(given_source({"probe.functions=sum"})).find("sum=SHA-256"), std::string::npos);
}

/// Asked to stop in the middle of a step, a run keeps what it measured, and goes on to the same bits.
TEST(Functions, MayStopARunBetweenTwoOfTheirCallsAndItGoesOnAsIfNothingHadBeen) {
  const TempFolder folder;
  const auto sum = give_sum();
  const auto run_into = [&](const char* name, record::Existing existing) {
    return run(load(given_source()), "given", {.out = folder / name, .existing = existing, .threads = 2});
  };
  {
    const auto samples = give_bumps();
    EXPECT_EQ(run_into("whole", record::Existing::refuse).ending, Ending::finished);
  }
  for (const int calls : {7, 60, 97, 131, 170}) {  // in the first look, in steps and in looks
    std::atomic<int> left = calls;
    const auto samples = give_bumps(&left);
    const std::string name = fmt::format("stopped{}", calls);
    try {
      EXPECT_EQ(run_into(name.c_str(), record::Existing::refuse).ending, Ending::interrupted) << calls;
    } catch (const Stopped&) {
      EXPECT_EQ(calls, 7) << "only where there is nothing to show";
    }
    left = 1 << 30;
    EXPECT_EQ(run_into(name.c_str(), record::Existing::resume).ending, Ending::finished) << calls;
    EXPECT_EQ(file::read_text(folder / name / "record.npz"), file::read_text(folder / "whole/record.npz"))
        << calls;
  }
}

TEST(Functions, GatesAreThoseOfTheFormulaThatSaysTheSame) {
  const auto gates = net::GivenGates::give(
      mark('4'), [](std::int64_t samples, std::span<const float> x, std::span<float> open) {
        const std::size_t n = x.size() / static_cast<std::size_t>(samples),
                          units = open.size() / static_cast<std::size_t>(samples);
        for (std::size_t r = 0; r < static_cast<std::size_t>(samples); ++r)
          for (std::size_t k = 0; k < units; ++k)
            open[r * units + k] = x[r * n + k * n / units] >= 0 ? 1.0F : 0.0F;
      });
  const auto run_with = [](const std::string& gate, const std::string& kind) {
    return simulate(load({.name_or_file = "neural-race",
                          .assignments = {"task.n=13", "network.hidden=4", "network.gate=" + gate,
                                          "dynamics.steps=30", "probe.every=10", "probe.samples=200",
                                          "probe.watch=[\"loss\"]", "dynamics.kind=" + kind}}),
                    "gates", 2);
  };
  const std::string own = fmt::format("{{law=\"function\",source=\"{}\"}}", mark('4'));
  const record::Recording trained = run_with(own, "sgd");
  EXPECT_EQ(trained.functions, (std::map<std::string, std::string>{{"network.gate", mark('4')}}));
  EXPECT_EQ(*file::find(trained.arrays, "weights"),
            *file::find(run_with("{law=\"bump\"}", "sgd").arrays, "weights"));
  // Exact solutions: both have moments sampled at the same addresses. On 13 sites no shift turns one of four gates into the next.
  EXPECT_EQ(*file::find(run_with(own, "exact").arrays, "weights"),
            *file::find(run_with("{law=\"bump\",shape=\"q > 0\"}", "exact").arrays, "weights"));
}

/// Open gates of a function are those of a deep linear network, in every layer and whatever cuts the batch.
TEST(GivenGates, OfDeepNetworksAreThoseOfAllLayers) {
  std::size_t units = 0;
  const auto open = net::GivenGates::give(
      mark('5'), [&](std::int64_t samples, std::span<const float>, std::span<float> gates) {
        units = gates.size() / static_cast<std::size_t>(samples);
        std::ranges::fill(gates, 1.0F);
      });
  const auto run_with = [](const std::vector<std::string>& gates) {
    Source source{.name_or_file = "localization",
                  .assignments = {"task.n=10", "network={kind=\"deep-gated\",widths=[3,5,4]}",
                                  "dynamics.steps=5", "dynamics.batch=100", "dynamics.rate=0.001",
                                  "probe.samples=100", "probe.watch=[\"loss\"]"}};
    source.assignments.insert(source.assignments.end(), gates.begin(), gates.end());
    return simulate(load(source), "gates", 1);
  };
  const record::Recording given =
      run_with({"network.gates=\"function\"", fmt::format("network.gate_source=\"{}\"", mark('5'))});
  const record::Recording linear = run_with({"network.gates=\"open\""});
  EXPECT_EQ(units, 12U);
  EXPECT_EQ(given.functions, (std::map<std::string, std::string>{{"network.gate", mark('5')}}));
  for (const char* part : {"layer1", "layer3", "layer4"})
    EXPECT_TRUE(file::find(given.arrays, part)->shape == file::find(linear.arrays, part)->shape) << part;
  // Not the same bits: the law of the start counts on half of the gates of a function. With one start they are.
  const std::string law = "network.init={law=\"he-normal\"}";
  EXPECT_EQ(*file::find(run_with({"network.gates=\"function\"", law,
                                  fmt::format("network.gate_source=\"{}\"", mark('5'))})
                            .arrays,
                        "layer1"),
            *file::find(run_with({"network.gates=\"open\"", law}).arrays, "layer1"));
  EXPECT_THROW(run_with({"network.gates=\"function\"", fmt::format("network.gate_source=\"{}\"", mark('6'))}),
               InputError);
}

}  // namespace
}  // namespace sluice::lab

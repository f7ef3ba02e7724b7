#include "sluice/figure/page_data.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "sample_run.hpp"

namespace sluice::figure {
namespace {

using testing::SampleRun;

/// An independent way back: digits to bits to bytes.
std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6 | static_cast<unsigned>(digits.find(c))) & 0xFFFF;
    count += 6;
    if (count >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return out;
}

template <class T>
std::vector<T> unpacked(const nlohmann::json& packed, std::size_t count) {
  const std::string bytes = from_base64(packed.get<std::string>());
  std::vector<T> values(count);
  uLongf size = count * sizeof(T);
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(values.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  EXPECT_EQ(size, count * sizeof(T));
  return values;
}

file::NamedArrays record_of(const SampleRun& run) {
  const auto times = static_cast<std::int64_t>(run.step.size());
  return {{"step", {{times}, run.step}},
          {"weights", {{times, run.units, run.sites}, run.weights}},
          {"bias", {{times, run.units}, std::vector<float>(run.ipr.size(), 0.5F)}},
          {"loss", {{times}, run.loss}},
          {"ipr", {{times, run.units}, run.ipr}}};
}

nlohmann::json page_of(const file::NamedArrays& record, std::size_t budget = 7'000'000) {
  const PageRun run{.label = "sample", .facts = {{"loss", "0.1"}}, .spec = "seed = 1\n", .record = &record};
  return nlohmann::json::parse(page_data(std::span(&run, 1), budget))["runs"][0];
}

RC_GTEST_PROP(PageData, AFieldIsOffByLessThanHalfAPixel, (std::vector<std::int16_t> field)) {
  std::vector<float> weights(field.begin(), field.end());
  for (float& w : weights) w *= 1e-3F;
  const QuantisedField quantum = quantised(weights);
  constexpr double kHeight = 250;  // pixels of the largest curve the viewer draws, from −s to s
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double back = quantum.levels[i] * static_cast<double>(quantum.scale) / 127;
    const double pixels = std::abs(back - weights[i]) / (2.0 * quantum.scale) * kHeight;
    RC_ASSERT(quantum.scale == 0 || pixels <= 0.5);
  }
}

TEST(PageData, WhatIsNotFiniteIsMissingAndDoesNotSpoilTheRest) {
  const QuantisedField field = quantised(std::vector<float>{1.0F, testing::nan_f, -2.0F});
  EXPECT_EQ(field.scale, 2.0F);
  EXPECT_EQ(field.levels, (std::vector<std::int8_t>{64, -128, -127}));
  const QuantisedNumbers numbers = quantised_numbers(std::vector<double>{3.0, testing::nan_d, 5.0});
  EXPECT_EQ(numbers.levels, (std::vector<std::uint16_t>{0, 65535, 65534}));
}

RC_GTEST_PROP(PageData, ANumberIsOffByLessThanTheScreenPrints, (std::vector<std::int32_t> drawn)) {
  const std::vector<double> values(drawn.begin(), drawn.end());
  const QuantisedNumbers quantum = quantised_numbers(values);
  const double range = quantum.high - quantum.low;
  for (std::size_t i = 0; i < values.size(); ++i)
    RC_ASSERT(std::abs(quantum.low + range * quantum.levels[i] / 65534 - values[i]) <=
              range / 65534 / 2 * 1.0001);
}

TEST(PageData, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

RC_GTEST_PROP(PageData, ThinningKeepsTheEndsAndFits, ()) {
  const auto times = *rc::gen::inRange<std::size_t>(2, 3000);
  const auto units = *rc::gen::inRange<std::size_t>(1, 3000);
  const auto sites = *rc::gen::inRange<std::size_t>(1, 2000);
  const std::size_t numbers = 1'000'000;
  const Thinning shown = thinned(times, units, sites, numbers);
  RC_ASSERT(shown.times.size() * shown.units.size() * sites <= numbers);
  RC_ASSERT(shown.times.front() == 0 && shown.times.back() == times - 1);
  RC_ASSERT(shown.units.back() < units);
  for (const auto* rows : {&shown.times, &shown.units}) {
    std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
    for (std::size_t i = 1; i < rows->size(); ++i) {
      RC_ASSERT((*rows)[i] > (*rows)[i - 1]);
      least = std::min(least, (*rows)[i] - (*rows)[i - 1]);
      most = std::max(most, (*rows)[i] - (*rows)[i - 1]);
    }
    RC_ASSERT(rows->size() < 2 || most - least <= 1);  // evenly
  }
}

TEST(PageData, ARunOfOrdinarySizeIsShownWhole) {
  const Thinning shown = thinned(200, 300, 100, 7'000'000);
  EXPECT_EQ(shown.times.size(), 200U);
  EXPECT_EQ(shown.units.size(), 300U);
}

TEST(PageData, FieldsComeBack) {
  const SampleRun run(5, 12, 7);
  const nlohmann::json page = page_of(record_of(run));
  EXPECT_EQ(page["units"], 5);
  EXPECT_EQ(page["shown"]["step"], run.step);
  auto levels = unpacked<std::int8_t>(page["fields"]["weights"]["data"], run.weights.size());
  const auto scale = unpacked<float>(page["fields"]["weights"]["scale"], run.ipr.size());
  for (std::size_t i = 60; i < levels.size(); ++i)
    levels[i] = static_cast<std::int8_t>(levels[i] + levels[i - 60]);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double s = scale[i / 12];
    EXPECT_NEAR(levels[i] * s / 127, run.weights[i], s / 254 * 1.0001) << i;
  }
  const auto ipr = unpacked<std::uint16_t>(page["numbers"]["ipr"]["data"], run.ipr.size());
  const double low = page["numbers"]["ipr"]["low"], high = page["numbers"]["ipr"]["high"];
  for (std::size_t i = 0; i < ipr.size(); ++i)
    EXPECT_NEAR(low + (high - low) * ipr[i] / 65534, run.ipr[i], (high - low) / 65534 + 1e-6);
  double sum = 0;  // over all units, whatever population they are in
  for (const auto& band : page["bands"]["ipr"])
    sum += band["units"].get<double>() * band["mean"].back().get<double>();
  EXPECT_NEAR(sum, std::accumulate(run.ipr.end() - 5, run.ipr.end(), 0.0), 5e-6);
  EXPECT_EQ(page["curves"]["loss"].size(), run.loss.size());
}

TEST(PageData, EveryShownFieldIsLocalizedOrNot) {
  SampleRun run(4, 16, 3);
  for (std::size_t i = 0; i < 16; ++i) {  // unit 2 is a wave at the end; all are one at the start
    run.weights[(2 * 4 + 2) * 16 + i] = i % 2 == 0 ? 1.0F : -1.0F;
    for (std::size_t k = 0; k < 4; ++k) run.weights[k * 16 + i] = i % 4 < 2 ? 1.0F : -1.0F;
  }
  const file::NamedArrays record = record_of(run);
  const nlohmann::json page = page_of(record);
  EXPECT_EQ(unpacked<std::uint8_t>(page["localized"], 12),
            (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1}));
  for (const char* name : {"ipr", "norm", "bias"}) {
    ASSERT_EQ(page["bands"][name].size(), 2U) << name;
    EXPECT_EQ(page["bands"][name][0]["of"], "localized");
    EXPECT_EQ(page["bands"][name][0]["units"], 3);
    EXPECT_EQ(page["bands"][name][1]["of"], "not localized");
    EXPECT_EQ(page["bands"][name][1]["units"], 1);
  }
  EXPECT_NEAR(page["bands"]["ipr"][1]["mean"].back().get<double>(), 1 / 16.0, 1e-6);
  const PageRun elsewhere{.label = "pixels", .record = &record, .has_places = false};
  const auto other = nlohmann::json::parse(page_data(std::span(&elsewhere, 1)))["runs"][0];
  EXPECT_FALSE(other.contains("localized"));
  EXPECT_EQ(other["bands"]["ipr"].size(), 1U);
  EXPECT_EQ(other["bands"]["ipr"][0]["of"], "");
}

TEST(PageData, ARecordWithoutWeightsHasItsCurves) {
  SampleRun run(5, 12, 7);
  run.loss[3] = testing::nan_d;
  file::NamedArrays record = record_of(run);
  std::erase_if(record, [](const auto& named) { return named.second.shape.size() > 1; });
  const nlohmann::json page = page_of(record);
  EXPECT_FALSE(page.contains("units"));
  EXPECT_TRUE(page["fields"].empty());
  EXPECT_EQ(page["curves"]["loss"].size(), 7U);
  EXPECT_TRUE(page["curves"]["loss"][3].is_null());
}

TEST(PageData, NoiseIsThinnedUntilItFits) {
  SampleRun run(40, 50, 64);
  std::mt19937 bits(1);
  for (float& w : run.weights) w = static_cast<float>(bits()) / 4e9F - 0.5F;
  const file::NamedArrays record = record_of(run);
  const PageRun page{.label = "noise", .record = &record};
  const std::string whole = page_data(std::span(&page, 1), 7'000'000);
  const std::string thin = page_data(std::span(&page, 1), 100'000);
  EXPECT_GT(whole.size(), 128'000U) << "it would have fitted: this test cannot fail";
  EXPECT_LE(thin.size(), 100'000U);
  EXPECT_LT(nlohmann::json::parse(thin)["runs"][0]["shown"]["step"].size(), 64U);
}

TEST(PageData, CannotEndItsScriptElement) {
  const file::NamedArrays record = record_of(SampleRun(2, 4, 2));
  const PageRun run{.label = "</script><script>alert(1)</script>", .spec = "<!--", .record = &record};
  const std::string text = page_data(std::span(&run, 1));
  EXPECT_EQ(text.find('<'), text.npos);
  EXPECT_EQ(nlohmann::json::parse(text)["runs"][0]["label"], run.label);
}

TEST(PageData, SaysWhatSetsARunApartAndWhatItsArraysAre) {
  const file::NamedArrays record = record_of(SampleRun(3, 4, 5));
  const PageRun run{.label = "gain = 3, seed = 1",
                    .settings = {{"gain", "3"}, {"seed", "1"}},
                    .record = &record,
                    .evaluated_on = "test set",
                    .page_link = "gain=3,seed=1/report.html"};
  const auto page = nlohmann::json::parse(page_data(std::span(&run, 1)));
  EXPECT_EQ(page["runs"][0]["settings"], nlohmann::json::parse(R"([["gain", "3"], ["seed", "1"]])"));
  EXPECT_EQ(page["runs"][0]["on"], "test set");
  EXPECT_EQ(page["runs"][0]["page"], "gain=3,seed=1/report.html");
  EXPECT_EQ(page["meanings"]["loss"], "⟨½(ŷ-y)²⟩ over the evaluation set");
  EXPECT_FALSE(page.contains("live"));
  EXPECT_FALSE(page_of(record).contains("page")) << "a page of its own does not link to itself";
}

TEST(PageData, OfALiveRunSaysWhereNewerDataAre) {
  const file::NamedArrays record = record_of(SampleRun(3, 4, 5));
  const PageRun run{.label = "live", .record = &record};
  const auto page = nlohmann::json::parse(page_data(
      std::span(&run, 1), 6'000'000, Live{.url = "data.json?token=a", .every_ms = 500, .steps = 90}));
  EXPECT_EQ(
      page["live"],
      nlohmann::json::parse(R"({"url": "data.json?token=a", "every": 500, "steps": 90, "finished": false})"));
}

}  // namespace
}  // namespace sluice::figure

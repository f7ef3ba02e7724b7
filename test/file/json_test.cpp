#include "sluice/file/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::file {
namespace {

TEST(Json, IsWrittenInTheOrderOfItsMembers) {
  Json json{{"z", 1}, {"a", 0.5}, {"text", "\"quoted\"\n"}, {"yes", true}};
  json["list"] = std::vector<std::vector<double>>{{1.5}, {}};
  json["nothing"];
  EXPECT_EQ(json.dump(),
            R"({"z":1,"a":0.5,"text":"\"quoted\"\n","yes":true,"list":[[1.5],[]],"nothing":null})");
  EXPECT_EQ((Json{{"a", Json::array({1, "b"})}}).dump(1), "{\n \"a\": [\n  1,\n  \"b\"\n ]\n}");
}

TEST(Json, WritesWhatIsNoNumberAsNullAndReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json("a\xff").dump(), "\"a\uFFFD\"");
}

TEST(Json, IsReadAsItWasWritten) {
  const std::string text = R"({"b":[1,-2.5,true,null,"é"],"a":{"x":{}},"empty":[],"far":1e+300})";
  const std::optional<Json> json = Json::parse(text);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), text);
  const Json::Array& list = *json->find("b")->elements();
  EXPECT_EQ(*list[0].integer(), 1);
  EXPECT_EQ(list[0].number(), 1.0);
  EXPECT_EQ(list[1].number(), -2.5);
  EXPECT_EQ(list[1].integer(), nullptr);
  EXPECT_TRUE(*list[2].truth());
  EXPECT_FALSE(list[2].is_number());
  EXPECT_TRUE(list[3].is_null());
  EXPECT_EQ(*list[4].text(), "é");
}

TEST(Json, SaysWhatIsNotThere) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "nan"}) EXPECT_FALSE(Json::parse(text)) << text;
  const Json json{{"a", 1}};
  EXPECT_EQ(json.find("b"), nullptr);
  EXPECT_EQ(Json(1).find("a"), nullptr);
  EXPECT_EQ(json.find("a")->text(), nullptr);
  EXPECT_EQ(json.text_at("a"), "");
  EXPECT_EQ(json.text_at("b"), "");
  EXPECT_EQ((Json{{"a", "b"}}).text_at("a"), "b");
}

TEST(Json, KeepsDoublesToTheLastBitAndLargeIntegers) {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789.125})
    EXPECT_EQ(Json::parse(Json(value).dump())->number(), value);
  EXPECT_EQ(*Json::parse("9223372036854775807")->integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Json::parse("18446744073709551615")->number(), 18446744073709551615.0);
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");  // a seed
  EXPECT_EQ(Json::parse("18446744073709551615")->dump(), "18446744073709551615");
}

TEST(Json, ReadsNothingThatIsTooDeepToWalkThrough) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(Json::parse(nested(256)));
  EXPECT_FALSE(Json::parse(nested(257)));
  EXPECT_FALSE(Json::parse(nested(1'000'000))) << "and it must not run out of stack";
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(Json::parse(objects));
}

TEST(Json, ReadsManyMembersInTheTimeOfFew) {
  std::string text = "{\"first\": 0";
  for (int i = 0; i < 200'000; ++i) text += ", \"" + std::to_string(i) + "\": 1";
  const std::optional<Json> json =
      Json::parse(text + ", \"first\": 2}");  // minutes, were each compared with all others
  ASSERT_TRUE(json);
  EXPECT_EQ(json->members()->size(), 200'001U);
  EXPECT_EQ(*json->find("first")->integer(), 2) << "of two the last counts";
}

}  // namespace
}  // namespace sluice::file

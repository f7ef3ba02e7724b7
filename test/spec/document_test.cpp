#include "sluice/spec/document.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

#include "sluice/file/errors.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/spec/write.hpp"

namespace sluice::spec {
namespace {

constexpr std::array<Choice, 2> kColours{{{"red", ""}, {"green", ""}}};

struct Sample {
  std::int64_t count = 4;
  double gain = 3;
  std::array<double, 2> xi{2, 1};
  bool compress = true;
  std::string title = "plain";
  std::string colour = "red";
  std::vector<std::string> list{"red"};
  WordOrNumber bias = "none";
  std::string kind = "red";
  std::string rare = "red";

  void describe(Keys& keys) {
    keys.text("title", title, "a title");
    keys.section("task", "the task", [this](Keys& inner) {
      inner.required_choice("kind", kind, kColours, "which");
      inner.integer("count", count, even_integers(2, 100), "how many");
      inner.number("gain", gain, positive(), "how strong");
      inner.pair("xi", xi, positive(), "two lengths");
      inner.flag("compress", compress, "smaller");
      inner.choice("colour", colour, kColours, "which colour");
      inner.rare_choice("rare", rare, kColours, "seldom another");
      inner.choice_list("list", list, kColours, "which colours");
      inner.section("init", "nested", [this](Keys& nested) {
        nested.word_or_number("bias", bias, kColours, any_number(), "b");
      });
      inner.require(xi[0] != xi[1], "xi", "two different numbers");
    });
  }
  bool operator==(const Sample&) const = default;
};

Sample read(const std::string& text, const std::vector<std::string>& assignments = {}) {
  Document document = Document::from_text(text, "s.toml");
  for (const std::string& assignment : assignments) document.set(assignment);
  Sample sample;
  document.read([&](Keys& keys) { sample.describe(keys); });
  return sample;
}

std::string error_of(const std::string& text, const std::vector<std::string>& assignments = {}) {
  try {
    read(text, assignments);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Document, FillsValuesAndKeepsDefaults) {
  const Sample sample =
      read("title = \"t\"\n[task]\nkind = \"green\"\ngain = 2\nxi = [1, 2.5]\ninit = { bias = -1 }\n");
  EXPECT_EQ(sample.title, "t");
  EXPECT_EQ(sample.kind, "green");
  EXPECT_EQ(sample.gain, 2);
  EXPECT_EQ(sample.xi, (std::array<double, 2>{1, 2.5}));
  EXPECT_EQ(std::get<double>(sample.bias), -1);
  EXPECT_EQ(sample.count, 4);
}

TEST(Document, ErrorsNameFileLineKeyAndWhatWasExpected) {
  const std::string head = "[task]\nkind = \"red\"\n";
  EXPECT_EQ(error_of(head + "gain = -3\n"), "s.toml:3: task.gain = -3: expected a positive number");
  EXPECT_EQ(error_of(head + "gain = \"big\"\n"), "s.toml:3: task.gain = 'big': expected a positive number");
  EXPECT_EQ(error_of(head + "gain = nan\n"), "s.toml:3: task.gain = nan: expected a positive number");
  EXPECT_EQ(error_of(head + "count = 7\n"),
            "s.toml:3: task.count = 7: expected an even integer from 2 to 100");
  EXPECT_EQ(error_of(head + "count = 4.5\n"),
            "s.toml:3: task.count = 4.5: expected an even integer from 2 to 100");
  EXPECT_EQ(error_of(head + "gian = 3\n"), "s.toml:3: task.gian: unknown key; did you mean 'gain'?");
  EXPECT_EQ(error_of("\n[tsak]\nkind = \"red\"\n"), "s.toml:2: tsak: unknown key; did you mean 'task'?");
  EXPECT_EQ(error_of("[task]\nkidn = \"red\"\n"), "s.toml:2: task.kidn: unknown key; did you mean 'kind'?");
  EXPECT_EQ(error_of("[task]\ngain = 3.0\n"),
            "s.toml:1: task.kind: missing key; expected one of \"red\", \"green\"");
  EXPECT_EQ(error_of("[task]\nkind = \"gren\"\n"),
            "s.toml:2: task.kind = 'gren': expected one of \"red\", \"green\"; did you mean \"green\"?");
  EXPECT_EQ(error_of(head + "xi = [1, 2, 3]\n"),
            "s.toml:3: task.xi = [ 1, 2, 3 ]: expected two numbers [a, b], each a positive number");
  EXPECT_EQ(error_of(head + "xi = [1, 1]\n"), "s.toml:3: task.xi = [ 1, 1 ]: expected two different numbers");
  EXPECT_EQ(error_of(head + "init = 3\n"), "s.toml:3: task.init = 3: expected a table");
  EXPECT_EQ(error_of(head + "compress = 1\n"), "s.toml:3: task.compress = 1: expected true or false");
  EXPECT_EQ(error_of(head + "init = { bais = 1 }\n"),
            "s.toml:3: task.init.bais: unknown key; did you mean 'bias'?");
  EXPECT_EQ(
      error_of(head + "zzzzzz = 1\n"),
      "s.toml:3: task.zzzzzz: unknown key; expected one of kind, count, gain, xi, compress, colour, rare, "
      "list, init");
  EXPECT_EQ(error_of("[task\n").substr(0, 27), "s.toml:1: not valid TOML: E");
  EXPECT_EQ(error_of(head + "gain = 1\ngain = 2\n").substr(0, 25), "s.toml:4: not valid TOML:");
}

TEST(Document, OverridesReadAsToml) {
  const std::string text = "[task]\nkind = \"red\"\n";
  EXPECT_EQ(read(text, {"task.gain=0.5"}).gain, 0.5);
  EXPECT_EQ(read(text, {"task.gain=1", "task.gain=2"}).gain, 2);
  EXPECT_EQ(read(text, {"task.count=1e1"}).count, 10) << "an integral float is an integer";
  EXPECT_EQ(read(text, {"task.xi=[3,4]"}).xi, (std::array<double, 2>{3, 4}));
  EXPECT_EQ(read(text, {"task.colour=green"}).colour, "green") << "what is not TOML is a string";
  EXPECT_EQ(read(text, {"title=it's a \"title\""}).title, "it's a \"title\"");
  EXPECT_EQ(read(text, {"task.init.bias=0.25"}).bias, WordOrNumber(0.25));
  const std::string odd = "two\nlines, ''' \"\"\" \\ and \x7f";
  EXPECT_EQ(read(text, {"title=" + odd}).title, odd) << "whatever stands in it";
}

TEST(Document, OverrideErrorsNameTheOption) {
  const std::string text = "[task]\nkind = \"red\"\n";
  EXPECT_EQ(error_of(text, {"task.gain=-1"}), "assignment: task.gain = -1: expected a positive number");
  EXPECT_EQ(error_of(text, {"task.gian=1"}), "assignment: task.gian: unknown key; did you mean 'gain'?");
  EXPECT_EQ(error_of(text, {"task.gain"}),
            "assignment task.gain: expected KEY=VALUE, for example task.gain=0.01");
  EXPECT_EQ(error_of(text, {"=3"}), "assignment =3: expected KEY=VALUE, for example task.gain=0.01");
  EXPECT_EQ(error_of(text, {"task.gain="}), "assignment task.gain=: expected a value after '='");
  EXPECT_EQ(error_of(text, {"task.kind.deep=1"}), "assignment task.kind.deep=1: 'kind' is not a table");
  EXPECT_EQ(error_of(text, {"title=caf\xe9"}), "assignment title=caf\xe9: expected text in UTF-8");
}

RC_GTEST_PROP(ResolvedSpec, ReadsBackBitForBit, ()) {
  Sample sample;
  sample.title = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  sample.count = 2 * *rc::gen::inRange(1, 51);
  const auto any_positive = [] {
    for (;;) {
      const auto x = std::bit_cast<double>(*rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()) >> 1);
      if (std::isfinite(x) && x > 0) return x;
    }
  };
  sample.gain = any_positive();
  sample.xi = {any_positive(), 2.0};
  if (sample.xi[0] == sample.xi[1]) sample.xi[1] = 3;
  sample.compress = *rc::gen::arbitrary<bool>();
  sample.list = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("red", "green"));
  sample.rare = *rc::gen::element<std::string>("red", "green");
  if (*rc::gen::arbitrary<bool>()) sample.bias = -any_positive();
  if (sample.bias == WordOrNumber("none")) sample.bias = "red";
  const std::string text = to_toml([&](Keys& keys) { sample.describe(keys); });
  RC_LOG() << text;
  RC_ASSERT(read(text) == sample);
}

TEST(ResolvedSpec, HasARareKeyWhereItSaysSomething) {
  Sample sample;
  const auto text = [&] { return to_toml([&](Keys& keys) { sample.describe(keys); }); };
  EXPECT_EQ(text().find("rare"), std::string::npos);
  sample.rare = "green";
  EXPECT_NE(text().find("rare = \"green\" "), std::string::npos);
}

TEST(KeyList, HasPathDefaultAndMeaning) {
  Sample sample;
  const std::vector<KeyInfo> keys = list_keys([&](Keys& k) { sample.describe(k); });
  ASSERT_EQ(keys.size(), 10U);
  EXPECT_EQ(keys[3].path, "task.gain");
  EXPECT_EQ(keys[3].value, "3.0");
  EXPECT_EQ(keys[3].expected, "a positive number");
  EXPECT_EQ(keys[7].path, "task.rare") << "listed, though a spec that is written leaves it out";
  EXPECT_EQ(keys[9].path, "task.init.bias");
}

TEST(Suggest, FindsPlausibleSlipsOnly) {
  const std::vector<std::string> known{"gain", "labels", "normalize"};
  EXPECT_EQ(nearest("gian", known), "gain");
  EXPECT_EQ(nearest("lables", known), "labels");
  EXPECT_EQ(nearest("normalise", known), "normalize");
  EXPECT_EQ(nearest("temperature", known), std::nullopt);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
}

/// A file with names of its own: [own], [[part]].
struct Open {
  std::vector<std::pair<std::string, Value>> own;
  std::vector<double> stds;
  std::vector<Value> parts;

  explicit Open(const std::string& text) {
    Document::from_text(text, "o.toml").read_open([this](OpenKeys& keys) {
      keys.own_names("own", [this](OpenKeys& inner, const std::string& name) {
        own.emplace_back(name, Value{});
        inner.value_or_table(name, own.back().second, [this](Keys& law) {
          law.number("std", stds.emplace_back(1.0), positive(), "how wide");
        });
      });
      keys.tables("part", [this](OpenKeys& inner) { inner.value("is", parts.emplace_back()); });
    });
  }
};

TEST(OpenKeys, KeepTheOrderOfTheFileAndWhereValuesStand) {
  const Open open(
      "[own]\nz = 2\na = [1, 2.5]\nm = [[1, 2], [3, 4]]\nlaw = { std = 3 }\nf = \"z*a\"\n"
      "[[part]]\nis = 1\n[[part]]\n");
  ASSERT_EQ(open.own.size(), 5U);
  std::string names;
  for (const auto& [name, value] : open.own) names += name + " ";
  EXPECT_EQ(names, "z a m law f ");
  EXPECT_EQ(std::get<double>(open.own[0].second.content), 2);
  EXPECT_EQ(std::get<Value::Row>(open.own[1].second.content), (Value::Row{1, 2.5}));
  EXPECT_EQ(std::get<std::vector<Value::Row>>(open.own[2].second.content),
            (std::vector<Value::Row>{{1, 2}, {3, 4}}));
  EXPECT_FALSE(open.own[3].second.is_there());
  EXPECT_EQ(open.stds, std::vector<double>{3});
  EXPECT_EQ(std::get<std::string>(open.own[4].second.content), "z*a");
  EXPECT_EQ(open.own[4].second.place, "o.toml:6: own.f");
  ASSERT_EQ(open.parts.size(), 2U);
  EXPECT_EQ(open.parts[0].place, "o.toml:8: part.is");
  EXPECT_FALSE(open.parts[1].is_there());
}

TEST(OpenKeys, RefuseWhatTheyCannotRead) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      const Open open(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string expected =
      "expected a number, a list of numbers, rows of numbers of equal length, a table or a formula in quotes";
  EXPECT_EQ(message("[own]\na = true\n"), "o.toml:2: own.a = true: " + expected);
  EXPECT_EQ(message("[own]\na = []\n"), "o.toml:2: own.a = []: " + expected);
  EXPECT_EQ(message("[own]\na = [1, \"b\"]\n"), "o.toml:2: own.a = [ 1, 'b' ]: " + expected);
  EXPECT_EQ(message("[own]\na = [[1, 2], [3]]\n"), "o.toml:2: own.a = [ [ 1, 2 ], [ 3 ] ]: " + expected);
  EXPECT_EQ(message("[own]\na = [[0.01, -0.5], [inf, []], {'b c' = 0.1}]\n"),
            "o.toml:2: own.a = [ [ 0.01, -0.5 ], [ inf, [] ], { \"b c\" = 0.1 } ]: " + expected)
      << "numbers whose digits toml++ counts by logarithms";
  EXPECT_EQ(message("[own]\na = { sdt = 1 }\n"), "o.toml:2: own.a.sdt: unknown key; did you mean 'std'?");
  EXPECT_EQ(message("[[part]]\nis = { a = 1 }\n"),
            "o.toml:2: part.is = { a = 1 }: expected a number, a list of numbers, rows of numbers of equal "
            "length or a formula in quotes");
  EXPECT_EQ(message("[part]\nis = 1\n"), "o.toml:1: part: expected tables, each under a line [[part]]");
  EXPECT_EQ(message("[[prat]]\nis = 1\n"), "o.toml:1: prat: unknown key; did you mean 'part'?");
  EXPECT_EQ(message("[[part]]\nas = 1\n"), "o.toml:2: part.as: unknown key; did you mean 'is'?");
}

TEST(Safety, M13_KeysAreNotDeeperThanTheStack) {
  const auto joined = [](std::size_t dots, const std::string& name) {
    std::string key = name;
    for (std::size_t i = 0; i < dots; ++i) key += "." + name;
    return key;
  };
  const std::string expected =
      "s.toml: expected at most 100 tables and lists in each other, also by dots in a key";
  EXPECT_EQ(error_of(joined(1'000'000, "a") + " = 1\n"), expected);
  EXPECT_EQ(error_of("[" + joined(101, "a") + "]\n"), expected);
  EXPECT_EQ(error_of("x = {" + joined(101, "'a.b'") + " = 1}\n"), expected);
  EXPECT_EQ(error_of("x = { y = \"\"\"a\"\"\"\", " + joined(101, "a") + " = 1}\n"), expected);
  EXPECT_EQ(error_of("[task]\nkind = \"red\"\n", {joined(101, "a") + "=1"}).substr(0, 11), "assignment ");
  EXPECT_EQ(error_of("x = " + std::string(101, '[') + std::string(101, ']') + "\n"), expected);
  std::string both = "1";
  for (int i = 0; i < 40; ++i) both = "{a.b.c = " + both + "}";
  EXPECT_EQ(error_of("x = " + both + "\n"), expected);
  EXPECT_NE(error_of(joined(99, "a") + " = 1\n"), expected);
  std::string many = "0.5";
  for (int i = 0; i < 1000; ++i) many += ", 0.5";
  EXPECT_NE(error_of("x = [" + many + "]\n"), expected);
  const std::string head =
      "title = \"" + joined(200, "a") + "\"  # " + joined(200, "b") + "\n[task]\nkind = \"red\"\n";
  EXPECT_EQ(read(head).title, joined(200, "a")) << "what is said in words may have dots";
}

}  // namespace
}  // namespace sluice::spec

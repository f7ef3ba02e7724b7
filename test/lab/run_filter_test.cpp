#include "sluice/lab/run_filter.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "sluice/file/database.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace {

using file::Cell;
using Row = std::map<std::string, Cell>;

/// Numbers, texts, both in one column, and nothing.
const std::vector<Row> kRows{
    {{"path", "a"},
     {"task.gain", 0.5},
     {"network.bias", "none"},
     {"localized_share", 0.1},
     {"status", "finished"}},
    {{"path", "b"}, {"task.gain", std::int64_t{3}}, {"network.bias", 0.0}, {"status", "diverged"}},
    {{"path", "c"}, {"task.gain", std::numeric_limits<double>::infinity()}, {"status", "finished"}},
    {{"path", "d"}, {"network.bias", "3"}, {"localized_share", 0.9}, {"status", "it's \"done\""}},
    {{"path", "e"},
     {"task.gain", -2.0},
     {"task.kind", "nlgp"},
     {"network.kind", "two-layer"},
     {"seed", std::int64_t{9007199254740993}}}};

const RunColumns& known_columns() {
  static const RunColumns columns({"path", "status", "task.gain", "task.kind", "network.kind", "network.bias",
                                   "seed", "localized_share"});
  return columns;
}

/// Paths of the rows that pass, joined.
std::string passing(const std::string& filter) {
  file::Database database = file::Database::in_memory();
  std::string names;
  for (const std::string& name : known_columns().names())
    names += (names.empty() ? "" : ", ") + sql_name(name);
  database.run(fmt::format("CREATE TABLE runs ({})", names));
  for (const Row& row : kRows) {
    std::string into, marks;
    std::vector<Cell> values;
    for (const auto& [name, cell] : row) {
      into += (into.empty() ? "" : ", ") + sql_name(name);
      marks += marks.empty() ? "?" : ", ?";
      values.push_back(cell);
    }
    file::Statement insert = database.prepare(fmt::format("INSERT INTO runs ({}) VALUES ({})", into, marks));
    insert.begin(values);
    insert.step();
  }
  const SqlCondition condition = to_sql(filter, known_columns());
  file::Statement select =
      database.prepare(fmt::format("SELECT path FROM runs WHERE {} ORDER BY path", condition.sql));
  select.begin(condition.values);
  std::string paths;
  while (select.step()) paths += file::to_text(select.cell(0));
  return paths;
}

std::string complaint_of(const std::string& filter) {
  try {
    to_sql(filter, known_columns());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RunFilter, ComparesNumbersAndTexts) {
  EXPECT_EQ(passing(""), "abcde");
  EXPECT_EQ(passing("gain>1"), "bc");
  EXPECT_EQ(passing("task.gain = 3"), "b");
  EXPECT_EQ(passing("gain == 3.0"), "b");
  EXPECT_EQ(passing("gain >= -2"), "abce");
  EXPECT_EQ(passing("gain = inf"), "c");
  EXPECT_EQ(passing("gain <= 5e-1"), "ae");
  EXPECT_EQ(passing("status = finished"), "ac");
  EXPECT_EQ(passing("status = 'finished'"), "ac");
  EXPECT_EQ(passing("status != finished"), "bd");
  EXPECT_EQ(passing("status = \"it's\""), "");
}

TEST(RunFilter, ANumberIsNoText) {
  EXPECT_EQ(passing("bias = 3"), "") << "'3' is a text there";
  EXPECT_EQ(passing("bias = \"3\""), "d");
  EXPECT_EQ(passing("bias > -1"), "b") << "texts are not larger than numbers";
  EXPECT_EQ(passing("bias != 0"), "ad");
  EXPECT_EQ(passing("bias >= a"), "a");
}

TEST(RunFilter, WhatARunLacksFailsAndNotIsAllOthers) {
  EXPECT_EQ(passing("gain != 3"), "ace");
  EXPECT_EQ(passing("not gain = 3"), "acde");
  EXPECT_EQ(passing("not (gain > 1 or gain <= 1)"), "d");
  EXPECT_EQ(passing("not not gain = 3"), "b");
}

TEST(RunFilter, AndBindsMoreThanOr) {
  EXPECT_EQ(passing("path = a or path = b and gain = 0"), "a");
  EXPECT_EQ(passing("(path = a or path = b) and gain = 3"), "b");
  EXPECT_EQ(passing("not path = a and not path = b"), "cde");
}

TEST(RunFilter, KeepsAllDigitsOfASeed) {
  EXPECT_EQ(passing("seed = 9007199254740993"), "e");
  EXPECT_EQ(passing("seed = 9007199254740992"), "");
}

TEST(RunFilter, NamesAreThoseOfColumns) {
  EXPECT_EQ(passing("localized > 0.5"), "d");
  EXPECT_EQ(passing("\"task.gain\" = 3"), "b");
}

TEST(RunFilter, NothingTypedBecomesSql) {
  EXPECT_EQ(passing("status = 'it\"s'"), "");
  EXPECT_EQ(passing("status = \"x' OR 1 --\""), "");
  EXPECT_NE(complaint_of("1=1); DROP TABLE runs; -- = 3").find("no column '1'"), std::string::npos);
  EXPECT_EQ(to_sql("status = '1) OR (1'", known_columns()).sql.find('1'), std::string::npos);
}

TEST(RunFilter, ErrorsNameTheColumnOfTheText) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"gian > 1", "filter \"gian > 1\", column 1: no column 'gian'; did you mean 'gain'?"},
      {"gain > 1 and kind = nlgp", "column 14: 'kind' is more than one column: task.kind, network.kind"},
      {"gain >", "column 7: expected a number or a text, found the end"},
      {"gain", "column 5: expected = != < <= > or >=, found the end"},
      {"gain 3", "column 6: expected = != < <= > or >=, found '3'"},
      {"gain > 1 gain < 2", "column 10: expected 'and', 'or' or the end, found 'gain'"},
      {"(gain > 1", "column 10: expected ')', found the end"},
      {"gain > 1)", "column 9: expected 'and', 'or' or the end, found ')'"},
      {" ", "column 2: expected a column, found the end"},
      {"not", "column 4: expected a column, found the end"},
      {"and gain > 1", "column 1: no column 'and'"},
      {"status = 'it''s'", "column 14: expected 'and', 'or' or the end, found 's'"},
      {"status = \"open", "column 10: a quote that is never closed"},
      {"status ! finished", "column 8: '!' has no meaning here; expected != or not"},
      {"status = é and x = 1", "column 16: no column 'x'"},
      {"zzzzzzzzzz = 1", "column 1: no column 'zzzzzzzzzz' in any of these runs"},
      {std::string(500, '('), "too many brackets"}};
  for (const auto& [filter, expected] : wrong)
    EXPECT_NE(complaint_of(filter).find(expected), std::string::npos) << filter << "\n"
                                                                      << complaint_of(filter);
  std::string deepest = "gain > 1";
  for (int i = 1; i < 11; ++i)
    deepest = "path = x or path = y and (" + deepest + " or gain = 0.5 and not gain = 3)";
  EXPECT_EQ(passing(deepest), "");
  std::string nots = "gain > 1";
  for (int i = 1; i < 12; ++i) nots = "not " + nots;
  EXPECT_EQ(passing(nots), "ade");
  std::string many = "gain > 1";
  for (int i = 1; i < 200; ++i) many += " and gain > 1";
  EXPECT_EQ(passing(many), "bc");
  EXPECT_NE(complaint_of(many + " or gain > 1").find("at most 200 comparisons"), std::string::npos);
}

/// A filter, and what it means of a row.
struct Meaning {
  std::string text;
  std::function<bool(const Row&)> holds;
};

bool compared(const Row& row, const std::string& column, const std::string& sign, const Cell& value) {
  const auto at = row.find(column);
  if (at == row.end()) return false;
  const Cell& cell = at->second;
  const bool texts = std::holds_alternative<std::string>(value);
  if (std::holds_alternative<std::string>(cell) != texts) return sign == "!=";
  const auto order = texts
                         ? std::partial_ordering(std::get<std::string>(cell) <=> std::get<std::string>(value))
                         : *file::number_in(cell) <=> *file::number_in(value);
  if (sign == "!=") return order != 0;
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  if (sign == ">") return order > 0;
  if (sign == ">=") return order >= 0;
  return order == 0;
}

Meaning any_filter(int depth) {
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  if (kind == 1) {
    const Meaning inner = any_filter(depth - 1);
    return {"not (" + inner.text + ")", [inner](const Row& row) { return !inner.holds(row); }};
  }
  if (kind >= 2) {
    const Meaning left = any_filter(depth - 1), right = any_filter(depth - 1);
    const bool both = kind == 2;
    return {"(" + left.text + (both ? ") and (" : ") or (") + right.text + ")", [=](const Row& row) {
              return both ? left.holds(row) && right.holds(row) : left.holds(row) || right.holds(row);
            }};
  }
  const auto [word, column] =
      *rc::gen::elementOf(std::vector<std::pair<std::string, std::string>>{{"gain", "task.gain"},
                                                                           {"task.gain", "task.gain"},
                                                                           {"bias", "network.bias"},
                                                                           {"status", "status"},
                                                                           {"localized", "localized_share"},
                                                                           {"path", "path"}});
  const std::string sign =
      *rc::gen::elementOf(std::vector<std::string>{"=", "==", "!=", "<", "<=", ">", ">="});
  const auto [typed, value] = *rc::gen::elementOf(std::vector<std::pair<std::string, Cell>>{
      {"3", std::int64_t{3}},
      {"0.5", 0.5},
      {"-2.0", -2.0},
      {"inf", std::numeric_limits<double>::infinity()},
      {"finished", "finished"},
      {"\"3\"", "3"},
      {"none", "none"},
      {"'c'", "c"},
      {".1", 0.1}});
  const std::string space = *rc::gen::elementOf(std::vector<std::string>{"", " ", "  "});
  return {word + space + sign + space + typed,
          [=](const Row& row) { return compared(row, column, sign, value); }};
}

RC_GTEST_PROP(RunFilter, MeansWhatItSays, ()) {
  const Meaning filter = any_filter(4);
  std::string expected;
  for (const Row& row : kRows)
    if (filter.holds(row)) expected += std::get<std::string>(row.at("path"));
  RC_TAG(expected.empty() ? "none" : expected.size() == kRows.size() ? "all" : "some");
  RC_LOG() << filter.text;
  RC_ASSERT(passing(filter.text) == expected);
}

RC_GTEST_PROP(RunFilter, AnyTextIsReadOrRefused, ()) {
  std::string text;
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
           "gain", "and", "or", "not", "(", ")", "=", "<", "!=", "!", "3", "'", "\"", " ", "é", "\xff"})))
    text += piece;
  try {
    passing(text);
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).starts_with("filter \""));
  }
}

}  // namespace
}  // namespace sluice::lab

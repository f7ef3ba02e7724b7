#include "sluice/lab/run_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace {

constexpr int kDeepestFilter =
    12;  // brackets and nots within each other: SQLite's own parser has room for a hundred signs
constexpr std::size_t kMostComparisons = 200;

struct FilterToken {
  enum class Kind { end, sign, word, quoted };

  Kind kind = Kind::end;
  std::string text = {};
  std::size_t column = 1;  // counted from 1 in characters

  bool is(std::string_view sign_or_word) const {
    return (kind == Kind::sign || kind == Kind::word) && text == sign_or_word;
  }
  std::string shown() const { return kind == Kind::end ? "the end" : fmt::format("'{}'", text); }
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Where a word without quotes ends: anything may be in it that is no sign of ours.
bool ends_word(char c) {
  return is_blank(c) || std::string_view("()=!<>\"'").find(c) != std::string_view::npos;
}

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view text) : whole_(text), rest_(text) {}

  FilterToken next() {
    while (!rest_.empty() && is_blank(rest_[0])) take(1);
    FilterToken token{.column = column_};
    if (rest_.empty()) return token;
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "=", "<", ">", "(", ")"}) {
      if (!rest_.starts_with(sign)) continue;
      token.kind = FilterToken::Kind::sign;
      token.text = take(sign.size());
      return token;
    }
    if (rest_[0] == '"' || rest_[0] == '\'') {
      const std::size_t close = rest_.find(rest_[0], 1);
      if (close == std::string_view::npos) complain(column_, "a quote that is never closed");
      token.kind = FilterToken::Kind::quoted;
      token.text = take(close + 1).substr(1, close - 1);
      return token;
    }
    if (rest_[0] == '!') complain(column_, "'!' has no meaning here; expected != or not");
    token.kind = FilterToken::Kind::word;
    token.text = take(static_cast<std::size_t>(std::ranges::find_if(rest_, ends_word) - rest_.begin()));
    return token;
  }

  [[noreturn]] void complain(std::size_t column, const std::string& why) const {
    throw InputError(fmt::format("filter \"{}\", column {}: {}", whole_, column, why));
  }

 private:
  std::string take(std::size_t bytes) {
    std::string taken(rest_.substr(0, bytes));
    for (const char c : taken) column_ += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::string_view whole_, rest_;
  std::size_t column_ = 1;
};

/// Digits may lack on one side of the point, and a plus may stand in front.
std::optional<double> number_in_word(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word == "inf" || word == "-inf")
    return (word[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  const std::size_t first = word.starts_with('-') ? 1 : 0;
  if (word.size() == first || (word[first] != '.' && (word[first] < '0' || word[first] > '9')))
    return std::nullopt;  // "nan" and "infinity" are words
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

class FilterParser {
 public:
  FilterParser(std::string_view text, const RunColumns& columns) : lexer_(text), columns_(columns) {
    advance();
  }

  SqlCondition parse() {
    std::string sql = either();
    if (token_.kind != FilterToken::Kind::end)
      lexer_.complain(token_.column,
                      fmt::format("expected 'and', 'or' or the end, found {}", token_.shown()));
    return {std::move(sql), std::move(values_)};
  }

 private:
  void advance() { token_ = lexer_.next(); }

  std::string either() {
    return joined("or", " OR ", [&] { return both(); });
  }

  std::string both() {
    return joined("and", " AND ", [&] { return one(); });
  }

  template <class Part>
  std::string joined(std::string_view word, std::string_view sign, const Part& part) {
    std::string sql = part();
    if (!token_.is(word)) return sql;
    while (token_.is(word)) {
      advance();
      sql += std::string(sign) + part();
    }
    return "(" + sql + ")";
  }

  std::string one() {
    if (++depth_ > kDeepestFilter) lexer_.complain(token_.column, "too many brackets within each other");
    std::string sql;
    if (token_.is("not")) {
      advance();
      sql = fmt::format("(NOT {})", one());
    } else if (token_.is("(")) {
      advance();
      sql = either();
      if (!token_.is(")"))
        lexer_.complain(token_.column, fmt::format("expected ')', found {}", token_.shown()));
      advance();
    } else {
      sql = comparison();
    }
    --depth_;
    return sql;
  }

  /// Always true or false, never unknown: `not` is then the other runs.
  std::string comparison() {
    if (values_.size() == kMostComparisons)
      lexer_.complain(token_.column, fmt::format("expected at most {} comparisons", kMostComparisons));
    const std::string column = sql_name(left_side());
    const std::string sign = comparison_sign();
    const file::Cell value = right_side();
    const bool number = file::number_in(value).has_value();
    const std::string_view types = number ? "('integer', 'real')" : "('text')";
    values_.push_back(value);
    if (sign == "!=")
      return fmt::format("({0} IS NOT NULL AND NOT (typeof({0}) IN {1} AND {0} = ?))", column, types);
    return fmt::format("(typeof({0}) IN {1} AND {0} {2} ?)", column, types, sign);
  }

  std::string left_side() {
    if (token_.kind != FilterToken::Kind::word && token_.kind != FilterToken::Kind::quoted)
      lexer_.complain(token_.column, fmt::format("expected a column, found {}", token_.shown()));
    RunColumns::Meant meant = columns_.find(token_.text);
    if (meant.column.empty()) lexer_.complain(token_.column, meant.complaint);
    advance();
    return std::move(meant.column);
  }

  std::string comparison_sign() {
    constexpr std::array<std::string_view, 7> kSigns{"=", "==", "!=", "<", "<=", ">", ">="};
    if (token_.kind != FilterToken::Kind::sign || std::ranges::find(kSigns, token_.text) == kSigns.end())
      lexer_.complain(token_.column, fmt::format("expected = != < <= > or >=, found {}", token_.shown()));
    std::string sign = token_.text == "==" ? "=" : token_.text;
    advance();
    return sign;
  }

  file::Cell right_side() {
    if (token_.kind != FilterToken::Kind::word && token_.kind != FilterToken::Kind::quoted)
      lexer_.complain(token_.column, fmt::format("expected a number or a text, found {}", token_.shown()));
    file::Cell value = token_.text;
    if (token_.kind == FilterToken::Kind::word) {
      std::int64_t whole = 0;  // seeds have more digits than a double
      const std::string& word = token_.text;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), whole);
      if (error == std::errc() && end == word.data() + word.size())
        value = whole;
      else if (const std::optional<double> number = number_in_word(word))
        value = *number;
    }
    advance();
    return value;
  }

  FilterLexer lexer_;
  const RunColumns& columns_;
  FilterToken token_;
  std::vector<file::Cell> values_;
  int depth_ = 0;
};

}  // namespace

SqlCondition to_sql(std::string_view filter, const RunColumns& columns) {
  if (filter.find('\0') != filter.npos) throw InputError("filter: expected a text without U+0000");
  if (filter.empty())
    return {"1", {}};  // all of them; blanks are what is left of a variable that was not set
  return FilterParser(filter, columns).parse();
}

std::string sql_name(std::string_view column) { return fmt::format("\"{}\"", column); }

}  // namespace sluice::lab

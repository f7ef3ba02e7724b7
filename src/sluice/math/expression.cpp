#include "sluice/math/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace sluice::math {

ExpressionError::ExpressionError(std::size_t column, const std::string& what)
    : std::runtime_error(fmt::format("column {}: {}", column, what)) {}

bool Expression::operator==(const Expression& other) const {
  return kind == other.kind && number == other.number && name == other.name && arguments == other.arguments;
}

namespace {

constexpr std::size_t kMostNested = 200;
constexpr std::size_t kMostOperations = 2000;

struct Token {
  enum class Kind { end, number, name, sign };

  Kind kind = Kind::end;
  std::string text = {};  ///< a sign as this file names it: "*" for ·, ">" for ≥
  double number = 0;
  std::size_t column = 1;
  std::string written = {};  ///< as it stands in the text
};

/// Signs of the language, longer ones before those that they begin with.
struct Written {
  std::string_view text;
  std::string_view sign;
};
constexpr std::array kSigns{
    Written{".*", ".*"}, Written{"./", "./"}, Written{".^", ".^"}, Written{">=", ">"}, Written{"<=", "<"},
    Written{"≥", ">"},   Written{"≤", "<"},   Written{"·", "*"},   Written{"−", "-"},  Written{"²", "²"},
    Written{"³", "³"},   Written{"√", "√"},   Written{"⟨", "⟨"},   Written{"⟩", "⟩"},  Written{"‖", "‖"},
    Written{"+", "+"},   Written{"-", "-"},   Written{"*", "*"},   Written{"/", "/"},  Written{"^", "^"},
    Written{"(", "("},   Written{")", ")"},   Written{"[", "["},   Written{"]", "]"},  Written{",", ","},
    Written{"'", "'"},   Written{">", ">"},   Written{"<", "<"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// One character, which may have several bytes.
std::string_view first_character(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && continues_character(text[bytes])) ++bytes;
  return text.substr(0, bytes);
}

const Written* sign_at(std::string_view text) {
  for (const Written& each : kSigns)
    if (text.starts_with(each.text)) return &each;
  return nullptr;
}

/// Letters, digits and underscores up to a sign; empty where none begins.
std::string_view name_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || (end > 0 && is_digit(text[end])))) {
    if (sign_at(text.substr(end)) != nullptr) break;
    end += first_character(text.substr(end)).size();
  }
  return text.substr(0, end);
}

/// A text cut into tokens, one at a time.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  Token next() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r'))
      take(1);
    if (rest_.empty()) return {.column = column_, .written = "the end"};
    if (is_digit(rest_[0]) || (rest_[0] == '.' && rest_.size() > 1 && is_digit(rest_[1]))) return number();
    if (const Written* sign = sign_at(rest_))
      return token(Token::Kind::sign, sign->text.size(), std::string(sign->sign));
    if (const std::string_view name = name_at(rest_); !name.empty())
      return token(Token::Kind::name, name.size(), std::string(name == "π" ? "pi" : name));
    throw ExpressionError(column_, fmt::format("'{}' has no meaning here", first_character(rest_)));
  }
  /// Whether a bracket follows at once, without a blank.
  bool touches_bracket() const { return rest_.starts_with('('); }

 private:
  Token number() {
    // "2.*x" is 2 .* x: a point belongs to a number unless it makes an operator of what follows.
    std::size_t end = 0;
    const auto digits = [&] {
      while (end < rest_.size() && is_digit(rest_[end])) ++end;
    };
    digits();
    if (end < rest_.size() && rest_[end] == '.' && sign_at(rest_.substr(end)) == nullptr) {
      ++end;
      digits();
    }
    if (end + 1 < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
      const std::size_t sign = rest_[end + 1] == '-' || rest_[end + 1] == '+' ? 1 : 0;
      if (end + 1 + sign < rest_.size() && is_digit(rest_[end + 1 + sign])) {
        end += 1 + sign;
        digits();
      }
    }
    double value = 0;
    const auto [last, error] = std::from_chars(rest_.data(), rest_.data() + end, value);
    if (error != std::errc() || last != rest_.data() + end)
      throw ExpressionError(column_, fmt::format("{} is beyond the range of numbers", rest_.substr(0, end)));
    Token made = token(Token::Kind::number, end, std::string(rest_.substr(0, end)));
    made.number = value;
    return made;
  }
  Token token(Token::Kind kind, std::size_t bytes, std::string text) {
    Token made{.kind = kind,
               .text = std::move(text),
               .column = column_,
               .written = fmt::format("'{}'", rest_.substr(0, bytes))};
    take(bytes);
    return made;
  }
  void take(std::size_t bytes) {
    for (const char c : rest_.substr(0, bytes)) column_ += continues_character(c) ? 0 : 1;
    rest_.remove_prefix(bytes);
  }

  std::string_view rest_;
  std::size_t column_ = 1;
};

// How tightly an operator binds; what stands beside it without brackets must bind as tightly.
constexpr int kComparison = 1;
constexpr int kSum = 2;
constexpr int kProduct = 3;
constexpr int kSign = 4;
constexpr int kPower = 5;
constexpr int kPrimary = 6;

int binds(std::string_view sign) {
  if (sign == ">" || sign == "<") return kComparison;
  if (sign == "+" || sign == "-") return kSum;
  if (sign == "*" || sign == "/" || sign == ".*" || sign == "./") return kProduct;
  if (sign == "^" || sign == ".^") return kPower;
  return 0;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  Expression whole() {
    Expression all = operation(kComparison);
    if (token_.kind == Token::Kind::end) return all;
    const bool begins_one = token_.kind != Token::Kind::sign || token_.text == "(" || token_.text == "√" ||
                            token_.text == "⟨" || token_.text == "‖";
    fail(begins_one ? fmt::format("expected an operator before {}; a product is written a*b", token_.written)
                    : fmt::format("{} belongs to nothing before it", token_.written));
  }

 private:
  /// Operators that bind at least so tightly, from the left.
  Expression operation(int least) {
    Expression left = signed_power();
    for (int level = binds(token_.text); is_sign() && level >= least && level < kPower;
         level = binds(token_.text)) {
      const Token sign = advance();
      Expression right = operation(level + 1);
      if (sign.text == "<") {
        left = operate(">", sign.column, std::move(right), std::move(left));
      } else {
        left = operate(sign.text, sign.column, std::move(left), std::move(right));
      }
      if (level == kComparison && is_sign() && binds(token_.text) == kComparison)
        fail("comparisons do not chain; write 1(a > b)*1(b > c)");
    }
    return left;
  }

  /// -a, +a, a^b
  Expression signed_power() {
    const Nesting nesting(*this);
    if (is("-")) {
      const std::size_t column = advance().column;
      return operate("-", column, signed_power());
    }
    if (is("+")) {
      advance();
      return signed_power();
    }
    Expression base = postfix();
    if (!is("^") && !is(".^")) return base;
    const Token sign = advance();
    return operate(sign.text, sign.column, std::move(base), signed_power());
  }

  Expression postfix() {
    Expression of = primary();
    for (;;) {
      const std::size_t column = token_.column;
      if (is("'")) {
        advance();
        of = operate("'", column, std::move(of));
      } else if (is("²") || is("³")) {
        const double power = advance().text == "²" ? 2 : 3;
        of = operate("^", column, std::move(of), Expression{.number = power, .column = column});
      } else if (is("[")) {
        advance();
        std::vector<Expression> parts = list("]", column, "[");
        parts.insert(parts.begin(), std::move(of));
        of = call("[]", column, std::move(parts));
      } else {
        return of;
      }
    }
  }

  Expression primary() {
    const Nesting nesting(*this);
    if (token_.kind == Token::Kind::number) {
      const bool indicator = token_.text == "1" && lexer_.touches_bracket();
      const Token one = advance();
      return indicator ? indicated() : Expression{.number = one.number, .column = one.column};
    }
    if (token_.kind == Token::Kind::name) {
      Token name = advance();
      if (!is("("))
        return {.kind = Expression::Kind::symbol, .name = std::move(name.text), .column = name.column};
      const std::size_t column = advance().column;
      return call(name.text, name.column, list(")", column, "("));
    }
    if (is("(")) {
      const std::size_t column = advance().column;
      Expression inside = operation(kComparison);
      close(")", column, "(");
      return inside;
    }
    if (is("⟨")) {
      const std::size_t column = advance().column;
      return call("dot", column, list("⟩", column, "⟨"));
    }
    if (is("‖")) {
      const std::size_t column = advance().column;
      Expression inside = operation(kComparison);
      close("‖", column, "‖");
      return operate("norm", column, std::move(inside));
    }
    if (is("√")) {
      const std::size_t column = advance().column;
      return operate("sqrt", column, primary());
    }
    fail(fmt::format("expected a number, a name or '(', found {}", token_.written));
  }

  /// 1(a > b): the comparison alone.
  Expression indicated() {
    const std::size_t column = advance().column;
    Expression inside = operation(kComparison);
    if (inside.kind != Expression::Kind::call || inside.name != ">")
      throw ExpressionError(column, "1(…) is an indicator: expected a comparison inside; a product is 1*(…)");
    close(")", column, "(");
    return inside;
  }

  /// Arguments up to the bracket that closes them.
  std::vector<Expression> list(std::string_view closing, std::size_t column, std::string_view opening) {
    std::vector<Expression> parts;
    if (!is(closing)) {
      parts.push_back(operation(kComparison));
      while (is(",")) {
        advance();
        parts.push_back(operation(kComparison));
      }
    }
    close(closing, column, opening);
    return parts;
  }
  void close(std::string_view closing, std::size_t column, std::string_view opening) {
    if (!is(closing))
      fail(fmt::format("expected '{}' for the '{}' of column {}, found {}", closing, opening, column,
                       token_.written));
    advance();
  }

  /// Of one or two arguments, which a list in braces would copy.
  template <class... Arguments>
  Expression operate(std::string name, std::size_t column, Arguments... arguments) {
    std::vector<Expression> all;
    (all.push_back(std::move(arguments)), ...);
    return call(std::move(name), column, std::move(all));
  }
  Expression call(std::string name, std::size_t column, std::vector<Expression> arguments) {
    if (++operations_ > kMostOperations)
      throw ExpressionError(column, fmt::format("more than {} operations", kMostOperations));
    return {.kind = Expression::Kind::call,
            .name = std::move(name),
            .arguments = std::move(arguments),
            .column = column};
  }

  bool is_sign() const { return token_.kind == Token::Kind::sign; }
  bool is(std::string_view sign) const { return is_sign() && token_.text == sign; }
  Token advance() { return std::exchange(token_, lexer_.next()); }
  [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(token_.column, what); }

  /// Counts what the stack has to hold.
  struct Nesting {
    explicit Nesting(Parser& parser) : depth(parser.depth_) {
      if (++depth > 2 * kMostNested)  // each bracket passes two functions that count
        parser.fail(fmt::format("more than {} brackets or signs inside one another", kMostNested));
    }
    ~Nesting() { --depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    std::size_t& depth;
  };

  Lexer lexer_;
  Token token_;
  std::size_t depth_ = 0;
  std::size_t operations_ = 0;
};

int tightness(const Expression& expression) {
  if (expression.kind != Expression::Kind::call) return kPrimary;
  if (expression.name == "-" && expression.arguments.size() == 1) return kSign;
  const int level = binds(expression.name);
  return level == 0 ? kPrimary : level;
}

std::string printed(const Expression& expression, int least);

std::string printed_list(const std::vector<Expression>& parts, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < parts.size(); ++i)
    text += (i > first ? ", " : "") + printed(parts[i], kComparison);
  return text;
}

std::string printed_call(const Expression& expression) {
  const std::vector<Expression>& of = expression.arguments;
  const std::string& name = expression.name;
  if (name == "'") return printed(of[0], kPrimary) + "'";
  if (name == "[]") return fmt::format("{}[{}]", printed(of[0], kPrimary), printed_list(of, 1));
  const int level = binds(name);
  if (level == 0) return fmt::format("{}({})", name, printed_list(of, 0));
  if (of.size() == 1) return "-" + printed(of[0], kSign);
  if (level == kPower) return printed(of[0], kPrimary) + name + printed(of[1], kSign);
  const bool chains = level != kComparison;
  return fmt::format("{} {} {}", printed(of[0], chains ? level : level + 1), name, printed(of[1], level + 1));
}

std::string printed(const Expression& expression, int least) {
  if (expression.kind == Expression::Kind::number) return fmt::format("{}", expression.number);
  if (expression.kind == Expression::Kind::symbol) return expression.name;
  const std::string text = printed_call(expression);
  return tightness(expression) < least ? "(" + text + ")" : text;
}

}  // namespace

Expression parse(std::string_view text) { return Parser(text).whole(); }

std::string to_string(const Expression& expression) { return printed(expression, kComparison); }

bool is_name(std::string_view text) { return !text.empty() && name_at(text) == text; }

}  // namespace sluice::math

/// Formulas as text: what binds to what, what is printed, what is refused and in which words.
#include "sluice/math/expression.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

namespace sluice::math {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    parse(text);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "";
}

TEST(Expression, BindsAsPeopleRead) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"a + b*c", "a + (b*c)"},
      {"a - b - c", "(a - b) - c"},
      {"a/b/c", "(a/b)/c"},
      {"a/b*c", "(a/b)*c"},
      {"a*b .* c ./ d", "((a*b) .* c) ./ d"},
      {"-a^2", "-(a^2)"},
      {"-2^2", "-(2^2)"},
      {"-a*b", "(-a)*b"},
      {"a*-b", "a*(-b)"},
      {"a - -b", "a - (-b)"},
      {"--a", "-(-a)"},
      {"+a", "a"},
      {"2^3^2", "2^(3^2)"},
      {"2^-1", "2^(-1)"},
      {"2^-a^b", "2^(-(a^b))"},
      {"a.^b.^c", "a.^(b.^c)"},
      {"w'*C*w", "((w')*C)*w"},
      {"a^b'", "a^(b')"},
      {"w[0]^2", "(w[0])^2"},
      {"w'[1]", "(w')[1]"},
      {"a + b > c*d", "(a + b) > (c*d)"},
      {"a >= b", "a > b"},
      {"a < b", "b > a"},
      {"a <= b", "b > a"},
      {"1(a > b)*x", "(a > b)*x"},
      {"1*(a)", "1*a"},
      {"1(a > b)", "a > b"},
      {"f(a, -b, c + d)", "f((a), (-b), (c + d))"},
      {"2.*x", "2 .* x"},
      {"2.^x", "2 .^ x"},
      {"2.5.*x", "2.5 .* x"},
      {".5*x", "0.5*x"},
      {"1e-3", "0.001"},
      {"2.e2", "200"},
      {"2e", "2e"},
      // what keyboards of mathematicians have
      {"2·π", "2*pi"},
      {"a − b", "a - b"},
      {"−x²", "-(x^2)"},
      {"x³", "x^3"},
      {"√2", "sqrt(2)"},
      {"√(2·π)", "sqrt(2*pi)"},
      {"⟨w, C*x⟩", "dot(w, C*x)"},
      {"‖w‖²", "norm(w)^2"},
      {"1(⟨w,x⟩ ≥ 0)·x", "(dot(w, x) > 0)*x"},
      {"a ≤ b", "b > a"},
      {"Σ₁*w", "Σ₁ * w"},
  };
  for (const auto& [text, bracketed] : all) {
    if (text == "2e") continue;  // refused, below
    EXPECT_EQ(parse(text), parse(bracketed)) << text << " is " << to_string(parse(text));
  }
}

TEST(Expression, IsRefusedInOneLineThatNamesTheColumn) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"", "column 1: expected a number, a name or '(', found the end"},
      {"   ", "column 4: expected a number, a name or '(', found the end"},
      {"a +", "column 4: expected a number, a name or '(', found the end"},
      {"a + * b", "column 5: expected a number, a name or '(', found '*'"},
      {"(a + b", "column 7: expected ')' for the '(' of column 1, found the end"},
      {"sqrt(2*pi", "column 10: expected ')' for the '(' of column 5, found the end"},
      {"w[0", "column 4: expected ']' for the '[' of column 2, found the end"},
      {"⟨w, x", "column 6: expected '⟩' for the '⟨' of column 1, found the end"},
      {"‖w", "column 3: expected '‖' for the '‖' of column 1, found the end"},
      {"f(a,)", "column 5: expected a number, a name or '(', found ')'"},
      {"a b", "column 3: expected an operator before 'b'; a product is written a*b"},
      {"2 pi", "column 3: expected an operator before 'pi'; a product is written a*b"},
      {"2e", "column 2: expected an operator before 'e'; a product is written a*b"},
      {"(a)(b)", "column 4: expected an operator before '('; a product is written a*b"},
      {"1 (a > b)", "column 3: expected an operator before '('; a product is written a*b"},
      {"a)", "column 2: ')' belongs to nothing before it"},
      {"a ⟩", "column 3: '⟩' belongs to nothing before it"},
      {"f = w", "column 3: '=' has no meaning here"},
      {"π $ 2", "column 3: '$' has no meaning here"},
      {"|w|", "column 1: '|' has no meaning here"},
      {"a > b > c", "column 7: comparisons do not chain; write 1(a > b)*1(b > c)"},
      {"1(a)", "column 2: 1(…) is an indicator: expected a comparison inside; a product is 1*(…)"},
      {"1e999", "column 1: 1e999 is beyond the range of numbers"},
  };
  for (const auto& [text, message] : all) EXPECT_EQ(refusal_of(text), message) << text;
}

TEST(Expression, TooDeepOrTooLongIsRefused) {
  const auto times = [](std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
  };
  EXPECT_EQ(refusal_of(times(150, "(") + "a" + times(150, ")")), "");
  EXPECT_EQ(refusal_of(times(150, "-") + "a"), "");
  for (const char* opening : {"(", "-", "sqrt(", "a^", "a[", "1(", "⟨", "‖", "√", "a*("})
    EXPECT_NE(refusal_of(times(100'000, opening)).find("more than 200 brackets or signs inside one another"),
              std::string::npos)
        << opening;
  EXPECT_EQ(refusal_of("a" + times(1999, "+a")), "");
  EXPECT_NE(refusal_of("a" + times(100'000, "+a")).find("more than 2000 operations"), std::string::npos);
  EXPECT_NE(refusal_of("a" + times(100'000, "'")).find("more than 2000 operations"), std::string::npos);
}

/// Any formula, as deep as asked for.
Expression random_formula(std::mt19937& random, int depth) {
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  if (depth == 0 || below(5) == 0) {
    if (below(2) == 0)
      return {.kind = Expression::Kind::symbol,
              .name = std::vector<std::string>{"w", "C1", "Σ₀", "pi"}[below(4)]};
    return {.number = std::vector<double>{0, 1, 2, 0.1, 1e300, 1.0 / 3, 5e-324, 123456789.125}[below(8)]};
  }
  Expression call{.kind = Expression::Kind::call};
  const std::vector<std::string> names{"+",  "-", "*",   "/", ".*", "./", "^",
                                       ".^", ">", "neg", "'", "[]", "f",  "dot"};
  call.name = names[below(names.size())];
  std::size_t arguments = 2;
  if (call.name == "neg" || call.name == "'") arguments = 1;
  if (call.name == "neg") call.name = "-";
  if (call.name == "[]") arguments = 1 + below(3);
  if (call.name == "f") arguments = below(4);
  for (std::size_t i = 0; i < arguments; ++i) call.arguments.push_back(random_formula(random, depth - 1));
  return call;
}

RC_GTEST_PROP(Expression, IsReadAsItIsPrinted, ()) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const Expression formula = random_formula(random, 6);
  RC_ASSERT(parse(to_string(formula)) == formula);
}

TEST(Expression, NamesAreLettersDigitsAndUnderscores) {
  for (const char* name : {"w", "C1", "w_1", "_a", "Σ₁", "ξ", "λmax"}) EXPECT_TRUE(is_name(name)) << name;
  for (const char* other : {"", "1w", "a b", "a-b", "w'", "a·b", "x²", "√", "f(x)"})
    EXPECT_FALSE(is_name(other)) << other;
}

}  // namespace
}  // namespace sluice::math

/// Texts of specs: what is no TOML, or none that anybody would write.
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_texts {
namespace {

const std::string kGood =
    "[task]\nkind = \"nlgp\"\nn = 8\n[network]\nkind = \"two-layer\"\nhidden = 3\n[dynamics]\nkind = "
    "\"sgd\"\nsteps = 2\n"
    "[probe]\nsamples = 100\n";

std::string as_on_windows(const std::string& text) {
  std::string lines;
  for (const char c : text) lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return lines;
}

Hostile text(const std::string& name, const std::string& bytes, const std::string& message) {
  return {name, {"run", "bad.toml", "--quiet"}, message, holds("bad.toml", bytes)};
}
/// One that is a spec after all: the run does what it says.
Hostile good(const std::string& name, const std::string& bytes) {
  return {name, {"run", "bad.toml", "--quiet", "--out", "r"}, "", holds("bad.toml", bytes), 0, {"r/"}};
}

}  // namespace
}  // namespace of_hostile_texts

std::vector<Hostile> hostile_texts() {
  using namespace of_hostile_texts;
  return {
      text("NulInAString", std::string("a = \"\0\"", 7), "@"),
      text("L11_NulInAHeader", std::string("[a\0b]\nx = 1", 11), "@"),
      text("Utf16", std::string("\xff\xfe[\0t\0]\0", 8), "@"),
      text("Latin1", "title = \"caf\xe9\"\n", "@"),
      text("ASurrogateInUtf8", "title = \"\xed\xa0\x80\"\n", "@"),
      text("ALetterInTooManyBytes", "title = \"\xc0\xaf\"\n", "@"),
      text("ASurrogateByNumber", "title = \"\\ud800\"\n", "@"),
      text("ALetterBeyondUnicode", "title = \"\\U00110000\"\n", "@"),
      text("EscapeInAString", "title = \"\x1b[31m\"\n", "@"),
      text("ControlInAComment", "# \x01\n" + kGood, "@"),
      text("DeleteInAComment", "# \x7f\n" + kGood, "@"),
      text("L1_EscapeAsAKey", "\"\\u001b[31m\" = 1\n" + kGood, "@"),
      text("L1_NewlineInAKeyOfAFile", "\"a\\nb\" = 1\n" + kGood, "@"),
      text("L1_CarriageReturnInAKey", "\"a\\rb\" = 1\n" + kGood, "@"),
      text("L1_DirectionsInAKeyOfAFile", "\"a\\u202eb\\u2066c\" = 1\n" + kGood, "@"),
      text("L1_C1InAKey", "\"a\\u009b31mb\" = 1\n" + kGood, "@"),
      text("L1_EndOfLineInAKey", "\"a\\u2028b\" = 1\n" + kGood, "@"),
      text("L1_EscapeInAValue", "[task]\nkind = \"\\u001b[2Jnlgp\"\n", "@"),
      text("L1_EscapeInAFormula",
           "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\nactivation = \"\\u001b\"\n", "@"),
      text("L2_AKeyOfAMegabyte", kGood + "[start]\n" + std::string(1000000, 'x') + " = 1\n", "@"),
      text("L2_AQuotedKeyOfAMegabyte", "\"" + repeated("x y ", 250000) + "\" = 1\n" + kGood, "@"),
      text("L2_AListOf100000Numbers", kGood + "[start]\nrun = [" + repeated("1, ", 100000) + "]\n", "@"),
      text("AStringOfAMegabyteWithoutEnd", "title = \"" + std::string(1000000, 'x') + "\n", "@"),
      text("M6_MoreThanASpecCanBe", std::string(17000000, '#'), "@"),
      text("M13_AMillionDots", "a" + repeated(".a", 1000000) + " = 1\n", "@"),
      text("M13_100000Lists", "a = " + std::string(100000, '['), "@"),
      text("M13_100000Tables", "a = " + repeated("{a=", 100000), "@"),
      text("M13_DotsInAHeader", "[a" + repeated(".a", 200) + "]\n", "@"),
      text("L11_ASuperscriptAsAKey", "² = 1\n", "@"),
      text("ABracketAndABrace", "a = [ }\n", "@"),
      text("ASectionTwice", "[task]\n[task]\n", "@"),
      text("AKeyTwiceInOneLine", "task = { kind = \"nlgp\", kind = \"nlgp\" }\n", "@"),
      text("ASectionByDotsAndByAHeader", "task.kind = \"nlgp\"\n[task]\nn = 8\n", "@"),
      text("SectionsAsAList", "[[task]]\nkind = \"nlgp\"\n", "@"),
      text("AMonthTooMany", "seed = 1979-13-45\n", "@"),
      text("AnIntegerTooLong", "seed = 99999999999999999999\n", "@"),
      text("AFloatTooLarge", "seed = 1e999\n", "@"),
      text("TwoUnderscores", "seed = 1__0\n", "@"),
      text("AnOpenString", "title = \"\"\"\n", "@"),
      text("AnOpenLiteral", "title = '''\n", "@"),
      text("ALineBreakInATable", "task = { kind = \"nlgp\",\nn = 8 }\n", "@"),
      text("NothingButAKey", "seed\n", "@"),
      text("NothingButAnEquals", "=\n", "@"),
      text("NothingButAQuote", "\"\n", "@"),
      text("ProgramText", "#!/bin/sh\nexec rm -rf /\n", "@"),
      text("Json", "{\"task\": {\"kind\": \"nlgp\"}}\n", "@"),
      good("LinesAsOnWindows", as_on_windows(kGood)),
      good("AByteOrderMark", "\xef\xbb\xbf" + kGood),
      good("M8_ControlsInATitle", "title = \"\\u001b[31m\\u007f\\u0080\\u202e\\u2028\\n\\u0000\"\n" + kGood),
      good("M8_QuotesAndBackslashesInATitle", "title = \"'''\\\"\\\"\\\"\\\\ </script><b>&amp;\"\n" + kGood),
      good("M8_NoLetterInATitle", "title = \"\\ufffe\\uffff\"\n" + kGood),
      good("TheLargestSeed", "seed = 9223372036854775807\n" + kGood),
      good("AZeroWithASign", "seed = -0.0\n" + kGood),
  };
}

}  // namespace sluice::test

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
      text("NulInAString", std::string("a = \"\0\"", 7),
           "sluice: bad.toml:1: not valid TOML: Error while parsing string: unescaped control characters "
           "other than TAB (U+0009) are explicitly prohibited"),
      text("NulByItsNumber", "title = \"a\\u0000b\"\n" + kGood,
           "sluice: bad.toml:1: expected a text without U+0000"),
      text("NulInAKey", kGood + "[\"a\\u0000b\"]\nx = 1\n",
           "sluice: bad.toml:[...]: expected a text without U+0000"),
      text("L11_NulInAHeader", std::string("[a\0b]\nx = 1", 11),
           "sluice: bad.toml:1: not valid TOML: Error while parsing table header: expected ']', saw "
           "'\\u0000'"),
      text("Utf16", std::string("\xff\xfe[\0t\0]\0", 8),
           "sluice: bad.toml:1: not valid TOML: Encountered invalid utf-8 sequence"),
      text("Latin1", "title = \"caf\xe9\"\n",
           "sluice: bad.toml:1: not valid TOML: Encountered invalid utf-8 sequence"),
      text("ASurrogateInUtf8", "title = \"\xed\xa0\x80\"\n",
           "sluice: bad.toml:1: not valid TOML: Encountered invalid utf-8 sequence"),
      text("ALetterInTooManyBytes", "title = \"\xc0\xaf\"\n",
           "sluice: bad.toml:1: not valid TOML: Encountered invalid utf-8 sequence"),
      text("ASurrogateByNumber", "title = \"\\ud800\"\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing unicode scalar sequence: unicode "
           "surrogates (U+D800 - U+DFFF) are explicitly prohibited"),
      text("ALetterBeyondUnicode", "title = \"\\U00110000\"\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing unicode scalar sequence: values greater "
           "than U+10FFFF are invalid"),
      text("EscapeInAString", "title = \"\x1b[31m\"\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing string: unescaped control characters "
           "other than TAB (U+0009) are explicitly prohibited"),
      text("ControlInAComment", "# \x01\n" + kGood,
           "sluice: bad.toml:1: not valid TOML: Error while parsing comment: control characters other than "
           "TAB (U+0009) are explicitly prohibited in comments"),
      text("DeleteInAComment", "# \x7f\n" + kGood,
           "sluice: bad.toml:1: not valid TOML: Error while parsing comment: control characters other than "
           "TAB (U+0009) are explicitly prohibited in comments"),
      text("L1_EscapeAsAKey", "\"\\u001b[31m\" = 1\n" + kGood,
           "sluice: bad.toml:1: \\x1b[31m: unknown key; expected one of title, question, document, duration, "
           "seed, sample_seed, task, network, dynamics, probe, record, start, sweep"),
      text("L1_NewlineInAKeyOfAFile", "\"a\\nb\" = 1\n" + kGood,
           "sluice: bad.toml:1: a\\nb: unknown key; did you mean 'network.gate.at'?"),
      text("L1_CarriageReturnInAKey", "\"a\\rb\" = 1\n" + kGood,
           "sluice: bad.toml:1: a\\rb: unknown key; did you mean 'network.gate.at'?"),
      text("L1_DirectionsInAKeyOfAFile", "\"a\\u202eb\\u2066c\" = 1\n" + kGood,
           "sluice: bad.toml:1: a\\u202eb\\u2066c: unknown key; expected one of title, question, document, "
           "duration, seed, sample_seed, task, network, dynamics, probe, record, start, sweep"),
      text("L1_C1InAKey", "\"a\\u009b31mb\" = 1\n" + kGood,
           "sluice: bad.toml:1: a\\u009b31mb: unknown key; expected one of title, question, document, "
           "duration, seed, sample_seed, task, network, dynamics, probe, record, start, sweep"),
      text("L1_EndOfLineInAKey", "\"a\\u2028b\" = 1\n" + kGood,
           "sluice: bad.toml:1: a\\u2028b: unknown key; expected one of title, question, document, duration, "
           "seed, sample_seed, task, network, dynamics, probe, record, start, sweep"),
      text(
          "L1_EscapeInAValue", "[task]\nkind = \"\\u001b[2Jnlgp\"\n",
          "sluice: bad.toml:2: task.kind = \"\\u001B[2Jnlgp\": expected one of \"nlgp\", \"gaussian\", "
          "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", \"pulse\", "
          "\"block\", \"teacher\", \"dataset\", \"points\", \"mnist\", \"cifar10\", \"function\""),
      text("L1_EscapeInAFormula",
           "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\nactivation = \"\\u001b\"\n",
           "sluice: bad.toml:5: network.activation = \"\\u001B\": expected one of \"relu\", \"erf\", "
           "\"sigmoid\", \"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; column 1: "
           "'\\x1b' has no meaning here"),
      text("L2_AKeyOfAMegabyte", kGood + "[start]\n" + std::string(1000000, 'x') + " = 1\n",
           "sluice: bad.toml:13: "
           "start."
           "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
           "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
           ": unknown key; expected one of run"),
      text("L2_AQuotedKeyOfAMegabyte", "\"" + repeated("x y ", 250000) + "\" = 1\n" + kGood,
           "sluice: bad.toml:1: x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y "
           "x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y "
           "x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y "
           "x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y "
           "x y x y x y x y … x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y : unknown key; "
           "expected one of title, question, document, duration, seed, sample_seed, task, network, dynamics, "
           "probe, record, start, sweep"),
      text("L2_AListOf100000Numbers", kGood + "[start]\nrun = [" + repeated("1, ", 100000) + "]\n",
           "sluice: bad.toml:13: start.run = [ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1…: "
           "expected a string"),
      text("AStringOfAMegabyteWithoutEnd", "title = \"" + std::string(1000000, 'x') + "\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing string: unescaped control characters "
           "other than TAB (U+0009) are explicitly prohibited"),
      text("M6_MoreThanASpecCanBe", std::string(17000000, '#'),
           "sluice: bad.toml: 17000000 bytes, expected at most 16777216"),
      text("M13_AMillionDots", "a" + repeated(".a", 1000000) + " = 1\n",
           "sluice: bad.toml: expected at most 100 tables and lists in each other, also by dots in a key"),
      text("M13_100000Lists", "a = " + std::string(100000, '['),
           "sluice: bad.toml: expected at most 100 tables and lists in each other, also by dots in a key"),
      text("M13_100000Tables", "a = " + repeated("{a=", 100000),
           "sluice: bad.toml: expected at most 100 tables and lists in each other, also by dots in a key"),
      text("M13_DotsInAHeader", "[a" + repeated(".a", 200) + "]\n",
           "sluice: bad.toml: expected at most 100 tables and lists in each other, also by dots in a key"),
      text("L11_ASuperscriptAsAKey", "² = 1\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing root table: expected keys, tables, "
           "whitespace or comments, saw '²'"),
      text("ABracketAndABrace", "a = [ }\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing value: could not determine value type"),
      text("ASectionTwice", "[task]\n[task]\n",
           "sluice: bad.toml:2: not valid TOML: Error while parsing table header: cannot redefine existing "
           "table 'task'"),
      text("AKeyTwiceInOneLine", "task = { kind = \"nlgp\", kind = \"nlgp\" }\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing key-value pair: cannot redefine existing "
           "string 'kind'"),
      text("ASectionByDotsAndByAHeader", "task.kind = \"nlgp\"\n[task]\nn = 8\n",
           "sluice: bad.toml:2: not valid TOML: Error while parsing table header: cannot redefine existing "
           "table 'task'"),
      text("SectionsAsAList", "[[task]]\nkind = \"nlgp\"\n",
           "sluice: bad.toml:1: task = [ { kind = 'nlgp' } ]: expected a table"),
      text("AMonthTooMany", "seed = 1979-13-45\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing date: expected month between 1 and 12 "
           "(inclusive), saw 13"),
      text("AnIntegerTooLong", "seed = 99999999999999999999\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing decimal integer: '99999999999999999999' "
           "is not representable in 64 bits"),
      text("AFloatTooLarge", "seed = 1e999\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing floating-point: '1e999' could not be "
           "interpreted as a value"),
      text("TwoUnderscores", "seed = 1__0\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing decimal integer: underscores may only "
           "follow digits"),
      text("AnOpenString", "title = \"\"\"\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing string: encountered end-of-file"),
      text("AnOpenLiteral", "title = '''\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing literal string: encountered end-of-file"),
      text("ALineBreakInATable", "task = { kind = \"nlgp\",\nn = 8 }\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing inline table: expected key or closing "
           "'}', saw '\\n'"),
      text("NothingButAKey", "seed\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing key-value pair: expected '=', saw '\\n'"),
      text("NothingButAnEquals", "=\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing root table: expected keys, tables, "
           "whitespace or comments, saw '='"),
      text("NothingButAQuote", "\"\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing string: encountered end-of-file"),
      text("ProgramText", "#!/bin/sh\nexec rm -rf /\n",
           "sluice: bad.toml:2: not valid TOML: Error while parsing key-value pair: expected '=', saw 'r'"),
      text("Json", "{\"task\": {\"kind\": \"nlgp\"}}\n",
           "sluice: bad.toml:1: not valid TOML: Error while parsing root table: expected keys, tables, "
           "whitespace or comments, saw '{'"),
      good("LinesAsOnWindows", as_on_windows(kGood)),
      good("AByteOrderMark", "\xef\xbb\xbf" + kGood),
      good("M8_ControlsInATitle", "title = \"\\u001b[31m\\u007f\\u0080\\u202e\\u2028\\n\"\n" + kGood),
      good("M8_QuotesAndBackslashesInATitle", "title = \"'''\\\"\\\"\\\"\\\\ </script><b>&amp;\"\n" + kGood),
      good("M8_NoLetterInATitle", "title = \"\\ufffe\\uffff\"\n" + kGood),
      good("TheLargestSeed", "seed = 9223372036854775807\n" + kGood),
      good("AZeroWithASign", "seed = -0.0\n" + kGood),
  };
}

}  // namespace sluice::test

/// Every example of every --help: its verb, options, values and names are ones that the program knows. Nothing is run.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/flow/engine.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/lab/sweep_axis.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

using Names = std::set<std::string>;

std::string said(const std::vector<std::string>& words) {
  static const test::TempFolder folder;
  const test::Said answer = test::sluice(words, folder.path());
  EXPECT_EQ(answer.code, 0) << answer.err;
  return answer.out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Lines of a section of a help text, "Options:" for one, up to the line that is empty or another heading.
std::vector<std::string> section(const std::string& help, const std::string& heading) {
  const std::vector<std::string> lines = lines_of(help);
  const auto begin = std::ranges::find(lines, heading);
  if (begin == lines.end()) return {};
  return {begin + 1, std::find_if(begin + 1, lines.end(), [](auto& line) { return !line.starts_with(' '); })};
}

/// The first word of every line.
Names first_words(const std::vector<std::string>& lines) {
  Names words;
  for (const std::string& line : lines) {
    std::string word;
    if (std::istringstream(line) >> word) words.insert(word);
  }
  return words;
}
Names listed(const std::vector<std::string>& words) { return first_words(lines_of(said(words))); }
Names names_of(spec::Choices choices) {
  Names names;
  for (const spec::Choice& choice : choices) names.emplace(choice.name);
  return names;
}

/// Words as a shell would cut them; a comment ends the line.
std::vector<std::string> shell_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  for (const char c : text + " ") {
    if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? '\0' : c;
    } else if (quote == 0 && c == '#' && word.empty()) {
      break;
    } else if (quote == 0 && c == ' ') {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  return words;
}

/// A line cut at the signs between commands, where they are not in quotes.
std::vector<std::string> commands_of(const std::string& line) {
  std::vector<std::string> commands(1);
  char quote = 0;
  for (const char c : line) {
    if (c == '\'' || c == '"') quote = quote == 0 ? c : quote == c ? '\0' : quote;
    if (quote == 0 && std::string_view("&|><()").find(c) != std::string_view::npos)
      commands.emplace_back();
    else
      commands.back() += c;
  }
  return commands;
}

/// The commands of the examples that begin with the program's name, without it: a line may have several.
std::vector<std::vector<std::string>> examples(const std::string& help) {
  std::vector<std::string> lines = section(help, "Examples:");
  if (lines.empty()) lines = section(help, "Example:");
  std::vector<std::vector<std::string>> commands;
  for (const std::string& line : lines) {
    for (const std::string& part : commands_of(line)) {
      std::vector<std::string> words = shell_words(part);
      if (words.empty() || words[0] != "sluice") continue;
      words.erase(words.begin());
      commands.push_back(words);
    }
  }
  return commands;
}

/// What --help says about the words of a verb.
struct Grammar {
  std::map<std::string, bool> options;   ///< with a value?
  std::vector<std::string> positionals;  ///< "QUANTITY", "[SPEC]", "[NAMES...]"
};
Grammar grammar_of(const std::string& help) {
  Grammar grammar;
  const std::regex option(R"(^  (?:-h,)?(--[a-z-]+)( [^ ])?)");
  for (const std::string& line : section(help, "Options:")) {
    std::smatch match;
    if (std::regex_search(line, match, option)) grammar.options[match.str(1)] = match[2].matched;
  }
  const std::string usage = lines_of(help).at(1);
  std::istringstream words(usage.substr(usage.find("[OPTIONS]") + 9));
  for (std::string word; words >> word;) grammar.positionals.push_back(word);
  return grammar;
}

/// A command taken apart.
struct Command {
  std::string verb, whole;
  std::map<std::string, std::vector<std::string>> positionals;
  std::map<std::string, std::vector<std::string>> values;
};
Command parse(const std::vector<std::string>& words, const Grammar& grammar) {
  Command command{.verb = words.at(0)};
  for (const std::string& word : words) command.whole += " " + word;
  std::size_t place = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with("-")) {
      const auto option = grammar.options.find(words[i]);
      if (option == grammar.options.end()) {
        ADD_FAILURE() << command.whole << ": there is no " << words[i];
      } else if (option->second && i + 1 == words.size()) {
        ADD_FAILURE() << command.whole << ": " << words[i] << " needs a value";
      } else if (option->second) {
        command.values[words[i]].push_back(words[i + 1]);
        ++i;
      }
    } else if (place == grammar.positionals.size()) {
      ADD_FAILURE() << command.whole << ": too many words";
    } else {
      const std::string& positional = grammar.positionals[place];
      command.positionals[std::regex_replace(positional, std::regex(R"([\[\].])"), "")].push_back(words[i]);
      if (positional.find("...") == std::string::npos) ++place;
    }
  }
  for (const std::string& positional : grammar.positionals) {
    const std::string name = std::regex_replace(positional, std::regex(R"([\[\].])"), "");
    EXPECT_TRUE(positional.starts_with('[') || command.positionals.contains(name))
        << command.whole << ": " << name << " is missing";
  }
  return command;
}

/// Names and values that must be ones the program knows.
void expect_known(const Command& command) {
  static const Names experiments = listed({"list"});
  static const std::map<std::string, Names> of_options{
      {"--document", {"000", "001", "002", "003", "004", "sheet", "sluice"}},
      {"--kind", names_of(lab::kernel_kinds())},
      {"--pairs", names_of(flow::engine_pairs())},
      {"--operator", names_of(flow::operator_choices())},
      {"--class", {"1", "0"}}};
  static const std::map<std::string, Names> of_positionals{
      {"show NAME", experiments},
      {"theory QUANTITY", first_words(section(said({"theory", "--help"}), "Quantities:"))},
      {"check ID", listed({"check", "--list"})},
      {"figure NAME", listed({"figure", "--list"})},
      {"probe NAMES", listed({"probe", "--list"})},
      {"data ACTION", first_words(section(said({"data", "--help"}), "Actions:"))},
      {"data NAME", {"mnist", "cifar10"}},
      {"completion SHELL", {"bash", "zsh"}}};
  const auto expect_all = [&](const std::vector<std::string>& words, const Names& known) {
    for (const std::string& word : words) {
      const bool own_claim = command.verb == "check" && word.ends_with(".toml");  // the reader's own file
      EXPECT_TRUE(known.contains(word) || own_claim) << command.whole << ": unknown " << word;
    }
  };
  for (const auto& [option, words] : command.values)
    if (const auto known = of_options.find(option); known != of_options.end())
      expect_all(words, known->second);
  for (const auto& [positional, words] : command.positionals) {
    const auto known = of_positionals.find(command.verb + " " + positional);
    if (known != of_positionals.end()) expect_all(words, known->second);
  }
}

/// The spec that the command names, with what it changes in it, is read as the program would. A file is the reader's own; a
/// catalog entry stands in for it.
void expect_a_spec(const Command& command) {
  const auto words = [](const auto& from, const std::string& name) {
    const auto found = from.find(name);
    return found == from.end() ? std::vector<std::string>{} : found->second;
  };
  std::vector<std::string> specs = words(command.positionals, "EXPERIMENT");
  if (specs.empty()) specs = words(command.positionals, "SPEC");
  if (specs.empty()) specs = {"localization"};
  if (specs[0].ends_with(".toml")) specs = {"localization"};
  std::vector<std::string> assignments = words(command.values, "--set");
  try {
    for (const std::string& over : words(command.values, "--over")) {
      const lab::SweepAxis axis = lab::parse_axis(over);
      for (const std::string& value : axis.values) assignments.push_back(axis.key + "=" + value);
    }
    lab::load({.name_or_file = specs[0], .assignments = assignments, .kinds_too = command.verb == "sample"});
  } catch (const InputError& error) {
    ADD_FAILURE() << command.whole << ": " << error.what();
  }
}

std::vector<std::string> verbs() {
  const Names names = first_words(section(said({"--help"}), "Subcommands:"));
  return {names.begin(), names.end()};
}

void expect_good(const std::vector<std::string>& words, const Names& known_verbs) {
  ASSERT_FALSE(words.empty());
  ASSERT_TRUE(known_verbs.contains(words[0])) << "no verb " << words[0];
  const Command command = parse(words, grammar_of(said({words[0], "--help"})));
  expect_known(command);
  expect_a_spec(command);
}

TEST(HelpExamples, NameWhatThereIs) {
  const std::vector<std::string> all = verbs();
  ASSERT_GT(all.size(), 10U);
  const Names known(all.begin(), all.end());
  for (const std::vector<std::string>& words : examples(said({"--help"}))) expect_good(words, known);
  for (const std::string& verb : all) {
    const auto commands = examples(said({verb, "--help"}));
    EXPECT_FALSE(commands.empty()) << verb << " has no example";
    for (const std::vector<std::string>& words : commands) expect_good(words, known);
  }
}

/// The test above can fail: each of these is wrong in one word.
TEST(HelpExamples, ThatAreWrongAreFound) {
  const auto failures = [](const std::string& line) {
    testing::TestPartResultArray results;
    {
      const testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      for (const auto& words : examples("Examples:\n  " + line + "\n")) {
        const std::vector<std::string> all = verbs();
        expect_good(words, Names(all.begin(), all.end()));
      }
    }
    return results.size();
  };
  EXPECT_EQ(failures("sluice run localization --set task.gain=3 && sluice show localization"), 0);
  for (const char* line :
       {"sluice walk localization", "sluice run four-networks", "sluice run localization --gain 3",
        "sluice run localization --set task.gian=3", "sluice run localization --set task.gain=-1",
        "sluice sweep localization --over task.gain=1,x", "sluice run localization oscillation",
        "sluice check N9.1", "sluice theory spectra", "sluice figure runs/a map_of_units",
        "sluice probe runs/a gabor_with", "sluice check --document 005",
        "sluice kernel depth-frg --kind path",
        "sluice show localization > mine.toml && sluice run mine.toml --set", "sluice sample pulses",
        "sluice runs --where 'gain > 1' --by gain", "sluice runs --where 'gain > 1' | sluice walk"})
    EXPECT_GT(failures(line), 0) << line;
}

}  // namespace
}  // namespace sluice

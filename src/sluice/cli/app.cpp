#include "sluice/cli/app.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <type_traits>
#include <utility>

#include "sluice/cli/print.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/version.hpp"

namespace sluice::cli {
namespace {

/// "dynamics.steps=100" of "--steps 100"; empty where the verb has no --set, or no key ends like it.
std::string meant_key(const CLI::App& verb, const std::vector<std::string>& extra) {
  if (verb.get_option_no_throw("--set") == nullptr) return "";
  std::string word =
      extra.front().substr(std::min(extra.front().find_first_not_of('-'), extra.front().size()));
  std::string value = extra.size() > 1 ? extra[1] : "VALUE";
  if (const std::size_t equals = word.find('='); equals != std::string::npos) {
    value = word.substr(equals + 1);
    word.resize(equals);
  }
  std::ranges::replace(word, '-', '_');
  const std::vector<std::string> keys = word.empty() ? std::vector<std::string>() : lab::keys_ending_in(word);
  return keys.empty() ? "" : fmt::format("{}={}", keys.front(), value);
}

/// The option that CLI11 complains of: of those whose names stand in its text, with dashes or without, the longest.
const CLI::Option* option_in(const CLI::App& verb, const std::string& text) {
  const auto bare = [](const CLI::Option* option) {
    return option->get_lnames().empty() ? option->get_name() : option->get_lnames().front();
  };
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : verb.get_options())
    if (text.find(bare(option)) != std::string::npos &&
        (found == nullptr || bare(option).size() > bare(found).size()))
      found = option;
  return found;
}

/// What CLI11 says of an option, as we would: its own words are those of a library, and change with its version.
std::string in_our_words(const CLI::App& verb, const CLI::ParseError& error) {
  std::string text = error.what();
  const CLI::Option* option = option_in(verb, text);
  const bool mismatch = error.get_name() == "ArgumentMismatch";
  if (option == nullptr || (!mismatch && error.get_name() != "ConversionError")) return text;
  const std::string name = option->get_name();
  const CLI::results_t& given = option->results();
  if (!mismatch) return fmt::format("{}: {}: expected a number", name, fmt::join(given, " "));
  if (given.size() > 1) return fmt::format("{}: expected once, found {} times", name, given.size());
  if (text.find("override") != std::string::npos) return fmt::format("{}: expected no value", name);
  return fmt::format("{}: expected a value, {}", name, option->get_type_name());
}

/// One line for what CLI11 could not parse, with the nearest verb or option when there is one.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* scope = &app;
  for (const CLI::App* verb : app.get_subcommands()) scope = verb;
  const std::string where = scope == &app ? "sluice" : fmt::format("sluice {}", scope->get_name());
  const std::vector<std::string> extra = scope->remaining();
  std::string why = in_our_words(*scope, error);
  if (!extra.empty()) {
    const std::string& word = extra.front();
    std::vector<std::string> known;
    if (word.starts_with("-")) {
      for (const CLI::Option* option : scope->get_options())
        if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
      const std::string key = spec::nearest(word, known) ? "" : meant_key(*scope, extra);
      why = fmt::format("unknown option {}{}", word,
                        key.empty() ? spec::hint(word, known) : fmt::format("; did you mean --set {}?", key));
    } else if (scope == &app) {
      for (const CLI::App* verb : app.get_subcommands({})) known.push_back(verb->get_name());
      why = fmt::format("unknown verb '{}'{}", word, spec::hint(word, known));
    } else {
      why = fmt::format("unexpected argument '{}'", word);
    }
  }
  return fmt::format("{}: {} (see {} --help)", where, why, where);
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::capture_default_str() {
  option_->capture_default_str();
  return this;
}

Option* Option::allow_extra_args(bool allow) {
  option_->allow_extra_args(allow);
  return this;
}

Option* Option::check(std::function<std::string(const std::string&)> complaint) {
  option_->check(std::move(complaint));
  return this;
}

Option* Option::transform(std::function<std::string(const std::string&)> read) {
  option_->transform(CLI::Validator(
      [read = std::move(read)](std::string& text) {
        text = read(text);
        return std::string();
      },
      ""));
  return this;
}

App::App(const std::string& description, const std::string& name)
    : program_(std::make_unique<CLI::App>(description, name)), app_(program_.get()) {
  app_->set_version_flag("--version", fmt::format("{} {}", name, version()));
  app_->require_subcommand(0, 1);
}

App::App(CLI::App* verb) : app_(verb) {}

App::~App() = default;

App* App::add_subcommand(const std::string& name, const std::string& description) {
  verbs_.push_back(std::unique_ptr<App>(new App(app_->add_subcommand(name, description))));
  return verbs_.back().get();
}

template <class Value>
Option* App::add_option(const std::string& name, Value& variable, const std::string& meaning) {
  Option* option = &options_.emplace_back(app_->add_option(name, variable, meaning));
  // What a script's empty variable leaves is not the same as no option.
  if constexpr (std::is_same_v<Value, std::string>)
    if (name.starts_with("--"))
      option->check(
          [](const std::string& text) { return text.empty() ? "expected a value, found none" : ""; });
  return option;
}
template Option* App::add_option(const std::string&, std::string&, const std::string&);
template Option* App::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option* App::add_option(const std::string&, int&, const std::string&);
template Option* App::add_option(const std::string&, std::optional<int>&, const std::string&);
template Option* App::add_option(const std::string&, std::int64_t&, const std::string&);
template Option* App::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* App::add_option(const std::string&, double&, const std::string&);

void App::add_flag(const std::string& name, bool& variable, const std::string& meaning) {
  app_->add_flag(name, variable, meaning)->disable_flag_override();
}

void App::footer(const std::string& text) { app_->footer(text); }

void App::callback(std::function<void()> chosen) { app_->callback(std::move(chosen)); }

std::optional<int> App::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      const int code = app_->exit(error, text, text);
      print(text.str());
      return code;
    }
    throw UsageError(explain(*app_, error));
  }
  return std::nullopt;
}

std::string App::help() const { return app_->help(); }

std::vector<App::Verb> App::verbs() const {
  std::vector<Verb> verbs;
  for (const CLI::App* verb : app_->get_subcommands({})) {
    verbs.push_back({verb->get_name(), verb->get_description(), {}});
    for (const CLI::Option* option : verb->get_options()) {
      if (!option->get_lnames().empty()) verbs.back().options.push_back("--" + option->get_lnames().front());
    }
  }
  return verbs;
}

}  // namespace sluice::cli

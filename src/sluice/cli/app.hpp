/// The words of the command line, as verbs declare them. CLI11 reads them, behind this header: its own cost eight seconds
/// of compilation wherever they are included, so app.cpp alone does.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

/// The command line itself is wrong; the message names the verb instead of the program.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An option or a positional argument of a verb, which owns it. Functions return it, to be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* required();
  /// What stands for the value in --help.
  Option* type_name(const std::string& name);
  /// --help shows the value that the variable has now.
  Option* capture_default_str();
  /// false: a repeatable option takes one word each time.
  Option* allow_extra_args(bool allow);
  /// Empty when the text is good, else what to say.
  Option* check(std::function<std::string(const std::string& text)> complaint);
  /// What is read in place of what was typed, before it is checked.
  Option* transform(std::function<std::string(const std::string& text)> read);

 private:
  CLI::Option* option_;
};

/// The program, or one of its verbs.
class App {
 public:
  App(const std::string& description, const std::string& name);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  App* add_subcommand(const std::string& name, const std::string& description);
  /// "--name", or a bare name for a positional argument. The variable has to outlive the app. Value: a string, several of
  /// them, int, std::int64_t, std::uint64_t or double.
  template <class Value>
  Option* add_option(const std::string& name, Value& variable, const std::string& meaning);
  void add_flag(const std::string& name, bool& variable, const std::string& meaning);
  void footer(const std::string& text);
  /// What happens when the verb was chosen and its words are read.
  void callback(std::function<void()> chosen);

  /// Reads the words. The exit code when they were --help or --version, which is then printed; throws UsageError.
  std::optional<int> parse(int argc, char** argv);
  std::string help() const;

  struct Verb {
    std::string name;
    std::string description;
    std::vector<std::string> options;  ///< "--out", …
  };
  std::vector<Verb> verbs() const;

 private:
  explicit App(CLI::App* verb);

  std::unique_ptr<CLI::App> program_;  // null in a verb
  CLI::App* app_;
  std::vector<std::unique_ptr<App>> verbs_;
  std::deque<Option> options_;  // their places do not change
};

}  // namespace sluice::cli

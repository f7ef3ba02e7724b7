/// sluice list, sluice show, sluice keys: what there is.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::cli {
namespace of_catalog {
namespace {

int list(bool json) {
  Rows rows{{"name", "title", "duration"}};
  file::Json entries = file::Json::array();
  for (const lab::CatalogEntry& entry : lab::catalog()) {
    const lab::Experiment experiment = lab::load({.name_or_file = std::string(entry.name)});
    const std::string& duration = experiment.duration;
    rows.push_back({std::string(entry.name), experiment.title, duration.substr(0, duration.find(';'))});
    entries.push_back(file::Json{{"name", std::string(entry.name)},
                                 {"title", experiment.title},
                                 {"question", experiment.question},
                                 {"document", experiment.document},
                                 {"duration", duration}});
  }
  print(json ? entries.dump(2) + "\n" : in_columns(rows, "l"));
  return kSuccess;
}

int show(const std::string& name, bool json) {
  const lab::CatalogEntry* entry = lab::find_in_catalog(name);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const lab::CatalogEntry& known : lab::catalog()) names.emplace_back(known.name);
    throw InputError(fmt::format("{}: no such experiment{}", name, spec::hint(name, names)));
  }
  if (json)
    print(fmt::format("{}\n", file::Json{{"name", name}, {"spec", entry->text}}.dump(2)));
  else
    print(entry->text);
  return kSuccess;
}

std::string default_of(const lab::ListedKey& listed) {
  if (listed.key.required) return "(required)";
  return listed.default_by.empty() ? listed.key.value : fmt::format("(by {})", listed.default_by);
}

void print_text(const std::vector<lab::ListedKey>& keys) {
  for (const lab::ListedKey& listed : keys) {
    print(fmt::format("{} = {}\n    {}\n    expected: {}\n", listed.key.path, default_of(listed),
                      listed.key.meaning, listed.key.expected));
    if (!listed.only_when.empty()) print(fmt::format("    only when {}\n", listed.only_when));
  }
}

/// Within a cell of a Markdown table.
std::string escaped(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

void print_markdown(const std::vector<lab::ListedKey>& keys) {
  print(fmt::format(
      "# Keys of a spec\n\nPrinted by `sluice keys --markdown` from the code that reads them; `make docs` "
      "renews it.\n\n"
      "| key | default | expected | meaning |\n|---|---|---|---|\n"));
  for (const lab::ListedKey& listed : keys) {
    const std::string condition =
        listed.only_when.empty() ? "" : fmt::format(" (only when `{}`)", listed.only_when);
    const std::string usual = listed.key.required         ? "required"
                              : listed.default_by.empty() ? fmt::format("`{}`", listed.key.value)
                                                          : "by " + listed.default_by;
    print(fmt::format("| `{}` | {} | {} | {}{} |\n", listed.key.path, usual, listed.key.expected,
                      escaped(listed.key.meaning), condition));
  }
}

struct KeysArguments {
  std::string part;
  bool markdown = false;
  bool json = false;
};

int keys(const KeysArguments& arguments) {
  if (arguments.markdown && arguments.json) throw InputError("--markdown and --json: expected one of them");
  const std::vector<lab::ListedKey> found = lab::keys_of_part(arguments.part);
  if (arguments.json)
    print(fmt::format("{}\n", lab::to_json(found).dump(2)));
  else if (arguments.markdown)
    print_markdown(found);
  else
    print_text(found);
  return kSuccess;
}

}  // namespace
}  // namespace of_catalog

void add_list(App& app, Action& action) {
  using namespace of_catalog;
  App* verb = app.add_subcommand("list", "The experiments that come with the program");
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "As JSON, with question and document");
  verb->footer("Examples:\n  sluice list\n  sluice list --json | jq -r '.[].name'");
  verb->callback([&action, json] { action = [json] { return list(*json); }; });
}

void add_show(App& app, Action& action) {
  using namespace of_catalog;
  App* verb = app.add_subcommand("show", "Print the spec of an experiment, with its comments");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  verb->add_option("NAME", *name, "A name from `sluice list`")->required();
  verb->add_flag("--json", *json, "As a string in JSON");
  verb->footer(
      "Examples:\n  sluice show localization\n  sluice show localization > mine.toml && sluice run "
      "mine.toml");
  verb->callback([&action, name, json] { action = [name, json] { return show(*name, *json); }; });
}

void add_keys(App& app, Action& action) {
  using namespace of_catalog;
  App* verb = app.add_subcommand("keys", "Every key a spec can have: default, what is expected, meaning");
  auto arguments = std::make_shared<KeysArguments>();
  verb->add_option("PART", arguments->part, "A section, a key or its last word: network.init, gain");
  verb->add_flag("--markdown", arguments->markdown, "As a Markdown table");
  verb->add_flag("--json", arguments->json, "As JSON, with the words that a key takes");
  verb->footer("Examples:\n  sluice keys\n  sluice keys network.init\n  sluice keys gain");
  verb->callback([&action, arguments] { action = [arguments] { return keys(*arguments); }; });
}

}  // namespace sluice::cli

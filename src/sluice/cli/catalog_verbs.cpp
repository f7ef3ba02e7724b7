/// sluice list, sluice show, sluice keys: what there is.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::cli {
namespace of_catalog {
namespace {

int list() {
  Rows rows{{"name", "title", "document", "duration"}};
  for (const lab::CatalogEntry& entry : lab::catalog()) {
    const lab::Experiment experiment = lab::load({.name_or_file = std::string(entry.name)});
    rows.push_back({std::string(entry.name), experiment.title, experiment.document, experiment.duration});
  }
  fmt::print("{}", in_columns(rows, "l"));
  return kSuccess;
}

int show(const std::string& name) {
  const lab::CatalogEntry* entry = lab::find_in_catalog(name);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const lab::CatalogEntry& known : lab::catalog()) names.emplace_back(known.name);
    throw InputError(fmt::format("{}: no such experiment{}", name, spec::hint(name, names)));
  }
  fmt::print("{}", entry->text);
  return kSuccess;
}

int keys_as_text() {
  for (const lab::ListedKey& listed : lab::all_keys()) {
    fmt::print("{} = {}\n    {}\n    expected: {}\n", listed.key.path, listed.key.value, listed.key.meaning,
               listed.key.expected);
    if (!listed.only_when.empty()) fmt::print("    only when {}\n", listed.only_when);
  }
  return kSuccess;
}

int keys_as_markdown() {
  fmt::print(
      "# Keys of a spec\n\nPrinted by `sluice keys --markdown` from the code that reads them; `make docs` "
      "renews it.\n\n"
      "| key | default | expected | meaning |\n|---|---|---|---|\n");
  for (const lab::ListedKey& listed : lab::all_keys()) {
    const std::string condition =
        listed.only_when.empty() ? "" : fmt::format(" (only when `{}`)", listed.only_when);
    fmt::print("| `{}` | `{}` | {} | {}{} |\n", listed.key.path, listed.key.value, listed.key.expected,
               listed.key.meaning, condition);
  }
  return kSuccess;
}

}  // namespace
}  // namespace of_catalog

void add_list(App& app, Action& action) {
  using namespace of_catalog;
  App* verb = app.add_subcommand("list", "The experiments that come with the program");
  verb->footer("Example:\n  sluice list");
  verb->callback([&action] { action = list; });
}

void add_show(App& app, Action& action) {
  using namespace of_catalog;
  App* verb = app.add_subcommand("show", "Print the spec of an experiment, with its comments");
  auto name = std::make_shared<std::string>();
  verb->add_option("NAME", *name, "A name from `sluice list`")->required();
  verb->footer(
      "Examples:\n  sluice show localization\n  sluice show localization > mine.toml && sluice run "
      "mine.toml");
  verb->callback([&action, name] { action = [name] { return show(*name); }; });
}

void add_keys(App& app, Action& action) {
  using namespace of_catalog;
  App* verb = app.add_subcommand("keys", "Every key a spec can have: default, what is expected, meaning");
  auto markdown = std::make_shared<bool>(false);
  verb->add_flag("--markdown", *markdown, "As a Markdown table");
  verb->footer("Example:\n  sluice keys");
  verb->callback([&action, markdown] { action = *markdown ? keys_as_markdown : keys_as_text; });
}

}  // namespace sluice::cli

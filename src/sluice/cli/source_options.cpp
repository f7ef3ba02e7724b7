#include "sluice/cli/source_options.hpp"

namespace sluice::cli {

Option* add_source(App& verb, lab::Source& source, const std::string& positional,
                   const std::string& meaning) {
  source.origins = {.assignments = "--set", .swept = "--over", .seed = "--seed"};
  Option* option = verb.add_option(positional, source.name_or_file, meaning);
  verb.add_option("--set", source.assignments, "Override a key: --set task.gain=0.01 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  return option;
}

void add_seed(App& verb, lab::Source& source) {
  verb.add_option("--seed", source.seed, "Override the spec's seed")->type_name("N");
}

}  // namespace sluice::cli

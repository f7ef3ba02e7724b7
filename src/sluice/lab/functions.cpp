#include "sluice/lab/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "sluice/probe/given.hpp"
#include "sluice/spec/given.hpp"
#include "sluice/task/dataset.hpp"

namespace sluice::lab {

std::map<std::string, std::string> functions_of(const Experiment& experiment) {
  std::map<std::string, std::string> functions;
  constexpr std::string_view kSource = "source";  // task.source, network.gate.source, network.gate_source
  for (const spec::KeyInfo& key : keys_of(experiment)) {
    if (!key.path.ends_with(kSource) || key.value.size() < 2) continue;
    const std::string mark = key.value.substr(1, key.value.size() - 2);  // without its quotes
    if (spec::is_mark(mark)) functions[key.path.substr(0, key.path.size() - kSource.size() - 1)] = mark;
  }
  if (const auto* set = dynamic_cast<const task::DatasetOptions*>(&experiment.task.options());
      set != nullptr && !set->mark().empty())
    functions["task"] = set->mark();
  for (const auto& [name, mark] : probe::function_names(experiment.probe.functions))
    functions["probe." + name] = mark;
  return functions;
}

std::string missing_functions(const record::Recording& run) {
  std::vector<std::string> parts;
  for (const auto& [part, source] : run.functions) parts.push_back(part);
  return fmt::format(
      "Not to be repeated from it alone: {} came from functions or arrays of another program, which the spec "
      "knows by the SHA-256 of what they are.",
      fmt::join(parts, ", "));
}

}  // namespace sluice::lab

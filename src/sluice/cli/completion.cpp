/// sluice completion bash|zsh: scripts made from the program's own verbs, options, catalog and keys.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/cli/figure_options.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/data/data_store.hpp"
#include "sluice/flow/engine.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/record/summary.hpp"
#include "sluice/task/registry.hpp"
#include "sluice/theory/claim.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::cli {
namespace {

/// The names of some things, with a blank between them.
template <class Things, class Name>
std::string words(const Things& things, const Name& name) {
  std::string text;
  for (const auto& each : things) text += (text.empty() ? "" : " ") + std::string(std::invoke(name, each));
  return text;
}
std::string words(spec::Choices choices) { return words(choices, &spec::Choice::name); }

/// "    network.activation) values="relu erf" ;;" for every key that takes words.
std::string cases_of_values() {
  std::string text;
  for (const lab::ListedKey& listed : lab::all_keys())
    if (!listed.key.words.empty())
      text += fmt::format("    {}) values=\"{}\" ;;\n", listed.key.path, fmt::join(listed.key.words, " "));
  return text;
}

/// Columns of `sluice runs`: those of every run, all numbers, all keys.
std::string run_columns() {
  return fmt::format("{} {} {}", words(lab::common_columns(), [](std::string_view name) { return name; }),
                     words(record::number_kinds(), &record::NumberKind::key),
                     words(lab::all_keys(), [](const lab::ListedKey& key) { return key.key.path; }));
}

/// Words that the program knows, each after the placeholder by which the scripts below ask for it.
std::vector<std::pair<std::string, std::string>> vocabulary(const App& app) {
  const auto choice = [](const auto& each) { return each.choice.name; };
  std::vector<probe::Probe> measurable;
  for (const probe::Probe& each : probe::probes())
    if ((each.needs & probe::kRun) == 0) measurable.push_back(each);
  return {{"@verbs@", words(app.verbs(), &App::Verb::name)},
          {"@experiments@", words(lab::catalog(), &lab::CatalogEntry::name)},
          {"@tasks@", words(task::kinds())},
          {"@keys@", words(lab::all_keys(), [](const lab::ListedKey& key) { return key.key.path + "="; })},
          {"@values@", cases_of_values()},
          {"@operators@", words(flow::operator_choices())},
          {"@flow_operators@", words(flow::engine_operators())},
          {"@pairs@", words(flow::engine_pairs())},
          {"@kernels@", words(lab::kernel_kinds())},
          {"@quantities@", words(theory::quantities(), choice)},
          {"@documents@", words(theory::documents(), [](std::string_view name) { return name; })},
          {"@claims@", words(theory::all_claims(), &theory::Claim::id)},
          {"@probes@", words(measurable, choice)},
          {"@figures@", words(lab::figure_choices())},
          {"@palettes@", fmt::format("{}", fmt::join(figure::palette_names(), " "))},
          {"@bars@", fmt::format("{}", fmt::join(bar_names(), " "))},
          {"@logs@", fmt::format("{}", fmt::join(log_names(), " "))},
          {"@boundaries@", fmt::format("{}", fmt::join(boundary_names(), " "))},
          {"@data@", words(data::data_sets(), &data::DataSet::name)},
          {"@run_columns@", run_columns()}};
}

void print(std::string script, const std::vector<std::pair<std::string, std::string>>& vocabulary) {
  for (const auto& [placeholder, text] : vocabulary) {
    for (std::size_t at = 0; (at = script.find(placeholder, at)) != std::string::npos; at += text.size())
      script.replace(at, placeholder.size(), text);
  }
  cli::print(script);
}

constexpr const char* kBash =
    R"(# bash completion for sluice; install:  sluice completion bash > ~/.local/share/bash-completion/completions/sluice
_sluice() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} options="" names="@experiments@"
  local key="" values=""
  COMPREPLY=()
  # bash takes --set network.activation=re apart: "network.activation" "=" "re"
  if [ "$word" = "=" ]; then key=$before; word=""; fi
  if [ "$before" = "=" ]; then key=${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ -n "$key" ]; then
    case "$key" in
@values@    esac
    COMPREPLY=($(compgen -W "$values" -- "$word"))
    return
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "@verbs@ --help --version" -- "$word"))
    return
  fi
  case "$verb" in
@options@  esac
  [ "$verb" = sample ] && names="$names @tasks@"
  case "$before" in
    --set|--over) compopt -o nospace; COMPREPLY=($(compgen -W "@keys@" -- "$word")); return ;;
    --out|--from|--reference|--against|--beside) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --weights) [ "$verb" = probe ] || COMPREPLY=($(compgen -f -X '!*.np[yz]' -- "$word")); return ;;
    --document) COMPREPLY=($(compgen -W "@documents@" -- "$word")); return ;;
    --format) [ "$verb" = figure ] && set -- svg pdf png || set -- table csv json npy
      COMPREPLY=($(compgen -W "$*" -- "$word")); return ;;
    --operator) [ "$verb" = predict ] && set -- @flow_operators@ || set -- @operators@
      COMPREPLY=($(compgen -W "$*" -- "$word")); return ;;
    --palette) COMPREPLY=($(compgen -W "@palettes@" -- "$word")); return ;;
    --bars) COMPREPLY=($(compgen -W "@bars@" -- "$word")); return ;;
    --log) COMPREPLY=($(compgen -W "@logs@" -- "$word")); return ;;
    --boundary) COMPREPLY=($(compgen -W "@boundaries@" -- "$word")); return ;;
    --pairs) COMPREPLY=($(compgen -W "@pairs@" -- "$word")); return ;;
    --kind) COMPREPLY=($(compgen -W "@kernels@" -- "$word")); return ;;
    --class) COMPREPLY=($(compgen -W "1 0" -- "$word")); return ;;
    --seed|--seeds|--threads|--checkpoint-every|--samples|--count|--dpi|--inputs) return ;;
    theory) COMPREPLY=($(compgen -W "@quantities@" -- "$word")); return ;;
    --where|--columns|--sort|--x|--y|--z) [[ "$verb" == runs || "$verb" == figure ]] && COMPREPLY=($(compgen -W "@run_columns@" -- "$word")); return ;;
    data) COMPREPLY=($(compgen -W "get list verify remove" -- "$word")); return ;;
    --data-dir|--continue) COMPREPLY=($(compgen -d -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "bash zsh" -- "$word")); return ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ "$verb" = runs ] && [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "show rm export" -- "$word") $(compgen -d -- "$word"))
  elif [ "$verb" = report ] || [ "$verb" = watch ] || [ "$verb" = runs ]; then
    COMPREPLY=($(compgen -d -- "$word"))
  elif [ "$verb" = check ]; then
    COMPREPLY=($(compgen -W "@claims@" -- "$word") $(compgen -f -X '!*.toml' -- "$word"))
  elif [ "$verb" = probe ] && [ "$COMP_CWORD" -gt 2 ]; then
    COMPREPLY=($(compgen -W "@probes@" -- "$word"))
  elif [ "$verb" = figure ] && [ "$COMP_CWORD" -gt 2 ]; then
    COMPREPLY=($(compgen -W "@figures@" -- "$word"))
  elif [ "$verb" = probe ] || [ "$verb" = figure ]; then
    COMPREPLY=($(compgen -f -- "$word"))
  elif [ "$verb" = data ]; then
    COMPREPLY=($(compgen -W "@data@" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$names" -- "$word") $(compgen -f -X '!*.toml' -- "$word"))
  fi
}
complete -o filenames -F _sluice sluice
)";

constexpr const char* kZsh = R"(#compdef sluice
# zsh completion for sluice; install it as _sluice in a folder of $fpath:  sluice completion zsh > _sluice
_sluice() {
  local -a verbs options names
  names=(@experiments@)
  verbs=(
@described@  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  case "$words[2]" in
@options@  esac
  [[ "$words[2]" == sample ]] && names+=(@tasks@)
  case "$words[CURRENT-1]" in
    --set|--over)
      if [[ "$words[CURRENT]" == *=* ]]; then
        local key=${words[CURRENT]%%=*} values=""
        case "$key" in
@values@        esac
        compadd -P "$key=" -- ${=values}
      else
        compadd -S '' -- @keys@
      fi
      return ;;
    --out|--from|--reference|--against|--beside) _files; return ;;
    --weights) [[ "$words[2]" == probe ]] || _files -g '*.np[yz]'; return ;;
    --document) compadd @documents@; return ;;
    --format) [[ "$words[2]" == figure ]] && compadd svg pdf png || compadd table csv json npy; return ;;
    --operator) [[ "$words[2]" == predict ]] && compadd -- @flow_operators@ || compadd -- @operators@; return ;;
    --palette) compadd -- @palettes@; return ;;
    --bars) compadd -- @bars@; return ;;
    --log) compadd -- @logs@; return ;;
    --boundary) compadd -- @boundaries@; return ;;
    --pairs) compadd -- @pairs@; return ;;
    --kind) compadd -- @kernels@; return ;;
    --class) compadd 1 0; return ;;
    --seed|--seeds|--threads|--checkpoint-every|--samples|--count|--dpi|--inputs) return ;;
    theory) compadd -- @quantities@; return ;;
    --where|--columns|--sort|--x|--y|--z) [[ "$words[2]" == runs || "$words[2]" == figure ]] && compadd -- @run_columns@; return ;;
    data) compadd get list verify remove; return ;;
    --data-dir|--continue) _files -/; return ;;
    completion) compadd bash zsh; return ;;
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    compadd -- $options
  elif [[ "$words[2]" == runs && CURRENT -eq 3 ]]; then
    compadd show rm export
    _files -/
  elif [[ "$words[2]" == report || "$words[2]" == runs || "$words[2]" == watch ]]; then
    _files -/
  elif [[ "$words[2]" == check ]]; then
    compadd -- @claims@
    _files -g '*.toml'
  elif [[ "$words[2]" == probe && CURRENT -gt 3 ]]; then
    compadd -- @probes@
  elif [[ "$words[2]" == figure && CURRENT -gt 3 ]]; then
    compadd -- @figures@
  elif [[ "$words[2]" == probe || "$words[2]" == figure ]]; then
    _files
  elif [[ "$words[2]" == data ]]; then
    compadd -- @data@
  else
    compadd -- $names
    _files -g '*.toml'
  fi
}
_sluice "$@"
)";

int bash(const App& app) {
  auto known = vocabulary(app);
  std::string cases;
  for (const App::Verb& verb : app.verbs())
    cases += fmt::format("    {}) options=\"{}\" ;;\n", verb.name, fmt::join(verb.options, " "));
  known.emplace_back("@options@", cases);
  print(kBash, known);
  return kSuccess;
}

int zsh(const App& app) {
  auto known = vocabulary(app);
  std::string described;
  std::string cases;
  for (const App::Verb& verb : app.verbs()) {
    described +=
        fmt::format("    '{}:{}'\n", verb.name, verb.description.substr(0, verb.description.find(':')));
    cases += fmt::format("    {}) options=({}) ;;\n", verb.name, fmt::join(verb.options, " "));
  }
  known.emplace_back("@described@", described);
  known.emplace_back("@options@", cases);
  print(kZsh, known);
  return kSuccess;
}

}  // namespace

void add_completion(App& app, Action& action) {
  App* verb = app.add_subcommand("completion", "Print a completion script for bash or zsh");
  auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "bash or zsh")->required()->check([](const std::string& text) {
    return text == "bash" || text == "zsh" ? "" : fmt::format("{}: expected bash or zsh", text);
  });
  verb->footer("Example:\n  source <(sluice completion bash)");
  verb->callback(
      [&app, &action, shell] { action = [&app, shell] { return *shell == "bash" ? bash(app) : zsh(app); }; });
}

}  // namespace sluice::cli

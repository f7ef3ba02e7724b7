/// sluice completion bash|zsh: scripts made from the program's own verbs, options, catalog and keys.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "sluice/cli/verbs.hpp"
#include "sluice/data/data_store.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/task/registry.hpp"
#include "sluice/theory/claim.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::cli {
namespace {

std::string option_words(const App::Verb& verb) { return fmt::format("{}", fmt::join(verb.options, " ")); }

std::string catalog_words() {
  std::vector<std::string_view> names;
  for (const lab::CatalogEntry& entry : lab::catalog()) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string kind_words() {
  std::vector<std::string_view> kinds;
  for (const spec::Choice& kind : task::kinds()) kinds.push_back(kind.name);
  return fmt::format("{}", fmt::join(kinds, " "));
}

std::string claim_words() {
  std::vector<std::string_view> ids;
  for (const theory::Claim& claim : theory::all_claims()) ids.push_back(claim.id);
  return fmt::format("{}", fmt::join(ids, " "));
}

std::string quantity_words() {
  std::vector<std::string_view> names;
  for (const theory::Quantity& each : theory::quantities()) names.push_back(each.choice.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string operator_words() {
  std::vector<std::string_view> names;
  for (const spec::Choice& each : flow::operator_choices()) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string probe_words() {
  std::vector<std::string_view> names;
  for (const probe::Probe& each : probe::probes())
    if ((each.needs & probe::kRun) == 0) names.push_back(each.choice.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string figure_words() {
  std::vector<std::string_view> names;
  for (const spec::Choice& each : lab::figure_choices()) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string data_words() {
  std::vector<std::string_view> names;
  for (const data::DataSet& set : data::data_sets()) names.push_back(set.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string key_words() {
  std::vector<std::string> keys;
  for (const lab::ListedKey& listed : lab::all_keys()) keys.push_back(listed.key.path + "=");
  return fmt::format("{}", fmt::join(keys, " "));
}

int bash(const App& app) {
  std::string names;
  std::string cases;
  for (const App::Verb& verb : app.verbs()) {
    names += verb.name + " ";
    cases += fmt::format("    {}) options=\"{}\" ;;\n", verb.name, option_words(verb));
  }
  fmt::print(
      R"(# bash completion for sluice; install:  sluice completion bash > ~/.local/share/bash-completion/completions/sluice
_sluice() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} options="" names="{}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$word"))
    return
  fi
  case "$verb" in
{}  esac
  [ "$verb" = sample ] && names="$names {}"
  case "$before" in
    --set|--over) compopt -o nospace; COMPREPLY=($(compgen -W "{}" -- "$word")); return ;;
    --out) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --weights) COMPREPLY=($(compgen -f -X '!*.np[yz]' -- "$word")); return ;;
    --document) COMPREPLY=($(compgen -W "000 001 sheet" -- "$word")); return ;;
    --format) [ "$verb" = figure ] && set -- svg pdf png || set -- table csv json npy
      COMPREPLY=($(compgen -W "$*" -- "$word")); return ;;
    --reference|--against) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --operator) COMPREPLY=($(compgen -W "{}" -- "$word")); return ;;
    --class) COMPREPLY=($(compgen -W "1 0" -- "$word")); return ;;
    =|--seed|--threads|--checkpoint-every|--samples|--count|--dpi) return ;;
    theory) COMPREPLY=($(compgen -W "{}" -- "$word")); return ;;
    data) COMPREPLY=($(compgen -W "get list verify remove" -- "$word")); return ;;
    --data-dir) COMPREPLY=($(compgen -d -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "bash zsh" -- "$word")); return ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ "$verb" = report ]; then
    COMPREPLY=($(compgen -d -- "$word"))
  elif [ "$verb" = check ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
  elif [ "$verb" = probe ] && [ "$COMP_CWORD" -gt 2 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
  elif [ "$verb" = figure ] && [ "$COMP_CWORD" -gt 2 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
  elif [ "$verb" = probe ] || [ "$verb" = figure ]; then
    COMPREPLY=($(compgen -f -- "$word"))
  elif [ "$verb" = data ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$names" -- "$word") $(compgen -f -X '!*.toml' -- "$word"))
  fi
}}
complete -o filenames -F _sluice sluice
)",
      catalog_words(), names, cases, kind_words(), key_words(), operator_words(), quantity_words(),
      claim_words(), probe_words(), figure_words(), data_words());
  return kSuccess;
}

int zsh(const App& app) {
  std::string names;
  std::string cases;
  for (const App::Verb& verb : app.verbs()) {
    names += fmt::format("    '{}:{}'\n", verb.name, verb.description.substr(0, verb.description.find(':')));
    cases += fmt::format("    {}) options=({}) ;;\n", verb.name, option_words(verb));
  }
  fmt::print(R"(#compdef sluice
# zsh completion for sluice; install it as _sluice in a folder of $fpath:  sluice completion zsh > _sluice
_sluice() {{
  local -a verbs options names
  names=({})
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  case "$words[2]" in
{}  esac
  [[ "$words[2]" == sample ]] && names+=({})
  case "$words[CURRENT-1]" in
    --set|--over) compadd -S '' -- {}; return ;;
    --out) _files; return ;;
    --weights) _files -g '*.np[yz]'; return ;;
    --document) compadd 000 001 sheet; return ;;
    --format) [[ "$words[2]" == figure ]] && compadd svg pdf png || compadd table csv json npy; return ;;
    --reference|--against) _files; return ;;
    --operator) compadd -- {}; return ;;
    --class) compadd 1 0; return ;;
    --seed|--threads|--checkpoint-every|--samples|--count|--dpi) return ;;
    theory) compadd -- {}; return ;;
    data) compadd get list verify remove; return ;;
    --data-dir) _files -/; return ;;
    completion) compadd bash zsh; return ;;
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    compadd -- $options
  elif [[ "$words[2]" == report ]]; then
    _files -/
  elif [[ "$words[2]" == check ]]; then
    compadd -- {}
  elif [[ "$words[2]" == probe && CURRENT -gt 3 ]]; then
    compadd -- {}
  elif [[ "$words[2]" == figure && CURRENT -gt 3 ]]; then
    compadd -- {}
  elif [[ "$words[2]" == probe || "$words[2]" == figure ]]; then
    _files
  elif [[ "$words[2]" == data ]]; then
    compadd -- {}
  else
    compadd -- $names
    _files -g '*.toml'
  fi
}}
_sluice "$@"
)",
             catalog_words(), names, cases, kind_words(), key_words(), operator_words(), quantity_words(),
             claim_words(), probe_words(), figure_words(), data_words());
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

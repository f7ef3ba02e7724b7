#include "sluice/lab/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/spec/write.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;

void RecordOptions::describe(spec::Keys& keys) {
  keys.flag("compress", compress, "deflate the arrays of record.npz");
}

void StartOptions::describe(spec::Keys& keys) {
  keys.text("run", run,
            "folder of a run to go on from: network, optimiser and step are taken over; empty: none");
}

void SweepOptions::describe(spec::Keys& keys) {
  keys.text("over", over, "axes of a sweep, \"task.gain=0.1,1,10; seed=1..5\"; empty: none");
  keys.flag("share_samples", share_samples,
            "all points train and are measured on the samples of the spec's own seed: common random numbers");
}

void Experiment::describe(spec::Keys& keys) {
  keys.text("title", title, "one line");
  keys.text("question", question, "what the experiment asks");
  keys.text("document", document, "where it comes from");
  keys.text("duration", duration, "rough, on two cores");
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()),
               "fixes every random number");
  keys.integer("sample_seed", sample_seed, spec::integers(-1, std::numeric_limits<std::int64_t>::max()),
               "of the samples alone, so that runs of several seeds can share them; -1: the seed");
  keys.section("task", "where samples come from", [this](spec::Keys& inner) { task.describe(inner); });
  keys.section("network", "what is trained", [this](spec::Keys& inner) { network.describe(inner); });
  keys.section("dynamics", "what moves the weights", [this](spec::Keys& inner) {
    dynamics.describe(inner, network.options().units_sharing_output());
    inner.require(!dynamics.fast() || network.kind() == "two-layer", "precision",
                  fmt::format("\"strict\" for network.kind = \"{}\"", network.kind()));
  });
  keys.section("probe", "what is watched", [this](spec::Keys& inner) {
    probe.describe(inner, network.options().usual_probes(), network.options().has_kernels());
  });
  keys.section("record", "what is kept", [this](spec::Keys& inner) { record.describe(inner); });
  keys.section("start", "where a run goes on from", [this](spec::Keys& inner) { start.describe(inner); });
  keys.section("sweep", "of a spec that is a sweep", [this](spec::Keys& inner) { sweep.describe(inner); });
}

net::KeptStart Experiment::kept_start() const {
  return start.run.empty() ? network.options().kept_start() : net::KeptStart{.file = "continued.npz"};
}

void Experiment::start_from_kept() {
  const std::string file = kept_start().file;
  network.options().start_from_kept(file);
  if (!start.run.empty()) start.run = file;
}

namespace {

/// Writers and listers look at an experiment and leave it as it is.
spec::Describe description_of(const Experiment& experiment) {
  return [&experiment](spec::Keys& keys) { const_cast<Experiment&>(experiment).describe(keys); };
}

}  // namespace

std::string to_toml(const Experiment& experiment) { return spec::to_toml(description_of(experiment)); }

std::vector<spec::KeyInfo> keys_of(const Experiment& experiment) {
  return spec::list_keys(description_of(experiment));
}

namespace {

/// A spec that says no more than the kind of its task. The last two kinds are made of another, which has to be named.
std::string spec_of_kind(const std::string& kind) {
  const std::string made_of = kind == "teacher"
                                  ? "inputs = { kind = \"nlgp\" }\nnetwork = { kind = \"two-layer\" }\n"
                              : kind == "dataset" ? "from = { kind = \"nlgp\" }\n"
                                                  : "";
  return fmt::format("[task]\nkind = \"{}\"\n{}[network]\nkind = \"two-layer\"\n[dynamics]\nkind = \"sgd\"\n",
                     kind, made_of);
}

spec::Document open_spec(const Source& source) {
  const std::string& name_or_file = source.name_or_file;
  const bool kinds_too = source.kinds_too;
  if (source.text) return spec::Document::from_text(*source.text, name_or_file);
  std::vector<std::string> names;
  if (kinds_too) {
    for (const spec::Choice& kind : task::kinds()) names.emplace_back(kind.name);
    if (std::ranges::find(names, name_or_file) != names.end()) {
      return spec::Document::from_text(spec_of_kind(name_or_file), name_or_file);
    }
  }
  if (const CatalogEntry* entry = find_in_catalog(name_or_file)) {
    return spec::Document::from_text(entry->text, std::string(entry->name) + ".toml");
  }
  std::error_code why;
  const bool there = fs::exists(name_or_file, why);
  // A name too long for a file is simply no file; of one that cannot be looked at it is said why.
  const bool absent = (!there && !why) || why == std::errc::no_such_file_or_directory ||
                      why == std::errc::not_a_directory || why == std::errc::filename_too_long;
  if (!absent) return spec::Document::from_file(name_or_file);
  for (const CatalogEntry& entry : catalog()) names.emplace_back(entry.name);
  throw InputError(fmt::format("{}: no such file and no such experiment{}{}", name_or_file,
                               kinds_too ? " or kind of task" : "", spec::hint(name_or_file, names)));
}

}  // namespace

Experiment load(const Source& source) {
  spec::Document document = open_spec(source);
  for (const std::string& assignment : source.assignments)
    document.set(assignment, source.origins.assignments);
  if (!source.seed.empty()) document.set("seed=" + source.seed, source.origins.seed);
  for (const std::string& assignment : source.swept) document.set(assignment, source.origins.swept);
  Experiment experiment;
  experiment.loaded_from = document.file();
  experiment.dynamics.optimizer.rate = source.usual_rate;
  try {
    document.read([&](spec::Keys& keys) { experiment.describe(keys); });
  } catch (const spec::UnknownKey& unknown) {  // "gain" for "task.gain" is the commonest slip
    const std::vector<std::string> elsewhere =
        unknown.hinted ? std::vector<std::string>() : keys_ending_in(unknown.path);
    const bool of_another_kind = std::ranges::find(elsewhere, unknown.path) != elsewhere.end();
    if (elsewhere.empty() || of_another_kind) throw;
    throw InputError(fmt::format("{}: {}: unknown key; did you mean '{}'?", unknown.place, unknown.path,
                                 fmt::join(elsewhere, "' or '")));
  }
  const fs::path folder = fs::path(source.name_or_file).parent_path();
  experiment.network.options().resolve(folder);
  experiment.task.resolve(folder);
  if (!experiment.start.run.empty())
    experiment.start.run = file::normal_path(fs::absolute(folder / experiment.start.run)).string();
  return experiment;
}

Experiment parse_spec(const std::string& text, const std::string& name) {
  Experiment experiment;
  experiment.loaded_from = name;
  spec::Document::from_text(text, name).read([&](spec::Keys& keys) { experiment.describe(keys); });
  return experiment;
}

Experiment load_resumed(Source source, const fs::path& folder) {
  const fs::path begun = folder / "spec.toml";
  std::error_code ignored;  // what cannot be looked at is refused where it is opened
  if (fs::exists(begun, ignored))
    source.usual_rate = parse_spec(file::read_text(begun), begun.string()).dynamics.optimizer.rate;
  return load(source);
}

bool is_spec(const fs::path& file) {
  return read_or_nothing([&] { return parse_spec(file::read_text(file), file.string()); }).has_value();
}

std::string short_name(const std::string& name_or_file) {
  const fs::path path(name_or_file);
  if (path.filename() == "spec.toml")
    return fs::absolute(path).lexically_normal().parent_path().filename().string();
  return path.stem().string();
}

}  // namespace sluice::lab

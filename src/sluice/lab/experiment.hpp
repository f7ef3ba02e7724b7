/// An experiment: everything a spec says. A task feeds a network, a dynamics moves its weights, probes watch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/dynamics.hpp"
#include "sluice/net/registry.hpp"
#include "sluice/probe/options.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/spec/write.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::lab {

struct RecordOptions {
  bool compress = true;  // record.npz deflated or stored; numpy loads both

  void describe(spec::Keys& keys);
};

/// Where a run goes on from, in place of a start of its own.
struct StartOptions {
  std::string run;  // the folder of a run, or a state.npz; empty: the network's own start

  void describe(spec::Keys& keys);
};

/// Of a spec that is a whole sweep: `sluice sweep` reads it, the specs of its points do not have it.
struct SweepOptions {
  std::string over;            // "task.gain=log(0.01,100,9); seed=1..5"
  bool share_samples = false;  // all points see the samples of the spec's own seed

  void describe(spec::Keys& keys);
};

struct Experiment {
  std::string loaded_from;  // as messages name it; no key
  std::string title;
  std::string question;  // one or two sentences for the report
  std::string document;  // where it comes from
  std::string duration;  // rough, on two cores
  std::int64_t seed = 1;
  std::int64_t sample_seed = -1;  // of the samples alone; −1: the seed
  task::Section task;
  net::Section network;
  DynamicsOptions dynamics;
  probe::Options probe;
  RecordOptions record;
  StartOptions start;
  SweepOptions sweep;

  void describe(spec::Keys& keys);

  /// What the run folder keeps of what the run starts from, and starting from that instead: everything that a spec took from files is
  /// in the copy of where another run ended, too.
  net::KeptStart kept_start() const;
  void start_from_kept();
};

/// The resolved spec, as TOML with every key.
std::string to_toml(const Experiment& experiment);
/// Every key of it with its value.
std::vector<spec::KeyInfo> keys_of(const Experiment& experiment);

/// How messages name where a value came from that is not in the file.
struct Origins {
  std::string assignments = "assignment";
  std::string swept = "sweep";
  std::string seed = "seed";
};

/// Where an experiment comes from: a name of the catalog, a TOML file or its text, and what is changed in it.
struct Source {
  std::string name_or_file;
  std::vector<std::string> assignments;  ///< "task.gain=0.01"; later ones win
  std::vector<std::string> swept = {};   ///< the same, of a point of a sweep; these win over assignments
  std::string seed = {};                 ///< empty: as in the spec
  double usual_rate = 0;                 ///< dynamics.rate where nothing says it; 0: by kind and network
  bool kinds_too = false;  ///< the name may also be a kind of task: its defaults, and it comes first
  std::optional<std::string> text = {};  ///< of a spec that is in no file; the name is what messages call it
  Origins origins = {};
};

/// Reads and checks the spec. Relative paths are taken relative to the spec file.
Experiment load(const Source& source);
/// The same for a folder that is resumed: what was begun there keeps its rate where the source says none, for the usual one may have been
/// another then.
Experiment load_resumed(Source source, const std::filesystem::path& folder);
/// The same from the text of a resolved spec; `name` stands in messages.
Experiment parse_spec(const std::string& text, const std::string& name);

/// Does the file read as a spec?
bool is_spec(const std::filesystem::path& file);

/// Short name for folders: the catalog name, the file's stem, or the folder of a run's spec.toml.
std::string short_name(const std::string& name_or_file);

}  // namespace sluice::lab

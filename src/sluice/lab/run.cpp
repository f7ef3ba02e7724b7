#include "sluice/lab/run.hpp"

#include <nlohmann/json.hpp>

#include "sluice/lab/session.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::finished:
      return "finished";
    case Ending::already_finished:
      return "already finished";
    case Ending::interrupted:
      return "interrupted";
    case Ending::diverged:
      return "diverged";
  }
  return "unknown";
}

Outcome run(Experiment& experiment, const std::string& name, const RunOptions& options) {
  const auto session = experiment.network.is_deep() ? deep_session(experiment, name, options)
                                                    : two_layer_session(experiment, name, options);
  return session->run();
}

std::string to_json(const Outcome& outcome, const std::string& name, int threads) {
  nlohmann::ordered_json axes;
  for (const probe::Probe& probe : probe::probes()) {
    for (const std::string_view axis : probe::axes_of(probe.extent))
      axes[std::string(probe.choice.name)].push_back(axis);
  }
  const Summary& summary = outcome.summary;
  nlohmann::ordered_json json{
      {"name", name},
      {"status", to_string(outcome.ending)},
      {"sluice", version()},
      {"spec", outcome.spec},
      {"seed", outcome.seed},
      {"threads", threads},
      {"folder", outcome.folder.string()},
      {"seconds", outcome.seconds},
      {"steps", summary.steps},
      {"loss", summary.loss},
      {"accuracy", summary.accuracy},
  };
  if (summary.deep) {
    json["train_loss"] = summary.train_loss;
    json["train_accuracy"] = summary.train_accuracy;
    json["error"] = summary.error;
  } else {
    json["ipr_median_start"] = summary.ipr_start;
    json["ipr_median_end"] = summary.ipr_end;
    json["localized_share"] = summary.localized;
    json["excess_kurtosis"] = summary.excess_kurtosis;
    json["excess_kurtosis_measured"] = summary.excess_kurtosis_measured;
    json["axes"] = axes;
  }
  // A folder's name may be any bytes; JSON must be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::lab

#include "sluice/probe/options.hpp"

#include "sluice/probe/deep_probes.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::probe {
namespace {

void describe_times(spec::Keys& keys, Options& options) {
  keys.integer("every", options.every, spec::integers(1, 1'000'000'000'000), "steps between probe times");
  keys.integer("samples", options.samples, spec::even_integers(2, 100'000'000),
               "evaluation samples for loss and accuracy");
}

}  // namespace

void Options::describe(spec::Keys& keys) {
  describe_times(keys, *this);
  keys.choice_list(
      "watch", watch, probe_choices(),
      "probes; step, weights, bias, loss, accuracy are always kept, readout and offset when learned");
}

void Options::describe_deep(spec::Keys& keys) {
  describe_times(keys, *this);
  keys.choice_list(
      "watch", watch, deep_probe_choices(),
      "probes; loss and accuracy are always kept, also on the training set, and error for squares");
  keys.integer("kernel_samples", kernel_samples, spec::integers(1, 20'000),
               "training samples for the probes of kernels and gates");
  keys.number("tau_active", tau_active, spec::at_least(0), "τ_A: gates above are active");
  keys.number("tau_sensitive", tau_sensitive, spec::at_least(0),
              "τ_S: gates with a slope above are sensitive");
}

}  // namespace sluice::probe

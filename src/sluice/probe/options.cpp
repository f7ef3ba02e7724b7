#include "sluice/probe/options.hpp"

#include "sluice/probe/probe.hpp"

namespace sluice::probe {

void Options::describe(spec::Keys& keys) {
  keys.integer("every", every, spec::integers(1, 1'000'000'000'000), "steps between probe times");
  keys.integer("samples", samples, spec::even_integers(2, 100'000'000),
               "evaluation samples for loss and accuracy");
  keys.choice_list(
      "watch", watch, probe_choices(),
      "probes; step, weights, bias, loss, accuracy are always kept, readout and offset when learned");
}

}  // namespace sluice::probe

#include "sluice/probe/options.hpp"

#include <array>

#include "sluice/probe/given.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::probe {
namespace {

constexpr std::array kKept{
    spec::Choice{"always", "at every probe time"},
    spec::Choice{"end", "of the last probe time alone"},
};

}  // namespace

std::vector<std::string> Options::of_the_end() const {
  return weights == "end" ? std::vector<std::string>{"weights"} : std::vector<std::string>{};
}

void Options::describe(spec::Keys& keys, const std::vector<std::string>& usual, bool kernels) {
  keys.integer("every", every, spec::integers(1, 1'000'000'000'000), "steps between probe times");
  keys.integer("samples", samples, spec::even_integers(2, 100'000'000),
               "evaluation samples for loss and accuracy");
  std::vector<std::string> names = watch.value_or(usual);
  keys.choice_list("watch", names, probe_choices(),
                   "probes; loss, accuracy, weights, biases, a learned readout are always kept, on a finite "
                   "task also train_loss, train_accuracy, error");
  if (names != usual) watch = names;
  keys.choice("weights", weights, kKept,
              "when weights are kept, at every probe time or of the last alone; what is watched of them is "
              "kept at every one");
  keys.text("functions", functions,
            "probes given by the program around the library, \"NAME=SHA-256 of its source; …\"; empty: none");
  const std::string expected = expected_of_functions(functions);
  keys.require(expected.empty(), "functions", expected);
  if (!kernels) return;
  keys.integer("kernel_samples", kernel_samples, spec::integers(1, 20'000),
               "training samples for the probes of kernels and gates");
  keys.number("tau_active", tau_active, spec::at_least(0), "τ_A: gates above are active");
  keys.number("tau_sensitive", tau_sensitive, spec::at_least(0),
              "τ_S: gates with a slope above are sensitive");
}

}  // namespace sluice::probe

#include "sluice/task/registry.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sluice/task/cifar10.hpp"
#include "sluice/task/dataset.hpp"
#include "sluice/task/elliptical.hpp"
#include "sluice/task/function.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/gaussian_clone.hpp"
#include "sluice/task/ising.hpp"
#include "sluice/task/mnist.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "sluice/task/points.hpp"
#include "sluice/task/pulse.hpp"
#include "sluice/task/teacher.hpp"

namespace sluice::task {
namespace {

template <class SomeOptions>
std::unique_ptr<Options> fresh() {
  return std::make_unique<SomeOptions>();
}

enum Trait : unsigned {
  kClassLabels = 1,  ///< labels are those of the classes
  kEndless = 2,      ///< never runs out of samples
  kOnSites = 4,      ///< inputs are the sites of a ring or torus
  kDrawn = 8,        ///< samples can be drawn: sites or images
};

struct Kind {
  spec::Choice choice;
  std::unique_ptr<Options> (*fresh)();
  unsigned traits = kClassLabels | kEndless | kOnSites | kDrawn;
};
constexpr std::array kTable{
    Kind{{"nlgp", "X = erf(g Z)/√Z_g, Z Gaussian on a ring: localizes as g grows"}, fresh<NlgpOptions>},
    Kind{{"gaussian", "X = Z, Gaussian on a ring: never localizes"}, fresh<GaussianOptions>},
    Kind{{"gaussian-clone",
          "Gaussian with the covariance of nlgp: what is left without higher-order structure"},
         fresh<GaussianCloneOptions>},
    Kind{{"student-t", "X = Z·√((ν−2)/χ²_ν): elliptical with heavy tails"}, fresh<StudentTOptions>},
    Kind{{"shell", "X = √n·R u, u uniform on the sphere: elliptical with a fixed radius"},
         fresh<ShellOptions>},
    Kind{{"scale-mixture", "X = √V Z: elliptical with a chosen law of V"}, fresh<ScaleMixtureOptions>},
    Kind{{"norta", "Gaussian copula with a chosen marginal: excess kurtosis from −2 to infinity"},
         fresh<NortaOptions>},
    Kind{{"ising", "spins ±1 on a ring, coupled to their neighbours, sampled exactly"}, fresh<IsingOptions>},
    Kind{{"pulse", "one pulse of random length anywhere on the ring"}, fresh<PulseOptions>},
    Kind{{"block", "one pulse on a fixed grid of disjoint blocks"}, fresh<BlockOptions>},
    Kind{{"teacher", "inputs of another task, labels from a network that does not learn"},
         fresh<TeacherOptions>,
         kEndless | kOnSites | kDrawn},
    Kind{{"dataset", "a finite set of samples, drawn once or loaded: epochs and full batches"},
         fresh<DatasetOptions>,
         kOnSites | kDrawn},
    Kind{{"points", "points with targets, drawn once, for networks to memorise"}, fresh<PointsOptions>, 0},
    Kind{{"mnist", "handwritten digits: all ten, two of them, with random labels or random pixels"},
         fresh<MnistOptions>,
         kDrawn},
    Kind{{"cifar10", "photographs of ten kinds of things in three colours, also flipped and cropped"},
         fresh<Cifar10Options>,
         kDrawn},
    Kind{{"function", "samples made by the program around the library, as a function of Python"},
         fresh<FunctionOptions>,
         kEndless},
};
constexpr auto kKinds = spec::choices_of(kTable);

/// The kinds that have a trait, in the order of the table.
template <Trait trait>
constexpr auto kKindsWith = [] {
  constexpr auto has = [](const Kind& kind) { return (kind.traits & trait) != 0; };
  std::array<spec::Choice, std::ranges::count_if(kTable, has)> choices{};
  auto next = choices.begin();
  for (const Kind& kind : kTable)
    if (has(kind)) *next++ = kind.choice;
  return choices;
}();

std::unique_ptr<Options> options_of(const std::string& kind) {
  for (const Kind& entry : kTable) {
    if (entry.choice.name == kind) return entry.fresh();
  }
  throw std::logic_error("task kind without options: " + kind);
}

}  // namespace

spec::Choices kinds() { return kKinds; }
spec::Choices kinds_with_class_labels() { return kKindsWith<kClassLabels>; }
spec::Choices kinds_on_sites() { return kKindsWith<kOnSites>; }
spec::Choices kinds_to_draw() { return kKindsWith<kDrawn>; }
spec::Choices endless_kinds() { return kKindsWith<kEndless>; }

Section::Section() : Section(std::string(kKinds[0].name)) {}
Section::Section(const std::string& kind) : kind_(kind), options_(options_of(kind)) {}

void Section::describe(spec::Keys& keys, spec::Choices allowed) {
  const std::string before = kind_;
  keys.required_choice("kind", kind_, allowed, "where samples come from");
  if (kind_ != before) options_ = options_of(kind_);
  options_->describe(keys);
}

}  // namespace sluice::task

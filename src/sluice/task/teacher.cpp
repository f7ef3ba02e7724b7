#include "sluice/task/teacher.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sluice/file/checksum.hpp"
#include "sluice/file/system.hpp"
#include "sluice/math/permutation.hpp"
#include "sluice/net/init.hpp"

namespace sluice::task {
void TeacherOptions::describe(spec::Keys& keys) {
  keys.section("inputs", "where inputs come from: a task with its own keys",
               [this](spec::Keys& inner) { inputs.describe(inner, kinds_with_class_labels()); });
  keys.section("network", "the teacher, with the keys of [network]",
               [this](spec::Keys& inner) { network.describe(inner); });
  keys.number("noise", noise, spec::at_least(0), "sd of the noise added to the teacher's output");
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()),
               "fixes the teacher's random weights, whatever the run's seed");
  if (network.init.law == "file")
    keys.text("checksum", checksum, "of the teacher's weights file; empty: any");
}

void TeacherOptions::resolve(const std::filesystem::path& folder) {
  inputs.resolve(folder);
  if (network.init.law != "file") return;
  network.init.path = file::normal_path(std::filesystem::absolute(folder / network.init.path)).string();
  checksum = file::checked_checksum(network.init.path, checksum, "task.checksum");
}

std::unique_ptr<Task> TeacherOptions::make() const {
  std::unique_ptr<Task> law = inputs.make();
  const std::int64_t n = law->inputs();
  return std::make_unique<Teacher>(
      std::move(law),
      Teacher::Network{net::TwoLayer<float>(network, n),
                       net::initial_parameters(network, n, static_cast<std::uint64_t>(seed)), noise});
}

class Teacher::NetworkLabeler final : public Labeler {
 public:
  explicit NetworkLabeler(const Network& network)
      : network_(network), scratch_(network.shape.make_scratch(math::kBlockSamples)) {}

  void label(const math::Address& first, int, const math::Lanes& x, std::span<float> labels) override {
    network_.shape.forward(network_.parameters, x, labels, scratch_);
    if (network_.noise == 0) return;
    // Another key than the inputs' own: a task may draw its radius or its pulse at the same address.
    math::Address noise = first;
    noise.seed = math::mix(first.seed);
    for (std::size_t r = 0; r < labels.size(); ++r) {
      math::RowNumbers numbers(noise, static_cast<std::uint32_t>(r));
      labels[r] += static_cast<float>(network_.noise * numbers.normal());
    }
  }

 private:
  const Network& network_;
  net::TwoLayer<float>::Scratch scratch_;
};

Teacher::Teacher(std::unique_ptr<Task> law, Network network)
    : SameInputs(mean_labels(*law, network), std::move(law)), network_(std::move(network)) {}

Classes Teacher::mean_labels(const Task& law, const Network& network) {
  constexpr std::int64_t kSamples = 1 << 14;
  Classes classes{.labels = {}, .balance = law.classes().balance};
  NetworkLabeler labeler(network);
  math::LanesBuffer<float> samples(law.inputs(), math::kBlockSamples);
  math::LanesBuffer<float> scratch(law.inputs(), math::kBlockSamples);
  std::vector<float> labels(math::kBlockSamples);
  for (int which_class : {0, 1}) {
    double sum = 0;
    for (std::int64_t row = 0; row < kSamples; row += math::kBlockSamples) {
      const std::int64_t rows = std::min(math::kBlockSamples, kSamples - row);
      const math::Address first{.purpose = math::Purpose::mean_labels,
                                .row = static_cast<std::uint32_t>(row)};
      const auto some = std::span(labels).first(static_cast<std::size_t>(rows));
      law.sample(first, which_class, samples.lanes(rows), scratch.lanes(rows));
      labeler.label(first, which_class, samples.lanes(rows), some);
      sum = std::accumulate(some.begin(), some.end(), sum);
    }
    classes.labels.at(static_cast<std::size_t>(which_class)) = sum / static_cast<double>(kSamples);
  }
  return classes;
}

std::unique_ptr<Labeler> Teacher::labeler() const { return std::make_unique<NetworkLabeler>(network_); }

}  // namespace sluice::task

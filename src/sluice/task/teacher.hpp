/// task.kind = "teacher": inputs of any other task, labels from a two-layer network that does not learn (student–teacher).
///   y(x) = ŷ_teacher(x) + noise·ε,  ε ~ N(0, 1)
/// The classes are those of the inputs; their stated labels are E[y | class], measured on 2^14 samples. The teacher's random
/// weights belong to the task's own seed, so that a sweep over the run's seeds meets one teacher.
#pragma once

#include <memory>

#include "sluice/net/options.hpp"
#include "sluice/net/two_layer.hpp"
#include "sluice/task/registry.hpp"
#include "sluice/task/same_inputs.hpp"

namespace sluice::task {

struct TeacherOptions final : Options {
  Section inputs{"nlgp"};
  net::TwoLayerOptions network;
  double noise = 0.0;
  std::int64_t seed = 0;
  std::string checksum;  // of the teacher's weights file, where it has one

  void describe(spec::Keys& keys) override;
  void resolve(const std::filesystem::path& folder) override;
  std::unique_ptr<Task> make() const override;
  std::int64_t dimensions() const override { return inputs.dimensions(); }
};

class Teacher final : public SameInputs {
 public:
  struct Network {
    net::TwoLayer<float> shape;
    std::vector<float> parameters;
    double noise;
  };
  Teacher(std::unique_ptr<Task> law, Network network);

  std::unique_ptr<Labeler> labeler() const override;

 private:
  class NetworkLabeler;
  static Classes mean_labels(const Task& law, const Network& network);

  Network network_;
};

}  // namespace sluice::task

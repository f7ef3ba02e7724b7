#include "sluice/gpu/deep_engine.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/ensemble.hpp"
#include "sluice/gpu/plans.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::gpu {
namespace {

constexpr std::array<std::pair<const char*, Place>, 5> kPlaces{{
    {"cpu", {}},
    {"gpu", {true, Precision::usual}},
    {"gpu:single", {true, Precision::single}},
    {"gpu:tf32", {true, Precision::tf32}},
    {"gpu:bfloat16", {true, Precision::bfloat16}},
}};

NetworkPlan plan_of(const net::DeepGated<float>& network) {
  const net::DeepOptions& options = network.options();
  using Gates = NetworkPlan::Gates;
  NetworkPlan plan{.layers = {},
                   .gates = options.own_gates()          ? Gates::own
                            : options.gated_by_network() ? Gates::network
                            : options.random_gates()     ? Gates::random
                                                         : Gates::open,
                   .soft = options.gate().soft(),
                   .beta = static_cast<float>(options.beta),
                   .epsilon = static_cast<float>(options.epsilon),
                   .trains_weights = options.trains_weights(),
                   .trains_gates = options.gated_by_network() && options.trains_gates(),
                   .parameters = network.parameter_count(),
                   .input = network.input()};
  for (std::int64_t l = 1; l <= network.depth(); ++l) {
    const net::Layer<float>& layer = network.layer(l);
    using Kind = LayerPlan::Kind;
    LayerPlan& next = plan.layers.emplace_back();
    next.kind = layer.window() == nullptr ? Kind::dense
                : layer.rows() > 0        ? Kind::convolution
                                          : Kind::average;
    next.from = layer.from();
    next.to = layer.to();
    if (layer.window() != nullptr) next.window = *layer.window();
    next.weights = network.weights(l).offset;
    next.weight_count = network.weights(l).size();
    next.pool.rows = 0;
    if (l == network.depth()) break;
    if (options.gated_by_network()) next.gate_weights = network.gate_weights(l).offset;
    if (const net::Layer<float>* pool = network.pool(l)) {
      next.pooled = pool->to();
      next.pool = *pool->window();
    }
  }
  return plan;
}

/// Samples on the device: the networks that are trained on a set share them. Engines go before the sets that they were trained on, so an address is not met again.
std::shared_ptr<DeviceSet> shared_set(const task::FiniteSet& set, const net::Volume& input) {
  static std::mutex mutex;
  static std::map<const task::FiniteSet*, std::pair<net::Volume, std::weak_ptr<DeviceSet>>> sets;
  const std::lock_guard guard(mutex);
  auto& [volume, known] = sets[&set];
  std::shared_ptr<DeviceSet> shared = volume == input ? known.lock() : nullptr;
  if (!shared) shared = device().keep(set.x, set.y, input);
  volume = input;
  known = shared;
  return shared;
}

/// Draws batches of fresh samples, all threads at once.
class Drawing {
 public:
  Drawing(const learn::Batches& batches, math::Workers& workers)
      : workers_(workers),
        plan_(batches.rows(), batches.rows_of_first_class()),
        samples_{.inputs = batches.inputs(),
                 .x = std::vector<float>(static_cast<std::size_t>(batches.rows() * batches.inputs())),
                 .y = std::vector<float>(static_cast<std::size_t>(batches.rows()))} {
    for (int thread = 0; thread < workers.threads(); ++thread)
      own_.push_back({batches.drawer(), math::LanesBuffer<float>(batches.inputs(), math::kBlockSamples)});
  }

  const task::FiniteSet& draw(std::uint64_t step) {
    workers_.run(static_cast<std::int64_t>(plan_.blocks.size()), [&](std::int64_t b, int thread) {
      const learn::Block& block = plan_.blocks[static_cast<std::size_t>(b)];
      Own& own = own_[static_cast<std::size_t>(thread)];
      const math::Lanes x = own.block.lanes(block.rows);
      own.drawer->draw(
          step, block, x,
          std::span(samples_.y)
              .subspan(static_cast<std::size_t>(block.first_row), static_cast<std::size_t>(block.rows)));
      float* to = samples_.x.data() + block.first_row * samples_.inputs;
      for (std::int64_t r = 0; r < block.rows; ++r)
        for (std::int64_t i = 0; i < samples_.inputs; ++i) *to++ = x.at(i, r);
    });
    return samples_;
  }

 private:
  struct Own {
    std::unique_ptr<learn::Drawer> drawer;
    math::LanesBuffer<float> block;
  };
  math::Workers& workers_;
  learn::BlockPlan plan_;
  task::FiniteSet samples_;
  std::vector<Own> own_;
};

class DeepEngine final : public learn::Engine {
 public:
  DeepEngine(const learn::Batches& batches, const net::DeepGated<float>& network,
             const learn::OutputLoss& loss, const learn::TrainingOptions& options, double midpoint,
             std::uint64_t gate_seed, learn::State start, math::Workers& workers, Precision precision)
      : batches_(batches),
        workers_(workers),
        input_(network.input()),
        options_(options),
        state_(std::move(start)),
        parameters_of_(state_.step),
        step_(state_.step),
        visits_(static_cast<std::size_t>(batches.rows())),
        machine_(
            device().machine(plan_of(network), training_plan(options, loss, midpoint, batches), precision)) {
    if (batches.set() == nullptr) {
      SLUICE_ASSERT(input_.channels == 1);  // tasks draw one plane, in the order that the device knows
      drawing_.emplace(batches, workers);
    }
    state_.memory.resize(state_.parameters.size() *
                         static_cast<std::size_t>(learn::optimizer(options.kind).memories));
    machine_->put(state_.parameters, state_.memory);
    if (network.options().random_gates()) put_gates(network, gate_seed);
  }

  void move() override {
    const learn::OptimizerOptions now = options_.at(step_);
    const auto t = static_cast<double>(step_ + 1 - state_.memory_from);
    const StepNumbers numbers{.rate = now.rate,
                              .first_share = 1 - std::pow(now.momentum, t),
                              .second_share = 1 - std::pow(now.decay, t)};
    const auto step = static_cast<std::uint64_t>(step_);
    if (drawing_) {
      const task::FiniteSet& samples = drawing_->draw(step);
      machine_->move(samples.x, samples.y, numbers);
    } else {
      for (std::size_t r = 0; r < visits_.size(); ++r)
        visits_[r] = batches_.visit(step, static_cast<std::int64_t>(r));
      machine_->move(kept(*batches_.set()), visits_, numbers);
    }
    ++step_;
  }
  void wait() override { machine_->wait(); }
  std::int64_t step() const override { return step_; }
  const learn::State& state() const override {
    if (state_.step != step_) machine_->get(state_.parameters, state_.memory);
    state_.step = parameters_of_ = step_;
    return state_;
  }
  std::span<const float> parameters() const override {
    if (parameters_of_ != step_) machine_->get(state_.parameters, {});
    parameters_of_ = step_;
    return state_.parameters;
  }
  double rate() const override { return options_.at(step_).rate; }

  std::vector<learn::Judged> judge(const learn::Batches& batches) override {
    const task::FiniteSet* set = batches.set() == nullptr ? &drawn_once(batches) : batches.set();
    if (batches.rows() != set->size()) return {};
    const auto rows = static_cast<std::size_t>(set->size());
    losses_.resize(rows);
    right_.resize(rows);
    machine_->evaluate(kept(*set), losses_, right_);
    std::vector<learn::Judged> samples;
    samples.reserve(rows);
    for (std::size_t s = 0; s < rows; ++s)
      samples.push_back({.label = set->y[s], .loss = losses_[s], .right = right_[s] != 0});
    return samples;
  }

 private:
  /// Batch 0 of fresh samples: the same at every look.
  const task::FiniteSet& drawn_once(const learn::Batches& batches) {
    task::FiniteSet& set = looks_[&batches];
    if (set.y.empty()) set = Drawing(batches, workers_).draw(0);
    return set;
  }
  const DeviceSet& kept(const task::FiniteSet& set) {
    std::shared_ptr<DeviceSet>& here = sets_[&set];
    if (!here) here = shared_set(set, input_);
    return *here;
  }
  /// Those of the rows of the batch, which is the whole set.
  void put_gates(const net::DeepGated<float>& network, std::uint64_t seed) {
    net::Trace<float> trace = network.make_trace(batches_.rows());
    network.set_gates(seed, 0, trace);
    for (std::int64_t l = 1; l < network.depth(); ++l) {
      const math::Aligned<float>& gate = trace.layers[static_cast<std::size_t>(l)].gate;
      std::vector<std::uint8_t> rows;
      for (std::int64_t s = 0; s < batches_.rows(); ++s) {
        for (std::int64_t i = 0; i < network.width(l); ++i)
          rows.push_back(gate[static_cast<std::size_t>(i * trace.stride + s)] > 0 ? 1 : 0);
      }
      machine_->put_gates(l, rows);
    }
  }

  const learn::Batches& batches_;
  math::Workers& workers_;
  net::Volume input_;
  learn::TrainingOptions options_;
  mutable learn::State state_;          // as it was when somebody asked; state_.step says when
  mutable std::int64_t parameters_of_;  // its parameters may be of a later step
  std::int64_t step_;
  std::vector<learn::Visit> visits_;
  std::unique_ptr<Machine> machine_;
  std::optional<Drawing> drawing_;
  std::map<const learn::Batches*, task::FiniteSet> looks_;
  std::map<const task::FiniteSet*, std::shared_ptr<DeviceSet>> sets_;
  std::vector<float> losses_;
  std::vector<std::uint8_t> right_;
};

}  // namespace

Place Place::of(const std::string& text) {
  std::string names;
  for (const auto& [name, place] : kPlaces) {
    if (text == name) return place;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  }
  throw InputError(fmt::format("device = \"{}\": expected one of {}", text, names));
}

std::string Place::text() const {
  for (const auto& [name, place] : kPlaces) {
    if (place.on_device == on_device && place.precision == precision) return name;
  }
  return "cpu";
}

std::string Place::missing() const {
  try {
    require_there();
    return "";
  } catch (const InputError& none) {
    return none.what();
  }
}

void Place::require_there() const {
  if (on_device) static_cast<void>(device());
}

void require_known(const learn::Batches* batches, const net::Network& network, Precision precision) {
  if (batches == nullptr) refuse("dynamics.kind: expected an optimiser");
  if (dynamic_cast<const net::TwoLayerNetwork*>(&network) != nullptr)
    return require_known_two_layer(network, precision);
  const auto* deep = dynamic_cast<const net::DeepNetwork*>(&network);
  if (deep == nullptr) refuse("network.kind: expected \"two-layer\" or \"deep-gated\"");
  const net::DeepOptions& options = deep->layers().options();
  if (!options.logistic() && (options.own_gates() || options.gated_by_network()))
    refuse("network.gate_shape: expected \"logistic\"; formulas are computed on the CPU");
  if (options.function_gates())
    refuse("network.gates = \"function\": expected gates that a device can compute");
}

double least_bytes(const learn::Batches& batches, const net::Network& network,
                   const learn::TrainingOptions& options, Precision precision) {
  const NetworkPlan plan = plan_of(dynamic_cast<const net::DeepNetwork&>(network).layers());
  const double unit = precision == Precision::bfloat16 ? 2 : 4;
  const double of_hidden = plan.gates == NetworkPlan::Gates::network ? 5 : 3;  // q, z, δ; q and z of gates
  const auto parameters = static_cast<double>(plan.parameters);
  double bytes = parameters * (sizeof(float) * (1 + learn::optimizer(options.kind).memories) + unit);
  if (precision == Precision::bfloat16) bytes += parameters * unit;  // as products read them
  for (const LayerPlan& layer : plan.layers) {
    const double kept = &layer == &plan.layers.back() ? 1 : of_hidden;
    bytes += kept * unit * static_cast<double>(batches.rows() * layer.to.size());
  }
  return bytes;
}

std::unique_ptr<learn::Engine> make_trainer(const learn::Batches& batches, const net::Network& network,
                                            const learn::OutputLoss& loss,
                                            const learn::TrainingOptions& options, double midpoint,
                                            std::uint64_t gate_seed, learn::State start,
                                            math::Workers& workers, Precision precision) {
  require_known(&batches, network, precision);
  const auto& deep = dynamic_cast<const net::DeepNetwork&>(network);
  return std::make_unique<DeepEngine>(batches, deep.layers(), loss, options, midpoint, gate_seed,
                                      std::move(start), workers,
                                      precision == Precision::usual ? Precision::single : precision);
}

}  // namespace sluice::gpu

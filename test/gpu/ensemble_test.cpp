/// Many networks on a device against the same on the CPU, one by one.
#include "sluice/gpu/ensemble.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <deque>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/learn/batches.hpp"
#include "sluice/math/philox.hpp"
#include "sluice/math/random.hpp"
#include "test/gpu/on_device.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::gpu {
namespace {

namespace fs = std::filesystem;
using Ensembles = OnDevice;

/// Odd numbers of everything, classes of different sizes; soft units, so that no gate flips on a rounding.
lab::Source spec(const std::vector<std::string>& assignments = {}) {
  return {.name_or_file = "spec", .assignments = assignments, .text = R"(
[task]
kind = "nlgp"
n = 13
balance = 0.4
[network]
kind = "two-layer"
hidden = 7
activation = "soft-relu"
bias = "learned"
[dynamics]
kind = "sgd"
rate = 0.5
batch = 55
steps = 20
[probe]
every = 10
samples = 150
)"};
}

/// Runs of these specs as members of one ensemble, and alone on the CPU.
class Members {
 public:
  explicit Members(const std::vector<std::vector<std::string>>& specs) {
    for (const auto& assignments : specs) setups_.emplace_back(lab::load(spec(assignments)));
  }
  std::size_t size() const { return setups_.size(); }
  learn::State start(std::size_t e) const { return setups_[e].begins(); }
  std::unique_ptr<learn::Ensemble> together(Precision precision, const std::vector<learn::State>& from = {}) {
    std::vector<learn::EnsembleMember> members;
    for (std::size_t e = 0; e < size(); ++e)
      members.push_back(setups_[e].member(from.empty() ? start(e) : from[e], workers_));
    return make_ensemble(std::move(members), precision, workers_);
  }
  /// With the device to itself.
  std::unique_ptr<learn::Engine> alone_there(std::size_t e, Precision precision, learn::State from) {
    return make_engine(setups_[e].member(std::move(from), workers_), precision, workers_);
  }
  std::unique_ptr<learn::Engine> on_cpu(std::size_t e, learn::State from) {
    return setups_[e].trainer(std::move(from), workers_);
  }
  const lab::Setup& setup(std::size_t e) const { return setups_[e]; }
  learn::Evaluation seen(std::size_t e, std::span<const float> parameters) {
    return learn::Evaluator(setups_[e].evaluation(), setups_[e].network(), setups_[e].loss(), 1, workers_)
        .evaluate(parameters);
  }

 private:
  math::Workers workers_{2};
  std::deque<lab::Setup> setups_;
};

/// After twenty steps every member is where it is on the CPU, and its loss and accuracy are those that the CPU finds there.
void expect_like_the_cpu(Members& members, double most, Precision precision) {
  SCOPED_TRACE(precision == Precision::single ? "products of floats" : "products of halves");
  const auto together = members.together(precision);
  together->move(7);
  together->move(13);
  EXPECT_EQ(together->step(), 20);
  const std::vector<learn::Evaluation> seen = together->evaluate();
  for (std::size_t e = 0; e < members.size(); ++e) {
    SCOPED_TRACE("member " + std::to_string(e));
    const auto alone = members.on_cpu(e, members.start(e));
    for (int i = 0; i < 20; ++i) alone->move();
    const std::span<const float> there = together->parameters(e);
    EXPECT_LT(share_of_way(there, alone->parameters(), members.start(e).parameters), most);
    EXPECT_EQ(together->rate(e), alone->rate());
    const learn::Evaluation here = members.seen(e, there);
    EXPECT_NEAR(seen[e].loss, here.loss, 1e-5 * here.loss);
    EXPECT_EQ(seen[e].accuracy, here.accuracy);
    if (members.size() > 1) continue;
    const auto engine = members.alone_there(e, precision, members.start(e));
    engine->stretch(7);
    engine->stretch(13);
    EXPECT_LT(share_of_way(engine->parameters(), alone->parameters(), members.start(e).parameters), most);
  }
}

/// Products of floats, and of halves: those differ by 2⁻¹¹ of every number that they multiply, and come as near as that to where the CPU goes.
void expect_like_the_cpu(Members& members, double most_of_floats, double most_of_halves) {
  expect_like_the_cpu(members, most_of_floats, Precision::single);
  expect_like_the_cpu(members, most_of_halves, Precision::usual);
}

/// Every law that a device draws, with seed, rate, gain, ξ and labels of its own, in one ensemble.
TEST_F(Ensembles, DrawTheSamplesOfTheCpu) {
  Members members({{"task.kind=gaussian", "seed=3"},
                   {"task.gain=0.5", "task.xi=[3,1.5]", "dynamics.rate=0.2"},
                   {"task.kind=gaussian-clone", "task.gain=2"},
                   {"task.kind=norta", "task.marginal=uniform"},
                   {"task.kind=student-t"},
                   {"task.kind=shell"},
                   {"task.kind=scale-mixture"},
                   {"task.kind=scale-mixture", "task.law=exponential"},
                   {"task.kind=scale-mixture", "task.law=two-point"},
                   {"task.kind=pulse", "task.invert=true"},
                   {"task.kind=pulse", "task.support=pm1"},
                   {"seed=12345678901234"}});
  expect_like_the_cpu(members, 1e-4, 2e-3);
  // Of halves, one sign in some thousands is another.
  Members signs(
      {{"task.gain=inf", "task.labels=[1,-1]", "seed=9"}, {"task.kind=norta", "task.marginal=sign"}});
  expect_like_the_cpu(signs, 1e-4, 2e-2);
}

/// A file of 500 rows on thirteen sites, labels by the side of a plane.
std::string own_rows(const fs::path& folder) {
  std::vector<float> x, y;
  math::RowNumbers numbers({.seed = 5, .purpose = math::Purpose::dataset}, 0);
  for (int row = 0; row < 500; ++row) {
    float sum = 0;
    for (int site = 0; site < 13; ++site) {
      x.push_back(static_cast<float>(numbers.normal()));
      sum += site % 3 == 0 ? x.back() : -x.back();
    }
    y.push_back(sum > 0 ? 1.0F : 0.0F);
  }
  file::write_npz(folder / "own.npz", {{"x", {{500, 13}, x}}, {"y", {{500}, y}}}, file::Packing::stored);
  return (folder / "own.npz").string();
}

/// Whose samples have no recipe: drawn on the CPU and sent, batches of two tiles and a part of one. Sets are seen in epochs that end within a batch.
std::vector<std::vector<std::string>> sent_tasks(const fs::path& folder) {
  const std::string on_sites = "n=13}", batch = "dynamics.batch=150";
  return {{batch, R"(task={kind="dataset", samples=400, from={kind="nlgp", )" + on_sites + "}"},
          {batch, R"(task={kind="dataset", path=")" + own_rows(folder) + R"(", test=0.2})", "seed=2"},
          {batch,
           R"(task={kind="teacher", noise=0.3, network={kind="two-layer"}, inputs={kind="gaussian", )" +
               on_sites + "}",
           "seed=3"},
          {batch, R"(task={kind="ising", )" + on_sites, "dynamics.rate=0.2"},
          {batch, R"(task={kind="norta", marginal="laplace", )" + on_sites}};
}
std::vector<std::vector<std::string>> each_with(std::vector<std::vector<std::string>> specs,
                                                const std::vector<std::string>& more) {
  for (auto& each : specs) each.insert(each.end(), more.begin(), more.end());
  return specs;
}

TEST_F(Ensembles, TrainOnSamplesOfTheCpu) {
  const test::TempFolder folder;
  Members members(sent_tasks(folder.path()));
  expect_like_the_cpu(members, 1e-4, 2e-3);
  Members learned(
      each_with(sent_tasks(folder.path()), {"network.readout=learned", "network.activation=erf"}));
  expect_like_the_cpu(learned, 1e-4, 2e-3);
  Members path(each_with(sent_tasks(folder.path()), {"network.pathway=0.3"}));
  expect_like_the_cpu(path, 1e-4, 1e-4);
  std::vector<std::vector<std::string>> on_two_sides = sent_tasks(folder.path());
  std::erase_if(on_two_sides, [](const auto& each) { return each[1].find("teacher") != std::string::npos; });
  Members crossed(each_with(on_two_sides, {"dynamics.loss=cross-entropy"}));
  expect_like_the_cpu(crossed, 1e-4, 2e-3);
  const char* drawn = R"(task={kind="dataset", samples=70, from={kind="nlgp", n=13}})";
  Members whole({{drawn, "dynamics.batch=full"}, {drawn, "dynamics.batch=full", "seed=2"}});
  expect_like_the_cpu(whole, 1e-4, 2e-3);
  using Shape =
      std::pair<std::string, std::string>;  // several blocks a network; wide tiles; too wide for tiles
  for (const auto& [sites, units] : {Shape{"60", "300"}, {"100", "20"}, {"120", "20"}}) {
    SCOPED_TRACE(sites + " sites");
    Members other(
        {{R"(task={kind="ising", n=)" + sites + "}", "network.hidden=" + units, "dynamics.batch=150"}});
    expect_like_the_cpu(other, 2e-4, 3e-3);
  }
}

TEST_F(Ensembles, HaveTheUnitsReadoutsAndLossesOfTheCpu) {
  for (const char* unit : {"relu", "erf", "sigmoid", "tanh", "linear", "soft-relu"}) {
    for (const char* loss : {"half-squared", "l1", "cross-entropy"}) {
      SCOPED_TRACE(std::string(unit) + ' ' + loss);
      const std::vector<std::string> both{
          std::string("network.activation=") + unit, std::string("dynamics.loss=") + loss,
          std::string(loss) == "l1" ? "task.labels=[9,-9]" : "task.labels=[1,0]"};
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), both.begin(), both.end());
        return more;
      };
      // Relu's gates are hard: a rounding may flip one of 55 · 20. Slopes of l1 are signs, too, which labels beyond all outputs keep as they are.
      const bool flips = std::string(unit) == "relu";
      const double most = flips ? 5e-3 : 1e-4, most_of_halves = flips ? 3e-2 : 2e-3;
      Members plain({with({}), with({"seed=2"})});
      expect_like_the_cpu(plain, most, most_of_halves);
      Members learned({with({"network.readout=learned"}), with({"network.readout=learned", "seed=2"})});
      expect_like_the_cpu(learned, most, most_of_halves);
      Members path({with({"network.pathway=0.3", "network.bias=none"})});
      expect_like_the_cpu(path, most, most);
    }
  }
}

TEST_F(Ensembles, HaveTheOptimisersOfTheCpu) {
  for (const char* kind : {"sgd", "momentum", "rmsprop", "adam"}) {
    SCOPED_TRACE(kind);
    std::vector<std::vector<std::string>> specs;
    for (const char* rate : {"0.01", "0.003"})
      specs.push_back({std::string("dynamics.kind=") + kind, std::string("dynamics.rate=") + rate,
                       "dynamics.weight_decay=0.5", "dynamics.schedule.law=cosine",
                       "dynamics.schedule.warmup=5", "network.readout=learned"});
    Members members(specs);
    const bool divides =
        std::string(kind) == "rmsprop" || std::string(kind) == "adam";  // by what may be small
    expect_like_the_cpu(members, std::string(kind) == "rmsprop" ? 1e-3 : 1e-4, divides ? 1e-2 : 2e-3);
  }
}

struct Sample {
  std::vector<double> x;
  double label;
};
/// The batch of a run's first step, as the CPU draws it.
std::vector<Sample> first_batch(const lab::Setup& setup) {
  const learn::Batches& batches = *setup.batches();
  math::LanesBuffer<float> buffer(batches.inputs(), math::kBlockSamples);
  std::vector<float> labels(math::kBlockSamples);
  std::vector<Sample> all;
  const auto drawer = batches.drawer();
  for (const learn::Block& block : learn::BlockPlan(batches.rows(), batches.rows_of_first_class()).blocks) {
    const math::Lanes samples = buffer.lanes(block.rows);
    drawer->draw(0, block, samples, std::span(labels).first(static_cast<std::size_t>(block.rows)));
    for (std::int64_t r = 0; r < block.rows; ++r) {
      Sample& sample = all.emplace_back(Sample{{}, double{labels[static_cast<std::size_t>(r)]}});
      for (std::int64_t i = 0; i < batches.inputs(); ++i) sample.x.push_back(double{samples.at(i, r)});
    }
  }
  return all;
}
/// The same of `precision = "fast"` (cuda/quick_samples.cuh), in double: which word a number is made of, and how.
std::vector<Sample> first_fast_batch(const lab::Setup& setup) {
  const learn::Batches& batches = *setup.batches();
  const auto n = static_cast<unsigned>(batches.inputs()),
             of_first = static_cast<unsigned>(batches.rows_of_first_class());
  const unsigned rows[2] = {of_first, static_cast<unsigned>(batches.rows()) - of_first};
  const unsigned tiles[2] = {(rows[0] + 63) / 64, (rows[1] + 63) / 64};
  const unsigned pairs = n > 40 || setup.network().units() < 64 ? 12 : 10;
  const math::PhiloxKey key{static_cast<std::uint32_t>(setup.sample_seed()),
                            static_cast<std::uint32_t>(setup.sample_seed() >> 32)};
  std::vector<Sample> all;
  unsigned seen[2] = {0, 0};
  for (unsigned place = 0; seen[0] + seen[1] < tiles[0] + tiles[1]; ++place) {
    const int c = seen[0] == tiles[0] ? 1 : seen[1] == tiles[1] ? 0 : static_cast<int>(place % 2);
    const task::Recipe law = *setup.task().recipe(c);
    for (unsigned row = 0; row < 64 && 64 * seen[c] + row < rows[c]; ++row) {
      std::vector<double> normals(48);
      for (unsigned column = 0; column < 8 * (pairs / 2); column += 2) {
        const unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2,
                       m = column / 8 * 2 + row / 8 % 2;
        math::PhiloxCounter words =
            math::philox({1U << 30, place / 16 * 128 + thread, 0, math::address_tag({.seed = 0})}, key);
        for (unsigned four = 0; four <= place % 16 * ((pairs + 3) / 4) + m / 4; ++four)
          words = math::philox(math::philox(words, key, 1), {key[1], key[0]}, 1);
        const std::uint32_t word = words[m % 4];
        const double radius = std::sqrt(-2 * std::log(((word >> 9) + 0.5) * 0x1p-23));
        const auto angle = double{std::bit_cast<float>(0x46000000U | (word & 0xFFFFU) << 8)};
        normals[column] = radius * std::cos(angle);
        normals[column + 1] = radius * std::sin(angle);
      }
      Sample& sample = all.emplace_back(Sample{std::vector<double>(n), c == 0 ? 1.0 : 0.0});
      for (unsigned i = 0; i < n; ++i) {
        double y = 0;
        for (unsigned j = 0; j < n; ++j) y += double{law.mix[i * n + j]} * normals[j];
        sample.x[i] =
            law.map == task::Recipe::Map::erf ? double{law.factor} * std::erf(double{law.gain} * y) : y;
      }
    }
    ++seen[c];
  }
  return all;
}

/// ∇L of ½ mean (ŷ − y)² at the start of a run, ŷ being the mean of rectified or of erf units, on some samples, all in double.
std::vector<double> gradient_in_double(const lab::Setup& setup, bool rectified,
                                       const std::vector<Sample>& samples) {
  const auto value = [&](double h) { return rectified ? std::max(h, 0.0) : std::erf(h / std::sqrt(2.0)); };
  const auto slope = [&](double h) {
    return rectified ? (h < 0 ? 0.0 : 1.0) : std::sqrt(2 / std::numbers::pi) * std::exp(-h * h / 2);
  };
  const std::vector<float> theta = setup.begins().parameters;
  const std::size_t n = samples.front().x.size(), units = theta.size() / (n + 1);
  std::vector<double> gradient(theta.size()), h(units);
  for (const auto& [x, label] : samples) {
    double output = 0;
    for (std::size_t k = 0; k < units; ++k) {
      h[k] = theta[units * n + k];
      for (std::size_t i = 0; i < n; ++i) h[k] += double{theta[k * n + i]} * x[i];
      output += value(h[k]) / static_cast<double>(units);
    }
    const double off = (output - label) / static_cast<double>(samples.size()) / static_cast<double>(units);
    for (std::size_t k = 0; k < units; ++k) {
      for (std::size_t i = 0; i < n; ++i) gradient[k * n + i] += off * slope(h[k]) * x[i];
      gradient[units * n + k] += off * slope(h[k]);
    }
  }
  return gradient;
}
/// How far a step at this rate is from the gradient, as a share of it.
double apart_from(const std::vector<double>& gradient, std::span<const float> start,
                  std::span<const float> there, double rate) {
  double apart = 0, all = 0;
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    apart += std::pow((double{start[p]} - double{there[p]}) / rate - gradient[p], 2);
    all += gradient[p] * gradient[p];
  }
  return std::sqrt(apart / all);
}

/// A step of gradient descent is the gradient times the rate: of 100 units on 1000 samples that the CPU draws, against double. Of floats roundings are left (measured 8e-7). Of halves, 2⁻¹¹ of
/// every number: erf units 1.7e-4, to which a device's tanh adds; rectified ones 5e-3 and 7e-3, as one gate in five thousand flips, a fifth of a sample of each unit's thousand, whose sum is about sixty times as long as one.
TEST_F(Ensembles, GoAlongTheGradientInDouble) {
  for (const bool rectified : {true, false}) {
    const auto with = [&](const char* task, const char* seed) {
      return std::vector<std::string>{task,
                                      seed,
                                      rectified ? "network.activation=relu" : "network.activation=erf",
                                      "task.n=40",
                                      "network.hidden=100",
                                      "dynamics.batch=1000",
                                      "dynamics.rate=100",
                                      "task.balance=0.5"};
    };
    Members members({with("task.gain=3", "seed=1"), with("task.kind=gaussian", "seed=2")});
    for (const Precision precision : {Precision::single, Precision::usual}) {
      const double most = precision == Precision::single ? 1e-5 : rectified ? 1.5e-2 : 1.5e-3;
      const auto together = members.together(precision);
      together->move(1);
      for (std::size_t e = 0; e < members.size(); ++e) {
        const lab::Setup& setup = members.setup(e);
        const std::vector<double> gradient = gradient_in_double(setup, rectified, first_batch(setup));
        EXPECT_LT(apart_from(gradient, members.start(e).parameters, together->parameters(e), 100), most)
            << "member " << e << (rectified ? ", relu" : ", erf");
      }
    }
  }
}

/// `precision = "fast"` goes along the gradient of its own samples, in blocks and in clusters of them, whose classes may have tiles of their own number. Measured on an H200: erf 0.7e-3 to 1.8e-3,
/// relu 1.1e-2 to 2.8e-2, where gates flip; emulated, where halves are rounded less often, half of that.
TEST_F(Ensembles, FastOnesGoAlongTheGradientInDouble) {
  struct Shape {
    const char *sites, *units, *batch, *balance;
  };
  for (const Shape& shape :
       {Shape{"40", "100", "1000", "0.5"}, {"47", "127", "1500", "0.3"}, {"13", "63", "150", "0.8"}}) {
    for (const bool rectified : {true, false}) {
      const double most = rectified ? 4e-2 : 4e-3;
      const auto with = [&](const char* task, const char* seed) {
        return std::vector<std::string>{task,
                                        seed,
                                        rectified ? "network.activation=relu" : "network.activation=erf",
                                        std::string("task.n=") + shape.sites,
                                        std::string("network.hidden=") + shape.units,
                                        std::string("dynamics.batch=") + shape.batch,
                                        std::string("task.balance=") + shape.balance,
                                        "dynamics.rate=100",
                                        "dynamics.precision=fast"};
      };
      Members members({with("task.gain=3", "seed=1"), with("task.kind=gaussian", "seed=98765432101")});
      const auto together = members.together(Precision::usual);
      together->move(1);
      for (std::size_t e = 0; e < members.size(); ++e) {
        const lab::Setup& setup = members.setup(e);
        const std::vector<double> gradient = gradient_in_double(setup, rectified, first_fast_batch(setup));
        const std::vector<float> start = members.start(e).parameters;
        const auto alone = members.alone_there(e, Precision::usual, members.start(e));
        alone->stretch(1);
        EXPECT_LT(apart_from(gradient, start, together->parameters(e), 100), most)
            << shape.sites << " sites, member " << e << (rectified ? ", relu" : ", erf");
        EXPECT_LT(apart_from(gradient, start, alone->parameters(), 100), most)
            << shape.sites << " sites, alone, member " << e << (rectified ? ", relu" : ", erf");
      }
    }
  }
}

/// One trajectory over two hundred steps: measured 6e-4 (soft relu), 2e-4 (erf) and 6e-3 (relu) of the way with products of halves, 3e-7 with those of floats.
TEST_F(Ensembles, StayWithTheCpuForTwoHundredSteps) {
  Members members({{"dynamics.steps=200"}});
  Members bent({{"dynamics.steps=200", "network.activation=erf", "seed=2"}});
  Members rectified({{"dynamics.steps=200", "network.activation=relu", "seed=3"}});
  const auto after = [](Members& some, Precision precision, double most) {
    const auto together = some.together(precision);
    together->move(200);
    for (std::size_t e = 0; e < some.size(); ++e) {
      const auto alone = some.on_cpu(e, some.start(e));
      for (int i = 0; i < 200; ++i) alone->move();
      EXPECT_LT(share_of_way(together->parameters(e), alone->parameters(), some.start(e).parameters), most);
    }
  };
  after(members, Precision::single, 1e-4);
  after(members, Precision::usual, 3e-3);
  after(bent, Precision::single, 1e-4);
  after(bent, Precision::usual, 3e-3);
  after(rectified, Precision::single, 5e-3);
  after(rectified, Precision::usual, 3e-2);
}

/// Blocks and a torus, whose sites are other members' neither in number nor in order.
TEST_F(Ensembles, KnowOtherShapes) {
  Members blocks({{"task.n=12", "task.kind=block", "task.block=[4,2]"}});
  expect_like_the_cpu(blocks, 1e-4, 2e-3);
  Members torus({{"task.n=5", "task.dim=2"}, {"task.n=5", "task.dim=2", "task.kind=shell"}});
  expect_like_the_cpu(torus, 1e-4, 2e-3);
}

/// Every kernel that is made for some shapes: tiles of four widths, one to three warpgroups a block, networks of one and of several blocks; and shapes that are too large for them. Each is a
/// test of its own: sanitizers take minutes for all.
struct Shape {
  int sites, units;
  bool readout = false;            // learned, too
  std::string unit = "soft-relu";  // no gate of it flips on a rounding

  friend void PrintTo(const Shape& shape, std::ostream* to) {
    *to << shape.sites << " sites, " << shape.units << " units, " << shape.unit;
  }
};
class EnsemblesOfShape : public OnDevice, public testing::WithParamInterface<Shape> {};

TEST_P(EnsemblesOfShape, AreLikeTheCpu) {
  const Shape shape = GetParam();
  for (const char* readout : {"mean", "learned"}) {
    if (!shape.readout && std::string(readout) == "learned") continue;
    SCOPED_TRACE(readout);
    Members members(
        {{"task.n=" + std::to_string(shape.sites), "network.hidden=" + std::to_string(shape.units),
          std::string("network.readout=") + readout, "network.activation=" + shape.unit, "dynamics.batch=150",
          "dynamics.rate=0.02"}});
    expect_like_the_cpu(members, 2e-4, 3e-3);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Kernels, EnsemblesOfShape,
    testing::Values(Shape{40, 1}, Shape{40, 50, true}, Shape{13, 90}, Shape{40, 120, true}, Shape{60, 50},
                    Shape{60, 90}, Shape{60, 200, true}, Shape{60, 300}, Shape{60, 600},
                    Shape{100, 130, true}, Shape{100, 300}, Shape{120, 20, true}, Shape{150, 150},
                    Shape{260, 20},
                    // Of several warpgroups some have eight units less than others; erf is summed where
                    // it is found, the sigmoid of no unit is not 0.
                    Shape{60, 200, true, "erf"}, Shape{60, 300, false, "erf"}, Shape{100, 300, false, "erf"},
                    Shape{100, 300, false, "sigmoid"}, Shape{100, 330, false, "erf"},
                    Shape{100, 5, false, "erf"}, Shape{150, 90, true, "erf"}),
    [](const auto& which) {
      return std::to_string(which.param.sites) + "And" + std::to_string(which.param.units) +
             (which.param.unit == "soft-relu" ? "" : "Of" + which.param.unit);
    });

/// Twice the same bits, in stretches of other lengths; after states came back and went there again; and begun here, gone on with there.
void expect_to_go_on(const std::vector<std::vector<std::string>>& specs, Precision precision, double most) {
  Members members(each_with(specs, {"dynamics.kind=adam", "dynamics.rate=0.01"}));
  const auto once = members.together(precision), again = members.together(precision);
  once->move(20);
  again->move(6);
  std::vector<learn::State> states;
  for (std::size_t e = 0; e < members.size(); ++e) states.push_back(again->state(e));
  const auto resumed = members.together(precision, states);
  resumed->move(14);
  for (std::size_t e = 0; e < members.size(); ++e) EXPECT_EQ(once->state(e), resumed->state(e));

  std::vector<learn::State> begun;
  for (std::size_t e = 0; e < members.size(); ++e) {
    const auto engine = members.on_cpu(e, members.start(e));
    for (int i = 0; i < 6; ++i) engine->move();
    begun.push_back(engine->state());
  }
  const auto taken_up = members.together(precision, begun);
  taken_up->move(7);
  for (std::size_t e = 0; e < members.size(); ++e) {
    const auto back = members.on_cpu(e, taken_up->state(e)), all = members.on_cpu(e, members.start(e));
    for (int i = 0; i < 7; ++i) back->move();
    for (int i = 0; i < 20; ++i) all->move();
    EXPECT_EQ(back->state().step, 20);
    EXPECT_LT(share_of_way(back->parameters(), all->parameters(), members.start(e).parameters), most);
  }
}
TEST_F(Ensembles, GoOnFromTheirStates) {
  const std::vector<std::vector<std::string>> drawn{{}, {"seed=4", "task.gain=1"}};
  expect_to_go_on(drawn, Precision::single, 1e-4);
  expect_to_go_on(drawn, Precision::usual, 1e-2);
  const test::TempFolder folder;
  expect_to_go_on(sent_tasks(folder.path()), Precision::single, 1e-4);
  expect_to_go_on(sent_tasks(folder.path()), Precision::usual, 1e-2);
}

/// More steps than are sent at once, in stretches that end elsewhere.
TEST_F(Ensembles, ComeToTheSameInOtherStretches) {
  Members members({{R"(task={kind="dataset", samples=70, from={kind="nlgp", n=13}})", "dynamics.batch=32"},
                   {R"(task={kind="ising", n=13})", "dynamics.batch=32"}});
  for (const Precision precision : {Precision::single, Precision::usual}) {
    const auto once = members.together(precision), again = members.together(precision);
    once->move(75);
    for (const int steps : {1, 33, 41}) again->move(steps);
    for (std::size_t e = 0; e < members.size(); ++e) {
      EXPECT_EQ(once->state(e), again->state(e));
      const auto alone = members.on_cpu(e, members.start(e));
      for (int i = 0; i < 75; ++i) alone->move();
      EXPECT_LT(share_of_way(once->parameters(e), alone->parameters(), members.start(e).parameters),
                precision == Precision::single ? 1e-4 : 3e-3);
    }
  }
}

/// A task that fails at a step, as a function of Python may.
class Failing final : public learn::Batches {
 public:
  explicit Failing(const learn::Batches& all) : all_(all) {}
  std::int64_t inputs() const override { return all_.inputs(); }
  std::int64_t rows() const override { return all_.rows(); }
  std::int64_t rows_of_first_class() const override { return all_.rows_of_first_class(); }
  std::unique_ptr<learn::Drawer> drawer() const override { return std::make_unique<Drawer>(*this); }

  bool fails = true;

 private:
  class Drawer final : public learn::Drawer {
   public:
    explicit Drawer(const Failing& of) : of_(of), all_(of.all_.drawer()) {}
    void draw(std::uint64_t step, const learn::Block& block, const math::Lanes& x,
              std::span<float> labels) override {
      if (of_.fails && step == 40) throw std::runtime_error("no more");
      all_->draw(step, block, x, labels);
    }

   private:
    const Failing& of_;
    std::unique_ptr<learn::Drawer> all_;
  };
  const learn::Batches& all_;
};

TEST_F(Ensembles, AFailureInTheMiddleLeavesNothingBehind) {
  const lab::Setup setup(lab::load(spec({R"(task={kind="ising", n=13})", "dynamics.batch=32"})));
  math::Workers workers(2);
  for (const Precision precision : {Precision::single, Precision::usual}) {
    Failing batches(*setup.batches());
    const auto made = [&](const learn::Batches& from) {
      std::vector<learn::EnsembleMember> one{setup.member(setup.begins(), workers)};
      one.front().batches = &from;
      return make_ensemble(std::move(one), precision, workers);
    };
    const auto failing = made(batches), whole = made(*setup.batches());
    failing->move(3);
    const learn::State before = failing->state(0);
    EXPECT_THROW(failing->move(60), std::runtime_error);
    EXPECT_EQ(failing->step(), 3);
    EXPECT_EQ(failing->state(0), before);
    batches.fails = false;
    failing->move(60);
    whole->move(63);
    EXPECT_EQ(failing->state(0), whole->state(0));
  }
}

TEST_F(Ensembles, BitsDoNotDependOnHowManyThereAre) {
  for (const auto& [readout, task] : {std::pair{"mean", "task.kind=nlgp"},
                                      {"learned", "task.kind=nlgp"},
                                      {"mean", "task.kind=ising"},
                                      {"mean", "dynamics.precision=fast"}}) {
    std::vector<std::vector<std::string>> specs;
    for (int e = 0; e < 9; ++e)
      specs.push_back({task, "seed=" + std::to_string(e + 1), std::string("network.readout=") + readout});
    SCOPED_TRACE(std::string(task) + ' ' + readout);
    Members many(specs), one({specs.front()});
    const auto together = many.together(Precision::usual), alone = one.together(Precision::usual);
    together->move(5);
    alone->move(5);
    EXPECT_EQ(together->state(0), alone->state(0));
    EXPECT_EQ(together->evaluate().front().loss, alone->evaluate().front().loss);
    EXPECT_NE(together->state(1), alone->state(0));
  }
}

/// One that has the device to itself is a cluster of two, eight or sixteen blocks, one of which may have no tiles: the same bits every time, also after a checkpoint, and those of a block up
/// to rounding.
TEST_F(Ensembles, OneAloneIsACluster) {
  for (const char* batch : {"150", "600", "1100"}) {
    for (const char* how : {"network.readout=mean", "network.readout=learned", "dynamics.precision=fast"}) {
      SCOPED_TRACE(std::string(batch) + " samples, " + how);
      Members one(
          {{std::string("dynamics.batch=") + batch, how, "dynamics.kind=adam", "dynamics.rate=0.01"}});
      const auto once = one.alone_there(0, Precision::usual, one.start(0)),
                 again = one.alone_there(0, Precision::usual, one.start(0));
      const auto among_others = one.together(Precision::usual);
      once->stretch(6);
      again->stretch(2);
      const auto resumed = one.alone_there(0, Precision::usual, again->state());
      resumed->stretch(4);
      among_others->move(6);
      EXPECT_EQ(once->state(), resumed->state());
      EXPECT_LT(share_of_way(once->parameters(), among_others->parameters(0), one.start(0).parameters), 2e-3);
    }
  }
}

TEST_F(Ensembles, WhatADeviceDoesNotKnowIsRefusedInOneLine) {
  const auto refused = [](const std::vector<std::string>& assignments, const char* place) -> std::string {
    try {
      lab::Setup(lab::load(spec(assignments))).require_known_at(Place::of(place));
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refused({}, "gpu"), "");
  EXPECT_EQ(refused({"network.activation=max(h,0)"}, "gpu"),
            "device \"gpu\": network.activation: formulas are computed on the CPU: expected one of the units "
            "that have a name");
  EXPECT_EQ(refused({"task.kind=ising"}, "gpu"), "");
  EXPECT_EQ(refused({R"(task={kind="dataset", samples=60, from={kind="nlgp", n=13}})"}, "gpu"), "");
  const test::TempFolder folder;
  std::vector<std::int64_t> three;
  for (std::int64_t row = 0; row < 60; ++row) three.push_back(row % 3);
  file::write_npz(folder / "three.npz",
                  {{"x", {{60, 13}, std::vector<float>(60 * 13)}}, {"y", {{60}, three}}},
                  file::Packing::stored);
  const std::string classes =
      R"(task={kind="dataset", target="class", path=")" + (folder / "three.npz").string() + R"("})";
  EXPECT_EQ(refused({classes}, "gpu"),
            "network.kind = \"two-layer\": expected \"deep-gated\" for the 3 classes of the task");
  EXPECT_EQ(refused({}, "gpu:single"), "");
  EXPECT_NE(refused({}, "gpu:tf32").find("have no such precision"), std::string::npos);
}

std::string record_of(const fs::path& run) { return file::read_text(run / "record.npz"); }
double last_loss(const fs::path& run) {
  return file::find(file::read_npz(run / "record.npz"), "loss")->as<double>().back();
}

lab::RunOptions in(const fs::path& out, int stop_after = 1'000'000) {
  lab::RunOptions options;
  options.out = out;
  options.existing = record::Existing::resume;
  options.threads = 2;
  options.place = Place::of("gpu");
  options.pages = false;
  options.stop_requested = [left = std::make_shared<std::atomic<int>>(stop_after)] { return (*left)-- <= 0; };
  return options;
}

/// Over a key of the task and three seeds.
void expect_a_sweep_to_be_its_runs(const std::vector<std::string>& assignments, const std::string& key,
                                   const std::vector<std::string>& values) {
  SCOPED_TRACE(key);
  const test::TempFolder folder;
  const std::string name = key.substr(key.rfind('.') + 1);
  const std::vector<lab::SweepAxis> axes{lab::parse_axis(key + '=' + values[0] + ',' + values[1]),
                                         lab::parse_axis("seed=1..3")};
  const lab::Source swept = spec(assignments);
  ASSERT_FALSE(lab::sweep(swept, axes, in(folder / "sweep"), {}).failed());
  for (int i = 0; i < 2; ++i) static_cast<void>(lab::sweep(swept, axes, in(folder / "parts", 20), {}));
  fs::remove_all(folder / ("parts/" + name + '=' + values[1] + ",seed=2"));
  ASSERT_FALSE(lab::sweep(swept, axes, in(folder / "parts"), {}).failed());
  for (const std::string& value : values) {
    for (const std::string seed : {"1", "2", "3"}) {
      const std::string point = name + '=' + value + ",seed=" + seed;
      lab::RunOptions alone = in(folder / "alone" / point);
      std::vector<std::string> all = assignments;
      all.insert(all.end(), {key + '=' + value, "seed=" + seed});
      ASSERT_EQ(lab::run(lab::load(spec(all)), "run", alone).ending, lab::Ending::finished);
      EXPECT_NEAR(last_loss(folder / "sweep" / point) / last_loss(folder / "alone" / point), 1, 1e-4)
          << point;
      EXPECT_EQ(record_of(folder / "sweep" / point), record_of(folder / "parts" / point)) << point;
      EXPECT_EQ(seed != "1", record_of(folder / "sweep" / point) !=
                                 record_of(folder / "sweep" / (name + '=' + value + ",seed=1")));
    }
  }
}
/// A sweep moves its points together, each with its law; records are the same after interruptions, also where one is left, and those of runs alone up to rounding. What the device draws and what is sent to it do not go together.
TEST_F(Ensembles, ASweepIsItsRuns) {
  expect_a_sweep_to_be_its_runs({}, "task.gain", {"0.1", "3"});
  expect_a_sweep_to_be_its_runs({}, "task.kind", {"ising", "nlgp"});
  const std::vector<std::string> drawn{R"(task={kind="dataset", samples=130, from={kind="nlgp", n=13}})"};
  expect_a_sweep_to_be_its_runs(drawn, "task.from.gain", {"0.1", "3"});
  expect_a_sweep_to_be_its_runs(drawn, "task.samples", {"130", "140"});
}

/// Every unit and loss, in other stretches, from where a state was taken.
TEST_F(Ensembles, FastOnesGoOnFromTheirStates) {
  for (const char* unit : {"relu", "erf", "sigmoid", "tanh", "linear", "soft-relu"}) {
    for (const char* loss : {"half-squared", "l1", "cross-entropy"}) {
      SCOPED_TRACE(std::string(unit) + ' ' + loss);
      const auto with = [&](const char* more) {
        return std::vector<std::string>{std::string("network.activation=") + unit,
                                        std::string("dynamics.loss=") + loss, "dynamics.kind=adam",
                                        "dynamics.precision=fast", more};
      };
      Members members({with("seed=1"), with("seed=4")});
      const auto once = members.together(Precision::usual), again = members.together(Precision::usual);
      once->move(8);
      for (const int steps : {1, 2}) again->move(steps);
      const auto resumed = members.together(Precision::usual, {again->state(0), again->state(1)});
      resumed->move(5);
      for (std::size_t e = 0; e < members.size(); ++e) EXPECT_EQ(once->state(e), resumed->state(e));
      EXPECT_NE(once->state(0).parameters, once->state(1).parameters);
    }
  }
}

/// Its folder says so, and goes on as what it was begun as.
TEST_F(Ensembles, AFastRunSaysSo) {
  const test::TempFolder folder;
  const auto run = [&](const std::string& precision, int stop_after) {
    return lab::run(lab::load(spec({"dynamics.precision=" + precision})), "run", in(folder / "r", stop_after))
        .ending;
  };
  ASSERT_EQ(run("fast", 1), lab::Ending::interrupted);
  EXPECT_NE(file::read_text(folder / "r/spec.toml").find("precision = \"fast\" "), std::string::npos);
  EXPECT_THROW(run("strict", 1'000'000), InputError);
  EXPECT_EQ(run("fast", 1'000'000), lab::Ending::finished);
}

}  // namespace
}  // namespace sluice::gpu

#include "sluice/flow/gate_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/finite_law.hpp"
#include "sluice/flow/gate_sampling.hpp"
#include "sluice/flow/half_spaces.hpp"
#include "sluice/math/finite.hpp"

namespace sluice::flow {
namespace {

constexpr std::array<spec::Choice, 4> kMethods{{
    {"auto", "closed where there is a closed form, else enumerated, else sampled"},
    {"closed", "closed forms: Gaussian and elliptical data; nlgp with gates of one or two sites"},
    {"enumerated", "sums over a finite support: pulse, block, datasets"},
    {"sampled", "averages over samples, with standard errors"},
}};
constexpr double kMostIntegrals = 5e6;  // about a minute

GateSet sorted_gates(const net::GatedLinearNetwork& network, std::span<const float> vectors) {
  const net::Gates& gates = network.gates();
  GateSet set{.gates = gates, .vectors = vectors, .halves = {}, .share = {}};
  for (std::int64_t k = 0; k < gates.units(); ++k) {
    const std::vector<double> v = set.vector(k);
    const bool zero = std::ranges::all_of(v, [](double value) { return value == 0; });
    const bool half = !gates.is_coin(k) && !zero;
    if (half) set.halves.push_back(k);
    set.share.push_back(half ? -1 : gates.is_coin(k) ? gates.open_share() : 1);
  }
  return set;
}

/// 1: the same half-space, −1: the opposite one, 0: another.
int relation(std::span<const double> u, std::span<const double> v) {
  double uu = 0, vv = 0, uv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    uu += u[i] * u[i];
    vv += v[i] * v[i];
    uv += u[i] * v[i];
  }
  const double cosine = uv / std::sqrt(uu * vv);
  return cosine > 1 - 1e-13 ? 1 : cosine < -1 + 1e-13 ? -1 : 0;
}

/// Both classes, with how often they come and what they are called.
struct ClassPart {
  double share;
  double label;
  Covariance covariance;
  std::unique_ptr<HalfSpaces> closed;
};

std::array<ClassPart, 2> class_parts(const task::Section& section, const task::Task& task) {
  const task::Classes& classes = task.classes();
  const auto part = [&](int c) {
    return ClassPart{c == 0 ? classes.balance : 1 - classes.balance,
                     classes.labels.at(static_cast<std::size_t>(c)), class_covariance(task, c),
                     closed_half_spaces(section, task, c)};
  };
  return {part(0), part(1)};
}

/// Fills A_kl and A_lk.
template <class Value>
void set_block(GateMoments& moments, std::int64_t k, std::int64_t l, const Value& value) {
  const std::int64_t n = moments.inputs, size = moments.size();
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const double entry = value(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      moments.a[static_cast<std::size_t>((k * n + i) * size + l * n + j)] = entry;
      moments.a[static_cast<std::size_t>((l * n + j) * size + k * n + i)] = entry;
    }
  }
}

GateMoments empty_moments(const GateSet& set) {
  GateMoments moments{.units = set.gates.units(), .inputs = set.gates.inputs()};
  moments.b.resize(static_cast<std::size_t>(moments.size()));
  moments.a.resize(static_cast<std::size_t>(moments.size() * moments.size()));
  return moments;
}

/// How often both gates are open, where that does not depend on x: C times this is A_kl of an even law.
std::optional<double> known_share(const GateSet& set, std::int64_t k, std::int64_t l) {
  const auto share = [&](std::int64_t unit) {
    return set.is_half(unit) ? 0.5 : set.share[static_cast<std::size_t>(unit)];
  };
  if (!set.is_half(k) || !set.is_half(l)) return k == l ? share(k) : share(k) * share(l);
  switch (relation(set.vector(k), set.vector(l))) {
    case 1:
      return 0.5;
    case -1:
      return 0.0;
    default:
      return std::nullopt;
  }
}

class Even {
 public:
  Even(const GateSet& set, const task::Section& section, const task::Task& task)
      : set_(set), task_(task), parts_(class_parts(section, task)) {}

  /// What is missing for closed forms; empty: nothing.
  std::string lack() const {
    for (const std::int64_t k : set_.halves)
      for (const ClassPart& part : parts_)
        if (part.label != 0 && !(part.closed && part.closed->covers(set_.vector(k))))
          return "Gaussian or elliptical data, or nlgp with gates of one or two sites";
    double integrals = 0;
    for (const std::int64_t k : set_.halves) {
      for (const std::int64_t l : set_.halves) {
        if (l <= k || known_share(set_, k, l)) continue;
        for (const ClassPart& part : parts_) {
          if (!part.closed || !part.closed->covers(set_.vector(k)) || !part.closed->covers(set_.vector(l)))
            return "Gaussian or elliptical data, or nlgp with gates of one or two sites";
          integrals += part.closed->integrals();
        }
      }
    }
    return integrals > kMostIntegrals ? fmt::format("at most {:.0e} one-dimensional integrals, found {:.0e}",
                                                    kMostIntegrals, integrals)
                                      : "";
  }

  GateMoments closed(math::Workers& workers) const {
    GateMoments moments = empty_moments(set_);
    moments.method = "closed";
    const auto n = static_cast<std::size_t>(moments.inputs);
    std::vector<double> f(n);
    for (const std::int64_t k : set_.halves) {
      for (const ClassPart& part : parts_) {
        if (part.label == 0) continue;
        part.closed->first(set_.vector(k), f);
        for (std::size_t i = 0; i < n; ++i)
          moments.b[static_cast<std::size_t>(k) * n + i] += part.share * part.label * f[i];
      }
    }
    fill_known(moments);
    std::vector<std::pair<std::int64_t, std::int64_t>> others;
    for (const std::int64_t k : set_.halves)
      for (const std::int64_t l : set_.halves)
        if (k < l && !known_share(set_, k, l)) others.emplace_back(k, l);
    workers.run(static_cast<std::int64_t>(others.size()), [&](std::int64_t at, int) {
      const auto [k, l] = others[static_cast<std::size_t>(at)];
      std::vector<double> sum(n * n), second(n * n);
      for (const ClassPart& part : parts_) {
        part.closed->second(set_.vector(k), set_.vector(l), second);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part.share * second[i];
      }
      set_block(moments, k, l, [&](std::size_t i, std::size_t j) { return sum[i * n + j]; });
    });
    set_labels(moments);
    return moments;
  }

  GateMoments sampled(const MomentOptions& options, math::Workers& workers) const {
    GateMoments moments = empty_moments(set_);
    moments.method = "sampled";
    moments.b_error.resize(moments.b.size());
    moments.a_error.resize(moments.a.size());
    const GateMoments signs = sampled_products(set_, true, task_, options, workers);
    moments.samples = signs.samples;
    const std::int64_t n = moments.inputs, size = moments.size();
    for (std::size_t p = 0; p < set_.halves.size(); ++p) {
      const std::int64_t k = set_.halves[p];
      for (std::int64_t i = 0; i < n; ++i) {
        const auto from = static_cast<std::size_t>(static_cast<std::int64_t>(p) * n + i);
        const auto to = static_cast<std::size_t>(k * n + i);
        moments.b[to] = signs.b[from] / 2;
        moments.b_error[to] = signs.b_error[from] / 2;
      }
      for (std::size_t q = p; q < set_.halves.size(); ++q) {
        const std::int64_t l = set_.halves[q];
        if (known_share(set_, k, l)) continue;
        const auto place = [&](std::size_t i, std::size_t j) {
          return (p * static_cast<std::size_t>(n) + i) * static_cast<std::size_t>(signs.size()) +
                 q * static_cast<std::size_t>(n) + j;
        };
        set_block(moments, k, l, [&](std::size_t i, std::size_t j) {
          return (covariance(i, j) + signs.a[place(i, j)]) / 4;
        });
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t j = 0; j < n; ++j) {
            const float error =
                signs.a_error[place(static_cast<std::size_t>(i), static_cast<std::size_t>(j))] / 4;
            moments.a_error[static_cast<std::size_t>((k * n + i) * size + l * n + j)] = error;
            moments.a_error[static_cast<std::size_t>((l * n + j) * size + k * n + i)] = error;
          }
        }
      }
    }
    fill_known(moments);
    moments.label_square = signs.label_square;
    return moments;
  }

 private:
  double covariance(std::size_t i, std::size_t j) const {
    return parts_[0].share * parts_[0].covariance(i, j) + parts_[1].share * parts_[1].covariance(i, j);
  }
  void fill_known(GateMoments& moments) const {
    for (std::int64_t k = 0; k < moments.units; ++k) {
      for (std::int64_t l = k; l < moments.units; ++l) {
        const auto share = known_share(set_, k, l);
        if (share && *share > 0)
          set_block(moments, k, l, [&](std::size_t i, std::size_t j) { return *share * covariance(i, j); });
      }
    }
  }
  void set_labels(GateMoments& moments) const {
    for (const ClassPart& part : parts_) moments.label_square += part.share * part.label * part.label;
  }

  const GateSet& set_;
  const task::Task& task_;
  std::array<ClassPart, 2> parts_;
};

/// The sums themselves, with the gates that training meets.
GateMoments enumerated(const GateSet& set, const FiniteLaw& law, math::Workers& workers) {
  GateMoments moments = empty_moments(set);
  moments.method = "enumerated";
  const std::int64_t n = moments.inputs, units = moments.units, size = moments.size();
  const auto count = static_cast<std::int64_t>(law.weight.size());
  std::vector<float> open(static_cast<std::size_t>(units * count));
  constexpr std::int64_t kAtOnce = math::kBlockSamples;
  math::LanesBuffer<float> x(n, kAtOnce);
  math::Aligned<float> block(static_cast<std::size_t>(units * math::whole_vectors(kAtOnce)));
  for (std::int64_t from = 0; from < count; from += kAtOnce) {
    const math::Lanes lanes = x.lanes(std::min(kAtOnce, count - from));
    for (std::int64_t r = 0; r < lanes.samples; ++r)
      for (std::int64_t i = 0; i < n; ++i)
        lanes.at(i, r) = law.x[static_cast<std::size_t>((from + r) * n + i)];
    set.gates.look(set.vectors, lanes, block.data());
    for (std::int64_t k = 0; k < units; ++k)
      for (std::int64_t r = 0; r < lanes.samples; ++r)
        open[static_cast<std::size_t>(k * count + from + r)] =
            block[static_cast<std::size_t>(k * lanes.stride + r)];
  }
  for (std::int64_t p = 0; p < count; ++p)
    moments.label_square += law.weight[static_cast<std::size_t>(p)] * law.label[static_cast<std::size_t>(p)] *
                            law.label[static_cast<std::size_t>(p)];
  workers.run(units, [&](std::int64_t k, int) {
    for (std::int64_t p = 0; p < count; ++p) {
      const double gate = open[static_cast<std::size_t>(k * count + p)];
      if (gate == 0) continue;
      const double weight = gate * law.weight[static_cast<std::size_t>(p)],
                   label = law.label[static_cast<std::size_t>(p)];
      const float* point = law.x.data() + p * n;
      for (std::int64_t i = 0; i < n; ++i)
        moments.b[static_cast<std::size_t>(k * n + i)] += weight * label * static_cast<double>(point[i]);
      for (std::int64_t l = 0; l < units; ++l) {
        const double other = open[static_cast<std::size_t>(l * count + p)];
        if (other == 0) continue;
        for (std::int64_t i = 0; i < n; ++i) {
          double* to = moments.a.data() + (k * n + i) * size + l * n;
          const double factor = weight * other * static_cast<double>(point[i]);
          for (std::int64_t j = 0; j < n; ++j) to[j] += factor * static_cast<double>(point[j]);
        }
      }
    }
  });
  return moments;
}

/// Nothing assumed of the law: g_k g_l X Xᵀ itself.
GateMoments plainly_sampled(const GateSet& set, const task::Task& task, const MomentOptions& options,
                            math::Workers& workers) {
  GateMoments moments = sampled_products(set, false, task, options, workers);
  const std::int64_t size = moments.size();
  for (std::int64_t i = 0; i < size; ++i) {
    for (std::int64_t j = i + 1; j < size; ++j) {
      const auto above = static_cast<std::size_t>(i * size + j),
                 below = static_cast<std::size_t>(j * size + i);
      moments.a[below] = moments.a[above];
      moments.a_error[below] = moments.a_error[above];
    }
  }
  return moments;
}

/// Sites by which every gate is the one before it shifted; 0 where shifts do not turn them into each other.
std::int64_t shift_between(const GateSet& set) {
  const std::int64_t units = set.gates.units(), n = set.gates.inputs();
  if (static_cast<std::int64_t>(set.halves.size()) != units || n % units != 0) return 0;
  const std::int64_t shift = n / units;
  for (std::int64_t k = 0; k < units; ++k)
    for (std::int64_t i = 0; i < n; ++i)
      if (set.vectors[static_cast<std::size_t>(k * n + i)] !=
          set.vectors[static_cast<std::size_t>((k + 1) % units * n + (i + shift) % n)])
        return 0;
  return shift;
}

/// Averages over all shifts that turn the gates into each other. What is averaged is not independent: the errors stay what they were,
/// an upper bound.
void average_over_shifts(GateMoments& moments, std::int64_t shift) {
  const std::int64_t units = moments.units, n = moments.inputs, size = moments.size();
  const std::vector<double> b = moments.b, a = moments.a;
  const auto at = [&](std::int64_t k, std::int64_t i, std::int64_t by) {
    return static_cast<std::size_t>((k + by) % units * n + (i + by * shift) % n);
  };
  for (std::int64_t k = 0; k < units; ++k) {
    for (std::int64_t i = 0; i < n; ++i) {
      double mean = 0;
      for (std::int64_t by = 0; by < units; ++by) mean += b[at(k, i, by)];
      moments.b[static_cast<std::size_t>(k * n + i)] = mean / static_cast<double>(units);
      for (std::int64_t l = 0; l < units; ++l) {
        for (std::int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (std::int64_t by = 0; by < units; ++by)
            sum += a[at(k, i, by) * static_cast<std::size_t>(size) + at(l, j, by)];
          moments.a[static_cast<std::size_t>((k * n + i) * size + l * n + j)] =
              sum / static_cast<double>(units);
        }
      }
    }
  }
}

}  // namespace

spec::Choices moment_methods() { return kMethods; }

namespace {

/// What is asked of a task, and which method will answer.
class Question {
 public:
  Question(const net::GatedLinearNetwork& network, std::span<const float> vectors,
           const task::Section& section, const task::Task& task, const MomentOptions& options)
      : set_(sorted_gates(network, vectors)), section_(section), task_(task), options_(options) {
    if (is_even()) even_.emplace(set_, section, task);
    method_ = choose();
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  GateMoments answer(math::Workers& workers) const {
    if (method_ == "closed") return even_->closed(workers);
    if (method_ == "enumerated") return enumerated(set_, *finite_law(section_, task_), workers);
    GateMoments moments =
        even_ ? even_->sampled(options_, workers) : plainly_sampled(set_, task_, options_, workers);
    const bool shifts = classes_label() && task_.stationary() && task_.dimensions() == 1;
    const std::int64_t shift = shifts ? shift_between(set_) : 0;
    if (shift > 0) average_over_shifts(moments, shift);
    return moments;
  }

 private:
  bool classes_label() const { return section_.kind() != "teacher" && task_.training_set() == nullptr; }
  /// Half-spaces of x and −x are each other's opposites: signs stand for gates.
  bool is_even() const { return classes_label() && task_.even() && set_.gates.half_spaces(); }

  std::string choose() const {
    const std::string& asked = options_.method;
    const auto refuse = [&](const std::string& expected) {
      throw InputError(fmt::format("dynamics.moments = \"{}\": expected {}", asked, expected));
    };
    if (asked == "auto" || asked == "closed") {
      const std::string lack = even_ ? even_->lack()
                               : !set_.gates.half_spaces()
                                   ? "network.gate.shape = \"half-space\""
                                   : "an endless task with X ~ −X whose labels are those of its classes";
      if (lack.empty()) return "closed";
      if (asked == "closed") refuse(lack);
    }
    if (asked == "auto" || asked == "enumerated") {
      if (finite_law(section_, task_)) return "enumerated";
      if (asked == "enumerated") refuse("a task on finitely many points: pulse, block, a dataset");
    }
    if (task_.training_set() != nullptr) refuse("\"enumerated\": the task is a finite set");
    return "sampled";
  }

  GateSet set_;
  const task::Section& section_;
  const task::Task& task_;
  const MomentOptions& options_;
  std::optional<Even> even_;
  std::string method_;
};

}  // namespace

void require_moments(const net::GatedLinearNetwork& network, std::span<const float> vectors,
                     const task::Section& section, const task::Task& task, const MomentOptions& options) {
  const Question question(network, vectors, section, task, options);
}

bool GateMoments::are_finite() const {
  return std::isfinite(label_square) && math::all_finite(b) && math::all_finite(a);
}

GateMoments gate_moments(const net::GatedLinearNetwork& network, std::span<const float> vectors,
                         const task::Section& section, const task::Task& task, const MomentOptions& options,
                         math::Workers& workers) {
  return Question(network, vectors, section, task, options).answer(workers);
}

}  // namespace sluice::flow

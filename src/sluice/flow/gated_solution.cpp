#include "sluice/flow/gated_solution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/symmetric.hpp"

namespace sluice::flow {
namespace {

/// Units that meet in A, directly or through others.
std::vector<std::vector<std::int64_t>> meeting_units(const GateMoments& moments) {
  const std::int64_t units = moments.units, n = moments.inputs;
  const auto meet = [&](std::int64_t k, std::int64_t l) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        if (moments.block(k, l, i, j) != 0) return true;
    return false;
  };
  std::vector<std::vector<std::int64_t>> groups;
  std::vector<bool> seen(static_cast<std::size_t>(units), false);
  for (std::int64_t first = 0; first < units; ++first) {
    if (seen[static_cast<std::size_t>(first)]) continue;
    std::vector<std::int64_t> group{first};
    seen[static_cast<std::size_t>(first)] = true;
    for (std::size_t at = 0; at < group.size(); ++at) {
      for (std::int64_t other = 0; other < units; ++other) {
        if (seen[static_cast<std::size_t>(other)] || !meet(group[at], other)) continue;
        seen[static_cast<std::size_t>(other)] = true;
        group.push_back(other);
      }
    }
    std::ranges::sort(group);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Does A_kl depend on the distance of its sites alone, along each axis?
bool is_circulant(const GateMoments& moments, std::int64_t k, std::int64_t l, std::int64_t side) {
  const std::int64_t n = moments.inputs;
  double largest = 0;
  for (std::int64_t d = 0; d < n; ++d) largest = std::max(largest, std::abs(moments.block(k, l, 0, d)));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const auto apart = [&](std::int64_t a, std::int64_t b) {
        const std::int64_t d = (b - a + side) % side;
        return std::min(d, side - d);
      };
      const std::int64_t d =
          side == n ? apart(i, j) : apart(i / side, j / side) * side + apart(i % side, j % side);
      if (std::abs(moments.block(k, l, i, j) - moments.block(k, l, 0, d)) > 1e-12 * largest) return false;
    }
  }
  return true;
}

}  // namespace

GatedSolution::GatedSolution(const GateMoments& moments, std::span<const double> start, std::int64_t side,
                             std::int64_t dimensions)
    : units_(moments.units),
      inputs_(moments.inputs),
      label_square_(moments.label_square),
      basis_(side, dimensions) {
  SLUICE_ASSERT(start.size() == moments.b.size() && basis_.sites() == inputs_);
  const auto n = static_cast<std::size_t>(inputs_);
  for (std::vector<std::int64_t>& units : meeting_units(moments)) {
    bool waves = inputs_ > 2;
    for (const std::int64_t k : units)
      for (const std::int64_t l : units) waves = waves && (l < k || is_circulant(moments, k, l, side));
    const std::size_t first = problems_.size();
    std::vector<double> b, from;
    std::vector<std::size_t> places;
    for (const std::int64_t k : units) {
      const auto own = [&](std::span<const double> all) {
        return all.subspan(static_cast<std::size_t>(k) * n, n);
      };
      const auto append = [&](std::vector<double>& to, std::span<const double> values) {
        if (waves) {
          const std::vector<double> turned = basis_.analyse(values);
          to.insert(to.end(), turned.begin(), turned.end());
        } else {
          to.insert(to.end(), values.begin(), values.end());
        }
      };
      append(b, own(moments.b));
      append(from, own(start));
      for (std::size_t i = 0; i < n; ++i) places.push_back(static_cast<std::size_t>(k) * n + i);
    }
    const std::size_t count = units.size();
    if (waves) {
      std::vector<std::vector<double>> spectra;  // of A_kl
      std::vector<double> row(n);
      for (const std::int64_t k : units) {
        for (const std::int64_t l : units) {
          for (std::size_t d = 0; d < n; ++d) row[d] = moments.block(k, l, 0, static_cast<std::int64_t>(d));
          spectra.push_back(basis_.eigenvalues(row));
        }
      }
      for (std::size_t mode = 0; mode < n; ++mode) {
        std::vector<std::size_t> at;
        std::vector<double> matrix, c, u;
        for (std::size_t k = 0; k < count; ++k) {
          at.push_back(places[k * n + mode]);
          c.push_back(b[k * n + mode]);
          u.push_back(from[k * n + mode]);
          for (std::size_t l = 0; l < count; ++l) matrix.push_back(spectra[k * count + l][mode]);
        }
        add_problem(c, u, std::move(at), std::move(matrix));
      }
    } else {
      std::vector<double> matrix(places.size() * places.size());
      for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < places.size(); ++j)
          matrix[i * places.size() + j] = moments.a[places[i] * moments.b.size() + places[j]];
      add_problem(b, from, std::move(places), std::move(matrix));
    }
    groups_.push_back({std::move(units), waves, first, problems_.size()});
  }
  double largest = 0;
  for (const Problem& problem : problems_) largest = std::max(largest, problem.values.back());
  null_ = largest * kNull * static_cast<double>(units_ * inputs_);
}

void GatedSolution::add_problem(std::span<const double> b, std::span<const double> start,
                                std::vector<std::size_t> at, std::vector<double> matrix) {
  const auto size = static_cast<std::int64_t>(at.size());
  math::SymmetricEigen eigen = math::symmetric_eigen(std::move(matrix), size);
  Problem problem{.at = std::move(at),
                  .values = std::move(eigen.values),
                  .vectors = std::move(eigen.vectors),
                  .c = {},
                  .start = {}};
  problem.c.resize(b.size());
  problem.start.resize(b.size());
  math::dense_product(size, 1, size, problem.vectors, b, problem.c);
  math::dense_product(size, 1, size, problem.vectors, start, problem.start);
  problems_.push_back(std::move(problem));
}

double GatedSolution::factor(double lambda, std::int64_t step, double rate, Pace pace) const {
  const double speed = lambda / static_cast<double>(units_ * units_) * rate;
  return pace == Pace::flow ? std::exp(-speed * static_cast<double>(step))
                            : std::pow(1 - speed, static_cast<double>(step));
}

double GatedSolution::rest(const Problem& problem, std::size_t i) const {
  return is_null(problem.values[i]) ? problem.start[i]
                                    : static_cast<double>(units_) * problem.c[i] / problem.values[i];
}

std::vector<double> GatedSolution::weights(std::span<const std::int64_t> steps, double rate,
                                           Pace pace) const {
  const auto size = static_cast<std::size_t>(units_ * inputs_);
  std::vector<double> all(steps.size() * size), modes, products;
  for (const Problem& problem : problems_) {
    const std::size_t m = problem.at.size();
    modes.resize(steps.size() * m);
    for (std::size_t t = 0; t < steps.size(); ++t) {
      for (std::size_t i = 0; i < m; ++i) {
        const double end = rest(problem, i);
        modes[t * m + i] =
            end + (problem.start[i] - end) *
                      (is_null(problem.values[i]) ? 1 : factor(problem.values[i], steps[t], rate, pace));
      }
    }
    products.resize(modes.size());
    math::dense_product(static_cast<std::int64_t>(steps.size()), static_cast<std::int64_t>(m),
                        static_cast<std::int64_t>(m), modes, problem.vectors, products);
    for (std::size_t t = 0; t < steps.size(); ++t)
      for (std::size_t i = 0; i < m; ++i) all[t * size + problem.at[i]] = products[t * m + i];
  }
  for (std::size_t t = 0; t < steps.size(); ++t) to_sites(std::span(all).subspan(t * size, size));
  return all;
}

void GatedSolution::to_sites(std::span<double> weights) const {
  const auto n = static_cast<std::size_t>(inputs_);
  for (const Group& group : groups_) {
    if (!group.waves) continue;
    for (const std::int64_t k : group.units) {
      const auto own = weights.subspan(static_cast<std::size_t>(k) * n, n);
      std::ranges::copy(basis_.synthesise(own), own.begin());
    }
  }
}

std::vector<double> GatedSolution::losses(std::span<const std::int64_t> steps, double rate, Pace pace) const {
  const auto k = static_cast<double>(units_);
  std::vector<double> losses(steps.size(), limiting_loss());
  for (const Problem& problem : problems_) {
    for (std::size_t i = 0; i < problem.at.size(); ++i) {
      const double lambda = problem.values[i];
      if (is_null(lambda)) continue;
      const double off = lambda * problem.start[i] / k - problem.c[i];
      for (std::size_t t = 0; t < steps.size(); ++t) {
        const double left = off * factor(lambda, steps[t], rate, pace);
        losses[t] += left * left / lambda / 2;
      }
    }
  }
  return losses;
}

std::vector<double> GatedSolution::limit() const {
  const auto size = static_cast<std::size_t>(units_ * inputs_);
  std::vector<double> all(size), end, sites;
  for (const Problem& problem : problems_) {
    const auto m = static_cast<std::int64_t>(problem.at.size());
    end.resize(problem.at.size());
    sites.resize(problem.at.size());
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = rest(problem, i);
    math::dense_product(1, m, m, end, problem.vectors, sites);
    for (std::size_t i = 0; i < end.size(); ++i) all[problem.at[i]] = sites[i];
  }
  to_sites(all);
  return all;
}

double GatedSolution::limiting_loss() const {
  double loss = label_square_ / 2;
  for (const Problem& problem : problems_)
    for (std::size_t i = 0; i < problem.at.size(); ++i)
      if (!is_null(problem.values[i])) loss -= problem.c[i] * problem.c[i] / problem.values[i] / 2;
  return loss;
}

double GatedSolution::initial_loss() const {
  const std::int64_t zero = 0;
  return losses({&zero, 1}, 1, Pace::flow).front();
}

std::vector<GatedSolution::Mode> GatedSolution::modes() const {
  std::vector<Mode> modes;
  for (const Problem& problem : problems_)
    for (std::size_t i = 0; i < problem.at.size(); ++i)
      modes.push_back({is_null(problem.values[i]) ? 0 : problem.values[i], problem.c[i], problem.start[i]});
  std::ranges::stable_sort(modes, [](const Mode& a, const Mode& b) { return a.lambda > b.lambda; });
  return modes;
}

std::int64_t GatedSolution::largest_problem() const {
  std::size_t largest = 0;
  for (const Problem& problem : problems_) largest = std::max(largest, problem.at.size());
  return static_cast<std::int64_t>(largest);
}

}  // namespace sluice::flow

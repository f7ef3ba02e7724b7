#include "sluice/flow/continuation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sluice/math/linear_system.hpp"
#include "sluice/math/stopping.hpp"
#include "sluice/math/symmetric.hpp"

namespace sluice::flow {
namespace {

constexpr double kRest = 1e-9;      // |−∂L/∂w| of a fixed point
constexpr double kRounding = 1e-7;  // where samples are summed in float; far below the error of any response
constexpr int kMostIterations = 14;

double dot_of(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// B a of the rows of B.
std::vector<double> projected(std::span<const double> rows, std::span<const double> a) {
  std::vector<double> out;
  for (std::size_t at = 0; at < rows.size(); at += a.size())
    out.push_back(dot_of(rows.subspan(at, a.size()), a));
  return out;
}

/// Bᵀ u
std::vector<double> spanned(std::span<const double> rows, std::span<const double> u, std::size_t n) {
  std::vector<double> out(n, 0.0);
  for (std::size_t k = 0; k < u.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) out[i] += u[k] * rows[k * n + i];
  }
  return out;
}

/// B M Bᵀ, [d, d].
std::vector<double> restricted(const std::vector<double>& matrix, const std::vector<double>& rows,
                               std::size_t n) {
  const auto d = static_cast<std::int64_t>(rows.size() / n);
  const auto size = static_cast<std::int64_t>(n);
  std::vector<double> columns(rows.size());  // Bᵀ
  for (std::size_t k = 0; k < rows.size() / n; ++k) {
    for (std::size_t i = 0; i < n; ++i) columns[i * (rows.size() / n) + k] = rows[k * n + i];
  }
  std::vector<double> half(rows.size()), out(static_cast<std::size_t>(d * d));
  math::dense_product(size, d, size, matrix, columns, half);
  math::dense_product(d, d, size, rows, half, out);
  return out;
}

math::SymmetricEigen symmetric_part_eigen(std::vector<double> matrix, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      matrix[i * d + j] = matrix[j * d + i] = (matrix[i * d + j] + matrix[j * d + i]) / 2;
  }
  return math::symmetric_eigen(std::move(matrix), static_cast<std::int64_t>(d));
}

/// 1 above `still`, −1 below −still, else 0.
int sign_of(double rate, double still) { return rate > still ? 1 : rate < -still ? -1 : 0; }

}  // namespace

double FixedPoint::fastest() const {
  double rate = -std::numeric_limits<double>::infinity();
  for (const std::vector<double>& sector : rates) {
    if (!sector.empty()) rate = std::max(rate, sector.front());
  }
  return rate;
}

std::int64_t FixedPoint::growing(double still) const {
  std::int64_t count = 0;
  for (const std::vector<double>& sector : rates)
    count += std::ranges::count_if(sector, [&](double rate) { return rate > still; });
  return count;
}

Continuation::Continuation(const Family& family, Sectors sectors, ContinuationOptions options)
    : family_(family), sectors_(std::move(sectors)), options_(options) {}

const std::vector<double>& Continuation::jacobian(std::span<const double> field, double coordinate) const {
  if (kept_.coordinate != coordinate || !std::ranges::equal(kept_.field, field)) {
    kept_ = {coordinate, {field.begin(), field.end()}, std::vector<double>(field.size() * field.size())};
    family_.at(coordinate)->jacobian(field, kept_.jacobian);
  }
  return kept_.jacobian;
}

FixedPoint Continuation::described(std::vector<double> field, double coordinate) const {
  const std::size_t n = field.size();
  FixedPoint point{coordinate, std::move(field), 0, {}};
  point.loss = family_.at(coordinate)->loss(point.field);
  for (const std::size_t sector : {0, 1}) {
    const std::vector<double>& rows = sector == 0 ? sectors_.inside : sectors_.outside;
    point.rates[sector] =
        symmetric_part_eigen(restricted(jacobian(point.field, coordinate), rows, n), rows.size() / n).values;
    std::ranges::reverse(point.rates[sector]);
  }
  return point;
}

/// B ∂(−∂L/∂w)/∂x by a central difference.
std::vector<double> Continuation::slope_in_x(std::span<const double> field, double coordinate) const {
  constexpr double kStep = 1e-4;
  std::vector<double> up(field.size()), down(field.size());
  family_.at(coordinate + kStep)->downhill(field, up);
  family_.at(coordinate - kStep)->downhill(field, down);
  for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * kStep);
  return projected(sectors_.inside, up);
}

/// [[J, ∂F/∂x], [t_w/W, t_x]] within the symmetry.
std::vector<double> Continuation::bordered(std::span<const double> field, double coordinate,
                                           const std::vector<double>& slope, const Direction& along) const {
  const std::size_t n = field.size(), d = sectors_.dimensions();
  const std::vector<double> inner = restricted(jacobian(field, coordinate), sectors_.inside, n);
  const std::vector<double> border = projected(sectors_.inside, along.field);
  std::vector<double> matrix((d + 1) * (d + 1));
  for (std::size_t i = 0; i < d; ++i) {
    std::copy_n(inner.begin() + static_cast<std::ptrdiff_t>(i * d), d,
                matrix.begin() + static_cast<std::ptrdiff_t>(i * (d + 1)));
    matrix[i * (d + 1) + d] = slope[i];
    matrix[d * (d + 1) + i] = border[i] / options_.size;
  }
  matrix.back() = along.coordinate;
  return matrix;
}

std::optional<FixedPoint> Continuation::correct(const FixedPoint& anchor, const Direction& along,
                                                double offset) const {
  const std::size_t n = anchor.field.size(), d = sectors_.dimensions();
  const bool pinned = std::ranges::all_of(along.field, [](double t) { return t == 0; });
  std::vector<double> u = anchor.field;
  for (std::size_t i = 0; i < n; ++i) u[i] += offset * options_.size * along.field[i];
  u = projected(sectors_.inside, u);
  double x = anchor.coordinate + offset * along.coordinate;
  const std::vector<double> slope =
      pinned ? std::vector<double>(d, 0.0) : slope_in_x(spanned(sectors_.inside, u, n), x);
  std::vector<double> matrix, downhill(n);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostIterations; ++i) {
    math::stop_if_asked();
    std::vector<double> field = spanned(sectors_.inside, u, n);
    family_.at(x)->downhill(field, downhill);
    std::vector<double> residual = projected(sectors_.inside, downhill);
    double reached = along.coordinate * (x - anchor.coordinate);
    for (std::size_t k = 0; k < n; ++k)
      reached += along.field[k] * (field[k] - anchor.field[k]) / options_.size;
    residual.push_back(reached - offset);
    const double size = std::sqrt(dot_of(residual, residual));
    if (!std::isfinite(size)) return std::nullopt;
    const bool as_small_as_rounding_allows = size < kRounding && size > before / 2;
    if (size < kRest || as_small_as_rounding_allows) return described(std::move(field), x);
    constexpr double kGood = 0.2;  // a matrix that does so much in a step is kept
    if (matrix.empty() || size > kGood * before) matrix = bordered(field, x, slope, along);
    before = size;
    const std::vector<double> step = math::solved(matrix, residual, 1);
    if (step.empty()) return std::nullopt;
    for (std::size_t k = 0; k < d; ++k) u[k] -= step[k];
    x -= step.back();
  }
  return std::nullopt;
}

std::optional<FixedPoint> Continuation::settle(std::span<const double> field, double coordinate) const {
  const FixedPoint anchor{coordinate, {field.begin(), field.end()}, 0, {}};
  return correct(anchor, {std::vector<double>(field.size(), 0.0), 1}, 0);
}

std::optional<Direction> Continuation::tangent(const FixedPoint& at, const Direction& before) const {
  std::vector<double> end(sectors_.dimensions() + 1, 0.0);
  end.back() = 1;
  const std::vector<double> solved = math::solved(
      bordered(at.field, at.coordinate, slope_in_x(at.field, at.coordinate), before), std::move(end), 1);
  if (solved.empty()) return std::nullopt;
  const std::span<const double> u = std::span(solved).first(sectors_.dimensions());
  Direction direction{spanned(sectors_.inside, u, at.field.size()), solved.back()};
  for (double& value : direction.field) value /= options_.size;
  const double length =
      std::sqrt(dot_of(direction.field, direction.field) + direction.coordinate * direction.coordinate);
  for (double& value : direction.field) value /= length;
  direction.coordinate /= length;
  return direction;
}

Branch Continuation::follow(const FixedPoint& start, double sign, double low, double high) const {
  return follow(start, Direction{std::vector<double>(start.field.size(), 0.0), sign}, low, high);
}

Branch Continuation::follow(const FixedPoint& start, const Direction& towards, double low,
                            double high) const {
  constexpr double kSmallest = 1e-4;  // of the largest step
  constexpr double kTurn = 0.8;       // cosine between tangents
  constexpr double kGrowth = 1.5;
  Branch branch{sectors_, {start}, {}, Branch::Ending::points};
  std::optional<Direction> along = tangent(start, towards);
  double step = options_.step / 4;
  while (along && std::ssize(branch.points) < options_.most_points) {
    std::optional<FixedPoint> next = correct(branch.points.back(), *along, step);
    std::optional<Direction> turned = next ? tangent(*next, *along) : std::nullopt;
    const bool smooth =
        turned && dot_of(turned->field, along->field) + turned->coordinate * along->coordinate > kTurn;
    if (!smooth) {
      step /= 2;
      if (step < kSmallest * options_.step) break;
      continue;
    }
    if (next->coordinate < low || next->coordinate > high) {
      const double edge = next->coordinate < low ? low : high;
      const FixedPoint& last = branch.points.back();
      std::vector<double> field = last.field;
      const double share = (edge - last.coordinate) / (next->coordinate - last.coordinate);
      for (std::size_t i = 0; i < field.size(); ++i) field[i] += share * (next->field[i] - field[i]);
      if (std::optional<FixedPoint> end = settle(field, edge)) branch.points.push_back(std::move(*end));
      branch.ending = Branch::Ending::range;
      break;
    }
    branch.points.push_back(std::move(*next));
    along = std::move(turned);
    step = std::min(options_.step, kGrowth * step);
  }
  if (!along || step < kSmallest * options_.step) branch.ending = Branch::Ending::lost;
  find_critical(branch);
  return branch;
}

Critical Continuation::critical_at(FixedPoint at, std::size_t sector, std::size_t index,
                                   Direction along) const {
  const std::size_t n = at.field.size();
  const std::vector<double>& rows = sector == 0 ? sectors_.inside : sectors_.outside;
  const std::size_t d = rows.size() / n;
  const math::SymmetricEigen eigen =
      symmetric_part_eigen(restricted(jacobian(at.field, at.coordinate), rows, n), d);
  const double zero = eigen.values[d - 1 - index];
  Critical critical{sector == 0 ? Critical::Kind::crossing : Critical::Kind::breaking,
                    std::move(at),
                    index,
                    {},
                    std::move(along),
                    0};
  for (std::size_t k = 0; k < d; ++k) {
    if (std::abs(eigen.values[k] - zero) < 10 * options_.still)
      critical.vectors.push_back(spanned(rows, std::span(eigen.vectors).subspan(k * d, d), n));
  }
  return critical;
}

/// False position (Illinois) on one rate between two points of a branch.
std::optional<Critical> Continuation::locate(const FixedPoint& before, const FixedPoint& after,
                                             std::size_t sector, std::size_t index) const {
  constexpr int kMost = 60;
  constexpr double kZero = 1e-9;
  Direction along{before.field, after.coordinate - before.coordinate};
  for (std::size_t i = 0; i < along.field.size(); ++i)
    along.field[i] = (after.field[i] - before.field[i]) / options_.size;
  const double length = std::sqrt(dot_of(along.field, along.field) + along.coordinate * along.coordinate);
  for (double& value : along.field) value /= length;
  along.coordinate /= length;
  double left = 0, right = length;
  double at_left = before.rates[sector][index], at_right = after.rates[sector][index];
  std::optional<FixedPoint> found;
  for (int i = 0; i < kMost && right - left > 1e-7 * length; ++i) {
    const double middle = left + (right - left) * at_left / (at_left - at_right);
    found = correct(before, along, middle);
    if (!found) return std::nullopt;
    const double rate = found->rates[sector][index];
    if (std::abs(rate) < kZero) break;
    if ((rate > 0) == (at_left > 0)) {
      left = middle;
      at_left = rate;
      at_right /= 2;
    } else {
      right = middle;
      at_right = rate;
      at_left /= 2;
    }
  }
  if (!found) return std::nullopt;
  std::optional<Direction> turned = tangent(*found, along);
  Critical critical = critical_at(std::move(*found), sector, index, turned ? *turned : along);
  critical.slope =
      (after.rates[sector][index] - before.rates[sector][index]) / (after.coordinate - before.coordinate);
  return critical;
}

void Continuation::find_critical(Branch& branch) const {
  const std::vector<FixedPoint>& points = branch.points;
  struct Found {
    std::size_t sector, before, first, rates;
  };
  std::vector<Found> found;
  for (const std::size_t sector : {0, 1}) {
    for (std::size_t index = 0; index < points.front().rates[sector].size(); ++index) {
      int sign = 0;
      for (std::size_t p = 0; p < points.size(); ++p) {
        const int now = sign_of(points[p].rates[sector][index], options_.still);
        if (now != 0 && sign != 0 && now != sign) {
          std::size_t q = p;  // the pair of points between which it changed
          while (sign_of(points[q - 1].rates[sector][index], 0) == now) --q;
          const auto holds_it =
              [&](const Found& other) {  // a rate that is there several times crosses with its likes
                return other.sector == sector && other.before == q - 1 && other.first < index &&
                       index < other.first + other.rates;
              };
          if (std::ranges::none_of(found, holds_it)) {
            if (std::optional<Critical> critical = locate(points[q - 1], points[q], sector, index)) {
              found.push_back({sector, q - 1, index, critical->vectors.size()});
              const bool turns = q >= 2 && q + 1 < points.size() &&
                                 (points[q - 1].coordinate - points[q - 2].coordinate) *
                                         (points[q + 1].coordinate - points[q].coordinate) <
                                     0;
              if (sector == 0 && turns) critical->kind = Critical::Kind::fold;
              branch.critical.push_back(std::move(*critical));
            }
          }
        }
        if (now != 0) sign = now;
      }
    }
  }
  std::ranges::stable_sort(branch.critical, {}, [](const Critical& c) { return c.at.coordinate; });
}

std::optional<Critical> Continuation::relocate(const Critical& near) const {
  constexpr int kMost = 25;
  constexpr double kNear = 1e-7;
  const std::size_t sector = near.kind == Critical::Kind::breaking ? 1 : 0;
  double before = 0, now = 0.01;
  std::optional<FixedPoint> found = correct(near.at, near.along, before);
  if (!found) return std::nullopt;
  double rate_before = found->rates[sector][near.index];
  for (int i = 0; i < kMost; ++i) {
    found = correct(near.at, near.along, now);
    if (!found) return std::nullopt;
    const double rate = found->rates[sector][near.index];
    if (rate == rate_before) return std::nullopt;
    const double next = now - rate * (now - before) / (rate - rate_before);
    before = std::exchange(now, std::clamp(next, now - 0.3, now + 0.3));
    rate_before = rate;
    if (std::abs(now - before) < kNear) {
      Critical critical = near;
      critical.at = std::move(*found);
      return critical;
    }
  }
  return std::nullopt;
}

}  // namespace sluice::flow

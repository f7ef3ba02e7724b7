#include "sluice/probe/gabor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <unsupported/Eigen/NonLinearOptimization>
#include <vector>

namespace sluice::probe {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<float> field_of(const Gabor& gabor, std::int64_t n) {
  std::vector<float> field;
  for (std::int64_t i = 0; i < n; ++i)
    field.push_back(static_cast<float>(value(gabor, static_cast<double>(i), n)));
  return field;
}

double residual(const Gabor& gabor, const std::vector<float>& field) {
  double squares = 0;
  double all = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double r = field[i] - value(gabor, static_cast<double>(i), static_cast<std::int64_t>(field.size()));
    squares += r * r;
    all += static_cast<double>(field[i]) * field[i];
  }
  return std::sqrt(squares / all);
}

/// Eigen's Levenberg–Marquardt in double on (A cos φ, −A sin φ, c, ln s, f), with differences for derivatives.
struct Problem {
  using Scalar = double;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;

  std::vector<float> field;

  int inputs() const { return 5; }
  int values() const { return static_cast<int>(field.size()); }
  static Gabor gabor(const Eigen::VectorXd& p) {
    return {p[2], std::exp(std::min(p[3], 12.0)), p[4], std::atan2(-p[1], p[0]), std::hypot(p[0], p[1]), 0};
  }
  int operator()(const Eigen::VectorXd& p, Eigen::VectorXd& r) const {
    for (int i = 0; i < values(); ++i)
      r[i] = field[static_cast<std::size_t>(i)] - value(gabor(p), i, values());
    return 0;
  }
};

Eigen::VectorXd parameters(const Gabor& g) {
  Eigen::VectorXd p(5);
  p << g.amplitude * std::cos(g.phase), -g.amplitude * std::sin(g.phase), g.centre, std::log(g.width),
      g.frequency;
  return p;
}

Gabor eigen_fit(const std::vector<float>& field, const Gabor& start) {
  const Problem problem{field};
  Eigen::NumericalDiff<Problem, Eigen::Central> with_derivatives(problem);
  Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Problem, Eigen::Central>> solver(with_derivatives);
  Eigen::VectorXd p = parameters(start);
  solver.minimize(p);
  return Problem::gabor(p);
}

TEST(Gabor, FindsTheFunctionItWasGiven) {
  for (const std::int64_t n : {40, 41, 100}) {
    const GaborFitter fitter(n);
    for (const Gabor& known : {Gabor{12.3, 2.5, 6, 0.4, 0.7, 0}, Gabor{0.2, 4, 5.5, -2.8, 0.02, 0},
                               Gabor{39.1, 3, 8, 1.5707, 3, 0}, Gabor{20, 5, 3.5, 3.0, 0.1, 0}}) {
      const Gabor fit = fitter.fit(field_of(known, n)).front();
      SCOPED_TRACE(testing::Message() << "n = " << n << ", centre " << known.centre);
      // The fit stops at Σr² = 1e-10 Σw², and float32 holds the fields to 6e-8: what is left of the parameters is 1e-3.
      EXPECT_LT(fit.residual, 1e-3);
      EXPECT_NEAR(fit.centre, known.centre, 0.02);
      EXPECT_NEAR(fit.width / known.width, 1, 5e-3);
      EXPECT_NEAR(fit.frequency, known.frequency, 0.02);
      EXPECT_NEAR(std::remainder(fit.phase - known.phase, 2 * kPi), 0, 0.02);
      EXPECT_NEAR(fit.amplitude / known.amplitude, 1, 5e-3);
    }
  }
}

TEST(Gabor, FitsBumpsWavesAndSingleSites) {
  constexpr std::int64_t n = 40;
  const GaborFitter fitter(n);
  const Gabor bump = fitter.fit(field_of({17.4, 2, 0, 0, 1, 0}, n)).front();
  EXPECT_NEAR(bump.centre, 17.4, 0.01);
  EXPECT_LT(bump.residual, 0.01);
  const double curvature = 1 / (bump.width * bump.width) + std::pow(2 * kPi * bump.frequency / n, 2);
  EXPECT_NEAR(curvature, 0.25, 0.01);  // s and f apart are not to be told from a bump, gabor.hpp

  std::vector<float> wave;
  for (int i = 0; i < n; ++i) wave.push_back(static_cast<float>(std::cos(2 * kPi * 7 * i / n + 1)));
  const Gabor flat = fitter.fit(wave).front();
  EXPECT_NEAR(flat.frequency, 7, 0.05);
  EXPECT_GT(flat.width, n);
  EXPECT_LT(flat.residual, 0.05);

  std::vector<float> site(n, 0.0F);
  site[31] = -0.5F;
  const Gabor single = fitter.fit(site).front();
  EXPECT_NEAR(single.centre, 31, 0.1);
  EXPECT_LT(single.residual, 0.1);
  EXPECT_NEAR(std::abs(single.phase), kPi, 0.2);  // negative: half a period on
}

TEST(Gabor, ReportsTheResidualOfWhatItReturns) {
  std::mt19937 engine(5);
  std::normal_distribution<float> normal;
  constexpr std::int64_t n = 50;
  std::vector<float> fields(60 * n);  // more than a block
  for (float& w : fields) w = normal(engine);
  const std::vector<Gabor> fits = GaborFitter(n).fit(fields);
  ASSERT_EQ(fits.size(), 60U);
  for (std::size_t k = 0; k < fits.size(); ++k) {
    const std::vector<float> field(fields.begin() + static_cast<std::ptrdiff_t>(k * n),
                                   fields.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
    EXPECT_NEAR(fits[k].residual, residual(fits[k], field), 1e-4);
    EXPECT_LT(fits[k].residual, 1);
  }
}

TEST(Gabor, IsAsGoodAsEigensSolver) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  constexpr std::int64_t n = 60;
  constexpr int fields = 300;
  const GaborFitter fitter(n);
  int close_to_nearest = 0;
  int close_to_best = 0;
  for (int k = 0; k < fields; ++k) {
    const Gabor truth{n * uniform(engine),
                      1 + 4 * uniform(engine),
                      15 * uniform(engine),
                      2 * kPi * uniform(engine) - kPi,
                      1,
                      0};
    std::vector<float> field = field_of(truth, n);
    for (float& w : field) w += static_cast<float>(0.1 * normal(engine));
    const Gabor ours = fitter.fit(field).front();
    const double from_ours = residual(eigen_fit(field, ours), field);    // the bottom of our valley
    const double from_truth = residual(eigen_fit(field, truth), field);  // the valley of the answer
    close_to_nearest += residual(ours, field) < 1.01 * from_ours;
    close_to_best += residual(ours, field) < 1.01 * std::min(from_ours, from_truth);
  }
  EXPECT_GE(close_to_nearest, fields * 98 / 100);
  EXPECT_GE(close_to_best, fields * 95 / 100);
}

TEST(Gabor, HasNothingToSayOfNothing) {
  std::vector<float> fields(3 * 10, 0.0F);
  fields[10] = std::nanf("");
  fields[25] = 1;
  const std::vector<Gabor> fits = GaborFitter(10).fit(fields);
  EXPECT_TRUE(std::isnan(fits[0].centre) && std::isnan(fits[0].residual));
  EXPECT_TRUE(std::isnan(fits[1].centre) && std::isnan(fits[1].residual));
  EXPECT_NEAR(fits[2].centre, 5, 0.1);
}

TEST(Gabor, DoesNotDependOnItsNeighbours) {
  std::mt19937 engine(9);
  std::normal_distribution<float> normal;
  constexpr std::int64_t n = 20;
  std::vector<float> fields(100 * n);
  for (float& w : fields) w = normal(engine);
  const GaborFitter fitter(n);
  const std::vector<Gabor> together = fitter.fit(fields);
  for (const std::size_t k : {0U, 47U, 48U, 99U}) {
    const Gabor alone = fitter.fit(std::span(fields).subspan(k * n, n)).front();
    EXPECT_EQ(alone.centre, together[k].centre);
    EXPECT_EQ(alone.residual, together[k].residual);
  }
}

}  // namespace
}  // namespace sluice::probe

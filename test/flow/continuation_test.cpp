/// Normal forms with known folds, pitchforks and exchanges of minima.
#include "sluice/flow/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sluice/flow/branch_at.hpp"
#include "sluice/flow/branching.hpp"
#include "test/support/close.hpp"

namespace sluice::flow {
namespace {

/// L(a, b; x) = ½(a − 1)² + V(b; x), V given by its first two derivatives. w → (a, −b) leaves it as it is where V is even.
class NormalForm final : public Family {
 public:
  using Potential = std::function<std::array<double, 3>(double b, double x)>;  // V, V', V''
  explicit NormalForm(Potential potential) : potential_(std::move(potential)) {}

  std::shared_ptr<const CurvedLandscape> at(double x) const override {
    return std::make_shared<At>(potential_, x);
  }

 private:
  class At final : public CurvedLandscape {
   public:
    At(const Potential& potential, double x) : potential_(potential), x_(x) {}
    std::size_t size() const override { return 2; }
    double loss(std::span<const double> w) const override {
      return (w[0] - 1) * (w[0] - 1) / 2 + potential_(w[1], x_)[0];
    }
    void downhill(std::span<const double> w, std::span<double> out) const override {
      out[0] = 1 - w[0];
      out[1] = -potential_(w[1], x_)[1];
    }
    void jacobian(std::span<const double> w, std::span<double> out) const override {
      out[0] = -1;
      out[1] = out[2] = 0;
      out[3] = -potential_(w[1], x_)[2];
    }

   private:
    const Potential& potential_;
    double x_;
  };
  Potential potential_;
};

const Sectors kMirror{.size = 2, .inside = {1, 0}, .outside = {0, 1}};

/// db/dt = x − b²: a fold at x = 0.
const NormalForm kFold([](double b, double x) {
  return std::array{b * b * b / 3 - x * b, b * b - x, 2 * b};
});
/// db/dt = x b − b³: b = ±√x.
const NormalForm kSupercritical([](double b, double x) {
  return std::array{-x * b * b / 2 + std::pow(b, 4) / 4, -x * b + b * b * b, -x + 3 * b * b};
});
/// db/dt = x b + b³ − b⁵: a subcritical pitchfork at 0, folds at x = −¼ (b² = ½), one loss with b = 0 at x = −3/16 (b² = ¾).
const NormalForm kSubcritical([](double b, double x) {
  return std::array{-x * b * b / 2 - std::pow(b, 4) / 4 + std::pow(b, 6) / 6,
                    -x * b - b * b * b + std::pow(b, 5), -x - 3 * b * b + 5 * std::pow(b, 4)};
});

const test::Tolerance kPlace = test::absolute(1e-6, "Newton's residual 1e-9, over slopes of one");

TEST(Continuation, GoesAroundAFold) {
  for (const double step : {0.1, 0.05}) {
    const Continuation continuation(kFold, Sectors::none(2), {.step = step});
    const auto start = continuation.settle(std::array{1.0, 1.2}, 1);
    ASSERT_TRUE(start);
    EXPECT_NEAR(start->field[1], 1, 1e-7);
    EXPECT_EQ(start->growing(1e-6), 0);
    const Branch branch = continuation.follow(*start, -1, -1, 2);
    EXPECT_EQ(branch.ending, Branch::Ending::range);
    EXPECT_NEAR(branch.points.back().coordinate, 2, 1e-12);
    EXPECT_NEAR(branch.points.back().field[1], -std::sqrt(2), 1e-7) << "the other side";
    EXPECT_EQ(branch.points.back().growing(1e-6), 1);
    ASSERT_EQ(branch.critical.size(), 1U);
    EXPECT_EQ(branch.critical[0].kind, Critical::Kind::fold);
    EXPECT_TRUE(test::close(branch.critical[0].at.coordinate, 0, kPlace));
    EXPECT_NEAR(std::abs(branch.critical[0].vectors.at(0)[1]), 1, 1e-6);
    const auto again = continuation.relocate(branch.critical[0]);
    ASSERT_TRUE(again);
    EXPECT_TRUE(test::close(again->at.coordinate, 0, kPlace));
    for (const FixedPoint& point : branch.points)
      EXPECT_NEAR(point.coordinate, point.field[1] * point.field[1], 1e-7);
  }
}

TEST(Continuation, ASupercriticalPitchforkIsOne) {
  const ContinuationOptions options{.step = 0.1};
  const Continuation flat(kSupercritical, kMirror, options);
  const Branch branch = flat.follow(*flat.settle(std::array{0.9, 0.0}, -1), 1, -1, 1);
  ASSERT_EQ(branch.critical.size(), 1U);
  const Critical& critical = branch.critical[0];
  EXPECT_EQ(critical.kind, Critical::Kind::breaking);
  EXPECT_TRUE(test::close(critical.at.coordinate, 0, kPlace));
  EXPECT_NEAR(critical.slope, 1, 1e-6);
  const auto offshoot =
      branch_off(kSupercritical, critical, critical.vectors.at(0), Sectors::none(2), options);
  ASSERT_TRUE(offshoot);
  EXPECT_EQ(offshoot->criticality, Criticality::supercritical);
  EXPECT_NEAR(offshoot->curvature, 1, 1e-3) << "x = b²";
  const Branch bent = Continuation(kSupercritical, offshoot->sectors, options)
                          .follow(offshoot->start, offshoot->along, -1, 1);
  EXPECT_NEAR(std::abs(bent.points.back().field[1]), 1, 1e-7);
  EXPECT_EQ(bent.points.back().growing(1e-6), 0);
  EXPECT_FALSE(exchange_bracket(kSupercritical, branch, bent, options)) << "never stable at once";
}

TEST(Continuation, ASubcriticalPitchforkHasAFoldAndAnExchangeOfMinima) {
  const ContinuationOptions options{.step = 0.1};
  const Continuation flat(kSubcritical, kMirror, options);
  const Branch branch = flat.follow(*flat.settle(std::array{0.9, 0.0}, -1), 1, -1, 1);
  ASSERT_EQ(branch.critical.size(), 1U);
  const Critical& critical = branch.critical[0];
  const auto offshoot = branch_off(kSubcritical, critical, critical.vectors.at(0), Sectors::none(2), options);
  ASSERT_TRUE(offshoot);
  EXPECT_EQ(offshoot->criticality, Criticality::subcritical);
  EXPECT_NEAR(offshoot->curvature, -1 + 0.05 * 0.05, 1e-3) << "x = −b² + b⁴";
  const Branch bent =
      Continuation(kSubcritical, offshoot->sectors, options).follow(offshoot->start, offshoot->along, -1, 1);
  ASSERT_EQ(bent.critical.size(), 1U);
  EXPECT_EQ(bent.critical[0].kind, Critical::Kind::fold);
  EXPECT_TRUE(test::close(bent.critical[0].at.coordinate, -0.25, kPlace));
  EXPECT_TRUE(
      test::close(std::pow(bent.critical[0].at.field[1], 2), 0.5, test::absolute(1e-4, "√ of kPlace")));
  const auto bracket = exchange_bracket(kSubcritical, branch, bent, options);
  ASSERT_TRUE(bracket);
  const auto equal = exchange(kSubcritical, branch, bent, *bracket, options);
  ASSERT_TRUE(equal);
  EXPECT_TRUE(test::close(*equal, -3.0 / 16, kPlace));
  // The pass between them, on the stretch before the fold.
  const auto low = branch_at(kSubcritical, bent, -0.2, options);
  ASSERT_TRUE(low);
  EXPECT_EQ(low->growing(1e-6), 0) << "the stable of two";
}

TEST(Continuation, SaysSoWhenNothingIsThere) {
  const Continuation continuation(kFold, Sectors::none(2));
  EXPECT_FALSE(continuation.settle(std::array{1.0, 0.3}, -1)) << "x < 0 has no fixed point";
}

}  // namespace
}  // namespace sluice::flow

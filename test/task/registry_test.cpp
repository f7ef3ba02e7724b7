// What every kind of task promises, whatever its law.
#include "sluice/task/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "test/support/normals.hpp"

namespace sluice::task {
namespace {

TEST(EveryTask, ASampleIsAFunctionOfItsAddressAndClass) {
  for (const spec::Choice& kind : kinds_on_sites()) {
    const std::unique_ptr<Task> task = Section(std::string(kind.name)).make();
    const math::Address first{.seed = 3, .purpose = math::Purpose::evaluation, .step = 5, .row = 1000};
    constexpr std::int64_t kRows = 37;
    const auto n = task->inputs();
    for (const int which_class : {0, 1}) {
      const std::vector<float> together = test::sample_rows(*task, first, which_class, kRows);
      EXPECT_TRUE(std::all_of(together.begin(), together.end(), [](float x) { return std::isfinite(x); }));
      for (std::int64_t r = 0; r < kRows; ++r) {
        math::Address alone = first;
        alone.row += static_cast<std::uint32_t>(r);
        const std::vector<float> single = test::sample_rows(*task, alone, which_class, 1);
        EXPECT_TRUE(std::equal(single.begin(), single.end(), together.begin() + r * n))
            << kind.name << " " << r;
      }
      math::Address training = first;
      training.purpose = math::Purpose::training;
      EXPECT_NE(test::sample_rows(*task, training, which_class, kRows), together) << kind.name;
    }
  }
}

TEST(EveryTask, LanesOfAbsentSamplesAreFinite) {
  for (const spec::Choice& kind : kinds_on_sites()) {
    const std::unique_ptr<Task> task = Section(std::string(kind.name)).make();
    math::LanesBuffer<float> x(task->inputs(), 3);
    math::LanesBuffer<float> scratch(task->inputs(), 3);
    task->sample({.seed = 4}, 0, x.lanes(3), scratch.lanes(3));
    for (const float value : x.lanes(3).all()) ASSERT_TRUE(std::isfinite(value)) << kind.name;
  }
}

TEST(EveryTask, StatesAWholeRowOfCovariances) {
  for (const spec::Choice& kind : kinds_on_sites()) {
    const std::unique_ptr<Task> task = Section(std::string(kind.name)).make();
    for (const int which_class : {0, 1}) {
      const std::vector<double> row = task->moments(which_class).covariance;
      ASSERT_EQ(row.size(), static_cast<std::size_t>(task->inputs())) << kind.name;
      for (std::size_t d = 1; d < row.size(); ++d)
        EXPECT_EQ(row[d], row[row.size() - d]) << kind.name << " " << d;
    }
  }
}

}  // namespace
}  // namespace sluice::task

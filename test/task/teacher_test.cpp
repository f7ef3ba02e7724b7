#include "sluice/task/teacher.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/net/init.hpp"
#include "test/support/close.hpp"
#include "test/support/estimate.hpp"
#include "test/support/moments.hpp"
#include "test/support/normals.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::task {
namespace {

TeacherOptions small_teacher() {
  TeacherOptions options;
  options.network.hidden = 3;
  options.network.bias = 0.25;
  options.seed = 8;
  return options;
}

std::vector<float> labels_of(const Task& task, const math::Address& first, int which_class,
                             std::int64_t rows) {
  math::LanesBuffer<float> x(task.inputs(), 48);
  math::LanesBuffer<float> scratch(task.inputs(), 48);
  const auto labeler = task.labeler();
  std::vector<float> labels(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; row += 48) {
    const std::int64_t some = std::min<std::int64_t>(48, rows - row);
    math::Address at = first;
    at.row += static_cast<std::uint32_t>(row);
    task.sample(at, which_class, x.lanes(some), scratch.lanes(some));
    labeler->label(at, which_class, x.lanes(some),
                   std::span(labels).subspan(static_cast<std::size_t>(row), static_cast<std::size_t>(some)));
  }
  return labels;
}

TEST(Teacher, LabelsAreTheNetworksOutputs) {
  const TeacherOptions options = small_teacher();
  const auto task = options.make();
  const std::vector<float> theta = net::initial_parameters(options.network, 40, 8);
  for (const int which_class : {0, 1}) {
    const math::Address first{.seed = 2, .row = 5};
    const std::vector<float> x = test::sample_rows(*task, first, which_class, 100);
    const std::vector<float> labels = labels_of(*task, first, which_class, 100);
    for (std::size_t r = 0; r < 100; ++r) {
      double output = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        double h = 0.25;
        for (std::size_t i = 0; i < 40; ++i) h += static_cast<double>(theta[k * 40 + i]) * x[r * 40 + i];
        output += std::max(h, 0.0) / 3;
      }
      EXPECT_TRUE(test::close(labels[r], output, {1e-5, 1e-6, "float rounding"}));
    }
  }
}

TEST(Teacher, StatesTheMeanLabelOfEachClass) {
  TeacherOptions options = small_teacher();
  options.noise = 0.5;
  const auto task = options.make();
  for (const int which_class : {0, 1}) {
    test::Estimate mean;
    for (const float y : labels_of(*task, {.seed = 77}, which_class, 16'384)) mean.add(y);
    // Both are means over 2^14 samples.
    EXPECT_TRUE(test::close(task->classes().labels.at(static_cast<std::size_t>(which_class)), mean.mean(),
                            test::sampling(std::sqrt(2.0) * mean.standard_error())));
  }
}

TEST(Teacher, NoiseHasTheStatedSpreadAndIsItsOwn) {
  TeacherOptions options = small_teacher();
  options.inputs = Section("student-t");  // draws its radius at the same address
  const auto quiet = options.make();
  options.noise = 0.3;
  const auto noisy = options.make();
  const math::Address first{.seed = 4};
  const std::vector<float> clean = labels_of(*quiet, first, 0, 20'000);
  const std::vector<float> labels = labels_of(*noisy, first, 0, 20'000);
  const std::vector<float> x = test::sample_rows(*quiet, first, 0, 20'000);
  test::Estimate square;
  test::Estimate with_radius;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const double noise = static_cast<double>(labels[r]) - clean[r];
    double radius = 0;
    for (std::size_t i = 0; i < 40; ++i) radius += std::abs(x[r * 40 + i]) / 40;
    square.add(noise * noise);
    with_radius.add(noise * radius);
  }
  EXPECT_TRUE(test::close(square.mean(), 0.09, test::sampling(square.standard_error())));
  EXPECT_TRUE(test::close(with_radius.mean(), 0, test::sampling(with_radius.standard_error())));
}

TEST(Teacher, InputsKeepTheirLaw) { test::expect_stated_moments(*small_teacher().make(), 0, 20'000, 5); }

TEST(Teacher, AChangedWeightsFileIsNoticed) {
  const test::TempFolder folder;
  file::write_npy(folder / "teacher.npy", {{3, 40}, std::vector<float>(120, 0.1F)});
  TeacherOptions options = small_teacher();
  options.network.init = {.law = "file", .path = "teacher.npy"};
  options.resolve(folder.path());
  EXPECT_EQ(options.checksum.size(), 8U);
  options.resolve("/elsewhere");  // absolute by now
  file::write_npy(folder / "teacher.npy", {{3, 40}, std::vector<float>(120, 0.2F)});
  EXPECT_THROW(options.resolve(folder.path()), InputError);
}

}  // namespace
}  // namespace sluice::task

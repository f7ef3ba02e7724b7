#include "sluice/flow/operators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/spec/document.hpp"

namespace sluice::flow {
namespace {

task::Section section(const std::string& text) {
  task::Section section;
  spec::Document::from_text(text, "test").read([&](spec::Keys& keys) { section.describe(keys); });
  return section;
}

TEST(Operators, OfADatasetAreAveragesOverItsSamples) {
  const task::Section task = section("kind = \"dataset\"\nsamples = 60\nfrom = { kind = \"nlgp\", n = 6 }\n");
  const auto made = task.make();
  const task::FiniteSet& set = *made->training_set();
  const std::vector<double> w{0.3, -1.2, 0.7, 0.1, 0.5, -0.4};
  for (const int which_class : {0, 1}) {
    std::vector<double> expected(6);
    double count = 0;
    for (std::size_t row = 0; row < 60; ++row) {
      if (set.which_class[row] != which_class) continue;
      double s = 0;
      for (std::size_t i = 0; i < 6; ++i) s += w[i] * set.x[row * 6 + i];
      for (std::size_t i = 0; i < 6; ++i) expected[i] += s >= 0 ? set.x[row * 6 + i] : 0;
      count += 1;
    }
    std::vector<double> f(6);
    make_operator("exact", task, which_class)->single(w, f);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(f[i], expected[i] / count, 1e-12);
  }
}

TEST(Operators, SampledComesToTheExactOne) {
  const task::Section task = section("kind = \"gaussian\"\nn = 12\n");
  const std::vector<double> w{1, 0.5, 0, 0, -0.5, 0, 0.2, 0, 0, 0, 0, 0.5};
  std::vector<double> sampled(12), exact(12);
  make_operator("sampled", task, 0)->single(w, sampled);
  make_operator("gaussian", task, 0)->single(w, exact);
  // 65,536 pairs of unit variance: a standard error of at most 1/(2·256) without any of the variance reduction.
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(sampled[i], exact[i], 4.0 / 512);
}

}  // namespace
}  // namespace sluice::flow

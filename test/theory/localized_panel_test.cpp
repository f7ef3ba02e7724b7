/// The criterion on the panel of docs/theory/localized.md and on trained fields. Seeds are fixed.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sluice/file/npz.hpp"
#include "sluice/theory/field_panel.hpp"
#include "sluice/theory/localized.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::theory {
namespace {

constexpr double kMustCount = 0.95, kMustNot = 0.01;

// Nulls count at a rate of 0.1 to 0.2 % (20,000 draws of several, docs/theory/localized.md): more than ten of 1000 would come once in
// 10⁵ times, more than three of 300 shuffled ones once in 300.
TEST(LocalizedPanel, EveryKindAtEverySize) {
  const task::Section task("nlgp");
  const net::Section network;
  const Table panel = quantity("localized-panel").table({task, network, 0, {}, {}, ""});
  ASSERT_EQ(panel.rows.size(), 4 * ring_panel().size() + 3 * torus_panel().size());
  ASSERT_EQ(panel.labels.size(), panel.rows.size());
  int counting = 0;
  for (std::size_t r = 0; r < panel.rows.size(); ++r) {
    SCOPED_TRACE(panel.labels[r] + ", n = " + std::to_string(panel.rows[r][1]));
    const bool must_count = panel.rows[r][2] == 1;
    const double share = panel.rows[r][3], shuffled = panel.rows[r][4];
    if (must_count) {
      ++counting;
      EXPECT_GE(share, kMustCount);
      EXPECT_LE(shuffled, kMustNot);
    } else {
      EXPECT_LE(share, kMustNot);
    }
  }
  EXPECT_EQ(counting, 4 * 20 + 3 * 8);
}

class Trained : public testing::Test {
 protected:
  /// The share of localized units.
  double share(const std::string& name, std::int64_t side = 0) const {
    const file::Array* weights = file::find(fields_, name);
    if (weights == nullptr) throw std::invalid_argument("no array " + name);
    const auto n = static_cast<std::size_t>(weights->shape[1]);
    const Localization criterion(weights->shape[1], side);
    const std::span<const float> all = weights->as<float>();
    int counted = 0;
    for (std::size_t at = 0; at < all.size(); at += n)
      counted += criterion.localized(all.subspan(at, n)) ? 1 : 0;
    return counted / static_cast<double>(weights->shape[0]);
  }

 private:
  file::NamedArrays fields_ = file::read_npz(TEST_FOLDER "/data/trained_fields.npz");
};

TEST_F(Trained, FieldsThatHaveFormedCount) {
  for (const char* name : {"gain3", "gain100", "gain1", "xi41", "n100", "n400"})
    EXPECT_GE(share(name), kMustCount) << name;
  EXPECT_GE(share("torus8", 8), kMustCount);
  EXPECT_GE(share("torus16", 16), kMustCount);
}

TEST_F(Trained, ControlsDoNot) {
  for (const char* name : {"control_gain", "control_gaussian", "control_oscillation", "control_n400"})
    EXPECT_EQ(share(name), 0) << name;
}

}  // namespace
}  // namespace sluice::theory

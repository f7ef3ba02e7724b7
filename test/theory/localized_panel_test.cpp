/// The criterion on the panel of docs/theory/localized.md and on trained fields. Seeds are fixed.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sluice/file/npz.hpp"
#include "sluice/theory/field_panel.hpp"
#include "sluice/theory/localized.hpp"

namespace sluice::theory {
namespace {

constexpr double kMustCount = 0.95, kMustNot = 0.01;

/// Every kind at every size. Nulls count at a rate of 0.1 to 0.2 % (20,000 draws of several, docs/theory/localized.md): more than ten of
/// 1000 would come once in 10⁵ times, more than five of 500 shuffled ones once in 1700.
void expect_panel(std::span<const PanelKind> panel, std::initializer_list<std::int64_t> sizes, bool torus,
                  std::uint32_t counting, std::uint32_t nulls) {
  for (const std::int64_t n : sizes) {
    for (const PanelKind& kind : panel) {
      const PanelShare found = panel_share(kind, n, torus, kind.counts ? counting : nulls);
      if (kind.counts) {
        EXPECT_GE(found.share, kMustCount) << kind.name << ", n = " << n;
        EXPECT_LE(found.shuffled, kMustNot) << kind.name << ", shuffled, n = " << n;
      } else {
        EXPECT_LE(found.share, kMustNot) << kind.name << ", n = " << n;
      }
    }
  }
}

TEST(LocalizedPanel, OnRings) { expect_panel(ring_panel(), {40, 100, 200, 400}, false, 500, 1000); }

TEST(LocalizedPanel, OnTori) { expect_panel(torus_panel(), {8, 16, 32}, true, 100, 200); }

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

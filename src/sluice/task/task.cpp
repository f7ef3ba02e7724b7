#include "sluice/task/task.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::task {
namespace {

class ClassLabeler final : public Labeler {
 public:
  explicit ClassLabeler(const std::array<double, 2>& labels) : labels_(labels) {}
  void label(const math::Address&, int which_class, const math::Lanes&, std::span<float> labels) override {
    std::fill(labels.begin(), labels.end(),
              static_cast<float>(labels_.at(static_cast<std::size_t>(which_class))));
  }

 private:
  std::array<double, 2> labels_;
};

}  // namespace

std::int64_t Task::side() const {
  return dimensions() == 1 ? inputs() : std::llround(std::sqrt(static_cast<double>(inputs())));
}

std::string_view to_string(Layout::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames{"ring", "torus", "image", "plain"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view place(Layout::Kind kind) {
  constexpr std::array<std::string_view, 4> kPlaces{"a ring", "a torus", "an image", "no order"};
  return kPlaces.at(static_cast<std::size_t>(kind));
}

Layout of_kernels(const Layout& layout) {
  if (!layout.kernel) return layout;
  Layout small{.kind = layout.on_ring() ? Layout::Kind::ring : Layout::Kind::image,
               .rows = layout.kernel->rows,
               .columns = layout.kernel->columns,
               .channels = layout.channels};
  small.kernel = {.rows = small.rows, .columns = small.columns};
  return small;
}

std::vector<float> kernels_of(std::span<const float> fields, const Layout& layout) {
  const net::Patch& place = layout.kernel.value();
  const std::int64_t planes = static_cast<std::int64_t>(fields.size()) / (layout.rows * layout.columns);
  std::vector<float> kernels;
  kernels.reserve(static_cast<std::size_t>(planes * place.rows * place.columns));
  for (std::int64_t p = 0; p < planes; ++p) {
    for (std::int64_t a = 0; a < place.rows; ++a) {
      const std::int64_t row = p * layout.rows + place.top + a;
      const auto from = fields.begin() + row * layout.columns + place.left;
      kernels.insert(kernels.end(), from, from + place.columns);
    }
  }
  return kernels;
}

Layout Task::layout() const {
  if (dimensions() == 1) return {Layout::Kind::ring, 1, inputs()};
  return {Layout::Kind::torus, side(), side()};
}

std::int64_t Task::outputs() const {
  const FiniteSet* set = training_set();
  return set != nullptr && set->classes > 2 ? set->classes : 1;
}

std::unique_ptr<Labeler> Task::labeler() const { return std::make_unique<ClassLabeler>(classes_.labels); }

}  // namespace sluice::task

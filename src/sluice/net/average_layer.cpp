#include <algorithm>
#include <cmath>

#include "sluice/net/layer.hpp"

namespace sluice::net {
namespace {

template <class Real>
class Average final : public Layer<Real> {
 public:
  Average(const Volume& from, std::int64_t rows, std::int64_t columns)
      : Layer<Real>(from, {from.channels, from.rows / rows, from.columns / columns}, 0, 0),
        rows_(rows),
        columns_(columns),
        window_{.rows = rows,
                .columns = columns,
                .stride = columns,
                .to_rows = from.rows / rows,
                .to_columns = from.columns / columns} {}

  const Window* window() const override { return &window_; }

  void forward(const Real* /*weights*/, const Real* z, std::int64_t stride, Real* q) const override {
    sum(z, stride, Real{1} / static_cast<Real>(rows_ * columns_), q);
  }
  void backward(const Real* /*weights*/, const Real* /*turned*/, const Real* slopes, std::int64_t stride,
                Real* back) const override {
    const auto share = Real{1} / static_cast<Real>(rows_ * columns_);
    std::fill_n(back, this->inputs() * stride, Real{0});
    const std::int64_t pixel = this->from().channels * stride;
    each([&](std::int64_t to, std::int64_t from) {
      for (std::int64_t i = 0; i < pixel; ++i) back[from * pixel + i] = share * slopes[to * pixel + i];
    });
  }

  std::size_t rows_size(std::int64_t /*samples*/) const override { return 0; }
  void as_rows(const Real* /*z*/, std::int64_t /*samples*/, std::int64_t /*stride*/,
               Real* /*out*/) const override {}
  std::vector<GradientTile> tiles() const override { return {}; }
  void gradient(const GradientTile& /*tile*/, const Real* /*slopes*/, const Real* /*z_rows*/,
                std::int64_t /*samples*/, std::int64_t /*stride*/, Real* /*out*/,
                bool /*add*/) const override {}

  void join(const Real* in, std::int64_t stride, int power, Real* out) const override {
    sum(in, stride, static_cast<Real>(std::pow(static_cast<double>(rows_ * columns_), -power)), out);
  }

 private:
  /// visit(window, pixel) for every pixel of every window.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::int64_t to = 0; to < this->to().pixels(); ++to) {
      const std::int64_t y = to / this->to().columns * rows_, x = to % this->to().columns * columns_;
      for (std::int64_t a = 0; a < rows_; ++a) {
        for (std::int64_t b = 0; b < columns_; ++b) visit(to, (y + a) * this->from().columns + x + b);
      }
    }
  }
  void sum(const Real* in, std::int64_t stride, Real factor, Real* out) const {
    std::fill_n(out, this->units() * stride, Real{0});
    const std::int64_t pixel = this->from().channels * stride;
    each([&](std::int64_t to, std::int64_t from) {
      for (std::int64_t i = 0; i < pixel; ++i) out[to * pixel + i] += factor * in[from * pixel + i];
    });
  }

  std::int64_t rows_, columns_;
  Window window_;
};

}  // namespace

template <class Real>
std::unique_ptr<Layer<Real>> average_layer(const Volume& from, std::int64_t side) {
  if (side == 0) return std::make_unique<Average<Real>>(from, from.rows, from.columns);
  return std::make_unique<Average<Real>>(from, from.rows == 1 ? 1 : side, side);
}
template std::unique_ptr<Layer<float>> average_layer(const Volume& from, std::int64_t side);
template std::unique_ptr<Layer<double>> average_layer(const Volume& from, std::int64_t side);

}  // namespace sluice::net

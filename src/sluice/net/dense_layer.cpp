#include <algorithm>
#include <array>

#include "sluice/math/kernels.hpp"
#include "sluice/net/layer.hpp"

namespace sluice::net {
namespace {

template <class Real>
class Dense final : public Layer<Real> {
 public:
  Dense(const Volume& from, std::int64_t units)
      : Layer<Real>(from, Volume{.channels = units}, units, from.size()) {}

  void forward(const Real* weights, const Real* z, std::int64_t stride, Real* q) const override {
    const std::int64_t columns = this->columns();
    if (columns >= kFar) return forward_packed(weights, z, stride, q);
    math::multiply(math::Product<Real>{.m = this->rows(),
                                       .n = stride,
                                       .k = columns,
                                       .a = weights,
                                       .a_stride = columns,
                                       .b = z,
                                       .b_stride = stride,
                                       .c = q,
                                       .c_stride = stride,
                                       .add = false});
  }

  void backward(const Real* weights, const Real* /*turned*/, const Real* slopes, std::int64_t stride,
                Real* back) const override {
    math::multiply(math::Product<Real>{.m = this->columns(),
                                       .n = stride,
                                       .k = this->rows(),
                                       .a = weights,
                                       .a_stride = 1,
                                       .b = slopes,
                                       .b_stride = stride,
                                       .c = back,
                                       .c_stride = stride,
                                       .add = false,
                                       .a_step = this->columns()});
  }

  std::size_t rows_size(std::int64_t samples) const override {
    return static_cast<std::size_t>(samples * math::whole_vectors(this->columns()));
  }
  void as_rows(const Real* z, std::int64_t samples, std::int64_t stride, Real* out) const override {
    math::transpose(math::LanesOf<const Real>{z, this->columns(), samples, stride}, out,
                    math::whole_vectors(this->columns()));
  }

  std::vector<GradientTile> tiles() const override {
    constexpr std::int64_t kRows = 32;
    constexpr std::int64_t kColumns = 4096;  // half a megabyte of gradient: stays near
    std::vector<GradientTile> all;
    for (std::int64_t column = 0; column < this->columns(); column += kColumns) {
      for (std::int64_t row = 0; row < this->rows(); row += kRows)
        all.push_back({.first_row = row,
                       .last_row = std::min(row + kRows, this->rows()),
                       .first_column = column,
                       .piece = std::min(kColumns, this->columns() - column)});
    }
    return all;
  }

  void gradient(const GradientTile& tile, const Real* slopes, const Real* z_rows, std::int64_t samples,
                std::int64_t stride, Real* out, bool add) const override {
    math::multiply(math::Product<Real>{.m = tile.rows(),
                                       .n = tile.piece_stride(),
                                       .k = samples,
                                       .a = slopes + tile.first_row * stride,
                                       .a_stride = stride,
                                       .b = z_rows + tile.first_column,
                                       .b_stride = math::whole_vectors(this->columns()),
                                       .c = out,
                                       .c_stride = tile.piece_stride(),
                                       .add = add});
  }

  void join(const Real* in, std::int64_t stride, int /*power*/, Real* out) const override {
    std::fill_n(out, stride, Real{0});
    for (std::int64_t j = 0; j < this->columns(); ++j) {
      for (std::int64_t s = 0; s < stride; ++s) out[s] += in[j * stride + s];
    }
    for (std::int64_t i = 1; i < this->rows(); ++i) std::copy_n(out, stride, out + i * stride);
  }

 private:
  /// Rows of weights that lie this far apart share the places of few cache lines with each other, and most of all when their distance
  /// is a power of two: stretches of them are brought together first. The order of the sums stays the same.
  static constexpr std::int64_t kFar = 8192;
  static constexpr std::int64_t kStretch = 128, kRowsAtOnce = 48;

  void forward_packed(const Real* weights, const Real* z, std::int64_t stride, Real* q) const {
    std::array<Real, kRowsAtOnce * kStretch> near;
    for (std::int64_t first = 0; first < this->columns(); first += kStretch) {
      const std::int64_t count = std::min(kStretch, this->columns() - first);
      for (std::int64_t row = 0; row < this->rows(); row += kRowsAtOnce) {
        const std::int64_t rows = std::min(kRowsAtOnce, this->rows() - row);
        for (std::int64_t r = 0; r < rows; ++r)
          std::copy_n(weights + (row + r) * this->columns() + first, count, near.data() + r * kStretch);
        math::multiply(math::Product<Real>{.m = rows,
                                           .n = stride,
                                           .k = count,
                                           .a = near.data(),
                                           .a_stride = kStretch,
                                           .b = z + first * stride,
                                           .b_stride = stride,
                                           .c = q + row * stride,
                                           .c_stride = stride,
                                           .add = first > 0});
      }
    }
  }
};

}  // namespace

std::int64_t GradientTile::piece_stride() const { return math::whole_vectors(piece); }

template <class Real>
std::unique_ptr<Layer<Real>> dense_layer(const Volume& from, std::int64_t units) {
  return std::make_unique<Dense<Real>>(from, units);
}
template std::unique_ptr<Layer<float>> dense_layer(const Volume& from, std::int64_t units);
template std::unique_ptr<Layer<double>> dense_layer(const Volume& from, std::int64_t units);

}  // namespace sluice::net

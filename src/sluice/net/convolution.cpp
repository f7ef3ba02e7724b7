#include <fmt/format.h>

#include <algorithm>

#include "sluice/file/errors.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/net/layer.hpp"

namespace sluice::net {
namespace {

std::int64_t wrapped(std::int64_t place, std::int64_t size) { return ((place % size) + size) % size; }

/// Neighbours b, b + 1, … of a row of a window and the pixels that they lie on, neighbours too.
struct Run {
  std::int64_t tap, pixel, count;
};

/// Calls visit(run) for what of [first, first + count) lies on a line of `size` pixels, tap 0 being on `first`.
template <class Visit>
void on_line(std::int64_t first, std::int64_t count, std::int64_t size, bool wraps, const Visit& visit) {
  if (!wraps) {
    const std::int64_t begin = std::max<std::int64_t>(first, 0);
    const std::int64_t end = std::min(first + count, size);
    if (begin < end) visit(Run{begin - first, begin, end - begin});
    return;
  }
  for (std::int64_t tap = 0; tap < count;) {
    const std::int64_t pixel = wrapped(first + tap, size);
    const std::int64_t together = std::min(count - tap, size - pixel);
    visit(Run{tap, pixel, together});
    tap += together;
  }
}

template <class Real>
class Convolution final : public Layer<Real> {
 public:
  Convolution(const Volume& from, std::int64_t channels, const Window& window)
      : Layer<Real>(from, {channels, window.to_rows, window.to_columns}, channels,
                    window.rows * window.columns * from.channels),
        window_(window) {}

  const Window* window() const override { return &window_; }
  file::Shape shape() const override {
    return {this->to().channels, window_.rows, window_.columns, this->from().channels};
  }
  std::vector<std::string_view> axes() const override { return {"channel", "row", "column", "from"}; }
  std::int64_t fan_out() const override { return this->rows() * window_.rows * window_.columns; }

  /// [from, rows, columns backwards, channels]: what a pixel is seen by in one row of windows stands together, too.
  std::size_t turned_size() const override {
    return static_cast<std::size_t>(this->rows() * this->columns());
  }
  void turn(const Real* weights, Real* turned) const override {
    const std::int64_t in = this->from().channels, out = this->to().channels;
    for (std::int64_t o = 0; o < out; ++o) {
      for (std::int64_t a = 0; a < window_.rows; ++a) {
        for (std::int64_t b = 0; b < window_.columns; ++b) {
          for (std::int64_t c = 0; c < in; ++c)
            turned[((c * window_.rows + a) * window_.columns + window_.columns - 1 - b) * out + o] =
                *weights++;
        }
      }
    }
  }

  void forward(const Real* weights, const Real* z, std::int64_t stride, Real* q) const override {
    const std::int64_t in = this->from().channels, out = this->to().channels;
    this->each_pixel([&](std::int64_t y, std::int64_t x, std::int64_t pixel) {
      bool add = false;
      this->seen(y, x, [&](std::int64_t a, const Run& run) {
        math::multiply(math::Product<Real>{.m = out,
                                           .n = stride,
                                           .k = run.count * in,
                                           .a = weights + (a * window_.columns + run.tap) * in,
                                           .a_stride = this->columns(),
                                           .b = z + run.pixel * in * stride,
                                           .b_stride = stride,
                                           .c = q + pixel * out * stride,
                                           .c_stride = stride,
                                           .add = add});
        add = true;
      });
      if (!add) std::fill_n(q + pixel * out * stride, out * stride, Real{0});
    });
  }

  void backward(const Real* /*weights*/, const Real* turned, const Real* slopes, std::int64_t stride,
                Real* back) const override {
    const std::int64_t in = this->from().channels, out = this->to().channels;
    for (std::int64_t pixel = 0; pixel < this->from().pixels(); ++pixel) {
      bool add = false;
      this->seen_by(pixel / this->from().columns, pixel % this->from().columns,
                    [&](std::int64_t a, const Run& run) {
                      math::multiply(math::Product<Real>{.m = in,
                                                         .n = stride,
                                                         .k = run.count * out,
                                                         .a = turned + (a * window_.columns + run.tap) * out,
                                                         .a_stride = window_.rows * window_.columns * out,
                                                         .b = slopes + run.pixel * out * stride,
                                                         .b_stride = stride,
                                                         .c = back + pixel * in * stride,
                                                         .c_stride = stride,
                                                         .add = add});
                      add = true;
                    });
      if (!add) std::fill_n(back + pixel * in * stride, in * stride, Real{0});
    }
  }

  /// [pixels, samples, whole vectors of channels].
  std::size_t rows_size(std::int64_t samples) const override {
    return static_cast<std::size_t>(this->from().pixels() * samples * row());
  }
  void as_rows(const Real* z, std::int64_t samples, std::int64_t stride, Real* out) const override {
    const std::int64_t in = this->from().channels;
    for (std::int64_t pixel = 0; pixel < this->from().pixels(); ++pixel)
      math::transpose(math::LanesOf<const Real>{z + pixel * in * stride, in, samples, stride},
                      out + pixel * samples * row(), row());
  }

  /// A row of the window and some channels: sums over all pixels.
  std::vector<GradientTile> tiles() const override {
    constexpr std::int64_t kChannels = 32;
    std::vector<GradientTile> all;
    for (std::int64_t first = 0; first < this->rows(); first += kChannels) {
      for (std::int64_t a = 0; a < window_.rows; ++a)
        all.push_back({.first_row = first,
                       .last_row = std::min(first + kChannels, this->rows()),
                       .first_column = a * window_.columns * this->from().channels,
                       .pieces = window_.columns,
                       .piece = this->from().channels});
    }
    return all;
  }

  void gradient(const GradientTile& tile, const Real* slopes, const Real* z_rows, std::int64_t samples,
                std::int64_t stride, Real* out, bool add) const override {
    if (!add) std::fill_n(out, tile.size(), Real{0});
    const std::int64_t row_of_window = tile.first_column / (window_.columns * this->from().channels);
    this->each_pixel([&](std::int64_t y, std::int64_t x, std::int64_t pixel) {
      this->seen_in_row(y, x, row_of_window, [&](const Run& run) {
        for (std::int64_t i = 0; i < run.count; ++i)
          math::multiply(math::Product<Real>{.m = tile.rows(),
                                             .n = row(),
                                             .k = samples,
                                             .a = slopes + (pixel * this->rows() + tile.first_row) * stride,
                                             .a_stride = stride,
                                             .b = z_rows + (run.pixel + i) * samples * row(),
                                             .b_stride = row(),
                                             .c = out + (run.tap + i) * row(),
                                             .c_stride = tile.pieces * row(),
                                             .add = true});
      });
    });
  }

  bool shared() const override { return true; }
  void sample_gradients(const Real* z, const Real* slopes, std::int64_t stride, Real* out) const override {
    const std::int64_t in = this->from().channels;
    std::fill_n(out, this->rows() * this->columns() * stride, Real{0});
    this->each_pixel([&](std::int64_t y, std::int64_t x, std::int64_t pixel) {
      this->seen(y, x, [&](std::int64_t a, const Run& run) {
        for (std::int64_t o = 0; o < this->rows(); ++o) {
          const Real* d = slopes + (pixel * this->rows() + o) * stride;
          const Real* seen = z + run.pixel * in * stride;
          Real* sum = out + (o * this->columns() + (a * window_.columns + run.tap) * in) * stride;
          for (std::int64_t k = 0; k < run.count * in; ++k, seen += stride, sum += stride) {
            for (std::int64_t s = 0; s < stride; ++s) sum[s] += d[s] * seen[s];
          }
        }
      });
    });
  }

  void join(const Real* in, std::int64_t stride, int /*power*/, Real* out) const override {
    const std::int64_t channels = this->from().channels;
    this->each_pixel([&](std::int64_t y, std::int64_t x, std::int64_t pixel) {
      Real* sum = out + pixel * this->rows() * stride;
      std::fill_n(sum, stride, Real{0});
      this->seen(y, x, [&](std::int64_t, const Run& run) {
        const Real* seen = in + run.pixel * channels * stride;
        for (std::int64_t k = 0; k < run.count * channels; ++k, seen += stride) {
          for (std::int64_t s = 0; s < stride; ++s) sum[s] += seen[s];
        }
      });
      for (std::int64_t o = 1; o < this->rows(); ++o) std::copy_n(sum, stride, sum + o * stride);
    });
  }

 private:
  std::int64_t row() const { return math::whole_vectors(this->from().channels); }

  template <class Visit>
  void each_pixel(const Visit& visit) const {
    for (std::int64_t y = 0; y < window_.to_rows; ++y) {
      for (std::int64_t x = 0; x < window_.to_columns; ++x) visit(y, x, y * window_.to_columns + x);
    }
  }

  /// visit(run) for what the window at (y, x) sees with its row a; the run's pixel is a number within the image.
  template <class Visit>
  void seen_in_row(std::int64_t y, std::int64_t x, std::int64_t a, const Visit& visit) const {
    const Volume& from = this->from();
    on_line(y * window_.stride + a - window_.top, 1, from.rows, window_.wraps, [&](const Run& line) {
      on_line(x * window_.stride - window_.left, window_.columns, from.columns, window_.wraps, [&](Run run) {
        run.pixel += line.pixel * from.columns;
        visit(run);
      });
    });
  }
  /// visit(a, run) for all rows.
  template <class Visit>
  void seen(std::int64_t y, std::int64_t x, const Visit& visit) const {
    for (std::int64_t a = 0; a < window_.rows; ++a)
      this->seen_in_row(y, x, a, [&](const Run& run) { visit(a, run); });
  }

  /// visit(a, run) for the windows that see the pixel (y, x) with their row a; taps count backwards, as in turn().
  template <class Visit>
  void seen_by(std::int64_t y, std::int64_t x, const Visit& visit) const {
    for (std::int64_t a = 0; a < window_.rows; ++a) {
      this->windows_at(y + window_.top - a, this->from().rows, window_.to_rows, [&](std::int64_t row) {
        if (window_.stride == 1) {
          const std::int64_t first = x + window_.left - (window_.columns - 1);
          on_line(first, window_.columns, window_.to_columns, window_.wraps, [&](Run run) {
            run.pixel += row * window_.to_columns;
            visit(a, run);
          });
          return;
        }
        for (std::int64_t tap = 0; tap < window_.columns; ++tap)  // windows further apart are no neighbours
          this->windows_at(x + window_.left - (window_.columns - 1 - tap), this->from().columns,
                           window_.to_columns, [&](std::int64_t column) {
                             visit(a, Run{tap, row * window_.to_columns + column, 1});
                           });
      });
    }
  }
  /// visit(window) where a window begins at `place` (counted from the first one's beginning), of `count` along a line.
  template <class Visit>
  void windows_at(std::int64_t place, std::int64_t size, std::int64_t count, const Visit& visit) const {
    if (window_.wraps) place = wrapped(place, size);
    if (place >= 0 && place % window_.stride == 0 && place / window_.stride < count)
      visit(place / window_.stride);
  }

  Window window_;
};

}  // namespace

Window Window::of(const Volume& from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                  std::string_view padding) {
  if (rows > from.rows || columns > from.columns)
    throw InputError(
        fmt::format("network.kernel: expected at most the {} × {} pixels of the layer before, found {} × {}",
                    from.rows, from.columns, rows, columns));
  Window window{.rows = rows, .columns = columns, .stride = stride};
  const auto along = [&](std::int64_t size, std::int64_t kernel, std::int64_t& count, std::int64_t& before) {
    if (padding == "none") {
      count = (size - kernel) / stride + 1;
      return;
    }
    count = (size + stride - 1) / stride;
    if (padding == "circular") {
      before = (kernel - 1) / 2;
      if (size % stride != 0)
        throw InputError(fmt::format(
            "network.strides: expected a divisor of {} pixels where padding is \"circular\", found {}", size,
            stride));
    } else {
      before = std::max<std::int64_t>((count - 1) * stride + kernel - size, 0) / 2;
    }
  };
  along(from.rows, rows, window.to_rows, window.top);
  along(from.columns, columns, window.to_columns, window.left);
  window.wraps = padding == "circular";
  return window;
}

template <class Real>
std::unique_ptr<Layer<Real>> convolution(const Volume& from, std::int64_t channels, const Window& window) {
  return std::make_unique<Convolution<Real>>(from, channels, window);
}
template std::unique_ptr<Layer<float>> convolution(const Volume& from, std::int64_t channels,
                                                   const Window& window);
template std::unique_ptr<Layer<double>> convolution(const Volume& from, std::int64_t channels,
                                                    const Window& window);

}  // namespace sluice::net

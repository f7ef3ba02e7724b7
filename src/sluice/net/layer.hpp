/// What lies between the units of two layers: a linear map of the units before, with weights θ or without any.
///   q = L(θ) z,   P = L(θ)'D,   ∂/∂θ ⟨D, L(θ) z⟩
/// dense         every unit sees all units before it                                             θ [units, inputs]
/// convolution   a channel at a pixel sees a window of pixels, all channels, and the same θ at every pixel:
///               q(o,y,x) = Σ_(a,b,c) θ(o,a,b,c) z(c, ys + a − top, xs + b − left)        θ [channels, rows, columns, from]
///               beyond the border there is nothing (zero), the other border (circular), or no unit that would look there (none)
/// average       the mean over windows of pixels, channel by channel; no weights
/// Samples are lanes (math/lanes.hpp), so every map is a few products of matrices without packing: what a window sees in one row of
/// pixels stands together (volume.hpp). Each sum runs in one order, whatever the threads. Hand-written instead of oneDNN for that
/// order, and because its layouts and ours would have to be turned into each other at every gate.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/net/volume.hpp"

namespace sluice::net {

/// Weights whose gradient is summed at once: rows [first, last) of θ as a matrix, in each `pieces` stretches of `piece` neighbours.
struct GradientTile {
  std::int64_t first_row = 0, last_row = 0;
  std::int64_t first_column = 0;
  std::int64_t pieces = 1;
  std::int64_t piece = 0;

  std::int64_t rows() const { return last_row - first_row; }
  /// From one piece of a summed gradient to the next, in whole vectors.
  std::int64_t piece_stride() const;
  std::size_t size() const { return static_cast<std::size_t>(rows() * pieces * piece_stride()); }
  /// Where piece p of row r begins in the summed gradient.
  std::int64_t at(std::int64_t row, std::int64_t p) const {
    return ((row - first_row) * pieces + p) * piece_stride();
  }
};

/// Where windows lie.
struct Window {
  std::int64_t rows = 1, columns = 1;
  std::int64_t stride = 1;
  std::int64_t top = 0, left = 0;  ///< pixels that the first window begins before the first pixel
  bool wraps = false;
  std::int64_t to_rows = 1, to_columns = 1;  ///< how many windows there are

  /// `padding`: "zero" and "circular" have a window for every stride-th pixel, "none" only windows within the image. Throws InputError when
  /// nothing fits.
  static Window of(const Volume& from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::string_view padding);
};

/// All arrays of units are [units, stride], samples as lanes.
template <class Real>
class Layer {
 public:
  virtual ~Layer() = default;

  const Volume& from() const { return from_; }
  const Volume& to() const { return to_; }
  std::int64_t inputs() const { return from_.size(); }
  std::int64_t units() const { return to_.size(); }

  /// What a unit sees of the pixels before it; null: all of them.
  virtual const Window* window() const { return nullptr; }

  /// θ as a matrix: a row for every unit, or channel; 0 × 0 where there is nothing to learn.
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// θ as it is recorded, and the names of its axes.
  virtual file::Shape shape() const { return {rows_, columns_}; }
  virtual std::vector<std::string_view> axes() const { return {"unit", "input"}; }
  /// How many units a unit sees, and how many see it: what initial laws go by.
  std::int64_t fan_in() const { return columns_; }
  virtual std::int64_t fan_out() const { return rows_; }

  /// θ as backward() reads it, where that is not as it stands.
  virtual std::size_t turned_size() const { return 0; }
  virtual void turn(const Real* /*weights*/, Real* /*turned*/) const {}

  virtual void forward(const Real* weights, const Real* z, std::int64_t stride, Real* q) const = 0;
  virtual void backward(const Real* weights, const Real* turned, const Real* slopes, std::int64_t stride,
                        Real* back) const = 0;

  /// z with samples as rows, which gradients are summed from. Padding is not written.
  virtual std::size_t rows_size(std::int64_t samples) const = 0;
  virtual void as_rows(const Real* z, std::int64_t samples, std::int64_t stride, Real* out) const = 0;
  /// All of θ, in tiles that threads may share.
  virtual std::vector<GradientTile> tiles() const = 0;
  /// Σ_samples ∂/∂θ ⟨D, L(θ) z⟩ of a tile's weights, added to what is there or instead of it.
  virtual void gradient(const GradientTile& tile, const Real* slopes, const Real* z_rows,
                        std::int64_t samples, std::int64_t stride, Real* out, bool add) const = 0;

  /// Many pairs of units have one weight: the gradient of a sample is a sum, and is [rows·columns, stride] below. Where they have
  /// not, that of unit i and input j is D(i) z(j).
  virtual bool shared() const { return false; }
  virtual void sample_gradients(const Real* /*z*/, const Real* /*slopes*/, std::int64_t /*stride*/,
                                Real* /*out*/) const {}

  /// The sum over what every unit sees, as if all weights were 1; weights that are fixed, as those of an average, count as their `power`: 0
  /// counts paths, 2 is what they are to a Gram matrix of path features (kernel/tangent.hpp).
  virtual void join(const Real* in, std::int64_t stride, int power, Real* out) const = 0;

 protected:
  Layer(const Volume& from, const Volume& to, std::int64_t rows, std::int64_t columns)
      : from_(from), to_(to), rows_(rows), columns_(columns) {}

 private:
  Volume from_, to_;
  std::int64_t rows_, columns_;
};

template <class Real>
std::unique_ptr<Layer<Real>> dense_layer(const Volume& from, std::int64_t units);

template <class Real>
std::unique_ptr<Layer<Real>> convolution(const Volume& from, std::int64_t channels, const Window& window);

/// Windows of side × side pixels beside each other (1 × side where there is one row of pixels); what is left over at the end of a row is not seen. side 0: all pixels.
template <class Real>
std::unique_ptr<Layer<Real>> average_layer(const Volume& from, std::int64_t side);

}  // namespace sluice::net

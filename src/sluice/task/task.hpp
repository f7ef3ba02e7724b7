/// Where samples come from: two classes of inputs on n sites, each with a label.
///
/// Class 0 is the first ξ (coupling, width) of the spec (the notes' class 1, label 1 by default), class 1 the second. Every class is stationary on the ring: mean and variance are those of every site. Mean zero and X ~ −X unless
/// the task's header says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/math/random.hpp"
#include "sluice/net/volume.hpp"
#include "sluice/task/recipe.hpp"

namespace sluice::task {

/// Exact moments of one class.
struct Moments {
  /// [d]: mean over sites of Cov(X_i, X_{i+d}); where Cov X is circulant, its first row. On a torus the covariance of
  /// the first site with every site: [n·d₁ + d₂], n² numbers; of an image the mean over pairs of pixels that lie so apart, those of one channel first.
  std::vector<double> covariance;
  double excess_kurtosis = 0;  ///< E(X_i − m)⁴/(Var X_i)² − 3; infinite where the fourth moment is
  double mean = 0;             ///< m = E X_i
};

/// What the classes are called and how often they come.
struct Classes {
  std::array<double, 2> labels = {
      1.0, 0.0};         ///< E[y | class]: the label itself, unless a teacher gives the labels
  double balance = 0.5;  ///< P(class 0)
};

/// How inputs lie beside each other: what shifts, spectra and positions of receptive fields mean on them.
struct Layout {
  enum class Kind { ring, torus, image, plain };

  Kind kind = Kind::ring;
  std::int64_t rows = 1;  ///< of a torus or an image; row by row
  std::int64_t columns = 0;
  std::int64_t channels = 1;  ///< planes of an image, one after the other: input (c·rows + y)·columns + x

  /// Of receptive fields that are kernels: where they lie. Where, says nothing then, nor does that they are small.
  std::optional<net::Patch> kernel = {};

  std::int64_t inputs() const { return channels * rows * columns; }

  bool on_ring() const { return kind == Kind::ring; }
  /// Shifts are symmetries: a field may be localized, and somewhere.
  bool has_places() const { return (kind == Kind::ring || kind == Kind::torus) && !kernel; }
  /// 0 where it is none.
  std::int64_t torus_side() const { return kind == Kind::torus ? rows : 0; }
  bool drawn_as_image() const { return kind == Kind::torus || kind == Kind::image; }
  bool operator==(const Layout&) const = default;
};
/// How the sites of kernels lie beside each other: in a line or a plane without shifts. The layout itself where there are none.
Layout of_kernels(const Layout& layout);
/// Of fields [.., inputs] the kernels [.., channels, rows, columns], which must be there.
std::vector<float> kernels_of(std::span<const float> fields, const Layout& layout);
/// "ring", "torus", "image"; "plain": in no particular order.
std::string_view to_string(Layout::Kind kind);
/// "a ring", "a torus", "an image", "no order": where sites lie.
std::string_view place(Layout::Kind kind);

/// Gives labels to samples. One per thread, because a teacher needs work space.
class Labeler {
 public:
  virtual ~Labeler() = default;
  /// The labels of a block, of at most math::kBlockSamples, that sample() filled for the same address and class.
  virtual void label(const math::Address& first, int which_class, const math::Lanes& x,
                     std::span<float> labels) = 0;
};

/// How a batch changes the images that it takes out of a finite set. Sample r of batch t, of the image x, is
///   x'(c, i, j) = x(c, i + d₁, m(j) + d₂), 0 outside of the image,
/// with d₁ and d₂ uniform on −crop, …, crop and, where there are flips, m(j) = columns − 1 − j with probability ½, else j. All
/// three are functions of (seed, t, r) alone; the set itself stays as it is.
struct Augmentation {
  Layout layout = {};
  bool flips = false;
  std::int64_t crop = 0;

  bool changes() const { return flips || crop > 0; }
};

/// Samples that were drawn or loaded once, one row of `inputs` numbers each.
struct FiniteSet {
  std::int64_t inputs = 0;
  std::vector<float> x;                        ///< [P, inputs]
  std::vector<float> y;                        ///< [P]
  std::vector<std::uint8_t> which_class = {};  ///< [P]: 0 or 1; empty in rows that have just been read
  std::int64_t classes = 0;        ///< C > 2: y holds the numbers 0, …, C − 1 of as many classes
  Augmentation augmentation = {};  ///< by the batches of training

  std::int64_t size() const { return static_cast<std::int64_t>(y.size()); }
};

class Task {
 public:
  virtual ~Task() = default;

  const Classes& classes() const { return classes_; }
  virtual std::int64_t inputs() const = 0;
  /// 1: a ring of inputs() sites; 2: a torus of √inputs() × √inputs().
  virtual std::int64_t dimensions() const { return 1; }
  /// Sites along one axis.
  std::int64_t side() const;
  virtual Layout layout() const;
  /// Outputs that a network needs: one, or as many as there are classes where they are more than two.
  std::int64_t outputs() const;
  /// What separates the labels of the two classes.
  double midpoint() const { return (classes_.labels[0] + classes_.labels[1]) / 2; }
  virtual Moments moments(int which_class) const = 0;

  /// Whether every class has X ~ −X, and whether its law (not only its moments) is the same after a shift along the ring:
  /// what expectations may be averaged over.
  virtual bool even() const { return true; }
  virtual bool stationary() const { return true; }

  /// Fills the block with independent samples of one class; sample r is a function of the address {first.seed,
  /// first.purpose, first.step, first.row + r} and the class alone. `scratch` has the size of the block.
  virtual void sample(const math::Address& first, int which_class, const math::Lanes& x,
                      const math::Lanes& scratch) const = 0;

  /// The same for somebody who draws elsewhere, where it can be said in numbers; the label of the class comes with it.
  virtual std::optional<Recipe> recipe(int /*which_class*/) const { return std::nullopt; }
  /// Whether there is one; a mix has a number for every pair of sites.
  virtual bool has_recipe() const { return recipe(0).has_value(); }

  /// By default the label of the class.
  virtual std::unique_ptr<Labeler> labeler() const;

  /// The samples training is confined to, null when every step draws fresh ones; and samples kept apart from them for
  /// evaluation, null when evaluation draws fresh ones.
  virtual const FiniteSet* training_set() const { return nullptr; }
  virtual const FiniteSet* test_set() const { return nullptr; }

  /// What a user should be told about this task, one line each (a projected covariance, for instance).
  virtual std::vector<std::string> remarks() const { return {}; }

 protected:
  explicit Task(const Classes& classes) : classes_(classes) {}

 private:
  Classes classes_;
};

}  // namespace sluice::task

/// What is trained: named parts over one flat vector of parameters, and a way through the network for blocks of samples.
///
/// Everything to the right works on this alone. The record, checkpoints, starts from a file and the page follow from the parts:
/// weights, bias, readout and offset are kept at every probe time, all others of the end. Training (learn/trainer.hpp), evaluation and finite differences need only a Pass. Adding a family of networks is a header, a
/// source and a line in registry.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/math/lanes.hpp"
#include "sluice/net/volume.hpp"

namespace sluice::net {

/// A named array within the flat vector of parameters.
struct Part {
  std::string name;                    ///< "weights", "layer2"
  std::vector<std::string_view> axes;  ///< {"unit", "site"}
  file::Shape shape;
  std::size_t offset = 0;

  std::size_t size() const { return static_cast<std::size_t>(file::element_count(shape)); }
  template <class T>
  std::span<T> of(std::span<T> parameters) const {
    return parameters.subspan(offset, size());
  }
};

/// Where the derivatives of `count` neighbouring parameters stand in a gradient, whose rows may be padded for vector code.
struct Stretch {
  std::size_t gradient = 0;
  std::size_t parameter = 0;
  std::size_t count = 0;
};

/// One thread's way through the network, with its own work space.
class Pass {
 public:
  virtual ~Pass() = default;

  /// The parameters that the next blocks meet; they must stay where they are.
  virtual void use(std::span<const float> parameters) = 0;
  /// Outputs [C, samples] of a block; `first_row` is the place of its first sample in the batch. Keeps what backward() needs.
  virtual void forward(const math::Lanes& x, std::int64_t first_row, const math::Lanes& outputs) = 0;
  /// Adds Σ_samples Σ_c (∂L/∂ŷ_c)·∂ŷ_c/∂θ of the block that forward() saw last to `gradient`, laid out as trained() says.
  virtual void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  std::int64_t inputs() const { return inputs_; }    ///< n
  std::int64_t outputs() const { return outputs_; }  ///< C: 1, or one for each class

  std::span<const Part> parts() const { return parts_; }
  /// Null when there is none of this name.
  const Part* find_part(std::string_view name) const;
  std::size_t parameter_count() const { return parameter_count_; }

  /// The parameters of step 0. Throws InputError when a file they come from does not fit.
  virtual std::vector<float> start(std::uint64_t seed) const = 0;
  /// For blocks of at most `samples`; `seed` is that of what a network draws for each sample of a set (random gates).
  virtual std::unique_ptr<Pass> pass(std::int64_t samples, std::uint64_t seed) const = 0;

  /// Size of a gradient and where it holds what: by default all parameters, in their order.
  virtual std::size_t gradient_size() const { return parameter_count_; }
  virtual std::vector<Stretch> trained() const { return {{0, 0, parameter_count_}}; }

  /// Receptive fields of the first layer, [units, inputs]: what a record keeps as "weights". They stand among the parameters, or
  /// are written to `storage`.
  virtual std::int64_t units() const = 0;
  virtual std::span<const float> fields(std::span<const float> parameters,
                                        std::vector<float>& storage) const = 0;
  /// Where all fields that are kernels lie, which are 0 around it by construction; none where a unit may see every input.
  virtual std::optional<Patch> patch() const { return std::nullopt; }
  /// The key that makes the network know a sample by its place in the set, so that it takes finite sets, whole batches, and no
  /// others; empty where there is none.
  virtual std::string_view belongs_to_samples() const { return {}; }

 protected:
  Network(std::int64_t inputs, std::int64_t outputs) : inputs_(inputs), outputs_(outputs) {}
  /// Parts come in the order of the parameters.
  void add_part(std::string name, std::vector<std::string_view> axes, file::Shape shape);

 private:
  std::int64_t inputs_;
  std::int64_t outputs_;
  std::vector<Part> parts_;
  std::size_t parameter_count_ = 0;
};

}  // namespace sluice::net

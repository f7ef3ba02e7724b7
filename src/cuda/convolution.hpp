/// A convolution on the device: cuDNN's where it knows the padding, else a product with gathered windows. So are those of few channels, which are slow in a fixed
/// order of cuDNN's: rows of windows are padded to whole sixteen bytes, for tensor cores to take them.
#pragma once

#include <utility>

#include "buffer.hpp"
#include "kernels.cuh"
#include "products.hpp"

namespace sluice::cuda {

template <class T>
class Convolution {
 public:
  Convolution(const gpu::LayerPlan& plan, std::int64_t batch, gpu::Precision precision, Dnn::Handle handle)
      : plan_(plan),
        batch_(batch),
        handle_(handle),
        dnn_(handle == nullptr || !known_padding() || plan.from.channels < 8 ? nullptr : Dnn::get()) {
    if (dnn_ == nullptr) {
      windows_ = Buffer<T>(rows() * stride());
      if (stride() == width()) return;
      weights_ = Buffer<T>(plan.to.channels * stride());
      gradient_ = Buffer<T>(weights_.size());
      return;
    }
    constexpr int kType = sizeof(T) == 4 ? Dnn::kFloat : Dnn::kBfloat16;
    const auto tensor = [&](Dnn::Descriptor& descriptor, const net::Volume& volume) {
      check_dnn(dnn_->create_tensor(&descriptor), "tensor");
      check_dnn(dnn_->set_tensor(descriptor, Dnn::kChannelsLast, kType, number(batch_),
                                 number(volume.channels), number(volume.rows), number(volume.columns)),
                "tensor");
    };
    tensor(x_, plan.from);
    tensor(y_, plan.to);
    check_dnn(dnn_->create_filter(&w_), "filter");
    check_dnn(
        dnn_->set_filter(w_, kType, Dnn::kChannelsLast, number(plan.to.channels), number(plan.from.channels),
                         number(plan.window.rows), number(plan.window.columns)),
        "filter");
    check_dnn(dnn_->create_convolution(&convolution_), "convolution");
    const int stride = number(plan.window.stride);
    check_dnn(dnn_->set_convolution(convolution_, number(plan.window.top), number(plan.window.left), stride,
                                    stride, 1, 1, Dnn::kCrossCorrelation, Dnn::kFloat),
              "convolution");
    const int math = precision == gpu::Precision::single ? Dnn::kFmaMath
                     : precision == gpu::Precision::tf32 ? Dnn::kDefaultMath
                                                         : Dnn::kTensorMath;
    check_dnn(dnn_->set_math(convolution_, math), "precision");
    std::size_t forward = 0, data = 0, filter = 0;
    check_dnn(dnn_->forward_space(handle_, x_, w_, convolution_, y_, Dnn::kAlgorithm, &forward), "forward");
    check_dnn(dnn_->data_space(handle_, w_, y_, convolution_, x_, Dnn::kAlgorithm, &data), "backward");
    check_dnn(dnn_->filter_space(handle_, x_, y_, convolution_, w_, Dnn::kAlgorithm, &filter), "gradient");
    space_ = Buffer<std::uint8_t>(static_cast<std::int64_t>(std::max({forward, data, filter})));
  }
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;
  ~Convolution() {
    if (dnn_ == nullptr) return;
    dnn_->destroy_tensor(x_);
    dnn_->destroy_tensor(y_);
    dnn_->destroy_filter(w_);
    dnn_->destroy_convolution(convolution_);
  }

  void forward(const Products& products, const T* weights, const T* z, T* q) {
    if (dnn_ != nullptr) {
      check_dnn(dnn_->forward(handle_, &kOne, x_, z, w_, weights, convolution_, Dnn::kAlgorithm,
                              space_.data(), bytes(), &kZero, y_, q),
                "forward");
      return;
    }
    gathered_ = nullptr;  // other samples
    gather_windows(products.stream, z);
    products.forward(rows(), stride(), plan_.to.channels, padded(products.stream, weights), windows_.data(),
                     q);
  }
  void backward(const Products& products, const T* weights, const T* slopes, T* back) {
    if (dnn_ != nullptr) {
      check_dnn(dnn_->backward_data(handle_, &kOne, w_, weights, y_, slopes, convolution_, Dnn::kAlgorithm,
                                    space_.data(), bytes(), &kZero, x_, back),
                "backward");
      return;
    }
    gathered_ = nullptr;
    products.backward(rows(), stride(), plan_.to.channels, padded(products.stream, weights), slopes,
                      windows_.data());
    const std::int64_t count = batch_ * plan_.from.size();
    launch(from_windows<T>, count, products.stream, count, number(stride()), plan_.from, plan_.window,
           windows_.data(), back);
  }
  void gradient(const Products& products, const T* z, const T* slopes, T* gradient) {
    if (dnn_ != nullptr) {
      check_dnn(dnn_->backward_filter(handle_, &kOne, x_, z, y_, slopes, convolution_, Dnn::kAlgorithm,
                                      space_.data(), bytes(), &kZero, w_, gradient),
                "gradient");
      return;
    }
    gather_windows(products.stream, z);
    T* out = gradient_.size() > 0 ? gradient_.data() : gradient;
    products.gradient(rows(), stride(), plan_.to.channels, windows_.data(), slopes, out);
    if (out == gradient) return;
    const std::int64_t count = plan_.to.channels * width();
    launch(copy_rows<T, T>, count, products.stream, count, number(width()), number(stride()), number(width()),
           gradient_.data(), gradient);
  }

 private:
  static constexpr float kOne = 1, kZero = 0;

  static int number(std::int64_t value) { return static_cast<int>(value); }
  std::int64_t rows() const { return batch_ * plan_.window.to_rows * plan_.window.to_columns; }
  std::int64_t width() const { return plan_.window.rows * plan_.window.columns * plan_.from.channels; }
  std::int64_t stride() const {
    constexpr std::int64_t kWhole = 16 / sizeof(T);
    return (width() + kWhole - 1) / kWhole * kWhole;
  }
  const T* padded(cudaStream_t stream, const T* weights) {
    if (weights_.size() == 0) return weights;
    launch(copy_rows<T, T>, weights_.size(), stream, weights_.size(), number(width()), number(width()),
           number(stride()), weights, weights_.data());
    return weights_.data();
  }
  std::size_t bytes() const { return static_cast<std::size_t>(space_.size()); }
  /// cuDNN pads with zeros, as much at the end as at the beginning.
  bool known_padding() const {
    const net::Window& w = plan_.window;
    const auto fits = [&](std::int64_t size, std::int64_t kernel, std::int64_t before, std::int64_t windows) {
      return (size + 2 * before - kernel) / w.stride + 1 == windows;
    };
    return !w.wraps && fits(plan_.from.rows, w.rows, w.top, w.to_rows) &&
           fits(plan_.from.columns, w.columns, w.left, w.to_columns);
  }
  void gather_windows(cudaStream_t stream, const T* z) {
    if (std::exchange(gathered_, z) == z) return;
    const std::int64_t packs = windows_.size() / Pack<T>::kSize;
    launch(windows_of<T>, packs, stream, packs, number(stride()), plan_.from, plan_.window, z,
           windows_.data());
  }

  gpu::LayerPlan plan_;
  std::int64_t batch_;
  Dnn::Handle handle_;
  const Dnn* dnn_;
  Dnn::Descriptor x_ = nullptr, y_ = nullptr, w_ = nullptr, convolution_ = nullptr;
  Buffer<std::uint8_t> space_;
  Buffer<T> windows_;
  Buffer<T> weights_, gradient_;  // padded
  const T* gathered_ = nullptr;   // what windows_ are of: the gradient often needs those of the forward pass
};

}  // namespace sluice::cuda

/// The three products of a dense layer, q = zΘ', P = DΘ, ∂Θ = D'z, rows of z and D being samples.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>
#include <type_traits>

#include "libraries.hpp"
#include "sluice/gpu/machine.hpp"

namespace sluice::cuda {

/// cuBLAS counts columns first: a row-major [m, n] is its [n, m].
struct Products {
  cublasHandle_t handle = nullptr;
  cudaStream_t stream = nullptr;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;

  template <class T>
  static constexpr cudaDataType_t type_of() {
    return std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_16BF;
  }

  template <class T, class Out>
  void forward(std::int64_t samples, std::int64_t inputs, std::int64_t units, const T* weights, const T* z,
               Out* q) const {
    multiply<T, Out>(CUBLAS_OP_T, CUBLAS_OP_N, units, samples, inputs, weights, inputs, z, inputs, q, units);
  }
  template <class T>
  void backward(std::int64_t samples, std::int64_t inputs, std::int64_t units, const T* weights,
                const T* slopes, T* back) const {
    multiply<T, T>(CUBLAS_OP_N, CUBLAS_OP_N, inputs, samples, units, weights, inputs, slopes, units, back,
                   inputs);
  }
  template <class T>
  void gradient(std::int64_t samples, std::int64_t inputs, std::int64_t units, const T* z, const T* slopes,
                T* gradient) const {
    multiply<T, T>(CUBLAS_OP_N, CUBLAS_OP_T, inputs, units, samples, z, inputs, slopes, units, gradient,
                   inputs);
  }

 private:
  template <class T, class Out>
  void multiply(cublasOperation_t left, cublasOperation_t right, std::int64_t m, std::int64_t n,
                std::int64_t k, const T* a, std::int64_t a_stride, const T* b, std::int64_t b_stride, Out* c,
                std::int64_t c_stride) const {
    const float one = 1, zero = 0;
    const auto number = [](std::int64_t value) { return static_cast<int>(value); };
    check(Blas::get().gemm(handle, left, right, number(m), number(n), number(k), &one, a, type_of<T>(),
                           number(a_stride), b, type_of<T>(), number(b_stride), &zero, c, type_of<Out>(),
                           number(c_stride), compute, CUBLAS_GEMM_DEFAULT),
          "product");
  }
};

}  // namespace sluice::cuda

/// cuBLAS and cuDNN, loaded when they are used. cuDNN's declarations are written down here: where this is built it need not be there.
#pragma once

#include <cublas_v2.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace sluice::cuda {

[[noreturn]] inline void fail(const std::string& what) { throw std::runtime_error(what); }

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) fail(std::string("GPU: ") + what + ": " + cudaGetErrorString(error));
}

template <class Function>
Function find(void* library, const char* name) {
  void* symbol = ::dlsym(library, name);
  if (symbol == nullptr) fail(std::string("GPU: ") + name + " is missing in its library");
  return reinterpret_cast<Function>(symbol);
}

/// The first of these names that can be loaded; null: none.
inline void* load(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

struct Blas {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetWorkspace_v2) set_workspace;
  cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                         const void* alpha, const void* a, cudaDataType, int a_stride, const void* b,
                         cudaDataType, int b_stride, const void* beta, void* c, cudaDataType, int c_stride,
                         cublasComputeType_t, cublasGemmAlgo_t);
  cublasStatus_t (*gemm_batched)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                 const void* alpha, const void* a, cudaDataType, int a_stride,
                                 long long a_apart, const void* b, cudaDataType, int b_stride,
                                 long long b_apart, const void* beta, void* c, cudaDataType, int c_stride,
                                 long long c_apart, int count, cublasComputeType_t, cublasGemmAlgo_t);

  static const Blas& get() {
    static const Blas blas = [] {
      void* library = load({"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                            "/usr/local/cuda/lib64/libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so"});
      if (library == nullptr) fail("GPU: cuBLAS is not there: libcublas.so.13 cannot be loaded");
      return Blas{find<decltype(create)>(library, "cublasCreate_v2"),
                  find<decltype(destroy)>(library, "cublasDestroy_v2"),
                  find<decltype(set_stream)>(library, "cublasSetStream_v2"),
                  find<decltype(set_workspace)>(library, "cublasSetWorkspace_v2"),
                  find<decltype(gemm)>(library, "cublasGemmEx"),
                  find<decltype(gemm_batched)>(library, "cublasGemmStridedBatchedEx")};
    }();
    return blas;
  }
};

inline void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail(std::string("GPU: cuBLAS, ") + what + ": status " + std::to_string(static_cast<int>(status)));
}

/// cuDNN 9, the part of it that is used; numbers are those of its documentation.
struct Dnn {
  using Handle = void*;
  using Descriptor = void*;
  static constexpr int kFloat = 0, kBfloat16 = 9;  // cudnnDataType_t
  static constexpr int kChannelsLast = 1;          // CUDNN_TENSOR_NHWC
  static constexpr int kCrossCorrelation = 1;
  static constexpr int kDefaultMath = 0, kTensorMath = 1, kFmaMath = 3;
  static constexpr int kAlgorithm = 1;  // implicit products, in a fixed order, for all three directions

  int (*create)(Handle*);
  int (*destroy)(Handle);
  int (*set_stream)(Handle, cudaStream_t);
  std::size_t (*version)();
  int (*create_tensor)(Descriptor*);
  int (*destroy_tensor)(Descriptor);
  int (*set_tensor)(Descriptor, int layout, int type, int n, int c, int h, int w);
  int (*create_filter)(Descriptor*);
  int (*destroy_filter)(Descriptor);
  int (*set_filter)(Descriptor, int type, int layout, int k, int c, int h, int w);
  int (*create_convolution)(Descriptor*);
  int (*destroy_convolution)(Descriptor);
  int (*set_convolution)(Descriptor, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h,
                         int dilation_w, int mode, int compute);
  int (*set_math)(Descriptor, int math);
  int (*forward_space)(Handle, Descriptor x, Descriptor w, Descriptor conv, Descriptor y, int algo,
                       std::size_t*);
  int (*data_space)(Handle, Descriptor w, Descriptor dy, Descriptor conv, Descriptor dx, int algo,
                    std::size_t*);
  int (*filter_space)(Handle, Descriptor x, Descriptor dy, Descriptor conv, Descriptor dw, int algo,
                      std::size_t*);
  int (*forward)(Handle, const void* alpha, Descriptor, const void* x, Descriptor, const void* w,
                 Descriptor conv, int algo, void* space, std::size_t bytes, const void* beta, Descriptor,
                 void* y);
  int (*backward_data)(Handle, const void* alpha, Descriptor, const void* w, Descriptor, const void* dy,
                       Descriptor conv, int algo, void* space, std::size_t bytes, const void* beta,
                       Descriptor, void* dx);
  int (*backward_filter)(Handle, const void* alpha, Descriptor, const void* x, Descriptor, const void* dy,
                         Descriptor conv, int algo, void* space, std::size_t bytes, const void* beta,
                         Descriptor, void* dw);

  /// Null where there is none: convolutions are then products of gathered windows.
  static const Dnn* get() {
    static const Dnn* dnn = []() -> const Dnn* {
      void* library = load({"libcudnn.so.9", "libcudnn.so"});
      if (library == nullptr) return nullptr;
      auto* all = new Dnn;
      const auto take = [&](auto& function, const char* name) {
        function = find<std::remove_reference_t<decltype(function)>>(library, name);
      };
      take(all->create, "cudnnCreate");
      take(all->destroy, "cudnnDestroy");
      take(all->set_stream, "cudnnSetStream");
      take(all->version, "cudnnGetVersion");
      take(all->create_tensor, "cudnnCreateTensorDescriptor");
      take(all->destroy_tensor, "cudnnDestroyTensorDescriptor");
      take(all->set_tensor, "cudnnSetTensor4dDescriptor");
      take(all->create_filter, "cudnnCreateFilterDescriptor");
      take(all->destroy_filter, "cudnnDestroyFilterDescriptor");
      take(all->set_filter, "cudnnSetFilter4dDescriptor");
      take(all->create_convolution, "cudnnCreateConvolutionDescriptor");
      take(all->destroy_convolution, "cudnnDestroyConvolutionDescriptor");
      take(all->set_convolution, "cudnnSetConvolution2dDescriptor");
      take(all->set_math, "cudnnSetConvolutionMathType");
      take(all->forward_space, "cudnnGetConvolutionForwardWorkspaceSize");
      take(all->data_space, "cudnnGetConvolutionBackwardDataWorkspaceSize");
      take(all->filter_space, "cudnnGetConvolutionBackwardFilterWorkspaceSize");
      take(all->forward, "cudnnConvolutionForward");
      take(all->backward_data, "cudnnConvolutionBackwardData");
      take(all->backward_filter, "cudnnConvolutionBackwardFilter");
      return all;
    }();
    return dnn;
  }
};

inline void check_dnn(int status, const char* what) {
  if (status != 0) fail(std::string("GPU: cuDNN, ") + what + ": status " + std::to_string(status));
}

}  // namespace sluice::cuda

/// cuBLAS and cuDNN of the emulated device, as far as src/cuda calls them: products and convolutions by their definitions. Loaded by name as the true ones are.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <vector>

namespace {

/// Numbers of either type; sums are made in float.
struct Numbers {
  void* data;
  bool low;

  float get(std::int64_t i) const {
    return low ? __bfloat162float(static_cast<__nv_bfloat16*>(data)[i]) : static_cast<float*>(data)[i];
  }
  void set(std::int64_t i, float value) const {
    if (low)
      static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(value);
    else
      static_cast<float*>(data)[i] = value;
  }
};
bool aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; }

struct Tensor {  // channels last; of a filter n is k, its number of filters
  int n, c, h, w;
  bool low;

  std::int64_t size() const { return static_cast<std::int64_t>(n) * c * h * w; }
  std::int64_t at(int i, int j, int y, int x) const {
    return ((static_cast<std::int64_t>(i) * h + y) * w + x) * c + j;
  }
};
struct Window {
  int top, left, stride_y, stride_x;
};
constexpr int kBad = 3000, kBfloat16 = 9, kChannelsLast = 1, kCrossCorrelation = 1, kPrecomputed = 1;

/// Calls what(filter k, channel c, tap y, tap x, pixel of x, pixel of y) for every product in a convolution.
template <class What>
void each_product(const Tensor& x, const Tensor& w, const Tensor& y, const Window& window, const What& what) {
  for (int n = 0; n < y.n; ++n)
    for (int p = 0; p < y.h; ++p)
      for (int q = 0; q < y.w; ++q)
        for (int k = 0; k < w.n; ++k)
          for (int r = 0; r < w.h; ++r)
            for (int s = 0; s < w.w; ++s) {
              const int row = p * window.stride_y - window.top + r,
                        column = q * window.stride_x - window.left + s;
              if (row < 0 || row >= x.h || column < 0 || column >= x.w) continue;
              for (int c = 0; c < x.c; ++c) what(x.at(n, c, row, column), w.at(k, c, r, s), y.at(n, k, p, q));
            }
}
/// out = Σ left · right over the products, one of the three of them the sum.
template <class What>
int convolve(void* handle, const Numbers& out, std::int64_t size, int algorithm, const What& what) {
  if (algorithm != kPrecomputed || !aligned(out.data)) return kBad;
  (*static_cast<cudaStream_t*>(handle))->give([=] {
    std::vector<float> sums(static_cast<std::size_t>(size));
    what(sums);
    for (std::int64_t i = 0; i < size; ++i) out.set(i, sums[static_cast<std::size_t>(i)]);
  });
  return 0;
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }

/// C = op(A) op(B), columns first.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType a_type, int a_stride,
                            const void* b, cudaDataType b_type, int b_stride, const void* beta, void* c,
                            cudaDataType c_type, int c_stride, cublasComputeType_t, cublasGemmAlgo_t) {
  const bool plain = *static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0;
  if (!plain || a_type != b_type || m <= 0 || n <= 0 || k <= 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Numbers x{const_cast<void*>(a), a_type == CUDA_R_16BF},
      y{const_cast<void*>(b), b_type == CUDA_R_16BF}, out{c, c_type == CUDA_R_16BF};
  handle->stream->give([=] {
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < m; ++i) {
        float sum = 0;
        for (std::int64_t l = 0; l < k; ++l)
          sum += x.get(left == CUBLAS_OP_N ? l * a_stride + i : i * a_stride + l) *
                 y.get(right == CUBLAS_OP_N ? j * b_stride + l : l * b_stride + j);
        out.set(j * c_stride + i, sum);
      }
  });
  return CUBLAS_STATUS_SUCCESS;
}

/// Of floats.
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t left,
                                          cublasOperation_t right, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType a_type, int a_stride, long long a_apart,
                                          const void* b, cudaDataType b_type, int b_stride, long long b_apart,
                                          const void* beta, void* c, cudaDataType c_type, int c_stride,
                                          long long c_apart, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm) {
  if (a_type != CUDA_R_32F || c_type != CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < count; ++i) {
    const cublasStatus_t status =
        cublasGemmEx(handle, left, right, m, n, k, alpha, static_cast<const float*>(a) + i * a_apart, a_type,
                     a_stride, static_cast<const float*>(b) + i * b_apart, b_type, b_stride, beta,
                     static_cast<float*>(c) + i * c_apart, c_type, c_stride, compute, algorithm);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

std::size_t cudnnGetVersion() { return 91400; }
int cudnnCreate(void** handle) {
  *handle = new cudaStream_t(nullptr);
  return 0;
}
int cudnnDestroy(void* handle) {
  delete static_cast<cudaStream_t*>(handle);
  return 0;
}
int cudnnSetStream(void* handle, cudaStream_t stream) {
  *static_cast<cudaStream_t*>(handle) = stream;
  return 0;
}
int cudnnCreateTensorDescriptor(void** tensor) {
  *tensor = new Tensor{};
  return 0;
}
int cudnnDestroyTensorDescriptor(void* tensor) {
  delete static_cast<Tensor*>(tensor);
  return 0;
}
int cudnnSetTensor4dDescriptor(void* tensor, int layout, int type, int n, int c, int h, int w) {
  *static_cast<Tensor*>(tensor) = {n, c, h, w, type == kBfloat16};
  return layout == kChannelsLast ? 0 : kBad;
}
int cudnnCreateFilterDescriptor(void** filter) { return cudnnCreateTensorDescriptor(filter); }
int cudnnDestroyFilterDescriptor(void* filter) { return cudnnDestroyTensorDescriptor(filter); }
int cudnnSetFilter4dDescriptor(void* filter, int type, int layout, int k, int c, int h, int w) {
  return cudnnSetTensor4dDescriptor(filter, layout, type, k, c, h, w);
}
int cudnnCreateConvolutionDescriptor(void** convolution) {
  *convolution = new Window{};
  return 0;
}
int cudnnDestroyConvolutionDescriptor(void* convolution) {
  delete static_cast<Window*>(convolution);
  return 0;
}
int cudnnSetConvolution2dDescriptor(void* convolution, int pad_h, int pad_w, int stride_h, int stride_w,
                                    int dilation_h, int dilation_w, int mode, int) {
  *static_cast<Window*>(convolution) = {pad_h, pad_w, stride_h, stride_w};
  return dilation_h == 1 && dilation_w == 1 && mode == kCrossCorrelation ? 0 : kBad;
}
int cudnnSetConvolutionMathType(void*, int) { return 0; }
int cudnnGetConvolutionForwardWorkspaceSize(void*, void*, void*, void*, void*, int, std::size_t* bytes) {
  *bytes = 0;
  return 0;
}
int cudnnGetConvolutionBackwardDataWorkspaceSize(void*, void*, void*, void*, void*, int, std::size_t* bytes) {
  *bytes = 0;
  return 0;
}
int cudnnGetConvolutionBackwardFilterWorkspaceSize(void*, void*, void*, void*, void*, int,
                                                   std::size_t* bytes) {
  *bytes = 0;
  return 0;
}

int cudnnConvolutionForward(void* handle, const void*, void* xt, const void* x, void* wt, const void* w,
                            void* convolution, int algorithm, void*, std::size_t, const void*, void* yt,
                            void* y) {
  const Tensor a = *static_cast<Tensor*>(xt), b = *static_cast<Tensor*>(wt), c = *static_cast<Tensor*>(yt);
  const Window window = *static_cast<Window*>(convolution);
  const Numbers in{const_cast<void*>(x), a.low}, weights{const_cast<void*>(w), b.low};
  if (!aligned(x) || !aligned(w)) return kBad;
  return convolve(handle, {y, c.low}, c.size(), algorithm, [=](std::vector<float>& sums) {
    each_product(a, b, c, window, [&](std::int64_t i, std::int64_t j, std::int64_t o) {
      sums[static_cast<std::size_t>(o)] += in.get(i) * weights.get(j);
    });
  });
}
int cudnnConvolutionBackwardData(void* handle, const void*, void* wt, const void* w, void* yt, const void* y,
                                 void* convolution, int algorithm, void*, std::size_t, const void*, void* xt,
                                 void* x) {
  const Tensor a = *static_cast<Tensor*>(xt), b = *static_cast<Tensor*>(wt), c = *static_cast<Tensor*>(yt);
  const Window window = *static_cast<Window*>(convolution);
  const Numbers slopes{const_cast<void*>(y), c.low}, weights{const_cast<void*>(w), b.low};
  if (!aligned(y) || !aligned(w)) return kBad;
  return convolve(handle, {x, a.low}, a.size(), algorithm, [=](std::vector<float>& sums) {
    each_product(a, b, c, window, [&](std::int64_t i, std::int64_t j, std::int64_t o) {
      sums[static_cast<std::size_t>(i)] += slopes.get(o) * weights.get(j);
    });
  });
}
int cudnnConvolutionBackwardFilter(void* handle, const void*, void* xt, const void* x, void* yt,
                                   const void* y, void* convolution, int algorithm, void*, std::size_t,
                                   const void*, void* wt, void* w) {
  const Tensor a = *static_cast<Tensor*>(xt), b = *static_cast<Tensor*>(wt), c = *static_cast<Tensor*>(yt);
  const Window window = *static_cast<Window*>(convolution);
  const Numbers slopes{const_cast<void*>(y), c.low}, in{const_cast<void*>(x), a.low};
  if (!aligned(x) || !aligned(y)) return kBad;
  return convolve(handle, {w, b.low}, b.size(), algorithm, [=](std::vector<float>& sums) {
    each_product(a, b, c, window, [&](std::int64_t i, std::int64_t j, std::int64_t o) {
      sums[static_cast<std::size_t>(j)] += slopes.get(o) * in.get(i);
    });
  });
}

}  // extern "C"

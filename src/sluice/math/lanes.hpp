/// A block of samples stored site by site: sample r of site i stands at data[i·stride + r].
///
/// Every sample is a lane of vector code, so drawing, correlating and pushing samples through a network never shuffles.
/// The stride is a whole number of the widest vectors; lanes beyond `samples` are computed along and mean nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace sluice::math {

/// Floats of the widest vector sluice has code for (AVX-512); block strides are multiples of it.
constexpr std::int64_t kWidestVector = 16;
constexpr std::int64_t whole_vectors(std::int64_t count) {
  return (count + kWidestVector - 1) / kWidestVector * kWidestVector;
}

/// Samples in a full block of training: three AVX-512 vectors, the product's register tile.
constexpr std::int64_t kBlockSamples = 48;

/// Storage that starts on a cache line.
template <class T>
struct CacheAligned {
  using value_type = T;
  CacheAligned() = default;
  template <class U>
  explicit CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* data, std::size_t) { ::operator delete (data, std::align_val_t{64}); }
  bool operator==(const CacheAligned&) const { return true; }
};
template <class Real>
using Aligned = std::vector<Real, CacheAligned<Real>>;

template <class Real>
struct LanesOf {
  Real* data = nullptr;
  std::int64_t sites = 0;
  std::int64_t samples = 0;
  std::int64_t stride = 0;  ///< a multiple of kWidestVector, at least `samples`

  Real& at(std::int64_t site, std::int64_t sample) const { return data[site * stride + sample]; }
  /// All sites with their padding, for elementwise work.
  std::span<Real> all() const { return {data, static_cast<std::size_t>(sites * stride)}; }
};
using Lanes = LanesOf<float>;

/// A block that owns its storage.
template <class Real>
class LanesBuffer {
 public:
  LanesBuffer(std::int64_t sites, std::int64_t samples)
      : sites_(sites), stride_(whole_vectors(samples)), storage_(static_cast<std::size_t>(sites * stride_)) {}

  /// The first `samples` of the block; the stride shrinks with them, so that no work is done for absent samples.
  LanesOf<Real> lanes(std::int64_t samples) {
    return {storage_.data(), sites_, samples, whole_vectors(samples)};
  }

 private:
  std::int64_t sites_;
  std::int64_t stride_;
  Aligned<Real> storage_;
};

}  // namespace sluice::math

/// The device of gpu/machine.hpp, on CUDA, as a module of its own: the program loads it when a run asks for a GPU, and needs no CUDA otherwise.
#include <cuda_runtime.h>

#include <string>

#include "deep_machine.hpp"
#include "ensemble_machine.hpp"

namespace sluice::cuda {
namespace {

class CudaDevice final : public gpu::Device {
 public:
  explicit CudaDevice(const cudaDeviceProp& properties) : properties_(properties) { Blas::get(); }

  std::string name() const override { return properties_.name; }
  std::string libraries() const override {
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    std::string text = "CUDA " + std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10);
    if (const Dnn* dnn = Dnn::get()) {
      const std::size_t version = dnn->version();
      text += ", cuDNN " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100);
    }
    return text;
  }
  std::shared_ptr<gpu::DeviceSet> keep(std::span<const float> x, std::span<const float> y,
                                       const net::Volume& input) override {
    return std::make_shared<Set>(x, y, input);
  }
  std::unique_ptr<gpu::Machine> machine(const gpu::NetworkPlan& network, const gpu::TrainingPlan& training,
                                        gpu::Precision precision) override {
    if (precision == gpu::Precision::bfloat16 && properties_.major < 8)
      fail("device \"gpu:bfloat16\": " + name() +
           " has no bfloat16: expected compute capability 8.0 or later");
    if (precision == gpu::Precision::bfloat16)
      return std::make_unique<DeepMachine<__nv_bfloat16>>(network, training, precision);
    return std::make_unique<DeepMachine<float>>(network, training, precision);
  }
  std::unique_ptr<gpu::EnsembleMachine> ensemble(const gpu::EnsemblePlan& plan,
                                                 std::span<const gpu::MemberPlan> members,
                                                 gpu::HostSamples* samples) override {
    // The instructions of tensor_cores.cuh are 9.0's alone.
    return std::make_unique<Ensemble>(plan, members, samples,
                                      properties_.major == 9 && properties_.minor == 0,
                                      properties_.multiProcessorCount);
  }
  double free_bytes() const override {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "memory");
    return static_cast<double>(free);
  }

 private:
  cudaDeviceProp properties_;
};

}  // namespace
}  // namespace sluice::cuda

/// Null, and why, where there is no device.
extern "C" __attribute__((visibility("default"))) sluice::gpu::Device* sluice_cuda_device(std::string* why) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    *why = error == cudaSuccess ? "no device was found" : cudaGetErrorString(error);
    return nullptr;
  }
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    *why = "its properties cannot be read";
    return nullptr;
  }
  try {
    return new sluice::cuda::CudaDevice(properties);
  } catch (const std::exception& failure) {
    *why = failure.what();
    return nullptr;
  }
}

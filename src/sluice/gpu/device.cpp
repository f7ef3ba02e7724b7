#include <dlfcn.h>
#include <fmt/format.h>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/machine.hpp"
#include "sluice/math/program_path.hpp"

namespace sluice::gpu {
namespace {

constexpr const char* kModule = "libsluice_cuda.so";
using Find = Device* (*)(std::string* why);

Device* found() {
  const std::string path = math::module_path(kModule).string();
  if (path.empty())
    throw InputError(fmt::format(
        "device \"gpu\": this sluice was built without CUDA: its module {} is not beside it", kModule));
  std::string why;
  void* module = math::load_module(path, false, why);
  if (module == nullptr) throw InputError(fmt::format("device \"gpu\": {}: cannot be loaded: {}", path, why));
  const auto find = reinterpret_cast<Find>(::dlsym(module, "sluice_cuda_device"));
  if (find == nullptr)
    throw InputError(fmt::format("device \"gpu\": {}: not the module of this sluice", path));
  Device* device = find(&why);
  if (device == nullptr) throw InputError(fmt::format("device \"gpu\": none can be used here: {}", why));
  return device;
}

}  // namespace

Device& device() {
  static Device* const here = found();  // never deleted: CUDA may be gone before this process ends
  return *here;
}

}  // namespace sluice::gpu

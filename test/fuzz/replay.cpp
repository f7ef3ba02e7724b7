/// Stored inputs, each fed to its target once: fuzz_replay FOLDER..., where a folder holds one for each target, and that the inputs.
#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include "sluice/file/atomic_file.hpp"
#include "test/fuzz/target.hpp"

namespace sluice::fuzz {
namespace {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

int replay(const std::filesystem::path& folder) {
  int count = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    const auto target = targets().find(each.path().filename().string());
    require(target != targets().end(), (each.path().string() + ": no such target").c_str());
    for (const auto& input : std::filesystem::directory_iterator(each)) {
      std::printf("%s: ", input.path().c_str());
      std::fflush(stdout);  // the last line names the input of a finding
      const std::string bytes = file::read_text(input.path());
      const std::string said =
          feed(target->second, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      std::printf("%s\n", said.empty() ? "read" : said.c_str());
      ++count;
    }
  }
  return count;
}

}  // namespace

Registered::Registered(const char* name, Target target) { targets()[name] = target; }

}  // namespace sluice::fuzz

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    try {
      std::printf("%d inputs\n", sluice::fuzz::replay(arguments[i]));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  return 0;
}

/// Functions that the program around the library gives to parts of a spec: samples, gates, probes that no table of ours has. A spec is
/// text, so it knows a function by its mark, the SHA-256 of its source; whoever has the source gives the function before the spec is
/// used, and without it the spec can be read but not run.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sluice::spec {

/// One table for the process and each type of function.
template <class Function>
class Given {
 public:
  using Kept = std::shared_ptr<const Function>;

  /// It is found as long as what is returned lives. Of two with one mark the later is found.
  static Kept give(const std::string& mark, Function function) {
    Kept kept = std::make_shared<const Function>(std::move(function));
    const std::lock_guard guard(mutex());
    auto& those = table()[mark];
    std::erase_if(those, [](const std::weak_ptr<const Function>& each) { return each.expired(); });
    those.push_back(kept);
    return kept;
  }

  /// Null where there is none.
  static Kept find(const std::string& mark) {
    const std::lock_guard guard(mutex());
    const auto those = table().find(mark);
    if (those == table().end()) return nullptr;
    for (auto each = those->second.rbegin(); each != those->second.rend(); ++each)
      if (Kept kept = each->lock()) return kept;
    return nullptr;
  }

 private:
  // Never deleted: threads of this process may outlive what is deleted at its end.
  static std::mutex& mutex() {
    static auto* mutex = new std::mutex;
    return *mutex;
  }
  static std::map<std::string, std::vector<std::weak_ptr<const Function>>>& table() {
    static auto* table = new std::map<std::string, std::vector<std::weak_ptr<const Function>>>;
    return *table;
  }
};

/// 64 hexadecimal digits.
bool is_mark(const std::string& text);

/// "task.source = "3f…": expected a function of that source: …", for whoever finds none.
std::string lack_of_function(const std::string& key, const std::string& mark, const std::string& makes);

}  // namespace sluice::spec

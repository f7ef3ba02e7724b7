/// A variable of the environment, for the length of a scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace sluice::test {

class Environment {
 public:
  /// nullopt: not set.
  Environment(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* now = std::getenv(name_.c_str())) before_ = now;
    put(value);
  }
  ~Environment() { put(before_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void put(const std::optional<std::string>& value) const {
    if (value) {
      ::setenv(name_.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace sluice::test

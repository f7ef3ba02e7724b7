/// Calls to the file system fail as a test says, while this lives.
#pragma once

#include "sluice/file/system.hpp"

namespace sluice::test {

class Refusing {
 public:
  explicit Refusing(file::system::Refuse refuse) { file::system::ask(refuse); }
  ~Refusing() { file::system::ask(nullptr); }
  Refusing(const Refusing&) = delete;
  Refusing& operator=(const Refusing&) = delete;
};

}  // namespace sluice::test

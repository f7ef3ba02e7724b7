#include "sluice/file/json.hpp"

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(json) {
  using sluice::file::Json;
  const auto json = Json::parse(sluice::fuzz::text(bytes));
  if (!json) return;
  const std::string written = json->dump();
  const auto again = Json::parse(written);
  sluice::fuzz::require(again && again->dump() == written, "what is written reads back the same");
}

#include "sluice/math/expression.hpp"
#include "sluice/theory/own_claim.hpp"
#include "test/fuzz/target.hpp"

namespace {

constexpr std::int64_t kMostSites =
    16;                                // large matrices take, as they must, more than the second of an input
constexpr std::int64_t kSamples = 48;  // one in each of the sampler's chunks

void require_printed_as_read(const sluice::spec::Value& value) {
  using namespace sluice;
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr || text->ends_with(".npy")) return;
  const math::Expression read = math::parse(*text);
  fuzz::require(math::parse(math::to_string(read)) == read, "a printed formula is the same formula");
}

}  // namespace

/// A claim of the user's own: its file, its formulas, and their means over a few samples.
SLUICE_FUZZ_TARGET(claim) {
  using namespace sluice;
  theory::ClaimFile file = theory::read_claim_file(fuzz::file_with(bytes));
  if (file.task.make()->inputs() > kMostSites) return;
  const theory::OwnClaim claim(std::move(file));
  for (const theory::OwnSymbol& symbol : claim.file().symbols) require_printed_as_read(symbol.value);
  for (const theory::Expectation& each : claim.file().expectations) require_printed_as_read(each.mean);
  static math::Workers one(1);
  for (std::size_t i = 0; i < claim.size(); ++i) claim.measure(i, theory::Sampler(kSamples, 1, one));
}

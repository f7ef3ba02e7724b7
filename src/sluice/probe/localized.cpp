#include "sluice/probe/localized.hpp"

#include "sluice/theory/localized.hpp"

namespace sluice::probe {

std::vector<std::uint8_t> localized_flags(std::span<const float> fields, std::int64_t sites,
                                          std::int64_t side) {
  const theory::Localization criterion(sites, side);
  const auto n = static_cast<std::size_t>(sites);
  std::vector<std::uint8_t> flags;
  for (std::size_t at = 0; at + n <= fields.size() && n > 0; at += n)
    flags.push_back(criterion.localized(fields.subspan(at, n)) ? 1 : 0);
  return flags;
}

}  // namespace sluice::probe

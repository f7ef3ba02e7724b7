#include "sluice/theory/claim.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <set>
#include <string>
#include <tuple>

#include "sluice/math/stopping.hpp"
#include "sluice/theory/claims/tables.hpp"

namespace sluice::theory {
namespace {

/// "N0.12" → (N0, numbers, 12), "N0.c4" → (N0, c, 4), "C.4" → (C, numbers, 4): the order of the documents. Within a number
/// ("P.L2.1", "P.L2.2") that of the tables.
auto place(std::string_view id) {
  const std::size_t dot = id.find('.');
  const std::string_view chapter = id.substr(0, dot);
  const std::string_view rest = id.substr(dot + 1);
  const std::size_t digits = rest.find_first_of("0123456789");
  const std::string_view letters = rest.substr(0, digits);
  const int number = digits == std::string_view::npos ? 0 : std::stoi(std::string(rest.substr(digits)));
  const bool of_notes = chapter.size() > 1 || chapter == "P";
  const auto kind = letters.empty() ? 0 : letters == "p" ? 1 : letters == "c" ? 2 : 3;
  return std::tuple(!of_notes, std::string(chapter), kind, std::string(letters), number);
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 7> kNames{
      "holds", "holds up to a constant", "corrected", "refuted", "definition", "measured", "open"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::string_view Claim::document() const {
  return id.starts_with("N0.")   ? "000"
         : id.starts_with("N1.") ? "001"
         : id.starts_with("N2.") ? "002"
         : id.starts_with("N3.") ? "003"
         : id.starts_with("P.")  ? "004"
         : id.starts_with("S.")  ? "sluice"
                                 : "sheet";
}

bool Claim::of_notes() const { return document() != "sheet" && document() != "sluice"; }

std::span<const std::string_view> documents() {
  static constexpr std::array<std::string_view, 7> kDocuments{"000", "001",   "002",   "003",
                                                              "004", "sheet", "sluice"};
  return kDocuments;
}

std::vector<Claim> all_claims() {
  std::vector<Claim> all;
  for (const auto table : {claims::kernel,           claims::data_moments,      claims::single_neuron,
                           claims::response,         claims::hypercube,         claims::gaussian_network,
                           claims::fourier_modes,    claims::erf_network,       claims::initial_loss,
                           claims::absolute_loss,    claims::populations,       claims::trained,
                           claims::gated_linear,     claims::bump_gates,        claims::deep_paths,
                           claims::deep_variance,    claims::deep_random_gates, claims::deep_soft_gates,
                           claims::deep_convolution, claims::deep_training,     claims::values,
                           claims::our_results}) {
    const std::span<const Claim> topic = table();
    all.insert(all.end(), topic.begin(), topic.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Claim& a, const Claim& b) { return place(a.id) < place(b.id); });
  return all;
}

ClaimCount count(std::span<const Claim> claims) {
  ClaimCount count{.claims = claims.size()};
  std::set<Check> checks;
  for (const Claim& claim : claims) {
    if (claim.check == nullptr) continue;
    ++count.checked;
    checks.insert(claim.check);
  }
  count.checks = checks.size();
  return count;
}

Finding run(const Claim& claim, const Sampler& sampler) {
  if (claim.check == nullptr) {
    return {.passed = true,
            .evidence = claim.verdict == Verdict::definition ? "definition"
                        : claim.verdict == Verdict::measured ? "experiments of the catalog"
                                                             : "not yet"};
  }
  try {
    return claim.check(sampler);
  } catch (const math::Stopped&) {
    throw;  // says nothing of the claim
  } catch (const std::exception& error) {
    return {.passed = false, .evidence = words_of(error)};
  }
}

}  // namespace sluice::theory

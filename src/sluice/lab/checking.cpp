#include "sluice/lab/checking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sluice/spec/suggest.hpp"

namespace sluice::lab {

std::vector<theory::Claim> choose_claims(const std::vector<std::string>& ids, const std::string& document) {
  const std::vector<theory::Claim> all = theory::all_claims();
  std::vector<std::string> known;
  for (const theory::Claim& claim : all) known.emplace_back(claim.id);
  for (const std::string& id : ids) {
    if (std::ranges::find(known, id) != known.end()) continue;
    if (const std::optional<std::string> near = spec::nearest(id, known))
      throw InputError(fmt::format("{}: no such claim; did you mean '{}'?", id, *near));
    throw UnknownClaim(fmt::format("{}: no such claim", id));
  }
  std::vector<theory::Claim> some;
  for (const theory::Claim& claim : all) {
    const bool wanted = ids.empty() || std::ranges::find(ids, claim.id) != ids.end();
    if (wanted && (document.empty() || claim.document() == document)) some.push_back(claim);
  }
  if (some.empty()) throw InputError(fmt::format("document {}: none of these claims is in it", document));
  return some;
}

bool names_claim_file(const std::string& name) {
  if (name.ends_with(".toml")) return true;
  const std::vector<theory::Claim> claims = theory::all_claims();
  std::error_code ignored;  // a name too long for a file is simply no file
  return std::ranges::find(claims, name, &theory::Claim::id) == claims.end() &&
         std::filesystem::is_regular_file(name, ignored);
}

ClaimValues CheckedClaim::values() const {
  if (claim.check == nullptr) return {};
  const bool as_printed = claim.verdict == theory::Verdict::holds && claim.of_notes();
  if (as_printed) return {finding.stated, {}, finding.measured};
  return {finding.notes, finding.stated, finding.measured};
}

std::vector<CheckedClaim> check_claims(const std::vector<theory::Claim>& claims,
                                       const theory::Sampler& sampler,
                                       const std::function<bool(const CheckedClaim&)>& ended) {
  std::vector<CheckedClaim> all;
  for (const theory::Claim& claim : claims) {
    const auto known = std::ranges::find_if(all, [&](const CheckedClaim& checked) {
      return claim.check != nullptr && checked.claim.check == claim.check;
    });
    theory::Finding finding = known != all.end() ? known->finding : theory::run(claim, sampler);
    finding.forms.clear();
    all.push_back({claim, std::move(finding)});
    if (!ended(all.back())) break;
  }
  return all;
}

file::Json to_json(const CheckedClaim& checked) {
  const ClaimValues values = checked.values();
  const auto optional = [](const std::optional<double>& value) {
    return value ? file::Json(*value) : file::Json();
  };
  return {{"id", checked.claim.id},
          {"document", checked.claim.document()},
          {"statement", checked.claim.statement},
          {"source", checked.claim.source},
          {"verdict", theory::to_string(checked.claim.verdict)},
          {"notes", optional(values.notes)},
          {"corrected", optional(values.corrected)},
          {"measured", optional(values.measured)},
          {"standard_error", checked.finding.standard_error},
          {"allowed", checked.finding.allowed},
          {"resolution", optional(checked.finding.resolution)},
          {"passed", checked.finding.passed},
          {"evidence", checked.finding.evidence}};
}

namespace {

file::Json list_of(const theory::Vector& values, std::size_t count) {
  file::Json list = file::Json::array();
  for (std::size_t c = 0; c < count; ++c) list.push_back(values[c]);
  return list;
}

}  // namespace

file::Json to_json(const theory::Measured& measured) {
  const auto optional = [](const auto& value) { return value ? file::Json(*value) : file::Json(); };
  const std::size_t count = measured.shape.size();
  file::Json json{{"mean", measured.mean},
                  {"of", measured.of},
                  {"equals", optional(measured.equals)},
                  {"printed", optional(measured.printed)},
                  {"verdict", to_string(measured.outcome)},
                  {"passed", theory::is_good(measured.outcome)}};
  if (const auto& finding = measured.finding) {
    json["shown"] =
        file::Json{{"component", measured.component},           {"formula", optional(finding->stated)},
                   {"printed", optional(finding->notes)},       {"measured", finding->measured},
                   {"standard_error", finding->standard_error}, {"allowed", finding->allowed}};
    json["factor"] = measured.factor ? file::Json{{"value", measured.factor->value},
                                                  {"standard_error", measured.factor->standard_error}}
                                     : file::Json();
    json["resolution"] = optional(finding->resolution);
    json["evidence"] = finding->evidence;
  }
  json["shape"] = file::Json::array({measured.shape.rows, measured.shape.columns});
  json["measured"] = list_of(measured.means.mean, count);
  json["standard_error"] = list_of(measured.means.standard_error, count);
  json["formula"] = measured.stated ? list_of(*measured.stated, count) : file::Json();
  return json;
}

}  // namespace sluice::lab

/// Comments tie code to claims by their ids: "ledger: N0.12, C.4" names claims, "notes: N2.28" equations of the notes that are
/// not claims yet. Every id stands for itself, so that grepping one finds all of its places.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sluice/theory/claim.hpp"

namespace sluice::theory {
namespace {

struct Named {
  std::string text;   ///< an id, or a line
  std::string place;  ///< FILE:LINE
};

/// Lines of src that have a comment.
std::vector<Named> commented_lines() {
  const std::filesystem::path sources = std::filesystem::path(TEST_FOLDER) / "../src/sluice";
  std::vector<Named> lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.find("//") != std::string::npos)
        lines.push_back(
            {line, entry.path().lexically_relative(sources).string() + ":" + std::to_string(number)});
    }
  }
  return lines;
}

/// Ids that follow `word` in comments, "ID, ID, …" up to a semicolon, a parenthesis or the end of the line; whatever else stands
/// between the commas is an id that is none.
std::vector<Named> named_after(const std::string& word) {
  const std::regex list(word + R"(: ([^;)]*))");
  std::vector<Named> named;
  for (const auto& [line, place] : commented_lines()) {
    std::smatch match;
    if (!std::regex_search(line, match, list)) continue;
    std::istringstream ids(match.str(1));
    for (std::string id; std::getline(ids >> std::ws, id, ',');) named.push_back({id, place});
  }
  return named;
}

std::set<std::string> claim_ids() {
  std::set<std::string> ids;
  for (const Claim& claim : all_claims()) ids.emplace(claim.id);
  return ids;
}

TEST(LedgerIds, OfCommentsAreClaims) {
  const std::set<std::string> claims = claim_ids();
  const std::vector<Named> named = named_after("ledger");
  EXPECT_GT(named.size(), 200U);
  for (const auto& [id, place] : named)
    EXPECT_TRUE(claims.contains(id)) << place << ": ledger: " << id << " is no claim; name ids one by one";
}

TEST(LedgerIds, OfEquationsThatAreNoClaimsYetSaySo) {
  const std::set<std::string> claims = claim_ids();
  const std::regex id_of_an_equation(R"([A-Z][0-9]?\.[a-z]?[0-9]+)");
  for (const auto& [id, place] : named_after("notes")) {
    EXPECT_FALSE(claims.contains(id)) << place << ": " << id << " is a claim by now: ledger: " << id;
    EXPECT_TRUE(std::regex_match(id, id_of_an_equation)) << place << ": notes: " << id;
  }
}

TEST(LedgerIds, AreNeverRanges) {
  const std::regex range(R"([A-Z][0-9]?\.[a-zA-Z]?[0-9]+(–| to )[A-Z0-9])");
  for (const auto& [line, place] : commented_lines())
    EXPECT_FALSE(std::regex_search(line, range)) << place << ": " << line;
}

/// What a check measures is found by the id of its claim: in a comment or in the table of its topic.
TEST(LedgerIds, FindEveryCheck) {
  std::set<std::string> found;
  for (const auto& [id, place] : named_after("ledger")) found.insert(id);
  std::string tables;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(TEST_FOLDER) /
                                                               "../src/sluice/theory/claims")) {
    std::ifstream file(entry.path());
    tables += std::string(std::istreambuf_iterator<char>(file), {});
  }
  for (const Claim& claim : all_claims()) {
    const std::string id(claim.id);
    EXPECT_TRUE(found.contains(id) || tables.find('"' + id + '"') != std::string::npos) << id;
  }
}

}  // namespace
}  // namespace sluice::theory

#include "sluice/lab/run_row.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/record/summary.hpp"
#include "sluice/spec/document.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 7> kCommon{"path",        "name",  "status", "version",
                                                  "fingerprint", "ended", "seconds"};
constexpr std::uintmax_t kLargest = 16 << 20;  // bytes of a file that can be one of ours

/// Names as those of our keys are: a database does not tell TASK.N from task.n, nobody could type the others, and columns have one meaning.
bool is_key(const std::string& name) {
  const auto numbers = record::number_kinds();
  if (std::ranges::find(kCommon, name) != kCommon.end() ||
      std::ranges::find(numbers, name, &record::NumberKind::key) != numbers.end())
    return false;
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

RunRow keys_of_spec(const std::string& text, const std::string& name) {
  RunRow keys = spec::Document::from_text(text, name).values();
  std::erase_if(keys, [](const auto& key) { return !is_key(key.first); });
  return keys;
}

/// What a run.json of ours says, with which somebody else's does not begin by chance.
bool is_status(std::string_view text) {
  return std::ranges::any_of(std::array{Ending::finished, Ending::diverged, Ending::interrupted},
                             [&](Ending ending) { return text == to_string(ending); });
}

/// Nothing: the file cannot be read as what it should be.
std::optional<file::Json> conclusion_in(const fs::path& folder) {
  std::optional<file::Json> json = file::json_in(folder / "run.json", kLargest);
  return json && json->members() != nullptr && is_status(json->text_at("status")) ? json : std::nullopt;
}
std::optional<RunRow> keys_in(const fs::path& folder) {
  const fs::path spec = folder / "spec.toml";
  return read_or_nothing([&] { return keys_of_spec(file::read_text(spec, kLargest), spec.string()); });
}

file::Cell text_or_nothing(const std::string& text) { return text.empty() ? file::Cell{} : file::Cell(text); }

file::Cell date_text(std::int64_t seconds) {
  constexpr std::int64_t kYear10000 = 253'402'300'800;  // a clock that was far off has no date
  if (seconds < 0 || seconds >= kYear10000) return {};
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

file::Cell cell_of(const file::Json* json) {
  if (json == nullptr) return {};
  if (json->integer() != nullptr) return *json->integer();
  if (const std::optional<double> number = json->number()) return *number;
  return {};
}

}  // namespace

std::span<const std::string_view> common_columns() { return kCommon; }

RunRow read_row(const fs::path& folder, const FoundRun& run) {
  const std::optional<file::Json> json = run.ended ? conclusion_in(folder) : file::Json::object();
  const std::optional<RunRow> keys = keys_in(folder);
  const file::Json nothing = file::Json::object();
  const file::Json& said = json ? *json : nothing;
  const std::string status = !json || !keys  ? "unreadable"
                             : run.concluded ? said.text_at("status")
                                             : "unfinished";
  RunRow row{{"path", run.path},
             {"name", text_or_nothing(said.text_at("name"))},
             {"status", text_or_nothing(status)},
             {"version", text_or_nothing(said.text_at("sluice"))},
             {"fingerprint", text_or_nothing(said.text_at("spec"))},
             {"ended", run.ended ? date_text(*run.ended) : file::Cell{}},
             {"seconds", cell_of(said.find("seconds"))}};
  bool has_seed = false;
  for (const auto& [name, cell] : keys.value_or(RunRow{})) {
    row.emplace_back(name, cell);
    has_seed |= name == "seed";
  }
  if (!has_seed) row.emplace_back("seed", cell_of(said.find("seed")));
  for (const record::NumberKind& kind : record::number_kinds()) {
    const file::Cell cell = cell_of(said.find(kind.key));
    if (!file::is_absent(cell)) row.emplace_back(kind.key, cell);
  }
  return row;
}

RunRow row_of(const record::Recording& run) {
  RunRow row{{"name", text_or_nothing(run.name)}, {"status", text_or_nothing(run.status)}};
  for (auto& key : keys_of_spec(run.spec, "spec.toml")) row.push_back(std::move(key));
  for (const record::Number& number : run.summary.numbers()) row.emplace_back(number.kind->key, number.value);
  return row;
}

}  // namespace sluice::lab

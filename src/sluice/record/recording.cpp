#include "sluice/record/recording.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/version.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::int64_t integer_at(const Json& json, const char* key, std::int64_t otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

task::Layout layout_from(const Json& json) {
  using Kind = task::Layout::Kind;
  task::Layout layout;
  const std::string kind = text_at(json, "kind");
  for (const Kind each : {Kind::ring, Kind::torus, Kind::image, Kind::plain})
    if (task::to_string(each) == kind) layout.kind = each;
  layout.rows = integer_at(json, "rows", 1);
  layout.columns = integer_at(json, "columns", 0);
  return layout;
}

}  // namespace

std::string run_json(const Recording& recording) {
  Json json{{"name", recording.name},
            {"status", recording.status},
            {"sluice", version()},
            {"spec", recording.fingerprint},
            {"seed", recording.seed},
            {"threads", recording.threads},
            {"folder", recording.folder.string()},
            {"seconds", recording.seconds}};
  for (const Number& number : recording.summary.numbers()) {
    const std::string key(number.kind->key);
    if (number.kind->style == Style::count)
      json[key] = static_cast<std::int64_t>(number.value);
    else
      json[key] = std::isfinite(number.value) ? Json(number.value) : Json(nullptr);
  }
  json["evaluated_on"] = to_string(recording.summary.on);
  json["inputs"] = {{"kind", task::to_string(recording.layout.kind)},
                    {"rows", recording.layout.rows},
                    {"columns", recording.layout.columns}};
  json["axes"] = Json::object();
  for (const auto& [name, array] : recording.arrays) {
    if (const auto axes = recording.axes.find(name); axes != recording.axes.end())
      json["axes"][name] = axes->second;
  }
  // A folder's name may be any bytes; JSON must be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_recording(const fs::path& folder) {
  return fs::exists(folder / "record.npz") && fs::exists(folder / "run.json");
}

Recording read_recording(const fs::path& folder) {
  // A run that was killed before its end has none.
  const bool concluded = fs::exists(folder / "run.json");
  const Json json =
      concluded ? Json::parse(file::read_text(folder / "run.json"), nullptr, false) : Json::object();
  if (!json.is_object())
    throw InputError(fmt::format("{}: expected a JSON object", (folder / "run.json").string()));
  Recording recording{.name = text_at(json, "name"),
                      .status = text_at(json, "status"),
                      .fingerprint = text_at(json, "spec"),
                      .spec = file::read_text(folder / "spec.toml"),
                      .seed = integer_at(json, "seed", 0),
                      .threads = static_cast<int>(integer_at(json, "threads", 1)),
                      .seconds = 0,
                      .layout = {},
                      .summary = {},
                      .arrays = file::read_npz(folder / "record.npz"),
                      .axes = {},
                      .folder = folder};
  if (recording.name.empty()) recording.name = folder.filename().string();
  if (const auto seconds = json.find("seconds"); seconds != json.end() && seconds->is_number())
    recording.seconds = seconds->get<double>();
  if (const auto inputs = json.find("inputs"); inputs != json.end() && inputs->is_object())
    recording.layout = layout_from(*inputs);
  if (const auto on = evaluated_from(text_at(json, "evaluated_on"))) recording.summary.on = *on;
  for (const NumberKind& kind : number_kinds()) {
    const auto found = json.find(std::string(kind.key));
    if (found != json.end() && (found->is_number() || found->is_null()))
      recording.summary.add(
          kind.key, found->is_null() ? std::numeric_limits<double>::quiet_NaN() : found->get<double>());
  }
  if (const auto axes = json.find("axes"); axes != json.end() && axes->is_object()) {
    for (const auto& [name, list] : axes->items()) {
      for (const auto& axis : list)
        if (axis.is_string()) recording.axes[name].push_back(axis.get<std::string>());
    }
  }
  return recording;
}

}  // namespace sluice::record

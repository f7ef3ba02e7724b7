#include "sluice/record/recording.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/version.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

using file::Json;

std::int64_t integer_at(const Json& json, const char* key, std::int64_t otherwise) {
  const Json* found = json.find(key);
  return found != nullptr && found->integer() != nullptr ? *found->integer() : otherwise;
}

/// Nothing where it says none, or one that is not within the layout.
std::optional<net::Patch> kernel_from(const Json& inputs, const task::Layout& layout) {
  const Json* json = inputs.find("kernel");
  if (json == nullptr) return std::nullopt;
  const net::Patch patch{.top = integer_at(*json, "top", 0),
                         .left = integer_at(*json, "left", 0),
                         .rows = integer_at(*json, "rows", 0),
                         .columns = integer_at(*json, "columns", 0)};
  const auto within = [](std::int64_t first, std::int64_t count, std::int64_t all) {
    return first >= 0 && count > 0 && count <= all && first <= all - count;
  };
  const bool fits =
      within(patch.top, patch.rows, layout.rows) && within(patch.left, patch.columns, layout.columns);
  return fits ? std::optional(patch) : std::nullopt;
}

/// Of extents whose product is one of 64 bits, and of which none is zero.
bool can_be(const task::Layout& layout) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;  // inputs
  std::int64_t inputs = 1;
  for (const std::int64_t extent : {layout.rows, layout.columns, layout.channels}) {
    if (extent < 1 || extent > kMost / inputs) return false;
    inputs *= extent;
  }
  using Kind = task::Layout::Kind;
  if (layout.kind == Kind::torus) return layout.rows == layout.columns && layout.channels == 1;
  return layout.kind == Kind::image || (layout.rows == 1 && layout.channels == 1);
}

task::Layout layout_from(const Json& json, const fs::path& file) {
  using Kind = task::Layout::Kind;
  task::Layout layout;
  const std::string kind = json.text_at("kind");
  for (const Kind each : {Kind::ring, Kind::torus, Kind::image, Kind::plain})
    if (task::to_string(each) == kind) layout.kind = each;
  layout.rows = integer_at(json, "rows", 1);
  layout.columns = integer_at(json, "columns", 0);
  layout.channels = integer_at(json, "channels", 1);
  if (!can_be(layout))
    throw InputError(fmt::format("{}: inputs: {} rows, {} columns and {} channels cannot be those of {}",
                                 file.string(), layout.rows, layout.columns, layout.channels,
                                 task::place(layout.kind)));
  layout.kernel = kernel_from(json, layout);
  return layout;
}

}  // namespace

Json to_json(const Recording& recording) {
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
    // A run that was read may say anything, also of counts.
    if (number.kind->style == Style::count && std::abs(number.value) < 0x1p63)
      json[key] = static_cast<std::int64_t>(number.value);
    else
      json[key] = number.value;
  }
  if (!recording.device.empty()) json["device"] = recording.device;
  if (!recording.norms.empty()) json["norms"] = Json::object();
  for (const auto& [part, norm] : recording.norms) json["norms"][part] = norm;
  if (!recording.functions.empty()) json["functions"] = Json::object();
  for (const auto& [part, source] : recording.functions) json["functions"][part] = source;
  json["evaluated_on"] = to_string(recording.summary.on);
  json["inputs"] = {{"kind", task::to_string(recording.layout.kind)},
                    {"rows", recording.layout.rows},
                    {"columns", recording.layout.columns}};
  if (recording.layout.channels > 1) json["inputs"]["channels"] = recording.layout.channels;
  if (const auto& kernel = recording.layout.kernel)
    json["inputs"]["kernel"] = {
        {"top", kernel->top}, {"left", kernel->left}, {"rows", kernel->rows}, {"columns", kernel->columns}};
  json["axes"] = Json::object();
  for (const auto& [name, array] : recording.arrays) {
    if (const auto axes = recording.axes.find(name); axes != recording.axes.end())
      json["axes"][name] = axes->second;
  }
  return json;
}

bool is_recording(const fs::path& folder) {
  return fs::exists(folder / "record.npz") && fs::exists(folder / "run.json");
}

Recording read_recording(const fs::path& folder) {
  // A run that was killed before its end has none.
  const bool concluded = fs::exists(folder / "run.json");
  const std::optional<Json> read =
      concluded ? Json::parse(file::read_text(folder / "run.json")) : Json::object();
  if (!read || read->members() == nullptr)
    throw InputError(fmt::format("{}: expected a JSON object", (folder / "run.json").string()));
  const Json& json = *read;
  Recording recording{.name = json.text_at("name"),
                      .status = json.text_at("status"),
                      .fingerprint = json.text_at("spec"),
                      .spec = file::read_text(folder / "spec.toml"),
                      .seed = integer_at(json, "seed", 0),
                      .threads = static_cast<int>(integer_at(json, "threads", 1)),
                      .device = json.text_at("device"),
                      .seconds = 0,
                      .layout = {},
                      .summary = {},
                      .arrays = file::read_npz(folder / "record.npz"),
                      .axes = {},
                      .folder = folder};
  if (recording.name.empty()) recording.name = folder.filename().string();
  if (const Json* seconds = json.find("seconds")) recording.seconds = seconds->number().value_or(0);
  if (const Json* inputs = json.find("inputs"); inputs != nullptr && inputs->members() != nullptr)
    recording.layout = layout_from(*inputs, folder / "run.json");
  if (const auto on = evaluated_from(json.text_at("evaluated_on"))) recording.summary.on = *on;
  for (const NumberKind& kind : number_kinds()) {
    const Json* found = json.find(kind.key);
    if (found != nullptr && (found->is_number() || found->is_null()))
      recording.summary.add(kind.key, found->number().value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  if (const Json* norms = json.find("norms"); norms != nullptr && norms->members() != nullptr) {
    for (const auto& [part, norm] : *norms->members())
      recording.norms[part] = norm.number().value_or(std::numeric_limits<double>::infinity());
  }
  if (const Json* functions = json.find("functions");
      functions != nullptr && functions->members() != nullptr) {
    for (const auto& [part, source] : *functions->members())
      if (source.text() != nullptr) recording.functions[part] = *source.text();
  }
  if (const Json* axes = json.find("axes"); axes != nullptr && axes->members() != nullptr) {
    for (const auto& [name, list] : *axes->members()) {
      if (list.elements() == nullptr) continue;
      for (const Json& axis : *list.elements())
        if (axis.text() != nullptr) recording.axes[name].push_back(*axis.text());
    }
  }
  return recording;
}

}  // namespace sluice::record

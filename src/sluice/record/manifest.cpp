#include "sluice/record/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/open_file.hpp"
#include "sluice/file/sha256.hpp"
#include "sluice/file/system.hpp"
#include "sluice/version.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

// What version 0.1.0 wrote. These lists do not grow.
constexpr std::array<std::string_view, 10> kRunBefore{
    "run.json", "spec.toml", "record.npz", "metrics.csv", "report.html",
    "log.txt",  "init.npy",  "init.npz",   "probes.npz",  "checkpoint.npz"};
constexpr std::array<std::string_view, 2> kSweepBefore{"report.html", "summary.csv"};
constexpr std::array<std::string_view, 35> kFiguresBefore{"receptive_fields",
                                                          "evolution",
                                                          "learning",
                                                          "unit_map",
                                                          "time_map",
                                                          "spectra",
                                                          "kinds",
                                                          "gabor_fits",
                                                          "flow_comparison",
                                                          "comparison",
                                                          "phase_diagram",
                                                          "seeds",
                                                          "flow_distance",
                                                          "loss",
                                                          "accuracy",
                                                          "train_loss",
                                                          "train_accuracy",
                                                          "error",
                                                          "alignment",
                                                          "alignment_raw",
                                                          "nu_tangent",
                                                          "nu_paths",
                                                          "nu_gates",
                                                          "nu_gates_raw",
                                                          "tangent_trace",
                                                          "tangent_spectrum",
                                                          "gates",
                                                          "active_gates",
                                                          "sensitive_gates",
                                                          "changed_gates",
                                                          "gate_overlap",
                                                          "gate_paths",
                                                          "active_paths",
                                                          "sensitive_paths",
                                                          "weight_norms"};
constexpr std::array<std::string_view, 2> kSummaryBefore{
    "excess_kurtosis,excess_kurtosis_measured,ipr_median_start,ipr_median_end,localized_share,loss,accuracy",
    "train_loss,train_accuracy,loss,accuracy,error"};

bool is_run_json(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  const std::optional<file::Json> json = file::json_in(path, file::kMostText);
  return json && json->find("sluice") != nullptr && json->find("status") != nullptr;
}

/// "…  sluice 0.1.0: NAME begins", all there is before the first checkpoint.
bool is_log(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  const auto text = read_or_nothing([&] { return file::read_text(path); });
  return text && text->find("  sluice 0.1.0: ") != std::string::npos &&
         text->find(" begins\n") != std::string::npos;
}

bool was_run(const fs::path& folder, const SpecTest& is_spec) {
  std::error_code ignored;
  return (is_run_json(folder / "run.json") || fs::is_regular_file(folder / "checkpoint.npz", ignored) ||
          is_log(folder / "log.txt")) &&
         fs::is_regular_file(folder / "spec.toml", ignored) && is_spec(folder / "spec.toml");
}

bool was_sweep(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / "summary.csv", ignored)) return false;
  std::array<std::uint8_t, 1 << 14> front{};  // a key that is varied is a name in the header
  const auto size = read_or_nothing([&] { return file::OpenFile(folder / "summary.csv").peek(front); });
  const std::string header(front.begin(), std::find(front.begin(), front.begin() + size.value_or(0), '\n'));
  return std::ranges::any_of(kSummaryBefore, [&](std::string_view ours) { return header.ends_with(ours); });
}

/// Relative, and nowhere but in the folder or in one that lies there, as figures do: a manifest that names more is not one that we wrote.
bool is_inside(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && path.is_relative() && std::distance(path.begin(), path.end()) <= 2 &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

bool is_living(Manifest::Kind kind, std::string_view name) {
  if (kind == Manifest::Kind::sweep) return name == "sweep.json";
  return name == "spec.toml" || name == "log.txt" || name == "checkpoint.npz";
}

/// Figures lie in a folder of their own: a file or a link that stands in its place is somebody's. The name of that folder, or empty.
std::string displaced(const fs::path& folder, const std::string& name) {
  const fs::path inner = fs::path(name).parent_path();
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(folder / inner, ignored);
  return !inner.empty() && fs::exists(status) && !fs::is_directory(status) ? inner.string() : "";
}

}  // namespace

Manifest::Manifest(fs::path folder, const SpecTest& is_spec) : folder_(std::move(folder)) {
  if (read()) return;
  const auto adopt = [&](const auto& names) {
    for (const std::string_view name : names) files_[std::string(name)];
    for (const std::string_view name : kFiguresBefore)
      for (const char* ending : {"svg", "pdf", "png"}) files_[fmt::format("figures/{}.{}", name, ending)];
  };
  if (was_run(folder_, is_spec)) {
    kind_ = Kind::run;
    adopt(kRunBefore);
  } else if (was_sweep(folder_)) {
    kind_ = Kind::sweep;
    adopt(kSweepBefore);
  }
}

bool Manifest::read() {
  std::error_code ignored;
  const fs::path path = folder_ / kName;
  if (!fs::is_regular_file(path, ignored)) return false;
  const std::optional<file::Json> json = file::Json::parse(file::read_text(path));
  const file::Json* kind = json ? json->find("kind") : nullptr;
  const file::Json* files = json ? json->find("files") : nullptr;
  if (kind == nullptr || kind->text() == nullptr || files == nullptr || files->members() == nullptr)
    return false;
  kind_ = *kind->text() == "run" ? Kind::run : *kind->text() == "sweep" ? Kind::sweep : Kind::none;
  for (const auto& [name, seal] : *files->members()) {
    if (!is_inside(name) || seal.members() == nullptr) continue;
    const file::Json* bytes = seal.find("bytes");
    const file::Json* sha256 = seal.find("sha256");
    const bool sealed =
        bytes != nullptr && bytes->integer() != nullptr && sha256 != nullptr && sha256->text() != nullptr;
    files_[name] = sealed ? Seal{*bytes->integer(), *sha256->text()} : Seal{};
  }
  if (kind_ == Kind::none) files_.clear();
  return kind_ != Kind::none;
}

void Manifest::save() const {
  file::Json files = file::Json::object();
  for (const auto& [name, seal] : files_) {
    files[name] =
        seal.bytes < 0 ? file::Json::object() : file::Json{{"bytes", seal.bytes}, {"sha256", seal.sha256}};
  }
  const file::Json json{
      {"sluice", version()}, {"kind", kind_ == Kind::run ? "run" : "sweep"}, {"files", files}};
  file::write_atomically(folder_ / kName, json.dump(1) + "\n");
}

bool Manifest::is_changed(const std::string& name, const Seal& seal) const {
  std::error_code ignored;
  const fs::path path = folder_ / name;
  if (!fs::exists(fs::symlink_status(path, ignored))) return false;
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) return true;  // we write none but plain files
  return seal.bytes >= 0 && (fs::file_size(path) != static_cast<std::uintmax_t>(seal.bytes) ||
                             file::sha256_of_content(path) != seal.sha256);
}

double Manifest::bytes() const {
  double bytes = 0;
  for (const auto& [name, seal] : files_) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(folder_ / name, none);
    if (!none) bytes += static_cast<double>(size);
  }
  return bytes;
}

std::vector<std::string> Manifest::changed() const {
  std::vector<std::string> names;
  for (const auto& [name, seal] : files_) {
    if (const std::string inner = displaced(folder_, name); !inner.empty())
      names.push_back(inner);
    else if (is_changed(name, seal))
      names.push_back(name);
  }
  return names;
}

void Manifest::claim(Kind kind, const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names) {
    const fs::path path = folder_ / name;
    const auto known = files_.find(name);
    if (const std::string inner = displaced(folder_, name); !inner.empty())
      throw InputError(fmt::format("{}: sluice did not make it; move it away", (folder_ / inner).string()));
    if (known == files_.end() && fs::exists(fs::symlink_status(path, ignored)))
      throw InputError(fmt::format("{}: sluice did not write it; move it away", path.string()));
    require_unchanged(name);
  }
  kind_ = kind;
  for (const std::string& name : names) files_[name] = Seal{};
  save();
}

void Manifest::seal() {
  std::error_code ignored;
  // What was claimed and never written is nobody's: whatever comes under that name later is not ours.
  std::erase_if(files_, [&](const auto& file) {
    return file.second.bytes < 0 && !fs::exists(fs::symlink_status(folder_ / file.first, ignored));
  });
  for (auto& [name, seal] : files_) {
    const fs::path path = folder_ / name;
    if (seal.bytes >= 0 || !fs::is_regular_file(path, ignored) || is_living(kind_, name)) continue;
    seal = {static_cast<std::int64_t>(fs::file_size(path)), file::sha256_of_content(path)};
  }
  save();
}

bool Manifest::is_sealed() const {
  std::error_code ignored;
  return !fs::exists(folder_ / kName, ignored) || std::ranges::none_of(files_, [&](const auto& file) {
    return file.second.bytes < 0 && !is_living(kind_, file.first);
  });
}

bool Manifest::holds(const std::string& name) const {
  const auto file = files_.find(name);
  std::error_code ignored;
  return file != files_.end() && file->second.bytes >= 0 && fs::exists(folder_ / name, ignored) &&
         !is_changed(name, file->second);
}

void Manifest::require_unchanged(const std::string& name) const {
  const auto file = files_.find(name);
  if (file != files_.end() && is_changed(name, file->second))
    throw InputError(
        fmt::format("{}: was changed since sluice wrote it; move it away", (folder_ / name).string()));
}

void Manifest::require_removable() const {
  std::error_code ignored;
  std::set<fs::path> paths;
  for (const auto& [name, seal] : files_) {
    const fs::path path = folder_ / name;
    if (!displaced(folder_, name).empty() || !fs::exists(fs::symlink_status(path, ignored))) continue;
    if (fs::path(name).has_parent_path()) paths.insert(path.parent_path());
    paths.insert(path);
  }
  for (const fs::path& path : paths) record::require_removable(path);
  if (fs::exists(fs::symlink_status(folder_ / kName, ignored))) record::require_removable(folder_ / kName);
}

void require_removable(const fs::path& path) {
  if (const std::string why = file::why_not_removable(path); !why.empty())
    throw InputError(fmt::format("{}: cannot be removed: {}; nothing was", path.string(), why));
}

void Manifest::remove_files(const std::string& first) {
  std::set<fs::path> folders;
  if (files_.contains(first)) file::remove_entry(folder_ / first);
  for (const auto& [name, seal] : files_) {
    if (!displaced(folder_, name).empty()) continue;
    std::error_code failure;
    file::remove_entry(folder_ / name, failure);
    if (failure)
      throw IoError(fmt::format("{}: cannot be removed: {}", (folder_ / name).string(), failure.message()));
    if (const fs::path inner = fs::path(name).parent_path(); !inner.empty()) folders.insert(inner);
  }
  std::error_code stays;  // a folder with something else in it
  for (const fs::path& folder : folders) file::remove_entry(folder_ / folder, stays);
  files_.clear();
}

void write_into(const fs::path& folder, const std::vector<std::string>& names, const SpecTest& is_spec,
                const std::function<void()>& write) {
  const file::FolderLock lock(folder);
  Manifest manifest(folder, is_spec);
  // What was read there may be gone by now, and must not come back in parts.
  if (manifest.kind() == Manifest::Kind::none && !fs::exists(folder / "spec.toml"))
    throw InputError(fmt::format("{}: no longer the folder of a run", folder.string()));
  manifest.claim(manifest.kind() == Manifest::Kind::none ? Manifest::Kind::run : manifest.kind(), names);
  write();
  manifest.seal();
}

}  // namespace sluice::record

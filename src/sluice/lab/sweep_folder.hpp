/// The folder of a sweep beside the folders of its points: whose it is, and sweep.json, the plan and what became of it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sluice/file/held_folders.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/lab/sweep_plan.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::lab {

constexpr std::chrono::seconds kPatience{10};  // others hold a sweep's lock only while they plan or compare
constexpr std::chrono::minutes kPatienceAtTheEnd{
    20};  // and comparing many runs can take long: what was computed is not given up for it

/// What sweep.json says beside the points: the fingerprint of the first, and whether tables, figures and page are those of them all.
struct Stage {
  std::string spec;
  bool compared = false;
};

/// A sweep is never the way somebody loses a file: a folder that is not empty has to be a sweep's, by its manifest or (of
/// version 0.1.0, stopped before it compared) by a point that is a run. Throws InputError.
void require_usable(const RunOptions& options, const record::Manifest& manifest,
                    const std::vector<SweepPoint>& points);

/// A sweep that is gone on with may have more points than before; where it had others, its tables would no longer show them. Throws InputError.
void require_kept(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

/// The plan on the disk, in a folder with its old comparison gone: until the new one is there, it would describe other runs. Nothing is written to another folder that
/// gets this name while what is returned lives.
[[nodiscard]] std::unique_ptr<file::HeldFolder> plan(const RunOptions& options,
                                                     const std::vector<SweepPoint>& points,
                                                     const std::vector<PointOutcome>& outcomes,
                                                     const Stage& stage);
/// sweep.json alone: the points, and what became of them so far.
void write_plan(const std::filesystem::path& folder, const std::vector<PointOutcome>& outcomes,
                const Stage& stage);

/// Is this the plan that lies in the folder? Throws InputError where its points are these, made by another spec.
bool is_planned(const std::filesystem::path& folder, const std::vector<SweepPoint>& points,
                const std::string& spec);
/// Are tables, figures and page those of all points?
bool is_compared(const std::filesystem::path& folder);

}  // namespace sluice::lab

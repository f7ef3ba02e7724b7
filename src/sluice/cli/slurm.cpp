#include "sluice/cli/slurm.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <regex>

#include "sluice/cli/check_number.hpp"
#include "sluice/data/child_process.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/shell_word.hpp"
#include "sluice/file/system.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

/// What another program said on both of its streams, and how it ended.
struct Heard {
  data::ChildEnd end;
  std::string text;
};

Heard hear(std::vector<std::string> words) {
  std::string name = (fs::temp_directory_path() / "sluice-sbatch-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) throw IoError(fmt::format("{}: cannot be written", name));
  ::close(descriptor);
  const data::ChildEnd end = data::run_child(
      {.words = std::move(words), .folder = fs::current_path(), .output = name}, [] { return false; });
  Heard heard{end, file::read_text(name)};
  file::remove_entry(name);
  return heard;
}

/// On one line.
std::string flat(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// A name that needs no quotes in a line for sbatch, whose rules are not those of a shell.
std::string plain_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  return name;
}

std::string check_time(const std::string& text) {
  static const std::regex good(R"((\d+-)?\d+:\d\d:\d\d)");
  return std::regex_match(text, good) ? "" : text + ": expected HH:MM:SS or DAYS-HH:MM:SS";
}

std::string check_partition(const std::string& text) {
  const bool good = !text.empty() && text.find_first_of(" \t\n#\"'\\") == std::string::npos;
  return good ? "" : "'" + text + "': expected a partition's name";
}

std::string check_line(const std::string& text) {
  const bool good = text.starts_with("-") && text.find('\n') == std::string::npos;
  return good ? "" : "'" + text + "': expected an option of sbatch: --account=abc";
}

// TERM comes to all processes of a task, the worker among them: by scancel, which means it, or for a job of more weight, and then Slurm queues
// this one again by itself.
constexpr const char* kBefore = R"(
# Time is nearly up: this shell is told (B:), and tells the worker.
signalled= worker=
trap 'signalled=1; [ -z "$worker" ] || kill -USR1 "$worker"' USR1
)";
constexpr const char* kAfter = R"( & worker=$!
[ -z "$signalled" ] || kill -USR1 "$worker"
# The worker has its own TERM; this shell waits for it. A trap ends wait, so wait again.
trap 'signalled=1' TERM
while signalled=; wait "$worker"; code=$?; [ -n "$signalled" ]; do :; done
# 138: stopped by USR1, with checkpoints. Another task goes on from them.
[ "$code" -ne 138 ] || scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
exit "$code"
)";

}  // namespace

void SlurmOptions::add_to(App& verb) {
  verb.add_flag(
      "--slurm", asked,
      "Submit an array job whose tasks are workers; --threads are the CPUs of each, by default one. "
      "With --dry-run: print its script");
  verb.add_option(
          "--slurm-workers", workers,
          fmt::format("Tasks of the array (default: one per point that is left, at most {})", kUsualWorkers))
      ->check([](const std::string& text) {
        return check_number(text, 1, 100'000, "an integer from 1 to 100000");
      })
      ->type_name("N");
  verb.add_option("--slurm-time", time, "Time limit of a task; what is not done by then is queued again")
      ->check(check_time)
      ->type_name("HH:MM:SS");
  verb.add_option("--slurm-partition", partition, "Partition that the tasks run in")
      ->check(check_partition)
      ->type_name("NAME");
  verb.add_option("--slurm-option", options,
                  "Another option for sbatch: --slurm-option --account=abc (repeatable)")
      ->allow_extra_args(false)
      ->check(check_line)
      ->type_name("OPTION");
}

int SlurmOptions::workers_for(std::size_t points) const {
  return workers > 0 ? workers : static_cast<int>(std::clamp<std::size_t>(points, 1, kUsualWorkers));
}

void SlurmOptions::require_consistent() const {
  if (!asked && (workers > 0 || !time.empty() || !partition.empty() || !options.empty()))
    throw InputError(
        "--slurm-workers, --slurm-time, --slurm-partition, --slurm-option: expected --slurm, too");
}

std::string slurm_script(const SlurmJob& job, const SlurmOptions& options) {
  std::string script = fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --array=1-{}\n"
      "#SBATCH --cpus-per-task={}\n",
      plain_name(job.name), job.workers, job.cpus);
  if (!options.time.empty()) script += fmt::format("#SBATCH --time={}\n", options.time);
  if (!options.partition.empty()) script += fmt::format("#SBATCH --partition={}\n", options.partition);
  script +=
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --signal=B:USR1@60\n";
  for (const std::string& option : options.options) script += fmt::format("#SBATCH {}\n", option);
  script += fmt::format("\ncd {} || exit\n", file::shell_word(job.folder.string()));
  return script + kBefore + typed(job.words) + kAfter;
}

void require_sbatch() {
  if (hear({"sbatch", "--version"}).end == data::ChildEnd::not_found)
    throw InputError(
        "--slurm: sbatch is not on PATH: submit from a machine of a cluster, or see the script with "
        "--dry-run");
}

std::string submit_to_slurm(const fs::path& script) {
  const Heard heard = hear({"sbatch", "--parsable", script.string()});
  // "4711", or "4711;cluster", after what sbatch may have to remark.
  static const std::regex number(R"((?:^|\n)(\d+)(?:;[^\n]*)?\n*$)");
  std::smatch found;
  if (heard.end != data::ChildEnd::finished || !std::regex_search(heard.text, found, number))
    throw IoError(fmt::format("sbatch {}: {}", script.string(), flat(heard.text)));
  return found.str(1);
}

std::string typed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + file::shell_word(word);
  return text;
}

}  // namespace sluice::cli

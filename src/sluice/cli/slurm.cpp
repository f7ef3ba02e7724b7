#include "sluice/cli/slurm.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "sluice/cli/check_number.hpp"
#include "sluice/data/child_process.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/shell_word.hpp"
#include "sluice/file/system.hpp"
#include "sluice/math/environment.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t noted = 0;

/// While it lives, a signal that would end the program is noted; then it does, once what the program began is gone. A second SIGINT or SIGTERM ends it at once.
class EndsLater {
 public:
  EndsLater() {
    noted = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      struct sigaction note {};
      note.sa_handler = [](int signal) { noted = signal; };
      note.sa_flags = SA_RESTART;
      if (kSignals[i] == SIGINT || kSignals[i] == SIGTERM) note.sa_flags |= static_cast<int>(SA_RESETHAND);
      // What the parent ignores stays ignored.
      if (before_[i].sa_handler == SIG_DFL) ::sigaction(kSignals[i], &note, nullptr);
    }
  }
  ~EndsLater() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
    if (noted != 0) ::raise(noted);
  }
  EndsLater(const EndsLater&) = delete;
  EndsLater& operator=(const EndsLater&) = delete;

 private:
  static constexpr std::array<int, 4> kSignals{SIGINT, SIGTERM, SIGHUP, SIGUSR1};
  std::array<struct sigaction, 4> before_{};
};

fs::path folder_for_temporaries() {
  std::error_code failure;
  fs::path folder = fs::temp_directory_path(failure);
  if (!failure) return folder;
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})  // in the order of the standard library
    if (const char* value = math::environment(name))
      throw InputError(fmt::format("{} = \"{}\": expected a folder for what sbatch has to say", name, value));
  throw InputError("/tmp: expected a folder for what sbatch has to say");
}

/// A file of its own that nobody knows, until the end of the scope.
class Temporary {
 public:
  Temporary() : name_((folder_for_temporaries() / "sluice-sbatch-XXXXXX").string()) {
    const int descriptor = file::system::mkstemp(name_.data());
    if (descriptor < 0) throw IoError(fmt::format("{}: cannot be written: {}", name_, file::words_of(errno)));
    ::close(descriptor);
  }
  ~Temporary() {
    std::error_code ignored;
    file::remove_entry(name_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// The end of what another program said on both of its streams, and how it ended.
struct Heard {
  data::ChildEnd end;
  std::string text;
};

std::string end_of(const std::string& file) {
  constexpr std::streamoff kMost{data::Command::kMostOutput};
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  std::string text(static_cast<std::size_t>(std::clamp<std::streamoff>(stream.tellg(), 0, kMost)), '\0');
  stream.seekg(-std::ssize(text), std::ios::end);
  stream.read(text.data(), std::ssize(text));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

Heard hear(std::vector<std::string> words) {
  const fs::path here = current_folder();
  const EndsLater ends_later;  // outlives the file and the child
  const Temporary output;
  const data::ChildEnd end = data::run_child(
      {.words = std::move(words), .folder = here, .output = output.name()}, [] { return noted != 0; });
  return {end, end_of(output.name())};
}

/// On one line.
std::string flat(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// Why there is no number of a job, in the program's own words where it has some.
std::string complaint_in(const Heard& heard) {
  const std::string said = flat(heard.text);
  if (heard.end == data::ChildEnd::flooded)
    return fmt::format("said more than {} MiB and was ended", data::Command::kMostOutput >> 20);
  if (heard.end == data::ChildEnd::killed)
    return "was killed" + (said.empty() ? ", and had said nothing" : ", and had said: " + said);
  if (heard.end == data::ChildEnd::finished)
    return "expected the number of a job, found " + (said.empty() ? "nothing" : said);
  return said.empty() ? "failed, and said nothing" : said;
}

/// "4711", or "4711;cluster", in the last line that is not empty: sbatch may have something to remark before.
std::optional<std::string> job_in(std::string_view text) {
  constexpr std::size_t kLongest = 10;                      // digits; Slurm's numbers have 32 bits
  const std::size_t end = text.find_last_not_of('\n') + 1;  // 0 where there is nothing else
  text = text.substr(0, end);
  text.remove_prefix(text.rfind('\n') + 1);
  const std::string_view number = text.substr(0, text.find(';'));
  const bool good = !number.empty() && number.size() <= kLongest &&
                    number.find_first_not_of("0123456789") == std::string_view::npos;
  return good ? std::optional(std::string(number)) : std::nullopt;
}

/// A name that needs no quotes in a line for sbatch, whose rules are not those of a shell.
std::string plain_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  return name;
}

/// Digits, up to so many and no sign.
std::optional<std::int64_t> number_of_digits(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most ||
      text.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Of HH:MM:SS or DAYS-HH:MM:SS, hours as many as one likes.
std::optional<std::int64_t> seconds_in(std::string_view text) {
  constexpr std::size_t kTail = std::string_view(":MM:SS").size();
  constexpr std::size_t kLongest = 9;  // of a number; no sum of such is beyond all numbers
  const std::size_t dash = text.find('-');
  const auto days = dash == std::string_view::npos ? 0 : number_of_digits(text.substr(0, dash), 1, kLongest);
  if (dash != std::string_view::npos) text.remove_prefix(dash + 1);
  if (text.size() <= kTail) return std::nullopt;
  const auto hours = number_of_digits(text.substr(0, text.size() - kTail), 1, kLongest);
  text.remove_prefix(text.size() - kTail);
  const auto minutes = number_of_digits(text.substr(1, 2), 2, 2);
  const auto seconds = number_of_digits(text.substr(4, 2), 2, 2);
  if (text[0] != ':' || text[3] != ':' || !days || !hours || !minutes || !seconds) return std::nullopt;
  if (*minutes >= 60 || *seconds >= 60) return std::nullopt;
  return ((*days * 24 + *hours) * 60 + *minutes) * 60 + *seconds;
}

std::string check_time(const std::string& text) {
  constexpr std::int64_t kMost = 9999LL * 24 * 60 * 60;
  const std::optional<std::int64_t> seconds = seconds_in(text);
  return seconds && *seconds >= 1 && *seconds <= kMost
             ? ""
             : text + ": expected HH:MM:SS or DAYS-HH:MM:SS, from a second to 9999 days";
}

std::string check_partition(const std::string& text) {
  const bool good = !text.empty() && text.find_first_of(" \t\n#\"'\\") == std::string::npos;
  return good ? "" : "'" + text + "': expected a partition's name";
}

std::string check_line(const std::string& text) {
  const bool good = text.starts_with("-") && text.find('\n') == std::string::npos;
  if (!good) return "'" + text + "': expected an option of sbatch: --account=abc";
  if (text.starts_with("--array") || text.starts_with("-a"))
    return "'" + text + "': expected another option: how many tasks there are --slurm-workers says";
  return "";
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

fs::path current_folder() {
  std::error_code failure;
  fs::path folder = fs::current_path(failure);
  if (failure)
    throw InputError(
        fmt::format("--slurm: the current folder: expected one that is there: {}", failure.message()));
  return folder;
}

void require_sbatch() {
  const Heard heard = hear({"sbatch", "--version"});
  if (heard.end == data::ChildEnd::not_found)
    throw InputError(
        "--slurm: sbatch is not on PATH: submit from a machine of a cluster, or see the script with "
        "--dry-run");
  if (heard.end == data::ChildEnd::flooded || heard.end == data::ChildEnd::killed)
    throw IoError("sbatch --version: " + complaint_in(heard));
}

std::string submit_to_slurm(const fs::path& script) {
  const Heard heard = hear({"sbatch", "--parsable", script.string()});
  const std::optional<std::string> job = job_in(heard.text);
  if (heard.end == data::ChildEnd::finished && job) return *job;
  const bool unknown = heard.end == data::ChildEnd::flooded || heard.end == data::ChildEnd::killed;
  throw IoError(fmt::format("sbatch {}: {}{}", script.string(), complaint_in(heard),
                            unknown ? "; the job may be queued all the same" : ""));
}

std::string typed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + file::shell_word(word);
  return text;
}

}  // namespace sluice::cli

/// sluice run, sluice sweep.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sluice/cli/answer.hpp"
#include "sluice/cli/check_number.hpp"
#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/progress.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/signals.hpp"
#include "sluice/cli/slurm.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/shell_word.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/spread.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/math/program_path.hpp"
#include "sluice/math/ranks.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::cli {
namespace of_run {
namespace {

/// What run and sweep have in common.
struct Arguments {
  lab::Source source;
  std::string out;
  bool resume = false;
  bool overwrite = false;
  bool quiet = false;
  bool json = false;
  int threads = math::hardware_threads();
  int threads_said = 0;  // 0: nothing was
  double checkpoint_every = 30;
  std::string device = "cpu";
  std::vector<std::string> over;  // sweep only, and
  bool worker = false;
  bool dry_run = false;
  std::string shard;
  SlurmOptions slurm;
  std::string continues;  // run only

  /// Returns the experiment's option.
  Option* add_to(App& verb) {
    Option* experiment = add_source(verb, source, "EXPERIMENT");
    verb.add_option("--out", out, "Folder to write (default: runs/NAME)")->type_name("DIR");
    add_seed(verb, source);
    add_threads(verb, threads, &threads_said);
    verb.add_option("--device", device,
                    "Where networks train: cpu, gpu, gpu:single (products of floats); deep ones also "
                    "gpu:tf32, gpu:bfloat16")
        ->type_name("DEVICE")
        ->capture_default_str();
    verb.add_flag("--resume", resume, "Continue what is in --out; finished runs are left alone");
    verb.add_flag("--overwrite", overwrite, "Replace the run in --out");
    verb.add_option("--checkpoint-every", checkpoint_every, "Seconds between checkpoints")
        ->check(
            [](const std::string& text) { return check_number(text, 0.0, 1e9, "seconds, from 0 to 1e9"); })
        ->type_name("SECONDS")
        ->capture_default_str();
    verb.add_flag("--quiet", quiet, "No progress, no remarks");
    verb.add_flag("--json", json, "Print the outcome as JSON on standard output");
    return experiment;
  }

  /// The source is the spec of the run that is to be continued.
  void take_up() {
    namespace fs = std::filesystem;
    if (!source.name_or_file.empty())
      throw InputError("EXPERIMENT and --continue: expected one of them: the run has a spec");
    const fs::path run = file::normal_path(fs::absolute(continues));
    source.name_or_file = (fs::path(continues) / "spec.toml").string();
    if (!fs::exists(source.name_or_file))
      throw InputError(fmt::format("--continue {}: not the folder of a run: it has no spec.toml", continues));
    for (const std::string& assignment : source.assignments) {
      const std::string key = assignment.substr(0, assignment.find_first_of("= "));
      if (key == "start" || key == "start.run")
        throw InputError(
            fmt::format("--continue {} and --set {}: expected one of them", continues, assignment));
    }
    std::error_code ignored;
    if (fs::equivalent(folder(), run, ignored))
      throw InputError(
          fmt::format("--out {}: expected another folder than that of the run that is continued", out));
  }

  std::string name() const {
    return lab::short_name(source.name_or_file) + (continues.empty() ? "" : "-continued");
  }

  std::filesystem::path folder() const { return out.empty() ? "runs/" + name() : out; }

  lab::Experiment experiment() const {
    lab::Experiment experiment = resume ? lab::load_resumed(source, folder()) : lab::load(source);
    if (!continues.empty())
      experiment.start.run = file::normal_path(std::filesystem::absolute(continues)).string();
    return experiment;
  }

  lab::RunOptions run_options() const {
    if (resume && overwrite) throw InputError("--resume and --overwrite: expected one of them");
    lab::RunOptions options;
    options.out = file::normal_path(folder());
    if (!options.out.has_filename()) options.out = options.out.parent_path();  // "runs/x/" is "runs/x"
    options.existing = resume      ? record::Existing::resume
                       : overwrite ? record::Existing::overwrite
                                   : record::Existing::refuse;
    options.threads = threads;
    options.place = gpu::Place::of(device);
    options.checkpoint_every = checkpoint_every;
    options.begins = watch_signals;
    options.stop_requested = options.abandon_requested = [] { return stop_signal() != 0; };
    return options;
  }
};

std::string one_line(const std::string& name, const lab::Outcome& outcome) {
  std::string line = outcome.ending == lab::Ending::already_finished
                         ? fmt::format("{}: already finished", name)
                         : fmt::format("{}: {} steps in {:.1f} s", name, outcome.steps_done, outcome.seconds);
  for (const record::Number& number : outcome.summary().numbers())
    if (number.kind->in_tables && number.kind->key != "excess_kurtosis" &&
        !outcome.summary().repeats(*number.kind))
      line += fmt::format(", {} {}", outcome.summary().title(*number.kind), number.text());
  return line;
}

int exit_code(const lab::Outcome& outcome) {
  switch (outcome.ending) {
    case lab::Ending::finished:
    case lab::Ending::already_finished:
      return kSuccess;
    case lab::Ending::interrupted:
      return 128 + stop_signal();
    case lab::Ending::diverged:
      return kFailure;
  }
  return kFailure;
}

void explain_divergence(const std::string& name, const lab::Outcome& outcome) {
  const char* why =
      outcome.is_out_of_reach() ? "its integrator would need too many steps to the next probe time; lower "
                                  "dynamics.rate, or raise dynamics.tolerance"
      : outcome.steps() == 0 ? "loss or weights are not finite; look at the initial weights, bias and labels"
                             : "loss or weights are not finite; lower dynamics.rate";
  tell(fmt::format("sluice: {}: diverged at step {}: {}", name, outcome.steps(), why));
}

/// Lends this process to the first rank; one that cannot go on ends the job, where the others would wait for it.
int lend_to_first_rank(lab::Experiment experiment, int threads, math::Ranks& ranks) {
  try {
    lab::follow(std::move(experiment), threads, ranks);
  } catch (const std::exception& failure) {
    tell(fmt::format("sluice: rank {}: {}", ranks.rank(), words_of(failure)));
    ranks.abandon();
  }
  return kSuccess;
}

int run(Arguments& arguments) {
  if (!arguments.continues.empty()) arguments.take_up();
  if (arguments.source.name_or_file.empty())
    throw UsageError("sluice run: EXPERIMENT is required (see sluice run --help)");
  const std::string name = arguments.name();
  lab::Experiment experiment = arguments.experiment();
  lab::RunOptions options = arguments.run_options();
  // Of the ranks that mpirun started, the first is the run; the others lend it their processors.
  std::unique_ptr<math::Ranks> ranks;
  std::optional<lab::Lead> lead;
  if (const math::RankOf announced = math::announced_rank(); announced.count > 1) {
    ranks = math::join_ranks();
    if (ranks->count() != announced.count)
      throw InputError(
          fmt::format("one of {} processes that were started together, and MPI knows of {}: expected mpirun, "
                      "or srun --mpi=pmix",
                      announced.count, ranks->count()));
    if (ranks->rank() > 0)
      watch_signals();  // which the first one hears, too: it ends the job when it is ready
    if (ranks->rank() > 0) return lend_to_first_rank(std::move(experiment), options.threads, *ranks);
    options.lead = &lead.emplace(*ranks);
  }
  lab::Outcome outcome;
  {
    Progress progress(name, arguments.quiet);
    options.progress = [&](std::int64_t step, std::int64_t steps) { progress.update(step, steps); };
    options.remark = [&](const std::string& remark) { progress.say(remark); };
    try {
      outcome = lab::run(std::move(experiment), name, options);
    } catch (const std::exception& failure) {
      if (!lead || !lead->begun()) throw;
      tell(fmt::format("sluice: {}", words_of(failure)));
      ranks->abandon();
    }
  }
  const std::string folder = outcome.folder().string();
  if (arguments.json) {
    print(fmt::format("{}\n", record::to_json(outcome.recording).dump(2)));
  } else if (outcome.ending != lab::Ending::interrupted) {
    // A page that could not be written was remarked upon.
    std::error_code ignored;
    const bool has_page = std::filesystem::exists(outcome.folder() / "report.html", ignored);
    print(fmt::format("{}\n{}", one_line(name, outcome), has_page ? folder + "/report.html\n" : ""));
  }
  if (outcome.ending == lab::Ending::diverged) explain_divergence(name, outcome);
  if (outcome.ending == lab::Ending::interrupted) {
    tell(fmt::format("{}: stopped; what was measured is in {}. Continue with", name, folder));
    tell(fmt::format("  sluice run {} --out {} --resume", file::shell_word(folder + "/spec.toml"),
                     file::shell_word(folder)));
  }
  return exit_code(outcome);
}

/// Every run as `sluice run --json` prints it, with what distinguishes it.
void print_json(const lab::SweepOutcome& outcome, const std::string& folder) {
  file::Json runs = file::Json::array();
  for (const lab::PointOutcome& each : outcome.points) {
    file::Json settings = file::Json::object();
    for (const lab::Setting& setting : each.point.settings) settings[setting.name] = setting.value;
    file::Json run = each.outcome ? record::to_json(each.outcome->recording)
                                  : file::Json{{"status", "failed"}, {"reason", each.failure}};
    if (!each.outcome && each.failure.empty()) continue;  // not begun
    run["settings"] = settings;
    runs.push_back(run);
  }
  const file::Json json{{"folder", folder}, {"complete", outcome.complete}, {"runs", runs}};
  print(fmt::format("{}\n", json.dump(2)));
}

/// "2/8": the second of eight shares.
lab::Shard parse_shard(const std::string& text) {
  std::uint32_t index = 0, count = 0;
  const char* const last = text.data() + text.size();
  const auto [slash, no_index] = std::from_chars(text.data(), last, index);
  const bool two = no_index == std::errc{} && slash != last && *slash == '/';
  const auto [end, no_count] = std::from_chars(two ? slash + 1 : last, last, count);
  if (!two || no_count != std::errc{} || end != last || index < 1 || index > count)
    throw InputError(fmt::format("--shard {}: expected I/N, 1 ≤ I ≤ N: the I-th of N shares", text));
  return {index - 1, count};
}

/// Who moves with whom on a device.
std::string order_text(std::size_t runs, std::size_t groups) {
  if (groups == runs) return "one run after the other";
  if (groups == 1) return "all runs together";
  return fmt::format("runs in {} groups, one after the other", groups);
}

/// How long so many runs take, and on a device what memory; with what a short try there cannot tell.
std::string time_text(const lab::Estimate& expected, std::size_t runs, const lab::RunOptions& options) {
  if (!options.place.on_device)
    return fmt::format("time    about {} on {} threads\n", rough_duration_text(expected.seconds),
                       options.threads);
  const std::string missing = options.place.missing();
  const std::string time = missing.empty()
                               ? fmt::format("about {} of steps on {}, {}; what is measured comes on top",
                                             rough_duration_text(expected.seconds), gpu::device().name(),
                                             order_text(runs, expected.groups))
                               : fmt::format("not known here: {}", missing);
  return fmt::format(
      "time    {}\ndevice  at least {:.1f} MB of its memory for each run at work there, without what its "
      "libraries need\n",
      time, expected.device_bytes / 1e6);
}

std::string room_text(const lab::Room& room, double bytes) {
  return fmt::format(
      "memory  at least {:.1f} MB of {:.0f} MB\ndisk    about {:.1f} MB, less what deflating saves\n",
      room.memory / 1e6, math::memory_bytes() / 1e6, bytes / 1e6);
}

/// Of a large grid it takes half a minute, in which it says how far it is.
lab::Preview previewed(const Arguments& arguments, const std::vector<lab::SweepAxis>& axes,
                       lab::RunOptions options, const lab::Part& part = {}) {
  Progress progress("sweep", arguments.quiet, "points");
  options.progress = [&](std::int64_t done, std::int64_t of) { progress.update(done, of); };
  return lab::preview(arguments.source, axes, options, part);
}

int show_plan(const Arguments& arguments, const std::vector<lab::SweepAxis>& axes, const lab::Part& part) {
  const lab::RunOptions options = arguments.run_options();
  const lab::Preview plan = previewed(arguments, axes, options, part);
  lab::require_room(plan.room, options.out);  // nor would the sweep begin
  const lab::Estimate expected = lab::estimate(arguments.source, plan, options);
  if (arguments.json) {
    file::Json states = file::Json::object();
    for (const auto& [state, count] : plan.states)
      states[std::string(lab::to_string(state))] = static_cast<std::int64_t>(count);
    file::Json json{{"folder", options.out.string()},
                    {"points", static_cast<std::int64_t>(plan.points)},
                    {"states", states},
                    {"bytes", expected.bytes},
                    {"memory_bytes", plan.room.memory}};
    if (const std::string missing = options.place.missing(); missing.empty())
      json["seconds"] = expected.seconds;
    else
      json["missing"] = missing;
    if (options.place.on_device) {
      json["device"] = options.place.text();
      json["device_bytes"] = expected.device_bytes;
    }
    print(fmt::format("{}\n", json.dump(2)));
    return kSuccess;
  }
  std::string states;
  for (const auto& [state, count] : plan.states)
    states += fmt::format("{}{} {}", states.empty() ? "" : ", ", count, lab::to_string(state));
  print(fmt::format("folder  {}\npoints  {}: {}\n{}{}", options.out.string(), plan.points, states,
                    time_text(expected, plan.left.size(), options), room_text(plan.room, expected.bytes)));
  return kSuccess;
}

/// The words of the command that say which sweep it is, for whoever goes on with it from the same folder.
std::vector<std::string> sweep_words(const std::string& program, const Arguments& arguments) {
  std::vector<std::string> words{program, "sweep", arguments.source.name_or_file};
  for (const std::string& assignment : arguments.source.assignments)
    words.insert(words.end(), {"--set", assignment});
  if (!arguments.source.seed.empty()) words.insert(words.end(), {"--seed", arguments.source.seed});
  for (const std::string& over : arguments.over) words.insert(words.end(), {"--over", over});
  if (arguments.device != "cpu") words.insert(words.end(), {"--device", arguments.device});
  words.insert(words.end(), {"--out", arguments.folder().string(), "--resume"});
  return words;
}

/// The sweep is checked and left to workers; the first of them plans it.
int submit(const Arguments& arguments, const std::vector<lab::SweepAxis>& axes) {
  namespace fs = std::filesystem;
  if (arguments.overwrite) throw InputError("--overwrite: expected --resume, or a new folder, with --slurm");
  if (arguments.worker || !arguments.shard.empty())
    throw InputError("--slurm: expected neither --worker nor --shard: its tasks are workers");
  if (arguments.json && arguments.dry_run)
    throw InputError("--json: expected it without --slurm --dry-run, which prints the script");
  if (!arguments.dry_run) require_sbatch();
  const lab::RunOptions options = arguments.run_options();
  const lab::Preview plan = previewed(arguments, axes, options);

  std::size_t left = 0;
  for (const auto& [state, count] : plan.states) left += lab::is_over(state) ? 0 : count;
  const std::string cpus = std::to_string(std::max(1, arguments.threads_said));
  std::vector<std::string> worker = sweep_words(math::program_path().string(), arguments);
  worker.insert(worker.end(), {"--worker", "--threads", cpus, "--checkpoint-every",
                               fmt::format("{}", options.checkpoint_every)});
  if (arguments.quiet) worker.push_back("--quiet");
  const SlurmJob job{.name = arguments.name(),
                     .folder = current_folder(),
                     .words = worker,
                     .workers = arguments.slurm.workers_for(left),
                     .cpus = std::stoi(cpus)};
  const std::string script = slurm_script(job, arguments.slurm);
  if (arguments.dry_run) {
    print(script);
    return kSuccess;
  }

  // Beside the sweep's folder: in it nothing may be that no sweep wrote, and it is planned by whoever comes first.
  const fs::path place = options.out.string() + ".sbatch";
  std::error_code ignored;
  const bool is_there = fs::exists(fs::symlink_status(place, ignored));  // a link that leads nowhere is, too
  if (is_there && (!fs::exists(place, ignored) || file::read_text(place) != script))
    throw InputError(fmt::format("{}: exists, and is another job: submit it with sbatch, or move it away",
                                 place.string()));
  if (place.has_parent_path()) file::make_folders(place.parent_path());
  if (!is_there) file::write_atomically(place, script, file::IfTaken::refuse);
  const std::string number = submit_to_slurm(place);
  if (arguments.json) {
    print(fmt::format("{}\n", file::Json{{"job", number},
                                         {"script", place.string()},
                                         {"folder", options.out.string()},
                                         {"points", static_cast<std::int64_t>(plan.points)},
                                         {"left", static_cast<std::int64_t>(left)},
                                         {"workers", job.workers}}
                                  .dump(2)));
    return kSuccess;
  }
  std::vector<std::string> look = sweep_words("sluice", arguments);
  look.push_back("--dry-run");
  print(fmt::format(
      "job     {}: {} workers for {} points, CPUs of each: {}\nscript  {}\nlogs    slurm-{}_*.out\n", number,
      job.workers, left, cpus, place.string(), number));
  print(fmt::format("watch   squeue --job {}\n        {}\n", number, typed(look)));
  return kSuccess;
}

int sweep(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  std::vector<lab::SweepAxis> axes;
  for (const std::string& text : arguments.over) axes.push_back(lab::parse_axis(text));
  lab::Part part{.worker = arguments.worker};
  if (!arguments.shard.empty()) part.shard = parse_shard(arguments.shard);
  arguments.slurm.require_consistent();
  // Who is called a worker is one, whatever the environment of a job tells of ranks.
  const math::RankOf rank = arguments.worker ? math::RankOf{} : math::announced_rank();
  part.shared = rank.count > 1;
  if (arguments.overwrite && (part.shared || part.worker || part.shard.count > 1))
    throw InputError(
        "--overwrite: expected --resume, or a new folder, for a sweep that several processes share");
  if (rank.count > 1 && arguments.slurm.asked)
    throw InputError(
        fmt::format("--slurm: expected one process to submit the job, found {} ranks", rank.count));
  if (arguments.slurm.asked) return submit(arguments, axes);
  if (arguments.dry_run) return show_plan(arguments, axes, part);
  lab::RunOptions options = arguments.run_options();
  // Of processes that were started together the first plans, waits for all and compares; the others work for it.
  if (rank.rank > 0) {
    watch_signals();  // for as long as the first one plans
    part.worker = true;
    options.existing = record::Existing::resume;
    lab::await_plan(arguments.source, axes, options);
  }
  Progress progress("sweep", arguments.quiet || rank.rank > 0);
  options.remark = [&](const std::string& remark) { progress.say(remark); };
  const Clock::time_point began = Clock::now();
  lab::SweepHooks hooks;
  std::size_t over = 0, count = 0;
  double begun_with = -1;  // share of all that was there already
  hooks.found = [&](std::size_t points) {
    over = points;
    if (!arguments.quiet) tell(fmt::format("sweep: {} points are there already", points));
  };
  hooks.waits = [&](std::size_t points) {
    progress.say(fmt::format("{} points are at work elsewhere; waiting for them", points));
  };
  hooks.begins = [&](const std::string&, std::size_t, std::size_t points) { count = points; };
  hooks.advances = [&](const lab::SweepProgress& now) {
    if (begun_with < 0) begun_with = static_cast<double>(now.over) / static_cast<double>(now.count);
    const double elapsed = std::chrono::duration<double>(Clock::now() - began).count();
    const double ours = (now.share - begun_with) / (1 - begun_with);  // of what was left when we came
    progress.update(now.share, many_runs_text(now.over, now.count, ours, elapsed));
  };
  hooks.remarks = [&](const std::string& label, const std::string& remark) {
    progress.say(fmt::format("{}: {}", label, remark));
  };
  hooks.ends = [&](const std::string& label, const lab::Outcome& outcome) {
    ++over;
    progress.pause();
    if (!arguments.quiet) tell(fmt::format("{}  ({} of {} runs)", one_line(label, outcome), over, count));
    if (outcome.ending == lab::Ending::diverged) explain_divergence(label, outcome);
  };
  hooks.fails = [&](const std::string& label, const std::string& reason) {
    progress.pause();
    tell(fmt::format("sluice: {}: failed: {}", label, reason));
  };
  const lab::SweepOutcome outcome = lab::sweep(arguments.source, axes, options, hooks, part);
  progress.pause();
  const std::string folder = options.out.string();
  if (arguments.json) print_json(outcome, folder);
  if (!outcome.stopped_by.empty()) {
    tell(fmt::format("sluice: sweep: stopped: {}; what is finished is whole, repeat it with --resume",
                     outcome.stopped_by));
    return kFailure;
  }
  if (stop_signal() != 0 && !outcome.complete) {
    tell(fmt::format("sweep: stopped; repeat it with --resume (and without --overwrite) to continue in {}",
                     folder));
    return 128 + stop_signal();
  }
  if (rank.rank > 0)
    return kSuccess;  // mpirun would end the others for any other code; the first rank tells what became of points
  if (!outcome.complete) {  // a worker, a shard
    if (!arguments.quiet)
      tell(fmt::format("sweep: no point is left here that nobody has; others are at work in {}", folder));
    return outcome.failed() ? kFailure : kSuccess;
  }
  if (!arguments.json && !outcome.table.rows.empty()) {  // whoever came last and compared
    print(in_columns(outcome.table, "r"));
    print(fmt::format("\nfolder  {}\npage    {}/report.html\n", folder, folder));
  }
  int code = outcome.failed() ? kFailure : kSuccess;
  for (const lab::PointOutcome& each : outcome.points)
    if (each.outcome) code = std::max(code, exit_code(*each.outcome));
  return code;
}

}  // namespace
}  // namespace of_run

void add_run(App& app, Action& action) {
  using namespace of_run;
  App* verb =
      app.add_subcommand("run", "Run an experiment: from a spec to a folder with record, figures, page");
  auto arguments = std::make_shared<Arguments>();
  arguments->add_to(*verb);
  verb->add_option("--continue", arguments->continues,
                   "Go on from where a run ended, in a folder of its own (default: runs/NAME-continued)")
      ->type_name("RUN");
  verb->footer(
      "Examples:\n"
      "  sluice run localization\n"
      "  sluice run localization --set task.gain=0.01 --seed 2 --out runs/gaussian\n"
      "  sluice run runs/gaussian/spec.toml --out runs/gaussian --resume\n"
      "  sluice run --continue runs/gaussian --set dynamics.steps=10000 --set dynamics.rate=0.5\n"
      "  sluice run mine.toml --json | jq .loss");
  verb->callback([&action, arguments] { action = [arguments] { return run(*arguments); }; });
}

void add_sweep(App& app, Action& action) {
  using namespace of_run;
  App* verb =
      app.add_subcommand("sweep", "Run an experiment at every combination of some values and compare");
  auto arguments = std::make_shared<Arguments>();
  arguments->add_to(*verb)->required();
  verb->add_option("--over", arguments->over,
                   "Values of a key: task.gain=0.01,3,100, seed=1..5, task.gain=log(0.01,100,9), lin(0,1,5), "
                   "network.hidden,dynamics.rate=10:0.5,40:2 for keys that change together (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=A,B,…");
  verb->add_flag("--dry-run", arguments->dry_run,
                 "Only show the plan: points, what is there already, expected time, memory and disk");
  verb->add_flag("--worker", arguments->worker,
                 "Take points that nobody has until there are none, and leave; with --resume, any number of "
                 "these, on any "
                 "machines that see --out, work on one sweep");
  verb->add_option("--shard", arguments->shard,
                   "Only the I-th of N shares of the points, for schedulers that number jobs")
      ->type_name("I/N");
  arguments->slurm.add_to(*verb);
  verb->footer(
      "Examples:\n"
      "  sluice sweep localization --over task.gain=0.01,3,100\n"
      "  sluice sweep localization --over task.gain=1,3 --over seed=1,2,3 --out runs/grid --resume\n"
      "  sluice sweep localization --over seed=1..100 --slurm --slurm-workers 20 --slurm-time 02:00:00");
  verb->callback([&action, arguments] { action = [arguments] { return sweep(*arguments); }; });
}

}  // namespace sluice::cli

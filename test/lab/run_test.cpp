#include "sluice/lab/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/net/activation.hpp"
#include "sluice/record/manifest.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using test::TempFolder;

const std::vector<std::string> kSmall{"task.n=12",           "network.hidden=5", "dynamics.steps=60",
                                      "dynamics.batch=200",  "probe.every=7",    "probe.samples=500",
                                      "network.bias=learned"};

Source small(std::vector<std::string> more = {}) {
  std::vector<std::string> assignments = kSmall;
  assignments.insert(assignments.end(), more.begin(), more.end());
  return {.name_or_file = "localization", .assignments = std::move(assignments)};
}

Outcome run_into(const std::filesystem::path& out, const Source& source, RunOptions options = {}) {
  Experiment experiment = load(source);
  options.out = out;
  return run(std::move(experiment), "test", options);
}

std::string record_of(const std::filesystem::path& out) { return file::read_text(out / "record.npz"); }

TEST(Run, WritesTheFolderOfTheContract) {
  const TempFolder folder;
  const Outcome outcome = run_into(folder / "r", small());
  EXPECT_EQ(outcome.ending, Ending::finished);
  for (const char* name : {"spec.toml", "record.npz", "metrics.csv", "report.html", "run.json", "log.txt",
                           "figures/receptive_fields.svg", "figures/receptive_fields.pdf",
                           "figures/receptive_fields.png", "figures/evolution.svg", "figures/learning.pdf"}) {
    EXPECT_TRUE(std::filesystem::file_size(folder / "r" / name) > 0) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "r/checkpoint.npz"));
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  std::vector<std::int64_t> steps{0, 7, 14, 21, 28, 35, 42, 49, 56, 60};
  EXPECT_EQ(file::find(record, "step")->as<std::int64_t>(), steps) << "every 7, and the last";
  EXPECT_EQ(file::find(record, "weights")->shape, (file::Shape{10, 5, 12}));
}

TEST(Run, ALearnedReadoutIsRecordedAndReproducedAlsoWithWeightsFromAFile) {
  const TempFolder folder;
  run_into(folder / "mean", small());
  const std::string weights = (folder / "mean/record.npz").string();
  run_into(folder / "r",
           small({fmt::format("network.init={{law=\"file\",path=\"{}\",array=\"weights\",others=\"fresh\"}}",
                              weights),
                  "network.readout=learned", "network.readout_init={law=\"normal\",std=0.5}",
                  "dynamics.rate=0.5"}));
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  ASSERT_NE(file::find(record, "readout"), nullptr);
  EXPECT_EQ(file::find(record, "readout")->shape, (file::Shape{10, 5}));
  EXPECT_EQ(file::find(record, "offset")->shape, (file::Shape{10}));
  EXPECT_EQ(file::find(record, "offset")->as<float>().front(), 0);
  EXPECT_NE(file::find(record, "offset")->as<float>().back(), 0);
  EXPECT_EQ(file::find(file::read_npz(weights), "readout"), nullptr);
  run_into(folder / "again", {.name_or_file = (folder / "r/spec.toml").string()});
  EXPECT_EQ(record_of(folder / "again"), record_of(folder / "r"));
}

TEST(Run, ResolvedSpecReproducesTheRecordBitForBit) {
  const TempFolder folder;
  run_into(folder / "first", small({"task.gain=0.7", "seed=5"}));
  run_into(folder / "again", {.name_or_file = (folder / "first/spec.toml").string()});
  EXPECT_EQ(record_of(folder / "again"), record_of(folder / "first"));
  EXPECT_EQ(file::read_text(folder / "again/spec.toml"), file::read_text(folder / "first/spec.toml"));
  run_into(folder / "other", small({"task.gain=0.7", "seed=6"}));
  EXPECT_NE(record_of(folder / "other"), record_of(folder / "first")) << "the seed must matter";
}

TEST(Run, BytesDoNotDependOnThreads) {
  const TempFolder folder;
  run_into(folder / "one", small());
  for (const int threads : {2, 3}) {
    const auto out = folder / std::to_string(threads);
    run_into(out, small(), {.threads = threads});
    EXPECT_EQ(record_of(out), record_of(folder / "one"));
  }
}

RC_GTEST_PROP(Run, InterruptedAnywhereAndResumedGivesTheSameBytes, ()) {
  static const TempFolder whole_folder;
  static const std::string whole = [] {
    run_into(whole_folder / "whole", small());
    return record_of(whole_folder / "whole");
  }();
  const TempFolder folder;
  const auto stops = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30));
  RunOptions options{.existing = record::Existing::resume};
  for (const int after : stops) {
    int left = after;
    options.stop_requested = [&left] { return left-- == 0; };
    if (run_into(folder / "r", small(), options).ending != Ending::interrupted) break;
    RC_ASSERT(std::filesystem::exists(folder / "r/record.npz"));  // what was measured is kept
  }
  options.stop_requested = [] { return false; };
  run_into(folder / "r", small(), options);
  RC_ASSERT(record_of(folder / "r") == whole);
}

// Every optimiser and loss and both readouts, not only the default: resumed twice, on another number of threads, to the same bytes.
TEST(Run, EveryOptimizerAndLossResumesToTheSameBytesOnAnyThreads) {
  for (const learn::Optimizer& optimizer : learn::optimizers()) {
    for (const learn::Loss& loss : learn::losses()) {
      const char* readout = loss.choice.name == "l1" ? "mean" : "learned";
      const TempFolder folder;
      const Source source = small({fmt::format("dynamics.kind={}", optimizer.choice.name),
                                   fmt::format("dynamics.loss={}", loss.choice.name), "dynamics.rate=0.05",
                                   fmt::format("network.readout={}", readout)});
      run_into(folder / "whole", source);
      RunOptions options{.existing = record::Existing::resume, .threads = 2};
      for (const int after : {5, 23}) {
        int left = after;
        options.stop_requested = [&left] { return left-- == 0; };
        ASSERT_EQ(run_into(folder / "r", source, options).ending, Ending::interrupted);
        options.threads = 3;
      }
      options.stop_requested = [] { return false; };
      run_into(folder / "r", source, options);
      EXPECT_EQ(record_of(folder / "r"), record_of(folder / "whole"))
          << optimizer.choice.name << " " << loss.choice.name;
      const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
      EXPECT_LT(file::find(record, "loss")->as<double>().back(),
                file::find(record, "loss")->as<double>().front())
          << optimizer.choice.name << " " << loss.choice.name << ": training must lower the loss";
    }
  }
}

/// A small random experiment: any task (a teacher's inputs and a dataset's samples from any task they may have), any
/// optimiser, loss, activation, bias and balance.
std::string random_spec() {
  const auto word = [](spec::Choices choices) {
    return std::string(
        choices[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(choices.size())))].name);
  };
  const std::string plain_kind = word(task::kinds_with_class_labels());
  const std::string balance = *rc::gen::element<std::string>("0.5", "0.3");
  const auto plain = [&] {
    return fmt::format("kind = \"{}\", n = 12, balance = {}{}", plain_kind, balance,
                       plain_kind == "block" ? ", block = [4, 2]"
                       : plain_kind == "pulse"
                           ? ", width_first = [0.3, 0.5]"  // the default needs a longer ring
                           : "");
  };
  const auto teacher = [&] {
    return fmt::format(
        "kind = \"teacher\", noise = 0.1, inputs = {{ {} }}, network = {{ kind = \"two-layer\", hidden = 2 "
        "}}",
        plain());
  };
  const std::string loss = word(learn::loss_choices());
  const int shape =
      *rc::gen::inRange(0, loss == "cross-entropy" ? 2 : 4);  // a teacher's labels are not 0 and 1
  const std::string task =
      shape == 0   ? plain()
      : shape == 1 ? fmt::format("kind = \"dataset\", samples = 100, from = {{ {} }}", plain())
      : shape == 2 ? teacher()
                   : fmt::format("kind = \"dataset\", samples = 100, from = {{ {} }}", teacher());
  const bool finite = shape % 2 == 1;
  const std::string batch = finite ? *rc::gen::element<std::string>("\"full\"", "70", "7") : "130";
  return fmt::format(
      "task = {{ {} }}\nnetwork = {{ kind = \"two-layer\", hidden = {}, activation = \"{}\", bias = {}, "
      "readout = \"{}\" }}\n"
      "dynamics = {{ kind = \"{}\", loss = \"{}\", rate = 0.05, batch = {}, steps = 20 }}\n"
      "probe = {{ every = 6, samples = 300 }}\n",
      task, *rc::gen::inRange(1, 8), word(net::activation_choices()),
      *rc::gen::element<std::string>("\"none\"", "\"learned\"", "0.5"),
      *rc::gen::element<std::string>("mean", "learned"), word(learn::optimizer_choices()), loss, batch);
}

RC_GTEST_PROP(Run, AnySpecResumesToTheSameBytesOnAnyThreads, ()) {
  const TempFolder folder;
  const std::string spec = random_spec();
  RC_LOG() << spec;
  file::write_atomically(folder / "spec.toml", spec);
  const Source source{.name_or_file = (folder / "spec.toml").string(), .assignments = {}};
  run_into(folder / "whole", source);
  RunOptions options{.existing = record::Existing::resume, .threads = *rc::gen::inRange(2, 4)};
  int left = *rc::gen::inRange(0, 20);
  options.stop_requested = [&left] { return left-- == 0; };
  RC_ASSERT(run_into(folder / "r", source, options).ending == Ending::interrupted);
  options.stop_requested = [] { return false; };
  options.threads = *rc::gen::inRange(1, 4);
  run_into(folder / "r", source, options);
  RC_ASSERT(record_of(folder / "r") == record_of(folder / "whole"));
}

TEST(Run, CrossEntropyWantsLabelsOfZeroAndOne) {
  const TempFolder folder;
  EXPECT_THROW(run_into(folder / "r", small({"dynamics.loss=cross-entropy", "task.labels=[1,-1]"})),
               InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST(Run, ResumeLeavesAFinishedRunAlone) {
  const TempFolder folder;
  run_into(folder / "r", small());
  const auto touched = [&](const char* name) {
    return std::filesystem::last_write_time(folder / "r" / name);
  };
  const auto record = touched("record.npz"), manifest = touched(".sluice-manifest");
  const Outcome outcome = run_into(folder / "r", small(), {.existing = record::Existing::resume});
  EXPECT_EQ(outcome.ending, Ending::already_finished);
  EXPECT_EQ(touched("record.npz"), record);
  EXPECT_EQ(touched(".sluice-manifest"), manifest);
}

TEST(Run, KilledAfterItsRunJsonIsFinishedByWhoComesNext) {
  const TempFolder folder;
  run_into(folder / "r", small());
  const std::string sealed = file::read_text(folder / "r/.sluice-manifest");
  record::Manifest(folder / "r", is_spec)
      .claim(record::Manifest::Kind::run, {"record.npz", "run.json", "report.html", "checkpoint.npz"});
  for (const std::string& left : {file::temporary_name(".sluice-manifest"), std::string("checkpoint.npz")})
    file::write_atomically(folder / "r" / left, "half");
  ASSERT_NE(file::read_text(folder / "r/.sluice-manifest"), sealed);
  EXPECT_EQ(run_into(folder / "r", small(), {.existing = record::Existing::resume}).ending,
            Ending::already_finished);
  EXPECT_EQ(file::read_text(folder / "r/.sluice-manifest"), sealed);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "r")) {
    const std::string name = entry.path().filename().string();
    EXPECT_FALSE(file::is_temporary(name) || name == "checkpoint.npz") << name;
  }
}

TEST(Run, WhatIsCalledACheckpointBesideAFinishedRunIsSomebodys) {
  const TempFolder folder;
  run_into(folder / "r", small());
  file::write_atomically(folder / "r/checkpoint.npz", "mine");
  EXPECT_EQ(run_into(folder / "r", small(), {.existing = record::Existing::resume}).ending,
            Ending::already_finished);
  EXPECT_EQ(file::read_text(folder / "r/checkpoint.npz"), "mine");
}

TEST(Run, ResumeRefusesAnotherExperiment) {
  const TempFolder folder;
  run_into(folder / "r", small());
  try {
    run_into(folder / "r", small({"task.gain=9"}), {.existing = record::Existing::resume});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("it was begun with 'task.gain = 3.0"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("not 'task.gain = 9.0"), std::string::npos) << error.what();
  }
}

std::string resume_error(const std::filesystem::path& out, const Source& source) {
  try {
    run_into(out, source, {.existing = record::Existing::resume});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A run stopped after a few steps.
void begin(const std::filesystem::path& out, const Source& source) {
  int left = 20;
  const Outcome outcome = run_into(out, source, {.stop_requested = [&left] { return left-- == 0; }});
  ASSERT_EQ(outcome.ending, Ending::interrupted);
}

void replace_in(const std::filesystem::path& path, const std::string& from, const std::string& to) {
  std::string text = file::read_text(path);
  ASSERT_NE(text.find(from), std::string::npos);
  text.replace(text.find(from), from.size(), to);
  file::write_atomically(path, text);
}

TEST(Run, ResumeNoticesASpecThatWasEditedInTheFolder) {
  const TempFolder folder;
  begin(folder / "r", small());
  replace_in(folder / "r/spec.toml", "steps = 60", "steps = 10");
  const Source edited{.name_or_file = (folder / "r/spec.toml").string()};
  EXPECT_NE(resume_error(folder / "r", edited).find("checkpoint.npz: made by another spec"),
            std::string::npos);

  run_into(folder / "done", small());
  replace_in(folder / "done/spec.toml", "gain = 3.0", "gain = 4.0");
  const Source changed{.name_or_file = (folder / "done/spec.toml").string()};
  EXPECT_NE(resume_error(folder / "done", changed).find("not the one that made its record"),
            std::string::npos);
}

TEST(Run, ResumeNoticesOtherInitialWeights) {
  const TempFolder folder;
  const auto weights = [&](float value) {
    file::write_npy(folder / "w0.npy", {{5, 12}, std::vector<float>(60, value)});
  };
  const Source source = small({"network.init={law=\"file\",path=\"" + (folder / "w0.npy").string() + "\"}"});
  weights(0.1F);
  begin(folder / "r", source);
  weights(0.2F);
  EXPECT_NE(resume_error(folder / "r", source).find("begun with other initial weights"), std::string::npos);
  weights(0.1F);
  EXPECT_EQ(resume_error(folder / "r", source), "no error");
}

TEST(Run, ADivergedRunStaysDivergedOnResume) {
  const TempFolder folder;
  const Source source = small({"dynamics.rate=1e30"});
  ASSERT_EQ(run_into(folder / "r", source).ending, Ending::diverged);
  EXPECT_EQ(run_into(folder / "r", source, {.existing = record::Existing::resume}).ending, Ending::diverged);
}

TEST(Run, ResumeRefusesAForeignRecord) {
  const TempFolder folder;
  run_into(folder / "r", small());
  file::write_npz(folder / "r/record.npz", {{"a", {{3}, std::vector<double>(3)}}}, file::Packing::stored);
  EXPECT_NE(resume_error(folder / "r", small()).find("record.npz: no array 'step'; expected int64 [T]"),
            std::string::npos);
}

TEST(Run, AnyBytesMayNameTheFolder) {
  const TempFolder folder;
  EXPECT_EQ(run_into(folder / "caf\xe9 \xff", small()).ending, Ending::finished);
}

TEST(Run, WeightsFromAFileTravelWithTheRun) {
  const TempFolder folder;
  run_into(folder / "first", small());
  const file::NamedArrays record = file::read_npz(folder / "first/record.npz");
  const std::string record_path = "network.init.path=" + (folder / "first/record.npz").string();
  run_into(folder / "second",
           small({"network.init.law=file", record_path, "network.init.array=weights",
                  "network.init={law=\"file\",path=\"" + (folder / "first/record.npz").string() +
                      "\",array=\"weights\",index=3}"}));
  const file::NamedArrays second = file::read_npz(folder / "second/record.npz");
  const auto& all = file::find(record, "weights")->as<float>();
  const auto& begun = file::find(second, "weights")->as<float>();
  EXPECT_TRUE(std::equal(all.begin() + 3 * 60, all.begin() + 4 * 60, begun.begin()));

  std::filesystem::remove_all(folder / "first");  // the run must not need its source any more
  run_into(folder / "third", {.name_or_file = (folder / "second/spec.toml").string()});
  EXPECT_EQ(record_of(folder / "third"), record_of(folder / "second"));
}

TEST(Run, DivergenceEndsTheRunAndKeepsWhatWasSeen) {
  const TempFolder folder;
  const Outcome outcome = run_into(folder / "r", small({"dynamics.rate=1e30"}));
  EXPECT_EQ(outcome.ending, Ending::diverged);
  EXPECT_LT(outcome.steps(), 60);
  EXPECT_GE(file::find(file::read_npz(folder / "r/record.npz"), "step")->shape[0], 2);
}

TEST(Run, ZeroStepsRecordTheStart) {
  const TempFolder folder;
  const Outcome outcome = run_into(folder / "r", small({"dynamics.steps=0"}));
  EXPECT_EQ(outcome.ending, Ending::finished);
  EXPECT_EQ(file::find(file::read_npz(folder / "r/record.npz"), "step")->shape[0], 1);
}

// The phenomenon itself, small: fields on non-Gaussian data end at least twice as localized as on Gaussian
// data.
TEST(Run, NonGaussianDataLocalizes) {
  const TempFolder folder;
  const std::vector<std::string> size{"network.hidden=20", "dynamics.rate=2", "dynamics.batch=400",
                                      "dynamics.steps=2500", "probe.every=500"};
  double ipr[2];
  for (const int i : {0, 1}) {
    Source source{.name_or_file = "localization", .assignments = size};
    source.assignments.push_back(i == 0 ? "task.gain=0.01" : "task.gain=3");
    ipr[i] =
        run_into(folder / std::to_string(i), source, {.threads = 2}).summary().find("ipr_median_end").value();
  }
  EXPECT_GT(ipr[1], 2 * ipr[0]) << ipr[0] << " " << ipr[1];
}

TEST(Catalog, EveryEntryLoadsAndIsDescribed) {
  ASSERT_GE(catalog().size(), 2U);
  for (const CatalogEntry& entry : catalog()) {
    const Experiment experiment = load({.name_or_file = std::string(entry.name)});
    EXPECT_FALSE(experiment.title.empty()) << entry.name;
    EXPECT_FALSE(experiment.document.empty()) << entry.name;
    EXPECT_FALSE(experiment.duration.empty()) << entry.name;
    EXPECT_FALSE(experiment.question.empty()) << entry.name;
  }
}

TEST(KeyList, NamesTheKindAKeyBelongsTo) {
  bool gain = false;
  bool std = false;
  for (const ListedKey& listed : all_keys()) {
    EXPECT_FALSE(listed.key.meaning.empty()) << listed.key.path;
    if (listed.key.path == "task.gain") {
      gain = listed.only_when == "task.kind = \"nlgp\", \"gaussian-clone\"";
    }
    if (listed.key.path == "network.readout_init.std") {
      std = listed.only_when == "network.readout_init.law = \"normal\"";
    }
    if (listed.key.path == "network.readout_init.law") {
      EXPECT_EQ(listed.only_when, "network.readout = \"learned\"");
    }
    if (listed.key.path == "task.n") {
      EXPECT_EQ(listed.only_when, "task.kind other than \"teacher\", \"dataset\", \"mnist\", \"cifar10\"");
    }
  }
  EXPECT_TRUE(gain);
  EXPECT_TRUE(std);
}

TEST(Sweep, ParsesAxes) {
  EXPECT_EQ(parse_axis("task.gain=0.01,3,100").values, (std::vector<std::string>{"0.01", "3", "100"}));
  EXPECT_EQ(parse_axis("task.xi=[2,1],[1,2]").values, (std::vector<std::string>{"[2,1]", "[1,2]"}));
  EXPECT_EQ(parse_axis("title=\"a,b\",c").values, (std::vector<std::string>{"\"a,b\"", "c"}));
  EXPECT_EQ(parse_axis("seed=1..3,7").values, (std::vector<std::string>{"1", "2", "3", "7"}));
  EXPECT_EQ(parse_axis("seed=-1..1").values, (std::vector<std::string>{"-1", "0", "1"}));
  EXPECT_EQ(parse_axis("task.gain=log(0.01, 100, 5),inf").values,
            (std::vector<std::string>{"0.01", "0.1", "1", "10", "100", "inf"}));
  EXPECT_EQ(parse_axis("task.gain=log(1,10,3)").values, (std::vector<std::string>{"1", "3.16228", "10"}));
  EXPECT_EQ(parse_axis("dynamics.steps=lin(100,500,3)").values,
            (std::vector<std::string>{"100", "300", "500"}));
  EXPECT_EQ(parse_axis("network.bias=lin(1,-1,5)").values,
            (std::vector<std::string>{"1", "0.5", "0", "-0.5", "-1"}));
  EXPECT_EQ(parse_axis("task.path=../a,..").values, (std::vector<std::string>{"../a", ".."}));
  for (const char* wrong : {"seed=5..1", "seed=1..99999", "task.gain=log(0,1,3)", "task.gain=lin(0,1)",
                            "task.gain=lin(0,1,1)", "task.gain=lin(0,x,3)", "task.gain=log(1,inf,3)"})
    EXPECT_THROW(parse_axis(wrong), InputError) << wrong;
  for (const char* wrong : {"task.gain", "=1,2", "task.gain=", "task.gain=1,,2", "task.gain=1,",
                            "task.xi=[2,1],[1,2", "title=\"a", "task.gain=1]"}) {
    EXPECT_THROW(parse_axis(wrong), InputError) << wrong;
  }
}

TEST(Sweep, KeysMayChangeTogether) {
  const SweepAxis axis = parse_axis("network.hidden,dynamics.rate,task.xi=10:0.5:[2,1],40:2:[3,1]");
  EXPECT_EQ(axis.key, "network.hidden");
  EXPECT_EQ(axis.values, (std::vector<std::string>{"10", "40"}));
  const std::vector<SweepPoint> points = sweep_points({axis, parse_axis("seed=1,2")});
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[2].assignments,
            (std::vector<std::string>{"network.hidden=40", "dynamics.rate=2", "task.xi=[3,1]", "seed=1"}));
  EXPECT_EQ(points[2].folder, "hidden=40,seed=1") << "what follows does not tell points apart";
  EXPECT_EQ(points[2].settings.size(), 2U);
  for (const char* wrong : {"a,b=1:2,3", "a,b=1,2", "a,b=1:2:3", "a,b=1:", "a,=1:2", ",b=1:2", "a,b=1..3"})
    EXPECT_THROW(parse_axis(wrong), InputError) << wrong;
  EXPECT_THROW(sweep_points({parse_axis("a,b=1:2"), parse_axis("b=3")}), InputError);
  EXPECT_THROW(sweep_points({parse_axis("a,b=1:2,1:3")}), InputError) << "two points in one folder";
}

TEST(Sweep, RunsTheGridAndComparesIt) {
  const TempFolder folder;
  const RunOptions options{.out = folder / "s"};
  std::vector<std::string> labels;
  const SweepOutcome outcome =
      sweep(small(), {parse_axis("task.gain=0.1,3"), parse_axis("seed=1,2")}, options,
            {.begins = [&](const std::string& label, std::size_t, std::size_t) { labels.push_back(label); }});
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(labels, (std::vector<std::string>{"gain = 0.1, seed = 1", "gain = 0.1, seed = 2",
                                              "gain = 3, seed = 1", "gain = 3, seed = 2"}));
  ASSERT_EQ(outcome.table.rows.size(), 4U);
  EXPECT_EQ(outcome.table.rows[2][0], "3");
  EXPECT_EQ(outcome.table.rows[2][1], "1");
  for (const char* name :
       {"gain=3,seed=2/record.npz", "report.html", "summary.csv", "figures/comparison.pdf"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "s" / name)) << name;
  }
  EXPECT_THROW(sweep(small(), {parse_axis("task.gain=1")}, options, {}), InputError)
      << "a folder in use is refused";
}

TEST(Sweep, RefusesWhatWouldRunTwiceOrLie) {
  const TempFolder folder;
  const auto refused = [&](const std::vector<SweepAxis>& axes) {
    EXPECT_THROW(sweep(small(), axes, {.out = folder / "s"},
                       {.begins = [](const std::string&, std::size_t, std::size_t) { FAIL(); }}),
                 InputError);
  };
  refused({parse_axis("task.gain=1,1")});
  refused({parse_axis("task.gain=1,3"), parse_axis("task.gain=5")});
  refused({parse_axis("task.n=8,16"),
           parse_axis("task={kind=\"nlgp\"}")});  // M14: the second would replace the first
  refused({parse_axis("task.gain=3,3.0")});       // L5
}

// M11: a record that no machine holds is refused before the first step; M8: and one whose spec nobody could read again.
TEST(Run, M11_WhatCannotBeIsRefusedFirst) {
  const TempFolder folder;
  const auto refused = [&](const std::vector<std::string>& assignments) -> std::string {
    try {
      run(load(small(assignments)), "run", {.out = folder / "r"});
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder / "r"));
      return error.what();
    }
    return "";
  };
  EXPECT_NE(
      refused({"dynamics.steps=1000000000000", "probe.every=1"}).find("probe.every = 1: expected a record"),
      std::string::npos);
  Experiment experiment = load(small());
  experiment.title = "caf\xe9";
  EXPECT_THROW(run(std::move(experiment), "run", {.out = folder / "r"}), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
  EXPECT_EQ(parse_spec(to_toml(load(small({"title=\"a\\u007fb\""}))), "spec").title,
            "a\x7f"
            "b");
}

TEST(Sweep, SweptValuesWinOverTheSeedOption) {
  Source source = small();
  source.seed = "3";
  source.swept = {"seed=8"};
  EXPECT_EQ(load(source).seed, 8);
}

// M5: what only the setting up of a point shows, or a look at its folder, is found before the first point runs.
TEST(Sweep, M5_EveryPointIsCheckedBeforeTheFirstRuns) {
  const TempFolder folder;
  const auto refused = [&](const std::string& axis, const std::string& why) {
    try {
      sweep(small(), {parse_axis(axis)}, {.out = folder / "s"},
            {.begins = [](const std::string&, std::size_t, std::size_t) { FAIL(); }});
      ADD_FAILURE() << axis << ": not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "s")) << axis;
  };
  refused("task.gain=1,-1", "task.gain");
  refused("dynamics.batch=100,7", "dynamics.batch = 7: expected an even number");
  refused("probe.watch=[\"ipr\"],[\"train_loss\"]", "probe.watch: train_loss needs a finite task");
  refused("title=a," + std::string(300, 'x'), "too long");
}

TEST(Sweep, M5_AForeignFileInALaterFolderIsFoundFirst) {
  const TempFolder folder;
  const RunOptions options{.out = folder / "s"};
  sweep(small(), {parse_axis("seed=1,2")}, options, {});
  std::filesystem::create_directories(folder / "s/seed=3");
  file::write_atomically(folder / "s/seed=3/notes.txt", "mine");
  RunOptions again = options;
  again.existing = record::Existing::overwrite;
  EXPECT_THROW(sweep(small(), {parse_axis("seed=1,3")}, again,
                     {.begins = [](const std::string&, std::size_t, std::size_t) { FAIL(); }}),
               InputError);
  EXPECT_EQ(file::read_text(folder / "s/seed=3/notes.txt"), "mine");
  EXPECT_TRUE(std::filesystem::exists(folder / "s/seed=1/record.npz"));
}

/// One point whose folder cannot be written when it begins does not stop the others, and is recorded with its reason.
TEST(Sweep, AFailingPointIsRecordedAndDoesNotStopTheOthers) {
  const TempFolder folder;
  std::vector<std::string> failed;
  SweepHooks hooks;
  hooks.begins = [&](const std::string& label, std::size_t, std::size_t) {
    if (label == "seed = 2") file::write_atomically(folder / "s/seed=2", "in the way");
  };
  hooks.fails = [&](const std::string& label, const std::string&) { failed.push_back(label); };
  const SweepOutcome outcome = sweep(small(), {parse_axis("seed=1,2,3")}, {.out = folder / "s"}, hooks);
  EXPECT_TRUE(outcome.complete);
  EXPECT_TRUE(outcome.failed());
  EXPECT_EQ(failed, std::vector<std::string>{"seed = 2"});
  EXPECT_EQ(outcome.table.rows.size(), 2U);
  const std::string plan = file::read_text(folder / "s/sweep.json");
  EXPECT_NE(plan.find("\"failed\""), std::string::npos) << plan;
  EXPECT_NE(plan.find("it is a file"), std::string::npos) << plan;
}

/// A run in memory is the run of the folder, and touches no disk.
TEST(Simulate, IsTheRunInMemory) {
  const TempFolder folder;
  run_into(folder / "r", small());
  const auto before = std::filesystem::current_path();
  const record::Recording memory = simulate(load(small()), "test", 2);
  const record::Recording disk = record::read_recording(folder / "r");
  EXPECT_EQ(memory.arrays, disk.arrays);
  EXPECT_EQ(memory.axes, disk.axes);
  EXPECT_EQ(memory.fingerprint, disk.fingerprint);
  EXPECT_EQ(memory.summary.find("loss"), disk.summary.find("loss"));
  EXPECT_EQ(memory.layout, disk.layout);
}

/// The fingerprint covers what changes bits, and nothing else.
TEST(Fingerprint, CoversWhatChangesBitsAndNothingElse) {
  const std::string mark = fingerprint(load(small()));
  const auto with = [&](const std::string& assignment) {
    Source source = small();
    source.assignments.push_back(assignment);
    return fingerprint(load(source));
  };
  for (const char* words :
       {"title=\"another\"", "question=\"why\"", "record.compress=false", "task.balance=0.5"})
    EXPECT_EQ(with(words), mark) << words;
  for (const char* bits : {"seed=77", "task.gain=2.5", "network.bias=none", "dynamics.rate=0.123",
                           "probe.every=9", "probe.watch=[\"entropy\"]"})
    EXPECT_NE(with(bits), mark) << bits;
}

TEST(Fingerprint, LeavesOutKeysAtTheirDefaults) {
  for (const std::string& key : chosen_keys(load({.name_or_file = "localization"})))
    EXPECT_EQ(key.find("task.xi"), std::string::npos) << key << " is the default";
}

}  // namespace
}  // namespace sluice::lab

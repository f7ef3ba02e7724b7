/// Training goes on where it ended: continued runs, starts from the arrays of others, epochs, what is said where nothing was learned.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/record/checkpoint.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace going_on {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using Assignments = std::vector<std::string>;

const Assignments kTwoLayer{
    "task.n=12",         "network.hidden=5",     "dynamics.batch=200",      "probe.every=7",
    "probe.samples=500", "network.bias=learned", "network.readout=learned", "network.pathway=0.5",
    "dynamics.rate=0.05"};
const Assignments kDeep{"task.samples=30",    "network.depth=3",        "network.width=8",
                        "probe.every=7",      "network.beta=4",         "network.train=both",
                        "dynamics.rate=0.01", "dynamics.rate_unit=one", "dynamics.batch=8"};
const Assignments kGated{"network.hidden=4", "dynamics.batch=100", "probe.every=7", "probe.samples=200"};

Assignments operator+(Assignments all, const Assignments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

struct Told {
  Outcome outcome;
  std::vector<std::string> remarks;

  bool said(const std::string& part) const {
    return std::ranges::any_of(
        remarks, [&](const std::string& remark) { return remark.find(part) != std::string::npos; });
  }
};

Told run_into(const fs::path& out, const std::string& spec, const Assignments& set, RunOptions options = {}) {
  Told told;
  options.out = out;
  options.remark = [&](const std::string& remark) { told.remarks.push_back(remark); };
  told.outcome = run(load({.name_or_file = spec, .assignments = set}), "test", options);
  return told;
}

Told go_on(const fs::path& from, const fs::path& out, Assignments set, RunOptions options = {}) {
  set.insert(set.begin(), fmt::format("start.run={}", file::Json(from.string()).dump(0)));
  return run_into(out, (from / "spec.toml").string(), set, std::move(options));
}

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

file::NamedArrays record_of(const fs::path& run) { return file::read_npz(run / "record.npz"); }

struct Kind {
  std::string name, spec;
  Assignments set;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class Continued : public testing::TestWithParam<Kind> {};

/// Stopped at step 33, which is no probe time, and continued to 60: the state of 60 steps at once, to the byte, and their record.
TEST_P(Continued, EndsOnTheBitsOfAnUninterruptedRun) {
  const TempFolder folder;
  const Kind& kind = GetParam();
  run_into(folder / "whole", kind.spec, kind.set + Assignments{"dynamics.steps=60"});
  run_into(folder / "first", kind.spec, kind.set + Assignments{"dynamics.steps=33"});
  const Told told = go_on(folder / "first", folder / "second", {"dynamics.steps=60"}, {.threads = 2});
  EXPECT_TRUE(told.said("goes on from step 33 of"));
  EXPECT_FALSE(told.said("anew"));
  EXPECT_EQ(told.outcome.steps_done, 27);
  EXPECT_EQ(file::read_text(folder / "second/state.npz"), file::read_text(folder / "whole/state.npz"));
  EXPECT_NE(file::read_text(folder / "second/state.npz"), file::read_text(folder / "first/state.npz"));

  const file::NamedArrays whole = record_of(folder / "whole");
  const file::NamedArrays second = record_of(folder / "second");
  EXPECT_EQ(file::find(second, "step")->as<std::int64_t>(),
            (std::vector<std::int64_t>{33, 35, 42, 49, 56, 60}));
  for (const char* name : {"loss", "accuracy"}) {
    const std::vector<double>& all = file::find(whole, name)->as<double>();
    const std::vector<double>& rest = file::find(second, name)->as<double>();
    EXPECT_TRUE(std::equal(rest.begin() + 1, rest.end(), all.end() - 5)) << name;
    EXPECT_EQ(rest.front(), file::find(record_of(folder / "first"), name)->as<double>().back()) << name;
  }

  // The folder reproduces itself when the run it came from is gone.
  fs::remove_all(folder / "first");
  run_into(folder / "again", (folder / "second/spec.toml").string(), {});
  EXPECT_EQ(file::read_text(folder / "again/record.npz"), file::read_text(folder / "second/record.npz"));
  EXPECT_EQ(file::read_text(folder / "again/state.npz"), file::read_text(folder / "second/state.npz"));

  // And so it does stopped and resumed.
  int left = 9;
  RunOptions stopped{.stop_requested = [&left] { return left-- == 0; }};
  EXPECT_EQ(run_into(folder / "stopped", (folder / "second/spec.toml").string(), {}, stopped).outcome.ending,
            Ending::interrupted);
  run_into(folder / "stopped", (folder / "second/spec.toml").string(), {},
           {.existing = record::Existing::resume});
  EXPECT_EQ(file::read_text(folder / "stopped/record.npz"), file::read_text(folder / "second/record.npz"));
  EXPECT_EQ(file::read_text(folder / "stopped/state.npz"), file::read_text(folder / "second/state.npz"));
}

INSTANTIATE_TEST_SUITE_P(
    Every, Continued,
    testing::Values(Kind{"two_layer_sgd", "localization", kTwoLayer},
                    Kind{"two_layer_adam", "localization", kTwoLayer + Assignments{"dynamics.kind=adam"}},
                    Kind{"two_layer_schedule", "localization",
                         kTwoLayer +
                             Assignments{"dynamics.schedule={law=\"step\",every=20,factor=0.5,warmup=40}",
                                         "dynamics.weight_decay=0.1", "dynamics.kind=momentum"}},
                    Kind{"deep_sgd", "depth-galu", kDeep},
                    Kind{"deep_adam", "depth-galu", kDeep + Assignments{"dynamics.kind=adam"}},
                    Kind{"gated_linear", "gated-pair", kGated}),
    [](const auto& tested) { return tested.param.name; });

/// A flow stops at its probe times and its last step; at one of them it may be continued to the same bits.
TEST(ContinuedFlow, EndsOnTheBitsOfAnUninterruptedOne) {
  const TempFolder folder;
  const Assignments flow{"task.n=12",     "network.hidden=3",  "dynamics.kind=flow",
                         "probe.every=7", "probe.samples=200", "dynamics.samples=2048"};
  run_into(folder / "whole", "localization", flow + Assignments{"dynamics.steps=42"});
  run_into(folder / "first", "localization", flow + Assignments{"dynamics.steps=21"});
  EXPECT_FALSE(go_on(folder / "first", folder / "second", {"dynamics.steps=42"}).said("anew"));
  EXPECT_EQ(file::read_text(folder / "second/state.npz"), file::read_text(folder / "whole/state.npz"));
  EXPECT_TRUE(go_on(folder / "first", folder / "other", {"dynamics.steps=42", "task.gain=0.5"}).said("anew"))
      << "exact numbers of another flow mean something else";
}

TEST(Continue, TakesUpWhatIsChanged) {
  const TempFolder folder;
  run_into(folder / "a", "localization",
           kTwoLayer + Assignments{"dynamics.steps=20", "dynamics.kind=momentum"});
  const Told same = go_on(folder / "a", folder / "same", {"dynamics.steps=30"});
  const Told slower = go_on(folder / "a", folder / "slower",
                            {"dynamics.steps=30", "dynamics.rate=0.01", "task.gain=1", "dynamics.batch=100"});
  EXPECT_FALSE(slower.said("anew"));
  EXPECT_NE(file::read_text(folder / "slower/state.npz"), file::read_text(folder / "same/state.npz"));
  EXPECT_EQ(file::find(record_of(folder / "slower"), "weights")->shape[0], 4) << "20, 21, 28, 30";
  // rmsprop remembers as many numbers, and they mean something else.
  const Told other =
      go_on(folder / "a", folder / "other", {"dynamics={kind=\"rmsprop\",steps=30,rate=0.001,batch=200}"});
  EXPECT_TRUE(other.said("the optimiser begins anew"));
}

/// Adam corrects for how long it has remembered: with new memory its first step is rate·sign(g) again.
TEST(Continue, AnOptimizerThatBeginsAnewCorrectsItsBiasAnew) {
  const TempFolder folder;
  run_into(folder / "a", "localization", kTwoLayer + Assignments{"dynamics.steps=2000", "probe.every=2000"});
  go_on(folder / "a", folder / "b", {"dynamics.steps=2001", "dynamics.kind=adam", "dynamics.rate=0.01"});
  const std::vector<float> weights = file::find(record_of(folder / "b"), "weights")->as<float>();
  const std::size_t count = weights.size() / 2;
  int whole = 0;
  for (std::size_t i = 0; i < count; ++i)
    whole += std::abs(std::abs(weights[count + i] - weights[i]) - 0.01) < 1e-4 ? 1 : 0;
  EXPECT_GE(whole, static_cast<int>(count) * 9 / 10) << "without the correction every step would be 0.0316";
}

TEST(Continue, RefusesWhatDoesNotFit) {
  const TempFolder folder;
  run_into(folder / "a", "localization", kTwoLayer + Assignments{"dynamics.steps=20"});
  const std::string a = (folder / "a").string();
  const auto refused = [&](const Assignments& set) {
    return message([&] { go_on(folder / "a", folder / "b", set); });
  };
  EXPECT_EQ(refused({}), a + ": already at step 20; set dynamics.steps above it");
  EXPECT_EQ(refused({"dynamics.steps=30", "network.hidden=6"}),
            a + "/state.npz: weights: expected [6, 12] as this network has it, found [5, 12]");
  EXPECT_EQ(refused({"dynamics.steps=30", "network={kind=\"two-layer\",hidden=5,bias=\"learned\"}"}),
            a + "/state.npz: readout [5]: this network has no such part");
  run_into(folder / "mean", "localization",
           kTwoLayer + Assignments{"dynamics.steps=20", "network.readout=mean"});
  EXPECT_EQ(message([&] {
              go_on(folder / "mean", folder / "b", {"dynamics.steps=30", "network.readout=learned"});
            }),
            (folder / "mean/state.npz").string() + ": no part 'readout', which this network has, [5]");
  EXPECT_FALSE(fs::exists(folder / "b")) << "a start that is refused touches nothing";

  file::NamedArrays damaged = file::read_npz(folder / "a/state.npz");
  std::get<std::vector<float>>(damaged[0].second.data)[3] += 1;
  file::write_npz(folder / "a/state.npz", damaged, file::Packing::stored);
  EXPECT_NE(refused({"dynamics.steps=30"}).find("state.npz: damaged"), std::string::npos);
}

/// What is not trained is not changed by going on, so a spec may not say that it is.
TEST(Continue, RefusesOtherNumbersOfWhatIsNotTrained) {
  const TempFolder folder;
  const Assignments more{"dynamics.steps=30"};
  run_into(folder / "a", "localization",
           kTwoLayer + Assignments{"dynamics.steps=20", "network.bias=0.5", "network.pathway=0"});
  EXPECT_EQ(message([&] { go_on(folder / "a", folder / "b", more + Assignments{"network.bias=-2"}); }),
            "network: part 'bias' is not trained, and number 0 of it is 0.5 in " +
                (folder / "a/state.npz").string() + " but -2 by this spec; expected the same");
  run_into(folder / "gated", "gated-pair", kGated + Assignments{"dynamics.steps=20"});
  EXPECT_NE(message([&] {
              go_on(folder / "gated", folder / "b", more + Assignments{"network.gate={law=\"random\"}"});
            }).find("network: part 'gates' is not trained"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "b"));

  // Gates that a run learned are frozen by saying that they are the run's.
  run_into(folder / "both", "depth-galu", kDeep + Assignments{"dynamics.steps=20"});
  EXPECT_NE(message([&] {
              go_on(folder / "both", folder / "b", more + Assignments{"network.train=weights"});
            }).find("network: part 'gate1' is not trained"),
            std::string::npos);
  go_on(folder / "both", folder / "frozen",
        more +
            Assignments{"network.train=weights", fmt::format("network.gate_init={{law=\"file\",path=\"{}\"}}",
                                                             (folder / "both").string())});
  EXPECT_EQ(*file::find(record_of(folder / "frozen"), "gate1"),
            *file::find(record_of(folder / "both"), "gate1"));
}

/// state.npz of a stop is not where a run ends that has gone on since.
TEST(Continue, TakesNoStateOfARunThatWentOn) {
  const TempFolder folder;
  const Assignments set = kTwoLayer + Assignments{"dynamics.steps=40"};
  const std::string a = (folder / "a").string();
  const auto refused = [&] {
    return message([&] { go_on(folder / "a", folder / "b", {"dynamics.steps=90"}); });
  };
  int left = 3;
  const RunOptions stops{.stop_requested = [&left] { return left-- == 0; }};
  ASSERT_EQ(run_into(folder / "a", "localization", set, stops).outcome.ending, Ending::interrupted);
  EXPECT_TRUE(fs::exists(folder / "a/state.npz"));
  std::string at_work;
  RunOptions looks{.existing = record::Existing::resume};
  looks.progress = [&](std::int64_t, std::int64_t) { at_work = refused(); };
  ASSERT_EQ(run_into(folder / "a", "localization", set, looks).outcome.ending, Ending::finished);
  EXPECT_EQ(at_work, "start.run: " + a + ": expected the folder of a run that has ended; resume it first");
  EXPECT_EQ(refused(), "");

  left = 2;
  const Assignments far = kTwoLayer + Assignments{"dynamics.steps=40", "dynamics.rate=1e30"};
  RunOptions stops_anew = stops;
  stops_anew.existing = record::Existing::overwrite;
  ASSERT_EQ(run_into(folder / "a", "localization", far, stops_anew).outcome.ending, Ending::interrupted);
  ASSERT_EQ(
      run_into(folder / "a", "localization", far, {.existing = record::Existing::resume}).outcome.ending,
      Ending::diverged);
  fs::remove_all(folder / "b");
  EXPECT_EQ(refused(), "start.run: " + a + ": it diverged; there is nothing to go on from");
  EXPECT_FALSE(fs::exists(folder / "a/state.npz"));
}

/// The spec of a folder that went on names no file that is not there, also where the run before started from files.
TEST(Continue, LeavesAFolderThatCanBeginWithoutTheOther) {
  const TempFolder folder;
  const auto file_of = [&](const std::string& run) {
    return fmt::format("{{law=\"file\",path=\"{}\"}}", (folder / run).string());
  };
  run_into(folder / "from-two", "localization", kTwoLayer + Assignments{"dynamics.steps=5"});
  run_into(folder / "from-deep", "depth-galu", kDeep + Assignments{"dynamics.steps=5"});
  run_into(folder / "from-gated", "gated-pair", kGated + Assignments{"dynamics.steps=5"});
  for (const Kind& kind :
       {Kind{"two", "localization", kTwoLayer + Assignments{"network.init=" + file_of("from-two")}},
        Kind{"weights", "localization",
             Assignments{"task.n=12", "network.hidden=5", "network.init=" + file_of("from-two")}},
        Kind{"deep", "depth-galu",
             kDeep + Assignments{"network.init=" + file_of("from-deep"),
                                 "network.gate_init=" + file_of("from-deep")}},
        Kind{"gated", "gated-pair",
             kGated + Assignments{"network.init=" + file_of("from-gated"),
                                  "network.gate={law=\"file\",path=\"" + (folder / "from-gated").string() +
                                      "\",array=\"gates\"}"}}}) {
    run_into(folder / kind.name, kind.spec, kind.set + Assignments{"dynamics.steps=20"});
    const fs::path b = folder / (kind.name + "-b");
    go_on(folder / kind.name, b, {"dynamics.steps=30"});
    fs::remove_all(folder / kind.name);
    const std::string spec = (b / "spec.toml").string();
    run_into(folder / (kind.name + "-again"), spec, {});
    EXPECT_EQ(file::read_text(folder / (kind.name + "-again") / "state.npz"),
              file::read_text(b / "state.npz"))
        << kind.name;
    run_into(folder / (kind.name + "-own"), spec, {"start.run=\"\""});
    EXPECT_EQ(file::find(record_of(folder / (kind.name + "-own")), "loss")->as<double>().front(),
              file::find(record_of(b), "loss")->as<double>().front())
        << kind.name << ": begins where the other ended";
    EXPECT_EQ(go_on(b, folder / (kind.name + "-c"), {"dynamics.steps=40"}).outcome.steps_done, 10)
        << kind.name;
    EXPECT_EQ(run_into(b, spec, {}, {.existing = record::Existing::resume}).outcome.ending,
              Ending::already_finished);
  }
}

/// Version 0.1.0 wrote no state.npz: the record has all parts, and sgd remembers nothing.
TEST(Continue, GoesOnFromTheRecordOfAnEarlierVersion) {
  const TempFolder folder;
  for (const std::string kind : {"sgd", "adam"}) {
    const fs::path a = folder / kind;
    run_into(a, "localization", kTwoLayer + Assignments{"dynamics.steps=20", "dynamics.kind=" + kind});
    go_on(a, folder / (kind + "-state"), {"dynamics.steps=30"});
    fs::remove(a / "state.npz");
    const Told told = go_on(a, folder / (kind + "-record"), {"dynamics.steps=30"});
    EXPECT_EQ(told.said("the optimiser begins anew"), kind == "adam");
    const bool same = *file::find(record_of(folder / (kind + "-record")), "weights") ==
                      *file::find(record_of(folder / (kind + "-state")), "weights");
    EXPECT_EQ(same, kind == "sgd");
  }
  file::NamedArrays record = record_of(folder / "sgd");
  std::erase_if(record, [](const auto& named) { return named.first == "pathway"; });
  file::write_npz(folder / "sgd/record.npz", record, file::Packing::stored);
  EXPECT_EQ(message([&] { go_on(folder / "sgd", folder / "x", {"dynamics.steps=30"}); }),
            (folder / "sgd/record.npz").string() + ": no part 'pathway', which this network has, [12]");
}

/// Biases, readout, offset and pathway of a record are where a new run starts: at the loss where the other ended.
TEST(StartFromArrays, TakesEveryPartThatIsLearned) {
  const TempFolder folder;
  run_into(folder / "a", "localization", kTwoLayer + Assignments{"dynamics.steps=200", "dynamics.rate=0.5"});
  for (const std::string from : {"a", "a/record.npz", "a/state.npz"}) {
    const std::string out = "b" + std::to_string(from.size());
    run_into(
        folder / out, "localization",
        kTwoLayer + Assignments{"dynamics.steps=10", fmt::format("network.init={{law=\"file\",path=\"{}\"}}",
                                                                 (folder / from).string())});
    const file::NamedArrays before = record_of(folder / "a"), after = record_of(folder / out);
    EXPECT_EQ(file::find(after, "loss")->as<double>().front(),
              file::find(before, "loss")->as<double>().back())
        << from;
    for (const char* part : {"bias", "readout"}) {
      const std::vector<float>& end = file::find(before, part)->as<float>();
      const std::vector<float>& start = file::find(after, part)->as<float>();
      EXPECT_TRUE(std::equal(end.end() - 5, end.end(), start.begin())) << part;
      EXPECT_NE(end.back(), end[4]) << part << " did not move: this test cannot fail";
    }
    run_into(folder / (out + "-again"), (folder / out / "spec.toml").string(), {});
    EXPECT_EQ(file::read_text(folder / (out + "-again") / "record.npz"),
              file::read_text(folder / out / "record.npz"));
  }
}

TEST(StartFromArrays, RefusesToDropAPartUnlessTold) {
  const TempFolder folder;
  run_into(folder / "mean", "localization",
           kTwoLayer + Assignments{"dynamics.steps=20", "network.readout=mean", "network.pathway=0"});
  const std::string record = (folder / "mean/record.npz").string();
  const std::string init = fmt::format("network.init={{law=\"file\",path=\"{}\"}}", record);
  EXPECT_EQ(message([&] {
              run_into(folder / "b", "localization", kTwoLayer + Assignments{init, "dynamics.steps=5"});
            }),
            record +
                ": no array 'readout' [5], which this network learns; network.init.others = \"fresh\" starts "
                "it anew");
  EXPECT_FALSE(fs::exists(folder / "b"));
  run_into(folder / "fresh", "localization",
           kTwoLayer + Assignments{init, "network.init.others=fresh", "dynamics.steps=5"});
  const file::NamedArrays fresh = record_of(folder / "fresh");
  const std::vector<float> bias = file::find(record_of(folder / "mean"), "bias")->as<float>();
  EXPECT_EQ(file::find(fresh, "readout")->as<float>().front(), 0.2F) << "1/K";
  EXPECT_EQ(file::find(fresh, "bias")->as<float>().front(), bias[bias.size() - 5])
      << "what the file has is taken";
}

/// A pathway is kept of the end alone: beside weights of another time it would make a network that never was.
TEST(StartFromArrays, TakesNoPartOfTheEndBesideEarlierWeights) {
  const TempFolder folder;
  run_into(folder / "a", "localization", kTwoLayer + Assignments{"dynamics.steps=20"});
  const std::string a = (folder / "a").string();
  const auto from = [&](int index, const std::string& others) {
    return kTwoLayer +
           Assignments{"dynamics.steps=5",
                       fmt::format("network.init={{law=\"file\",path=\"{}\",index={},others=\"{}\"}}", a,
                                   index, others)};
  };
  for (const int index : {0, -2})
    EXPECT_EQ(
        message([&] { run_into(folder / "b", "localization", from(index, "required")); }),
        fmt::format("{}: no array 'pathway' [12] of network.init.index = {}, only that of the end, which "
                    "this network learns; network.init.others = \"fresh\" starts it anew",
                    a, index));
  EXPECT_FALSE(fs::exists(folder / "b"));
  run_into(folder / "last", "localization", from(3, "required"));  // 0, 7, 14, 20
  run_into(folder / "fresh", "localization", from(0, "fresh"));
  const auto loss = [&](const char* run) {
    return file::find(record_of(folder / run), "loss")->as<double>();
  };
  EXPECT_EQ(loss("last").front(), loss("a").back());
  EXPECT_EQ(loss("fresh").front(), loss("a").front()) << "a pathway starts at 0";
}

TEST(Epochs, AreStepsThroughTheWholeSet) {
  const TempFolder folder;
  const std::string data = "task={kind=\"dataset\",samples=100,from={kind=\"nlgp\",n=12}}";
  const Assignments set{data, "network.hidden=5", "dynamics.batch=32", "probe.every=7"};
  const auto with = [&](const std::string& how) {
    Assignments all = set;
    all.push_back(how);
    return all;
  };
  const fs::path spec = folder / "s.toml";
  file::write_atomically(spec,
                         "[task]\nkind=\"nlgp\"\n[network]\nkind=\"two-layer\"\n[dynamics]\nkind=\"sgd\"\n");
  // 300 samples, 32 at a time: nine batches are 288, the tenth has the last 12.
  EXPECT_EQ(run_into(folder / "epochs", spec.string(), with("dynamics.epochs=3")).outcome.steps(), 10);
  run_into(folder / "steps", spec.string(), with("dynamics.steps=10"));
  EXPECT_EQ(file::read_text(folder / "epochs/record.npz"), file::read_text(folder / "steps/record.npz"));
  EXPECT_EQ(file::read_text(folder / "epochs/spec.toml"), file::read_text(folder / "steps/spec.toml"));
  EXPECT_EQ(
      run_into(folder / "full", spec.string(), Assignments{data, "dynamics.batch=full", "dynamics.epochs=4"})
          .outcome.steps(),
      4);

  const auto refused = [&](const Assignments& how) {
    return message([&] { run_into(folder / "x", spec.string(), how); });
  };
  EXPECT_NE(refused(set + Assignments{"dynamics.epochs=3", "dynamics.steps=10"})
                .find("dynamics.epochs = 3: expected epochs or steps, not both"),
            std::string::npos)
      << refused(set + Assignments{"dynamics.epochs=3", "dynamics.steps=10"});
  EXPECT_EQ(refused({"task={kind=\"dataset\",samples=2000,from={kind=\"nlgp\",n=12}}", "dynamics.batch=1",
                     "dynamics.epochs=1000000000"}),
            "dynamics.epochs = 1000000000: expected at most 1000000000000 steps, found 2000000000000: 2000 "
            "samples, 1 at a time");
  EXPECT_NE(refused({"dynamics.epochs=3"}).find("dynamics.epochs = 3: expected dynamics.steps"),
            std::string::npos);
}

/// The share of right answers is one of whole samples, and run.json speaks of arrays that are there.
TEST(Epochs, LeaveNumbersThatMeanSomething) {
  const TempFolder folder;
  run_into(folder / "r", "depth-galu",
           kDeep + Assignments{"dynamics.kind=adam", "dynamics.steps=300", "dynamics.rate=0.02"});
  const file::NamedArrays record = record_of(folder / "r");
  for (const char* name : {"accuracy", "train_accuracy"})
    for (const double share : file::find(record, name)->as<double>()) {
      EXPECT_LE(share, 1) << name;
      EXPECT_EQ(share * 30, std::round(share * 30)) << name;
    }
  run_into(folder / "two", "localization",
           kTwoLayer + Assignments{"dynamics.steps=14", "dynamics.schedule={law=\"cosine\"}"});
  for (const char* run : {"r", "two"}) {
    const auto json = file::Json::parse(file::read_text(folder / run / "run.json"));
    const file::NamedArrays arrays = record_of(folder / run);
    std::size_t named = 0;
    for (const auto& [name, axes] : *json->find("axes")->members()) {
      EXPECT_NE(file::find(arrays, name), nullptr) << run << ": " << name;
      ++named;
    }
    EXPECT_EQ(named, arrays.size()) << run << ": every array has its axes";
  }
  const std::vector<double> rate = file::find(record_of(folder / "two"), "rate")->as<double>();
  EXPECT_EQ(rate.front(), 0.05);
  EXPECT_NEAR(rate[1], 0.025, 1e-12) << "half way down the cosine";
  EXPECT_EQ(file::find(record_of(folder / "r"), "rate"), nullptr) << "a constant one is no curve";
}

/// An output c beside the best constant, the mean m of the labels: ½(m−y)² − ½(c−y)² = (m−c)(m+c−2y)/2 on each sample, so that the mean
/// is −(m−c)²/2 and its standard error |m−c| sd(y)/√P. That of the loss itself would be another.
TEST(Resolution, IsThatOfDifferencesOnTheSameSamples) {
  const TempFolder folder;
  const std::vector<float> y{0.1F, 0.2F, 0.4F, 0.4F, 0.9F, 1.6F};
  file::write_npz(folder / "d.npz",
                  {{"x", file::Array{{6, 8}, std::vector<float>(48, 1.0F)}}, {"y", file::Array{{6}, y}}},
                  file::Packing::stored);
  const lab::Setup setup(
      load({.name_or_file = "localization",
            .assignments = {fmt::format("task={{kind=\"dataset\",path=\"{}\",layout=\"ring\"}}",
                                        (folder / "d.npz").string()),
                            "network.init={law=\"zero\"}", "network.bias=0.3", "dynamics.batch=full"}}));
  math::Workers workers(1);
  learn::Evaluator evaluator(setup.evaluation(), setup.network(), setup.loss(), setup.seed(), workers);
  const learn::Resolution seen = resolution_of(evaluator.judge(setup.start()), setup.loss());
  double mean = 0, squares = 0;
  for (const float label : y) mean += label / 6;
  for (const float label : y) squares += (label - mean) * (label - mean) / 6;
  EXPECT_NEAR(seen.constant_loss, squares / 2, 1e-6);
  EXPECT_NEAR(seen.loss_gain, -(mean - 0.3) * (mean - 0.3) / 2, 1e-6);
  EXPECT_NEAR(seen.loss_error, (mean - 0.3) * std::sqrt(squares / 6), 1e-6);
}

TEST(SmallestSpec, LearnsSomethingAndIsToldWhereItDoesNot) {
  const TempFolder folder;
  const fs::path spec = folder / "s.toml";
  file::write_atomically(spec,
                         "[task]\nkind=\"nlgp\"\n[network]\nkind=\"two-layer\"\n[dynamics]\nkind=\"sgd\"\n");
  const Told learns = run_into(folder / "learns", spec.string(), {"dynamics.steps=3000", "probe.every=500"});
  EXPECT_GT(learns.outcome.summary().find("accuracy").value(), 0.7);
  EXPECT_FALSE(learns.said("nothing was learned"));
  const Told idle = run_into(folder / "idle", spec.string(), {"dynamics.rate=0.01"});
  EXPECT_TRUE(idle.said("nothing was learned"));
  EXPECT_TRUE(idle.said("raise dynamics.rate = 0.01"));
  // One point is learned by an output that never changes; a hundred points, sample by sample better than by one.
  EXPECT_FALSE(run_into(folder / "point", "deep-linear", {}).said("nothing was learned"));
  EXPECT_FALSE(run_into(folder / "relu", "depth-relu", {}).said("nothing was learned"));
}

}  // namespace
}  // namespace going_on
}  // namespace sluice::lab

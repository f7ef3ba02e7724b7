#include "sluice/lab/task_shelf.hpp"

#include <gtest/gtest.h>

#include "sluice/lab/setup.hpp"

namespace sluice::lab {
namespace {

Experiment experiment(std::vector<std::string> assignments, const std::string& task = R"(kind = "dataset"
samples = 60
from = { kind = "nlgp", n = 12 })") {
  return load({.name_or_file = "spec",
               .assignments = std::move(assignments),
               .text = "[task]\n" + task +
                       "\n[network]\nkind = \"two-layer\"\n[dynamics]\nkind = \"sgd\"\nbatch = 20\n"});
}

TEST(TaskShelf, ASetIsReadOnceForAllThatDifferElsewhere) {
  TaskShelf shelf;
  const task::Task* first = shelf.get(experiment({})).get();
  EXPECT_EQ(shelf.get(experiment({"seed=7", "network.hidden=3", "dynamics.rate=0.5"})).get(), first)
      << "the last one stays though nobody has it";
  const auto other = shelf.get(experiment({"task.samples=70"}));
  EXPECT_NE(other.get(), first);
  EXPECT_EQ(other->training_set()->size(), 70);
  const lab::Setup one(experiment({"seed=1", "task.samples=70"}), &shelf),
      two(experiment({"seed=2", "task.samples=70"}), &shelf);
  EXPECT_EQ(&one.task(), other.get());
  EXPECT_EQ(one.batches()->set(), two.batches()->set());
  EXPECT_NE(one.start(), two.start());
}

TEST(TaskShelf, WhatDrawsItsSamplesIsMadeAnew) {
  TaskShelf shelf;
  const Experiment drawn = experiment({}, "kind = \"nlgp\"\nn = 12");
  EXPECT_NE(shelf.get(drawn), shelf.get(drawn));
}

}  // namespace
}  // namespace sluice::lab

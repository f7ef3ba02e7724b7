/// The classes of bad inputs and faults. Each is one test that goes through its table; hostile_test.cpp runs and counts them.
#pragma once

#include "test/support/hostile.hpp"
#include "test/support/hostile_folders.hpp"

namespace sluice::test {

std::vector<Hostile> hostile_words();
std::vector<Hostile> hostile_overrides();
std::vector<Hostile> hostile_studies();
std::vector<Hostile> hostile_texts();
std::vector<Hostile> hostile_specs();
std::vector<Hostile> hostile_paths();
std::vector<Hostile> hostile_arrays();
std::vector<Hostile> hostile_folders();
std::vector<Hostile> hostile_runs();
std::vector<Hostile> hostile_checkpoints();
std::vector<Hostile> hostile_data();
std::vector<Hostile> hostile_resources();

}  // namespace sluice::test

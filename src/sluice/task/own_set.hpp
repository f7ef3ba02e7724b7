/// A finite set out of an npz file, or of arrays that are given, whatever made it: its rows with their labels, and how the inputs of a row lie.
///   x [P, n]      on a ring (layout "auto" or "ring"), or with task.shape = [h, w] in a plane
///   x [P, h, w]   in a plane, row by row: an image, or a torus where the layout says so. Axes of length 1 are left out
///   x [P, 3, h, w]   an image in red, green and blue, or with task.shape = [3, h, w] of flat rows
///   y [P]         numbers to fit, or the values of C classes: the c-th smallest of them is class c
/// Numbers of any element type, taken as they are.
#pragma once

#include "sluice/file/array.hpp"
#include "sluice/spec/given.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/task.hpp"

namespace sluice::task {

struct DatasetOptions;

/// Arrays x and y of the program around the library, by the SHA-256 of what they hold.
using GivenSet = spec::Given<file::NamedArrays>;

struct OwnSet {
  FiniteSet rows;
  Layout layout;
};

/// Throws InputError naming the file, the array and what was expected.
OwnSet load_own_set(const DatasetOptions& options);

spec::Choices layout_choices();
spec::Choices target_choices();

}  // namespace sluice::task

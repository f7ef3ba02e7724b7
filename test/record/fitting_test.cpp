#include "sluice/record/fitting.hpp"

#include <gtest/gtest.h>

#include "sluice/file/errors.hpp"

namespace sluice::record {
namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;
using Integers = std::vector<std::int64_t>;

file::NamedArrays good() {
  return {{"step", {{2}, Integers{0, 10}}},
          {"weights", {{2, 1, 3}, Floats(6)}},
          {"loss", {{2}, Doubles{0.5, 0.25}}}};
}

/// What is said of good() with one array in place of another, or none.
std::string said(const std::string& name, const std::optional<file::Array>& array,
                 Others others = Others::allowed) {
  file::NamedArrays arrays = good();
  std::erase_if(arrays, [&](const auto& named) { return named.first == name; });
  if (array) arrays.emplace_back(name, *array);
  try {
    require_fitting(arrays, forms_of(good()), "r/record.npz", others, 10);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Safety, H4_AnArrayThatDoesNotFitIsNamedWithWhatWasExpected) {
  EXPECT_EQ(said("more", std::nullopt), "");
  EXPECT_EQ(said("loss", std::nullopt), "r/record.npz: no array 'loss'; expected float64 [2]");
  EXPECT_EQ(said("loss", file::Array{{2}, Floats{1, 2}}),
            "r/record.npz: loss: expected float64 [2], found float32 [2]");
  EXPECT_EQ(said("loss", file::Array{{0}, Doubles{}}),
            "r/record.npz: loss: expected float64 [2], found float64 [0]");
  EXPECT_EQ(said("loss", file::Array{{}, Doubles{1}}),
            "r/record.npz: loss: expected float64 [2], found float64 []");
  EXPECT_EQ(said("weights", file::Array{{2, 1, 4}, Floats(8)}),
            "r/record.npz: weights: expected float32 [2, 1, 3], found float32 [2, 1, 4]");
  EXPECT_EQ(said("step", file::Array{{0}, Integers{}}),
            "r/record.npz: step: expected int64 [T], found int64 [0]");
  EXPECT_EQ(said("step", file::Array{{2}, Integers{10, 10}}),
            "r/record.npz: step: expected increasing numbers from 0 to 10, found 10 to 10");
  EXPECT_EQ(said("step", file::Array{{2}, Integers{-1, 10}}),
            "r/record.npz: step: expected increasing numbers from 0 to 10, found -1 to 10");
  EXPECT_EQ(said("step", file::Array{{2}, Integers{0, 11}}),
            "r/record.npz: step: expected increasing numbers from 0 to 10, found 0 to 11");
}

TEST(Safety, M1_AnUnknownNameIsAnErrorWhereNoneBelongs) {
  const file::Array array{{2}, Doubles{1, 2}};
  EXPECT_EQ(said("lost", array), "");
  EXPECT_EQ(said("lost", array, Others::refused), "r/record.npz: lost: no such array belongs there");
}

}  // namespace
}  // namespace sluice::record

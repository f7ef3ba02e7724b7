#include "sluice/lab/recorded.hpp"

#include <gtest/gtest.h>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

/// Fields are drawn where run.json says that inputs lie: it must be as many places as they have sites.
TEST(Safety, H4_InputsOfRunJsonAreThoseOfTheWeights) {
  const test::TempFolder folder;
  const auto run = folder / "two";
  std::filesystem::copy(TEST_FOLDER "/fuzz/folders/two", run);
  EXPECT_EQ(read_run(run).recording.layout.inputs(), 4);
  std::string json = file::read_text(run / "run.json");
  const std::string columns = "\"columns\": 4";
  ASSERT_NE(json.find(columns), std::string::npos);
  json.replace(json.find(columns), columns.size(), "\"columns\": 4000");
  file::write_atomically(run / "run.json", json);
  std::string said;
  try {
    read_run(run);
  } catch (const InputError& error) {
    said = error.what();
  }
  EXPECT_EQ(said,
            (run / "run.json").string() +
                ": inputs: 1 rows, 4000 columns and 1 channels, expected 4 in all, as weights has sites");
}

}  // namespace
}  // namespace sluice::lab

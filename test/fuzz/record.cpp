#include "sluice/lab/recorded.hpp"
#include "test/fuzz/folders.hpp"

SLUICE_FUZZ_TARGET(record) {
  using namespace sluice;
  const auto which = fuzz::folder_of(bytes);
  if (!which) return;
  const auto folder = fuzz::folder_with(fuzz::kFolders[*which], "record.npz");
  fuzz::file_with(bytes.subspan(1));
  lab::read_run(folder);
}
SLUICE_FUZZ_REPAIR(sluice::fuzz::behind_letter(sluice::fuzz::repair_zip))

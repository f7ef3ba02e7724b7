#include "sluice/cli/shared_options.hpp"

#include "sluice/cli/check_number.hpp"

namespace sluice::cli {

void add_threads(App& verb, int& threads) {
  verb.add_option("--threads", threads, "Threads; results do not depend on it")
      ->check(
          [](const std::string& text) { return check_number(text, 1, 1024, "an integer from 1 to 1024"); })
      ->type_name("N")
      ->capture_default_str();
}

void add_dpi(App& verb, int& dpi) {
  verb.add_option("--dpi", dpi, "Dots per inch of a .png")
      ->check(
          [](const std::string& text) { return check_number(text, 20, 1200, "an integer from 20 to 1200"); })
      ->type_name("N")
      ->capture_default_str();
}

void add_overwrite(App& verb, bool& overwrite) {
  verb.add_flag("--overwrite", overwrite, "Replace the file if it exists");
}

}  // namespace sluice::cli

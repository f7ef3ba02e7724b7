#include "sluice/cli/shared_options.hpp"

#include <algorithm>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::cli {

void add_threads(App& verb, int& threads, int* said) {
  const auto complaint = [](const std::string& text) {
    return check_number(text, 1, 1024, "an integer from 1 to 1024");
  };
  // More than can run at once would only be in each other's way.
  const auto useful = [complaint, said](const std::string& text) {
    if (!complaint(text).empty()) return text;
    const int asked = std::stoi(text);
    if (said != nullptr) *said = asked;
    return std::to_string(std::min(asked, math::hardware_threads()));
  };
  verb.add_option("--threads", threads, "Threads, no more than can run at once; results do not depend on it")
      ->check(complaint)
      ->transform(useful)
      ->type_name("N")
      ->capture_default_str();
}

void add_overwrite(App& verb, bool& overwrite) {
  verb.add_flag("--overwrite", overwrite, "Replace the file if it exists");
}

void add_fields_in(App& verb, lab::FieldsIn& fields) {
  verb.add_option("--weights", fields.weights,
                  "Array of weights [T, K, n], [K, n], [T, K, h, w] or [K, h, w]")
      ->type_name("NAME")
      ->capture_default_str();
  verb.add_option(
          "--layout", fields.layout,
          "How the sites of a file lie: ring, torus or image (default: [T, K, h, w] an image, else a ring)")
      ->check(one_of(std::vector<std::string>{"auto", "ring", "torus", "image"}))
      ->type_name("NAME");
}

}  // namespace sluice::cli

#include "sluice/cli/answer.hpp"

#include <fmt/format.h>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/place.hpp"

namespace sluice::cli {

void add_answer(App& verb, AnswerOptions& options, const std::string& array) {
  verb.add_option(
          "--out", options.out,
          array.empty()
              ? "A page (.html), a picture (.svg, .pdf, .png), or numbers (.csv, .json)"
              : fmt::format(
                    "A page (.html), a picture (.svg, .pdf, .png), numbers (.csv, .json), or {} (.npy)",
                    array))
      ->type_name("FILE");
  add_overwrite(verb, options.overwrite);
  verb.add_flag("--json", options.json, "Print as JSON");
  verb.add_flag("--quiet", options.quiet, "No progress");
  add_threads(verb, options.threads);
}

void require_place(const AnswerOptions& options, bool array) {
  if (options.out.empty()) return;
  if (array)
    file::require_place(options.out, {".html", ".svg", ".pdf", ".png", ".csv", ".json", ".npy"},
                        options.overwrite);
  else
    file::require_place(options.out, {".html", ".svg", ".pdf", ".png", ".csv", ".json"}, options.overwrite);
}

void give(const Answer& answer, const AnswerOptions& options) {
  const auto json = [&] { return answer.json().dump(2) + "\n"; };
  fmt::print("{}", options.json ? json() : answer.text());
  if (options.out.empty()) return;
  const std::string ending = std::filesystem::path(options.out).extension().string();
  if (ending == ".npy") {
    answer.array(options.out);
  } else {
    file::write_atomically(options.out, ending == ".html"  ? answer.page()
                                        : ending == ".csv" ? answer.csv()
                                        : ending == ".json"
                                            ? json()
                                            : figure::render(answer.picture(), *figure::format_of(ending)));
  }
  if (!options.json) fmt::print("{}\n", options.out);
}

std::string in_columns(const figure::ReportTable& table, std::string_view alignment) {
  Rows rows{table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  return in_columns(rows, alignment);
}

}  // namespace sluice::cli

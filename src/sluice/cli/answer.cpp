#include "sluice/cli/answer.hpp"

#include <fmt/format.h>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
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
  options.style.add_to(verb);
  verb.add_flag("--json", options.json, "Print as JSON");
  verb.add_flag("--quiet", options.quiet, "No progress");
  add_threads(verb, options.threads);
}

void require_place(const AnswerOptions& options, bool array) {
  options.style.require_picture(options.out);
  if (options.out.empty()) return;
  if (array)
    file::require_place(options.out, {".html", ".svg", ".pdf", ".png", ".csv", ".json", ".npy"},
                        options.overwrite);
  else
    file::require_place(options.out, {".html", ".svg", ".pdf", ".png", ".csv", ".json"}, options.overwrite);
}

namespace {

std::string json_of(const Answer& answer) { return answer.json().dump(2) + "\n"; }

std::string file_of(const Answer& answer, const std::string& ending, const StyleOptions& style) {
  if (ending == ".html") return answer.page();
  if (ending == ".csv") return answer.csv();
  if (ending == ".json") return json_of(answer);
  return figure::render(answer.picture(), *figure::format_of(ending), style.dpi(), style.style());
}

}  // namespace

void give(const Answer& answer, const AnswerOptions& options) {
  const std::string ending = std::filesystem::path(options.out).extension().string();
  const bool array = ending == ".npy";
  std::string bytes;  // before anything is printed: a picture may refuse its style
  if (!options.out.empty() && !array) bytes = file_of(answer, ending, options.style);
  print(options.json ? json_of(answer) : answer.text());
  if (options.out.empty()) return;
  if (array)
    answer.array(options.out, file::if_taken(options.overwrite));
  else
    file::write_atomically(options.out, bytes, file::if_taken(options.overwrite));
  if (!options.json) print(fmt::format("{}\n", options.out));
}

std::string in_columns(const figure::ReportTable& table, std::string_view alignment) {
  Rows rows{table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  return in_columns(rows, alignment);
}

}  // namespace sluice::cli

/// Verbs that answer a question: a table or JSON on the terminal, and a file of the kind that its name ends in.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "sluice/cli/app.hpp"
#include "sluice/cli/style_options.hpp"
#include "sluice/figure/figure.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/place.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::cli {

struct AnswerOptions {
  std::string out;
  StyleOptions style;
  bool overwrite = false;
  bool json = false;
  bool quiet = false;
  int threads = math::hardware_threads();
};

/// An answer in every form that can be asked for; only what was asked for is made.
struct Answer {
  std::function<std::string()> text;
  std::function<file::Json()> json;
  std::function<std::string()> csv;
  std::function<std::string()> page;
  std::function<figure::Figure()> picture;
  /// Writes an .npy; empty: there is none.
  std::function<void(const std::filesystem::path&, file::IfTaken)> array = {};
};

/// --out, the style of a picture, --overwrite, --json, --quiet and --threads. `array`: what an .npy would hold; empty: it has none.
void add_answer(App& verb, AnswerOptions& options, const std::string& array = "");
/// Throws InputError when --out is no place for the answer, or no picture where one has a style: before the work is done.
void require_place(const AnswerOptions& options, bool array = false);
/// Prints it, and writes it to --out.
void give(const Answer& answer, const AnswerOptions& options);

/// A table as text; `alignment` as in_columns has it.
std::string in_columns(const figure::ReportTable& table, std::string_view alignment);

}  // namespace sluice::cli

/// The page of a run or of several: title, key numbers, a table, sections with figures, in one file.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

struct Fact {
  std::string name, value;
};

struct ReportTable {
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct ReportSection {
  std::string heading = {};
  std::string text = {};  ///< paragraphs are separated by a blank line
  std::vector<Figure> figures = {};
  std::vector<Fact> facts = {};
  std::string preformatted = {};  ///< a spec, a log: set in a fixed-width font, line breaks kept
  bool also_in_viewer = false;    ///< what the viewer shows better: it takes the section's place
  ReportTable table = {};
  std::string files =
      {};  ///< where the figures are as files NAME.pdf, .svg, .png, relative to the page; empty: nowhere
};

struct Report {
  std::string title = {};
  std::string question = {};  ///< what the reader wants to know, under the title
  std::vector<Fact> key_numbers = {};
  std::vector<Figure> answer = {};  ///< what the page comes down to, before all else
  ReportTable table = {};           ///< may be empty
  std::vector<ReportSection> sections = {};
  std::string footer = {};
  std::string data = {};  ///< the runs in numbers (page_data.hpp); empty: a page without script
  bool live = false;      ///< the page may ask the server it came from for newer data
};

/// One self-contained page: no network, no other file. Everything it is given but `data` is plain text and is escaped.
/// Whatever is empty leaves no trace on the page. The same report gives the same bytes.
/// With data the viewer (viewer.hpp) takes the place of the sections it can show better; they come back on paper, without
/// scripts, and in a program that was built without the viewer, where the page says so.
std::string report_html(const Report& report);

}  // namespace sluice::figure

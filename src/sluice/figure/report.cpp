#include "sluice/figure/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sluice/figure/html.hpp"
#include "sluice/figure/page_style.hpp"
#include "sluice/figure/svg.hpp"
#include "sluice/figure/viewer.hpp"

namespace sluice::figure {
namespace {

/// Which columns of a table hold numbers in every row.
std::vector<bool> numeric_columns(const ReportTable& table) {
  std::size_t columns = table.header.size();
  for (const auto& row : table.rows) columns = std::max(columns, row.size());
  std::vector<bool> numeric(columns, !table.rows.empty());
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < columns; ++i)
      numeric[i] = numeric[i] && i < row.size() && looks_numeric(row[i]);
  return numeric;
}

/// Writes a report's parts one after another; knows how many figures there were, since their numbers and ids
/// run through the whole page.
class Page {
 public:
  void header(const Report& report) {
    alive_ = !report.data.empty() && !viewer().script.empty();
    // The policy lets a browser enforce what the page promises: nothing is fetched, nothing runs but the viewer.
    const std::string policy = alive_
                                   ? fmt::format("; font-src data:; script-src '{}'{}", viewer().script_hash,
                                                 report.live ? "; connect-src 'self'" : "")
                                   : std::string();
    html_ += fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; img-src data:{2}">
<title>{0}</title>
<style>{1}{3}</style>
</head>
<body>
<main>
<h1>{0}</h1>
)",
                         escaped(report.title), page_style, policy, alive_ ? viewer().style : "");
    if (!report.question.empty())
      html_ += fmt::format("<p class=\"question\">{}</p>\n", escaped(report.question));
  }

  void facts(const std::vector<Fact>& facts, std::string_view kind) {
    if (facts.empty()) return;
    html_ += fmt::format("<dl class=\"{}\">\n", kind);
    for (const Fact& fact : facts)
      html_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(fact.name), escaped(fact.value));
    html_ += "</dl>\n";
  }

  void figures(const std::vector<Figure>& figures, const std::string& files) {
    for (const Figure& shown : figures) figure(shown, files);
  }

  void table(const ReportTable& table) {
    if (table.header.empty() && table.rows.empty()) return;
    html_ += "<div class=\"wide\"><table>\n";
    const std::vector<bool> numeric = numeric_columns(table);
    if (!table.header.empty()) row(table.header, numeric, "th");
    for (const auto& cells : table.rows) row(cells, numeric, "td");
    html_ += "</table></div>\n";
  }

  /// Where the viewer will stand, or why it does not.
  void stage(const std::string& data) {
    if (alive_) {
      html_ +=
          "<div id=\"viewer\"></div>\n<noscript><p class=\"note\">Scripts are off: what follows are the "
          "static "
          "figures.</p></noscript>\n";
    } else if (!data.empty()) {
      html_ +=
          "<p class=\"note\">This page was written by a program built without npm: its figures are "
          "static.</p>\n";
    }
  }

  void section(const ReportSection& section) {
    html_ += section.also_in_viewer ? "<section class=\"static\">\n" : "<section>\n";
    if (!section.heading.empty()) html_ += fmt::format("<h2>{}</h2>\n", escaped(section.heading));
    html_ += paragraphs(section.text);
    facts(section.facts, "facts");
    figures(section.figures, section.files);
    table(section.table);
    if (!section.preformatted.empty()) html_ += fmt::format("<pre>{}</pre>\n", escaped(section.preformatted));
    html_ += "</section>\n";
  }

  std::string finish(const Report& report) && {
    html_ += "</main>\n";
    if (!report.footer.empty()) html_ += fmt::format("<footer><p>{}</p></footer>\n", escaped(report.footer));
    if (alive_) {
      html_ += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n",
                           report.data, viewer().script);
    }
    return std::move(html_) + "</body>\n</html>\n";
  }

 private:
  // A column is aligned as its cells are, heading included.
  void row(const std::vector<std::string>& cells, const std::vector<bool>& numeric, std::string_view tag) {
    html_ += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      html_ +=
          fmt::format("<{0}{1}>{2}</{0}>", tag, numeric[i] ? " class=\"number\"" : "", escaped(cells[i]));
    html_ += "</tr>\n";
  }

  void figure(const Figure& figure, const std::string& files) {
    ++figures_;
    // Never so small that a 7 pt label cannot be read, never so large that a small figure looks inflated.
    const std::string attributes =
        fmt::format(R"(role="img" aria-label="{}" style="min-width:{:.0f}mm;max-width:{:.0f}mm")",
                    escaped(figure.name), 0.9 * figure.width_mm, 2 * figure.width_mm);
    html_ += fmt::format(
        "<figure>\n<div class=\"card\">{}</div>\n<figcaption><b>Figure {}.</b> "
        "{}{}</figcaption>\n</figure>\n",
        inlined(render(figure, Format::svg), fmt::format("figure{}-", figures_), attributes), figures_,
        escaped(figure.caption), links(figure, files));
  }

  static std::string links(const Figure& figure, const std::string& files) {
    if (files.empty()) return "";
    std::string html;
    for (const char* ending : {"pdf", "svg", "png"})
      html += fmt::format(" <a href=\"{}\">{}</a>",
                          escaped(url_of(fmt::format("{}/{}.{}", files, figure.name, ending))), ending);
    return fmt::format(" <span class=\"files\">Files:{}.</span>", html);
  }

  std::string html_;
  int figures_ = 0;
  bool alive_ = false;  // the page has a viewer
};

}  // namespace

std::string report_html(const Report& report) {
  Page page;
  page.header(report);
  page.facts(report.key_numbers, "numbers");
  page.figures(report.answer, "");
  page.table(report.table);
  page.stage(report.data);
  for (const ReportSection& section : report.sections) page.section(section);
  return std::move(page).finish(report);
}

}  // namespace sluice::figure

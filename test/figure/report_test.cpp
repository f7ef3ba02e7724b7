#include "sluice/figure/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sample_run.hpp"
#include "sluice/figure/canvas.hpp"
#include "sluice/figure/html.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/svg.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/figure/viewer.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::all_between;
using testing::SampleRun;

Report sample_report(const std::string& text) {
  const SampleRun run(20, 12, 9);
  return {
      .title = text,
      .question = text,
      .key_numbers = {{text, text}},
      .table = {{text, "gain"}, {{text, "3.0"}, {text, "−0.5"}}},
      .sections = {{text, text, {learning(run.view(text)), evolution(run.view(text))}, {{text, text}}, text},
                   {.heading = "again", .figures = {learning(run.view(text))}}},
      .footer = text};
}

std::size_t occurrences(const std::string& text, const std::string& of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != text.npos; at = text.find(of, at + 1)) ++count;
  return count;
}

TEST(ReportHtml, EveryReferenceResolvesToExactlyOneId) {
  const Figure clipped{"clipped", "", 20, 20, [](Canvas& canvas) {
                         for (int i = 0; i < 3; ++i) {
                           const Canvas::Clip clip(canvas, {1, 1, 5, 5});
                           canvas.disc({3, 3}, 4, ink);
                         }
                       }};
  Report report = sample_report("plain");
  for (int i = 0; i < 2; ++i) report.sections.front().figures.push_back(clipped);
  const std::string page = report_html(report);
  std::map<std::string, int> ids;
  for (const std::string& id : all_between(page, " id=\"", '"')) ++ids[id];
  for (const auto& [id, count] : ids) EXPECT_EQ(count, 1) << id;
  std::vector<std::string> references = all_between(page, "href=\"#", '"');
  for (const std::string& reference : all_between(page, "url(#", ')')) references.push_back(reference);
  ASSERT_EQ(references.size(), 6u) << "three clips in two figures";
  for (const std::string& reference : references) EXPECT_EQ(ids.count(reference), 1u) << reference;
}

TEST(ReportHtml, InliningDoesNotChangeWhatAFigureSays) {
  const Figure figure = learning(SampleRun(5, 8, 4).view());
  const std::string svg = render(figure, Format::svg);
  EXPECT_EQ(testing::texts(inlined(svg, "figure7-", "")), testing::texts(svg));
  EXPECT_GT(testing::texts(svg).size(), 10U);
}

TEST(ReportHtml, EscapesEverythingItIsGiven) {
  const std::string page = report_html(sample_report("<script>alert('x & \"y\"')</script>"));
  EXPECT_EQ(page.find("<script"), page.npos);
  EXPECT_EQ(page.find("'x & "), page.npos);
  // Title twice, question, key number twice, heading of the table and two cells, heading, text, fact twice,
  // spec, footer, and three captions.
  EXPECT_EQ(occurrences(page, "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;"), 17u);
}

TEST(ReportHtml, IsSelfContained) {
  const std::string page = report_html(sample_report("plain"));
  EXPECT_EQ(page.find("http://"), page.npos);
  EXPECT_EQ(page.find("https://"), page.npos);
  for (const char* loader :
       {"<link", "<script", "<img", "<iframe", "src=", "@import", "url(h", "url(/", "<?xml"})
    EXPECT_EQ(page.find(loader), page.npos) << loader;
  EXPECT_NE(page.find("Content-Security-Policy"), page.npos);
}

TEST(ReportHtml, WithDataItHasTheViewerOrSaysThatItHasNot) {
  Report report = sample_report("plain");
  report.sections.front().also_in_viewer = true;
  report.data = R"({"format":1,"runs":[]})";
  const std::string page = report_html(report);
  if (viewer().script.empty()) {
    EXPECT_EQ(page.find("<script"), page.npos);
    EXPECT_NE(page.find("built without npm"), page.npos);
  } else {
    EXPECT_EQ(occurrences(page, "<script"), 2u);
    EXPECT_NE(page.find(report.data), page.npos);
    EXPECT_NE(page.find("script-src '" + std::string(viewer().script_hash) + "'"), page.npos);
    EXPECT_NE(page.find("<noscript>"), page.npos);
  }
  EXPECT_EQ(occurrences(page, "<section class=\"static\">"), 1u) << "what the viewer replaces";
  EXPECT_EQ(occurrences(page, "<div class=\"card\"><svg "), 3u) << "for paper, and where nothing runs";
}

TEST(ReportHtml, FiguresScaleWithThePage) {
  const std::string page = report_html(sample_report("plain"));
  ASSERT_EQ(occurrences(page, "<svg "), 3u);
  for (const std::string& tag : all_between(page, "<svg ", '>')) {
    EXPECT_NE(tag.find("viewBox=\""), tag.npos);
    EXPECT_EQ(tag.find(" width=\""), tag.npos);
  }
  EXPECT_EQ(occurrences(page, "</svg>"), 3u);
  EXPECT_NE(page.find("<b>Figure 3.</b>"), page.npos);
}

TEST(ReportHtml, IsValidUtf8WhateverItIsGiven) {
  const std::string page = report_html(sample_report("\xff\xc3\x28 Σ\x01 \xed\xa0\x80"));
  EXPECT_EQ(clean_text(page), page);
  EXPECT_NE(page.find("\uFFFD"), page.npos);
}

TEST(ReportHtml, WhatIsEmptyLeavesNoTrace) {
  const std::string page = report_html({.title = "only a title"});
  for (const char* element : {"<table", "<dl", "<section", "<footer", "<figure", "<p"})
    EXPECT_EQ(page.find(element), page.npos) << element;
}

TEST(ReportHtml, OpensAndClosesTheSameElements) {
  const std::string page = report_html(sample_report("a < b\n\nc > d"));
  for (const std::string name :
       {"html",  "head", "body", "main", "section", "figure", "figcaption", "div", "dl", "dt",     "dd",
        "table", "tr",   "th",   "td",   "p",       "pre",    "footer",     "svg", "g",  "symbol", "defs"})
    EXPECT_EQ(occurrences(page, "<" + name + ">") + occurrences(page, "<" + name + " "),
              occurrences(page, "</" + name + ">"))
        << name;
}

TEST(ReportHtml, TheSameReportGivesTheSameBytes) {
  EXPECT_EQ(report_html(sample_report("plain")), report_html(sample_report("plain")));
}

TEST(Html, ParagraphsAreSeparatedByBlankLines) {
  EXPECT_EQ(paragraphs("one\ntwo\n\nthree"), "<p>one\ntwo</p>\n<p>three</p>\n");
  EXPECT_EQ(paragraphs("\n\n \n\n"), "");
  EXPECT_EQ(paragraphs(""), "");
}

TEST(Html, NumbersAreRecognised) {
  for (const char* number : {"0", "3.0", "−1.60", "-2e-5", "95 %", "1,234", "0.3 ± 0.1"})
    EXPECT_TRUE(looks_numeric(number)) << number;
  for (const char* word : {"", "−", "gain = 3", "3 runs", "localization", "Σ"})
    EXPECT_FALSE(looks_numeric(word)) << word;
}

TEST(Svg, RenamesOnlyWhatIsAnId) {
  EXPECT_EQ(with_ids(R"svg(<g id="a"/><use href="#a"/><use href="#b"/><g clip-path="url(#a)"/>)svg", "p-"),
            R"svg(<g id="p-id1"/><use href="#p-id1"/><use href="#b"/><g clip-path="url(#p-id1)"/>)svg");
  EXPECT_THROW(inlined("no svg here", "p-", ""), std::runtime_error);
}

TEST(ReportHtml, FiguresLinkToTheirFiles) {
  Report report = sample_report("plain");
  EXPECT_EQ(report_html(report).find("<a "), std::string::npos);
  report.sections.front().files = "gain=3, a & b/figures";
  const std::string page = report_html(report);
  for (const char* link : {"learning.pdf", "learning.svg", "evolution.png"})
    EXPECT_EQ(occurrences(page, fmt::format("<a href=\"gain=3,%20a%20%26%20b/figures/{}\">", link)), 1u)
        << link;
}

TEST(ReportHtml, OnlyALivePageMayAskItsServer) {
  Report report = sample_report("plain");
  report.data = R"({"format":1,"runs":[]})";
  EXPECT_EQ(report_html(report).find("connect-src 'self'"), std::string::npos);
  report.live = true;
  EXPECT_EQ(report_html(report).find("; connect-src 'self'") == std::string::npos, viewer().script.empty());
}

}  // namespace
}  // namespace sluice::figure

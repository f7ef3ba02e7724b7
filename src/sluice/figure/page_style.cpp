#include "sluice/figure/page_style.hpp"

namespace sluice::figure {

// Sizes follow the width of the window (clamp), so that a projected page can be read from the last row.
// In the dark a figure is turned over, lightness but not hue: its white becomes the card, its ink light; on a phone a wide one
// scrolls within its card instead of shrinking until its labels vanish. In a short window, as the frame in a notebook is one, title
// and key numbers take a line or two, so that slider and fields are in sight.
const std::string_view page_style = R"css(
:root { color-scheme: light dark; --page: #fbfbfa; --card: #fff; --ink: #1d1d20; --soft: #5c5c63; --line: #dcdce0;
  --code: #f2f2f0; }
@media (prefers-color-scheme: dark) {
  :root { --page: #17181b; --card: #202226; --ink: #e9e9ea; --soft: #a6a7ad; --line: #383a40; --code: #1e2024; } }
* { box-sizing: border-box; }
html { font-size: clamp(16px, 0.6vw + 11px, 24px); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.55;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main, footer { max-width: 66rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
h1 { font-size: clamp(1.6rem, 4vw, 2.3rem); line-height: 1.2; margin: 2.2rem 0 0.4rem; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.6rem 0 0.6rem; }
h1, h2, p, td, th, dt, dd { overflow-wrap: anywhere; }
p { max-width: 46rem; margin: 0 0 0.9rem; }
.question { font-size: 1.15rem; color: var(--soft); margin-bottom: 1.6rem; }
.note { color: var(--soft); border-left: 3px solid var(--line); padding-left: 0.8rem; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.2rem, 100%), 1fr)); gap: 0.7rem;
  margin: 0 0 1.8rem; }
.numbers div { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
  padding: 0.7rem 0.9rem; }
.numbers dt { color: var(--soft); font-size: 0.82rem; line-height: 1.3; }
.numbers div { display: flex; flex-direction: column; justify-content: space-between; }
.numbers dd { margin: 0.15rem 0 0; font-size: 1.3rem; font-weight: 600; line-height: 1.25; overflow-wrap: normal;
  font-variant-numeric: tabular-nums; }
.facts { margin: 0 0 1rem; }
.facts div { display: flex; flex-wrap: wrap; gap: 0 1.4rem; padding: 0.15rem 0; }
.facts dt { color: var(--soft); flex: 0 0 11rem; }
.facts dd { margin: 0; flex: 1 1 12rem; font-variant-numeric: tabular-nums; }
.files { white-space: nowrap; }
a { color: #0068a6; }
@media (prefers-color-scheme: dark) { a { color: #6cb8ea; } }
.wide { overflow-x: auto; margin: 0 0 1.4rem; }
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.4rem 1.1rem 0.4rem 0; text-align: left; border-bottom: 1px solid var(--line);
  overflow-wrap: normal; }
th { color: var(--soft); font-weight: 600; border-bottom-width: 2px; }
.number { text-align: right; white-space: nowrap; }
figure { margin: 0 0 1.8rem; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 0.5rem; padding: clamp(0.5rem, 2vw, 1.2rem);
  overflow-x: auto; }
.card svg { display: block; width: 100%; height: auto; margin: 0 auto; }
figcaption { color: var(--soft); font-size: 0.9rem; margin-top: 0.6rem; max-width: 52rem; }
figcaption b { color: var(--ink); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.9rem 1.1rem;
  overflow-x: auto; font: 0.85rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; tab-size: 2; }
footer { color: var(--soft); font-size: 0.85rem; padding-top: 1.2rem; padding-bottom: 2.5rem; }
footer p { border-top: 1px solid var(--line); padding-top: 1rem; max-width: none; }
@media screen and (prefers-color-scheme: dark) {
  .card { background: #1f1f1f; }
  .card svg { filter: invert(0.88) hue-rotate(180deg); } }
@media screen and (max-height: 750px) and (min-width: 40em) {
  h1 { font-size: 1.3rem; margin-top: 0.7rem; }
  h2 { font-size: 1.1rem; margin-top: 1.2rem; }
  .question { font-size: 1rem; margin-bottom: 0.6rem; }
  .numbers { display: flex; flex-wrap: wrap; gap: 0.1rem 1.3rem; margin-bottom: 0.6rem; }
  .numbers div { flex-direction: row; align-items: baseline; gap: 0.45rem; background: none; border: 0; padding: 0; }
  .numbers dd { margin: 0; font-size: 0.95rem; } }
@page { margin: 14mm; }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #fff; }
  html { font-size: 10pt; }
  main, footer { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  figure, tr, .numbers div { break-inside: avoid; }
  .card { border: 0; padding: 0; }
  .card svg { min-width: 0 !important; }
  pre { white-space: pre-wrap; }
}
)css";

}  // namespace sluice::figure

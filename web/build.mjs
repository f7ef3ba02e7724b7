// node build.mjs OUT.cpp: bundles src/ into one classic script and one style sheet and writes them as the C++ source of
// sluice::figure::viewer(). Equal sources and equal node_modules give equal bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { formulas } from "./formulas.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const modules = join(web, "node_modules");

async function script() {
  const bundle = await build({
    entryPoints: [join(web, "src/main.ts")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    plugins: [formulas],
  });
  return bundle.outputFiles[0].text.trimEnd();
}

// KaTeX's own style sheet, with the four faces our formulas use in place of its twenty, so that the page needs no file.
function katexStyle() {
  const css = readFileSync(join(modules, "katex/dist/katex.min.css"), "utf8").replace(/@font-face\{[^}]*\}/g, "");
  const face = (family, file, style) => {
    const font = readFileSync(join(modules, "katex/dist/fonts", file)).toString("base64");
    return `@font-face{font-family:${family};font-style:${style};src:url(data:font/woff2;base64,${font}) format("woff2")}`;
  };
  return (
    face("KaTeX_Main", "KaTeX_Main-Regular.woff2", "normal") +
    face("KaTeX_Math", "KaTeX_Math-Italic.woff2", "italic") +
    face("KaTeX_Size1", "KaTeX_Size1-Regular.woff2", "normal") +
    face("KaTeX_Size2", "KaTeX_Size2-Regular.woff2", "normal") +
    css
  );
}

async function style() {
  const parts = [
    readFileSync(join(modules, "uplot/dist/uPlot.min.css"), "utf8"),
    katexStyle(),
    readFileSync(join(web, "src/viewer.css"), "utf8"),
  ];
  return (await transform(parts.join("\n"), { loader: "css", minify: true, charset: "ascii" })).code.trimEnd();
}

const out = process.argv[2];
const js = await script();
const css = await style();
for (const text of [js, css]) {
  if (text.includes(')viewer"') || /<\/(script|style)/i.test(text)) throw new Error("the bundle would end its own element");
}
const hash = createHash("sha256").update(js).digest("base64");
mkdirSync(dirname(out), { recursive: true });
writeFileSync(
  out,
  `// Generated from web/ by web/build.mjs.
#include "sluice/figure/viewer.hpp"

namespace sluice::figure {
const Viewer& viewer() {
  static constexpr Viewer kViewer{
      R"viewer(${js})viewer",
      R"viewer(${css})viewer",
      "sha256-${hash}",
  };
  return kViewer;
}
}  // namespace sluice::figure
`,
);

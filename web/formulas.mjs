// An esbuild plugin: a .tex file of lines `name: formula` becomes a module of the formulas as HTML, set by KaTeX at build
// time, so that the page carries the result and not the typesetter.
import { readFileSync } from "node:fs";
import katex from "katex";

export const formulas = {
  name: "formulas",
  setup(build) {
    build.onLoad({ filter: /\.tex$/ }, ({ path }) => {
      const set = {};
      for (const line of readFileSync(path, "utf8").split("\n")) {
        const colon = line.indexOf(":");
        if (line.startsWith("%") || colon < 0) continue;
        const html = katex.renderToString(line.slice(colon + 1).trim(), { throwOnError: true });
        if (/[@~]/.test(html)) throw new Error(`formulas.tex: ${line}: expected no '@' and no '~'`);
        set[line.slice(0, colon).trim()] = html.replaceAll('<span class="', "@").replaceAll("</span>", "~"); // a third shorter; dom.ts undoes it
      }
      return { contents: `export default ${JSON.stringify(set)};`, loader: "js" };
    });
  },
};

// What stands around the views: what the page leaves out, where the full arrays are, what the symbols mean.
import { type Run, fromBase64, specValue } from "./data.ts";
import { element, factRows, setAtBuildTime } from "./dom.ts";
import formulas from "./formulas.tex";

/// "This page shows 100 of 1,000 times …"; nothing for a run that is shown whole.
export function omission(run: Run): string | undefined {
  if (run.units === 0) return undefined;
  const parts: string[] = [];
  if (run.frames.length < run.times) parts.push(`${run.frames.length} of ${run.times.toLocaleString("en-US")} probe times`);
  if (run.ids.length < run.units) parts.push(`${run.ids.length} of ${run.units.toLocaleString("en-US")} units`);
  if (parts.length === 0) return undefined;
  return `The fields on this page are ${parts.join(" and ")}, evenly chosen; curves are over all of them.`;
}

/// A click away: the record beside the page, or inside it.
export function recordLink(run: Run): HTMLElement | undefined {
  if (!run.record) return undefined;
  const { href, data } = run.record;
  const links: (Node | string)[] = [];
  if (href) {
    const beside = element("a", { href: href.split("/").map(encodeURIComponent).join("/"), download: "record.npz", className: "record" }, "record.npz");
    links.push("All arrays, in full precision: ", beside, " beside this page");
  }
  if (data) {
    const inside = element("button", { type: "button", className: "embedded" }, "save the copy inside this page");
    inside.addEventListener("click", () => {
      const url = URL.createObjectURL(new Blob([fromBase64(data)], { type: "application/octet-stream" }));
      element("a", { href: url, download: "record.npz" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    });
    links.push(links.length > 0 ? ", or " : "All arrays: ", inside);
  }
  return element("p", { className: "arrays" }, ...links, ".");
}

/// The static figures are for papers: folded, with links to their files; on paper they are open.
export function foldFigures(): void {
  const sections = [...document.querySelectorAll("main > section.static")];
  if (sections.length === 0) return;
  const fold = element("details", { className: "figures" }, element("summary", {}, element("h2", {}, "Figures as files")));
  sections[0].before(fold);
  fold.append(...sections);
  const spec = document.querySelector("main > section.notation");
  if (spec) spec.before(fold);
  const paper = matchMedia("print");
  const unfold = () => (fold.open = paper.matches);
  paper.addEventListener("change", unfold);
  addEventListener("beforeprint", () => (fold.open = true)); // some browsers lay out the paper before they say so
  addEventListener("afterprint", () => (fold.open = false));
  unfold();
}

const words: [RegExp, string][] = [
  [/IPR/, "Inverse participation ratio Σw⁴/(Σw²)²: 1/n for a flat field, 1 for a single site"],
  [/kurtosis.*measured/, "Of the samples that the run evaluated on: an estimate"],
  [/kurtosis/, "E z⁴ − 3 of the standardised inputs: 0 for Gaussian data, negative for saturated ones. Exact where the law has a formula"],
  [/localized/, "Share of the units whose energy w² is concentrated, more than random phases of their spectrum would do it"],
];

/// What the key numbers mean, for a reader who points at them.
export function explainNumbers(): void {
  for (const name of document.querySelectorAll<HTMLElement>(".numbers dt")) {
    const found = words.find(([pattern]) => pattern.test(name.textContent!));
    if (found) name.parentElement!.title = found[1];
  }
}

/// Those of one run as newer data have them. Several runs have theirs beside their fields.
export function renewNumbers(runs: Run[]): void {
  if (runs.length !== 1) return;
  document.querySelector(".numbers")?.replaceChildren(...factRows(runs[0].facts));
  explainNumbers();
}

const meanings: [name: string, text: string][] = [
  ["loss", "loss, over a fixed evaluation set"],
  ["ipr", "inverse participation ratio: 1/n for a flat field, 1 for a single site"],
  ["norm", "length of a receptive field"],
  ["spectrum", "power spectrum and mean frequency"],
  ["gabor", "Gabor fit; d is the signed distance from the centre around the ring"],
];

/// Formulas of kernels and gates, each with the curves that need it.
const ofCurves: [name: string, text: string, curves: RegExp][] = [
  ["error", "error of the outputs on the training set; the curve is its length over that at the start", /^error$/],
  ["alignment", "alignment of a kernel H with the labels: small when the labels lie along large eigenvalues", /^nu_/],
  ["tangent", "tangent kernel of two inputs; the gradients are over all parameters", /^nu_tangent$|^tangent_/],
  ["paths", "path kernel; λ(s,t) = Π Σ G(s)G(t), the product over layers of the sum over gates, counts the paths active for both inputs", /^nu_paths$|^gate_overlap$/],
  ["gates", "the part of the tangent kernel that comes from the gates’ parameters", /^nu_gates/],
];

/// The formulas behind the numbers of this page.
export function notation(run: Run): HTMLElement {
  const activation = specValue(run.spec, "network", "activation");
  const rows: [string, string][] = [];
  if (run.units > 0) {
    const kind = specValue(run.spec, "network", "kind");
    const unit = kind === "two-layer" ? (formulas[`unit-${activation}`] ?? formulas.unit) : formulas[`unit-${kind}`];
    if (unit) rows.push([unit, "unit k"]);
    const readout = kind === "gated-linear" ? "mean" : specValue(run.spec, "network", "readout");
    if (formulas[`readout-${readout}`]) rows.push([formulas[`readout-${readout}`], `output of the network, K = ${run.units}`]);
  }
  for (const [name, text] of meanings) {
    if (name === "loss" && specValue(run.spec, "dynamics", "loss") !== "half-squared") continue;
    if (name === "loss" ? !run.curves.loss : run.units === 0) continue;
    if (["gabor", "spectrum"].includes(name) && run.side > 0) continue;
    rows.push([formulas[name], text]);
  }
  for (const [name, text, curves] of ofCurves)
    if (Object.keys(run.curves).some((key) => curves.test(key))) rows.push([formulas[name], text]);
  return element(
    "section",
    { className: "notation" },
    element("h2", {}, "Notation"),
    element("dl", {}, ...rows.map(([formula, text]) => element("div", {}, element("dt", {}, setAtBuildTime(formula)), element("dd", {}, text)))),
  );
}

// The selected unit, in every run that shows it: its numbers, its field at the cursor, its evolution, spectrum and gate.
import { Chart, type Line } from "./chart.ts";
import { type Theme, category, signedRgb } from "./color.ts";
import { type RunColor } from "./sweep.ts";
import { type Run, rowsOf, specValue } from "./data.ts";
import { element, factRows, setAtBuildTime, shown } from "./dom.ts";
import { signChanges, spectrumOf } from "./field.ts";
import formulas from "./formulas.tex";
import { type Gabor, fitGabor, gaborAt } from "./gabor.ts";
import { type HeatData, HeatMap } from "./heat.ts";
import { rowsAt, siteName } from "./rows.ts";
import { type Store, frameAt } from "./state.ts";

const parts = ["centre", "width", "frequency", "phase", "amplitude", "residual"] as const;

const poorest = 0.25; // of ‖w‖²: a fit made here that leaves more is no description of the field, and is not drawn

/// From the record where it has a fit, otherwise made here; rings only.
function gaborOf(run: Run, frame: number, place: number, field: Float32Array): { gabor: Gabor; recorded: boolean } | undefined {
  if (run.side > 0) return undefined;
  if (parts.every((part) => run.numbers[`gabor_${part}`])) {
    const at = frame * run.ids.length + place;
    const gabor = Object.fromEntries(parts.map((part) => [part, run.numbers[`gabor_${part}`][at]])) as unknown as Gabor;
    gabor.residual **= 2; // a record holds √(‖w − fit‖²/‖w‖²)
    return Number.isFinite(gabor.amplitude) ? { gabor, recorded: true } : undefined;
  }
  const gabor = fitGabor(field);
  return gabor && { gabor, recorded: false };
}

class UnitOfRun {
  readonly box: HTMLElement;
  private readonly facts = element("dl", { className: "facts" });
  private readonly gate = element("p", { className: "gate" });
  private readonly field: Chart;
  private readonly spectrum: Chart;
  private readonly evolution: HeatMap;
  private readonly image?: HeatMap; // of a field in two dimensions, in place of its curve
  private place = -1;

  constructor(
    private readonly run: Run,
    private readonly index: number,
    private readonly store: Store,
    private readonly colors: RunColor,
    heading: boolean,
    alone: boolean,
  ) {
    const of = () => `${run.label}-unit${store.state.unit}`;
    this.field = new Chart({ key: "field", title: "Field at the cursor", of, x: "site", height: alone ? 320 : 210, log: "", range: symmetric }, store);
    this.spectrum = new Chart({ key: "spectrum", title: run.side > 0 ? "Power by length of the wave vector" : "Power spectrum P(q)", of, x: "q", height: 190, log: "y", margin: 0.6 }, store);
    this.evolution = new HeatMap("Evolution of the field", of, "evolution", alone ? 320 : 210, (column) => store.set({ step: run.frames[column] }));
    if (run.side > 0) this.image = new HeatMap("Field at the cursor", of, "field", 330);
    this.box = element(
      "div",
      { className: "unit-run" },
      heading ? element("h4", {}, run.label) : undefined,
      element("div", { className: "charts" }, this.image?.box ?? this.field.box, this.evolution.box, this.spectrum.box),
      this.facts,
      this.gate,
    );
  }

  /// False when this run does not show the unit.
  refresh(): boolean {
    this.place = this.run.ids.indexOf(this.store.state.unit ?? -1);
    const there = this.place >= 0 && !this.store.state.hidden.has(this.index);
    this.box.hidden = !there;
    if (!there) return false;
    const { run, place } = this;
    const fields = run.fields.weights;
    this.evolution.show({
      columns: run.frames.length,
      rows: run.sites,
      value: (t, i) => {
        const level = fields.levels[(t * fields.units + place) * fields.sites + i];
        return level === -128 ? NaN : (level * fields.scale[t * fields.units + place]) / 127;
      },
      columnName: (t) => shown(run.frames[t]),
      rowName: (i) => siteName(run, i, true),
      axes: ["step", "site"],
    });
    return true;
  }

  draw(theme: Theme): void {
    if (this.box.hidden) return;
    const { run, place } = this;
    const frame = frameAt(run.frames, this.store.state.step);
    const field = run.fields.weights.at(frame, place);
    const fit = gaborOf(run, frame, place, field);
    const color = this.colors(this.index, theme.dark);
    if (this.image) this.drawImage(this.image, field, theme);
    else this.drawField(field, frame, fit, theme);
    const power = spectrumOf(field, run.side, run.channels);
    this.spectrum.show([{ name: "P(q)", color, fill: color + "99", width: 0, bars: true }], [Array.from(power, (_, q) => q), Array.from(power)] as any, [], theme);
    this.evolution.draw(theme, frame);
    this.describe(frame, field, fit);
  }

  private drawImage(image: HeatMap, field: Float32Array, theme: Theme): void {
    const { side, channels } = this.run; // sites in a row
    const rows = rowsOf(this.run);
    const row = (r: number) => rows - 1 - r; // the first row is on top
    const most = field.reduce((largest, w) => Math.max(largest, Math.abs(w) || 0), 0) || 1;
    const colours = (c: number, r: number) => [0, 1, 2].map((plane) => field[(plane * rows + row(r)) * side + c]);
    const inColour: Partial<HeatData> = {
      pixel: (c, r) => signedRgb(...(colours(c, r).map((w) => w / most) as [number, number, number])),
      reading: (c, r) => colours(c, r).map((w) => shown(w, 3)).join(", ") + " (red, green, blue)",
    };
    image.show({
      columns: side,
      rows,
      value: (c, r) => field[row(r) * side + c],
      columnName: String,
      rowName: (r) => String(row(r)),
      axes: ["column", "row"],
      ...(channels === 3 ? inColour : {}),
    });
    image.draw(theme);
  }

  private drawField(field: Float32Array, frame: number, fit: ReturnType<typeof gaborOf>, theme: Theme): void {
    const { run, place } = this;
    const sites = Array.from(field, (_, i) => i);
    const color = this.colors(this.index, theme.dark);
    const lines: Line[] = [{ name: "start", color: theme.line, width: 1.2 }];
    const data: (number | null)[][] = [sites, Array.from(run.fields.weights.at(0, place))];
    if (run.fields.flow_weights) {
      lines.push({ name: "flow", color: color === category(0, theme.dark) ? category(1, theme.dark) : theme.ink, dash: [6, 4] });
      data.push(Array.from(run.fields.flow_weights.at(frame, place)));
    }
    if (fit && (fit.recorded || fit.gabor.residual < poorest)) {
      lines.push({ name: "Gabor fit", color: theme.soft, dash: [3, 3], width: 1.4 });
      data.push(sites.map((i) => gaborAt(fit.gabor, i, run.sites)));
    }
    lines.push({ name: "w", color, width: 2 });
    data.push(Array.from(field));
    this.field.show(lines, data as any, [], theme);
  }

  private describe(frame: number, field: Float32Array, fit: ReturnType<typeof gaborOf>): void {
    const { run, place } = this;
    const now = rowsAt(run, frame)[place].values;
    const facts: [string, string][] = [
      ["IPR", shown(now.ipr, 3) + (run.localized && Number.isFinite(now.ipr) ? (now.localized === 1 ? ", localized" : ", not localized") : "")],
      ["norm ‖w‖", shown(now.norm, 3)],
      ["peak", `site ${siteName(run, now.position)}, w = ${shown(field[now.position], 3)}`],
      ["mean frequency q̄", shown(now.frequency, 3)],
    ];
    if (fit) {
      const { centre, width, frequency, phase, residual } = fit.gabor;
      const left = `${shown(100 * residual, 2)} % of ‖w‖²`;
      const found = `centre ${shown(centre, 3)}, s = ${shown(width, 3)}, f = ${shown(frequency, 3)}, φ = ${shown(phase, 2)}; leaves ${left}`;
      facts.push(fit.recorded ? ["Gabor fit", found] : ["Gabor fit, by this page", residual < poorest ? found : `none, the best leaves ${left}`]);
    }
    for (const [name, numbers] of Object.entries(run.numbers)) {
      const value = numbers[frame * run.ids.length + place];
      if (["ipr", "norm"].includes(name) || name.startsWith("gabor_") || !(value !== 0)) continue;
      facts.push([name.replaceAll("_", " "), shown(value, 3)]);
    }
    this.facts.replaceChildren(
      ...factRows(facts),
    );
    this.describeGate(field, now.bias ?? 0);
  }

  /// What follows from the weights alone. The share of inputs that open the gate depends on the data, and is not guessed.
  private describeGate(field: Float32Array, bias: number): void {
    this.gate.hidden = specValue(this.run.spec, "network", "activation") !== "relu" || !field.every(Number.isFinite);
    if (this.gate.hidden) return;
    // Eight bits do not know the sign of a weight below s/254, and noise has signs too: small weights are left out, and it is said.
    const least = 0.02 * field.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    const large = field.map((w) => (Math.abs(w) < least ? 0 : w));
    const open = large.filter((w) => w > 0).length;
    const closing = large.filter((w) => w < 0).length;
    const changes = this.run.side > 0 ? "" : `, with ${signChanges(large)} changes of sign around the ring`;
    this.gate.replaceChildren(
      "Gate ",
      setAtBuildTime(formulas.gate),
      `: positive input opens it at ${open} sites and closes it at ${closing}${changes} (weights below 2 % of the largest left out)` +
        (bias ? `; the bias ${shown(bias, 3)} shifts its plane to distance ${shown(Math.abs(bias) / Math.hypot(...field), 3)} from the origin.` : "; its plane passes through the origin."),
    );
  }
}

/// From −m to m, so that zero stays where it is while time runs.
function symmetric(min: number, max: number): [number, number] {
  const most = 1.08 * Math.max(Math.abs(min), Math.abs(max)) || 1;
  return [-most, most];
}

export class UnitPanel {
  readonly box = element("section", { className: "unit", hidden: true });
  private readonly heading = element("h3");
  private readonly units: UnitOfRun[];

  /// `alone`: the only unit there is, always open.
  constructor(
    runs: Run[],
    private readonly store: Store,
    colors: RunColor,
    alone: boolean,
  ) {
    this.units = runs.map((run, index) => new UnitOfRun(run, index, store, colors, runs.length > 1, alone)).filter((_, i) => runs[i].units > 0);
    if (alone) {
      this.box.classList.add("alone");
      this.box.append(...this.units.map(({ box }) => box));
      return;
    }
    const close = element("button", { type: "button", title: "Close (Escape)", onclick: () => store.set({ unit: undefined }) }, "Close");
    this.box.append(element("header", {}, this.heading, close), ...this.units.map(({ box }) => box));
  }

  refresh(): void {
    const { unit } = this.store.state;
    this.box.hidden = unit === undefined;
    this.heading.textContent = unit === undefined ? "" : `Unit ${unit}`;
    for (const each of this.units) each.refresh();
  }

  draw(theme: Theme): void {
    if (this.box.hidden) return;
    for (const each of this.units) each.draw(theme);
  }
}

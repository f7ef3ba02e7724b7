// Loss, accuracy, IPR, norm and whatever else the record has over time, one chart each, with a common cursor.
import uPlot from "uplot";
import { Chart, type Line } from "./chart.ts";
import type { Theme } from "./color.ts";
import type { Run } from "./data.ts";
import { element } from "./dom.ts";
import type { Store } from "./state.ts";
import type { RunColor } from "./sweep.ts";
import { titleOf } from "./titles.ts";

const together: Record<string, string> = { train_loss: "loss", train_accuracy: "accuracy" }; // drawn on one chart
const first = ["loss", "accuracy", "ipr", "norm"];

/// One chart per quantity that some run has, loss first.
export class Curves {
  readonly box = element("div", { className: "charts", id: "curves" });
  private readonly charts = new Map<string, Chart>();

  constructor(
    private readonly runs: Run[],
    private readonly store: Store,
    private readonly colors: RunColor,
    private readonly meanings: Record<string, string>,
    private readonly of: () => string,
  ) {
    this.update();
  }

  /// Charts of quantities that have come or begun to move since.
  update(): void {
    const keys = new Set<string>(first);
    for (const run of this.runs) {
      for (const key of Object.keys(run.curves)) keys.add(together[key] ?? key);
      for (const key of Object.keys(run.bands)) if (!key.startsWith("gabor_")) keys.add(key);
    }
    for (const key of keys) if (!this.charts.has(key) && this.moves(key)) this.add(key);
  }

  /// False for what no run has and for what is constant: biases of a network that has none.
  private moves(key: string): boolean {
    return this.runs.some((run) => {
      const values = run.curves[key] ?? (run.bands[key] ?? []).flatMap(({ lower, upper }) => [...lower, ...upper]);
      return values.some((value) => value !== values[0]);
    });
  }

  private add(key: string): void {
    const { store } = this;
    const on = new Set(this.runs.map((run) => run.on));
    const chart = new Chart(
      {
        key,
        title: titleOf(key, on.size === 1 ? [...on][0] : "", this.runs.every(({ units }) => units <= 1)),
        about: this.meanings[key],
        of: this.of,
        x: "step",
        height: 190,
        log: "xy",
        sync: "sluice",
        marker: () => store.state.step,
        choose: (x) => store.set({ step: Math.round(x) }),
      },
      store,
    );
    this.charts.set(key, chart);
    this.box.append(chart.box);
  }

  private unitLine(run: Run, key: string): (number | null)[] | undefined {
    const place = run.ids.indexOf(this.store.state.unit ?? -1);
    const numbers = run.numbers[key];
    if (place < 0 || !numbers) return undefined;
    return run.frames.map((_, t) => {
      const value = numbers[t * run.ids.length + place];
      return Number.isFinite(value) ? value : null;
    });
  }

  /// Called when something other than the cursor has changed.
  refresh(theme: Theme): void {
    for (const [key, chart] of this.charts) {
      const lines: Line[] = [];
      const tables: uPlot.AlignedData[] = [];
      const bands: uPlot.Band[] = [];
      this.runs.forEach((run, index) => {
        if (this.store.state.hidden.has(index)) return;
        const color = this.colors(index, theme.dark);
        const several = this.runs.length > 1;
        const of = (what: string) => (several ? `${run.label}, ${what}` : what);
        const name = several ? run.label : key.replaceAll("_", " ");
        const add = (line: Line, x: number[], y: (number | null)[]) => {
          lines.push(line);
          tables.push([x, y]);
        };
        if (run.curves[key]) add({ name, color }, run.step, run.curves[key]);
        for (const [extra, main] of Object.entries(together)) {
          // Measured on the training set, both are one curve.
          if (main === key && run.curves[extra] && !(run.on === "training set" && run.curves[key]))
            add({ name: several ? `${run.label}, train` : "on the training set", color, dash: [5, 4], width: 1.2 }, run.step, run.curves[extra]);
        }
        // Units that end localized and units that do not are two populations: full and dashed.
        for (const band of run.bands[key] ?? []) {
          const at = lines.length + 1;
          const two = run.bands[key].length > 1;
          const what = two ? `${band.of}, ${Math.round((100 * band.units) / run.units)} %` : "mean";
          const edge = { color: "transparent", width: 0, quiet: true };
          if (run.units > 1) {
            add({ name: of(two ? `${band.of}, upper quartile` : "upper quartile"), ...edge }, run.step, band.upper);
            add({ name: of(two ? `${band.of}, lower quartile` : "lower quartile"), ...edge }, run.step, band.lower);
            bands.push({ series: [at, at + 1], fill: color + "33" });
          }
          const line = { name: several ? (two ? of(what) : run.label) : run.units > 1 ? what : key, color };
          add(two && band.of !== "localized" ? { ...line, dash: [6, 3] } : line, run.step, band.mean);
        }
        if (run.bands[key] && run.units > 1) {
          const unit = this.unitLine(run, key);
          if (unit) add({ name: of(`unit ${this.store.state.unit}`), color: several ? color : theme.ink, width: 1.2, dash: [2, 2] }, run.frames, unit);
        }
      });
      chart.show(lines, tables.length > 0 ? uPlot.join(tables) : [[]], bands, theme);
    }
  }

  /// Called when only the cursor has moved.
  mark(): void {
    for (const chart of this.charts.values()) chart.mark();
  }
}

/// A moving average over all curves.
export class Smoothing {
  readonly box: HTMLElement;
  private readonly select: HTMLSelectElement;

  constructor(private readonly store: Store) {
    this.select = element("select", { id: "smooth", onchange: () => store.set({ smooth: Number(this.select.value) }) },
      ...[1, 3, 7, 15, 31].map((points) => element("option", { value: String(points) }, points === 1 ? "none" : `${points} points`)));
    this.box = element("label", { title: "A centred moving average over probe times" }, "Smoothing ", this.select);
  }

  draw(): void {
    this.select.value = String(this.store.state.smooth);
  }
}

// Loss, accuracy, IPR, norm and whatever else the record has over time, one chart each, with a common cursor.
import uPlot from "uplot";
import { Chart, type Line } from "./chart.ts";
import { type Theme, category } from "./color.ts";
import type { Run } from "./data.ts";
import { element } from "./dom.ts";
import type { Store } from "./state.ts";

const titles: Record<string, string> = {
  loss: "Loss",
  accuracy: "Accuracy",
  ipr: "IPR, mean and quartiles over units",
  norm: "Norm ‖w‖, mean and quartiles over units",
  bias: "Bias, mean and quartiles over units",
  readout: "Readout a, mean and quartiles over units",
  flow_distance: "Relative distance to the flow",
  offset: "Offset c of the output",
};
const together: Record<string, string> = { train_loss: "loss", train_accuracy: "accuracy" }; // drawn on one chart

interface Panel {
  key: string;
  chart: Chart;
}

/// One chart per quantity that some run has, loss first.
export class Curves {
  readonly box = element("div", { className: "charts", id: "curves" });
  private readonly panels: Panel[] = [];

  constructor(
    private readonly runs: Run[],
    private readonly store: Store,
  ) {
    const keys = new Set<string>();
    for (const key of ["loss", "accuracy", "ipr", "norm"]) if (runs.some((run) => this.has(run, key))) keys.add(key);
    for (const run of runs) {
      for (const key of Object.keys(run.curves)) if (!together[key]) keys.add(key);
      for (const key of Object.keys(run.bands)) if (!key.startsWith("gabor_")) keys.add(key);
    }
    for (const key of keys) {
      const constant = runs.every((run) => {
        const values = run.curves[key] ?? (run.bands[key] ?? []).flatMap(({ lower, upper }) => [...lower, ...upper]);
        return values.every((value) => value === values[0]);
      });
      if (constant) continue; // biases of a network that has none
      const chart = new Chart({
        title: titles[key] ?? key.replaceAll("_", " "),
        x: "step",
        height: 190,
        sync: "sluice",
        bands: [],
        marker: () => store.state.step,
        choose: (x) => store.set({ step: Math.round(x) }),
      });
      this.panels.push({ key, chart });
      this.box.append(chart.box);
    }
  }

  private has(run: Run, key: string): boolean {
    return key in run.curves || key in run.bands;
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
    for (const { key, chart } of this.panels) {
      const lines: Line[] = [];
      const tables: uPlot.AlignedData[] = [];
      const bands: uPlot.Band[] = [];
      this.runs.forEach((run, index) => {
        if (this.store.state.hidden.has(index)) return;
        const color = category(index, theme.dark);
        const several = this.runs.length > 1;
        const name = several ? run.label : key;
        const add = (line: Line, x: number[], y: (number | null)[]) => {
          lines.push(line);
          tables.push([x, y]);
        };
        if (run.curves[key]) add({ name, color }, run.step, run.curves[key]);
        for (const [extra, main] of Object.entries(together)) {
          if (main === key && run.curves[extra])
            add({ name: several ? `${run.label}, train` : "on the training set", color, dash: [5, 4], width: 1.2 }, run.step, run.curves[extra]);
        }
        // Units that end localized and units that do not are two populations: full and dashed.
        for (const band of run.bands[key] ?? []) {
          const at = lines.length + 1;
          const edge = { color: "transparent", width: 0, quiet: true };
          add({ name: "upper", ...edge }, run.step, band.upper);
          add({ name: "lower", ...edge }, run.step, band.lower);
          bands.push({ series: [at, at + 1], fill: color + "33" });
          const two = run.bands[key].length > 1;
          const what = two ? `${band.of}, ${Math.round((100 * band.units) / run.units)} %` : "mean";
          const line = { name: several ? (two ? `${run.label}, ${what}` : run.label) : what, color };
          add(two && band.of !== "localized" ? { ...line, dash: [6, 3] } : line, run.step, band.mean);
        }
        if (run.bands[key]) {
          const unit = this.unitLine(run, key);
          if (unit)
            add({ name: several ? `${run.label}, unit ${this.store.state.unit}` : `unit ${this.store.state.unit}`, color: several ? color : theme.ink, width: 1.2, dash: [2, 2] }, run.frames, unit);
        }
      });
      chart.bands(bands);
      chart.show(lines, tables.length > 0 ? uPlot.join(tables) : [[]], theme);
    }
  }

  /// Called when only the cursor has moved.
  mark(): void {
    for (const { chart } of this.panels) chart.mark();
  }
}

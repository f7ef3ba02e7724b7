// The numbers of every shown unit at one frame, as sorting, filters and read-outs want them.
import { type Run, rowsOf } from "./data.ts";
import { meanFrequency, peak, spectrumOf } from "./field.ts";
import type { UnitRow } from "./order.ts";

const kept = new WeakMap<Run, Map<number, UnitRow[]>>();

export function rowsAt(run: Run, frame: number): UnitRow[] {
  let frames = kept.get(run);
  if (!frames) kept.set(run, (frames = new Map()));
  let rows = frames.get(frame);
  if (!rows) {
    const field = new Float32Array(run.sites);
    rows = run.ids.map((id, place) => {
      run.fields.weights.at(frame, place, field);
      const site = peak(field);
      const values: Record<string, number> = {
        position: site,
        sign: Math.sign(field[site]),
        frequency: meanFrequency(spectrumOf(field, run.side, run.channels)),
        localized: run.localized ? run.localized[frame * run.ids.length + place] : NaN,
      };
      for (const [name, numbers] of Object.entries(run.numbers)) values[name] = numbers[frame * run.ids.length + place];
      return { place, id, values };
    });
    if (frames.size > 8) frames.delete(frames.keys().next().value!);
    frames.set(frame, rows);
  }
  return rows;
}

/// After the run's data have changed.
export function forgetRows(run: Run): void {
  kept.delete(run);
}

const colours = ["red", "green", "blue"];

/// Site of a ring, "row, column" of a torus, with the colour where there are several, beside an axis by its letter; an en dash for none.
export function siteName(run: Run, site: number, onAxis = false): string {
  if (site < 0) return "–";
  if (run.side === 0) return String(site);
  const plane = run.side * rowsOf(run);
  const pixel = site % plane;
  return `${Math.floor(pixel / run.side)}, ${pixel % run.side}` + (run.channels === 3 ? ` ${colours[Math.floor(site / plane)].slice(0, onAxis ? 1 : undefined)}` : "");
}

// Receptive fields as files: a table of all numbers of the shown units, and tiles of curves as a vector graphic.
import type { Theme } from "./color.ts";
import type { Run } from "./data.ts";
import type { UnitRow } from "./order.ts";
import { rowsAt } from "./rows.ts";
import { csvOf } from "./save.ts";
import { pathOf, svgDocument, svgTag } from "./svg.ts";

/// Unit by unit in the shown order: its numbers, then its weights.
export function fieldsCsv(run: Run, frame: number, order: UnitRow[]): string {
  const now = rowsAt(run, frame);
  const names = Object.keys(now[0]?.values ?? {}).filter((name) => now.some(({ values }) => Number.isFinite(values[name])));
  const digits = (value: number) => (Number.isFinite(value) ? +value.toPrecision(5) : null);
  return csvOf(
    ["unit", ...names, ...Array.from({ length: run.sites }, (_, i) => `w${i}`)],
    order.map((row) => [row.id, ...names.map((name) => digits(now[row.place].values[name])), ...Array.from(run.fields.weights.at(frame, row.place), digits)]),
  );
}

export interface Tiles {
  run: Run;
  frame: number;
  order: UnitRow[];
  columns: number;
  tile: { width: number; height: number };
  gap: number;
  theme: Theme;
  scaleOf: (place: number) => number;
  colorOf: (place: number) => string;
}

export function fieldsSvg({ run, frame, order, columns, tile: { width, height }, gap, theme, scaleOf, colorOf }: Tiles): string {
  const tiles = order.map((row, index) => {
    const x = (index % columns) * (width + gap);
    const y = Math.floor(index / columns) * (height + gap);
    const scale = scaleOf(row.place) || 1;
    const field = Array.from(run.fields.weights.at(frame, row.place));
    const points = field.map((w, i): [number, number] => [2 + ((width - 4) * (i + 0.5)) / field.length, height / 2 - ((height / 2 - 3) * w) / scale]);
    return svgTag("g", { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
      svgTag("path", { d: `M0 ${(height / 2).toFixed(2)}H${width.toFixed(2)}`, stroke: theme.line }) +
      svgTag("path", { d: pathOf(points), fill: "none", stroke: colorOf(row.place), "stroke-width": 1.4 }) +
      svgTag("text", { x: 3, y: 10, "font-size": 9, fill: theme.soft }, String(row.id)));
  });
  const rows = Math.ceil(order.length / columns);
  return svgDocument(columns * (width + gap) - gap, rows * (height + gap) - gap, theme, tiles.join(""));
}

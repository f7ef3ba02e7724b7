// A uPlot chart that fits its place, follows the theme and carries a marker; axes on demand logarithmic, drag to zoom, savable.
import uPlot from "uplot";
import { type Theme } from "./color.ts";
import { element, shown } from "./dom.ts";
import { csvOf, saveMenu } from "./save.ts";
import { smoothed } from "./smooth.ts";
import type { Store } from "./state.ts";
import { type Ticks, chartSvg } from "./svg.ts";
import { onTouchDrag } from "./touch.ts";

export interface Line {
  name: string;
  color: string;
  width?: number;
  dash?: number[];
  fill?: string;
  bars?: boolean;
  quiet?: boolean; // not in the legend: an edge of a band
}

export interface ChartOptions {
  key: string; // of its state: logarithmic or not
  title: string;
  about?: string; // what it is, for a reader who points at the title
  of: () => string; // what its files are called after
  x: string;
  height: number;
  log: string; // axes that may be logarithmic: "", "y", "xy"
  sync?: string;
  marker?: () => number | undefined;
  choose?: (x: number) => void;
  range?: (min: number, max: number) => [number, number];
  margin?: number; // of the x axis beyond its first and last value
}

// Steps, sites and modes are whole numbers, and so are the places of their ticks.
const whole = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
const least = 4; // pixels that a drag has and a click has not

export class Chart {
  readonly box: HTMLElement;
  private plot?: uPlot;
  private readonly stage = element("div", { className: "stage" });
  private readonly marker = element("div", { className: "marker" });
  private readonly caption = element("span");
  private readonly toggles: Record<string, HTMLButtonElement> = {};
  private readonly whole: HTMLButtonElement;
  private readonly ticks: { x: Ticks; y: Ticks } = { x: { at: [], text: [] }, y: { at: [], text: [] } };
  private lines: Line[] = [];
  private areas: uPlot.Band[] = [];
  private given: uPlot.AlignedData = [[]];
  private data: uPlot.AlignedData = [[]];
  private theme?: Theme;
  private built = "";
  private pressed = 0; // where the pointer went down

  constructor(
    private readonly options: ChartOptions,
    private readonly store: Store,
  ) {
    for (const axis of options.log)
      this.toggles[axis] = element("button", { type: "button", className: `log-${axis}`, title: `Logarithmic ${axis} axis`, onclick: () => this.toggle(axis) }, `log ${axis}`);
    this.whole = element("button", { type: "button", className: "whole", title: "Show all of the x axis (or double click, double tap)", onclick: () => this.zoom(undefined) }, "whole");
    const menu = saveMenu({
      of: options.of,
      view: options.key,
      step: () => (options.marker ? undefined : store.state.step), // a curve over all steps is of no step
      csv: () => this.csv(),
      svg: () => this.svg(),
    });
    const tools = element("span", { className: "tools" }, this.whole, ...Object.values(this.toggles), menu);
    this.box = element("figure", { className: "chart" }, element("figcaption", {}, this.caption, tools), this.stage);
    this.retitle(options.title);
    this.caption.title = options.about ?? "";
    new ResizeObserver(() => this.resize()).observe(this.stage);
  }

  retitle(title: string): void {
    this.options.title = this.caption.textContent = title;
  }

  show(lines: Line[], data: uPlot.AlignedData, bands: uPlot.Band[], theme: Theme): void {
    this.lines = lines;
    this.given = data;
    this.areas = bands;
    this.theme = theme;
    this.data = this.shownData();
    for (const [axis, button] of Object.entries(this.toggles)) button.setAttribute("aria-pressed", String(this.isLog(axis)));
    this.whole.hidden = !this.zoomed;
    const shape = JSON.stringify([lines, bands, theme, this.store.state.log[this.options.key]]);
    if (shape !== this.built || !this.plot) this.rebuild(shape);
    else this.plot.setData(this.data);
    this.readMarker();
  }

  /// Draws the marker where it is now; while the pointer is elsewhere the legend reads the values there.
  mark(): void {
    this.placeMarker();
    this.readMarker();
  }

  private isLog(axis: string): boolean {
    return (this.store.state.log[this.options.key] ?? "").includes(axis);
  }

  private toggle(axis: string): void {
    const axes = ["x", "y"].filter((each) => this.isLog(each) !== (each === axis)).join("");
    this.store.set({ log: { ...this.store.state.log, [this.options.key]: axes } });
  }

  private get zoomed(): [number, number] | undefined {
    return this.store.state.zoom[this.options.x];
  }

  private zoom(to: [number, number] | undefined): void {
    const { [this.options.x]: _, ...others } = this.store.state.zoom;
    this.store.set({ zoom: to ? { ...others, [this.options.x]: to } : others });
  }

  /// Smoothed; on a logarithmic axis only what is positive.
  private shownData(): uPlot.AlignedData {
    let [x, ...ys] = this.given as [number[], ...(number | null | undefined)[][]];
    if (this.options.marker) ys = ys.map((y) => smoothed(y, this.store.state.smooth));
    if (this.isLog("y")) ys = ys.map((y) => y.map((value) => (value !== null && value !== undefined && value > 0 ? value : null)));
    if (this.isLog("x")) {
      const from = x.findIndex((value) => value > 0);
      x = from < 0 ? [] : x.slice(from);
      ys = ys.map((y) => (from < 0 ? [] : y.slice(from)));
    }
    return [x, ...ys] as uPlot.AlignedData;
  }

  private csv(): string {
    const [x, ...ys] = this.data;
    const rows = Array.from(x, (at, i) => [at, ...ys.map((y) => y[i])]);
    return csvOf([this.options.x, ...this.lines.map(({ name }) => name)], rows);
  }

  private svg(): string {
    const { plot, theme } = this;
    return chartSvg(
      {
        title: this.options.title,
        xLabel: this.options.x,
        lines: this.lines,
        data: this.data,
        bands: this.areas,
        ticks: this.ticks,
        size: { width: plot!.over.clientWidth, height: plot!.over.clientHeight },
        place: (value, scale) => plot!.valToPos(value, scale),
      },
      theme!,
    );
  }

  private readMarker(): void {
    const at = this.options.marker?.();
    const x = this.plot?.data[0];
    if (!this.plot || at === undefined || !x || x.length === 0 || (this.plot.cursor.left ?? -1) >= 0) return;
    let nearest = 0;
    for (let i = 1; i < x.length; ++i) if (Math.abs(x[i] - at) < Math.abs(x[nearest] - at)) nearest = i;
    this.plot.setLegend({ idx: nearest }, false);
  }

  private rebuild(shape: string): void {
    this.plot?.destroy();
    this.plot = undefined;
    const width = this.stage.clientWidth;
    if (width === 0 || !this.theme) return;
    this.built = shape;
    const { theme, options } = this;
    const axis: uPlot.Axis = {
      stroke: theme.soft,
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      grid: { stroke: theme.line, width: 1 },
      ticks: { stroke: theme.line, width: 1, size: 4 },
    };
    const log = (name: string) => (this.isLog(name) ? { distr: 3 as const } : {});
    const kept = (which: "x" | "y", write: (tick: number) => string) => (_u: uPlot, at: (number | null)[]) => {
      const text = at.map((tick) => (tick === null || tick === undefined ? "" : write(tick)));
      this.ticks[which] = { at: at.map((tick) => tick ?? NaN), text };
      return text;
    };
    const value = (_: uPlot, v: number | null) => (v === null || v === undefined ? "" : shown(v, 3));
    const plain = (tick: number) => (tick !== 0 && Math.abs(tick) < 1e-4 ? tick.toExponential() : String(+tick.toPrecision(6))).replace("-", "−");
    this.plot = new uPlot(
      {
        width,
        height: options.height,
        padding: [8, 22, 0, 0],
        cursor: {
          y: false,
          points: { size: 6 },
          ...(options.sync ? { sync: { key: options.sync, setSeries: false } } : {}),
          drag: { setScale: false, x: true, y: false, dist: least },
        },
        legend: { live: true, markers: { width: 2, dash: (_u, i) => (this.lines[i - 1]?.dash ? "dashed" : "solid"), fill: () => "transparent", stroke: (_u, i) => this.lines[i - 1]?.color ?? "transparent" } },
        scales: {
          x: {
            time: false,
            ...log("x"),
            range: (_u: uPlot, min: number, max: number) => this.zoomed ?? [min - (options.margin ?? 0), max + (options.margin ?? 0)],
          },
          y: { ...log("y"), ...(this.isLog("y") ? { range: (_u: uPlot, min: number, max: number) => [min / 1.15, max * 1.15] as [number, number] } : options.range ? { range: (_u: uPlot, min: number, max: number) => options.range!(min, max) } : {}) },
        },
        axes: [
          { ...axis, label: options.x, labelSize: 18, size: 30, ...(this.isLog("x") ? {} : { incrs: whole }), values: kept("x", (tick) => shown(tick)) },
          { ...axis, size: 52, values: kept("y", plain) },
        ],
        series: [
          { label: options.x, value },
          ...this.lines.map(
            (line): uPlot.Series => ({
              label: line.name,
              stroke: line.color,
              width: line.width ?? 1.8,
              dash: line.dash,
              fill: line.fill,
              value,
              spanGaps: true,
              points: { show: false },
              class: line.quiet ? "quiet" : undefined,
              paths: line.bars ? uPlot.paths.bars!({ size: [0.7, 40] }) : undefined,
            }),
          ),
        ],
        bands: this.areas,
        hooks: {
          draw: [() => this.placeMarker()],
          ready: [(u) => this.listen(u)],
          setCursor: [() => this.readMarker()],
          setSelect: [(u) => this.select(u)],
        },
      },
      this.data,
      this.stage,
    );
  }

  private select(u: uPlot): void {
    const { left, width } = u.select;
    if (width < least) return;
    const ends = [u.posToVal(left, "x"), u.posToVal(left + width, "x")].map((end) => +end.toPrecision(5));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (ends[0] < ends[1]) this.zoom(ends as [number, number]);
  }

  private listen(u: uPlot): void {
    const mark = (from: number, to: number) =>
      u.setSelect({ left: Math.min(from, to), top: 0, width: Math.abs(to - from), height: u.over.clientHeight }, false);
    onTouchDrag(u.over, least, {
      moves: mark,
      ends: (from, to) => {
        mark(from, to);
        this.select(u);
      },
      cancelled: () => mark(0, 0),
      doubleTap: () => this.zoom(undefined),
    });
    u.over.addEventListener("mousedown", (event) => (this.pressed = event.offsetX));
    u.over.addEventListener("dblclick", () => this.zoom(undefined));
    if (!this.options.choose) return;
    u.over.addEventListener("click", (event) => {
      if (Math.abs(event.offsetX - this.pressed) < least) this.options.choose!(u.posToVal(event.offsetX, "x"));
    });
  }

  /// An element above the plot: moving it repaints nothing.
  private placeMarker(): void {
    const at = this.options.marker?.();
    if (at === undefined || !this.plot) return;
    const place = Math.round(this.plot.valToPos(at, "x"));
    this.marker.hidden = !(place >= 0 && place <= this.plot.over.clientWidth);
    this.plot.over.append(this.marker);
    this.marker.style.transform = `translateX(${place}px)`;
  }

  private resize(): void {
    const width = this.stage.clientWidth;
    if (width === 0) return;
    if (!this.plot && this.theme) this.show(this.lines, this.given, this.areas, this.theme);
    else if (this.plot && Math.abs(this.plot.width - width) > 0.5) this.plot.setSize({ width, height: this.options.height });
  }
}

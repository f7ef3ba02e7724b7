// A uPlot chart that fits its place, follows the theme and carries a marker.
import uPlot from "uplot";
import { type Theme } from "./color.ts";
import { element, shown } from "./dom.ts";

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
  title: string;
  x: string;
  height: number;
  sync?: string;
  bands?: uPlot.Band[];
  marker?: () => number | undefined;
  choose?: (x: number) => void;
  range?: (min: number, max: number) => [number, number];
  margin?: number; // of the x axis beyond its first and last value
}

// Steps, sites and modes are whole numbers, and so are the places of their ticks.
const whole = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

export class Chart {
  readonly box: HTMLElement;
  private plot?: uPlot;
  private readonly stage = element("div", { className: "stage" });
  private readonly marker = element("div", { className: "marker" });
  private lines: Line[] = [];
  private data: uPlot.AlignedData = [[]];
  private theme?: Theme;
  private built = "";

  constructor(private readonly options: ChartOptions) {
    this.box = element("figure", { className: "chart" }, element("figcaption", {}, options.title), this.stage);
    new ResizeObserver(() => this.resize()).observe(this.stage);
  }

  show(lines: Line[], data: uPlot.AlignedData, theme: Theme): void {
    const shape = JSON.stringify([lines, this.options.bands, theme]);
    this.lines = lines;
    this.data = data;
    this.theme = theme;
    if (shape !== this.built || !this.plot) this.rebuild(shape);
    else this.plot.setData(data);
    this.readMarker();
  }

  /// Areas between two lines, by their places among them; from the next show() on.
  bands(bands: uPlot.Band[]): void {
    this.options.bands = bands;
  }

  /// Draws the marker where it is now; while the pointer is elsewhere the legend reads the values there.
  mark(): void {
    this.placeMarker();
    this.readMarker();
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
    const value = (_: uPlot, v: number | null) => (v === null || v === undefined ? "" : shown(v, 3));
    this.plot = new uPlot(
      {
        width,
        height: options.height,
        padding: [8, 22, 0, 0],
        cursor: {
          y: false,
          points: { size: 6 },
          ...(options.sync ? { sync: { key: options.sync, setSeries: false } } : {}),
          drag: { setScale: false, x: false, y: false },
        },
        legend: { live: true },
        scales: {
          x: { time: false, range: (_u: uPlot, min: number, max: number) => [min - (options.margin ?? 0), max + (options.margin ?? 0)] },
          ...(options.range ? { y: { range: (_u: uPlot, min: number, max: number) => options.range!(min, max) } } : {}),
        },
        axes: [
          { ...axis, label: options.x, labelSize: 18, size: 30, incrs: whole, values: (_u, ticks) => ticks.map((t) => shown(t)) },
          { ...axis, size: 52, values: (_u, ticks) => ticks.map((t) => String(+t.toPrecision(6)).replace("-", "−")) },
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
        bands: options.bands,
        hooks: { draw: [() => this.placeMarker()], ready: [(u) => this.listen(u)], setCursor: [() => this.readMarker()] },
      },
      this.data,
      this.stage,
    );
  }

  private listen(u: uPlot): void {
    if (!this.options.choose) return;
    u.over.addEventListener("click", (event) => this.options.choose!(u.posToVal(event.offsetX, "x")));
  }

  /// An element above the plot: moving it repaints nothing.
  private placeMarker(): void {
    const at = this.options.marker?.();
    if (at === undefined || !this.plot) return;
    this.plot.over.append(this.marker);
    this.marker.style.transform = `translateX(${Math.round(this.plot.valToPos(at, "x"))}px)`;
  }

  private resize(): void {
    const width = this.stage.clientWidth;
    if (width === 0) return;
    if (!this.plot && this.theme) this.show(this.lines, this.data, this.theme);
    else if (this.plot && Math.abs(this.plot.width - width) > 0.5) this.plot.setSize({ width, height: this.options.height });
  }
}

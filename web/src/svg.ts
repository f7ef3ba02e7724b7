// A vector graphic of a chart, from the same numbers and the same ticks as the chart on the screen.
import type uPlot from "uplot";
import type { Theme } from "./color.ts";

export interface Ticks {
  at: number[];
  text: string[];
}

export interface Drawn {
  title: string;
  xLabel: string;
  lines: { name: string; color: string; width?: number; dash?: number[]; quiet?: boolean; bars?: boolean }[];
  data: uPlot.AlignedData;
  bands: uPlot.Band[];
  ticks: { x: Ticks; y: Ticks };
  size: { width: number; height: number }; // of the plot, without its axes
  place: (value: number, scale: "x" | "y") => number; // within the plot
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const round = (x: number) => String(Math.round(100 * x) / 100);

function tag(name: string, attributes: Record<string, string | number | undefined>, content = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => (value === undefined ? "" : ` ${key}="${escaped(typeof value === "number" ? round(value) : value)}"`));
  return `<${name}${list.join("")}${content ? `>${content}</${name}>` : "/>"}`;
}

export function svgDocument(width: number, height: number, theme: Theme, body: string): string {
  return tag(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${round(width)} ${round(height)}`, "font-family": "system-ui, sans-serif", "font-size": "12" },
    tag("rect", { width, height, fill: theme.card }) + body,
  );
}

export { tag as svgTag };

/// "M0 1L2 3": through the points that are numbers.
export function pathOf(points: Iterable<[number, number]>): string {
  let path = "";
  for (const [x, y] of points) if (Number.isFinite(x) && Number.isFinite(y)) path += `${path ? "L" : "M"}${round(x)} ${round(y)}`;
  return path;
}

export function chartSvg(chart: Drawn, theme: Theme): string {
  const { width, height } = chart.size;
  const left = 58;
  const top = 34;
  const x = chart.data[0];
  const points = (series: number) => {
    const y = chart.data[series] as (number | null | undefined)[];
    const out: [number, number][] = [];
    for (let i = 0; i < x.length; ++i) {
      const value = y[i];
      if (value !== null && value !== undefined) out.push([chart.place(x[i], "x"), chart.place(value, "y")]);
    }
    return out;
  };
  let axes = "";
  chart.ticks.x.at.forEach((at, i) => {
    const place = chart.place(at, "x");
    if (!chart.ticks.x.text[i] || place < -0.5 || place > width + 0.5) return;
    axes += tag("path", { d: `M${round(place)} 0V${round(height + 4)}`, stroke: theme.line });
    axes += tag("text", { x: place, y: height + 17, "text-anchor": "middle", fill: theme.soft }, escaped(chart.ticks.x.text[i]));
  });
  chart.ticks.y.at.forEach((at, i) => {
    const place = chart.place(at, "y");
    if (!chart.ticks.y.text[i] || place < -0.5 || place > height + 0.5) return;
    axes += tag("path", { d: `M-4 ${round(place)}H${round(width)}`, stroke: theme.line });
    axes += tag("text", { x: -8, y: place + 4, "text-anchor": "end", fill: theme.soft }, escaped(chart.ticks.y.text[i]));
  });
  axes += tag("text", { x: width / 2, y: height + 34, "text-anchor": "middle", fill: theme.soft }, escaped(chart.xLabel));
  let body = "";
  for (const { series, fill } of chart.bands)
    body += tag("path", { d: pathOf([...points(series[0]), ...points(series[1]).reverse()]) + "Z", fill: fill as string });
  chart.lines.forEach((line, i) => {
    if (line.quiet) return;
    if (line.bars) {
      const zero = chart.place(0, "y");
      const bar = 0.7 * Math.min(40, width / Math.max(1, x.length));
      for (const [at, y] of points(i + 1)) body += tag("rect", { x: at - bar / 2, y: Math.min(y, zero), width: bar, height: Math.abs(zero - y), fill: line.color });
    } else body += tag("path", { d: pathOf(points(i + 1)), fill: "none", stroke: line.color, "stroke-width": line.width ?? 1.8, "stroke-dasharray": line.dash?.join(" ") });
  });
  const named = chart.lines.filter(({ quiet }) => !quiet);
  const legend = named.map((line, i) => {
    const y = height + 56 + 17 * i;
    return tag("path", { d: `M0 ${round(y - 4)}h22`, stroke: line.color, "stroke-width": Math.max(2, line.width ?? 1.8), "stroke-dasharray": line.dash?.join(" ") }) +
      tag("text", { x: 30, y, fill: theme.ink }, escaped(line.name));
  });
  const all = tag("clipPath", { id: "plot" }, tag("rect", { width, height })) +
    tag("text", { x: left, y: 20, "font-weight": "600", "font-size": "14", fill: theme.ink }, escaped(chart.title)) +
    tag("g", { transform: `translate(${left} ${top})` }, axes + tag("g", { "clip-path": "url(#plot)", "stroke-linejoin": "round" }, body) + legend.join(""));
  return svgDocument(left + width + 24, top + height + 52 + 17 * named.length, theme, all);
}

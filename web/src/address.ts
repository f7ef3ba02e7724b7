// The state as the part of the address after '#', so that a reload and a link show the same view. What is as the page opens
// is left out.
import type { State } from "./state.ts";

const number = (text: string | null | undefined) => (text === null || text === undefined || text.trim() === "" ? NaN : Number(text));

export function toAddress(state: State, first: State, runs: number): string {
  const words = new URLSearchParams();
  const { arrangement: how } = state;
  const put = (name: string, value: unknown, usual: unknown) => value !== usual && words.set(name, String(value ?? ""));
  put("step", state.step, first.step);
  put("unit", state.unit, first.unit);
  put("sort", how.sort, first.arrangement.sort);
  put("descending", how.descending, first.arrangement.descending);
  put("show", how.population, first.arrangement.population);
  put("now", state.sortNow, first.sortNow);
  put("scale", state.scale, first.scale);
  put("as", state.look, first.look);
  put("smooth", state.smooth, first.smooth);
  for (const [key, { from, to }] of Object.entries(how.ranges))
    if (from !== -Infinity || to !== Infinity) words.append("range", `${key}:${from}:${to}`);
  for (const [key, axes] of Object.entries(state.log)) if (axes) words.append("log", `${key}:${axes}`);
  for (const [key, [from, to]] of Object.entries(state.zoom)) words.append("zoom", `${key}:${from}:${to}`);
  const shown = (hidden: Set<number>) => Array.from({ length: runs }, (_, i) => i).filter((i) => !hidden.has(i)).join(".");
  put("runs", shown(state.hidden), shown(first.hidden));
  return words.toString().replaceAll("%3A", ":");
}

/// The state that an address stands for; what it does not name or names wrongly is as the page opens.
export function fromAddress(text: string, first: State, runs: number): State {
  const words = new URLSearchParams(text.replace(/^#/, ""));
  const state: State = {
    ...first,
    arrangement: { ...first.arrangement, ranges: {} },
    hidden: new Set(first.hidden),
    log: {},
    zoom: {},
  };
  const step = number(words.get("step"));
  if (Number.isFinite(step)) state.step = step;
  const unit = number(words.get("unit"));
  if (words.has("unit")) state.unit = Number.isInteger(unit) ? unit : undefined;
  state.arrangement.sort = words.get("sort") || first.arrangement.sort;
  state.arrangement.descending = words.has("descending") ? words.get("descending") === "true" : first.arrangement.descending;
  state.arrangement.population = words.get("show") ?? first.arrangement.population;
  state.sortNow = words.has("now") ? words.get("now") === "true" : first.sortNow;
  const scale = words.get("scale");
  if (scale === "common" || scale === "now" || scale === "own") state.scale = scale;
  const look = words.get("as");
  if (look === "curves" || look === "map") state.look = look;
  const smooth = number(words.get("smooth"));
  if (Number.isInteger(smooth) && smooth > 0) state.smooth = smooth;
  const limits = (word: string): [string, number, number] => {
    const [key, from, to] = word.split(":");
    return [key, number(from), number(to)];
  };
  for (const word of words.getAll("range")) {
    const [key, from, to] = limits(word);
    if (from <= to) state.arrangement.ranges[key] = { from, to };
  }
  for (const word of words.getAll("zoom")) {
    const [key, from, to] = limits(word);
    if (from < to) state.zoom[key] = [from, to];
  }
  for (const word of words.getAll("log")) {
    const [key, axes] = word.split(":");
    if (["x", "y", "xy"].includes(axes)) state.log[key] = axes;
  }
  if (words.has("runs")) {
    const shown = new Set(words.get("runs")!.split(".").map(number));
    state.hidden = new Set(Array.from({ length: runs }, (_, i) => i).filter((i) => !shown.has(i)));
  }
  return state;
}

// The runs of a page by what sets them apart: groups, the first selection, colours.
import { category, mixed, sequential } from "./color.ts";
import type { Run } from "./data.ts";

export interface Group {
  name: string; // "gain = 3", empty where only seeds differ
  runs: number[];
}

const isSeed = (name: string) => name === "seed";
const named = ([name, value]: [string, string]) => (name ? `${name} = ${value}` : value);

/// Runs that differ in the seed alone are one group, in the order in which they come.
export function groupsOf(runs: Run[]): Group[] {
  const groups = new Map<string, Group>();
  runs.forEach((run, index) => {
    const name = run.settings.length > 0 ? run.settings.filter(([key]) => !isSeed(key)).map(named).join(", ") : run.label;
    if (!groups.has(name)) groups.set(name, { name, runs: [] });
    groups.get(name)!.runs.push(index);
  });
  return [...groups.values()];
}

/// Of a run within its group: "seed 2", or its whole name.
export function nameInGroup(run: Run): string {
  const seed = run.settings.find(([key]) => isSeed(key));
  return seed ? `seed ${seed[1]}` : run.label;
}

const mostAtFirst = 8;

/// Which runs a page opens with: of every value of every swept key at least one, one seed each, while there are at most eight.
export function firstRuns(runs: Run[]): number[] {
  const groups = groupsOf(runs);
  if (groups.length === 1) return groups[0].runs.slice(0, 6);
  const candidates = groups.map((group) => group.runs[0]);
  let chosen = candidates;
  if (candidates.length > mostAtFirst) {
    chosen = [];
    const seen = new Set<string>();
    const news = (index: number) => runs[index].settings.filter((setting) => !isSeed(setting[0]) && !seen.has(named(setting))).length;
    for (let best = candidates[0]; news(best) > 0; best = candidates.reduce((a, b) => (news(b) > news(a) ? b : a))) {
      chosen.push(best);
      for (const setting of runs[best].settings) seen.add(named(setting));
    }
    if (chosen.length === 0) chosen = candidates; // runs without settings
    chosen.sort((a, b) => a - b);
  }
  const count = Math.min(mostAtFirst, chosen.length);
  return Array.from({ length: count }, (_, i) => chosen[count === 1 ? 0 : Math.round((i * (chosen.length - 1)) / (count - 1))]);
}

export type RunColor = (index: number, dark: boolean) => string;

/// A run's colour says the value of the first swept key: on a scale where the values are numbers, of a palette where they are
/// names or only two. Runs with one value differ in lightness.
export function runColors(runs: Run[]): RunColor {
  const values = (name: string) => [...new Set(runs.map((run) => run.settings.find(([key]) => key === name)?.[1] ?? ""))];
  const key = runs[0]?.settings.map(([name]) => name).find((name) => !isSeed(name) && values(name).length > 1);
  if (key === undefined) return (index, dark) => category(index, dark);
  const own = runs.map((run) => run.settings.find(([name]) => name === key)?.[1] ?? "");
  const all = values(key);
  const ordered = all.length > 2 && all.every((value) => value !== "" && Number.isFinite(Number(value)));
  if (ordered) all.sort((a, b) => Number(a) - Number(b));
  return (index, dark) => {
    const place = all.indexOf(own[index]);
    const color = ordered ? sequential(place / (all.length - 1), dark) : category(place, dark);
    const among = own.slice(0, index).filter((value) => value === own[index]).length;
    return mixed(color, dark ? "#202226" : "#ffffff", Math.min(0.55, 0.14 * among));
  };
}

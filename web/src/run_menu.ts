// Which runs of a page are shown: a menu in the bar, folded, grouped by what was swept.
import { prefersDark } from "./color.ts";
import type { Run } from "./data.ts";
import { element } from "./dom.ts";
import type { Store } from "./state.ts";
import { type RunColor, firstRuns, groupsOf, nameInGroup } from "./sweep.ts";

/// A link to the run's own page.
export function pageLink(run: Run): HTMLElement | undefined {
  return run.page ? element("a", { href: run.page.split("/").map(encodeURIComponent).join("/"), title: `The page of ${run.label}`, className: "own-page", "aria-label": `Page of ${run.label}` }, "page ↗") : undefined;
}

export class RunMenu {
  readonly box = element("details", { className: "choose-runs" });
  private readonly summary = element("summary", { title: "Choose the runs that are shown" });
  private readonly switches: HTMLButtonElement[] = [];
  private readonly swatches: HTMLElement[] = [];

  constructor(
    private readonly runs: Run[],
    private readonly store: Store,
    private readonly colors: RunColor,
  ) {
    const show = (indices: number[]) => store.set({ hidden: new Set(runs.map((_, i) => i).filter((i) => !indices.includes(i))) });
    const all = runs.map((_, i) => i);
    const groups = groupsOf(runs);
    const rows = groups.map((group) => {
      const whole = element("button", { type: "button", className: "group", title: "All of them, or none", onclick: () => {
        const { hidden } = store.state;
        const none = group.runs.every((index) => !hidden.has(index));
        for (const index of group.runs) none ? hidden.add(index) : hidden.delete(index);
        store.redraw();
      } }, group.name || "all seeds");
      return element("div", { className: "run-group" }, group.runs.length > 1 ? whole : undefined, element("div", { className: "chips" }, ...group.runs.map((index) => this.chip(index, group.runs.length > 1))));
    });
    const button = (text: string, indices: () => number[]) => element("button", { type: "button", onclick: () => show(indices()) }, text);
    this.box.append(
      this.summary,
      element("div", { className: "panel", role: "group", "aria-label": "Runs" },
        element("div", { className: "run-group" }, button("as at first", () => firstRuns(runs)), button("all", () => all), button("none", () => [])),
        ...rows),
    );
  }

  private chip(index: number, inGroup: boolean): HTMLElement {
    const run = this.runs[index];
    const swatch = element("span", { className: "swatch" });
    const button = element("button", { type: "button", className: "switch", onclick: () => {
      const { hidden } = this.store.state;
      if (!hidden.delete(index)) hidden.add(index);
      this.store.redraw();
    } }, swatch, inGroup ? nameInGroup(run) : run.label);
    button.setAttribute("aria-label", run.label);
    this.switches[index] = button;
    this.swatches[index] = swatch;
    const link = pageLink(run);
    if (link) link.textContent = "↗";
    return element("span", { className: "chip" }, button, link);
  }

  draw(): void {
    const { hidden } = this.store.state;
    this.summary.textContent = `${this.runs.length - hidden.size} of ${this.runs.length} runs`;
    this.switches.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(!hidden.has(index)));
      this.swatches[index].style.background = this.colors(index, prefersDark().matches);
    });
  }
}

// The views of a page: built from the runs, drawn from the state, kept when newer data of the same runs come.
import { type Theme, theme as currentTheme, prefersDark } from "./color.ts";
import { type Controls, TimeBar, unitControls } from "./controls.ts";
import { Curves, Smoothing } from "./curves.ts";
import type { PageData, Run } from "./data.ts";
import { element } from "./dom.ts";
import { Grid } from "./grid.ts";
import { notation, omission, recordLink } from "./notes.ts";
import { forgetRows } from "./rows.ts";
import { RunMenu, pageLink } from "./run_menu.ts";
import { type State, Store } from "./state.ts";
import { type RunColor, firstRuns, runColors } from "./sweep.ts";
import { UnitPanel } from "./unit.ts";

const lastStep = (runs: Run[]) => Math.max(0, ...runs.map(({ step }) => step[step.length - 1] ?? 0));
const isAlone = (runs: Run[]) => runs.some(({ units }) => units > 0) && runs.every(({ units }) => units <= 1);

/// What the page opens with.
export function firstState(runs: Run[]): State {
  const shown = new Set(firstRuns(runs));
  return {
    step: lastStep(runs),
    unit: isAlone(runs) ? runs.find(({ units }) => units > 0)!.ids[0] : undefined,
    arrangement: { sort: "id", descending: false, population: "", ranges: {} },
    sortNow: false,
    scale: "now",
    look: "curves",
    hidden: new Set(runs.map((_, index) => index).filter((index) => !shown.has(index))),
    log: {},
    zoom: {},
    smooth: 1,
  };
}

/// Newer data of these runs? Otherwise views have to be built anew.
function continues(before: Run[], now: Run[]): boolean {
  return before.length === now.length && before.every((run, i) => run.label === now[i].label && run.units === now[i].units && run.ids.length === now[i].ids.length && run.sites === now[i].sites);
}

export class Page {
  readonly time: TimeBar;
  private readonly runs: Run[];
  private readonly colors: RunColor;
  private readonly curves: Curves;
  private readonly smoothing: Smoothing;
  private readonly unit: UnitPanel;
  private readonly menu?: RunMenu;
  private readonly grids: { grid: Grid; card: HTMLElement; facts?: HTMLElement; index: number }[] = [];
  private readonly howToMove = element("span");
  private readonly localized = element("span");
  private readonly keys = element("span");
  private readonly side = element("div", { className: "beside" });
  private controls?: Controls;
  private drawn = "";
  private version = 0;

  constructor(
    mount: HTMLElement,
    data: PageData,
    private readonly store: Store,
    badge: HTMLElement | undefined,
  ) {
    const { runs } = data;
    const several = runs.length > 1;
    const name = several ? document.title : runs[0].label;
    this.runs = runs;
    this.colors = runColors(runs);
    this.time = new TimeBar(runs, store);
    this.curves = new Curves(runs, store, this.colors, data.meanings, () => name);
    this.smoothing = new Smoothing(store);
    this.unit = new UnitPanel(runs, store, this.colors, isAlone(runs));
    if (several) this.menu = new RunMenu(runs, store, this.colors);
    mount.replaceChildren(element("div", { className: "bar" }, this.time.box, this.menu?.box, badge));
    if (isAlone(runs)) mount.append(element("section", {}, element("h2", {}, several ? "The unit of each run" : "1 unit"), this.unit.box, several ? undefined : recordLink(runs[0])));
    else if (runs.some(({ units }) => units > 0)) mount.append(this.fields(several));
    const heading = element("div", { className: "over" }, element("h2", {}, "Over training"), this.smoothing.box);
    mount.append(element("section", {}, heading, this.curves.box));
    if (several) mount.append(specs(runs));
    else if (runs[0].units === 0) mount.append(recordLink(runs[0]) ?? "");
    // On paper the figures come first, then their notation: before the spec.
    document.querySelector("main > section.notation")?.remove();
    const notes = notation(runs[0]);
    const spec = [...document.querySelectorAll("main > section")].find((section) => section.querySelector(":scope > pre"));
    if (spec) spec.before(notes);
    else mount.after(notes);
  }

  private fields(several: boolean): HTMLElement {
    this.runs.forEach((run, index) => {
      if (run.units === 0) return;
      const grid = new Grid(run, this.store, index, this.colors, run.label);
      const facts = several ? element("p", { className: "run-facts" }, factsOf(run)) : undefined;
      this.grids.push({ grid, index, facts, card: runCard(run, grid, several, facts) });
    });
    this.controls = unitControls(this.runs, this.store);
    const runs = element("div", { className: several ? "runs" : "runs one" }, ...this.grids.map(({ card }) => card));
    this.side.append(runs, element("aside", { className: "side" }, element("p", { className: "hint" }, "Click a field to look into a unit."), this.unit.box));
    return element(
      "section",
      {},
      element("h2", {}, "Receptive fields"),
      element("p", { className: "hint" }, this.howToMove, this.localized, this.keys),
      this.controls.box,
      this.side,
    );
  }

  draw(): void {
    const { state } = this.store;
    const theme: Theme = currentTheme();
    this.time.draw();
    this.howToMove.textContent = this.time.moves ? "Move the slider to see training, click a unit to look into it." : "Click a unit to look into it.";
    this.keys.textContent = this.time.moves ? " Keys: ← → time, space plays, Esc closes a unit." : " Esc closes a unit.";
    this.menu?.draw();
    this.controls?.draw();
    this.smoothing.draw();
    this.side.classList.toggle("open", state.unit !== undefined);
    this.side.classList.toggle("one", this.runs.length === 1);
    let localized = false;
    for (const { grid, card, index } of this.grids) {
      card.hidden = state.hidden.has(index);
      card.style.setProperty("--run", this.colors(index, prefersDark().matches));
      if (card.hidden) continue;
      grid.draw(theme);
      localized ||= grid.hasLocalized;
    }
    const framed = this.grids.every(({ index }) => this.runs[index].side > 0);
    this.localized.textContent = localized ? ` ${framed ? "Units in a coloured frame" : "Coloured units"} are localized: their energy w² is concentrated, and more than random phases of their spectrum would do it.` : "";
    const now = JSON.stringify([state.unit, [...state.hidden], state.log, state.zoom, state.smooth, theme, this.version]);
    if (now !== this.drawn) {
      this.unit.refresh();
      this.curves.refresh(theme);
      this.drawn = now;
    } else this.curves.mark();
    this.unit.draw(theme);
  }

  /// The only unit there is stays open.
  closeUnit(): void {
    if (!isAlone(this.runs)) this.store.set({ unit: undefined });
  }

  /// Newer data; false where the page has to be built anew. Time follows the end when it stood there.
  take(data: PageData): boolean {
    if (!continues(this.runs, data.runs)) return false;
    const atEnd = this.store.state.step >= lastStep(this.runs);
    this.runs.forEach((run, i) => {
      Object.assign(run, data.runs[i]);
      forgetRows(run);
    });
    for (const { facts, index } of this.grids) if (facts) facts.textContent = factsOf(this.runs[index]);
    this.time.update();
    this.curves.update();
    if (this.controls && !this.controls.box.contains(document.activeElement)) {
      const fresh = unitControls(this.runs, this.store);
      this.controls.box.replaceWith(fresh.box);
      this.controls = fresh;
    }
    ++this.version;
    this.store.set(atEnd ? { step: lastStep(this.runs) } : {});
    return true;
  }
}

/// What a run comes down to, in a line.
function factsOf(run: Run): string {
  return run.facts.filter(([name]) => !/steps|kurtosis|start/.test(name)).slice(0, 4).map(([name, value]) => `${name} ${value}`).join(" · ");
}

/// A run's receptive fields under its name.
function runCard(run: Run, grid: Grid, several: boolean, facts: HTMLElement | undefined): HTMLElement {
  const note = omission(run);
  return element(
    "article",
    { className: "run" },
    several ? element("div", { className: "run-head" }, element("h3", {}, run.label), pageLink(run)) : undefined,
    facts,
    grid.box,
    note ? element("p", { className: "note" }, note) : undefined,
    several ? undefined : recordLink(run),
  );
}

function specs(runs: Run[]): HTMLElement {
  const spec = (run: Run) => element("details", {}, element("summary", {}, run.label), pageLink(run), recordLink(run), element("pre", {}, run.spec));
  return element("section", {}, element("details", { className: "specs" }, element("summary", {}, element("h2", {}, "Specs and records of all runs")), ...runs.map(spec)));
}

// The interactive part of report.html: reads the data block, builds the views, keeps them in step.
import { theme as currentTheme, category, prefersDark } from "./color.ts";
import { TimeBar, unitControls } from "./controls.ts";
import { Curves } from "./curves.ts";
import { type Run, readRuns } from "./data.ts";
import { element } from "./dom.ts";
import { Grid } from "./grid.ts";
import { notation, omission, recordLink } from "./notes.ts";
import { type State, Store } from "./state.ts";
import { sortable } from "./tables.ts";
import { UnitPanel } from "./unit.ts";

const mostShownAtFirst = 6; // runs; the others wait behind their buttons

function keyboard(store: Store, time: TimeBar): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = /^(INPUT|SELECT|BUTTON|SUMMARY|A|TH)$/.test(target.tagName);
    if (event.key === "Escape") store.set({ unit: undefined });
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " ") time.toggle();
    else if (event.key === "ArrowLeft") time.move(-1);
    else if (event.key === "ArrowRight") time.move(1);
    else if (event.key === "Home") time.move(-Infinity);
    else if (event.key === "End") time.move(Infinity);
    else return;
    event.preventDefault();
  });
}

/// A run's receptive fields under its name.
function runCard(run: Run, index: number, grid: Grid, several: boolean): HTMLElement {
  const facts = several ? element("p", { className: "run-facts" }, run.facts.slice(0, 4).map(([name, value]) => `${name} ${value}`).join(" · ")) : undefined;
  const note = omission(run);
  const card = element(
    "article",
    { className: "run" },
    several ? element("h3", {}, run.label) : undefined,
    facts,
    grid.canvas,
    grid.readout,
    note ? element("p", { className: "note" }, note) : undefined,
    several ? undefined : recordLink(run),
  );
  card.style.setProperty("--run", category(index, prefersDark.matches));
  return card;
}

/// Buttons that switch runs on and off.
function runSwitches(runs: Run[], store: Store): HTMLElement {
  const buttons = runs.map((run, index) => {
    const button = element("button", { type: "button", className: "switch" }, run.label);
    const draw = () => {
      button.setAttribute("aria-pressed", String(!store.state.hidden.has(index)));
      button.style.setProperty("--run", category(index, prefersDark.matches));
    };
    button.addEventListener("click", () => {
      const { hidden } = store.state;
      if (!hidden.delete(index)) hidden.add(index);
      store.redraw();
    });
    store.subscribe(draw);
    draw();
    return button;
  });
  return element("div", { className: "switches", role: "group", "aria-label": "Runs" }, ...buttons);
}

function specs(runs: Run[]): HTMLElement {
  return element(
    "section",
    {},
    element("h2", {}, "Specs and records of all runs"),
    ...runs.map((run) =>
      element("details", {}, element("summary", {}, run.label), recordLink(run), element("pre", {}, run.spec)),
    ),
  );
}

function build(mount: HTMLElement, runs: Run[]): void {
  const several = runs.length > 1;
  const withFields = runs.filter(({ units }) => units > 0);
  const last = Math.max(...runs.map(({ step }) => step[step.length - 1]));
  const state: State = {
    step: last,
    unit: undefined,
    arrangement: { sort: "id", descending: false, population: "", ranges: {} },
    sortNow: false,
    scale: "own",
    look: "curves",
    hidden: new Set(runs.map((_, index) => index).filter((index) => index >= mostShownAtFirst)),
  };
  const store = new Store(state);
  const time = new TimeBar(runs, store);
  const curves = new Curves(runs, store);
  const unit = new UnitPanel(runs, store);
  const grids = runs.map((run, index) => (run.units > 0 ? { grid: new Grid(run, store, index), index } : undefined)).filter((each) => each !== undefined);
  const cards = grids.map(({ grid, index }) => runCard(runs[index], index, grid, several));

  const toUnit = element("button", { type: "button", className: "to-unit", hidden: true, onclick: () => unit.box.scrollIntoView({ behavior: "smooth", block: "center" }) });
  time.box.append(toUnit);
  mount.append(element("div", { className: "bar" }, time.box, several ? runSwitches(runs, store) : undefined));
  if (withFields.length > 0) {
    mount.append(
      element(
        "section",
        {},
        element("h2", {}, "Receptive fields"),
        element("p", { className: "hint" }, "Move the slider to see training, click a unit to look into it." +
          (withFields.some(({ localized }) => localized) ? ` ${withFields.every(({ side }) => side > 0) ? "Units in a coloured frame" : "Coloured units"} are localized: their energy w² is concentrated, and more than random phases of their spectrum would do it.` : "") +
          " Keys: ← → time, space plays, Esc closes a unit."),
        unitControls(runs, store),
        element("div", { className: several ? "runs" : "runs one" }, ...cards),
      ),
      unit.box,
    );
  }
  mount.append(element("section", {}, element("h2", {}, "Over training"), curves.box));
  // On paper the figures come first, then their notation: both end up before the spec, the last section.
  document.querySelector("main > section:last-of-type")!.before(notation(runs[0]));
  if (several) mount.append(specs(runs));
  else if (withFields.length === 0) {
    const link = recordLink(runs[0]);
    if (link) mount.append(link);
  }

  let theme = currentTheme();
  let before = "";
  store.subscribe(() => {
    const now = JSON.stringify([state.unit, [...state.hidden], theme]);
    time.draw();
    toUnit.hidden = state.unit === undefined;
    toUnit.textContent = `unit ${state.unit} ↓`;
    cards.forEach((card, i) => (card.hidden = state.hidden.has(grids[i].index)));
    for (const { grid, index } of grids) if (!state.hidden.has(index)) grid.draw(theme);
    if (now !== before) {
      unit.refresh();
      curves.refresh(theme);
      before = now;
    } else curves.mark();
    unit.draw(theme);
  });
  prefersDark.addEventListener("change", () => {
    theme = currentTheme();
    store.redraw();
  });
  new ResizeObserver(() => store.redraw()).observe(mount);
  keyboard(store, time);
  store.drawNow();
}

async function start(): Promise<void> {
  const mount = document.getElementById("viewer")!;
  const runs = await readRuns(document.getElementById("data")!.textContent!);
  document.documentElement.classList.add("alive"); // hides the static figures, on the screen
  build(mount, runs);
  for (const table of document.querySelectorAll<HTMLTableElement>("main table")) sortable(table);
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  // The static figures are still there; say why the rest is not.
  document.documentElement.classList.remove("alive");
  document.getElementById("viewer")!.replaceChildren(element("p", { className: "note" }, `The interactive views did not start: ${error.message ?? error}`));
});

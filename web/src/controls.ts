// Time, and which units are shown in which order.
import type { Run } from "./data.ts";
import { element, shown } from "./dom.ts";
import { type Arrangement, populations } from "./order.ts";
import { rowsAt } from "./rows.ts";
import { type State, type Store, frameAt } from "./state.ts";

const framesPerSecond = 30;
const names: Record<string, string> = { id: "number", ipr: "IPR", localized: "localized or not", norm: "norm", frequency: "frequency", position: "position", bias: "bias", readout: "readout" };

/// The slider over all steps at which some run shows its fields.
export class TimeBar {
  readonly box: HTMLElement;
  private steps: number[] = [];
  private readonly slider: HTMLInputElement;
  private readonly output = element("output", { className: "step" });
  private readonly button: HTMLButtonElement;
  private timer = 0;

  constructor(
    private readonly runs: Run[],
    private readonly store: Store,
  ) {
    this.slider = element("input", { type: "range", min: "0", step: "1", id: "time", "aria-label": "Time" });
    this.button = element("button", { type: "button", className: "play", title: "Play or pause (Space)", onclick: () => this.toggle() });
    this.slider.addEventListener("input", () => store.set({ step: this.steps[Number(this.slider.value)] }));
    this.box = element("div", { className: "time", role: "group", "aria-label": "Time" }, this.button, this.slider, this.output);
    this.update();
  }

  get last(): number {
    return this.steps[this.steps.length - 1];
  }

  /// There is nothing to move over where runs kept the weights of the end alone.
  get moves(): boolean {
    return this.steps.length > 1;
  }

  /// The runs have gone on.
  update(): void {
    this.steps = [...new Set(this.runs.flatMap(({ frames, step }) => (frames.length > 0 ? frames : step)))].sort((a, b) => a - b);
    this.slider.max = String(this.steps.length - 1);
  }

  draw(): void {
    const at = frameAt(this.steps, this.store.state.step);
    this.slider.hidden = this.button.hidden = !this.moves;
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", `step ${this.steps[at]}`);
    this.output.textContent = `step ${shown(this.store.state.step)}`;
    this.button.textContent = this.timer ? "❚❚" : "▶";
    this.button.setAttribute("aria-label", this.timer ? "Pause" : "Play");
  }

  move(by: number): void {
    const at = frameAt(this.steps, this.store.state.step) + by;
    this.store.set({ step: this.steps[Math.max(0, Math.min(this.steps.length - 1, at))] });
  }

  toggle(): void {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    } else {
      if (this.store.state.step >= this.last) this.store.set({ step: this.steps[0] });
      this.timer = window.setInterval(() => {
        if (this.store.state.step >= this.last) this.toggle();
        else this.move(1);
      }, 1000 / framesPerSecond);
    }
    this.draw();
  }
}

export interface Controls {
  box: HTMLElement;
  draw: () => void; // shows what is chosen
}

/// Sort, filter, population, and how the tiles look.
export function unitControls(runs: Run[], store: Store): Controls {
  const shownRuns = runs.filter(({ units }) => units > 0);
  const rows = shownRuns.flatMap((run) => rowsAt(run, run.frames.length - 1));
  const extra = [...new Set(shownRuns.flatMap(({ numbers }) => Object.keys(numbers)))].filter(
    (key) => !(key in names) && rows.some((row) => row.values[key] !== rows[0].values[key]),
  );
  const keys = ["id", "ipr", "localized", "frequency", "position", "norm", "bias", "readout", ...extra].filter(
    (key) => key === "id" || rows.some((row) => row.values[key]),
  );
  const change = (part: Partial<Arrangement>) => store.set({ arrangement: { ...store.state.arrangement, ...part } });

  const sort = element(
    "select",
    { id: "sort", onchange: () => change({ sort: sort.value }) },
    ...keys.map((key) => element("option", { value: key }, names[key] ?? key.replaceAll("_", " "))),
  );
  const descending = element("input", { type: "checkbox", id: "descending", onchange: () => change({ descending: descending.checked }) });
  const now = element("input", { type: "checkbox", id: "now", onchange: () => store.set({ sortNow: now.checked }) });
  const kinds = populations(rows);
  const population = element(
    "select",
    { id: "population", onchange: () => change({ population: population.value }) },
    element("option", { value: "" }, "all units"),
    ...kinds.map(({ name, has }) =>
      element("option", { value: name }, shownRuns.length > 1 ? name : `${name} (${rows.filter(has).length})`),
    ),
  );
  const scale = element(
    "select",
    { id: "scale", onchange: () => store.set({ scale: scale.value as State["scale"] }) },
    element("option", { value: "now" }, "common"),
    element("option", { value: "common" }, "common, all times"),
    element("option", { value: "own" }, "each its own"),
  );
  const look = element(
    "select",
    { id: "look", onchange: () => store.set({ look: look.value as "curves" | "map" }) },
    element("option", { value: "curves" }, "curves"),
    element("option", { value: "map" }, "heat map"),
  );
  const open = { from: -Infinity, to: Infinity };
  const inputs: (() => void)[] = [];
  const range = (key: string, label: string, most: number) => {
    const limit = (which: "from" | "to") => {
      const input = element("input", {
        type: "number", step: "any", min: "0", id: `${key}-${which}`, placeholder: which === "from" ? "0" : shown(most, 3),
        "aria-label": `${label} ${which}`,
        oninput: () => {
          const limit = input.value === "" ? open[which] : Number(input.value);
          const { ranges } = store.state.arrangement;
          change({ ranges: { ...ranges, [key]: { ...open, ...ranges[key], [which]: limit } } });
        },
      });
      inputs.push(() => {
        if (input === document.activeElement) return;
        const limit = store.state.arrangement.ranges[key]?.[which] ?? open[which];
        input.value = Number.isFinite(limit) ? String(limit) : "";
      });
      return input;
    };
    return element("span", { className: "range" }, element("span", {}, label), limit("from"), "to", limit("to"));
  };
  const labelled = (text: string, control: HTMLElement) => element("label", {}, text, control);
  const ringOnly = shownRuns.some(({ side }) => side === 0);
  const sites = Math.max(...shownRuns.map((run) => run.sites));
  const draw = () => {
    const { arrangement, sortNow, scale: how, look: as } = store.state;
    sort.value = arrangement.sort;
    descending.checked = arrangement.descending;
    population.value = arrangement.population;
    now.checked = sortNow;
    scale.value = how;
    look.value = as;
    for (const input of inputs) input();
  };
  const box = element(
    "div",
    { className: "controls" },
    labelled("Sort by ", sort),
    element("label", {}, descending, " largest first"),
    element("label", { title: "Sort and filter by the values at the cursor; otherwise by those at the end of the run" }, now, " as of this time"),
    labelled("Show ", population),
    labelled("Scale ", scale),
    ringOnly ? labelled("as ", look) : undefined,
    element(
      "details",
      { className: "filters" },
      element("summary", {}, "Filter by value"),
      range("ipr", "IPR", 1),
      range("frequency", "frequency", sites / 2),
      range("position", "position", sites - 1),
    ),
  );
  return { box, draw };
}

// The interactive part of report.html: reads the data block, builds the views, keeps the address and live data in step.
import { fromAddress, toAddress } from "./address.ts";
import { prefersDark } from "./color.ts";
import { readPage } from "./data.ts";
import { element } from "./dom.ts";
import { explainNumbers, foldFigures, renewNumbers } from "./notes.ts";
import { LiveBadge } from "./live.ts";
import { Page, firstState } from "./page.ts";
import { closeMenusOutside } from "./save.ts";
import { Store } from "./state.ts";
import { sortable } from "./tables.ts";

function keyboard(page: () => Page | undefined): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = /^(INPUT|SELECT|BUTTON|SUMMARY|A|TH)$/.test(target.tagName);
    if (event.key === "Escape") page()?.closeUnit();
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    const time = page()?.time;
    if (!time) return;
    if (event.key === " ") time.toggle();
    else if (event.key === "ArrowLeft") time.move(-1);
    else if (event.key === "ArrowRight") time.move(1);
    else if (event.key === "Home") time.move(-Infinity);
    else if (event.key === "End") time.move(Infinity);
    else return;
    event.preventDefault();
  });
}

async function start(): Promise<void> {
  const mount = document.getElementById("viewer")!;
  let data = await readPage(document.getElementById("data")!.textContent!);
  let first = firstState(data.runs);
  const store = new Store(fromAddress(location.hash, first, data.runs.length));
  document.documentElement.classList.add("alive"); // folds the static figures, on the screen
  const badge = data.live && new LiveBadge(data.live, data, (newer) => {
    renewNumbers(newer.runs);
    const { step } = first;
    const asAtFirst = JSON.stringify([...first.hidden]) === JSON.stringify([...store.state.hidden]);
    first = firstState(newer.runs);
    if (page?.take(newer)) return;
    data = newer; // other runs than before
    if (store.state.step >= step) store.state.step = first.step;
    if (asAtFirst) store.state.hidden = new Set(first.hidden);
    page = build();
    store.redraw();
  });
  const build = () => {
    if (data.runs.some((run) => run.step.length > 0)) return new Page(mount, data, store, badge?.box);
    mount.replaceChildren(element("p", { className: "note" }, "No numbers yet. "), badge?.box ?? "");
    return undefined;
  };
  let page = build();
  store.subscribe(() => page?.draw());

  let waiting = 0;
  store.subscribe(() => {
    if (waiting || location.protocol === "about:") return; // in a frame of a notebook there is no address
    waiting = window.setTimeout(() => {
      waiting = 0;
      const address = toAddress(store.state, first, data.runs.length);
      if (location.hash.replace(/^#/, "") !== address) history.replaceState(null, "", address ? `#${address}` : location.pathname + location.search);
    }, 250); // browsers limit how often an address may change
  });
  addEventListener("hashchange", () => store.set(fromAddress(location.hash, first, data.runs.length)));
  prefersDark().addEventListener("change", () => store.redraw());
  new ResizeObserver(() => store.redraw()).observe(mount);
  keyboard(() => page);
  closeMenusOutside();
  foldFigures();
  explainNumbers();
  store.drawNow();
  for (const table of document.querySelectorAll<HTMLTableElement>("main table")) sortable(table);
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  // The static figures are still there; say why the rest is not.
  document.documentElement.classList.remove("alive");
  document.getElementById("viewer")!.replaceChildren(element("p", { className: "note" }, `The interactive views did not start: ${error.message ?? error}`));
});

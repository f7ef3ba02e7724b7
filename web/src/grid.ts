// All receptive fields of a run at the cursor, as small curves or as one map, in the chosen order; click or arrow keys select.
import { type Theme, diverging, signedRgb } from "./color.ts";
import { type Run, rowsOf } from "./data.ts";
import { context, element, shown } from "./dom.ts";
import { type UnitRow, arrange, populations } from "./order.ts";
import { rowsAt, siteName } from "./rows.ts";
import { fieldsCsv, fieldsSvg } from "./grid_files.ts";
import { onCard, saveMenu } from "./save.ts";
import { type Store, frameAt } from "./state.ts";
import type { RunColor } from "./sweep.ts";

const gap = 4;

export class Grid {
  readonly canvas = element("canvas", {
    className: "grid",
    tabIndex: 0,
    role: "application",
    "aria-label": "Receptive fields. Arrow keys choose a unit.",
  });
  readonly readout = element("p", { className: "readout", "aria-live": "polite" });
  readonly box: HTMLElement;
  private readonly legend = element("p", { className: "scale" });
  private readonly tip = element("div", { className: "tip", hidden: true });
  private theme?: Theme;
  private order: UnitRow[] = [];
  private columns = 1;
  private tile = { width: 60, height: 40 };
  private hovered = -1;
  private hoveredSite = -1; // of the map
  private readonly patch = document.createElement("canvas");

  constructor(
    private readonly run: Run,
    private readonly store: Store,
    private readonly index: number,
    private readonly colors: RunColor,
    of: string,
  ) {
    const menu = saveMenu({
      of: () => of,
      view: "fields",
      step: () => run.frames[this.frame],
      csv: () => fieldsCsv(run, this.frame, this.order),
      svg: () =>
        this.isMap || run.side > 0
          ? undefined
          : fieldsSvg({
              run, frame: this.frame, order: this.order, columns: this.columns, tile: this.tile, gap, theme: this.theme!,
              scaleOf: (place) => this.scaleOf(place),
              colorOf: (place) => (!run.localized || this.isLocalized(place) ? this.color : this.theme!.soft),
            }),
      picture: () => onCard(this.canvas, this.theme!.page),
    });
    const stage = element("div", { className: "fields-stage" }, this.canvas, this.tip);
    this.box = element("div", {}, element("div", { className: "fields-head" }, this.legend, menu), stage, this.readout);
    this.canvas.addEventListener("click", (event) => this.select(this.indexAt(event)));
    this.canvas.addEventListener("pointermove", (event) => {
      this.hover(this.indexAt(event), this.siteAt(event));
      this.placeTip(event);
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.hover(-1, -1);
      this.tip.hidden = true;
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  get frame(): number {
    return frameAt(this.run.frames, this.store.state.step);
  }

  private get isMap(): boolean {
    return this.store.state.look === "map" && this.run.side === 0;
  }

  private siteAt(event: MouseEvent): number {
    return this.isMap ? Math.min(this.run.sites - 1, Math.floor((event.offsetX / this.tile.width) * this.run.sites)) : -1;
  }

  private rearrange(): void {
    const { arrangement, sortNow } = this.store.state;
    const rows = rowsAt(this.run, sortNow ? this.frame : this.run.frames.length - 1);
    this.order = arrange(rows, arrangement, populations(rows));
  }

  /// What the tiles reach to; 0: each its own.
  private get common(): number {
    const { scale } = this.store.state;
    const { weights } = this.run.fields;
    return scale === "own" ? 0 : scale === "now" ? weights.largest(this.frame) : weights.largestEver;
  }

  private scaleOf(place: number): number {
    const { weights } = this.run.fields;
    return this.common || weights.scale[this.frame * weights.units + place];
  }

  private get color(): string {
    return this.colors(this.index, this.theme!.dark);
  }

  private isLocalized(place: number): boolean {
    return this.run.localized?.[this.frame * this.run.ids.length + place] === 1;
  }

  /// Is one of the shown units coloured now?
  get hasLocalized(): boolean {
    return this.order.some(({ place }) => this.isLocalized(place));
  }

  draw(theme: Theme): void {
    this.theme = theme;
    this.rearrange();
    const width = this.canvas.clientWidth || this.canvas.parentElement!.clientWidth;
    if (width === 0) return;
    if (this.isMap) this.drawMap(width, theme);
    else this.drawTiles(width, theme);
    this.describe();
  }

  private drawTiles(width: number, theme: Theme): void {
    const { run } = this;
    const count = Math.max(1, this.order.length);
    // About a screenful in all, but never smaller than can be seen or larger than is of use.
    const wanted = Math.min(150, Math.max(width < 500 ? 46 : 56, Math.sqrt((width * 560 * 1.5) / count)));
    this.columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (wanted + gap))));
    const tileWidth = Math.min(190, (width + gap) / this.columns - gap);
    this.tile = { width: tileWidth, height: run.side > 0 ? (tileWidth * rowsOf(run)) / run.side : Math.round(tileWidth * 0.62) };
    const rows = Math.ceil(count / this.columns);
    const pen = context(this.canvas, width, rows * (this.tile.height + gap) - gap);
    pen.clearRect(0, 0, width, rows * (this.tile.height + gap));
    const frame = this.frame;
    const fields = run.fields.weights;
    const field = new Float32Array(run.sites);
    const color = this.color;
    const numbered = this.tile.width >= 84;
    this.order.forEach((row, index) => {
      const { x, y } = this.corner(index);
      fields.at(frame, row.place, field);
      const scale = this.scaleOf(row.place);
      const marked = !run.localized || this.isLocalized(row.place);
      pen.fillStyle = theme.card;
      pen.fillRect(x, y, this.tile.width, this.tile.height);
      if (run.side > 0) this.image(pen, x, y, field, scale, theme);
      else this.curve(pen, x, y, field, scale, marked ? color : theme.soft, theme);
      this.frameTile(pen, row, index, run.localized && marked ? color : theme.line, theme);
      if (!numbered || run.side > 0) return;
      pen.fillStyle = theme.soft;
      pen.font = "10px system-ui, sans-serif";
      pen.fillText(String(row.id), x + 4, y + 11);
    });
  }

  private curve(pen: CanvasRenderingContext2D, x: number, y: number, field: Float32Array, scale: number, color: string, theme: Theme): void {
    const { width, height } = this.tile;
    const middle = y + height / 2;
    const reach = height / 2 - 3;
    pen.lineWidth = 1;
    pen.strokeStyle = theme.line;
    pen.beginPath();
    pen.moveTo(x, middle);
    pen.lineTo(x + width, middle);
    pen.stroke();
    pen.strokeStyle = color;
    pen.lineWidth = this.order.length > 150 ? 1 : 1.4; // hairlines are drawn several times faster
    pen.lineJoin = "bevel";
    pen.beginPath();
    for (let i = 0; i < field.length; ++i) {
      const at = x + 2 + ((width - 4) * (i + 0.5)) / field.length;
      pen.lineTo(at, middle - (scale > 0 ? (reach * field[i]) / scale : field[i])); // what is not a number leaves no line
    }
    pen.stroke();
  }

  private image(pen: CanvasRenderingContext2D, x: number, y: number, field: Float32Array, scale: number, theme: Theme): void {
    const { side, channels } = this.run;
    const plane = field.length / channels;
    this.patch.width = side;
    this.patch.height = plane / side;
    const patch = this.patch.getContext("2d")!;
    const image = patch.createImageData(side, this.patch.height);
    const pixels = new Uint32Array(image.data.buffer);
    const colors = diverging(theme.dark);
    for (let i = 0; i < plane; ++i)
      pixels[i] =
        channels === 3
          ? signedRgb(field[i] / (scale || 1), field[plane + i] / (scale || 1), field[2 * plane + i] / (scale || 1))
          : colors[127 + Math.round(scale > 0 ? (127 * field[i]) / scale : 0)];
    patch.putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.patch, x, y, this.tile.width, this.tile.height);
  }

  private frameTile(pen: CanvasRenderingContext2D, row: UnitRow, index: number, color: string, theme: Theme): void {
    const selected = row.id === this.store.state.unit;
    if (!selected && index !== this.hovered && this.run.side === 0) return;
    const { x, y } = this.corner(index);
    pen.strokeStyle = selected ? theme.ink : this.run.side > 0 ? color : theme.line; // of an image the frame has the colour
    pen.lineWidth = selected ? 2 : 1;
    pen.strokeRect(x + 1, y + 1, this.tile.width - 2, this.tile.height - 2);
  }

  /// One row of pixels per unit, one column per site.
  private drawMap(width: number, theme: Theme): void {
    const { run } = this;
    const count = Math.max(1, this.order.length);
    const rowHeight = Math.max(2, Math.min(14, 560 / count));
    this.columns = 1;
    this.tile = { width, height: rowHeight };
    const pen = context(this.canvas, width, rowHeight * count);
    this.patch.width = run.sites;
    this.patch.height = count;
    const patch = this.patch.getContext("2d")!;
    const image = patch.createImageData(run.sites, count);
    const pixels = new Uint32Array(image.data.buffer);
    const colors = diverging(theme.dark);
    const frame = this.frame;
    const fields = run.fields.weights;
    const field = new Float32Array(run.sites);
    this.order.forEach((row, index) => {
      fields.at(frame, row.place, field);
      const scale = this.scaleOf(row.place);
      for (let i = 0; i < field.length; ++i)
        pixels[index * run.sites + i] = colors[127 + Math.round(scale > 0 ? (127 * field[i]) / scale : 0)];
    });
    patch.putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.clearRect(0, 0, width, rowHeight * count);
    pen.drawImage(this.patch, 0, 0, width, rowHeight * count);
    this.order.forEach((row, index) => {
      if (row.id !== this.store.state.unit) return;
      pen.strokeStyle = theme.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(0.75, index * rowHeight, width - 1.5, rowHeight);
    });
  }

  private corner(index: number): { x: number; y: number } {
    const column = index % this.columns;
    const row = Math.floor(index / this.columns);
    return { x: column * (this.tile.width + gap), y: row * (this.tile.height + gap) };
  }

  private indexAt(event: MouseEvent): number {
    const space = this.isMap ? 0 : gap;
    const column = Math.floor(event.offsetX / (this.tile.width + space));
    const row = Math.floor(event.offsetY / (this.tile.height + space));
    const index = row * this.columns + column;
    return column < this.columns && index < this.order.length ? index : -1;
  }

  private select(index: number): void {
    if (index >= 0) this.store.set({ unit: this.order[index].id });
  }

  private hover(index: number, site: number): void {
    if (index === this.hovered && site === this.hoveredSite) return;
    this.hovered = index;
    this.hoveredSite = site;
    this.store.redraw();
  }

  private key(event: KeyboardEvent): void {
    const now = this.order.findIndex(({ id }) => id === this.store.state.unit);
    const by: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns };
    if (!(event.key in by) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.select(Math.min(this.order.length - 1, Math.max(0, now < 0 ? 0 : now + by[event.key])));
  }

  /// Beside the pointer, within the picture.
  private placeTip(event: PointerEvent): void {
    const row = this.order[this.hovered];
    this.tip.hidden = !row || event.pointerType === "touch";
    if (this.tip.hidden) return;
    const { run } = this;
    const now = rowsAt(run, this.frame)[row.place].values;
    const parts = [`unit ${row.id}`, `IPR ${shown(now.ipr, 3)}`, `peak at ${siteName(run, now.position)}`];
    if (now.bias) parts.push(`bias ${shown(now.bias, 3)}`);
    if (this.isMap) parts.push(`site ${this.hoveredSite}: w = ${shown(run.fields.weights.at(this.frame, row.place)[this.hoveredSite], 3)}`);
    this.tip.replaceChildren(...parts.map((part) => element("div", {}, part)));
    const right = event.offsetX + 14 + this.tip.offsetWidth > this.canvas.clientWidth;
    this.tip.style.left = `${right ? event.offsetX - 10 - this.tip.offsetWidth : event.offsetX + 14}px`;
    this.tip.style.top = `${event.offsetY + 12}px`;
  }

  /// The axes that all tiles share.
  private describeScale(): void {
    const { run, common } = this;
    const most = common ? `±${shown(common, 3)}` : "± its own largest |w|";
    const sites = run.side > 0 ? `${rowsOf(run)} × ${run.side} sites${run.channels === 3 ? " in colour" : ""}` : `sites 0 to ${run.sites - 1}`;
    if (run.side > 0 || this.isMap) {
      const bar = element("span", { className: run.channels === 3 ? "ramp colours" : "ramp" });
      this.legend.replaceChildren(`${this.isMap ? "→ " : ""}${sites}; w from `, common ? `−${shown(common, 3)} ` : "− ", bar, common ? ` ${shown(common, 3)}` : " + its own largest |w|");
    } else this.legend.replaceChildren(`Each tile: → ${sites}, ↑ w within ${most}`);
  }

  /// Under the grid: the unit below the pointer, or how many there are.
  private describe(): void {
    this.describeScale();
    const { run } = this;
    const row = this.order[this.hovered];
    if (row) {
      const now = rowsAt(run, this.frame)[row.place].values;
      const weight = run.fields.weights.at(this.frame, row.place)[this.hoveredSite];
      this.readout.textContent =
        (this.isMap ? `Site ${this.hoveredSite}, w = ${shown(weight, 3)}. ` : "") +
        `Unit ${row.id}: ${now.localized === 1 ? "localized, " : ""}IPR ${shown(now.ipr, 3)}, norm ${shown(now.norm, 3)}, peak at ${siteName(run, now.position)}, ` +
        `mean frequency ${shown(now.frequency, 3)}` + (now.bias ? `, bias ${shown(now.bias, 3)}` : "");
    } else {
      const share = this.order.length < run.ids.length ? `${this.order.length} of ${run.ids.length}` : `${run.ids.length}`;
      const now = rowsAt(run, this.frame);
      const localized = this.order.filter((row) => now[row.place].values.localized === 1).length;
      this.readout.textContent = `${share} ${share === "1" ? "unit" : "units"} at step ${shown(run.frames[this.frame])}` + (run.localized ? `, ${localized} of them localized` : "");
    }
  }
}

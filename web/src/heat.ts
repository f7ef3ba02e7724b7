// A map of weights: a field over time, with the cursor as a line, or a field in two dimensions; a read-out below the pointer.
import { type Theme, diverging } from "./color.ts";
import { context, element, shown } from "./dom.ts";
import { csvOf, onCard, saveMenu } from "./save.ts";

export interface HeatData {
  columns: number;
  rows: number;
  value: (column: number, row: number) => number;
  columnName: (column: number) => string;
  rowName: (row: number) => string;
  pixel?: (column: number, row: number) => number; // 32 bits, in place of the colour of its value
  reading?: (column: number, row: number) => string; // in place of its value
  axes: [string, string]; // names, to the right and upwards: "step", "site"
}

const margin = { left: 34, bottom: 20, top: 6 };

export class HeatMap {
  readonly canvas = element("canvas", { className: "heat", role: "img" });
  readonly readout = element("p", { className: "readout" });
  private data?: HeatData;
  private image?: HTMLCanvasElement;
  private dark = false;
  private card = "";
  readonly box: HTMLElement;

  constructor(
    label: string,
    of: () => string,
    view: string,
    private readonly height: number,
    private readonly choose?: (column: number) => void,
  ) {
    this.canvas.setAttribute("aria-label", label);
    const menu = saveMenu({ of, view, step: () => undefined, csv: () => this.csv(), picture: () => onCard(this.canvas, this.card) });
    const tools = element("span", { className: "tools" }, menu);
    this.box = element("figure", { className: "chart" }, element("figcaption", {}, element("span", {}, label), tools), this.canvas, this.readout);
    this.readout.textContent = "\u00a0";
    this.canvas.addEventListener("pointermove", (event) => this.read(event));
    this.canvas.addEventListener("pointerleave", () => (this.readout.textContent = "\u00a0"));
    this.canvas.addEventListener("click", (event) => {
      const at = this.cell(event);
      if (at) this.choose?.(at.column);
    });
  }

  show(data: HeatData): void {
    this.data = data;
    this.image = undefined;
  }

  private csv(): string {
    const { columns, rows, value, columnName } = this.data!;
    const digits = (w: number) => (Number.isFinite(w) ? +w.toPrecision(5) : null);
    return csvOf(
      [this.data!.axes[0], ...Array.from({ length: rows }, (_, r) => `${this.data!.axes[1]} ${this.data!.rowName(r)}`)],
      Array.from({ length: columns }, (_, c) => [columnName(c).replaceAll(",", ""), ...Array.from({ length: rows }, (_, r) => digits(value(c, r)))]),
    );
  }

  private paint(dark: boolean): HTMLCanvasElement {
    const { columns, rows, value, pixel } = this.data!;
    const canvas = document.createElement("canvas");
    canvas.width = columns;
    canvas.height = rows;
    const pen = canvas.getContext("2d")!;
    const image = pen.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    const colors = diverging(dark);
    let most = 0;
    for (let c = 0; c < columns; ++c) for (let r = 0; r < rows; ++r) most = Math.max(most, Math.abs(value(c, r)) || 0);
    for (let c = 0; c < columns; ++c) {
      for (let r = 0; r < rows; ++r) {
        const level = most > 0 ? Math.round((127 * value(c, r)) / most) || 0 : 0;
        pixels[(rows - 1 - r) * columns + c] = pixel ? pixel(c, r) : colors[127 + level];
      }
    }
    pen.putImageData(image, 0, 0);
    return canvas;
  }

  draw(theme: Theme, cursor?: number): void {
    if (!this.data) return;
    const width = this.canvas.clientWidth;
    const { height } = this;
    if (width === 0) return;
    if (!this.image || this.dark !== theme.dark) this.image = this.paint((this.dark = theme.dark));
    const pen = context(this.canvas, width, height);
    this.card = theme.card;
    pen.clearRect(0, 0, width, height);
    const plot = { width: width - margin.left, height: height - margin.bottom - margin.top };
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.image, margin.left, margin.top, plot.width, plot.height);
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    pen.strokeRect(margin.left + 0.5, margin.top + 0.5, plot.width - 1, plot.height - 1);
    if (cursor !== undefined) {
      const x = margin.left + (plot.width * (cursor + 0.5)) / this.data.columns;
      pen.strokeStyle = theme.ink;
      pen.beginPath();
      pen.moveTo(x, margin.top);
      pen.lineTo(x, margin.top + plot.height);
      pen.stroke();
    }
    pen.fillStyle = theme.soft;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "top";
    pen.textAlign = "left";
    pen.fillText(this.data.columnName(0), margin.left, height - margin.bottom + 5);
    pen.textAlign = "right";
    pen.fillText(this.data.columnName(this.data.columns - 1), width, height - margin.bottom + 5);
    pen.textAlign = "center";
    pen.fillText(this.data.axes[0], margin.left + plot.width / 2, height - margin.bottom + 5);
    pen.textAlign = "right";
    pen.fillText(this.data.rowName(this.data.rows - 1), margin.left - 5, margin.top, margin.left - 6);
    pen.textBaseline = "bottom";
    pen.fillText(this.data.rowName(0), margin.left - 5, margin.top + plot.height, margin.left - 6);
    pen.textBaseline = "middle";
    pen.save();
    pen.translate(10, margin.top + plot.height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(this.data.axes[1], 0, 0);
    pen.restore();
  }

  private cell(event: MouseEvent): { column: number; row: number } | undefined {
    if (!this.data) return undefined;
    const width = this.canvas.clientWidth - margin.left;
    const height = this.canvas.clientHeight - margin.bottom - margin.top;
    const column = Math.floor(((event.offsetX - margin.left) / width) * this.data.columns);
    const row = this.data.rows - 1 - Math.floor(((event.offsetY - margin.top) / height) * this.data.rows);
    const inside = column >= 0 && column < this.data.columns && row >= 0 && row < this.data.rows;
    return inside ? { column, row } : undefined;
  }

  private read(event: MouseEvent): void {
    const at = this.cell(event);
    if (!at || !this.data) return;
    this.readout.textContent =
      `${this.data.axes[0]} ${this.data.columnName(at.column)}, ${this.data.axes[1]} ${this.data.rowName(at.row)}: ` +
      `w = ${this.data.reading?.(at.column, at.row) ?? shown(this.data.value(at.column, at.row), 3)}`;
  }
}

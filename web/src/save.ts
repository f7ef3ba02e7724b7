// Views as files: names, tables, pictures, and the little menu that offers them.
import { element } from "./dom.ts";

/// "localization-loss-step500.png": what it is of, which view, when.
export function fileName(of: string, view: string, step: number | undefined, ending: string): string {
  const plain = (text: string) => text.trim().replaceAll(" = ", "=").replace(/[^\p{L}\p{N}=.+−-]+/gu, "-").replace(/^-+|-+$/g, "");
  return [plain(of), plain(view), step === undefined ? "" : `step${step}`].filter(Boolean).join("-").slice(0, 120) + `.${ending}`;
}

/// RFC 4180; what is not a number is an empty cell.
export function csvOf(header: string[], rows: Iterable<(number | string | null | undefined)[]>): string {
  const cell = (value: number | string | null | undefined) => {
    if (value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value))) return "";
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  let text = header.map(cell).join(",") + "\n";
  for (const row of rows) text += row.map(cell).join(",") + "\n";
  return text;
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function savePicture(name: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((blob) => blob && save(name, blob), "image/png");
}

/// A canvas on its card: a page's canvases are transparent.
export function onCard(canvas: HTMLCanvasElement, card: string): HTMLCanvasElement {
  const picture = element("canvas", { width: canvas.width, height: canvas.height });
  const pen = picture.getContext("2d")!;
  pen.fillStyle = card;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.drawImage(canvas, 0, 0);
  return picture;
}

/// An SVG drawn by the browser, three pixels for one.
async function rasterised(svg: string): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element("canvas", { width: 3 * image.width, height: 3 * image.height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export interface Saved {
  of: () => string;
  view: string;
  step: () => number | undefined;
  csv: () => string;
  svg?: () => string | undefined; // undefined: no vector picture of it as it is now
  picture?: () => HTMLCanvasElement; // where there is no svg to draw
}

/// "save": PNG, SVG, CSV.
export function saveMenu(what: Saved): HTMLElement {
  const name = (ending: string) => fileName(what.of(), what.view, what.step(), ending);
  const menu = element("details", { className: "save" });
  const offer = (ending: string, title: string, write: () => void | Promise<void>) =>
    element("button", { type: "button", className: `save-${ending}`, title, onclick: async () => {
      menu.open = false;
      await write();
    } }, ending.toUpperCase());
  const png = offer("png", "A picture", async () => {
    const svg = what.svg?.();
    savePicture(name("png"), svg === undefined ? what.picture!() : await rasterised(svg));
  });
  const svg = what.svg && offer("svg", "A vector graphic", () => {
    const text = what.svg!();
    if (text !== undefined) save(name("svg"), new Blob([text], { type: "image/svg+xml" }));
  });
  const csv = offer("csv", "The numbers shown", () => save(name("csv"), new Blob([what.csv()], { type: "text/csv" })));
  menu.append(element("summary", { title: "Save this view as a file" }, "save"), element("div", {}, png, svg, csv));
  menu.addEventListener("toggle", () => {
    if (svg) svg.hidden = what.svg!() === undefined;
  });
  return menu;
}

/// Menus close when the reader turns elsewhere.
export function closeMenusOutside(): void {
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.save[open], details.choose-runs[open]"))
      if (!menu.contains(event.target as Node)) menu.open = false;
  });
}

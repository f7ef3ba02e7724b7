// Elements in one expression.
type Child = Node | string | undefined;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> | Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name === "role" || name === "for" || name === "list") made.setAttribute(name, String(value));
    else (made as any)[name] = value;
  }
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

/// Rows of a list of facts, a <dl>.
export function factRows(facts: [name: string, value: string][]): HTMLElement[] {
  return facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

/// HTML that was set at build time (formulas.mjs), never text from a run.
export function setAtBuildTime(html: string): HTMLSpanElement {
  const span = element("span", { className: "formula" });
  span.innerHTML = html.replaceAll("@", '<span class="').replaceAll("~", "</span>");
  return span;
}

/// A number for reading: four significant digits, a true minus sign, an en dash for what is not a number.
export function shown(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return value.toLocaleString("en-US").replace("-", "−");
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(digits - 2) : value.toPrecision(digits);
  return text.replace("-", "−").replace("e+", "e");
}

/// Sizes the bitmap of a canvas to its place on the page, in device pixels; returns its context in CSS pixels.
export function context(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d")!;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

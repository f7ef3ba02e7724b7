// The colours of the static figures (figure/color.cpp), on light and on dark.
const okabeIto = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const onDark = ["#4aa8e0", "#f08a3c", "#2fc49a", "#dc9cc2", "#f0b84a", "#8fd0f5", "#ffffff"];

export interface Theme {
  dark: boolean;
  page: string;
  card: string;
  ink: string;
  soft: string;
  line: string;
}

export const prefersDark = () => matchMedia("(prefers-color-scheme: dark)");

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const variable = (name: string) => style.getPropertyValue(name).trim();
  return {
    dark: prefersDark().matches,
    page: variable("--page"),
    card: variable("--card"),
    ink: variable("--ink"),
    soft: variable("--soft"),
    line: variable("--line"),
  };
}

export function category(index: number, dark: boolean): string {
  const palette = dark ? onDark : okabeIto;
  return palette[index % palette.length];
}

type Rgb = [number, number, number];
const rgbOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
const hexOf = (rgb: number[]) => `#${rgb.map((c) => Math.round(Math.max(0, Math.min(255, c))).toString(16).padStart(2, "0")).join("")}`;

/// `color`, with a share of `other`.
export function mixed(color: string, other: string, share: number): string {
  const to = rgbOf(other);
  return hexOf(rgbOf(color).map((c, i) => c + share * (to[i] - c)));
}

/// The sequential map of the static figures (figure/color.cpp: a parabola in Oklab), without the end that would vanish on the page.
export function sequential(t: number, dark: boolean): string {
  const at = dark ? 0.35 + 0.65 * t : 0.72 * t;
  const bezier = (from: number, via: number, to: number) => (1 - at) ** 2 * from + 2 * at * (1 - at) * via + at ** 2 * to;
  const lightness = 0.3 + 0.58 * at;
  const a = bezier(0.015, -0.15, -0.03);
  const b = bezier(-0.13, -0.02, 0.17);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (x: number) => 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
  return hexOf([
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]);
}

/// Blue at −1, the card at 0, vermilion at 1, as 32-bit pixels of 255 levels: level 127 is 0.
function ramp(from: Rgb, via: Rgb, to: Rgb): Uint32Array {
  return Uint32Array.from({ length: 255 }, (_, i) => {
    const t = (i - 127) / 127;
    const end = t < 0 ? from : to;
    const [r, g, b] = via.map((c, j) => Math.round(c + Math.abs(t) * (end[j] - c)));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
}
const lightRamp = ramp([0, 94, 158], [255, 255, 255], [196, 78, 0]);
const darkRamp = ramp([92, 184, 240], [32, 34, 38], [255, 150, 70]);

/// Weights of red, green and blue, each between −1 and 1 of the scale, around grey, as a 32-bit pixel; white where one is missing.
export function signedRgb(red: number, green: number, blue: number): number {
  if (![red, green, blue].every(Number.isFinite)) return 0xffffffff;
  const level = (t: number) => Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, t)));
  return ((255 << 24) | (level(blue) << 16) | (level(green) << 8) | level(red)) >>> 0;
}

export function diverging(dark: boolean): Uint32Array {
  return dark ? darkRamp : lightRamp;
}

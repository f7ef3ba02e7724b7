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

export const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const variable = (name: string) => style.getPropertyValue(name).trim();
  return {
    dark: prefersDark.matches,
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

export function diverging(dark: boolean): Uint32Array {
  return dark ? darkRamp : lightRamp;
}

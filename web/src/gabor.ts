// A Gabor function on the ring:  w_i ≈ A e^{−d²/2s²} cos(2π f d/n + φ),  d the signed circular distance of i from the centre.
// The same convention as the gabor_* arrays of a record; fitted here only when there are none.
import { peak, spectrum } from "./field.ts";

export interface Gabor {
  centre: number; // site
  width: number; // s, sites
  frequency: number; // f, cycles around the ring
  phase: number; // φ
  amplitude: number; // A
  residual: number; // ‖w − fit‖² / ‖w‖²
}

export function gaborAt(gabor: Omit<Gabor, "residual">, i: number, n: number): number {
  let d = (i - gabor.centre) % n;
  if (d > n / 2) d -= n;
  if (d < -n / 2) d += n;
  const envelope = gabor.amplitude * Math.exp((-d * d) / (2 * gabor.width * gabor.width));
  return envelope * Math.cos((2 * Math.PI * gabor.frequency * d) / n + gabor.phase);
}

// Width and frequency are fitted as logarithm and as they are; A cos φ and A sin φ replace A and φ, because the model is
// linear in them and they are solved for exactly at every step (variable projection): three parameters are left.
type Shape = [centre: number, logWidth: number, frequency: number];

function projected(field: ArrayLike<number>, [centre, logWidth, frequency]: Shape): { error: number; gabor: Gabor } {
  const n = field.length;
  const base = { centre, width: Math.exp(logWidth), frequency, amplitude: 1 };
  let cc = 0;
  let cs = 0;
  let ss = 0;
  let cw = 0;
  let sw = 0;
  let ww = 0;
  for (let i = 0; i < n; ++i) {
    const c = gaborAt({ ...base, phase: 0 }, i, n);
    const s = gaborAt({ ...base, phase: Math.PI / 2 }, i, n); // −sin
    cc += c * c;
    cs += c * s;
    ss += s * s;
    cw += c * field[i];
    sw += s * field[i];
    ww += field[i] * field[i];
  }
  // At low frequency the sine all but vanishes; a small ridge keeps the solution finite.
  const ridge = 1e-9 * (cc + ss);
  const det = (cc + ridge) * (ss + ridge) - cs * cs;
  const a = (cw * (ss + ridge) - sw * cs) / det;
  const b = (sw * (cc + ridge) - cw * cs) / det;
  const error = ww - 2 * (a * cw + b * sw) + a * a * cc + 2 * a * b * cs + b * b * ss;
  const gabor = {
    centre: ((centre % n) + n) % n,
    width: base.width,
    frequency,
    amplitude: Math.hypot(a, b),
    phase: Math.atan2(b, a),
    residual: error / ww,
  };
  return { error, gabor };
}

/// Descends from one start by Nelder–Mead over the three shape parameters.
function descend(field: ArrayLike<number>, start: Shape): Gabor {
  const n = field.length;
  const value = (p: Shape) => {
    const wide = p[1] < Math.log(0.3) || p[1] > Math.log(n / 2) || p[2] < 0 || p[2] > n / 2;
    return wide ? Infinity : projected(field, p).error;
  };
  const moved = (i: number, by: number): Shape => start.map((x, j) => (i === j ? x + by : x)) as Shape;
  let simplex = [start, moved(0, 1), moved(1, 0.4), moved(2, n / 20)].map((p) => ({ p, v: value(p) }));
  for (let step = 0; step < 150; ++step) {
    simplex.sort((x, y) => x.v - y.v);
    const [best, , second, worst] = simplex;
    if (worst.v - best.v <= 1e-10 * Math.abs(best.v)) break;
    const towards = (t: number) => {
      const p = best.p.map((_, j) => {
        const middle = (simplex[0].p[j] + simplex[1].p[j] + simplex[2].p[j]) / 3;
        return middle + t * (middle - worst.p[j]);
      }) as Shape;
      return { p, v: value(p) };
    };
    const reflected = towards(1);
    let next = reflected;
    if (reflected.v < best.v) {
      const further = towards(2);
      if (further.v < reflected.v) next = further;
    } else if (reflected.v >= second.v) {
      next = towards(reflected.v < worst.v ? 0.5 : -0.5);
    }
    if (next.v < worst.v) simplex[3] = next;
    else
      simplex = simplex.map(({ p }, i) => {
        const nearer = i === 0 ? p : (p.map((x, j) => (x + best.p[j]) / 2) as Shape);
        return { p: nearer, v: value(nearer) };
      });
  }
  simplex.sort((x, y) => x.v - y.v);
  return projected(field, simplex[0].p).gabor;
}

/// The best fit from a few starts: the peak, or the middle of the sites that carry the field, with a narrow or a wide
/// envelope and the strongest or no modulation. Nothing for a field of zeros.
export function fitGabor(field: ArrayLike<number>): Gabor | undefined {
  const w = Float32Array.from(field);
  if (!w.some((x) => x !== 0) || !w.every(Number.isFinite)) return undefined;
  const n = w.length;
  const power = spectrum(w);
  const strongest = power.indexOf(Math.max(...power));
  let best: Gabor | undefined;
  for (const width of [1, 3, n / 6]) {
    for (const frequency of new Set([strongest, n / 8, 0.5])) {
      const found = descend(w, [peak(w), Math.log(width), frequency]);
      if (!best || found.residual < best.residual) best = found;
    }
  }
  return best;
}

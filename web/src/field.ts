// What a receptive field comes down to: its peak, its spectrum.

/// Site of the largest |w|; −1 for a field without a finite number.
export function peak(field: Float32Array): number {
  let best = -1;
  for (let i = 0; i < field.length; ++i) {
    if (Number.isFinite(field[i]) && (best < 0 || Math.abs(field[i]) > Math.abs(field[best]))) best = i;
  }
  return best;
}

const tables = new Map<number, { cos: Float64Array; sin: Float64Array }>();
function table(n: number) {
  let found = tables.get(n);
  if (!found) {
    const angle = (i: number) => (2 * Math.PI * i) / n;
    found = {
      cos: Float64Array.from({ length: n }, (_, i) => Math.cos(angle(i))),
      sin: Float64Array.from({ length: n }, (_, i) => Math.sin(angle(i))),
    };
    tables.set(n, found);
  }
  return found;
}

/// P(q) = |Σ_i w_i e^{−2πi q i/n}|², q = 0 … ⌊n/2⌋.
export function spectrum(field: ArrayLike<number>): Float64Array {
  const n = field.length;
  const { cos, sin } = table(n);
  const power = new Float64Array(Math.floor(n / 2) + 1);
  for (let q = 0; q < power.length; ++q) {
    let re = 0;
    let im = 0;
    for (let i = 0, at = 0; i < n; ++i) {
      re += field[i] * cos[at];
      im += field[i] * sin[at];
      at += q;
      if (at >= n) at -= n;
    }
    power[q] = re * re + im * im;
  }
  return power;
}

/// On a torus or an image with `columns` sites in a row: P(q₁, q₂), summed over the wave vectors whose length rounds to q, in
/// periods along the longer side.
export function radialSpectrum(field: ArrayLike<number>, columns: number): Float64Array {
  const rows = field.length / columns;
  const along = table(columns);
  const down = table(rows);
  const re = new Float64Array(field.length);
  const im = new Float64Array(field.length);
  for (let row = 0; row < rows; ++row) {
    for (let q = 0; q < columns; ++q) {
      for (let i = 0; i < columns; ++i) {
        re[row * columns + q] += field[row * columns + i] * along.cos[(q * i) % columns];
        im[row * columns + q] -= field[row * columns + i] * along.sin[(q * i) % columns];
      }
    }
  }
  const longer = Math.max(rows, columns);
  const folded = (q: number, n: number) => (Math.min(q, n - q) * longer) / n;
  const power = new Float64Array(Math.round((longer / 2) * Math.SQRT2) + 1);
  for (let p = 0; p < rows; ++p) {
    for (let q = 0; q < columns; ++q) {
      let a = 0;
      let b = 0;
      for (let row = 0; row < rows; ++row) {
        const c = down.cos[(p * row) % rows];
        const s = down.sin[(p * row) % rows];
        a += re[row * columns + q] * c + im[row * columns + q] * s;
        b += im[row * columns + q] * c - re[row * columns + q] * s;
      }
      power[Math.round(Math.hypot(folded(p, rows), folded(q, columns)))] += a * a + b * b;
    }
  }
  return power;
}

/// Of an image in several channels the sum over them.
export function spectrumOf(field: Float32Array, side: number, channels = 1): Float64Array {
  if (side === 0) return spectrum(field);
  const plane = field.length / channels;
  const power = radialSpectrum(field.subarray(0, plane), side);
  for (let c = 1; c < channels; ++c) radialSpectrum(field.subarray(c * plane, (c + 1) * plane), side).forEach((p, q) => (power[q] += p));
  return power;
}

/// Σ q P(q) / Σ P(q): cycles around the ring, weighted by power.
export function meanFrequency(power: ArrayLike<number>): number {
  let sum = 0;
  let weighted = 0;
  for (let q = 0; q < power.length; ++q) {
    sum += power[q];
    weighted += q * power[q];
  }
  return weighted / sum;
}

/// Times the sign of w changes on the way around the ring; zeros are skipped.
export function signChanges(field: ArrayLike<number>): number {
  const signs = Array.from(field, Math.sign).filter((s) => s === 1 || s === -1);
  return signs.filter((s, i) => s !== signs[(i + 1) % signs.length]).length;
}

// A centred moving average; at the ends of a curve over the points there are.
export function smoothed(values: (number | null | undefined)[], points: number): (number | null | undefined)[] {
  if (points <= 1) return values;
  const known: number[] = []; // places with a number: curves of different runs leave gaps in each other's rows
  values.forEach((value, i) => Number.isFinite(value as number) && known.push(i));
  const sums = [0];
  for (const i of known) sums.push(sums[sums.length - 1] + values[i]!);
  const out = [...values];
  known.forEach((place, i) => {
    const reach = Math.min(Math.floor(points / 2), i, known.length - 1 - i); // symmetric: a ramp stays a ramp
    out[place] = (sums[i + reach + 1] - sums[i - reach]) / (2 * reach + 1);
  });
  return out;
}

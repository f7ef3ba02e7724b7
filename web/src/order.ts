// Which units are shown, and in which order.

export interface UnitRow {
  place: number; // among the shown units
  id: number;
  values: Record<string, number>; // ipr, norm, frequency, position, sign, localized and the record's numbers
}

export interface Population {
  name: string;
  has: (row: UnitRow) => boolean;
}

export interface Arrangement {
  sort: string; // a key of values, or "id"
  descending: boolean;
  population: string; // of a Population; empty: all
  ranges: Record<string, { from: number; to: number }>; // by key of values
}

/// The kinds of unit there are: localized or not where that is known, the sign of the peak and, where biases differ, of the bias.
export function populations(rows: UnitRow[]): Population[] {
  const kinds: Population[] = [];
  if (rows.some((row) => Number.isFinite(row.values.localized))) {
    kinds.push({ name: "localized", has: (row) => row.values.localized === 1 });
    kinds.push({ name: "not localized", has: (row) => row.values.localized === 0 });
  }
  kinds.push({ name: "positive peak", has: (row) => row.values.sign > 0 });
  kinds.push({ name: "negative peak", has: (row) => row.values.sign < 0 });
  if (rows.some((row) => row.values.bias)) {
    kinds.push({ name: "bias < 0", has: (row) => row.values.bias < 0 });
    kinds.push({ name: "bias > 0", has: (row) => row.values.bias > 0 });
  }
  const classes = new Set(rows.map((row) => row.values.population).filter(Number.isInteger));
  for (const each of [...classes].sort((a, b) => a - b)) {
    kinds.push({ name: `population ${each}`, has: (row) => row.values.population === each });
  }
  return kinds;
}

/// Sorted and filtered; equal values keep the order of the units, what is not a number comes last.
export function arrange(rows: UnitRow[], how: Arrangement, kinds: Population[]): UnitRow[] {
  const kind = kinds.find(({ name }) => name === how.population);
  const kept = rows.filter(
    (row) =>
      (!kind || kind.has(row)) &&
      Object.entries(how.ranges).every(([key, { from, to }]) => {
        const open = from === -Infinity && to === Infinity;
        return open || (row.values[key] >= from && row.values[key] <= to);
      }),
  );
  const value = (row: UnitRow) => (how.sort === "id" ? row.id : row.values[how.sort]);
  const direction = how.descending ? -1 : 1;
  return kept.sort((a, b) => {
    const x = value(a);
    const y = value(b);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a.id - b.id;
    return direction * (x - y) || a.id - b.id;
  });
}

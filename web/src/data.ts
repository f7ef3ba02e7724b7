// The data block of the page (src/sluice/figure/page_data.hpp), read back.

/// Mean and quartiles over the units of one population.
export interface Band {
  of: string; // "localized", "not localized"; empty where it is not known
  units: number;
  lower: (number | null)[];
  mean: (number | null)[];
  upper: (number | null)[];
}

/// One receptive field per time and unit: level · scale / 127.
export class Fields {
  constructor(
    readonly levels: Int8Array,
    readonly scale: Float32Array,
    readonly units: number,
    readonly sites: number,
  ) {}

  /// w of one unit (its place among the shown ones) at one shown time.
  at(time: number, unit: number, out = new Float32Array(this.sites)): Float32Array {
    const row = time * this.units + unit;
    const factor = this.scale[row] / 127;
    const from = row * this.sites;
    for (let i = 0; i < this.sites; ++i) {
      const level = this.levels[from + i];
      out[i] = level === -128 ? NaN : level * factor;
    }
    return out;
  }

  largest(time: number): number {
    let most = 0;
    for (let k = 0; k < this.units; ++k) most = Math.max(most, this.scale[time * this.units + k]);
    return most;
  }

  /// Over all shown times.
  get largestEver(): number {
    this.most ??= this.scale.reduce((most, scale) => Math.max(most, scale), 0);
    return this.most;
  }
  private most?: number;
}

export interface Run {
  label: string;
  settings: [string, string][]; // what tells it from the other runs of the page
  on: string; // "test set", "training set", "new samples": what loss and accuracy were measured on; empty: not known
  page?: string; // its own page
  facts: [string, string][];
  spec: string;
  step: number[]; // of the curves
  curves: Record<string, (number | null)[]>;
  bands: Record<string, Band[]>;
  units: number; // of the network, shown or not; 0 when the record has no weights
  sites: number;
  side: number; // sites in a row of a torus or an image; 0: a ring
  channels: number; // planes of an image, one after the other: 1, or 3 of red, green and blue
  localized?: Uint8Array; // [frame, shown unit], 1 or 0; absent where sites have no places
  times: number; // of the record
  frames: number[]; // steps at which fields are shown
  ids: number[]; // numbers of the shown units
  fields: Record<string, Fields>;
  numbers: Record<string, Float32Array>; // [frame, shown unit]
  record?: { href?: string; name?: string; data?: string };
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function unpacked(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/// Undoes the differences between one time and the next, modulo 256, in place.
export function summed(levels: Int8Array, row: number): Int8Array {
  for (let i = row; i < levels.length; ++i) levels[i] += levels[i - row];
  return levels;
}

/// Rows of a torus or an image.
export const rowsOf = ({ sites, side, channels }: Pick<Run, "sites" | "side" | "channels">) => sites / (side * channels);

export function numbersOf(levels: Uint16Array, low: number, high: number): Float32Array {
  return Float32Array.from(levels, (q) => (q === 65535 ? NaN : low + ((high - low) * q) / 65534));
}

async function readRun(json: any): Promise<Run> {
  const ids: number[] = json.shown?.units ?? [];
  const run: Run = {
    label: json.label,
    settings: json.settings ?? [],
    on: json.on ?? "",
    page: json.page,
    facts: json.facts,
    spec: json.spec,
    step: json.step,
    curves: json.curves,
    bands: json.bands,
    units: json.units ?? 0,
    sites: json.sites ?? 0,
    side: json.side ?? 0,
    channels: json.channels ?? 1,
    localized: json.localized ? new Uint8Array(await unpacked(json.localized)) : undefined,
    times: json.times ?? json.step.length,
    frames: json.shown?.step ?? [],
    ids,
    fields: {},
    numbers: {},
    record: json.record,
  };
  for (const [name, packed] of Object.entries<any>(json.fields)) {
    const levels = summed(new Int8Array(await unpacked(packed.data)), ids.length * run.sites);
    run.fields[name] = new Fields(levels, new Float32Array(await unpacked(packed.scale)), ids.length, run.sites);
  }
  for (const [name, packed] of Object.entries<any>(json.numbers)) {
    run.numbers[name] = numbersOf(new Uint16Array(await unpacked(packed.data)), packed.low, packed.high);
  }
  return run;
}

/// Where newer data are while the runs of the page train.
export interface Live {
  url: string; // relative to the page
  every: number; // milliseconds
  steps?: number; // of the longest run
  finished?: boolean;
}

export interface PageData {
  runs: Run[];
  meanings: Record<string, string>; // of the record's arrays, in the words of the probes
  live?: Live;
}

export async function readPage(text: string): Promise<PageData> {
  const json = JSON.parse(text);
  if (json.format !== 1) throw new Error(`data of format ${json.format}, expected 1`);
  return { runs: await Promise.all<Run>(json.runs.map(readRun)), meanings: json.meanings ?? {}, live: json.live };
}

/// A key of a resolved spec: specValue(spec, "network", "readout") is "mean". Empty when it is not there.
export function specValue(spec: string, section: string, key: string): string {
  let here = "";
  for (const line of spec.split("\n")) {
    const heading = /^\[([^\]]+)\]/.exec(line);
    if (heading) here = heading[1];
    const entry = /^(\S+) = (.*?)(\s{2,}#.*)?$/.exec(line);
    if (entry && here === section && entry[1] === key) return entry[2].trim().replace(/^"(.*)"$/, "$1");
  }
  return "";
}

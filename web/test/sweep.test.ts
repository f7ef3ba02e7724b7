import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../src/data.ts";
import { firstRuns, groupsOf, runColors } from "../src/sweep.ts";

const runsOf = (...settings: [string, string][][]) => settings.map((each) => ({ label: each.map(([k, v]) => `${k} = ${v}`).join(", "), settings: each })) as unknown as Run[];
const product = (gains: string[], seeds: string[]) => runsOf(...gains.flatMap((gain) => seeds.map((seed): [string, string][] => [["gain", gain], ["seed", seed]])));
const seeds = ["1", "2", "3", "4", "5"];

test("a page opens with every value of the swept key, one seed each", () => {
  assert.deepEqual(firstRuns(product(["0.1", "1", "10"], seeds)), [0, 5, 10]);
  assert.deepEqual(firstRuns(product(["3"], seeds)), [0, 1, 2, 3, 4], "only seeds: those");
  const many = firstRuns(product(Array.from({ length: 20 }, (_, i) => String(i)), ["1", "2"]));
  assert.equal(many.length, 8);
  assert.deepEqual([many[0], many[7]], [0, 38], "both ends");
});

test("of two swept keys every value of both is there", () => {
  const runs = runsOf(...["a", "b", "c"].flatMap((kind) => ["1", "2", "3", "4"].map((n): [string, string][] => [["kind", kind], ["n", n]])));
  const chosen = firstRuns(runs);
  assert.ok(chosen.length <= 8);
  for (const key of [0, 1]) assert.equal(new Set(chosen.map((i) => runs[i].settings[key][1])).size, [3, 4][key]);
});

test("runs that differ in the seed alone are one group", () => {
  assert.deepEqual(groupsOf(product(["0.1", "1"], ["1", "2"])), [{ name: "gain = 0.1", runs: [0, 1] }, { name: "gain = 1", runs: [2, 3] }]);
});

const luminance = (hex: string) => [1, 3, 5].reduce((sum, at, i) => sum + [0.2126, 0.7152, 0.0722][i] * (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2, 0);

test("colours follow an ordered key, whatever the order of the runs", () => {
  const color = runColors(product(["10", "0.1", "1"], ["1"]));
  for (const dark of [false, true]) {
    const [ten, tenth, one] = [0, 1, 2].map((i) => luminance(color(i, dark)));
    assert.ok(tenth < one && one < ten, `${tenth} ${one} ${ten}`);
  }
});

test("seeds keep the colour of their value and differ in lightness", () => {
  const runs = product(Array.from({ length: 9 }, (_, i) => String(i)), seeds);
  const color = runColors(runs);
  assert.equal(new Set(runs.map((_, i) => color(i, false))).size, runs.length, "no two runs look alike");
  for (let i = 1; i < 5; ++i) assert.ok(luminance(color(i, false)) > luminance(color(i - 1, false)));
  assert.equal(runColors(product(["0.1", "10"], ["1"]))(1, false), "#d55e00", "two values: two colours of the palette");
});

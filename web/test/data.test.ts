import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { numbersOf, readPage, specValue, summed } from "../src/data.ts";
import { frameAt } from "../src/state.ts";
import { numberIn } from "../src/tables.ts";

const packed = (array: ArrayBufferView) => deflateSync(Buffer.from(array.buffer)).toString("base64");

test("differences are summed modulo 256", () => {
  assert.deepEqual([...summed(Int8Array.from([100, -1, 100, 2, -90, 0]), 2)], [100, -1, -56, 1, 110, 1]);
});

test("sixteen bits are numbers again", () => {
  const numbers = numbersOf(Uint16Array.from([0, 32767, 65534, 65535]), 2, 4);
  assert.deepEqual([...numbers.slice(0, 3)], [2, 3, 4]);
  assert.ok(Number.isNaN(numbers[3]));
});

test("a run is read back", async () => {
  const json = {
    format: 1,
    runs: [
      {
        label: "a", facts: [], spec: "", step: [0, 10], curves: { loss: [1, null] }, bands: {}, units: 9, sites: 2, side: 0,
        localized: packed(Uint8Array.from([0, 1, 0, 0])), times: 5, shown: { step: [0, 10], units: [0, 4] },
        numbers: { ipr: { low: 0, high: 1, data: packed(Uint16Array.from([0, 65534, 65535, 0])) } },
        fields: {
          weights: {
            scale: packed(Float32Array.from([1, 2, 4, 8])),
            data: packed(Int8Array.from([127, -127, 0, 127, 0, 127, 127, -127])),
          },
        },
      },
      { label: "b", facts: [], spec: "", step: [0], curves: { loss: [1] }, bands: {}, numbers: {}, fields: {} },
    ],
  };
  const { runs: [a, b], live } = await readPage(JSON.stringify(json));
  assert.deepEqual([...a.fields.weights.at(0, 1)], [0, 2]);
  assert.deepEqual([...a.fields.weights.at(1, 0)], [4, 0]);
  assert.equal(a.fields.weights.largest(1), 8);
  assert.equal(a.fields.weights.largestEver, 8);
  assert.equal(live, undefined);
  assert.equal(a.numbers.ipr[1], 1);
  assert.deepEqual([...a.localized!], [0, 1, 0, 0]);
  assert.equal(b.localized, undefined);
  assert.equal(b.units, 0);
  assert.deepEqual(b.frames, []);
});

test("data of another format are refused", async () => {
  await assert.rejects(readPage('{"format":2,"runs":[]}'), /format 2/);
});

test("a key of the spec is found in its section", () => {
  const spec = 'seed = 1\n[task]  # samples\nkind = "nlgp"   # a comment\n[network]\nkind = "two-layer"\nreadout = "mean"  # how\n';
  assert.equal(specValue(spec, "task", "kind"), "nlgp");
  assert.equal(specValue(spec, "network", "kind"), "two-layer");
  assert.equal(specValue(spec, "network", "readout"), "mean");
  assert.equal(specValue(spec, "network", "absent"), "");
});

test("the frame is the last that is not after the step", () => {
  assert.deepEqual([-1, 0, 9, 10, 19, 99].map((step) => frameAt([0, 10, 20], step)), [0, 0, 0, 1, 1, 2]);
});

test("cells are numbers for sorting", () => {
  assert.deepEqual(["−1,234.5", "78 %", "3e-4"].map(numberIn), [-1234.5, 78, 3e-4]);
  assert.ok(Number.isNaN(numberIn("gain")));
});

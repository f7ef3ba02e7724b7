import assert from "node:assert/strict";
import { test } from "node:test";
import { fromAddress, toAddress } from "../src/address.ts";
import type { State } from "../src/state.ts";

const first: State = {
  step: 500, arrangement: { sort: "id", descending: false, population: "", ranges: {} }, sortNow: false,
  scale: "now", look: "curves", hidden: new Set([1, 2]), log: {}, zoom: {}, smooth: 1,
};
const chosen: State = {
  step: 30, unit: 7, arrangement: { sort: "ipr", descending: true, population: "bias < 0", ranges: { ipr: { from: 0.1, to: Infinity } } },
  sortNow: true, scale: "own", look: "map", hidden: new Set([0]), log: { loss: "xy", nu_tangent: "y" }, zoom: { step: [10, 250.5] }, smooth: 7,
};

test("what the page opens with needs no address", () => {
  assert.equal(toAddress(first, first, 4), "");
  assert.deepEqual(fromAddress("", first, 4), first);
});

test("every choice comes back", () => {
  assert.deepEqual(fromAddress(`#${toAddress(chosen, first, 4)}`, first, 4), chosen);
});

test("a unit that is open at first can be closed in the address", () => {
  const open = { ...first, unit: 0 };
  assert.equal(toAddress(first, open, 4), "unit=");
  assert.equal(fromAddress("#unit=", open, 4).unit, undefined);
});

test("nonsense is left out", () => {
  const state = fromAddress("#step=x&unit=1.5&scale=huge&as=pie&smooth=-3&zoom=step:9:2&log=loss:z&range=ipr:a:b&runs=9", first, 4);
  assert.deepEqual(state, { ...first, unit: undefined, hidden: new Set([0, 1, 2, 3]) });
});

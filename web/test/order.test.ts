import assert from "node:assert/strict";
import { test } from "node:test";
import { type Arrangement, type UnitRow, arrange, populations } from "../src/order.ts";

const rows: UnitRow[] = [0.1, 0.9, NaN, 0.4, 0.4].map((ipr, id) => ({ place: id, id, values: { ipr, sign: id % 2 ? 1 : -1, bias: id - 2, localized: ipr >= 0.4 ? 1 : 0 } }));
const plain: Arrangement = { sort: "id", descending: false, population: "", ranges: {} };
const kinds = populations(rows);
const ids = (how: Partial<Arrangement>) => arrange(rows, { ...plain, ...how }, kinds).map(({ id }) => id);

test("sorting keeps ties in order and puts what is not a number last", () => {
  assert.deepEqual(ids({ sort: "ipr" }), [0, 3, 4, 1, 2]);
  assert.deepEqual(ids({ sort: "ipr", descending: true }), [1, 3, 4, 0, 2]);
  assert.deepEqual(ids({ descending: true }), [4, 3, 2, 1, 0]);
});

test("populations part the units", () => {
  assert.deepEqual(ids({ population: "localized" }), [1, 3, 4]);
  assert.deepEqual(ids({ population: "not localized" }), [0, 2]);
  assert.deepEqual(ids({ population: "bias > 0" }), [3, 4]);
  assert.ok(!populations(rows.map((row) => ({ ...row, values: { ...row.values, bias: 0 } }))).some(({ name }) => name.startsWith("bias")));
});

test("units without places are neither localized nor not", () => {
  const names = populations(rows.map((row) => ({ ...row, values: { ...row.values, localized: NaN } }))).map(({ name }) => name);
  assert.deepEqual(names, ["positive peak", "negative peak", "bias < 0", "bias > 0"]);
  assert.deepEqual(ids({ sort: "localized", descending: true }), [1, 3, 4, 0, 2]);
});

test("ranges include their ends", () => {
  assert.deepEqual(ids({ ranges: { ipr: { from: 0.1, to: 0.4 } } }), [0, 3, 4]);
  assert.deepEqual(ids({ ranges: { ipr: { from: -Infinity, to: Infinity } } }), [0, 1, 2, 3, 4]);
});

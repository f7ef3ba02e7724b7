import assert from "node:assert/strict";
import { test } from "node:test";
import { liveText } from "../src/live.ts";
import { csvOf, fileName } from "../src/save.ts";
import { smoothed } from "../src/smooth.ts";
import { pathOf } from "../src/svg.ts";
import { titleOf } from "../src/titles.ts";

test("a file says run, view and step", () => {
  assert.equal(fileName("localization", "fields", 500, "png"), "localization-fields-step500.png");
  assert.equal(fileName("gain = 3, seed = 1", "loss", undefined, "csv"), "gain=3-seed=1-loss.csv");
  assert.equal(fileName("a/../b", "x", 0, "svg"), "a-..-b-x-step0.svg");
});

test("cells are quoted where they must be, and empty where there is no number", () => {
  assert.equal(csvOf(["step", 'a, "b"'], [[0, 1.5], [10, null], [20, NaN]]), 'step,"a, ""b"""\n0,1.5\n10,\n20,\n');
});

test("a moving average keeps straight lines, ends and gaps", () => {
  const line = [0, 1, null, 2, 3, 4];
  assert.deepEqual(smoothed(line, 3), line);
  assert.deepEqual(smoothed([0, 3, 0, 3, 0], 3), [0, 1, 2, 1, 0]);
  assert.equal(smoothed(line, 1), line);
});

test("a path has no place for what is not a number", () => {
  assert.equal(pathOf([[0, NaN], [1, 2], [NaN, 3], [4, 5.125]]), "M1 2L4 5.13");
});

test("titles say what loss was measured on", () => {
  assert.equal(titleOf("loss", "training set"), "Loss, training set");
  assert.equal(titleOf("nu_tangent"), "Alignment of the tangent kernel, ν(K/tr K)");
  assert.equal(titleOf("sign_flips"), "Sign flips");
  assert.equal(titleOf("ipr", "", true), "IPR");
});

test("the badge says how far the runs are", () => {
  assert.equal(liveText([{ step: [0, 1250] }], 5000), "live, step 1,250 of 5,000");
  const done = { step: [0, 10000] };
  assert.equal(liveText([done, done, { step: [0, 4000] }], 10000), "live, 3 runs, step 4,000 of 10,000");
  assert.equal(liveText([done, { step: [] }], 10000), "live, 2 runs, step 0 of 10,000");
  assert.equal(liveText([]), "live, step 0");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { signedRgb } from "../src/color.ts";
import type { Run } from "../src/data.ts";
import { meanFrequency, peak, radialSpectrum, signChanges, spectrum, spectrumOf } from "../src/field.ts";
import { siteName } from "../src/rows.ts";

const wave = (n: number, q: number) => Float32Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * q * i) / n));

test("a wave has all its power in its mode", () => {
  const power = spectrum(wave(30, 4));
  assert.equal(power.length, 16);
  assert.ok(Math.abs(power[4] - (30 / 2) ** 2) < 1e-3);
  assert.ok(power.every((p, q) => q === 4 || p < 1e-6));
  assert.ok(Math.abs(meanFrequency(power) - 4) < 1e-6);
});

test("Parseval: the modes add up to n Σw²", () => {
  const field = Float32Array.from({ length: 9 }, (_, i) => Math.sin(i * i) + 0.3);
  const power = spectrum(field);
  const total = power.reduce((sum, p, q) => sum + (q === 0 ? p : 2 * p), 0); // n odd: every other mode comes twice
  assert.ok(Math.abs(total - 9 * field.reduce((sum, w) => sum + w * w, 0)) < 1e-4);
});

test("on a torus a plane wave has the length of its wave vector", () => {
  const side = 8;
  const field = Float32Array.from({ length: 64 }, (_, i) => Math.cos((2 * Math.PI * (3 * (i % side) + 4 * Math.floor(i / side))) / side));
  const power = radialSpectrum(field, side);
  assert.equal(power.indexOf(Math.max(...power)), 5);
  const total = power.reduce((sum, p) => sum + p, 0);
  assert.ok(Math.abs(total - 64 * field.reduce((sum, w) => sum + w * w, 0)) < 1e-2);
});

test("on an image of other proportions, too, in periods along the longer side", () => {
  const [rows, columns] = [6, 10];
  const field = Float32Array.from({ length: 60 }, (_, i) => Math.cos(2 * Math.PI * ((3 * (i % columns)) / columns + (1 * Math.floor(i / columns)) / rows)));
  const power = radialSpectrum(field, columns);
  assert.equal(power.indexOf(Math.max(...power)), Math.round(Math.hypot(3, 10 / 6)));
  assert.ok(Math.abs(power.reduce((sum, p) => sum + p, 0) - 60 * field.reduce((sum, w) => sum + w * w, 0)) < 1e-2);
});

test("the peak is the largest weight of either sign", () => {
  assert.equal(peak(Float32Array.from([1, -3, 2])), 1);
  assert.equal(peak(Float32Array.from([NaN, 1])), 1);
  assert.equal(peak(Float32Array.from([NaN])), -1);
});

test("a wave of q cycles changes sign 2q times", () => {
  assert.equal(signChanges(wave(40, 3)), 6);
  assert.equal(signChanges([1, 0, 2]), 0);
});

test("the power of an image in colour is that of its planes", () => {
  const red = wave(16, 1);
  const blue = wave(16, 3);
  const power = spectrumOf(Float32Array.from([...red, ...new Float32Array(16), ...blue]), 4, 3);
  const sum = spectrumOf(red, 4).map((p, q) => p + spectrumOf(blue, 4)[q]);
  assert.ok(power.every((p, q) => Math.abs(p - sum[q]) < 1e-9) && Math.max(...power) > 1);
});

test("a site of an image in colour is a pixel and its colour", () => {
  const kernel = { side: 3, sites: 27, channels: 3 } as Run;
  assert.equal(siteName(kernel, 0), "0, 0 red");
  assert.equal(siteName(kernel, 9 + 5), "1, 2 green");
  assert.equal(siteName(kernel, 26), "2, 2 blue");
  assert.equal(siteName(kernel, 26, true), "2, 2 b");
  assert.equal(siteName({ ...kernel, sites: 9, channels: 1 }, 5), "1, 2");
});

test("weights in colour lie around grey", () => {
  const parts = (pixel: number) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255, pixel >>> 24];
  assert.deepEqual(parts(signedRgb(0, 0, 0)), [128, 128, 128, 255]);
  assert.deepEqual(parts(signedRgb(1, -1, 2)), [255, 0, 255, 255], "what is beyond the scale is its end");
  assert.deepEqual(parts(signedRgb(NaN, 0, 0)), [255, 255, 255, 255]);
});

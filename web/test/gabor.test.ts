import assert from "node:assert/strict";
import { test } from "node:test";
import { fitGabor, gaborAt } from "../src/gabor.ts";

const n = 40;
const field = (gabor: Parameters<typeof gaborAt>[0]) => Float32Array.from({ length: n }, (_, i) => gaborAt(gabor, i, n));

for (const truth of [
  { centre: 12.3, width: 2, frequency: 0, phase: 0, amplitude: 1 },
  { centre: 39.2, width: 3, frequency: 6, phase: 0.4, amplitude: -0.3 },
  { centre: 5, width: 4, frequency: 12, phase: 1.2, amplitude: 2 },
]) {
  test(`a Gabor field of frequency ${truth.frequency} is its own fit`, () => {
    const made = field(truth);
    const fit = fitGabor(made)!;
    assert.ok(fit.residual < 1e-4, `left ${fit.residual}`);
    const power = made.reduce((sum, w) => sum + w * w, 0);
    const off = made.reduce((sum, w, i) => sum + (w - gaborAt(fit, i, n)) ** 2, 0);
    assert.ok(Math.abs(off / power - fit.residual) < 1e-6, "the residual is that of the curve drawn");
  });
}

test("the centre goes around the ring", () => {
  const fit = fitGabor(field({ centre: 39.6, width: 1.5, frequency: 0, phase: 0, amplitude: 1 }))!;
  const away = Math.abs(fit.centre - 39.6);
  assert.ok(Math.min(away, n - away) < 0.1, `${fit.centre}`);
});

test("what has no shape has no fit", () => {
  assert.equal(fitGabor(new Float32Array(n)), undefined);
  assert.equal(fitGabor([NaN, 1, 0]), undefined);
});

"""The exact solution of 2,000 gated weights at 1,000 times, in numpy: numpy_eigh.py [REPETITIONS]; prints seconds as JSON."""
import json
import sys
import time

import numpy

SIZE, UNITS, TIMES, RATE = 2000, 50, 1000, 0.5
random = numpy.random.default_rng(1)
a = random.standard_normal((SIZE, SIZE)) / numpy.sqrt(8 * SIZE)
a = numpy.eye(SIZE) + (a + a.T) / 2
b, start = random.standard_normal(SIZE), numpy.full(SIZE, 0.1)
steps = numpy.arange(1, TIMES + 1)
seconds = []
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
    began = time.perf_counter()
    values, vectors = numpy.linalg.eigh(a)
    c, u = vectors.T @ b, vectors.T @ start
    rest = UNITS * c / values
    modes = rest + (u - rest) * numpy.exp(-numpy.outer(steps, values) * RATE / UNITS**2)
    weights = modes @ vectors.T
    seconds.append(time.perf_counter() - began)
print(json.dumps(seconds))

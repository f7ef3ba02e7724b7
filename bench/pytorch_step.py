"""Online training of the two-layer network in PyTorch, as a competent user writes it: one tensor program per step,
everything preallocated by the allocator's cache, no Python loop over samples, plain SGD applied in place.

    pytorch_step.py ROW...      a ROW is n,K,batch,activation; prints one JSON object with milliseconds per step
"""
import json
import math
import statistics
import sys
import time

import torch

torch.set_num_threads(2)


def root_of_covariance(n, xi):
    d = torch.arange(n, dtype=torch.float64)
    d = (d[:, None] - d[None, :]).abs()
    d = torch.minimum(d, n - d)
    values, vectors = torch.linalg.eigh(torch.exp(-((d / xi) ** 2)))
    return ((vectors * values.clamp(min=0).sqrt()) @ vectors.T).float()


def milliseconds(n, units, batch, activation, seconds=1.5):
    gain = 3.0
    scale = 1 / math.sqrt(2 / math.pi * math.asin(2 * gain**2 / (1 + 2 * gain**2)))
    roots = [root_of_covariance(n, 2.0), root_of_covariance(n, 1.0)]
    half = batch // 2
    weights = (torch.randn(units, n) * math.sqrt(2 / (units + n))).requires_grad_()
    labels = torch.cat([torch.ones(half), torch.zeros(half)])
    act = {"relu": torch.relu, "erf": lambda h: torch.erf(h * math.sqrt(0.5))}[activation]

    def step():
        noise = torch.randn(batch, n)
        x = torch.cat([noise[:half] @ roots[0], noise[half:] @ roots[1]])
        x = x.mul_(gain).erf_().mul_(scale)
        loss = 0.5 * (act(x @ weights.T).mean(1) - labels).square().mean()
        (gradient,) = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            weights.sub_(gradient, alpha=1.0)

    for _ in range(5):
        step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 15:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


print(json.dumps({row: milliseconds(*map(int, row.split(",")[:3]), row.split(",")[3]) for row in sys.argv[1:]}))

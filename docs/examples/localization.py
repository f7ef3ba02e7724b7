"""The localization experiment as a script, in NumPy: docs/from-jax.md has it in JAX, line by line beside a spec.

    python3 docs/examples/localization.py 8        # seeds 0 … 7: mean and standard error of loss, IPR and IPR at the start
"""
import sys

import numpy as np

n, K, g, xi = 40, 20, 3 * 2**0.5, (1.0, 2.0)  # ξ of label 0, of label 1
lr, batch, steps = 0.15, 200, 500


def erf(x):  # Abramowitz and Stegun 7.1.26, error below 1.5e-7
    t = 1 / (1 + 0.3275911 * np.abs(x))
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - tail * np.exp(-x * x))


d = np.minimum(np.arange(n), n - np.arange(n))
roots = np.array([np.sqrt(np.maximum(np.fft.fft(np.exp(-((d / length) ** 2))).real, 0)) for length in xi])
std = np.sqrt(2 / np.pi * np.arcsin(g**2 / (1 + g**2)))  # of erf(g z/√2)


def sample(rng, count):
    y = rng.integers(2, size=count)
    z = np.fft.ifft(np.fft.fft(rng.normal(size=(count, n))) * roots[y]).real
    return erf(g * z / 2**0.5) / std, y


def init(rng):  # glorot_normal: a normal cut at 2 sd, rescaled to variance 2/(n+K)
    w = rng.normal(size=(K, n))
    while (far := np.abs(w) > 2).any():
        w[far] = rng.normal(size=far.sum())
    return w * np.sqrt(2 / (n + K)) / 0.87962566103423978


def predict(w, x):
    return np.maximum(x @ w.T, 0).mean(1)


def gradient(w, x, y):  # of mean (ŷ − y)²; JAX's grad
    h = x @ w.T
    error = np.maximum(h, 0).mean(1) - y
    return 2 / K * ((h > 0) * error[:, None]).T @ x / len(x)


def ipr(w):
    return np.mean((w**4).sum(1) / (w**2).sum(1) ** 2)


def train(seed):
    rng = np.random.default_rng(seed)
    w = init(rng)
    start = ipr(w)
    for _ in range(steps):
        w -= lr * K * gradient(w, *sample(rng, batch))
    x, y = sample(rng, 10000)
    return np.mean((predict(w, x) - y) ** 2), ipr(w), start


if __name__ == "__main__":
    ends = np.array([train(seed) for seed in range(int(sys.argv[1]))])
    for name, mean, error in zip(("loss", "ipr", "start"), ends.mean(0), ends.std(0, ddof=1) / len(ends) ** 0.5):
        print(f"{name} {mean:.5f} ± {error:.5f}")

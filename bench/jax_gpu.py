"""Ensembles of networks with one hidden layer in JAX on a GPU, as a competent user writes them, against ours.

    jax_gpu.py GPU_ENSEMBLES             runs GPU_ENSEMBLES (build/release/bench/gpu_ensembles) and JAX in one go and prints both
    jax_gpu.py GPU_ENSEMBLES NAME...     these cases alone

The whole loop is compiled, networks are vmapped, samples are drawn on the device by JAX's own generator (threefry), products are of its default precision (tf32).
"""
import json
import statistics
import subprocess
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

GAIN, RATE = 3.0, 5.0


def root(n, xi):
    """The symmetric root of exp(-d²/ξ²) on the ring."""
    distance = np.minimum(np.arange(n), n - np.arange(n))
    spectrum = np.fft.fft(np.exp(-((distance / xi) ** 2))).real.clip(0)
    row = np.fft.ifft(np.sqrt(spectrum)).real
    return jnp.asarray(row[(np.arange(n)[:, None] - np.arange(n)) % n], jnp.float32)


def microseconds(n, units, batch, members, unit):
    roots = jnp.stack([root(n, 2.0), root(n, 1.0)])
    scale = float(np.sqrt(2 / np.pi * np.arcsin(2 * GAIN**2 / (1 + 2 * GAIN**2))))
    labels = jnp.concatenate([jnp.ones(batch // 2), jnp.zeros(batch // 2)])
    bend = {"relu": jax.nn.relu, "erf": lambda h: jax.lax.erf(h / np.sqrt(2).astype(np.float32))}[unit]

    def loss(parameters, x):
        w, b = parameters
        return 0.5 * jnp.mean((bend(x @ w.T + b).mean(1) - labels) ** 2)

    def step(parameters, key):
        z = jax.random.normal(key, (2, batch // 2, n))
        x = (jax.lax.erf(GAIN * jnp.einsum("cbi,cij->cbj", z, roots)) / scale).reshape(batch, n)
        slope = jax.grad(loss)(parameters, x)
        return jax.tree.map(lambda p, g: p - RATE * g, parameters, slope), None

    def train(parameters, key, steps):
        return jax.lax.scan(step, parameters, jax.random.split(key, steps))[0]

    run = jax.jit(jax.vmap(train, in_axes=(0, 0, None)), static_argnums=2)
    w = jax.random.normal(jax.random.key(0), (members, units, n)) * np.sqrt(2 / (units + n))
    parameters = (w, jnp.zeros((members, units)))

    def seconds(steps, seed):
        keys = jax.random.split(jax.random.key(seed), members)
        jax.block_until_ready(keys)
        begin = time.perf_counter()
        jax.block_until_ready(run(parameters, keys, steps))
        return time.perf_counter() - begin

    steps = 100 if members > 1 else 2000
    for each in (steps, 2 * steps):
        seconds(each, 0)
    times = [seconds(2 * steps, i) - seconds(steps, i) for i in range(1, 6)]
    return 1e6 * statistics.median(times) / (steps * members)


CASES = {  # ours: sites, units, batch, networks, unit
    "relu": (40, 100, 1000, 1024, "relu"),
    "erf": (40, 100, 1000, 1024, "erf"),
    "one unit": (40, 1, 1000, 4096, "relu"),
    "large": (100, 300, 1000, 64, "erf"),
    "alone": (40, 100, 1000, 1, "relu"),
    "alone, 10,000 samples": (40, 100, 10_000, 1, "relu"),
}

ours = json.loads(subprocess.run(sys.argv[1:], check=True, stdout=subprocess.PIPE, text=True).stdout)
print(ours.pop("device"), "· JAX", jax.__version__)
print(f"{'':26}{'networks':>9}{'ours, µs':>10}{'Gsamples/s':>12}{'JAX, µs':>10}{'Gsamples/s':>12}{'ratio':>8}")
theirs = {}
for name, mine in ours.items():
    usual = name.removesuffix(", fast")  # JAX has one precision
    n, units, batch, members, unit = CASES.get(usual, CASES["relu"])
    if "4096 networks" in name:
        members = 4096
    line = f"{name:26}{members:9}{mine:10.4f}{batch / mine / 1e3:12.2f}"
    if usual in CASES:
        if usual not in theirs:
            theirs[usual] = microseconds(*CASES[usual])
        line += f"{theirs[usual]:10.4f}{batch / theirs[usual] / 1e3:12.3f}{theirs[usual] / mine:8.1f}"
    print(line, flush=True)

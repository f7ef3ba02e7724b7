"""Ensembles trained on a GPU against the same on the CPU, seed by seed: every unit, readout, loss and task that a device knows.

    gpu_truth.py SLUICE [SEEDS [STEPS [BATCH]]]           512 seeds, 1000 steps of 200 samples
    gpu_truth.py SLUICE fast [SEEDS [STEPS [BATCH]]]      2048 seeds, 2000 steps of 1000 samples: precision = "fast" against "strict", both on the GPU
    gpu_truth.py SLUICE ... --case NAME                   this case alone

Both sides see the same samples up to rounding, so differences are taken seed by seed; beside them stands the standard error that the difference of two means over other
seeds would have. Fast networks see samples of their own: their differences have that error. Prints Markdown.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

ONLY = None
if sys.argv[-2:-1] == ["--case"]:
    ONLY = sys.argv[-1]
    del sys.argv[-2:]
SLUICE = os.path.abspath(sys.argv[1])
FAST = sys.argv[2:3] == ["fast"]
ASKED, USUAL = sys.argv[3 if FAST else 2 :], [2048, 2000, 1000] if FAST else [512, 1000, 200]
SEEDS, STEPS, BATCH = [int(a) for a in ASKED] + USUAL[len(ASKED) :]

SPEC = """
[task]
{task}
n = 40
[network]
kind = "two-layer"
hidden = 100
{network}
[dynamics]
kind = "sgd"
rate = 5
batch = {batch}
steps = {steps}
{dynamics}
[probe]
every = {steps}
samples = 10000
"""
TASKS = {
    "nlgp": 'kind = "nlgp"\ngain = 3',
    "gaussian": 'kind = "gaussian"',
    "gaussian-clone": 'kind = "gaussian-clone"\ngain = 3',
    "student-t": 'kind = "student-t"',
    "shell": 'kind = "shell"',
    "norta": 'kind = "norta"\nmarginal = "uniform"',
    "pulse": 'kind = "pulse"',
    "block": 'kind = "block"\nblock = [4, 2]',
}
RELU = 'activation = "relu"\nbias = "learned"'
CASES = {name: (task, RELU, "") for name, task in TASKS.items()}
CASES |= {unit: (TASKS["nlgp"], f'activation = "{unit}"\nbias = "learned"', "") for unit in ("erf", "sigmoid", "tanh", "soft-relu")}
CASES["learned readout"] = (TASKS["nlgp"], RELU + '\nreadout = "learned"', "rate = 0.1")
CASES["cross-entropy"] = (TASKS["nlgp"], RELU, 'loss = "cross-entropy"')
CASES["adam"] = (TASKS["nlgp"], RELU, 'kind = "adam"\nrate = 0.01')
if FAST:  # what kernels are made for
    CASES = {name: case for name, case in CASES.items() if name in ("nlgp", "gaussian", "erf", "sigmoid", "tanh", "soft-relu", "cross-entropy", "adam")}
if ONLY is not None:
    CASES = {ONLY: CASES[ONLY]}
SIDES = {"fast": ("gpu", "fast"), "strict": ("gpu", "strict")} if FAST else {"there": ("gpu", "strict"), "CPU": ("cpu", "strict")}
COLUMNS = {"loss": "loss", "accuracy": "accuracy", "ipr_mean_end": "mean IPR", "localized_share": "share localized", "bias_median": "median bias"}


def swept(folder, spec, device, precision):
    """What every seed came to, by column."""
    out = os.path.join(folder, device + precision)
    command = [SLUICE, "sweep", spec, "--set", f"dynamics.precision={precision}", "--over", f"seed=1..{SEEDS}", "--device", device, "--out", out, "--threads", str(os.cpu_count()), "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "summary.csv")) as file:
        runs = {row["seed"]: row for row in csv.DictReader(file)}
    with open(os.path.join(out, "sweep.csv")) as file:
        for row in csv.DictReader(file):
            runs[row["seed"]]["bias_median"] = row.get("bias_median") or "nan"  # of the last time
    return runs


def mean_and_error(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


print(f"{SEEDS} seeds, {STEPS} steps of {BATCH} samples\n")
print(f"| | | {' | '.join(SIDES)} | difference | of other seeds |\n|---|---|---|---|---|---|")
worst = 0
for name, (task, network, dynamics) in CASES.items():
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, "spec.toml")
        text = SPEC.format(task=task, network=network, dynamics=dynamics, steps=STEPS, batch=BATCH)
        lines = text.split("\n")
        for key in ("kind", "rate"):  # what a case says of its dynamics comes in place of what all say
            if dynamics.startswith(key) or f"\n{key}" in dynamics:
                lines.remove(next(line for line in lines[lines.index("[dynamics]") :] if line.startswith(key)))
        with open(spec, "w") as file:
            file.write("\n".join(lines))
        there, here = (swept(folder, spec, *side) for side in SIDES.values())
    for column, title in COLUMNS.items():
        a, b = ([float(runs[seed][column]) for seed in there] for runs in (there, here))
        difference, error = mean_and_error([x - y for x, y in zip(a, b)])
        of_others = math.hypot(mean_and_error(a)[1], mean_and_error(b)[1])
        if of_others > 0:
            worst = max(worst, abs(difference) / of_others)
        print(f"| {name} | {title} | {mean_and_error(a)[0]:.6g} | {mean_and_error(b)[0]:.6g} | {difference:.1e} ± {error:.1e} | {of_others:.1e} |", flush=True)
print(f"\nlargest difference: {worst:.2f} standard errors of other seeds")

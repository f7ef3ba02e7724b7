"""What Python costs: sluice.run of localization in memory against the program's own loop, alternating.

    python3 bench/python_overhead.py SLUICE MODULE [PAIRS]     MODULE is build/release/python; prints JSON

Of the program counts what its run.json says, set-up and loop without page and record; of Python the wall-clock time of the call, all that a user waits for.
Upper: of the median ratio, 95 %, by order statistics, as in pairs.py.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

program, module = sys.argv[1], sys.argv[2]
pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 20
sys.path.insert(0, module)
import sluice  # noqa: E402

STEPS, THREADS = 5000, 2


def of_program(folder):
    out = pathlib.Path(folder, "run")
    subprocess.run([program, "run", "localization", "--quiet", "--overwrite", "--threads", str(THREADS), "--set", f"dynamics.steps={STEPS}",
                    "--out", out], check=True, stdout=subprocess.DEVNULL)
    return json.loads((out / "run.json").read_text())["seconds"]


def of_python():
    began = time.perf_counter()
    run = sluice.run("localization", dynamics__steps=STEPS, threads=THREADS, progress=False)
    run.weights, run.loss
    return time.perf_counter() - began


def upper_of_median(values):
    """Smallest order statistic that exceeds the median with probability 0.95."""
    ordered, below = sorted(values), 0.0
    for k, value in enumerate(ordered):
        below += math.comb(len(ordered), k) / 2 ** len(ordered)
        if below >= 0.95:
            return value
    return ordered[-1]


ratios, ours, theirs = [], [], []
with tempfile.TemporaryDirectory() as folder:
    of_program(folder), of_python()  # both are warm
    for i in range(pairs):
        if i % 2:
            a, b = of_python(), of_program(folder)
        else:
            b, a = of_program(folder), of_python()
        ours.append(a)
        theirs.append(b)
        ratios.append(a / b)
print(json.dumps({"pairs": pairs, "python_s": sorted(ours)[pairs // 2], "program_s": sorted(theirs)[pairs // 2],
                  "median": sorted(ratios)[pairs // 2], "upper": upper_of_median(ratios), "aim": 1.03, "ratios": ratios}))

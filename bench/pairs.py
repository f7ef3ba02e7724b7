"""Two programs, alternating: python3 bench/pairs.py OLD NEW [PAIRS]. One row per experiment: median of the ratios new/old of wall-clock times
over the pairs, and the upper end of its 95 % interval (order statistics of the median, no assumption on the law)."""
import math, os, shutil, subprocess, sys, tempfile, time

ROWS = {
    "localization": ["localization", "--set", "dynamics.steps=3000"],
    "erf, learned bias": ["populations", "--set", "dynamics.steps=2000"],
    "flow": ["flow-nlgp", "--set", "dynamics.steps=100", "--set", "dynamics.kind=flow", "--set", "probe.watch=[\"ipr\"]"],
    "deep, points": ["depth-relu", "--set", "dynamics.steps=400", "--set", "probe.every=100"],
    "torus": ["localization", "--set", "task.dim=2", "--set", "task.n=8", "--set", "dynamics.steps=1000"],
}


def seconds(program, words, folder):
    shutil.rmtree(folder, ignore_errors=True)
    begin = time.perf_counter()
    subprocess.run([program, "run", *words, "--out", folder, "--quiet", "--threads", "2"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def upper_of_median(sorted_ratios):
    """Smallest order statistic that exceeds the median with probability 0.95."""
    n, below = len(sorted_ratios), 0.0
    for k in range(n):
        below += math.comb(n, k) / 2**n
        if below >= 0.95:
            return sorted_ratios[k]
    return sorted_ratios[-1]


old, new = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 20
print(f"{'experiment':<20} {'old s':>7} {'new s':>7} {'median':>7} {'upper 95 %':>10}")
with tempfile.TemporaryDirectory() as folder:
    for name, words in ROWS.items():
        olds, ratios = [], []
        for i in range(pairs):
            first, second = (old, new) if i % 2 == 0 else (new, old)
            a, b = seconds(first, words, folder + "/r"), seconds(second, words, folder + "/r")
            before, after = (a, b) if i % 2 == 0 else (b, a)
            olds.append(before)
            ratios.append(after / before)
        ratios.sort()
        median = sorted(ratios)[pairs // 2]
        print(f"{name:<20} {sorted(olds)[pairs // 2]:>7.3f} {sorted(olds)[pairs // 2] * median:>7.3f} {median:>7.3f} {upper_of_median(ratios):>10.3f}", flush=True)

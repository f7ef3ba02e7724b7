"""Sweeps against single runs: samples per second, what a run costs beside its training, and one stream of samples for all.

    ensemble.py BENCH SLUICE [RUNS]     called by run.py; RUNS of about a second each for the overhead, 100 by default

Everything is the whole command, from its start to its page: set-up of all points, folders, records, tables and figures are in it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

STEPS = 4000
BATCH = 1000


def simulated(program):
    """Seconds of BM_simulate by (K, threads): the fastest of three."""
    done = subprocess.run([program, "--benchmark_filter=BM_simulate", "--benchmark_format=json", "--benchmark_repetitions=3"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    times = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        keys = dict(part.split(":") for part in entry["run_name"].split("/") if ":" in part)
        key = int(keys["K"]), int(keys["threads"])
        times[key] = min(times.get(key, 1e9), entry["real_time"] / 1e3)
    return times


def sweep(sluice, units, seeds, steps=STEPS, shared=False):
    """Wall seconds of a sweep over seeds on two threads."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        subprocess.run([sluice, "sweep", "localization", "--over", f"seed=1..{seeds}", "--threads", "2", "--quiet", "--out", folder + "/s",
                        *(f"--set={key}" for key in (f"network.hidden={units}", f"dynamics.steps={steps}", "probe.every=500",
                                                     f"sweep.share_samples={str(shared).lower()}"))],
                       stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - began


def measure(program, sluice, runs=100):
    alone = simulated(program)
    rows = []
    for units in (1, 10, 100):
        rate = 64 * STEPS * BATCH / sweep(sluice, units, 64)
        single = STEPS * BATCH / alone[units, 2]
        rows.append({"what": f"64 seeds, K = {units}", "samples_per_s": rate, "single_run": single, "ratio": rate / single})
    long_steps = round(STEPS / alone[100, 1])  # a run of one second on one thread
    wall = sweep(sluice, 100, runs, long_steps)
    overhead = wall * 2 / (runs * alone[100, 1] * long_steps / STEPS) - 1
    separate, together = sweep(sluice, 1, 64), sweep(sluice, 1, 64, shared=True)
    return {"rows": rows, "runs": runs, "overhead": overhead, "share": together / separate}


def show(result):
    for row in result["rows"]:
        print(f'{row["what"]}: {row["samples_per_s"] / 1e6:.2f} M samples/s on two threads, {row["ratio"]:.2f} times those of a single run on two '
              f'(aim at least 0.95, above 1 for K ≤ 10)')
    print(f'{result["runs"]} runs of one second: {100 * result["overhead"]:.1f} % beside training (aim below 5)')
    print(f'one stream of samples for 64 seeds of one unit: {result["share"]:.3f} of the time of separate ones (aim at most 0.2)')


if __name__ == "__main__":
    show(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 100))

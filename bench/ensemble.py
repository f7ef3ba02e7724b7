"""Sweeps against single runs: samples per second, what a run costs beside its training, one stream of samples for all, one training on two ranks.

    ensemble.py BENCH SLUICE                   called by run.py
    ensemble.py BENCH SLUICE RUNS THREADS      only what RUNS of about a second each cost beside their training

Everything is the whole command, from its start to its page: set-up of all points, folders, records, tables and figures are in it.
"""
import filecmp
import json
import pathlib
import subprocess
import sys
import tempfile
import time

STEPS = 4000
BATCH = 1000


def start(program, what, repetitions):
    return subprocess.Popen([program, f"--benchmark_filter=BM_simulate/{what}", "--benchmark_format=json",
                             f"--benchmark_repetitions={repetitions}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def seconds(process):
    """Of every repetition, with its (K, threads)."""
    entries = json.loads(process.communicate()[0])["benchmarks"]
    assert process.returncode == 0
    for entry in entries:
        if entry["run_type"] == "iteration":
            keys = dict(part.split(":") for part in entry["run_name"].split("/") if ":" in part)
            yield (int(keys["K"]), int(keys["threads"])), entry["real_time"] / 1e3


def simulated(program):
    """Seconds of a run in memory by (K, threads): the fastest of three."""
    times = {}
    for key, time_of in seconds(start(program, "", 3)):
        times[key] = min(times.get(key, 1e9), time_of)
    return times


def side_by_side(program, threads):
    """Seconds of a run in memory, K = 100, on one thread while the same is done on the others: what cores do to each other is no overhead."""
    all_of_them = [start(program, "K:100/steps:4000/threads:1", 5) for _ in range(threads)]
    times = [time_of for each in all_of_them for _, time_of in seconds(each)]
    return sum(times) / len(times)


def overhead(program, sluice, runs, threads):
    """Wall seconds × threads over the sum of simulate() times, minus 1; and the seconds of a run."""
    before = side_by_side(program, threads)
    steps = round(STEPS / before)  # a run of one second on one thread
    wall = sweep(sluice, 100, runs, steps, threads=threads)
    one = (before + side_by_side(program, threads)) / 2 * steps / STEPS  # before and after: the machine may change its pace
    return wall * threads / (runs * one) - 1, one


def spread(sluice, rounds=2):
    """One training of (400, 100, 10000): the seconds of one thread over those of two ranks of one thread each, the faster of two in turn."""
    words = ["run", "localization", "--quiet", "--threads", "1", *(f"--set={key}" for key in (
        "task.n=400", "network.hidden=100", "dynamics.batch=10000", "dynamics.steps=800", "probe.every=800"))]
    launch = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
    least = [1e9, 1e9]
    with tempfile.TemporaryDirectory() as folder:
        for i in range(rounds):
            for ranks, before in enumerate(([], launch)):
                began = time.monotonic()
                subprocess.run([*before, sluice, *words, "--out", f"{folder}/{ranks}{i}"], stdout=subprocess.DEVNULL, check=True)
                least[ranks] = min(least[ranks], time.monotonic() - began)
        assert filecmp.cmp(f"{folder}/00/record.npz", f"{folder}/10/record.npz", shallow=False)
    return least[0] / least[1]


def sweep(sluice, units, seeds, steps=STEPS, shared=False, threads=2):
    """Wall seconds of a sweep over seeds."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        subprocess.run([sluice, "sweep", "localization", "--over", f"seed=1..{seeds}", "--threads", str(threads), "--quiet", "--out", folder + "/s",
                        *(f"--set={key}" for key in (f"network.hidden={units}", f"dynamics.rate={0.05 * units}", f"dynamics.steps={steps}", "probe.every=500",
                                                     f"sweep.share_samples={str(shared).lower()}"))],
                       stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - began


def measure(program, sluice, runs=100):
    alone = simulated(program)
    rows = []
    for units in (1, 10, 100):
        rate = 64 * STEPS * BATCH / min(sweep(sluice, units, 64) for _ in range(3))  # the fastest of three, as of single runs
        single = STEPS * BATCH / alone[units, 2]
        rows.append({"what": f"64 seeds, K = {units}", "samples_per_s": rate, "single_run": single, "ratio": rate / single})
    beside, one = overhead(program, sluice, runs, 2)
    separate, together = sweep(sluice, 1, 64), sweep(sluice, 1, 64, shared=True)
    return {"rows": rows, "runs": runs, "seconds_each": one, "overhead": beside, "share": together / separate, "two_ranks": spread(sluice)}


def show(result):
    for row in result["rows"]:
        print(f'{row["what"]}: {row["samples_per_s"] / 1e6:.2f} M samples/s on two threads, {row["ratio"]:.2f} times those of a single run on two '
              f'(aim at least 0.95, above 1 for K ≤ 10)')
    print(f'{result["runs"]} runs of {result["seconds_each"]:.2f} s: {100 * result["overhead"]:.1f} % beside training (aim below 5)')
    print(f'one stream of samples for 64 seeds of one unit: {result["share"]:.3f} of the time of separate ones (aim at most 0.2)')
    print(f'one training, (400, 100, 10000), on two ranks of one thread: {result["two_ranks"]:.2f} times as fast as on one (aim 1.7)')


if __name__ == "__main__":
    if len(sys.argv) > 3:
        runs, threads = int(sys.argv[3]), int(sys.argv[4])
        beside, one = overhead(sys.argv[1], sys.argv[2], runs, threads)
        print(f"{runs} runs of {one:.2f} s on {threads} threads: {100 * beside:.1f} % beside training (aim below 5)")
    else:
        show(measure(sys.argv[1], sys.argv[2]))

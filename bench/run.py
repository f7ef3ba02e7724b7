"""make bench: sluice, PyTorch and the machine's matrix product side by side, in one go, on two threads.

    run.py BENCH SLUICE OUTPUT.json     BENCH is build/release/bench/sluice_bench, SLUICE build/release/sluice

Both run twice, in turn, and the faster median of each row counts: on a virtual machine the second core sometimes stays away
for a whole second. PyTorch runs with and without threads inside OpenBLAS (they sometimes get in the way of its own).
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROWS = {  # row: aim, the ratio to PyTorch
    "40,100,1000,relu": 6, "40,100,1000,erf": 12, "40,100,10000,relu": 12, "40,100,10000,erf": 15,
    "40,1,10000,relu": 15, "100,300,1000,erf": 10, "400,100,1000,relu": 5,
}
program, sluice, output = sys.argv[1:4]
here = pathlib.Path(__file__).parent


def pytorch(**environment):
    command = [sys.executable, str(here / "pytorch_step.py"), *ROWS]
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def peak_memory(row):
    """MiB of a whole run of the row, from the operating system: program, libraries, training, record and figures."""
    n, units, batch, unit = row.split(",")
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen([sluice, "run", "localization", "--quiet", "--threads", "2", "--out", folder + "/run",
                                  *(f"--set={key}" for key in (
                                      f"task.n={n}", f"network.hidden={units}", f"dynamics.batch={batch}",
                                      f"network.activation={unit}", "dynamics.steps=20", "probe.every=20"))],
                                 stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, row
    return usage.ru_maxrss / 1024


def benchmarks(*options):
    done = subprocess.run([program, "--benchmark_format=json", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)["benchmarks"]


ours = benchmarks("--benchmark_filter=-BM_simulate")
peers = [pytorch()]
ours_again = benchmarks("--benchmark_filter=BM_step")
peers.append(pytorch(OPENBLAS_NUM_THREADS="1"))
steps = {}
for entry in ours + ours_again:
    if entry["name"].startswith("BM_step"):
        keys = dict(part.split(":") for part in entry["name"].split("/") if ":" in part)
        row = f'{keys["n"]},{keys["K"]},{keys["batch"]},{entry["label"]}'
        if keys["threads"] == "2" and (row not in steps or entry["median_ms"] < steps[row]["median_ms"]):
            steps[row] = entry

table, ratios = [], []
for row, aim in ROWS.items():
    mine, theirs = steps[row]["median_ms"], min(peer[row] for peer in peers)
    ratios.append(theirs / mine)
    table.append({"row": row, "sluice_ms": mine, "pytorch_ms": theirs, "ratio": theirs / mine, "aim": aim,
                  "times_matrix_product": steps[row]["times_matrix_product"], "peak_mib": peak_memory(row)})
print(f'{"n, K, batch, unit":<22}{"sluice":>10}{"PyTorch":>11}{"ratio":>8}{"aim":>6}{"× matrix product":>19}'
      f'{"peak memory":>14}')
for line in table:
    print(f'{line["row"].replace(",", ", "):<22}{line["sluice_ms"]:>7.3f} ms{line["pytorch_ms"]:>8.2f} ms'
          f'{line["ratio"]:>8.1f}{line["aim"]:>6}{line["times_matrix_product"]:>19.2f}{line["peak_mib"]:>10.0f} MiB')
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(f"geometric mean of the ratios: {mean:.1f} (aim 10)")
typed = {}
for unit, formula in (("erf", "erf(h/sqrt(2))"), ("soft-relu", "h/(1 + exp(-h))")):
    typed[formula] = steps[f"40,100,1000,{formula}"]["median_ms"] / steps[f"40,100,1000,{unit}"]["median_ms"]
    print(f'typed unit "{formula}": {typed[formula]:.2f} times the step of {unit} (aim below 3)')
by_label = {entry["label"]: entry["median_ms"] for entry in ours if entry["name"].startswith(("BM_deep_step", "BM_gated_step"))}
for typed_gates, plain in (("typed soft-galu", "soft-galu"), ("Phi(2*q)", "half-space")):
    typed[typed_gates] = by_label[typed_gates] / by_label[plain]
    print(f'typed gates "{typed_gates}": {typed[typed_gates]:.2f} times the step of {plain} (aim below 3)')
samplers = []
for entry in ours:
    if entry["name"].startswith("BM_sample") and entry.get("aggregate_name") == "median":
        keys = dict(part.split(":") for part in entry["run_name"].split("/") if ":" in part)
        samplers.append({"task": entry["run_name"].split("/")[1], "n": int(keys["n"]), "dim": int(keys["dim"]),
                         "samples_per_s": entry["items_per_second"]})
print(f'{"sampler, n":<22}{"samples/s":>12}{"ns per site":>14}    one thread, processor time')
for line in samplers:
    sites = line["n"] ** line["dim"]
    name = f'{line["task"]}, {line["n"]}' + (" × " + str(line["n"]) if line["dim"] == 2 else "")
    print(f'{name:<22}{line["samples_per_s"]:>12.4g}{1e9 / line["samples_per_s"] / sites:>14.2f}')
growth = {}
for name in ("nlgp", "gaussian"):
    time = {line["n"]: 1 / line["samples_per_s"] for line in samplers if line["task"] == name and line["dim"] == 1}
    ends = min(n for n in time if n >= 1000), max(time)
    growth[name] = math.log(time[ends[1]] / time[ends[0]]) / math.log(ends[1] / ends[0])
    print(f"{name}: time per sample grows as n^{growth[name]:.2f} from {ends[0]} to {ends[1]} sites")
for entry in ours:
    if entry["name"].startswith("BM_response"):
        print(f'f(w) from samples, {entry["label"]}: {entry["gain_first_call"]:.0f} times cheaper than plain Monte Carlo at equal '
              f'error with drawing (aim 5), {entry["gain_per_call"]:.0f} times per call after it')


def deep_peak_memory():
    """MiB of `sluice kernel` on 10,000 inputs of 784 numbers: program, data, network and the matrix of 381 MiB."""
    with tempfile.TemporaryDirectory() as folder:
        spec = pathlib.Path(folder, "kernel.toml")
        spec.write_text('[task]\nkind = "points"\nn = 784\nsamples = 10000\ninputs = "uniform"\n'
                        '[network]\nkind = "deep-gated"\n[dynamics]\nkind = "sgd"\nbatch = "full"\n')
        child = subprocess.Popen([sluice, "kernel", str(spec), "--threads", "2"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    assert status == 0
    return usage.ru_maxrss / 1024


def pytorch_deep(**environment):
    done = subprocess.run([sys.executable, str(here / "pytorch_deep.py")], env={**os.environ, **environment},
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


deep_peers = [pytorch_deep(), pytorch_deep(OPENBLAS_NUM_THREADS="1")]
deep = {entry["run_name"] + entry.get("label", ""): entry for entry in ours if entry["name"].startswith(("BM_deep", "BM_tangent", "BM_convolution"))}
deep_rows = []
for name, key in (("relu", "relu_ms"), ("galu", "galu_ms")):
    mine = next(entry["median_ms"] for run, entry in deep.items() if entry.get("label") == name)
    theirs = min(peer[key] for peer in deep_peers)
    deep_rows.append({"what": f"step, figure 5's widths, batch 128, Adam, {name}", "sluice_ms": mine, "pytorch_ms": theirs,
                      "ratio": theirs / mine, "aim": 2})
mine = next(entry["median_ms"] for run, entry in deep.items() if run.startswith("BM_convolution"))
theirs = min(peer["convolution_ms"] for peer in deep_peers)
deep_rows.append({"what": "step, conv(3,3) 64, 64, 128, 128 on 32 × 32 × 3, then 256, 256, 10, batch 128, Adam", "sluice_ms": mine,
                  "pytorch_ms": theirs, "ratio": theirs / mine, "aim": 1})
for n, aim in ((2000, 50), (10000, None)):
    mine = next(entry["median_ms"] for entry in deep.values() if f"BM_tangent/{n}/" in entry["name"])
    theirs = 1e3 * min(peer["kernel_s"] for peer in deep_peers) if aim else None
    deep_rows.append({"what": f"tangent kernel, {n} inputs, depth 6, width 100", "sluice_ms": mine, "pytorch_ms": theirs,
                      "ratio": theirs / mine if theirs else None, "aim": aim})
for line in deep_rows:
    against = f'PyTorch {line["pytorch_ms"]:.1f} ms, ratio {line["ratio"]:.1f} (aim {line["aim"]})' if line["aim"] else "aim 10 s"
    print(f'{line["what"]}: {line["sluice_ms"]:.2f} ms, {against}')
deep_peak = deep_peak_memory()
print(f"peak memory of the kernel of 10,000 inputs: {deep_peak:.0f} MiB (aim 1536)")


def gated_solution():
    """1,000 times of 2,000 gated weights against numpy, in turn; MiB of our process, moments included."""
    mine, theirs, peak = [], [], 0
    for _ in range(2):
        child = subprocess.Popen([program, "--benchmark_filter=BM_gated/", "--benchmark_format=json"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        assert status == 0
        peak = max(peak, usage.ru_maxrss / 1024)
        mine += [entry["real_time"] for entry in json.loads(printed)["benchmarks"] if entry["run_type"] == "iteration"]
        done = subprocess.run([sys.executable, str(here / "numpy_eigh.py")], stdout=subprocess.PIPE, check=True)
        theirs += [1e3 * seconds for seconds in json.loads(done.stdout)]
    return {"sluice_ms": min(mine), "numpy_ms": min(theirs), "ratio": min(mine) / min(theirs), "aim": 1.5, "peak_mib": peak}


gated = gated_solution()
print(f'1,000 times of 2,000 gated weights: {gated["sluice_ms"]:.0f} ms, numpy {gated["numpy_ms"]:.0f} ms, '
      f'{gated["ratio"]:.2f} times numpy (aim at most 1.5); peak memory {gated["peak_mib"]:.0f} MiB (aim 400)')
import ensemble  # beside this file
many = ensemble.measure(program, sluice)
ensemble.show(many)
many_runs = json.loads(subprocess.run([sys.executable, str(here / "many_runs.py"), sluice], stdout=subprocess.PIPE, check=True).stdout)
print(f'`sluice runs` over {many_runs["runs"]:,} runs: {many_runs["list_s"]:.2f} s, with a filter {many_runs["filter_s"]:.2f} s (aim 1 s); '
      f'the first time {many_runs["first_s"]:.1f} s')
points = json.loads(subprocess.run([sys.executable, str(here / "many_points.py"), sluice], stdout=subprocess.PIPE, check=True).stdout)
print(f'{points["points"]:,} points beside training: {points["wall_s"]:.0f} s (aim 60 s), of it {points["plan_s"]:.1f} s before the first and '
      f'{points["compare_s"]:.1f} s after the last; {points["processor_s"]:.0f} s of processors; {points["memory_mb"]:.0f} MB (aim 2 GB)')
module = pathlib.Path(sluice).parent / "python"
overhead = None
if any((module / "sluice").glob("_sluice*.so")):
    overhead = json.loads(subprocess.run([sys.executable, str(here / "python_overhead.py"), sluice, str(module)], stdout=subprocess.PIPE, check=True).stdout)
    print(f'sluice.run in Python against the program\'s loop, {overhead["pairs"]} pairs: median ratio {overhead["median"]:.3f}, '
          f'upper end {overhead["upper"]:.3f} (aim {overhead["aim"]})')
pathlib.Path(output).write_text(json.dumps({"steps": table, "geometric_mean": mean, "typed": typed, "samplers": samplers,
                                            "growth_exponent": growth, "deep": deep_rows, "deep_peak_mib": deep_peak,
                                            "gated": gated, "ensemble": many, "many_runs": many_runs, "many_points": points, "python": overhead, "google_benchmark": ours}, indent=1))

"""many_points.py SLUICE [COUNT [ARGUMENT …]]: what a sweep of COUNT networks (10,000; n = 40, K = 100, 20 probe times) takes beside training, as JSON.

Training and evaluation are nearly nothing, 20 steps of 2 samples each, a probe time after every one. Everything else is what any sweep
of as many points has: set-up, folders, records, tables, figures, the page of all. Phases by the times of the files. Arguments are handed on:
`many_points.py build/release/sluice 10000 --set probe.weights=end --device gpu`.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def main():
    sluice, count = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    settings = ("dynamics.steps=20", "dynamics.batch=2", "probe.every=1", "probe.samples=2", 'probe.watch=["loss","ipr"]')
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, "sweep")
        began = time.time()
        process = subprocess.Popen([sluice, "sweep", "localization", "--quiet", "--over", f"seed=1..{count}", "--out", out,
                                    *(f"--set={each}" for each in settings), *sys.argv[3:]], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, status
        whole = time.time() - began
        points = [out / f"seed={i + 1}" for i in range(count)]
        first = min((point / "spec.toml").stat().st_mtime for point in points)
        last = max((point / "run.json").stat().st_mtime for point in points)
        files = [path for path in out.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
    print(json.dumps({"points": count, "wall_s": whole, "plan_s": first - began, "points_s": last - first,
                      "compare_s": began + whole - last, "processor_s": usage.ru_utime + usage.ru_stime,
                      "memory_mb": usage.ru_maxrss / 1e3, "files": len(files), "disk_mb": size / 1e6}))


main()

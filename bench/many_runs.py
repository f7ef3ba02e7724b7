"""many_runs.py SLUICE [COUNT]: seconds of `sluice runs` over COUNT run folders (10,000), as JSON.

One real run is trained; its folder is copied COUNT times, with what a sweep would change in spec.toml and run.json. The arrays, which no
listing reads, are left out. Times are the least of three, but for the first indexing, of which there is one.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def make_runs(sluice, folder, count):
    subprocess.run([sluice, "run", "localization", "--quiet", "--out", folder / "one", "--set=dynamics.steps=20"],
                   stdout=subprocess.DEVNULL, check=True)
    names = ("metrics.csv", "log.txt", ".sluice-manifest")
    rest = {name: (folder / "one" / name).read_bytes() for name in names}
    spec, run = (folder / "one/spec.toml").read_text(), json.loads((folder / "one/run.json").read_text())
    for i in range(count):
        gain, seed = 0.1 + i // 20 * 0.01, i % 20 + 1
        point = folder / f"runs/sweep{i // 1000}/gain={gain:g},seed={seed}"
        point.mkdir(parents=True)
        for name, content in rest.items():
            (point / name).write_bytes(content)
        text = re.sub(r"(?m)^gain = \S+", f"gain = {gain!r}", re.sub(r"(?m)^seed = \S+", f"seed = {seed}", spec))
        (point / "spec.toml").write_text(text)
        changed = run | {"seed": seed, "folder": str(point), "localized_share": i % 101 / 100, "spec": f"2-{i:016x}"}
        (point / "run.json").write_text(json.dumps(changed, indent=2) + "\n")


def seconds(sluice, folder, *words):
    began = time.monotonic()
    done = subprocess.run([sluice, "runs", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - began, done.stdout.count(b"\n")


def main():
    sluice, count = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        make_runs(sluice, folder, count)
        first, lines = seconds(sluice, folder)
        assert lines == count + 1, lines
        least = lambda *words: min(seconds(sluice, folder, *words)[0] for _ in range(3))
        listed = least()
        filtered = least("--where", "gain > 1 and localized > 0.5", "--sort", "accuracy")
        (folder / "runs/sweep0").rename(folder / "runs/other")  # a thousand are gone, a thousand are new
        renamed, lines = seconds(sluice, folder)
        assert lines == count + 1, lines
        size = (folder / "runs/.sluice-index.sqlite").stat().st_size
    print(json.dumps({"runs": count, "first_s": first, "list_s": listed, "filter_s": filtered, "renamed_1000_s": renamed,
                      "index_mb": size / 1e6}))


main()

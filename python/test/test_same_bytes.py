"""The two faces of the library: records from Python and from the program hold the same bytes, for every experiment of the catalog."""
import io

import numpy as np
import pytest

import sluice

BRIEF = {"dynamics.steps": 6, "probe.every": 3, "probe.samples": 200}


SMALL = {"task.samples": "all", "network.channels": [4, 8], "network.widths": [10], "dynamics.batch": 20}


def brief(name, digits, photographs, tmp_path):
    """The experiment on few steps."""
    keys = dict(BRIEF)
    if name.startswith(("digits", "mnist")):
        keys["task.path"] = str(digits)
    if name.startswith("cifar10"):
        keys |= {"task.path": str(photographs), **SMALL}
    if name == "digits-learned-gates":
        sluice.run("digits-relu", set=keys, out=tmp_path / "teacher", progress=False)
        keys["network.gate_init.path"] = str(tmp_path / "teacher")
    return keys


def same(array, other):
    return array.dtype == other.dtype and array.shape == other.shape and array.tobytes() == other.tobytes()


@pytest.mark.parametrize("name", sluice.catalog())
@pytest.mark.filterwarnings("ignore::sluice.Remark")
def test_records_hold_the_same_bytes(name, digits, photographs, program, tmp_path):
    keys = brief(name, digits, photographs, tmp_path)
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    said = program("run", name, *words, "--out", tmp_path / "program", "--quiet", "--threads", 2)
    assert said.returncode == 0, said.stderr
    ours = sluice.run(name, set=keys, threads=1, progress=False)
    theirs = np.load(io.BytesIO((tmp_path / "program/record.npz").read_bytes()))
    assert ours.keys() == theirs.files
    for array in theirs.files:
        assert same(ours[array], theirs[array]), array
    assert ours.toml == (tmp_path / "program/spec.toml").read_text()


@pytest.mark.filterwarnings("ignore::sluice.Remark")
def test_folders_hold_the_same_files(program, tmp_path):
    said = program("run", "localization", "--set", "dynamics.steps=20", "--out", tmp_path / "program", "--quiet")
    assert said.returncode == 0, said.stderr
    run = sluice.run("localization", dynamics__steps=20, out=tmp_path / "python", progress=False)
    files = sorted(path.relative_to(tmp_path / "program") for path in (tmp_path / "program").rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(run.folder) for path in run.folder.rglob("*") if path.is_file())
    for name in ("record.npz", "spec.toml", "metrics.csv", "state.npz", "figures/learning.svg"):
        assert (tmp_path / "program" / name).read_bytes() == (run.folder / name).read_bytes(), name
    memory, loaded = sluice.run("localization", dynamics__steps=20, progress=False), sluice.load(run.folder)
    for name in run.keys():
        assert same(memory[name], run[name]) and same(loaded[name], run[name]), name
    assert memory.figures == loaded.figures and memory.summary == loaded.summary
    for name in memory.figures:
        assert memory.figure(name).svg == loaded.figure(name).svg, name
    assert run.figure("learning").render("svg") == (run.folder / "figures/learning.svg").read_bytes()

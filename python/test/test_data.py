"""sluice.Data: a data set in arrays has the bits of one in a file, is known by what it holds, and can be kept."""
import contextlib
import gc
import os
import pathlib
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import sluice
from test_parts import same

pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")

SPEC = {"network": {"kind": "two-layer", "hidden": 4}, "dynamics": {"kind": "sgd", "steps": 12, "batch": 50}, "probe": {"every": 4}}
DEEP = {"network": {"kind": "deep-gated", "depth": 3, "width": 6}, "dynamics": {"kind": "sgd", "steps": 4, "batch": "full"}, "probe": {"every": 2}}
RNG = np.random.default_rng(1)
X = RNG.normal(size=(120, 12)).astype(np.float32)
Y = (X[:, 0] + X[:, 1] > 0).astype(float)


def run(data, spec=SPEC, **keys):
    return sluice.run(spec, task=data, progress=False, **keys)


@pytest.mark.parametrize("x, y, given", [
    (X, Y, {}), (X, Y, {"test": 0.25, "seed": 3}), (X.astype(float) * 1.1, Y - 0.5, {"layout": "plain"}), (X.reshape(120, 3, 4), Y, {}),
    (X, Y, {"shape": (3, 4)}), (X[:, ::-1][::2], Y[::2], {}), ((X * 50).astype(np.int16), Y.astype(bool), {"target": "class"}),
    (X, np.arange(120) % 3, {}), (X, (np.arange(120) % 3).astype(float), {"target": "class"}),
])
def test_bits_are_those_of_a_file(x, y, given, tmp_path):
    spec = DEEP if len(np.unique(y)) > 2 else SPEC
    np.savez(tmp_path / "set.npz", x=x, y=np.asarray(y).astype(int) if np.asarray(y).dtype == bool else y)
    keys = {name: list(value) if name == "shape" else value for name, value in given.items()}
    file = sluice.run({**spec, "task": {"kind": "dataset", "path": str(tmp_path / "set.npz"), **keys}}, progress=False)
    memory = run(sluice.Data(x, y, **given), spec)
    assert same(file, memory) and memory.summary == file.summary and file.reproducible and not memory.reproducible
    assert memory.spec["task"]["path"] == f"arrays:{memory.functions['task']}"
    for name in memory.figures:
        assert memory.figure(name).svg.startswith("<svg")


def test_it_is_known_by_what_it_holds():
    data = sluice.Data(X, Y)
    assert data.source == sluice.Data(X.copy(), Y).source and len({data.source, sluice.Data(X, 1 - Y).source, sluice.Data(X + 1, Y).source}) == 3
    x = X.copy()
    own = sluice.Data(x, Y)
    x[:] = 0  # the caller's: what was given stays what it was
    assert same(run(own), run(data)) and not own.x.flags.writeable


def test_only_who_has_the_arrays_can_run_it(program, tmp_path):
    data = sluice.Data(RNG.normal(size=(60, 6)), np.arange(60) % 2)
    done = run(data)
    again = sluice.run(done.toml, progress=False)  # the arrays are here
    assert same(done, again)
    (tmp_path / "spec.toml").write_text(done.toml)
    said = program("run", tmp_path / "spec.toml", "--out", tmp_path / "r")
    assert said.returncode == 2 and "no arrays of that SHA-256 are here" in said.stderr and said.stderr.count("\n") == 1 and not (tmp_path / "r").exists()
    toml = done.toml
    del data, done, again
    gc.collect()
    with pytest.raises(sluice.InputError, match='task.path = "arrays:.*no arrays of that SHA-256 are here; saved in an npz file'):
        sluice.run(toml, progress=False)


def test_a_folder_has_its_arrays_beside_it_and_the_program_repeats_it(program, tmp_path):
    data = sluice.Data(X, Y, test=0.25)
    memory = run(data)
    done = run(data, out=tmp_path / "a")
    assert done.reproducible and done.spec["task"]["path"] == str(tmp_path / "a.npz") and same(done, memory)
    said = program("run", tmp_path / "a/spec.toml", "--out", tmp_path / "b", "--quiet")
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "a/record.npz").read_bytes() == (tmp_path / "b/record.npz").read_bytes()
    assert np.array_equal(np.load(tmp_path / "a.npz")["x"], X) and repr(data) == f"<sluice.Data [120, 12], {tmp_path / 'a.npz'}>"
    assert run(data, out=tmp_path / "a", resume=True).status == "finished"
    assert run(sluice.Data(X, Y, test=0.25), out=tmp_path / "a", resume=True).status == "finished"  # the same arrays: the file is left as it is


def test_a_sweep_has_one_file_for_all_its_points(tmp_path):
    data = sluice.Data(X, Y)
    memory = sluice.sweep(SPEC, {"seed": [1, 2]}, task=data, progress=False)
    folder = sluice.sweep(SPEC, {"seed": [1, 2]}, task=data, out=tmp_path / "s", progress=False)
    assert [run.spec["task"]["path"] for run in folder] == [str(tmp_path / "s.npz")] * 2 and all(map(same, memory, folder))


def test_what_is_there_stays_unless_it_may_be_replaced(tmp_path, monkeypatch):
    (tmp_path / "a.npz").write_text("mine")
    with pytest.raises(sluice.InputError, match="a.npz"):
        run(sluice.Data(X, Y), out=tmp_path / "a")
    assert (tmp_path / "a.npz").read_text() == "mine" and not (tmp_path / "a").exists()
    with pytest.raises(sluice.InputError, match="network.hidden"):
        run(sluice.Data(X, Y), out=tmp_path / "b", network__hidden=-1)
    assert not (tmp_path / "b.npz").exists()
    with pytest.raises(sluice.InputError, match="a.npz: exists and is not what the run in .* was trained on"):
        run(sluice.Data(X, Y), out=tmp_path / "a", overwrite=True)
    assert (tmp_path / "a.npz").read_text() == "mine" and not (tmp_path / "a").exists()
    (tmp_path / "a.npz").unlink()
    run(sluice.Data(X, Y), out=tmp_path / "a", overwrite=True)
    with pytest.raises(sluice.InputError, match="a"):
        run(sluice.Data(X + 1, Y), out=tmp_path / "a")
    assert np.array_equal(np.load(tmp_path / "a.npz")["x"], X)
    first = sluice.Data(X, Y)
    run(first, out=tmp_path / "c")
    run(sluice.Data(X + 1, Y), out=tmp_path / "c", overwrite=True)
    with pytest.raises(sluice.InputError, match="task.checksum"):
        run(first)  # the file of that name is another now
    saved = sluice.Data(X, Y)
    assert saved.save(tmp_path / "set.npz") == tmp_path / "set.npz" and run(saved).reproducible
    monkeypatch.chdir(tmp_path)
    assert sluice.Data(X, Y).save("set.npz") == tmp_path / "set.npz"


def test_samples_responses_and_flows_know_it():
    data = sluice.Data(X, Y, test=0.25)
    x, y, which_class = sluice.sample(data)
    assert x.shape == (90, 12) and {*map(bytes, x)} <= {*map(bytes, X)} and set(y) == {0.0, 1.0}
    flow = sluice.flow(SPEC, task=data, set={"dynamics.batch": "full"}, dynamics__steps=5, progress=False)
    assert flow.spec["task"]["path"].startswith("arrays:") and flow.status == "finished"


@pytest.mark.parametrize("call, words", [
    (lambda: sluice.Data(X, Y[:-1]), None), (lambda: sluice.Data(X[0], Y), None), (lambda: sluice.Data(X, np.zeros(120)), None),
    (lambda: sluice.Data(X * np.nan, Y), "x: expected finite"), (lambda: sluice.Data(X, Y * np.inf), "y: expected finite"),
    (lambda: sluice.Data(X.astype(complex), Y), "x: expected an array of numbers, found dtype complex"), (lambda: sluice.Data([[1, 2], [3]], Y), "x: expected an array"),
    (lambda: sluice.Data(X, ["a"] * 120), "y: expected an array of numbers, found dtype <U1"), (lambda: sluice.Data(X, Y, layout=3), "data: layout"),
    (lambda: sluice.Data(X, Y, layout="plane"), "task.layout"), (lambda: sluice.Data(X, Y, shape=3), "data: shape"), (lambda: sluice.Data(X, Y, shape=(5, 5)), "task.shape"),
    (lambda: sluice.Data(X, Y, test=2), "task.test"), (lambda: sluice.Data(X, Y, test="x"), "data: test: expected a number"), (lambda: sluice.Data(X, Y, seed=-1), "task.seed"),
    (lambda: sluice.Data(X, Y, target="no"), "task.target"), (lambda: sluice.Data(1e300 * X.astype(float), Y), "arrays: x: expected finite"),
])
def test_what_cannot_be_is_refused_in_one_line(call, words):
    with pytest.raises(sluice.InputError, match=words or "^arrays: [xy]") as caught:
        run(call())
    assert "\n" not in str(caught.value)
    with pytest.raises(sluice.InputError, match="task: expected a sluice.Task, sluice.Data or a dict"):
        run(3)


def everything(folder):
    return {path.relative_to(folder): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("call", [
    lambda data: run(data, out="q", overwrite=True), lambda data: run(data, out="q", threads=0), lambda data: run(data, out="own", overwrite=True, threads=0),
    lambda data: run(data, out="own", resume=True, overwrite=True), lambda data: run(data, out="file", overwrite=True), lambda data: run(data, out="new", threads=0),
    lambda data: run(data, out="new", name="a\n"), lambda data: sluice.run(SPEC, task=data, out="new", progress=3), lambda data: run(data, out=".", overwrite=True),
    lambda data: run(data, out="own", overwrite="False"), lambda data: run(data, out="own", resume=True), lambda data: run(data, out="set", overwrite=True),
    lambda data: sluice.sweep(SPEC, {"seed": [1, 2]}, task=data, out="q", overwrite=True, progress=False),
    lambda data: sluice.sweep(SPEC, {"network.hidden": [1, -2]}, task=data, out="new", progress=False),
    lambda data: sluice.sweep(SPEC, {"network.hidden": [1, -2]}, task=data, out="own", overwrite=True, progress=False),
])
def test_a_refused_call_changes_nothing(call, tmp_path, monkeypatch):
    (tmp_path / "in/q").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "in")
    for name in ("q/thesis.tex", "q.npz", "file", "file.npz"):
        (tmp_path / "in" / name).write_text("mine")
    run(sluice.Data(X, Y), out="own")
    np.savez("set.npz", x=X, y=Y)
    sluice.run({**SPEC, "task": {"kind": "dataset", "path": "set.npz"}}, out="set", progress=False)  # its user's, though a run was trained on it
    before, data = everything(tmp_path), sluice.Data(X + 1, Y)
    with pytest.raises(sluice.InputError) as caught:
        call(data)
    assert "\n" not in str(caught.value) and everything(tmp_path) == before and data.file is None and data.table["path"].startswith("arrays:")
    assert run(data, out="later").reproducible


@contextlib.contextmanager
def at_work(folder, of_data=True):
    """Another process that has the folder, until it is killed."""
    task = "sluice.Data(np.load('xy.npz')['x'], np.load('xy.npz')['y'])" if of_data else "{'kind': 'nlgp', 'n': 12}"
    np.savez(folder.parent / "xy.npz", x=X, y=Y)
    code = f"""
import pathlib, time, numpy as np, sluice
def hold(now):
    pathlib.Path('begun').touch()
    time.sleep(600)
sluice.run({SPEC!r}, task={task}, out={str(folder)!r}, overwrite=True, probes={{'hold': hold}}, progress=False)
"""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=folder.parent, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    try:
        for _ in range(1200):
            if (folder.parent / "begun").exists():
                break
            assert process.poll() is None
            time.sleep(0.1)
        else:
            pytest.fail("the other process did not begin within two minutes")
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("of_data", [True, False])
def test_a_run_at_work_keeps_its_arrays(of_data, tmp_path):
    with at_work(tmp_path / "a", of_data):
        before = everything(tmp_path)
        for given in ({"overwrite": True}, {"resume": True}, {}):
            with pytest.raises((sluice.InputError, sluice.IoError), match="another|exists"):
                run(sluice.Data(X + 1, Y), out=tmp_path / "a", **given)
        assert everything(tmp_path) == before


@pytest.mark.parametrize("is_named", [True, False])
def test_who_is_refused_leaves_the_arrays_that_another_began_on(is_named, tmp_path, monkeypatch):
    with contextlib.ExitStack() as others:
        def another_is_faster(*_):
            others.enter_context(at_work(tmp_path / "a"))
            if not is_named:
                (tmp_path / "a/spec.toml").unlink(missing_ok=True)  # it has the folder, and no spec there yet
            raise sluice.InputError("too late")

        with monkeypatch.context() as patch, pytest.raises(sluice.InputError, match="too late"):
            patch.setattr(sluice._sluice, "run", another_is_faster)
            run(sluice.Data(X, Y), out=tmp_path / "a")
        assert np.array_equal(np.load(tmp_path / "a.npz")["x"], X)


def test_who_is_refused_while_somebody_looks_at_the_run_leaves_all_as_it_was(tmp_path, monkeypatch):
    def somebody_looks(*_):
        start = pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        (tmp_path / "a/.sluice-lock").write_text(f"lock of sluice\npid {os.getpid()}\nstart {start}\nboot {boot}\nhost {socket.gethostname()}\n")
        assert sluice._sluice.is_held(str(tmp_path / "a"))
        raise sluice.InputError("too late")

    run(sluice.Data(X, Y), out=tmp_path / "a")
    before, data = everything(tmp_path), sluice.Data(X + 1, Y)
    with monkeypatch.context() as patch, pytest.raises(sluice.InputError, match="too late"):
        patch.setattr(sluice._sluice, "run", somebody_looks)
        run(data, out=tmp_path / "a", overwrite=True)
    (tmp_path / "a/.sluice-lock").unlink()
    assert everything(tmp_path) == before and data.file is None


def test_arrays_that_somebody_is_just_replacing_are_not_begun_on(tmp_path):
    run(sluice.Data(X, Y), out=tmp_path / "a")
    (tmp_path / "a.npz").rename(tmp_path / "a.npz.00000000")  # who does may be refused, and puts the old ones back
    sluice.Data(X + 1, Y).save(tmp_path / "a.npz")
    before, data = everything(tmp_path), sluice.Data(X + 1, Y)
    with pytest.raises(sluice.InputError, match="is not what the run in .* was trained on"):
        run(data, out=tmp_path / "a", overwrite=True)
    assert everything(tmp_path) == before and data.file is None


def test_folders_beside_a_run_may_have_any_name(tmp_path):
    run(sluice.Data(X, Y), out=tmp_path / "a")
    os.mkdir(os.fsencode(tmp_path) + b"/a/\xff")
    assert run(sluice.Data(X, Y), out=tmp_path / "a", resume=True).reproducible
    with pytest.raises(sluice.InputError, match="which no run wrote"):
        run(sluice.Data(X + 1, Y), out=tmp_path / "a", overwrite=True)
    assert np.array_equal(np.load(tmp_path / "a.npz")["x"], X)


def test_who_is_refused_leaves_the_arrays_that_another_wrote(tmp_path, monkeypatch):
    written_to = sluice.Data._written_to

    def another_is_faster(data, *arguments):
        monkeypatch.undo()
        sluice.Data(X, Y).save(tmp_path / "a.npz")
        return written_to(data, *arguments)

    monkeypatch.setattr(sluice.Data, "_written_to", another_is_faster)
    with pytest.raises(sluice.InputError, match="threads"):
        run(sluice.Data(X, Y), out=tmp_path / "a", threads=0)
    assert np.array_equal(np.load(tmp_path / "a.npz")["x"], X)


def test_what_was_replaced_is_gone_once_the_run_is_there_and_only_then(tmp_path):
    def break_off(now):
        if now.step:
            raise RuntimeError("enough")
        return 0

    run(sluice.Data(X, Y), out=tmp_path / "a")
    with pytest.raises(RuntimeError, match="enough"):
        run(sluice.Data(X + 1, Y), out=tmp_path / "a", overwrite=True, probes={"p": break_off})
    assert np.array_equal(np.load(tmp_path / "a.npz")["x"], X + 1) and sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.npz"]
    sluice.sweep(SPEC, {"seed": [1, 2]}, task=sluice.Data(X, Y), out=tmp_path / "s", progress=False)
    sluice.sweep(SPEC, {"seed": [1, 2]}, task=sluice.Data(X + 2, Y), out=tmp_path / "s", overwrite=True, progress=False)
    assert np.array_equal(np.load(tmp_path / "s.npz")["x"], X + 2) and sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.npz", "s", "s.npz"]


def test_an_empty_folder_has_its_arrays_beside_it_too(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "s").mkdir()
    done = run(sluice.Data(X, Y), out=tmp_path / "a")
    assert done.reproducible and done.spec["task"]["path"] == str(tmp_path / "a.npz") and (tmp_path / "a.npz").exists()
    assert sluice.sweep(SPEC, {"seed": [1, 2]}, task=sluice.Data(X, Y), out=tmp_path / "s", progress=False)[0].reproducible and (tmp_path / "s.npz").exists()


def test_masks_are_not_lost(tmp_path):
    masked = np.ma.masked_greater(X, 1)
    for call, name in ((lambda: sluice.Data(masked, Y), "x"), (lambda: sluice.Data(X, np.ma.masked_greater(Y, 0)), "y"), (lambda: sluice.record(masked), "weights"),
                       (lambda: sluice.response("gaussian", np.ma.masked_greater(np.ones(10), 0), task__n=10), "w")):
        with pytest.raises(sluice.InputError, match=f"^{name}: expected an array without a mask, found one that hides [0-9]+ of its values$"):
            call()
    assert same(run(sluice.Data(np.ma.masked_greater(X, 1e9), Y)), run(sluice.Data(X, Y)))

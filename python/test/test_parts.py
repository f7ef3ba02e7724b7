"""Parts written in Python: tasks, gates and probes that are functions; what they give, how they fail, and that nobody else runs them."""
import functools
import gc
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import sluice
from sluice._source import mark_of

pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")

SMALL = {"network": {"kind": "two-layer", "hidden": 4}, "dynamics": {"kind": "sgd", "steps": 8, "batch": 200},
         "probe": {"every": 4, "samples": 400}}
DEEP = {"network": {"kind": "deep-gated", "depth": 3, "width": 6}, "dynamics": {"kind": "sgd", "steps": 4, "batch": 100},
        "probe": {"every": 2, "samples": 200}}


def bumps(x, y, rng, which_class):
    x[:] = rng.normal(size=x.shape)
    if which_class == 0:
        x[:, 0] += 2


def run(task=None, spec=SMALL, **keys):
    return sluice.run(spec, task=sluice.Task(bumps, n=10) if task is None else task, progress=False, **keys)


def same(a, b):
    return a.keys() == b.keys() and all(a[name].tobytes() == b[name].tobytes() for name in a.keys())


# Tasks

def test_a_task_is_trained_on_and_its_bits_depend_on_no_threads():
    runs = [run(threads=threads) for threads in (1, 2, 4)]
    assert runs[0].weights.shape == (3, 4, 10) and run(dynamics__steps=400, dynamics__rate=2).summary["accuracy"] > 0.7
    assert same(runs[0], runs[1]) and same(runs[0], runs[2])
    assert not same(runs[0], run(seed=2))
    deep = [run(spec=DEEP, threads=threads) for threads in (1, 4)]
    assert deep[0].status == "finished" and same(*deep)


def test_it_is_called_for_whole_blocks_with_a_generator_of_their_address():
    seen = {}

    def fill(x, y, rng, which_class):
        assert x.shape == (48, 7) and x.dtype == np.float32 and not x.any() and y.shape == (48,) and isinstance(rng, np.random.Generator)
        assert (y == (3.0, -1.0)[which_class]).all()
        x[:] = rng.normal(size=x.shape)
        seen.setdefault(x.tobytes(), []).append(which_class)

    task = sluice.Task(fill, n=7, labels=[3, -1])
    whole, y, which_class = sluice.sample(task, 200)
    assert y.tolist() == [3.0] * 100 + [-1.0] * 100 and len(seen) == len({*seen}) == 3 + 3
    assert np.array_equal(sluice.sample(task, 20).x[:10], whole[:10])  # a row is a function of its address
    assert np.array_equal(sluice.sample(task, 200, seed=1).x, whole) and not np.array_equal(sluice.sample(task, 200, seed=2).x, whole)
    assert len(np.unique(whole)) == whole.size


def test_labels_may_be_its_own():
    def regression(x, y, rng, which_class):
        x[:] = rng.normal(size=x.shape)
        y[:] = x[:, 3]

    x, y, _ = sluice.sample(sluice.Task(regression, n=5), 300)
    assert np.array_equal(y, x[:, 3])
    linear = {**SMALL, "network": {"kind": "two-layer", "hidden": 2, "activation": "linear"}, "dynamics": {"kind": "sgd", "steps": 200, "rate": 0.5}}
    learned = run(sluice.Task(regression, n=5, labels=[0.5, -0.5]), linear)
    assert learned.loss[-1] < 1e-3 < learned.loss[0]  # y = x_3 is what a linear network can say


def test_layouts():
    noise = lambda x, y, rng, which_class: np.copyto(x, rng.normal(size=x.shape) + which_class)
    for layout, given in (("plain", {"n": 6}), ("image", {"shape": (3, 4)}), ("torus", {"shape": (4, 4)}), ("ring", {"n": 6})):
        done = run(sluice.Task(noise, layout=layout, **given))
        assert done.spec["task"]["sites"] == layout and done.status == "finished"
        assert ("localized_share" in done.summary) == (layout in ("ring", "torus"))
    assert run(sluice.Task(noise, shape=(3, 4))).spec["task"]["rows"] == 3


def root_of(xi, n=40):
    """Of the covariance exp(−d²/ξ²) on a ring."""
    d = np.abs(np.arange(n)[:, None] - np.arange(n))
    values, vectors = np.linalg.eigh(np.exp(-((np.minimum(d, n - d) / xi) ** 2)))
    return vectors * np.sqrt(values.clip(0))


GAIN, ROOTS, ERF = 3.0, [root_of(2.0), root_of(1.0)], np.vectorize(math.erf)


def nlgp(x, y, rng, which_class):
    """The task of sluice's own, in NumPy: X = erf(g Z)/√Var."""
    z = rng.normal(size=x.shape) @ ROOTS[which_class].T
    x[:] = ERF(GAIN * z) / math.sqrt(2 / math.pi * math.asin(2 * GAIN**2 / (1 + 2 * GAIN**2)))


def test_a_twin_of_nlgp_has_its_statistics():
    twin, count = sluice.Task(nlgp, n=40), 8000
    ours, theirs = sluice.sample(twin, count), sluice.sample("nlgp", count, task__gain=3.0, task__n=40)
    for which_class in (0, 1):
        a, b = (each.x[each.which_class == which_class].astype(float) for each in (ours, theirs))
        # Averages over a sample's sites are independent from sample to sample: their spread over samples is the standard error.
        for shift in (0, 1, 2, 5):
            u, v = (np.mean(x * np.roll(x, shift, axis=1), axis=1) for x in (a, b))
            error = np.sqrt(u.var() / len(u) + v.var() / len(v))
            assert abs(u.mean() - v.mean()) < 4 * error, shift
        u, v = (np.mean(x**4, axis=1) for x in (a, b))
        assert abs(u.mean() - v.mean()) < 4 * np.sqrt(u.var() / len(u) + v.var() / len(v))
    keys = dict(dynamics__steps=400, probe__every=200, network__hidden=20)
    mine, built_in = (sluice.run("localization", progress=False, **task, **keys) for task in ({"task": twin}, {}))
    # Both measure loss on 10000 samples: ½(ŷ−y)² is below ½, so its standard error is below 0.5/√10000 = 0.005 of each.
    assert abs(mine.loss[-1] - built_in.loss[-1]) < 4 * 0.005 * np.sqrt(2)
    kurtosis = mine.summary["excess_kurtosis"], built_in.summary["excess_kurtosis"]
    assert abs(kurtosis[0] - kurtosis[1]) < 0.05 and kurtosis[0] < -0.5
    assert any("12288 samples" in remark for remark in mine.remarks)


@pytest.mark.parametrize("fill, words", [
    (lambda x, y, rng, c: x, "expected x and y to be filled and None to be returned"),
    (lambda x, y, rng, c: x.fill(np.nan), "left numbers in x that are not finite"),
    (lambda x, y, rng, c: y.fill(np.inf), "left numbers in y that are not finite"),
    (lambda x, y, rng, c: x.resize((3, 2), refcheck=False), "x: expected an array that is filled, found one of shape \\[3, 2\\]"),
    (lambda x, y, rng, c: setattr(x, "dtype", np.int32), "task: x: expected an array that is filled, found one of int32"),
    (lambda x, y, rng, c: setattr(y, "dtype", ">f4"), "task: y: expected an array that is filled, found one of >f4"),
    (lambda x, y, rng, c: setattr(x, "strides", (0, 0)), r"task: x: expected an array that is filled, found one with strides \[0, 0\]"),
])
def test_what_it_leaves_is_checked(fill, words):
    for threads in (1, 2, 4):
        with pytest.raises(sluice.InputError, match=words) as caught:
            run(sluice.Task(fill, n=10), threads=threads)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_its_exceptions_are_raised_again(threads):
    class Own(Exception):
        pass

    calls = []

    def late(x, y, rng, which_class):
        calls.append(threading.get_ident())
        if len(calls) > 60:
            raise Own("enough")
        x[:] = rng.normal(size=x.shape)

    with pytest.raises(Own, match="enough") as caught:
        run(sluice.Task(late, n=10), threads=threads, dynamics__steps=1000)
    assert any(entry.name == "late" for entry in caught.traceback)
    assert len(calls) < 61 + 2 * threads
    with pytest.raises(ZeroDivisionError):
        sluice.sample(sluice.Task(lambda x, y, rng, c: 1 / 0, n=10), 10)
    assert run().status == "finished"


@pytest.mark.parametrize("call, words", [
    (lambda: sluice.Task(3, n=10), "task: fill: expected a function, found int"),
    (lambda: sluice.Task(bumps), "task: expected n of a ring .* or shape"),
    (lambda: sluice.Task(bumps, n=1.5), "task: n: expected an integer, found float"),
    (lambda: sluice.Task(bumps, n=3, labels=["a", "b"]), "task: labels: expected a number, found str"),
    (lambda: run(sluice.Task(bumps, n=10, labels=[1, 1])), "labels.*expected two different numbers"),
    (lambda: run(sluice.Task(bumps, n=10, layout="rong")), 'task.sites = .rong.: expected one of "ring"'),
    (lambda: sluice.Task(bumps, n=10, layout="image"), "task: expected n of a ring .* or shape"),
    (lambda: run(sluice.Task(bumps, shape=(2, 5), layout="torus")), "task.rows = 2: expected as many rows as columns"),
    (lambda: sluice.Task(bumps, shape=(2, 5), layout="ring"), "task: expected n of a ring .* or shape"),
    (lambda: run(sluice.Task(bumps, shape=(1, 5))), "task.rows = 1: expected at least 2"),
    (lambda: sluice.Task(bumps, shape=3), "task: shape: expected two numbers, found 3"),
    (lambda: run(sluice.Task(bumps, n=0)), "task.n = 0: expected"),
    (lambda: run(bumps), "task: expected a sluice.Task, sluice.Data or a dict of keys, found function"),
    (lambda: sluice.run(SMALL, task=sluice.Task(bumps, n=10), gate=3), "gate: expected a function, found int"),
    (lambda: run(probes=3), "probes: expected a dict of names and functions, found int"),
    (lambda: run(probes={"a b": len}), "'a b': expected a name"),
    (lambda: run(probes={"loss": lambda now: 1}), "another name than loss"),
    (lambda: run(probes={"own": 3}), "probe: expected a function, found int"),
    (lambda: run(gate=lambda x: x), "network.gate"),  # a two-layer network has none
    (lambda: sluice.flow(SMALL, operator="conditioned", task=sluice.Task(bumps, n=10)), "dynamics.operator = .conditioned."),
    (lambda: sluice.theory("amplifier", SMALL | {"task": sluice.Task(bumps, n=10).table}), "amplifier|task"),
])
def test_what_cannot_be_used_is_said_in_one_line(call, words):
    with pytest.raises(sluice.InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_keys_of_the_task_may_still_be_set_and_a_flow_by_samples_runs():
    assert sluice.run("localization", task={"gain": 0.5}, dynamics__steps=2, progress=False).spec["task"]["gain"] == 0.5
    assert run(task__balance=0.25).spec["task"]["balance"] == 0.25
    flow = sluice.flow(SMALL, task=sluice.Task(bumps, n=10), progress=False, dynamics__samples=2000)
    assert flow.status == "finished" and np.isfinite(flow.weights).all()


# Gates

GATED = {"task": {"kind": "nlgp", "n": 12, "gain": 3.0}, "network": {"kind": "gated-linear", "hidden": 3},
         "dynamics": {"kind": "sgd", "steps": 20, "batch": 200}, "probe": {"every": 10, "samples": 400, "watch": ["loss"]}}


def test_gates_are_functions_of_the_input():
    def bump(x):
        return x[:, ::4] >= 0

    for threads in (1, 2, 4):
        own = sluice.run(GATED, gate=bump, threads=threads, progress=False)
        table = sluice.run(GATED, network__gate={"law": "bump"}, progress=False)
        assert own.weights.tobytes() == table.weights.tobytes() and not own.reproducible and table.reproducible
    exact = sluice.run(GATED, gate=sluice.Gate(bump), progress=False, dynamics__kind="exact")
    assert exact.status == "finished"
    assert sluice.run(GATED, gate=lambda x: 0.5 + 0 * x[:, :3], progress=False).status == "finished"


@pytest.mark.parametrize("look, words", [
    (lambda x: x[:, :2], r"expected numbers \[\d+, 3\], a row for each row of x, found float32 \[\d+, 2\]"),
    (lambda x: x[:2, :3], r"found float32 \[2, 3\]"),
    (lambda x: np.full((len(x), 3), "a"), "found <U1"),
    (lambda x: np.full((len(x), 3), np.nan), "gave numbers that are not finite"),
])
def test_what_gates_give_is_checked(look, words):
    with pytest.raises(sluice.InputError, match=words):
        sluice.run(GATED, gate=look, progress=False)


# Probes

def test_probes_are_kept_beside_the_others():
    steps = []

    def spectrum(now):
        steps.append(now.step)
        return np.abs(np.fft.rfft(now.weights, axis=1)).mean(axis=0)

    done = run(probes={"norm": sluice.Probe(lambda now: np.linalg.norm(now.weights, axis=1), axes=["unit"]), "spectrum": spectrum,
                       "count": lambda now: now.step // 4, "half": lambda now: np.float32(now.loss), "near": lambda now: now.loss < 0.1})
    assert steps == [0, 4, 8] and done.axes["spectrum"] == ["step", "axis1"] and done.axes["norm"] == ["step", "unit"]
    assert np.allclose(done.norm, np.linalg.norm(done.weights, axis=2)) and done.spectrum.shape == (3, 6)
    assert done["count"].dtype == np.int64 and done["count"].tolist() == [0, 1, 2] and done.half.dtype == np.float32 and done.near.dtype == np.int64
    assert np.allclose(done.half, done.loss)
    assert {"norm_median", "norm_q25", "count", "half"} <= set(done.frame().columns if hasattr(done.frame(), "columns") else done.frame().dtype.names)
    assert "count" in done.page()
    only = sluice.run("localization", dynamics__steps=4, probes={"one": lambda now: 1.0}, progress=False)
    assert only.one.tolist() == [1.0, 1.0] and only.functions.keys() == {"probe.one"}


def test_what_a_snapshot_shows_stays_what_it_was():
    kept = []

    def keep(now):
        kept.append((now, now.weights, now.parameters, now.bias, now.readout, now.offset, now.step, now.accuracy, now.rate))
        return 0

    done = run(spec={**SMALL, "network": {"kind": "two-layer", "hidden": 4, "bias": "learned", "readout": "learned"}}, probes={"kept": keep})
    run()
    gc.collect()
    for time_, (now, weights, parameters, bias, readout, offset, *_) in enumerate(kept):
        assert np.array_equal(weights, done.weights[time_]) and np.array_equal(bias, done.bias[time_]) and np.array_equal(readout, done.readout[time_])
        assert np.array_equal(offset, done.offset[time_: time_ + 1]) and parameters.size == weights.size + bias.size + readout.size + 1
        assert not weights.flags.writeable and weights.flags.owndata
        with pytest.raises(RuntimeError, match="while its probe is called"):
            now.weights
    plain = run(probes={"none": lambda now: float(now.readout is None)})
    assert plain["none"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("see, words", [
    (lambda now: np.zeros(now.step + 1), r"expected shape \[1\] .*found shape \[5\]"),
    (lambda now: 1.0 if now.step else 1, "of another type"),
    (lambda now: "a", "own: expected a number or an array of numbers, found dtype <U1"),
    (lambda now: None, "own: expected a number"),
    (lambda now: 1j, "own: expected a number"),
    (lambda now: 2**63, f"own: expected integers up to {2**63 - 1}, found {2**63}"),
    (lambda now: np.full(3, 2**64 - 1, np.uint64), f"own: expected integers up to {2**63 - 1}, found {2**64 - 1}"),
    (sluice.Probe(lambda now: np.zeros(3), axes=["unit"]), r"own: expected 4 of axis unit, found shape \[3\]"),
    (sluice.Probe(lambda now: 0.0, axes=["unit"]), "own: expected an array with the axes unit"),
])
def test_what_a_probe_sees_is_checked(see, words):
    with pytest.raises(sluice.InputError, match=words):
        run(probes={"own": see})


def test_exceptions_of_probes_and_gates_are_raised_again():
    with pytest.raises(ZeroDivisionError):
        run(probes={"own": lambda now: 1 / (4 - now.step)})
    with pytest.raises(ZeroDivisionError):
        sluice.run(GATED, gate=lambda x: 1 / 0, progress=False)


# The mark

def test_what_a_function_is_known_by():
    def made(gain, table=(1, 2)):
        def fill(x, y, rng, which_class):
            x[:] = gain * rng.normal(size=x.shape) + len(table)

        return fill

    assert mark_of(made(1.0)) == mark_of(made(1.0)) != mark_of(made(2.0))
    assert mark_of(made(np.arange(3))) == mark_of(made(np.arange(3))) != mark_of(made(np.arange(4)))
    assert mark_of(lambda x: x + 1) != mark_of(lambda x: x + 2)
    both = [lambda now: 1, lambda now: 2]
    assert mark_of(both[0]) != mark_of(both[1])
    assert mark_of(functools.partial(bumps, which_class=1)) != mark_of(functools.partial(bumps, which_class=0)) != mark_of(bumps)

    class Filler:
        def __init__(self, gain):
            self.gain = gain

        def __call__(self, x, y, rng, which_class):
            x[:] = self.gain

    assert mark_of(Filler(1)) == mark_of(Filler(1)) != mark_of(Filler(2))

    def again(n):
        return again(n - 1) if n else 0

    assert len(mark_of(again)) == 64
    for code in ("g = 1\ndef f(x): return h(x) * g\ndef h(x): return x", "g = 2\ndef f(x): return h(x) * g\ndef h(x): return x",
                 "g = 1\ndef f(x): return h(x) * g\ndef h(x): return -x"):
        exec(code, space := {"__name__": "own"})
        marks = locals().setdefault("marks", set())
        marks.add(mark_of(space["f"]))
    assert len(marks) == 3
    assert mark_of(np.tanh) != mark_of(np.sin)


def test_marks_of_what_is_shared_take_no_time_and_old_ones_stay():
    shared, deep = [1.0], [1.0]
    for _ in range(40):
        shared = [shared, shared]
    for _ in range(2000):
        deep = [deep]
    text = "\n".join(f"def f{i}(x): return {f'f{i - 1}(x) + f{i - 2}(x)' if i > 1 else 'x'}" for i in range(40))
    text += "\n" + "\n".join(f"def g{i}(x): return {' + '.join(f'g{j}(x)' for j in range(10))}" for i in range(10))
    marks = set()
    for _ in range(2):
        space = {}
        exec(text, space)
        marks.add((mark_of(space["f39"]), mark_of(space["g0"]), mark_of(lambda x, l=shared: x), mark_of(lambda x, l=deep: x)))
    assert len(set(*marks)) == 4
    assert mark_of([1.0, (2, "a"), {"b": [3]}], [np.arange(3)]) == "ef61c0e03e17e320da9152e917b7a6def715cbb9f5790963d3da1bfcfeba3ed8"
    assert mark_of([[1.0] * 3] * 2, {1, "a", (2,)}, {"k": frozenset([1])}) == "bf47dab4bf59405c8e4d8b462ad770f90eff2806f2e3600488320af6b139c60d"
    with pytest.raises(sluice.InputError, match="source: array .1000000000. .*8000000000 bytes, expected at most"):
        mark_of(lambda x, l=np.broadcast_to(1.0, (10**9,)): x)


def test_two_functions_of_one_text_are_two_tasks():
    def made(shift):
        def fill(x, y, rng, which_class):
            x[:] = rng.normal(size=x.shape) + shift

        return sluice.Task(fill, n=4)

    tasks = [made(0.0), made(5.0)]
    assert [round(float(sluice.sample(task, 1000).x.mean())) for task in tasks] == [0, 5]


def test_runs_are_marked_and_nobody_else_runs_them(program, tmp_path):
    done = run(out=tmp_path / "r", probes={"own": lambda now: now.loss})
    loaded = sluice.load(tmp_path / "r")
    task = sluice.Task(bumps, n=10)
    for each in (done, loaded):
        assert not each.reproducible and each.functions["task"] == task.source and set(each.functions) == {"task", "probe.own"}
    assert same(done, loaded) and f'source = "{task.source}"' in (tmp_path / "r/spec.toml").read_text()
    page = (tmp_path / "r/report.html").read_text()
    assert "Not to be repeated from it alone" in page and "running it again gives the same bits" not in page
    assert sluice.run("localization", dynamics__steps=2, progress=False).reproducible
    for words in (["run", tmp_path / "r/spec.toml", "--out", tmp_path / "again"], ["run", tmp_path / "r/spec.toml", "--out", tmp_path / "r", "--resume"]):
        said = program(*words)
        assert said.returncode == 2 and said.stderr.count("\n") == 1, said.stderr
        assert f'task.source = "{task.source[:12]}…": samples of this task are made by a function' in said.stderr
    assert not (tmp_path / "again").exists()
    for words in (["report", tmp_path / "r"], ["probe", tmp_path / "r", "ipr"], ["runs", tmp_path]):  # what is recorded can be looked at
        said = program(*words, cwd=tmp_path)
        assert said.returncode == 0, said.stderr


def test_a_spec_runs_again_where_its_functions_are_and_nowhere_else(tmp_path):
    def fill(x, y, rng, which_class):
        x[:] = rng.normal(size=x.shape) + which_class

    done = run(sluice.Task(fill, n=10), probes={"own": lambda now: now.loss}, out=tmp_path / "r")
    text = done.toml
    assert same(sluice.run(text, progress=False), done)
    del done, fill
    gc.collect()
    with pytest.raises(sluice.InputError, match="task.source = .*no function of that source is here"):
        sluice.run(text, progress=False)
    loaded = sluice.load(tmp_path / "r")
    assert loaded.probe("ipr")["ipr"].shape == (3, 4) and loaded.figure("learning").svg and loaded.page()
    with pytest.raises(sluice.InputError, match="no function of that source is here"):
        loaded.probe("input_kurtosis")


def test_a_folder_is_gone_on_with_by_the_same_source_alone(tmp_path):
    def other(x, y, rng, which_class):
        x[:] = rng.normal(size=x.shape) + which_class

    whole = run(out=tmp_path / "whole", probes={"own": lambda now: now.loss})
    stopped = threading.Event()  # of which the hash knows the type alone

    def watch(now):
        if now.step == 4 and not stopped.is_set():
            stopped.set()
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
        return now.loss

    keys = dict(out=tmp_path / "r", dynamics__steps=3000)
    part = run(probes={"own": watch}, **keys)
    assert part.status == "interrupted" and len(part.step) < 751 and len(part.own) == len(part.step)
    with pytest.raises(sluice.InputError, match="it was begun with 'task.source = "):
        run(sluice.Task(other, n=10), probes={"own": watch}, resume=True, **keys)
    with pytest.raises(sluice.InputError, match="it was begun with 'probe.functions = "):
        run(probes={"own": lambda now: 2 * now.loss}, resume=True, **keys)
    rest = run(probes={"own": watch}, resume=True, **keys)
    assert rest.status == "finished" and len(rest.own) == 751 and np.array_equal(rest.own, rest.loss)
    unbroken = run(probes={"own": watch}, dynamics__steps=3000)
    assert same(rest, unbroken) and whole.status == "finished"


def test_sweeps_have_them_too(tmp_path):
    sweep = sluice.sweep(SMALL, {"seed": [1, 2]}, task=sluice.Task(bumps, n=10), probes={"own": lambda now: now.loss}, progress=False)
    assert len(sweep) == 2 and sweep[0].own.shape == (3,) and same(sweep[1], run(seed=2, probes={"own": lambda now: now.loss}))
    assert sweep[0].probe("input_kurtosis")["input_kurtosis"].shape == (3,)  # which needs samples
    folder = sluice.sweep(SMALL, {"seed": [1, 2]}, task=sluice.Task(bumps, n=10), out=tmp_path / "s", progress=False)
    assert not folder[0].reproducible and not folder.failures
    failing = sluice.sweep(SMALL, {"seed": [1, 2]}, task=sluice.Task(lambda x, y, rng, c: 1 / 0, n=10), progress=False)
    assert len(failing.failures) == 2 and "ZeroDivisionError" in next(iter(failing.failures.values()))


# Threads and the end

def slow_task(press_at):
    """Ctrl-C comes in one of its calls."""
    calls = []

    def slow(x, y, rng, which_class):
        calls.append(which_class)
        if len(calls) == press_at:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.02)
        x[:] = rng.normal(size=x.shape)

    return sluice.Task(slow, n=10), calls


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_an_interrupt_is_heard_between_two_slow_calls(threads, tmp_path):
    task, calls = slow_task(40)
    done = run(task, threads=threads, dynamics__batch=40000, probe__samples=200)  # a step takes 834 calls
    assert done.status == "interrupted" and done.step.tolist() == [0] and len(calls) < 400
    task, calls = slow_task(20)
    with pytest.raises(KeyboardInterrupt):  # nothing was measured yet
        run(task, threads=threads, probe__samples=40000)
    assert len(calls) < 400
    for out in (None, tmp_path / "s"):
        task, calls = slow_task(20)
        sweep = sluice.sweep(SMALL, {"seed": [1, 2]}, task=task, threads=threads, probe__samples=40000, out=out, progress=False)
        assert len(sweep) == 0 and not sweep.failures and len(calls) < 400


def test_other_threads_and_runs_go_on_meanwhile():
    results = {}
    task = sluice.Task(bumps, n=10)
    threads = [threading.Thread(target=lambda seed=seed: results.update({seed: run(task, seed=seed, threads=2)})) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(results) == list(range(6)) and all(same(results[seed], run(seed=seed)) for seed in (0, 5))


def script(text, **keys):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=60, **keys)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_interpreter_may_go_while_a_function_is_called(threads):
    done = script(f"""
        import sluice, threading, time

        def slow(x, y, rng, which_class):
            time.sleep(0.01)
            x[:] = rng.normal(size=x.shape)

        spec = {{"network": {{"kind": "two-layer", "hidden": 4}}, "dynamics": {{"kind": "sgd", "steps": 10**6}}, "probe": {{"samples": 200}}}}
        keep = sluice.run(spec, task=sluice.Task(slow, n=4, layout="plain"), dynamics__steps=1, dynamics__batch=48, progress=False)
        work = lambda: sluice.run(spec, task=sluice.Task(slow, n=4, layout="plain"), threads={threads}, progress=False)
        threading.Thread(target=work, daemon=True).start()
        time.sleep(1)
    """)
    assert (done.returncode, done.stderr) == (0, "")


def test_functions_are_let_go_with_their_runs():
    import weakref

    def fill(x, y, rng, which_class):
        x[:] = rng.normal(size=x.shape)

    gone = weakref.ref(fill)
    done = run(sluice.Task(fill, n=10))
    del fill, done
    gc.collect()
    assert gone() is None


# Gates of deep networks

def relu_gates(layers):
    """Those of a ReLU network with these weights, as a function of the input."""
    def look(x):
        gates, z = [], x
        for weights in layers:
            q = z @ weights.T
            gates.append(q >= 0)
            z = q * gates[-1]
        return gates
    return look


def test_deep_gates_are_any_function_of_the_input():
    """At its start a network with the gates of a ReLU network is that network: outputs, gradient and so the first step are the same."""
    keys = dict(spec=DEEP, dynamics__steps=1, probe__every=1, network__init={"law": "normal"}, dynamics__batch=96)
    start = run(**{**keys, "dynamics__steps": 0})
    layers = [start[f"layer{l}"] for l in (1, 2)]
    relu, given = run(**keys), run(gate=relu_gates(layers), **keys)
    assert given.spec["network"]["gates"] == "function" and not given.reproducible and "network.gate" in given.functions
    assert np.allclose(given.loss[0], relu.loss[0], rtol=1e-6) and np.allclose(given.layer1, relu.layer1, rtol=1e-5, atol=1e-7)
    assert np.allclose(given.layer3, relu.layer3, rtol=1e-5, atol=1e-7) and not np.array_equal(given.layer1, layers[0])
    side_by_side = run(gate=lambda x: np.concatenate(relu_gates(layers)(x), axis=1), **keys)
    assert np.array_equal(side_by_side.layer1, given.layer1)


def test_deep_gates_train_over_threads_and_alone():
    look = lambda x: [np.abs(x[:, :6]), 0.5 * (x[:, :6] > 0)]
    runs = [run(spec=DEEP, gate=look, threads=threads) for threads in (1, 4)]
    assert same(*runs) and runs[0].status == "finished"
    full = sluice.Data(np.random.default_rng(3).normal(size=(60, 10)), np.arange(60) % 2)
    trained = run(full, spec=DEEP, gate=look, set={"dynamics.batch": "full", "dynamics.rate": 0.5}, dynamics__steps=50)
    assert trained.summary["loss"] < trained.loss[0]
    grams = sluice.kernel(trained.toml, samples=20)
    assert grams.matrix.shape == (20, 20) and np.linalg.eigvalsh(grams.matrix.astype(float)).min() > -1e-3


@pytest.mark.parametrize("look, words", [
    (lambda x: x[:, :3], r"gate: expected numbers \[\d+, 12\], a row for each row of x"), (lambda x: [x[:, :6], x[:1, :6]], "gate: expected a row for each row of x in every layer"),
    (lambda x: [x[:, :6], x[:, :6] * np.nan], "not finite"), (3, "gate: expected a function, found int"),
])
def test_deep_gates_that_do_not_fit(look, words):
    with pytest.raises(sluice.InputError, match=words):
        run(spec=DEEP, gate=look)


def test_deep_gates_are_refused_where_the_function_is_not(program, tmp_path):
    toml = run(spec=DEEP, gate=lambda x: np.ones((len(x), 12))).toml
    gc.collect()
    with pytest.raises(sluice.InputError, match="gates are made by a function of the program that began this|samples of this task"):
        sluice.run(toml, progress=False)

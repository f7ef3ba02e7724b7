"""Arrays in, arrays out: held against the program where it has the same verb, and against NumPy."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sluice
from test_run import SMALL


def test_samples_are_those_of_the_program(program, tmp_path):
    said = program("sample", "nlgp", "--set", "task.gain=0.5", "--count", 50, "--seed", 3, "--out", tmp_path / "x.npz")
    assert said.returncode == 0, said.stderr
    theirs, ours = np.load(tmp_path / "x.npz"), sluice.sample("nlgp", 50, task__gain=0.5, seed=3)
    for name, array in zip(("x", "y", "class"), ours):
        assert array.dtype == theirs[name].dtype and array.tobytes() == theirs[name].tobytes(), name
    ours.x[0] = 0  # the caller's own
    assert sluice.sample({"task": {"kind": "gaussian"}, "network": {"kind": "two-layer"}, "dynamics": {"kind": "sgd"}}).x.shape == (1000, 40)
    for wrong in (1, -5, 2**62):
        with pytest.raises(sluice.InputError, match="count"):
            sluice.sample("nlgp", wrong)


def test_samples_have_the_stated_covariance():
    x, _, which = sluice.sample("gaussian", 200_000, task__n=8, task__xi=[2.0, 1.0])
    first = x[which == 0].astype(float)
    d = np.minimum(np.arange(8), 8 - np.arange(8))
    expected = np.exp(-(d / 2.0) ** 2)
    values = np.array([first[:, 0] * first[:, i] for i in range(8)])
    error = values.std(1) / len(first) ** 0.5
    assert (np.abs(values.mean(1) - expected) < 5 * error + 1e-3).all()  # projection may move it by so much on 8 sites


def test_closed_forms_are_those_of_the_program(program, tmp_path):
    w = np.random.default_rng(1).normal(size=(3, 40))
    np.save(tmp_path / "w.npy", w)
    for words, call in ((["spectrum", "--set", "task.xi=[3,1]", "--class", "0"], lambda: sluice.theory("spectrum", task__xi=[3, 1], label=0)),
                        (["response", "--weights", tmp_path / "w.npy", "--operator", "mean-field"],
                         lambda: sluice.theory("response", weights=w, operator="mean-field"))):
        said = program("theory", *words, "--json")
        assert said.returncode == 0, said.stderr
        theirs, ours = json.loads(said.stdout), call()
        assert ours.columns == theirs["columns"] and np.array_equal(ours.rows, np.array(theirs["rows"]))
        assert np.array_equal(ours[ours.columns[0]], ours.rows[:, 0])
    assert sluice.theory("spectrum").figure().svg.startswith("<svg")
    with pytest.raises(sluice.InputError, match="did you mean 'spectrum'"):
        sluice.theory("spectrun")
    with pytest.raises(sluice.InputError, match=r"weights: shape \[3\]: expected \[40\] or \[K, 40\]"):
        sluice.theory("response", weights=[1, 2, 3])


def test_responses_of_gaussian_data_are_known():
    """f(w) = C w/√(2π w'Cw)."""
    n = 12
    d = np.minimum(np.arange(n), n - np.arange(n))
    c = np.exp(-((d[np.abs(np.arange(n)[:, None] - np.arange(n))] / 1.0) ** 2))  # nothing is cut at ξ = 1
    w = np.random.default_rng(2).normal(size=(5, n))
    f = sluice.response("gaussian", w, label=0, task__n=n, task__xi=[2.0, 1.0])
    assert f.dtype == np.float64 and f.shape == w.shape
    assert np.allclose(f, w @ c / np.sqrt(2 * np.pi * np.einsum("ki,ij,kj->k", w, c, w))[:, None], rtol=1e-9)
    assert np.array_equal(sluice.response("gaussian", w[0], label=0, task__n=n, task__xi=[2.0, 1.0]), f[0])
    for same in (w.astype(">f8"), np.asfortranarray(w), np.repeat(w, 2, axis=1)[:, ::2], w.tolist()):
        assert np.array_equal(sluice.response("gaussian", same, label=0, task__n=n, task__xi=[2.0, 1.0]), f)
    single = sluice.response("gaussian", w.astype(np.float32), label=0, task__n=n, task__xi=[2.0, 1.0])
    assert np.allclose(single, f, rtol=1e-6)


@pytest.mark.parametrize("w, words", [
    (np.zeros((2, 40)) * np.nan, "w: expected finite numbers"), (np.full(40, np.inf), "w: expected finite numbers"),
    (np.zeros(39), r"w: shape \[39\]: expected \[40\]"), (np.zeros((0, 40)), "w: shape"), (np.zeros((1, 1, 40)), "w: shape"), (3.0, "w: shape"),
    (np.zeros(40, complex), "found dtype complex128"), (np.zeros(40, bool), "found dtype bool"), (np.array(["a"] * 40), "found dtype <U1"),
    ([[1, 2], [3]], "w: expected an array of numbers"), (None, "w: expected"), ({}, "found dtype object"), (object(), "found dtype object"),
])
def test_bad_arrays_are_refused_in_one_line(w, words):
    with pytest.raises(sluice.InputError, match=words) as caught:
        sluice.response("localization", w)
    assert "\n" not in str(caught.value)


def test_weights_from_elsewhere_are_drawn_and_measured():
    w = np.random.default_rng(5).normal(size=(2, 6, 8, 9))
    theirs = sluice.record(w, step=[0, 10], layout="image")
    assert theirs.weights.shape == (2, 6, 72) and theirs.step.tolist() == [0, 10]
    assert np.array_equal(theirs.probe("ipr")["ipr"], sluice.probe(w, "ipr", layout="image")["ipr"])
    assert theirs.figure("gabor_fits").svg.startswith("<svg")
    assert repr(theirs) == "<sluice.Run arrays>" and theirs._repr_html_() is None  # a notebook shows the name: there is no page without a spec
    for wrong, words in ((theirs.frame, "weights without a spec"), (theirs.page, "expected a run, which has a page"),
                         (lambda: sluice.record(w, layout="plane"), "layout"), (lambda: sluice.record(w, step=[0]), "step")):
        with pytest.raises(sluice.InputError, match=words):
            wrong()


def test_probes_are_those_of_the_run_and_of_the_program(program, tmp_path):
    run = sluice.run(SMALL, probe__watch=["ipr", "mean_frequency", "localized"], progress=False)
    for seen in (run.probe("ipr", "mean_frequency", "localized"), sluice.probe(run, "ipr", "mean_frequency", "localized"),
                 sluice.probe(run.weights, "ipr", "mean_frequency", "localized", step=run.step)):
        assert seen["step"].tolist() == run.step.tolist()
        assert all(np.array_equal(seen[name], run[name]) for name in ("ipr", "mean_frequency", "localized"))
    w = np.random.default_rng(3).normal(size=(6, 40))
    np.savez(tmp_path / "w.npz", weights=w)
    assert program("probe", tmp_path / "w.npz", "--out", tmp_path / "p.npz").returncode == 0
    theirs, ours = np.load(tmp_path / "p.npz"), sluice.probe(w)
    assert sorted(ours) == sorted(theirs.files) and all(np.array_equal(ours[name], theirs[name], equal_nan=True) for name in ours)
    ipr = (w.astype(np.float32).astype(float) ** 4).sum(1) / (w.astype(np.float32).astype(float) ** 2).sum(1) ** 2
    assert np.allclose(ours["ipr"][0], ipr, rtol=1e-5)
    assert sluice.probe(w, "reference_distance", reference=w)["reference_distance"].max() == 0
    images = sluice.probe(np.random.default_rng(4).normal(size=(3, 8, 9)), "ipr", layout="image")
    assert images["ipr"].shape == (1, 3)
    for wrong, words in ((lambda: sluice.probe(w, "iprr"), "no such probe; did you mean 'ipr'"), (lambda: sluice.probe(w, layout="plane"), "layout"),
                         (lambda: sluice.probe(w, step=[1.5]), "step: expected an array of integers"), (lambda: sluice.probe(w[0]), "expected float32"),
                         (lambda: sluice.probe(w, bias=[1.0]), "bias: expected"), (lambda: sluice.probe(run, bias=[1.0]), "expected none with a Run")):
        with pytest.raises(sluice.InputError, match=words):
            wrong()


def test_integers_beyond_ours_are_refused():
    """NumPy makes negative ones of them."""
    beyond = np.array([2**64 - 3, 2**64 - 2], np.uint64)
    for call, name in ((lambda: sluice.record(np.ones((2, 3, 8)), step=beyond), "step"), (lambda: sluice.Data(np.eye(2), beyond), "y")):
        with pytest.raises(sluice.InputError, match=f"^{name}: expected integers up to {2**63 - 1}, found {2**64 - 3}$"):
            call()
    assert sluice.record(np.ones((2, 3, 8)), step=np.array([7, 2**63 - 1], np.uint64)).step.tolist() == [7, 2**63 - 1]


def test_arrays_beyond_all_memory_are_refused():
    """They take none before they are copied: those of broadcast_to repeat one number."""
    for call, words in ((lambda: sluice.record(np.broadcast_to(np.float32(1), (10**6, 10**3, 10**3))), r"^weights: \[1000000, 1000, 1000\]: 4000000000000 bytes, expected at most"),
                        (lambda: sluice.response("localization", np.broadcast_to(np.float64(1), (10**12, 40))), r"^w: \[1000000000000, 40\]: 320000000000000 bytes, expected at most"),
                        (lambda: sluice.run("localization", dynamics__steps=1, probes={"own": lambda now: np.broadcast_to(np.int8(1), 10**14)}, progress=False),
                         r"^own: \[100000000000000\]: 800000000000000 bytes, expected at most")):
        with pytest.raises(sluice.InputError, match=words) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_what_numpy_has_no_memory_for_is_said_in_our_words():
    """Less than there is, and yet more than is left."""
    code = """
import resource, numpy as np, sluice
there = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (there + (1 << 30), there + (1 << 30)))
w = np.broadcast_to(np.float32(1), ((1 << 28) // 40 + (1 << 20), 40))
try:
    %s
except MemoryError as error:
    print(type(error).__name__, error)
"""
    for statement in ("sluice.record(w[None])", 'sluice.response("localization", w)'):
        done = subprocess.run([sys.executable, "-c", code % statement], capture_output=True, text=True, timeout=60)
        assert done.stdout.startswith("MemoryError out of memory: more than the ") and done.stdout.count("\n") == 1, done


def test_a_response_that_has_no_closed_form_is_refused_in_our_words():
    with pytest.raises(sluice.InputError, match="^unit 1: no exact response of nlgp is known for these weights; choose the operator mean-field or gaussian$"):
        sluice.response("localization", [np.eye(40)[0], np.arange(40)])


@pytest.mark.filterwarnings("ignore::sluice.Remark")
def test_what_lies_in_memory_is_called_by_its_name():
    run = sluice.run("localization", name="mine", dynamics__steps=2, task__n=8, network__hidden=3, network__activation="erf", progress=False)
    weights = sluice.record(np.ones((3, 3, 8)))
    assert weights.folder is None and "arrays" in repr(weights)
    for call, words in ((lambda: sluice.probe(np.ones((2, 8)), reference=run), "^mine: expected weights"), (lambda: sluice.freeze(run, at=[7]), '^mine: network.activation = "erf"'),
                        (lambda: sluice.reduce(run), '^mine: network.bias = "none"'), (lambda: sluice.probe(np.ones((2, 8)), reference=weights), "^arrays: expected weights"),
                        (lambda: sluice.predict("single-unit", against=weights), r"^against: expected a run in a folder \(out=…\), found weights without a spec"),
                        (lambda: sluice.predict("single-unit", against=run), r"^against: expected a run in a folder \(out=…\), found one in memory"),
                        (lambda: sluice.record(np.ones((3, 2, 8)), step=[3, 2, 1]), r"^arrays: step: expected \[3\] increasing integers, as weights has times, found 2 after 3$"),
                        (lambda: sluice.record(np.ones((3, 2, 8)), step=[1, 2]), r"found \[2\]$")):
        with pytest.raises(sluice.InputError, match=words):
            call()


@pytest.mark.parametrize("call", [
    lambda: sluice.branch("single-unit", threads=1, progress=False), lambda: sluice.theory("localized-panel"),
    lambda: sluice.race("neural-race", {"network.hidden": [2, 4, 8]}, task__n=200, threads=1, progress=False),
    lambda: sluice.record(np.random.default_rng(1).normal(size=(3000, 24, 24)), layout="image").figure("gabor_fits")])
def test_ctrl_c_is_heard_in_the_middle_of_long_work(call):
    pressed = []

    def press():
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        timer.cancel()
    assert time.process_time() - pressed[0] < 0.5  # of work: this machine may be busy with other things


def test_predictions_are_those_of_the_program(program, tmp_path):
    said = program("predict", "single-unit", "--set", "dynamics.steps=200", "--out", tmp_path / "w.npy")
    assert said.returncode == 0, said.stderr
    ours = sluice.predict("single-unit", dynamics__steps=200)
    assert np.array_equal(ours.weights, np.load(tmp_path / "w.npy")) and ours.trained is None and ours.localized.dtype == bool
    scored = sluice.predict("single-unit", train=True, dynamics__steps=200)
    assert scored.trained.shape == (1, 40) and set(scored.scores) >= {"flow", "initial weights"}
    for wrong in (dict(operator="no"), dict(pairs="no"), dict(samples=3), dict(seeds=0), dict(against="nowhere")):
        with pytest.raises((sluice.InputError, sluice.IoError)):
            sluice.predict("single-unit", dynamics__steps=10, **wrong)


def test_the_flow_of_an_experiment():
    run = sluice.flow("single-unit", dynamics__steps=200, operator="conditioned", progress=False)
    assert run.spec["dynamics"]["kind"] == "flow" and run.spec["dynamics"]["operator"] == "conditioned"
    assert np.array_equal(run.weights[-1], sluice.predict("single-unit", operator="conditioned", dynamics__steps=200).weights) or \
        np.allclose(run.weights[-1], sluice.predict("single-unit", operator="conditioned", dynamics__steps=200).weights, rtol=2e-2, atol=2e-3)


def test_kernels_are_those_of_the_program(program, tmp_path):
    said = program("kernel", "depth-frg", "--samples", 30, "--out", tmp_path / "k.npy", "--json")
    assert said.returncode == 0, said.stderr
    ours, numbers = sluice.kernel("depth-frg", samples=30), json.loads(said.stdout)
    assert np.array_equal(ours.matrix, np.load(tmp_path / "k.npy")) and ours.condition == numbers["condition"]
    assert np.allclose(np.linalg.eigvalsh(ours.matrix.astype(float))[-1], ours.largest_eigenvalue, rtol=1e-6)
    for wrong in (dict(kind="no"), dict(samples=-1), dict(run="nowhere")):
        with pytest.raises((sluice.InputError, sluice.IoError)):
            sluice.kernel("depth-frg", **wrong)
    with pytest.raises(sluice.InputError, match='expected "deep-gated"'):
        sluice.kernel("localization")


def test_checks_are_those_of_the_program(program):
    said = program("check", "N0.12", "N0.16", "--samples", 20000, "--json")
    assert said.returncode == 0, said.stderr
    ours = sluice.check("N0.12", "N0.16", samples=20000, progress=False)
    assert list(ours) == json.loads(said.stdout)["claims"] and ours.passed
    assert list(ours.frame()["id"]) == ["N0.12", "N0.16"]
    for wrong, words in ((lambda: sluice.check("N0.cc4"), "did you mean 'N0.c4'"), (lambda: sluice.check("x.toml"), "x.toml"),
                         (lambda: sluice.check(samples=3), "samples = 3"), (lambda: sluice.check(3), "claim: expected a text, found int")):
        with pytest.raises((sluice.InputError, sluice.IoError), match=words):
            wrong()


def test_what_there_is():
    assert "localization" in sluice.catalog() and sluice.show("localization").startswith("#")
    assert {"task", "network", "dynamics", "probe", "figure", "quantity", "operator", "kernel"} == set(sluice.choices())
    assert all(meaning for kinds in sluice.choices().values() for meaning in kinds.values())
    with pytest.raises(sluice.InputError):
        sluice.show("nothing")
    with pytest.raises(sluice.InputError):
        sluice.fetch("nothing")

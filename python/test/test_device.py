"""device=: where a network is trained. Refusals need no device; what trains on one is skipped, with the reason, where there is none."""
import json
import shutil

import numpy as np
import pytest

import sluice
from test_run import SMALL

DEEP = {"task": {"kind": "points", "n": 3, "samples": 60, "inputs": "uniform"},
        "network": {"kind": "deep-gated", "widths": [16, 12], "beta": 4.0},  # soft: no gate flips on a rounding
        "dynamics": {"kind": "adam", "rate": 0.01, "batch": 20, "steps": 100}, "probe": {"every": 50}}
HARD = {**DEEP, "network": {"kind": "deep-gated", "widths": [16, 12]}}
ENDLESS = {**DEEP, "task": {"kind": "nlgp", "n": 10}}
DATA = sluice.Data(np.random.default_rng(1).normal(size=(60, 3)), np.arange(60.0) % 2)
pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")


def reason_without_device():
    try:
        sluice.run(DEEP, device="gpu", dynamics__steps=1, progress=False)
        return ""
    except sluice.InputError as error:
        return str(error)


MISSING = reason_without_device()
on_device = pytest.mark.skipif(bool(MISSING), reason=MISSING)


def refused(call):
    with pytest.raises(sluice.InputError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("spec, keys, words", [
    (DEEP, dict(device="tpu"), 'device = "tpu": expected one of "cpu", "gpu", "gpu:single", "gpu:tf32", "gpu:bfloat16"'),
    (DEEP, dict(device=3), "device: expected a text, found int"),
    (SMALL, dict(device="gpu:tf32"), 'device "gpu": networks with one hidden layer have no such precision: expected "gpu" or "gpu:single"'),
    (SMALL, dict(dynamics__precision="fast"), 'spec: dynamics.precision = "fast": expected device "gpu", found "cpu"'),
    (SMALL, dict(dynamics__precision="fast", task=DATA, dynamics__batch=20), 'spec: dynamics.precision = "fast": expected device "gpu", found "cpu"'),
    (HARD, dict(device="gpu:tf32", network__gate_shape="Phi(2*q)"), 'device "gpu": network.gate_shape: expected "logistic"; formulas are computed on the CPU'),
    (HARD, dict(device="gpu", task=DATA, gate=lambda x: [x[:, :1] > np.zeros(16), x[:, :1] > np.zeros(12)]),
     'device "gpu": network.gates = "function": expected gates that a device can compute'),
])
def test_what_a_device_does_not_know_is_said_before_anything_is_written(spec, keys, words, tmp_path):
    """Arrays of the caller's, which are written beside the folder, are not either."""
    for out in (None, tmp_path / "r"):
        assert refused(lambda: sluice.run(spec, out=out, progress=False, **keys)) == words
        assert refused(lambda: sluice.sweep(spec, {"seed": [1]}, out=out, progress=False, **keys)) == words
        named = refused(lambda: sluice.sweep(spec, {"seed": [1, 2]}, out=out, progress=False, **keys))
        assert named in (words, f"{words} (seed=1)")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not MISSING, reason="there is a device")
@pytest.mark.parametrize("task", [None, DATA])
def test_where_there_is_no_device_it_says_what_is_missing(task, tmp_path, program):
    assert MISSING.startswith('device "gpu": ') and ("libsluice_cuda.so" in MISSING or "none can be used here: " in MISSING)
    for out in (None, tmp_path / "r"):
        assert refused(lambda: sluice.run(DEEP, task=task, device="gpu:bfloat16", out=out, progress=False)) == MISSING
        assert refused(lambda: sluice.sweep(DEEP, {"seed": [1, 2]}, task=task, device="gpu", out=out, progress=False)) == MISSING
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "deep.toml").write_text(sluice.resolve(DEEP))
    assert program("run", "deep.toml", "--device", "gpu", "--out", "r", cwd=tmp_path).stderr == f"sluice: {MISSING}\n"


def test_a_run_does_not_go_on_where_there_is_none(tmp_path):
    run = sluice.run(DEEP, out=tmp_path / "r", progress=False)
    for device in ("tpu", *(["gpu"] if MISSING else [])):
        words = refused(lambda: run.go_on(dynamics__steps=120, device=device, out=tmp_path / "on", progress=False))
        assert words == (MISSING if device == "gpu" else 'device = "tpu": expected one of "cpu", "gpu", "gpu:single", "gpu:tf32", "gpu:bfloat16"')
    assert [each.name for each in tmp_path.iterdir()] == ["r"]


def test_the_cpu_is_where_it_is_trained_unless_somebody_says_otherwise(tmp_path):
    default, cpu = sluice.run(DEEP, out=tmp_path / "a", progress=False), sluice.run(DEEP, device="cpu", out=tmp_path / "b", progress=False)
    for name in ("record.npz", "spec.toml", "metrics.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert default.device == cpu.device == sluice.load(tmp_path / "b").device == "cpu"
    assert "device" not in json.loads((tmp_path / "b/run.json").read_text())
    memory = sluice.sweep(DEEP, {"seed": [1, 2]}, device="cpu", progress=False)
    assert [run.device for run in memory] == ["cpu"] * 2
    assert sluice.record(np.ones((2, 10))).device is None


def largest_difference(one, two):
    """Of all weights, in units of the largest."""
    names = [name for name in one if name.startswith("layer")]
    assert names == ["layer1", "layer2", "layer3"]
    return max(np.abs(one[name] - two[name]).max() for name in names) / max(np.abs(one[name]).max() for name in names)


@on_device
def test_training_there_follows_training_here(tmp_path):
    cpu = sluice.run(DEEP, progress=False)
    assert largest_difference(cpu, sluice.run(DEEP, dynamics__steps=1, progress=False)) > 0.1, "nothing moved: this test cannot fail"
    memory, folder = sluice.run(DEEP, device="gpu", progress=False), sluice.run(DEEP, device="gpu", out=tmp_path / "r", progress=False)
    assert memory.device == folder.device == sluice.load(tmp_path / "r").device == json.loads((tmp_path / "r/run.json").read_text())["device"] == "gpu"
    assert largest_difference(cpu, memory) < 1e-4
    assert all(memory[name].tobytes() == folder[name].tobytes() for name in folder)
    assert memory.toml == cpu.toml and np.allclose(memory.loss, cpu.loss, rtol=1e-3)
    assert largest_difference(sluice.run(ENDLESS, progress=False), sluice.run(ENDLESS, device="gpu", progress=False)) < 1e-4


def two_sides(x, y, rng, which_class):
    x[:] = rng.normal(size=x.shape) + (0.5 if which_class == 0 else -0.5)


@on_device
@pytest.mark.parametrize("task", [DATA, sluice.Task(two_sides, n=5)])
def test_one_hidden_layer_trains_on_samples_that_are_made_here(task):
    keys = dict(task=task, network__activation="erf", dynamics__batch=20, dynamics__steps=40, progress=False)
    cpu = sluice.run(SMALL, **keys)
    for device, most in (("gpu", 1e-2), ("gpu:single", 1e-4)):
        swept = sluice.sweep(SMALL, {"seed": [1, 2]}, device=device, **keys)
        assert not swept.failures and [run.device for run in swept] == [device] * 2
        way = np.abs(cpu.weights[-1] - cpu.weights[0]).max()
        assert 0 < np.abs(swept[0].weights[-1] - cpu.weights[-1]).max() < most * way
        assert swept[0].loss[0] == cpu.loss[0] and np.allclose(swept[0].loss, cpu.loss, rtol=most)


@on_device
def test_sweeps_and_precisions_and_going_on(tmp_path):
    alone = [sluice.run(DEEP, seed=seed, device="gpu", progress=False) for seed in (1, 2, 3)]
    for out in (None, tmp_path / "s"):
        swept = sluice.sweep(DEEP, {"seed": [1, 2, 3]}, device="gpu", threads=2, out=out, progress=False)
        assert not swept.failures and [run.device for run in swept] == ["gpu"] * 3
        assert all(one.layer1.tobytes() == two.layer1.tobytes() for one, two in zip(alone, swept))
    for device in ("gpu:tf32", "gpu:bfloat16"):
        assert sluice.run(DEEP, device=device, progress=False).device == device
    begun = sluice.run(DEEP, dynamics__steps=60, device="gpu", out=tmp_path / "begun", progress=False)
    there = begun.go_on(dynamics__steps=100, device="gpu", progress=False)
    here = begun.go_on(dynamics__steps=100, progress=False)
    assert there.device == "gpu" and here.device == "cpu" and there.step[-1] == here.step[-1] == 100
    assert largest_difference(there, here) < 1e-4
    shutil.rmtree(tmp_path / "begun")

"""sluice.sweep, Sweep."""
import itertools
import sys

import numpy as np
import pytest

import sluice
from test_run import SMALL, interrupt_once_it_runs

pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")


def test_points_are_the_runs_alone():
    sweep = sluice.sweep(SMALL, {"task.gain": [0.1, 3.0], "seed": "1..2"}, progress=False)
    assert [run.settings for run in sweep] == [{"gain": gain, "seed": seed} for gain in ("0.1", "3") for seed in ("1", "2")]
    for run in sweep:
        alone = sluice.run(SMALL, task__gain=float(run.settings["gain"]), seed=int(run.settings["seed"]), progress=False)
        assert run.weights.tobytes() == alone.weights.tobytes()
    assert len(sweep[1:3]) == 2 and sweep.runs[0].toml == sweep[0].toml


def test_folders_hold_the_same_bytes_as_memory_and_as_the_program(program, tmp_path):
    (tmp_path / "own.toml").write_text(sluice.resolve(SMALL))
    said = program("sweep", "own.toml", "--over", "task.gain=0.1,3", "--over", "network.activation=relu,erf", "--out", "s", "--quiet", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    over = {"task.gain": [0.1, 3], "network.activation": ["relu", "erf"]}
    folder = sluice.sweep(tmp_path / "own.toml", over, out=tmp_path / "p", progress=False)
    memory = sluice.sweep(tmp_path / "own.toml", over, progress=False)
    for one, two in zip(folder, memory):
        assert one.settings == two.settings
        theirs = np.load(tmp_path / "s" / one.folder.name / "record.npz")
        assert all(theirs[name].tobytes() == one[name].tobytes() == two[name].tobytes() for name in theirs.files)
    for name in memory.figures:
        assert memory.figure(name).svg == folder.figure(name).svg, name
    assert (tmp_path / "s/summary.csv").read_bytes() == (tmp_path / "p/summary.csv").read_bytes()
    assert [run.settings for run in sluice.load(tmp_path / "s")] == [run.settings for run in memory]


def test_tables_curves_figures_and_pages(tmp_path):
    sweep = sluice.sweep(SMALL, {"task.gain": [0.1, 1, 3], "seed": [1, 2]}, progress=False)
    frame = sweep.frame()
    assert list(frame["gain"]) == [0.1, 0.1, 1, 1, 3, 3] and list(frame["loss"]) == [run.loss[-1] for run in sweep]
    assert sweep.column("seed") == [1, 2] * 3
    assert "mean over 2 seeds" in sweep.curve("task.gain", "loss").caption
    assert sweep.curve(y="accuracy", bars="range", log="x").svg.startswith("<svg")
    assert {"curve", "comparison", "seeds"} <= set(sweep.figures)
    sweep.figure("seeds").save(tmp_path / "seeds.pdf")
    assert "gain" in sweep.page() and sweep._repr_html_().startswith("<iframe")
    for wrong in (lambda: sweep.curve("task.n"), lambda: sweep.curve(y="nothing"), lambda: sweep.curve(bars="no"), lambda: sweep.column("no"),
                  lambda: sweep.figure("unit_map"), lambda: sluice.sweep(SMALL), lambda: sluice.sweep(SMALL, {"task.gain": []}),
                  lambda: sluice.sweep(SMALL, 3), lambda: sluice.sweep(SMALL, {"task.gain": [1, -1]}, progress=False)):
        with pytest.raises(sluice.InputError):
            wrong()


@pytest.mark.parametrize("values", [range(10**9), itertools.count(), range(100_001), (seed for seed in itertools.repeat(1))])
def test_a_grid_without_end_is_refused_before_it_is_made(values):
    with pytest.raises(sluice.InputError, match="^seed: expected at most 100000 points in all$"):
        sluice.sweep(SMALL, {"seed": values})


def test_without_pandas_a_frame_is_a_structured_array(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    sweep = sluice.sweep(SMALL, {"task.gain": [0.1, 3]}, progress=False)
    frame = sweep.frame()
    assert isinstance(frame, np.ndarray) and frame["gain"].tolist() == [0.1, 3.0] and frame["status"].tolist() == ["finished"] * 2
    assert isinstance(sweep[0].frame(), np.ndarray) and sweep[0].frame()["step"].tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("into", [None, "folder"])
def test_keyboard_interrupt_keeps_what_was_begun(into, tmp_path):
    with pytest.warns(sluice.Remark, match="stopped; the"):
        sweep = sluice.sweep("localization", {"seed": "1..6"}, dynamics__steps=10**6, probe__every=50, progress=interrupt_once_it_runs(),
                             out=None if into is None else tmp_path / "s")
    assert 1 <= len(sweep) < 6 and {run.status for run in sweep} <= {"interrupted", "unfinished"}


def test_progress_goes_from_nothing_to_all():
    told = []
    sluice.sweep("localization", {"seed": [1, 2]}, dynamics__steps=2000, progress=lambda done, of: told.append((done, of)))
    assert told and all(of == 4000 and 0 <= done <= of for done, of in told)


SHARED = {**SMALL, "network": {"kind": "two-layer", "hidden": 1}, "sweep": {"share_samples": True}}


def test_points_that_share_their_samples_hold_the_bytes_of_the_program(program, tmp_path):
    (tmp_path / "own.toml").write_text(sluice.resolve(SMALL))
    said = program("sweep", "own.toml", "--over", "seed=1..5", "--over", "dynamics.rate=0.5,1", "--set", "sweep.share_samples=true", "--set", "network.hidden=1",
                   "--out", "s", "--quiet", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    for threads in (1, 2):
        told = []
        memory = sluice.sweep(SHARED, {"seed": "1..5", "dynamics.rate": [0.5, 1]}, threads=threads, progress=lambda done, of: told.append((done, of)))
        for run in memory:
            theirs = np.load(tmp_path / "s" / f"seed={run.settings['seed']},rate={run.settings['rate']}" / "record.npz")
            assert run.keys() == theirs.files and all(theirs[name].tobytes() == run[name].tobytes() for name in theirs.files)
        assert all(of == 60 and 0 <= done <= of for done, of in told)


def test_samples_that_are_shared_are_drawn_once():
    """Work is counted, not timed: calls of the function that makes samples, at steps of training after the first."""
    calls = []

    def fill(x, y, rng, which_class):
        calls.append(int(rng.bit_generator.state["state"]["counter"][3]) > 0)
        x[:] = rng.normal(size=x.shape) + which_class

    task = sluice.Task(fill, n=6)
    keys = dict(task=task, network__hidden=1, dynamics__steps=100, dynamics__batch=96, probe__every=50, probe__samples=96, threads=1, progress=False)
    alone = [sluice.run(SMALL, seed=seed, sample_seed=1, **keys) for seed in range(1, 17)]
    apart = sum(calls)
    calls.clear()
    together = sluice.sweep(SMALL, {"seed": "1..16"}, sweep__share_samples=True, **keys)
    assert [run.weights.tobytes() for run in together] == [run.weights.tobytes() for run in alone]
    assert apart == 16 * 99 * 2 and sum(calls) == 99 * 2


def test_a_point_that_fails_among_others_and_one_that_diverges():
    seen = []

    def fill(x, y, rng, which_class):
        seen.append(None)
        if len(seen) > 2000:
            raise OverflowError("too many")
        x[:] = rng.normal(size=x.shape) + which_class

    sweep = sluice.sweep(SHARED, {"seed": "1..3"}, task=sluice.Task(fill, n=6), dynamics__steps=10**6, probe__samples=96, threads=1, progress=False)
    assert len(sweep) == 0 and len(sweep.failures) == 3 and all("too many" in reason for reason in sweep.failures.values())
    rates = sluice.sweep(SHARED, {"dynamics.rate": [1, 1e30]}, threads=1, progress=False)
    assert [run.status for run in rates] == ["finished", "diverged"]


@pytest.mark.parametrize("into", [None, "folder"])
def test_runs_that_move_together_are_kept_when_they_are_stopped(into, tmp_path):
    """Between two calls of a function, in the middle of a step of all of them."""
    def fill(x, y, rng, which_class):
        x[:] = rng.normal(size=x.shape) + which_class

    sweep = sluice.sweep(SHARED, {"seed": "1..4"}, task=sluice.Task(fill, n=6), dynamics__steps=10**8, probe__samples=96, threads=1,
                         progress=interrupt_once_it_runs(), out=None if into is None else tmp_path / "s")
    assert len(sweep) == 4 and {run.status for run in sweep} == {"interrupted"} and len({run.step[-1] for run in sweep}) == 1


def test_a_boundary_needs_no_folder(tmp_path):
    over = {"task.gain": [0.1, 3]}
    drawn = [sluice.sweep("localization", over, dynamics__steps=2, network__hidden=3, progress=False, **where).curve("task.gain", "loss", boundary="flat").svg
             for where in ({}, {"out": tmp_path / "s"})]
    assert drawn[0] == drawn[1]

"""sluice.branch, race, search, freeze, reduce: the numbers that the program prints as JSON, its tables, pages and pictures."""
import json
import signal
import threading
import tomllib

import numpy as np
import pytest

import sluice

pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")


def plain(value):
    """As JSON has it: lists for arrays, null for what is no number."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, (list, np.ndarray)):
        return [plain(each) for each in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def of_program(program, *words):
    said = program(*words, "--json", "--quiet")
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


def csv_of(study):
    return study._study.csv()


BRANCH = ["--set", "task.n=8", "--range", "0.5:2", "--at", "1", "--draws", 480, "--sets", 2, "--from", "flat", "--from", "site"]


def branches(**keys):
    return sluice.branch(task__n=8, range=(0.5, 2), at=1, draws=480, sets=2, start=["flat", "site"], progress=False, **keys)


def test_branches_are_those_of_the_program(program, tmp_path):
    ours = branches()
    assert plain(ours.numbers) == of_program(program, "branch", *BRANCH, "--out", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == csv_of(ours) and ours.figure().svg.startswith("<svg")
    assert "Branches of fixed points" in ours.page(tmp_path / "b.html") and (tmp_path / "b.html").exists()
    flat = ours.curves["flat"]
    assert flat["field"].shape == (len(flat["parameter"]), 1, 8) and np.allclose(flat["field"], flat["field"][..., :1])
    assert len(ours.frame()) == sum(len(curve["parameter"]) for curve in ours.curves.values())
    assert ours.rows[0]["field"].shape == (8,) and {row["branch"] for row in ours.rows} >= {"flat", "site"}


def test_branches_begin_at_fields_that_are_given(tmp_path):
    bump = np.exp(-np.minimum(np.arange(8), 8 - np.arange(8)) ** 2 / 2)  # the shape of "site"
    given, typed = (sluice.branch(task__n=8, range=(1.5, 2), draws=480, sets=2, start=start, progress=False) for start in (bump, "site"))
    assert np.allclose(given.curves["start 1"]["field"], typed.curves["site"]["field"], atol=1e-9)
    pair = dict(task__n=8, network__hidden=2, range=(2, 2.2), progress=False)
    two = sluice.branch(start=[np.stack([bump, -np.roll(bump, 4)]), "site,-site:4"], **pair)
    assert two.units == 2 and np.allclose(*(two.curves[name]["field"] for name in ("start 1", "site,-site:4")), atol=1e-6)
    assert sluice.branch(start=list(map(float, bump)), task__n=8, range=(1.9, 2), draws=480, sets=2, progress=False).curves.keys() >= {"start 1"}


def test_branches_are_held_against_runs():
    trained = sluice.sweep("single-unit", {"task.gain": [0.1, 3], "seed": "1..2"}, task__n=8, dynamics__steps=20, progress=False)
    study = branches(against=trained)
    assert [share["parameter"] for share in study.trained_localized["shares"]] == [0.1, 3.0]
    assert [share["units"] for share in study.trained_concentrated["shares"]] == [2, 2]


RACE = ["neural-race", "--over", "network.hidden=2,4", "--over", "task.gain=0.01,3", "--set", "task.n=12"]


def test_a_race_is_that_of_the_program(program, tmp_path):
    ours = sluice.race("neural-race", {"network.hidden": [2, 4], "task.gain": [0.01, 3]}, task__n=12, progress=False)
    assert plain(ours.numbers) == of_program(program, "race", *RACE, "--out", tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == csv_of(ours) and len(ours.frame()) == 4
    of_program(program, "race", *RACE, "--out", tmp_path / "r.svg")
    assert ours.figure().render("svg") == (tmp_path / "r.svg").read_bytes()
    assert ours.losses.shape == (4, len(ours.times)) and (np.diff(ours.losses, axis=1) <= 1e-12).all()
    assert "race" in ours.page() and ours._repr_html_().startswith("<iframe")


def test_a_race_has_several_specs_and_gates_of_ones_own():
    spec = sluice.resolve("neural-race", task__n=8, network__hidden=2)
    both = sluice.race([spec, "neural-race"], task__n=8, network__hidden=2, progress=False)
    assert [lap["gates"] for lap in both.laps] == ["spec", "neural-race"]
    own = sluice.race("neural-race", task__n=8, network__hidden=2, gate=lambda x: x[:, :2] > 0, progress=False)
    assert own.laps[0]["moments"] == "sampled" or own.laps[0]["kept"] is None


def test_larger_inputs_race_in_less_time_to_the_same_loss(tmp_path):
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(200, 8)).astype(np.float32), np.repeat([1.0, -1.0], 100)

    def half_time(scale):
        np.savez(tmp_path / "xy.npz", x=np.float32(scale) * (x + y[:, None] * np.eye(8)[0]), y=y)
        spec = {**tomllib.loads(sluice.resolve("neural-race", network__hidden=4, dynamics__batch=100)), "task": {"kind": "dataset", "path": str(tmp_path / "xy.npz")}}
        return sluice.race(spec, progress=False).laps[0]["half_time"]

    assert 2**100 * half_time(2.0**50) == pytest.approx(half_time(1), rel=1e-6)  # t goes as 1/λ, λ as the inputs' square
    assert half_time(2.0**-50) / 2**100 == pytest.approx(half_time(1), rel=1e-6)


SEARCH = ["gated-pair", "--set", "task.n=8", "--set", "network.hidden=2", "--candidates", 20, "--samples", 1000]


def test_a_search_is_that_of_the_program(program, tmp_path):
    relu = dict(task__n=8, network__hidden=3, dynamics__steps=20, progress=False)
    run = sluice.run("localization", out=tmp_path / "relu", **relu)
    ours = sluice.search("gated-pair", task__n=8, network__hidden=2, candidates=20, samples=1000, against=run)
    theirs = of_program(program, "search", *SEARCH, "--against", tmp_path / "relu")
    assert ours.gates.shape == (2, 8) and ours.run == str(tmp_path / "relu") and ours.run_units == 3
    flat = plain(ours.numbers)
    for structure in flat["structures"]:
        structure["gates"] = sum(structure["gates"], [])
    for each in (flat, theirs):
        each["budget"].pop("seconds")
    assert flat == theirs
    assert program("search", *SEARCH, "--out", tmp_path / "g.npy", "--quiet").returncode == 0
    assert np.array_equal(ours.gates, np.load(tmp_path / "g.npy"))
    memory = sluice.search("gated-pair", task__n=8, network__hidden=2, candidates=20, samples=1000, against=sluice.run("localization", **relu))
    assert plain(memory.agreements) == plain(ours.agreements)  # a run in memory is as good
    assert ours.figure().svg.startswith("<svg") and ours.conclusions[0] in ours.page()


def frozen_gates(**keys):
    return sluice.run("frozen-gates", task__n=8, network__hidden=3, dynamics__steps=40, probe__every=10, progress=False, **keys)


def test_frozen_gates_are_those_of_the_program(program, tmp_path):
    run = frozen_gates(out=tmp_path / "f")
    theirs = of_program(program, "freeze", tmp_path / "f", "--samples", 2000, "--count", 4)
    for runs in (tmp_path / "f", [run], frozen_gates()):
        ours = sluice.freeze(runs, samples=2000, count=4, progress=False)
        assert plain(ours.runs) == theirs
    assert ours.column("step")[-1] == 40 and ours.column("replayed.of_end").shape == ours.column("loss").shape
    assert ours.figure().svg.startswith("<svg") and len(ours.frame()) == len(ours.column("step")) and len(ours.page()) > 1000
    at = sluice.freeze(run, samples=2000, at=[10, 30], progress=False)
    assert at.column("step").tolist() == [10, 30] and sluice.freeze(run, samples=2000, at=np.int64(10), progress=False).column("step").tolist() == [10]
    with pytest.raises(sluice.InputError, match="no such column; there are step, time, solved.distance"):
        at.column("stepp")


def test_runs_of_several_places_are_told_apart():
    runs = [frozen_gates(seed=seed) for seed in (1, 2)]
    told = []
    both = sluice.freeze(runs, samples=2000, count=2, progress=lambda done, of: told.append((done, of)))
    assert [run["run"] for run in both.runs] == ["seed = 1", "seed = 2"] and all(of == 2_000_000 and done <= of for done, of in told)
    sweep = sluice.sweep("frozen-gates", {"seed": [1, 2]}, task__n=8, network__hidden=3, dynamics__steps=40, probe__every=10, progress=False)
    assert plain(sluice.freeze(sweep, samples=2000, count=2, progress=False).runs) == plain(both.runs)


def test_reduced_networks_are_those_of_the_program(program, tmp_path):
    run = sluice.run("populations", task__n=8, network__hidden=6, dynamics__steps=20, out=tmp_path / "p", progress=False)
    ours = sluice.reduce(run, samples=500, progress=False)
    assert plain(ours.runs) == of_program(program, "reduce", tmp_path / "p", "--samples", 500)
    assert ours.figure().svg.startswith("<svg") and len(ours.frame()) == len(ours.runs[0]["models"])
    assert "runs" in ours and list(ours) == ["runs"] and len(ours) == 1 and ours["runs"] is ours.runs


@pytest.mark.parametrize("call, words", [
    (lambda: sluice.branch(parameter="gian"), "parameter gian: unknown; did you mean 'gain'"), (lambda: sluice.branch(response="x"), 'response = "x": expected one of'),
    (lambda: sluice.branch(draws=3), "draws = 3: expected an integer from 48"), (lambda: sluice.branch(sets=0), "sets = 0"), (lambda: sluice.branch(step=2), "step = 2"),
    (lambda: sluice.branch(dilution=float("nan")), "dilution = nan"), (lambda: sluice.branch(basins=-1), "basins = -1"), (lambda: sluice.branch(range=(3, 1)), "smaller first"),
    (lambda: sluice.branch(range=(0, 1)), "range = 0: expected a number from"), (lambda: sluice.branch(range=3), "range: expected a list"),
    (lambda: sluice.branch(range=(1, 2, 3)), "range: expected two numbers"), (lambda: sluice.branch(at="x"), "at: expected a list, found str"),
    (lambda: sluice.branch(at=-1), "at = -1: expected a number from"), (lambda: sluice.branch(start="nowhere"), "start nowhere: expected flat"),
    (lambda: sluice.branch(start=np.zeros(3)), r"start 1: shape \[3\]: expected \[40\]"), (lambda: sluice.branch(start=np.zeros(40)), "found zeros alone"),
    (lambda: sluice.branch(start=np.full(40, np.nan)), "start: expected finite"), (lambda: sluice.branch(start=[{}]), "start: expected an array"),
    (lambda: sluice.branch(start=[]), "start: expected at least one"), (lambda: sluice.branch("localization"), "network.hidden"), (lambda: sluice.branch(against=3), "runs: expected a list, found int"),
    (lambda: sluice.branch(against="nowhere"), "nowhere"), (lambda: sluice.branch(progress=3), "progress"), (lambda: sluice.branch(threads=0), "threads = 0"),
    (lambda: sluice.race("localization"), "gated-linear"), (lambda: sluice.race([]), "specs: expected at least one"), (lambda: sluice.race("gated-pair", 3), "over"),
    (lambda: sluice.race("gated-pair", {"network.hidden": []}), "at least one value"), (lambda: sluice.race("gated-pair", task__gian=1), "did you mean 'gain'"),
    (lambda: sluice.search("localization"), "gated-linear"), (lambda: sluice.search("gated-pair", candidates=0), "candidates = 0"),
    (lambda: sluice.search("gated-pair", samples=3), "samples = 3"), (lambda: sluice.search("gated-pair", against="nowhere"), "nowhere"),
    (lambda: sluice.search("gated-pair", against=[]), "against: expected one run, found 0"),
    (lambda: sluice.freeze("nowhere"), "nowhere"), (lambda: sluice.freeze([]), "runs: expected at least one"), (lambda: sluice.freeze(3), "runs: expected a list"),
    (lambda: sluice.freeze(frozen_gates(), count=1), "count = 1"), (lambda: sluice.freeze(frozen_gates(), at=7), "step 7: expected a recorded one"),
    (lambda: sluice.freeze(frozen_gates(), at=-1), "at = -1"), (lambda: sluice.freeze(frozen_gates(network__activation="erf")), 'network.activation = "erf"'),
    (lambda: sluice.freeze(frozen_gates(probe__units=[0, 2])), "probe.units"), (lambda: sluice.freeze(sluice.record(np.ones((2, 8)))), "weights without a spec"),
    (lambda: sluice.reduce(frozen_gates()), 'network.activation = "relu"'), (lambda: sluice.reduce([None]), "runs: expected a path, found NoneType"),
    (lambda: sluice.reduce(frozen_gates(), samples=3), "samples = 3"),
])
def test_what_cannot_be_is_refused_in_one_line(call, words):
    with pytest.raises((sluice.InputError, sluice.IoError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_keyboard_interrupt_ends_a_study():
    """A study has nothing to show before its end: the exception is raised."""
    def interrupt(done, of):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        sluice.branch(start=["flat", "site", "mode:1", "mode:2"], task__n=12, sets=100, draws=480, progress=interrupt)
    with pytest.raises(ZeroDivisionError):
        sluice.branch(start=["flat", "site", "mode:1", "mode:2"], task__n=12, sets=100, draws=480, progress=lambda done, of: 1 / 0)


def test_others_work_meanwhile():
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.005):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    branches()
    over.set()
    thread.join()
    assert len(ticks) > 3


def test_columns_are_of_runs_that_there_are():
    frozen = sluice.Frozen.__new__(sluice.Frozen)
    frozen.numbers = {"runs": [{"freezes": [{"step": 1}, {"step": 2}]}]}
    assert frozen.column("step").tolist() == frozen.column("step", -1).tolist() == [1, 2]
    for wrong, words in ((99, "^run = 99: expected one of 1 runs, counted from 0$"), ("x", "^run: expected an integer, found str$")):
        with pytest.raises(sluice.InputError, match=words):
            frozen.column("step", wrong)

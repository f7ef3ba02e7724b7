"""Whatever is given, the interpreter lives: an answer, or one line of words. Random inputs with fixed seeds; SLUICE_TEST_CASES of each."""
import itertools
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sluice
from test_run import SMALL

pytestmark = pytest.mark.filterwarnings("ignore")
FEW = settings(max_examples=int(os.environ.get("SLUICE_TEST_CASES", 60)), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
REFUSED = (sluice.InputError, sluice.IoError)

scalars = st.none() | st.booleans() | st.integers(-(2**65), 2**65) | st.floats() | st.text(max_size=8) | st.binary(max_size=4)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3), max_leaves=6)
names = st.sampled_from(["task.n", "task.gain", "task.xi", "task.kind", "task.labels", "network.hidden", "network.activation", "network.bias",
                         "network.init", "network.init.law", "dynamics.rate", "dynamics.batch", "probe.watch", "probe.every", "seed", "title"])


def lives(call):
    """Refusals have one line; nothing else is raised."""
    try:
        return call()
    except REFUSED as refused:
        assert "\n" not in str(refused) and str(refused)


RUN = sluice.run(SMALL, progress=False)


@FEW
@given(st.dictionaries(names, values, min_size=1, max_size=2))
def test_keys(keys):
    lives(lambda: sluice.resolve(SMALL, set=keys))


small = st.sampled_from([-1, 0, 1, 2, 3, 7, 12, 0.0, -0.5, 1e-300, 1e30, float("inf"), float("nan"), "", "relu", "erf", "none", "learned", "full",
                         "ising", "pulse", "block", "torus", "flow", "adam", "h*h", "auto", True, [], [1], [1, 0], [2.0, 2.0], ["ipr"], ["weights"]])
more_names = names | st.sampled_from(["task.dim", "task.balance", "network.readout", "network.kind", "network.init.scale", "dynamics.kind",
                                      "dynamics.loss", "dynamics.momentum", "probe.samples", "probe.units", "record.compress", "sample_seed"])


@FEW
@given(st.dictionaries(more_names, small, min_size=1, max_size=3))
def test_runs(keys):
    """Sizes are small: whatever is taken is run, drawn and shown."""
    run = lives(lambda: sluice.run(SMALL, set={**keys, "dynamics.steps": 2}, threads=2, progress=False))
    if run is not None:
        assert run.page() and all(run[name].size >= 0 for name in run)
        for name in run.figures:
            lives(lambda: run.figure(name).render("png", dpi=20))


def around(made):
    """It holds itself."""
    made.update(a=made) if isinstance(made, dict) else made.append(made)
    return made


@pytest.mark.parametrize("call, words", [
    (lambda: sluice.resolve(SMALL, seed=10**5000), "^seed = an integer of 16610 bits: expected an integer of 64 bits$"),
    (lambda: sluice.resolve(SMALL, set={"task.gain": 10**5000}), "^task.gain = an integer of 16610 bits: expected an integer of 64 bits$"),
    (lambda: sluice.run(SMALL, threads=-(10**5000)), "^threads = an integer of 16610 bits"),
    (lambda: sluice.resolve(SMALL, set={10**5000: 1}), "^an integer of 16610 bits: expected a key"),
    (lambda: sluice.run(SMALL, interrupt=[10**5000]), "^interrupt = list: expected"),
    (lambda: sluice.Task(len, shape=[10**5000]), "^task: shape: expected two numbers, found list$"),
    (lambda: sluice.sample("nlgp", task__xi=around([1.0])), "^task.xi: expected at most 100 lists and dicts in each other$"),
    (lambda: sluice.resolve(around({"task": 1})), "^a.a: expected at most 100 lists and dicts in each other$"),
    (lambda: sluice.resolve(SMALL, set=around({})), "^a.a: expected at most 100 lists and dicts in each other$"),
    (lambda: sluice.resolve(SMALL, set={"task.labels": [around({})]}), "^task.labels: expected at most 100 lists and dicts in each other$"),
    (lambda: sluice.sweep(SMALL, {"task.xi": around([1.0])}), "^task.xi: expected at most 100 lists and dicts in each other$"),
    (lambda: sluice.record(around([1.0])), "^weights: expected an array of numbers"),
    (lambda: sluice.record([10**5000, 1.0]), "^weights: expected an array of numbers"),
    (lambda: sluice.Data([[1.0, 10**5000]], [0]), "^x: expected an array of numbers"),
    (lambda: sluice.Data(around([1.0]), [0]), "^x: expected an array of numbers"),
    (lambda: RUN.figure("learning").render(width=10**5000), "^width = an integer of 16610 bits: expected a number$"),
    (lambda: sluice.branch(SMALL, at=10**5000), "^at: expected a number, found int$"),
])
def test_what_has_no_words_and_what_has_no_end(call, words):
    with pytest.raises(sluice.InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("call, words", [
    (lambda: sluice.resolve(SMALL, task__xi=range(10**18)), "^task.xi: expected a list of at most 1048576 values$"),
    (lambda: sluice.resolve(SMALL, task__xi=np.broadcast_to(1.0, (10**9,))), "^task.xi: expected a list of at most 1048576 values$"),
    (lambda: sluice.resolve(SMALL, task__xi=[twice(40)]), "^task.xi: expected a list of at most 1048576 values$"),
    (lambda: RUN.figure("unit_map", itertools.count()), "^units: expected a list of at most 1048576 values$"),
    (lambda: sluice.runs(columns=itertools.repeat("gain")), "^columns: expected a list of at most 1048576 values$"),
    (lambda: RUN.figure("unit_map", None), "^units: expected a list, found NoneType$"),
    (lambda: sluice.Probe(len, axes=3), "^probe: axes: expected a list, found int$"),
    (lambda: sluice.compare(RUN).column([1]), "^column: expected a text, found list$"),
    (lambda: sluice.run(SMALL, interrupt=np.ones(2)), "^interrupt = "),
    (lambda: sluice.run(SMALL, name=np.ones(2)), "^name: expected a text, found ndarray$"),
    (lambda: sluice.run("gated-pair", gate=lambda x: [[1], [1, 2]], network__hidden=2, dynamics__steps=2, progress=False), "gate: expected an array of numbers, found what NumPy makes no array of"),
])
def test_what_is_too_long_and_what_is_no_list(call, words):
    with pytest.raises(sluice.InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def twice(times):
    """A list that is short in memory, and long to whom goes through it."""
    made = [1.0]
    for _ in range(times):
        made = [made, made]
    return made


def test_functions_with_integers_of_any_size_have_marks():
    def made(large):
        return lambda x, y, rng, which_class: large

    assert sluice.Task(made(10**5000), n=3).source == sluice.Task(made(10**5000), n=3).source != sluice.Task(made(10**5000 + 1), n=3).source


@FEW
@given(values)
def test_specs(spec):
    lives(lambda: sluice.resolve(spec))


@FEW
@given(st.text(alphabet="[]{}=\"'\n\\#. ataskgin0123\x00é\ud800", max_size=60))
def test_texts(text):
    lives(lambda: sluice.resolve("\n" + text))
    lives(lambda: sluice.resolve(text))


@st.composite
def arrays(draw):
    """Any dtype, shape up to four axes, strides and content."""
    kind = draw(st.sampled_from(["f2", "f4", "f8", ">f4", ">f8", "g", "i1", "i8", "u8", "?", "c8", "O", "U3", "S2", "M8[s]", "V4", "f4,i4"]))
    shape = draw(st.lists(st.sampled_from([0, 1, 2, 10]), max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    array = rng.integers(0, 256, (*shape, max(np.dtype(kind).itemsize, 1)), dtype=np.uint8) if np.dtype(kind).kind not in "OU" else None
    array = np.zeros(shape, kind) if array is None or draw(st.booleans()) else array.view(kind).reshape(shape)
    if array.ndim and draw(st.booleans()):
        array = array[::-1]
    if draw(st.booleans()):
        array = array.T
    if array.ndim and draw(st.booleans()):
        array = np.broadcast_to(array, (2, *array.shape))
    return array


anything = arrays() | values


@FEW
@given(anything)
def test_responses(w):
    lives(lambda: sluice.response("gaussian", w, task__n=10))


@FEW
@given(anything, st.sampled_from(["auto", "ring", "torus", "image"]), st.none() | anything, st.none() | anything, st.none() | anything)
def test_probes(weights, layout, bias, step, inputs):
    lives(lambda: sluice.probe(weights, bias=bias, step=step, inputs=inputs, layout=layout))


@FEW
@given(anything)
def test_closed_forms(weights):
    lives(lambda: sluice.theory("response", task__n=10, weights=weights))


@FEW
@given(st.dictionaries(names | st.text(max_size=5), values, max_size=2))
def test_axes(over):
    def few():
        from sluice._spec import axes_of
        return axes_of(over)
    lives(few)


@FEW
@given(st.text(max_size=12), st.lists(st.integers(-5, 10**20), max_size=3))
def test_figures(name, units):
    lives(lambda: RUN.figure(name, units))
    lives(lambda: RUN.figure("evolution", units))


@FEW
@given(st.sampled_from(["svg", "pdf", "png", "gif", ""]), st.fixed_dictionaries({}, optional={
    "width": st.floats(), "height": st.floats(), "font": st.text(max_size=5), "font_size": st.floats(), "dpi": st.floats(max_value=300),
    "xlim": st.tuples(st.floats(), st.floats()), "ylim": st.tuples(st.floats(), st.floats()), "palette": st.text(max_size=5)}))
def test_styles(format, style):
    lives(lambda: RUN.figure("learning").render(format, **style))


@FEW
@given(anything, anything, st.fixed_dictionaries({}, optional={"layout": small, "shape": values, "target": small, "test": values, "seed": values}))
def test_data(x, y, given):
    data = lives(lambda: sluice.Data(x, y, **given))
    if data is not None:
        lives(lambda: sluice.run(SMALL, task=data, dynamics__steps=1, threads=1, progress=False))


@FEW
@given(st.fixed_dictionaries({}, optional={"parameter": st.sampled_from(["gain", "xi", "label", "pathway"]) | values, "range": values, "start": anything, "at": anything,
                                           "basins": values, "against": st.integers() | st.lists(st.none()), "response": values, "draws": values, "sets": values, "dilution": values,
                                           "step": values, "threads": values, "set": values}))
def test_branches(given):
    """Of a spec that is refused once all of these are understood, because a study takes a second."""
    lives(lambda: sluice.branch(SMALL, progress=False, **given))


@FEW
@given(values | st.sampled_from(["neural-race", "localization"]), st.none() | values | st.dictionaries(names, values, max_size=2), values)
def test_races(specs, over, threads):
    lives(lambda: sluice.race(specs, over, threads=threads, task__n=6, network__hidden=2, progress=False))


@FEW
@given(st.fixed_dictionaries({}, optional={"candidates": values, "samples": values, "against": st.integers() | st.lists(st.integers()), "threads": values, "set": values}))
def test_searches(given):
    lives(lambda: sluice.search(SMALL, **given))


@FEW
@given(st.integers() | st.dictionaries(st.text(), st.none()) | st.just(RUN) | st.lists(st.just(RUN) | st.none(), max_size=2), st.fixed_dictionaries({}, optional={"count": values, "at": anything, "samples": values, "threads": values}))
def test_frozen_and_reduced_runs(runs, given):
    lives(lambda: sluice.freeze(runs, **{"samples": 1000, "count": 2, **given}, progress=False))
    lives(lambda: sluice.reduce(runs, **{name: each for name, each in given.items() if name in ("samples", "threads")}, progress=False))
    lives(lambda: sluice.compare(runs))


elsewhere = values.map(lambda value: f"nowhere/{value}" if isinstance(value, str) else value)  # not the root of this machine


@FEW
@given(elsewhere, values, st.fixed_dictionaries({}, optional={"columns": values, "sort": values, "reverse": values, "reindex": values}))
def test_folders(folder, where, given):
    lives(lambda: sluice.runs(folder, where, **given))
    lives(lambda: sluice.watch(folder, where))
    lives(lambda: sluice.remove(folder))
    lives(lambda: sluice.keys(folder))
    lives(lambda: sluice.figure(folder, where, z=given.get("sort", "")))
    lives(lambda: sluice.figure(folder, "curve", where=where, x=given.get("sort", ""), runs=given.get("columns", ())))


@FEW
@given(st.fixed_dictionaries({}, optional={"set": values, "threads": values, "interrupt": values, "out": st.integers() | st.none()}))
def test_runs_that_go_on(given):
    lives(lambda: RUN.go_on(**given, progress=False))

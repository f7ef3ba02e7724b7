"""Studies: branches of fixed points, races and searches of gates, frozen gates, reduced networks. What the program prints as JSON, as arrays."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np

from . import _sluice
from ._figure import Figure, Page, Path
from ._folders import Runs, runs_of
from ._parts import Gates, Tasks, parts_of
from ._progress import Progress, listener_of
from ._run import Run
from ._spec import Spec, axes_of, integer_of, list_of, maybe, number_of, several_of, shown, source_of, unmasked, word_of
from ._table import table_from_csv

Keys = Optional[Mapping[str, Any]]


class Study(Mapping):
    """What a question was answered with: the members of the program's JSON, ``study["laps"]`` or ``study.laps``, lists of numbers as arrays.

    ``study.frame()`` is its table with all digits, ``study.figure()`` its picture, ``study.page()`` its page.
    """

    def __init__(self, study: _sluice.Study) -> None:
        self._study = study
        self.numbers: Any = study.numbers()

    def __getitem__(self, name: str) -> Any:
        if name not in self.numbers:
            raise KeyError(f"{shown(name)}: there are {', '.join(self.numbers)}")
        return self.numbers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "numbers" or name not in self.numbers:
            raise AttributeError(name)
        return self.numbers[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.numbers})

    def frame(self) -> Any:
        """A DataFrame where pandas is there, a structured array where it is not."""
        return table_from_csv(self._study.csv())

    def figure(self) -> Figure:
        return Figure(self._study.figure())

    def page(self, path: Optional[Path] = None, overwrite: bool = False) -> Page:
        """A page on its own; with ``path``, saved there, too."""
        page = Page(self._study.page())
        if path is not None:
            page.save(path, overwrite)
        return page

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        return f"<sluice.{type(self).__name__}>"


class Branches(Study):
    """Fixed points as a parameter changes. ``critical``, ``exchanges``, ``rows`` (at ``at``), ``barriers``, ``basins``: a dict each; ``curves`` the branches as arrays."""

    @property
    def curves(self) -> dict[str, dict[str, np.ndarray]]:
        """Of every branch, by its name ("site 2" where it is the second of this name): parameter, loss, fastest, growing, concentration [P], field [P, units, n]."""
        made: dict[str, dict[str, np.ndarray]] = {}
        seen: dict[str, int] = {}
        for branch in self.numbers["branches"]:
            points = branch["points"]
            curve = {name: np.array([point[name] for point in points]) for name in ("parameter", "loss", "fastest", "growing", "concentration")}
            curve["field"] = np.array([point["field"] for point in points]).reshape(len(points), self.numbers["units"], -1)
            name = branch["name"]
            seen[name] = seen.get(name, 0) + 1
            made[name if seen[name] == 1 else f"{name} {seen[name]}"] = curve
        return made

    def __repr__(self) -> str:
        return f"<sluice.Branches over {self.numbers['parameter']}: {', '.join(each['name'] for each in self.numbers['branches'])}>"


def _starts(start: Any) -> tuple[list[str], list[Any]]:
    """Shapes that are typed, and fields that are given."""
    each = [start] if isinstance(start, str) or hasattr(start, "dtype") else list_of(start, "start")
    if each and all(isinstance(value, (int, float)) for value in each):  # one field, as a list
        each = [each]
    return [word_of(one, "start") for one in each if isinstance(one, str)], [unmasked(one, "start") for one in each if not isinstance(one, str)]


def branch(spec: Spec = "single-unit", parameter: str = "gain", *, range: Optional[Sequence[float]] = None, start: Any = "flat",
           at: Union[float, Sequence[float]] = (), basins: int = 0, against: Optional[Runs] = None, response: str = "conditioned",
           draws: int = 1 << 14, sets: int = 8, dilution: float = 0.4, step: float = 0.15, threads: Optional[int] = None,
           progress: Progress = None, set: Keys = None, **keys: Any) -> Branches:
    """Follows the fixed points of one or two ReLU units as a parameter changes: where does the flat field lose?

    parameter  "gain", "xi" (of the first class), "label" (of the second class) or "pathway", from where to where by ``range``
    start      "flat", "mode:K", "site:I", "bond:I", of two units "A,B"; fields [n] or [2, n]; or a list of these
    at         values of the parameter at which all branches are tabulated; ``basins`` starts of the spec's network are followed to their ends there
    against    runs of trained units: from where on are half of them concentrated, or localized?

    >>> import sluice
    >>> study = sluice.branch(task__n=12, range=(0.5, 2), sets=2, draws=480, at=1.0, progress=False)
    >>> study.parameter, study.units, study.curves["flat"]["field"].shape[1:]
    ('gain', 1, (1, 12))
    >>> [row["branch"] for row in study.rows][:1]
    ['flat']
    """
    source, _ = source_of(spec, set, keys)
    texts, fields = _starts(start)
    ends = None
    if range is not None:
        ends = tuple(number_of(each, "range") for each in list_of(range, "range"))
        if len(ends) != 2:
            raise _sluice.InputError(f"range: expected two numbers, found {len(ends)}")
    trained = [] if against is None else runs_of(against)[0]
    values = several_of(number_of, at, "at")
    bar, listener = listener_of(progress, "branch")
    try:
        return Branches(_sluice.branch(source, word_of(parameter, "parameter"), ends, texts, fields, values, trained, word_of(response, "response"),
                                       integer_of(draws, "draws"), integer_of(sets, "sets"), number_of(dilution, "dilution"), number_of(step, "step"),
                                       integer_of(basins, "basins"), maybe(integer_of, threads, "threads"), listener))
    finally:
        bar.close()


class Race(Study):
    """Gating structures on one task, each solved exactly from w = 0: ``times`` [T], ``laps``, and ``losses`` [laps, T]."""

    @property
    def losses(self) -> np.ndarray:
        """L(t) of every entrant at ``times``."""
        return np.array([lap["loss"] for lap in self.numbers["laps"]])

    def __repr__(self) -> str:
        return f"<sluice.Race of {len(self.numbers['laps'])}>"


def race(specs: Union[Spec, Sequence[Spec]], over: Optional[Mapping[str, Any]] = None, *, task: Tasks = None, gate: Gates = None,
         threads: Optional[int] = None, progress: Progress = None, set: Keys = None, **keys: Any) -> Race:
    """Gated linear networks against each other: which learns fastest, which gets furthest? One spec or several, each at every value of ``over``, as ``sweep`` has it.

    >>> import sluice
    >>> race = sluice.race("neural-race", {"network.hidden": [2, 4]}, task__n=12, progress=False)
    >>> [lap["gates"] for lap in race.laps], race.losses.shape == (2, len(race.times))
    (['2', '4'], True)
    """
    changes, parts = parts_of(task, gate)
    each = list(specs) if isinstance(specs, (list, tuple)) else [specs]
    if not each:
        raise _sluice.InputError("specs: expected at least one")
    sources = [source_of(spec, set, keys, given=changes)[0] for spec in each]
    axes, typed = axes_of({} if over is None else over)
    team = maybe(integer_of, threads, "threads")
    bar, listener = listener_of(progress, "race")
    try:
        return Race(_sluice.race(sources, axes, typed, team, listener, parts))
    finally:
        bar.close()


class Search(Study):
    """Which half-spaces would K gated linear units want? ``structures`` (tilings, greedy, refined), ``chosen``, ``rounds``, ``agreements``, ``conclusions``, ``budget``."""

    def __init__(self, study: _sluice.Study) -> None:
        super().__init__(study)
        for structure in self.numbers["structures"]:
            structure["gates"] = structure["gates"].reshape(self.numbers["units"], self.numbers["inputs"])

    @property
    def gates(self) -> np.ndarray:
        """Those that were found and refined [K, n]."""
        return self.numbers["structures"][-1]["gates"]

    def __repr__(self) -> str:
        return f"<sluice.Search for {self.numbers['units']} gates of {self.numbers['inputs']} inputs>"


def search(spec: Spec, *, candidates: int = 600, samples: int = 40_000, against: Union[None, Path, Run] = None, task: Tasks = None,
           threads: Optional[int] = None, set: Keys = None, **keys: Any) -> Search:
    """Searches the half-space gates with the lowest limiting loss, for the task and ``network.hidden`` of a gated linear network.

    >>> import sluice
    >>> found = sluice.search("gated-pair", candidates=20, samples=1000, task__n=8, network__hidden=2)
    >>> found.gates.shape, [structure["name"] for structure in found.structures][-2:]
    ((2, 8), ['greedy', 'refined'])
    """
    changes, parts = parts_of(task)
    source, name = source_of(spec, set, keys, given=changes)
    trained = None
    if against is not None:
        held, more = runs_of(against)
        if len(held) != 1:
            raise _sluice.InputError(f"against: expected one run, found {len(held)}")
        trained, parts = held[0], parts + more
    return Search(_sluice.search(source, name, integer_of(candidates, "candidates"), integer_of(samples, "samples"), trained,
                                 maybe(integer_of, threads, "threads"), parts))


class _OfRuns(Study):
    """A dict for every run, in their order."""

    def __init__(self, study: _sluice.Study) -> None:
        super().__init__(study)
        self.numbers = {"runs": self.numbers}

    def __repr__(self) -> str:
        return f"<sluice.{type(self).__name__} of {len(self.numbers['runs'])} runs>"


class Frozen(_OfRuns):
    """From when on is a ReLU network a gated linear one? ``runs`` has a dict for each, ``freezes`` in it one for every step."""

    def column(self, name: str, run: int = 0) -> np.ndarray:
        """Of every step of a run: "step", "time", "error", "loss", "flips", or "solved.of_way", "replayed.of_end"."""
        first, *rest = word_of(name, "column").split(".")
        which, count = integer_of(run, "run"), len(self.numbers["runs"])
        if not -count <= which < count:
            raise _sluice.InputError(f"run = {which}: expected one of {count} runs, counted from 0")
        freezes = self.numbers["runs"][which]["freezes"]
        known = [f"{key}.{inner}" if isinstance(value, dict) else key for key, value in freezes[0].items()
                 for inner in (value if isinstance(value, dict) else [""])]
        if name not in known:
            raise _sluice.InputError(f"{name}: no such column; there are {', '.join(known)}")
        return np.array([each[first][rest[0]] if rest else each[first] for each in freezes])


def freeze(runs: Runs, *, count: int = 12, at: Union[int, Sequence[int]] = (), samples: int = 1 << 17, threads: Optional[int] = None,
           progress: Progress = None) -> Frozen:
    """Freezes the gates of ReLU runs at recorded steps, and solves or replays the rest: from when on is it a gated linear network?

    runs   a Run, a Sweep, the folder of one, or a list of these
    at     steps that were recorded; otherwise ``count`` of them, denser towards both ends

    >>> import sluice
    >>> run = sluice.run("frozen-gates", dynamics__steps=40, probe__every=20, network__hidden=3, task__n=8, progress=False)
    >>> frozen = sluice.freeze(run, samples=2000, progress=False)
    >>> frozen.column("step").tolist(), bool(frozen.column("solved.of_end")[-1] < 1e-6)
    ([0, 20, 40], True)
    """
    recorded, parts = runs_of(runs)
    steps = several_of(integer_of, at, "at")
    bar, listener = listener_of(progress, "freeze")
    try:
        return Frozen(_sluice.freeze(recorded, integer_of(count, "count"), steps, integer_of(samples, "samples"),
                                     maybe(integer_of, threads, "threads"), listener, parts))
    finally:
        bar.close()


class Reduced(_OfRuns):
    """How much of a network is two filters that tile the ring? ``runs`` has a dict for each: populations ``negative`` and ``positive``, ``models``."""


def reduce(runs: Runs, *, samples: int = 10_000, threads: Optional[int] = None, progress: Progress = None) -> Reduced:
    """Reduces networks of sigmoidal units with biases to two filters that tile the ring: how much is left? ``runs`` as of ``freeze``.

    >>> import sluice
    >>> run = sluice.run("populations", dynamics__steps=20, network__hidden=6, task__n=8, progress=False)
    >>> reduced = sluice.reduce(run, samples=500, progress=False)
    >>> reduced.runs[0]["models"][0]["model"], reduced.runs[0]["models"][0]["difference"]
    ('full', 0.0)
    """
    recorded, parts = runs_of(runs)
    bar, listener = listener_of(progress, "reduce")
    try:
        return Reduced(_sluice.reduce(recorded, integer_of(samples, "samples"), maybe(integer_of, threads, "threads"), listener, parts))
    finally:
        bar.close()

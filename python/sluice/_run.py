"""Runs: in memory, into a folder, back from one."""
from __future__ import annotations

import contextlib
import os
import pathlib
import tomllib
from typing import Any, Iterator, Mapping, Optional, Sequence

import numpy as np

from . import _sluice
from ._beside import data_beside
from ._errors import Interrupted, tell
from ._figure import Figure, Page, Path
from ._parts import Gates, Probes, Tasks, parts_of
from ._progress import Progress, listener_of
from ._spec import Spec, flag_of, folder_of, integer_of, list_of, maybe, path_of, place_of, shown, source_of, word_of
from ._table import table_from_csv

_ONE = ("return", "raise")


def run(spec: Spec, *, set: Optional[Mapping[str, Any]] = None, out: Optional[Path] = None, name: Optional[str] = None,
        threads: Optional[int] = None, device: str = "cpu", resume: bool = False, overwrite: bool = False, progress: Progress = None,
        interrupt: str = "return", task: Tasks = None, gate: Gates = None, probes: Probes = None, **keys: Any) -> "Run":
    """Runs an experiment, in memory or into the folder ``out`` as the program would.

    spec       a name of the catalog, a file, the text of a spec (TOML, more than one line), or a dict
    set, keys  what is changed in it: ``set={"task.gain": 3}`` and ``task__gain=3`` are the same
    threads    as many as can run at once; bits do not depend on it
    device     where networks are trained: "cpu", "gpu", "gpu:single"; deep ones also "gpu:tf32", "gpu:bfloat16"; numbers of a GPU differ from those of the CPU by rounding
    resume, overwrite   what to do with a folder that is there
    progress   None: a bar in a notebook and on a terminal; True, False, or a function of (done, of), called up to twenty times a second
    interrupt  what KeyboardInterrupt does: "return" what was measured (its status is "interrupted"), or "raise" Interrupted, which holds it
    task, gate, probes  functions of your own in place of those of the spec, and beside its probes: see Task, Gate and Probe

    >>> import sluice
    >>> mine = {"task": {"kind": "nlgp", "gain": 3.0}, "network": {"kind": "two-layer", "hidden": 8}, "dynamics": {"kind": "sgd", "steps": 10}}
    >>> run = sluice.run(mine, seed=7, probe__every=5)
    >>> run.spec["task"]["gain"], run.loss.shape, run.weights.flags.writeable
    (3.0, (3,), False)
    >>> sluice.run("localization", task__gain=-1)
    Traceback (most recent call last):
      ...
    sluice.InputError: set: task.gain = -1: expected a positive number
    """
    require_one(interrupt)
    folder, team, own_name = maybe(folder_of, out, "out"), maybe(integer_of, threads, "threads"), maybe(word_of, name, "name")
    place, again, over = word_of(device, "device"), flag_of(resume, "resume"), flag_of(overwrite, "overwrite")
    with source_with_parts(spec, set, keys, task, gate, probes, folder, again, over, place) as (source, called, parts):
        return _ran(source, own_name or called, team, place, folder, again, over, progress, interrupt, parts)


def require_one(interrupt: Any) -> None:
    """Of the two that there are."""
    if not isinstance(interrupt, str) or interrupt not in _ONE:
        raise _sluice.InputError(f'interrupt = {shown(interrupt)}: expected "return" or "raise"')


@contextlib.contextmanager
def source_with_parts(spec: Spec, set: Optional[Mapping[str, Any]], keys: Mapping[str, Any], task: Tasks, gate: Gates, probes: Probes,
                      folder: Optional[str], resume: bool, overwrite: bool, device: str) -> Iterator[tuple[_sluice.Source, str, list[Any]]]:
    """An experiment with parts of the caller's own, its name, and those parts. Arrays of a run that goes into a folder are written beside it, and stay if it begins."""
    kind = lambda given: tomllib.loads(_sluice.resolve(source_of(spec, set, keys, given=given)[0]))["network"]["kind"]
    changes, parts = parts_of(task, gate, probes, kind)
    source, called = source_of(spec, set, keys, given=changes)
    with data_beside(task, source, folder, resume, overwrite, device, parts) as written:
        if written:
            source, called = source_of(spec, set, keys, given=parts_of(task, gate, probes, kind)[0])
        yield source, called, parts


def _ran(source: _sluice.Source, name: str, team: Optional[int], device: str, folder: Optional[str], resume: bool, overwrite: bool,
         progress: Progress, interrupt: str, parts: list[Any]) -> "Run":
    bar, listener = listener_of(progress, name)
    try:
        recorded, remarks, interrupted = _sluice.run(source, name, team, device, folder, resume, overwrite,
                                                     listener, parts)
    finally:
        bar.close()
    made = Run(recorded, remarks, parts)
    tell(remarks)
    if interrupted:
        if interrupt == "raise":
            raise Interrupted(made)
        tell([f"{made.name}: stopped at step {made.step[-1]}; what was measured is returned"])
    return made


def _is_same(one: str, other: str) -> bool:
    """The same folder, also by a link to it."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return place_of(one) == place_of(other)


def flow(spec: Spec, *, operator: Optional[str] = None, pairs: Optional[str] = None, **keywords: Any) -> "Run":
    """The same experiment with its weights moved in expectation, dθ/dt = −∂L/∂θ, at the times t = rate × step of training.

    >>> import sluice
    >>> flow = sluice.flow("single-unit", operator="conditioned", dynamics__steps=100)
    >>> flow.spec["dynamics"]["kind"]
    'flow'
    """
    chosen = {"dynamics.kind": "flow"}
    if operator is not None:
        chosen["dynamics.operator"] = operator
    if pairs is not None:
        chosen["dynamics.pairs"] = pairs
    given = keywords.pop("set", None)
    return run(spec, set={**chosen, **(given or {})}, **keywords)


def load(folder: Path) -> Any:
    """The Run in a folder, or the Sweep; or weights in an npz file, as a Run without a spec."""
    path = path_of(folder, "folder")
    loaded = _sluice.load(path)
    if isinstance(loaded, list):
        from ._sweep import Sweep

        return Sweep(loaded, os.path.basename(place_of(path)))
    return Run(loaded)


class Run:
    """What a run is: its spec, its arrays, and the few numbers that it comes down to.

    Arrays are attributes and items, ``run.weights`` and ``run["weights"]``: views of the memory of the record, without a copy and read-only. A view keeps the
    record; ``run.axes`` names the axes.
    """

    def __init__(self, recorded: _sluice.Recorded, remarks: Sequence[str] = (), parts: Sequence[_sluice.Part] = ()) -> None:
        self._recorded = recorded
        self._parts = list(parts)  # probes that are measured later may need them
        self.remarks = list(remarks)

    name = property(lambda self: self._recorded.name)
    status = property(lambda self: self._recorded.status, doc='"finished", "diverged", "interrupted", "unfinished"')
    toml = property(lambda self: self._recorded.toml, doc="the resolved spec: running it again gives the same bits")
    summary = property(lambda self: self._recorded.summary, doc="the numbers of run.json: loss, accuracy, localized_share, …")
    device = property(lambda self: (self._recorded.device or "cpu") if self.toml and self.status != "unfinished" else None,
                      doc='where it was trained, as run.json has it: "cpu", "gpu", …; None where nobody knows: of weights, or of a run without an end')
    seconds = property(lambda self: self._recorded.seconds, doc="wall-clock time")
    axes = property(lambda self: self._recorded.axes, doc="of every array: step, unit, site, …")
    reproducible = property(lambda self: not self._recorded.functions, doc="False where parts of it were functions: its spec alone does not repeat it")
    functions = property(lambda self: self._recorded.functions, doc="of these parts the SHA-256 of their sources")
    settings = property(lambda self: dict(self._recorded.settings), doc="of a run of a sweep: what sets it apart")

    @property
    def spec(self) -> dict[str, Any]:
        """The resolved spec, every key of it."""
        return tomllib.loads(self.toml)

    @property
    def folder(self) -> Optional[pathlib.Path]:
        """Where it lies; None in memory."""
        return pathlib.Path(self._recorded.folder) if self._recorded.folder else None

    def keys(self) -> list[str]:
        return self._recorded.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __getitem__(self, name: str) -> np.ndarray:
        if not isinstance(name, str) or name not in self.keys():
            raise KeyError(f"{shown(name)}: no such array; there are {', '.join(self.keys())}")
        return self._recorded.array(name)

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in self.keys():
            raise AttributeError(f"{name}: no such array; there are {', '.join(self.keys())}" if not name.startswith("_") else name)
        return self._recorded.array(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.keys()})

    def frame(self) -> Any:
        """metrics.csv, a row per probe time: a DataFrame where pandas is there, a structured array where it is not."""
        if not self.toml:
            raise _sluice.InputError(f"{self.name}: weights without a spec; expected a run, which has metrics")
        return table_from_csv(self._recorded.metrics())

    @property
    def figures(self) -> list[str]:
        """Names of those that can be drawn of it."""
        return self._recorded.figures()

    def figure(self, name: str, units: Sequence[int] = ()) -> Figure:
        return Figure(self._recorded.figure(word_of(name, "figure"), [integer_of(unit, "units") for unit in list_of(units, "units")]))

    def page(self, path: Optional[Path] = None, overwrite: bool = False) -> Page:
        """The interactive page; with ``path``, saved there, too."""
        page = Page(self._recorded.page("" if path is None else path_of(path, "page")))
        if path is not None:
            page.save(path, overwrite)
        return page

    def probe(self, *names: str, threads: Optional[int] = None) -> dict[str, np.ndarray]:
        """What probes see of it now: those named, or all that can be measured."""
        return _sluice.measure(self._recorded, [word_of(name, "probe") for name in names], "", None, maybe(integer_of, threads, "threads"))

    def go_on(self, *, set: Optional[Mapping[str, Any]] = None, out: Optional[Path] = None, name: Optional[str] = None,
              threads: Optional[int] = None, device: str = "cpu", resume: bool = False, overwrite: bool = False,
              progress: Progress = None, interrupt: str = "return", **keys: Any) -> "Run":
        """A run from where this one, in a folder, ended: ``run.go_on(dynamics__steps=10_000)``. Weights, what the optimiser remembers and the step are taken over;
        what is set counts from there on, and more steps with nothing else changed come to the bits of a run that never ended. It may go on elsewhere: ``device="gpu"``."""
        require_one(interrupt)
        if self.folder is None or not self.toml:
            raise _sluice.InputError(f"{self.name}: expected a run in a folder (out=…), where its end is kept")
        folder, team, own_name = maybe(folder_of, out, "out"), maybe(integer_of, threads, "threads"), maybe(word_of, name, "name")
        again, over = flag_of(resume, "resume"), flag_of(overwrite, "overwrite")
        begun = place_of(str(self.folder))
        if folder is not None and _is_same(folder, begun):
            raise _sluice.InputError(f"out = {shown(folder)}: expected another folder than that of the run that goes on")
        if "start__run" in keys or (isinstance(set, Mapping) and "start.run" in set):
            raise _sluice.InputError("start.run: expected none: it is the run that goes on")
        source, called = source_of(os.path.join(begun, "spec.toml"), set, {**keys, "start.run": begun})
        return _ran(source, own_name or f"{called}-continued", team, word_of(device, "device"), folder, again, over, progress, interrupt,
                    self._parts)

    def _repr_html_(self) -> Optional[str]:
        return self.page()._repr_html_() if self.toml else None  # weights without a spec have no page

    def __repr__(self) -> str:
        numbers = (f"{key} {self.summary[key]:.4g}" for key in ("loss", "accuracy") if self.summary.get(key) is not None)
        return f"<sluice.Run {', '.join(filter(None, (self.name, self.status, *numbers)))}>"

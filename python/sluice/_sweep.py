"""Sweeps: the same experiment at many values of its keys."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _sluice
from ._errors import Interrupted, tell
from ._figure import Figure, Page, Path
from ._parts import Gates, Probes, Tasks
from ._progress import Progress, listener_of
from ._run import Run, require_one, source_with_parts
from ._spec import Spec, axes_of, flag_of, folder_of, integer_of, list_of, maybe, word_of
from ._table import number_or_text, table_of


def sweep(spec: Spec, over: Optional[Mapping[str, Any]] = None, *, set: Optional[Mapping[str, Any]] = None, out: Optional[Path] = None,
          threads: Optional[int] = None, device: str = "cpu", resume: bool = False, overwrite: bool = False, progress: Progress = None,
          interrupt: str = "return", task: Tasks = None, gate: Gates = None, probes: Probes = None, **keys: Any) -> "Sweep":
    """Runs an experiment at every combination of some values, in memory or into the folder ``out``. Threads own whole runs.

    ``over`` has a list of values for each key, or a text as the program takes it: "1..5", "lin(0, 1, 5)", "log(0.01, 100, 9)". The other arguments are those of ``run``;
    threads share a device, as many runs at once.

    >>> import sluice
    >>> sweep = sluice.sweep("localization", {"task.gain": [0.01, 3], "seed": "1..2"}, dynamics__steps=20)
    >>> len(sweep), sweep[-1].settings
    (4, {'gain': '3', 'seed': '2'})
    >>> sweep.column("gain")
    [0.01, 0.01, 3, 3]
    """
    require_one(interrupt)
    axes, typed = axes_of({} if over is None else over)
    folder, team = maybe(folder_of, out, "out"), maybe(integer_of, threads, "threads")
    place, again, over_it = word_of(device, "device"), flag_of(resume, "resume"), flag_of(overwrite, "overwrite")
    with source_with_parts(spec, set, keys, task, gate, probes, folder, again, over_it, place) as (source, name, parts):
        bar, listener = listener_of(progress, name)
        try:
            runs, failures, remarks, interrupted = _sluice.sweep(source, axes, typed, team, place, folder, again, over_it, listener, parts)
        finally:
            bar.close()
    made = Sweep(runs, name, failures, parts)
    tell(remarks)
    tell(f"{label}: failed: {reason}" for label, reason in failures.items())
    if interrupted:
        if interrupt == "raise":
            raise Interrupted(made)
        tell([f"{name}: stopped; the {len(made)} runs that were begun are returned"])
    return made


def columns_of(x: str = "", y: str = "", z: str = "", bars: str = "se", log: str = "auto",
               boundary: Union[str, Sequence[str]] = ()) -> tuple[str, str, str, str, str, list[str]]:
    """What a figure over columns shows."""
    lines = [boundary] if isinstance(boundary, str) else list_of(boundary, "boundary")
    named = {"x": x, "y": y, "z": z, "bars": bars, "log": log}
    return (*(word_of(word, name) for name, word in named.items()), [word_of(line, "boundary") for line in lines])


class Sweep(Sequence[Run]):
    """The runs of a sweep, in its order."""

    def __init__(self, runs: list[_sluice.Recorded], name: str, failures: Optional[Mapping[str, str]] = None,
                 parts: Sequence[_sluice.Part] = ()) -> None:
        self._recorded = runs
        self._parts = list(parts)
        self.name = name
        self.failures = dict(failures or {})

    def __len__(self) -> int:
        return len(self._recorded)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Sweep(self._recorded[index], self.name, self.failures, self._parts)
        return Run(self._recorded[index], parts=self._parts)

    def __iter__(self) -> Iterator[Run]:
        return (Run(each, parts=self._parts) for each in self._recorded)

    @property
    def runs(self) -> list[Run]:
        return list(self)

    def column(self, name: str) -> list[Any]:
        """A setting of every run, "gain", or a number of its summary, "loss"; None where it has none."""
        word_of(name, "column")
        settings = [dict(each.settings) for each in self._recorded]
        if any(name in each for each in settings):
            return [number_or_text(each[name]) if name in each else None for each in settings]
        summaries = [each.summary for each in self._recorded]
        if not any(name in each for each in summaries):
            known = [*(settings[0] if settings else ()), *(summaries[0] if summaries else ())]
            raise _sluice.InputError(f"{name}: no such column; there are {', '.join(known)}")
        return [each.get(name) for each in summaries]

    def frame(self) -> Any:
        """A row per run: what sets it apart, its status, its numbers. A DataFrame where pandas is there, a structured array where it is not."""
        settings = {name: None for each in self._recorded for name, _ in each.settings}
        numbers = {name: None for each in self._recorded for name in each.summary}
        columns = {name: self.column(name) for name in settings}
        columns["status"] = [each.status for each in self._recorded]
        for name in numbers:
            columns[name] = [float("nan") if value is None else value for value in self.column(name)]
        return table_of(columns)

    def curve(self, x: str = "", y: str = "", *, bars: str = "se", log: str = "auto", boundary: Union[str, Sequence[str]] = ()) -> Figure:
        """A number at the end against a key, mean over seeds with bars: "se", "sd", "range", "none". ``log``: "auto", "x", "y", "xy", "none". ``boundary``: theory's,
        "flat" or "bump", over task.gain."""
        return Figure(_sluice.sweep_figure(self._recorded, "curve", [], columns_of(x, y, bars=bars, log=log, boundary=boundary)))

    def phase_diagram(self, x: str = "", y: str = "", z: str = "", *, boundary: Union[str, Sequence[str]] = ()) -> Figure:
        """A number in cells over two keys, means of the runs in each; without names the keys that differ, and three numbers."""
        return Figure(_sluice.sweep_figure(self._recorded, "phase_diagram", [], columns_of(x, y, z, boundary=boundary)))

    @property
    def figures(self) -> list[str]:
        return _sluice.sweep_figures(self._recorded)

    def figure(self, name: str, units: Sequence[int] = ()) -> Figure:
        return Figure(_sluice.sweep_figure(self._recorded, word_of(name, "figure"), [integer_of(unit, "units") for unit in list_of(units, "units")], columns_of()))

    def page(self, path: Optional[Path] = None, overwrite: bool = False) -> Page:
        page = Page(_sluice.sweep_page(self.name, self._recorded))
        if path is not None:
            page.save(path, overwrite)
        return page

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        return f"<sluice.Sweep {self.name}, {len(self)} runs{f', {len(self.failures)} failed' if self.failures else ''}>"

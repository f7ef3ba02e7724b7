"""Folders of runs: listed and filtered, read side by side, watched while they are at work, removed."""
from __future__ import annotations

import atexit
import os
from typing import Any, Optional, Sequence, Union

from . import _sluice
from ._errors import tell
from ._figure import Figure, Path
from ._run import Run
from ._spec import flag_of, folder_of, integer_of, list_of, path_of, several_of, shown, text_of, word_of
from ._sweep import Sweep, columns_of
from ._table import table_of

_One = Union[Run, Sweep, Path]
Runs = Union[_One, Sequence[_One]]


def runs_of(runs: Any) -> tuple[list[_sluice.Recorded], list[Any]]:
    """Of a Run, a Sweep, the folder of one, or several of these: their records, told apart where they come from several places, and their parts."""
    each = [runs] if isinstance(runs, (Run, Sweep, str, os.PathLike)) else list_of(runs, "runs")
    recorded, parts = [], []
    for one in each:
        if isinstance(one, Run):
            recorded.append(one._recorded)
            parts += one._parts
        elif isinstance(one, Sweep):
            recorded += one._recorded
            parts += one._parts
        else:
            recorded += _sluice.read_all([path_of(one, "runs")])
    return (_sluice.told_apart(recorded) if len(each) > 1 else recorded), parts


def compare(*runs: _One) -> Sweep:
    """Runs and sweeps, in memory or in folders, side by side: a Sweep whose settings are the keys in which they differ.

    >>> import sluice
    >>> one, two = (sluice.run("localization", dynamics__steps=5, task__gain=gain, progress=False) for gain in (0.1, 3))
    >>> both = sluice.compare(one, two)
    >>> [run.settings for run in both], "comparison" in both.figures
    ([{'gain': '0.1'}, {'gain': '3'}], True)
    """
    recorded, parts = runs_of(list(runs))
    if not recorded:
        raise _sluice.InputError("compare: expected at least one run")
    return Sweep(recorded, "comparison", parts=parts)


def runs(folder: Path = "runs", where: str = "", *, columns: Sequence[str] = (), sort: str = "", reverse: bool = False,
         reindex: bool = False) -> Any:
    """The runs below a folder, however deep, as a table: a row for each, by path; every column, or those asked for.

    where    a filter: "gain > 1 and (localized > 0.2 or status = diverged)"; = != < <= > >=, and, or, not, brackets
    columns  keys of the specs (task.gain, or gain where no other key ends so), numbers of run.json (loss, localized_share, or localized), or path (below
             ``folder``), name, status, version, fingerprint, ended, seconds
    sort     by this column, ``reverse`` the largest first
    reindex  reads every run again, whatever the index says

    >>> import sluice, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sweep = sluice.sweep("localization", {"task.gain": [0.1, 3]}, dynamics__steps=5, out=f"{folder}/s", progress=False)
    ...     table = sluice.runs(folder, "gain > 1", columns=["path", "gain", "status"])
    >>> [table[name][0] for name in ("path", "task.gain", "status")]
    ['s/gain=3', 3.0, 'finished']
    """
    found, remarks = _sluice.runs(path_of(folder, "folder"), text_of(where, "where"), [word_of(each, "columns") for each in list_of(columns, "columns")],
                                  word_of(sort, "sort"), flag_of(reverse, "reverse"), flag_of(reindex, "reindex"))
    tell(remarks)
    return table_of(found)


def figure(folders: Union[Path, Sequence[Path]], name: str, *, where: str = "", x: str = "", y: str = "", z: str = "", bars: str = "se",
           log: str = "auto", boundary: Union[str, Sequence[str]] = (), runs: Sequence[str] = (), units: Sequence[int] = ()) -> Figure:
    """A figure of a folder: of a run, of a sweep or of any runs below it; or of several, side by side. ``sluice.choices()["figure"]`` names them.

    where, x, y, z, bars, log, boundary   of "curve" and "phase_diagram", over the columns of ``sluice.runs``: see Sweep.curve and Sweep.phase_diagram
    runs     which runs of a sweep: names of their folders, * and ? as in a shell
    units    which of them, where a figure shows some

    >>> import sluice, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sweep = sluice.sweep("localization", {"task.gain": [0.1, 3], "seed": "1..2"}, dynamics__steps=5, out=f"{folder}/s", progress=False)
    ...     drawn = sluice.figure(folder, "curve", where="gain > 0.01", x="task.gain", y="loss")
    >>> drawn.name
    'curve'
    """
    over = {"where": where, "x": x, "y": y, "z": z, "boundary": boundary}
    empty = lambda value: isinstance(value, (str, tuple)) and not value
    if word_of(name, "name") not in ("curve", "phase_diagram") and (given := [key for key, value in over.items() if not empty(value)]):
        raise _sluice.InputError(f"{given[0]}: of the figures curve and phase_diagram, not of {shown(name)}")
    places = [folders] if isinstance(folders, (str, os.PathLike)) else list_of(folders, "folders")
    return Figure(_sluice.figure([path_of(place, "folders") for place in places], name, several_of(integer_of, units, "units"),
                                 columns_of(x, y, z, bars, log, boundary), several_of(word_of, list_of(runs, "runs"), "runs"), text_of(where, "where")))


def remove(*folders: Path, yes: bool = False) -> list[dict[str, Any]]:
    """Removes runs and sweeps: what sluice wrote, where nothing else is and nobody is at work; all of them, or none.

    Without ``yes=True`` nothing is removed. A dict for each folder either way: folder, files, bytes, removed.

    >>> import os, sluice, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = sluice.run("localization", dynamics__steps=5, out=f"{folder}/a", progress=False)
    ...     there = sluice.remove(run.folder)[0]["removed"], os.path.exists(run.folder)
    ...     there, (sluice.remove(run.folder, yes=True)[0]["removed"], os.path.exists(run.folder))
    ((False, True), (True, False))
    """
    return _sluice.remove([folder_of(folder, "folder") for folder in folders], flag_of(yes, "yes"))


class Watch:
    """A page that is served until ``close()``, or the end of a with-block, or of Python: ``watch.url`` for a browser on this machine."""

    def __init__(self, watching: _sluice.Watching, folder: str) -> None:
        self._watching, self.folder = watching, folder
        atexit.register(self.close)

    url = property(lambda self: self._watching.address, doc="the address, with a random word in it: who does not know it sees nothing")
    closed = property(lambda self: self._watching.closed)
    problem = property(lambda self: self._watching.problem or None, doc="why a page could not be made, or None")

    def close(self) -> None:
        """Ends it; the run goes on."""
        self._watching.close()
        atexit.unregister(self.close)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _repr_html_(self) -> Optional[str]:
        return None if self.closed else f'<iframe src="{self.url}" style="width:100%;height:720px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<sluice.Watch of {self.folder}, {'closed' if self.closed else self.url}>"


def watch(folder: Path, port: int = 0) -> Watch:
    """Serves the page of a run or sweep while it is at work, here or in another process, on the loopback; port 0 is one that is free.

    >>> import sluice, tempfile, urllib.request
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = sluice.run("localization", dynamics__steps=5, out=f"{folder}/a", progress=False)
    ...     with sluice.watch(run.folder) as watch:
    ...         page = urllib.request.urlopen(watch.url).read().decode()
    >>> "<html" in page, watch.closed
    (True, True)
    """
    place = folder_of(folder, "folder")
    return Watch(_sluice.Watching(place, integer_of(port, "port")), place)


def data_sets(verify: bool = False) -> list[dict[str, Any]]:
    """Data sets that can be fetched, a dict each: name, folder, files, present (how many of them are there); with ``verify``, problems, one line each.

    >>> import sluice
    >>> [each["name"] for each in sluice.data_sets()]
    ['mnist', 'cifar10']
    """
    return _sluice.data_sets(flag_of(verify, "verify"))

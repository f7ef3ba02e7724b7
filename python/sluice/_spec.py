"""Specs as Python has them: a name of the catalog, a file, the text of one, or a dict; and keys that are set beside them."""
from __future__ import annotations

import itertools
import json
import math
import operator
import os
import pathlib
import re
from collections.abc import Mapping
from typing import Any, Callable, Iterator, Optional, Sequence, Union

import numpy as np

from ._sluice import InputError, IoError, Source

Spec = Union[str, "os.PathLike[str]", Mapping[str, Any]]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KEY = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_MOST_POINTS = 100_000  # of a grid
_MOST_VALUES = 1_048_576  # of a list: as many as the sites that a task may have
_DEEPEST = 100  # lists and dicts in each other, as in a file


def shown(value: Any) -> str:
    """As Python writes it, in ASCII. It writes no integers of thousands of digits, and nothing that is too deep."""
    try:
        return ascii(value)
    except (ValueError, RecursionError):
        return f"an integer of {value.bit_length()} bits" if isinstance(value, int) else type(value).__name__


def text_of(text: Any, what: str) -> str:
    """Text that can be written as UTF-8."""
    if not isinstance(text, str):
        raise InputError(f"{what}: expected a text, found {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what}: expected text that can be written as UTF-8, found {shown(text)}") from None
    return text


def word_of(text: Any, what: str) -> str:
    """A name: text on one line."""
    if _CONTROL.search(text_of(text, what)):
        raise InputError(f"{what}: expected a name, found {shown(text)}")
    return text


def path_of(path: Any, what: str) -> str:
    """The name of a file or folder."""
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"{what}: expected a path, found {type(path).__name__}")
    name = word_of(os.fspath(path), what)
    if not name:
        raise InputError(f"{what}: expected a path, found an empty text")
    return name


def normal_path(name: str) -> str:
    """The same place without what is doubled, ``.`` and ``..``. Where a link leads is its own affair: ``link/..`` stays."""
    made = pathlib.PurePath()
    for part in pathlib.PurePath(name).parts:  # without "." already
        if part != ".." or not made.parts or made.name == ".." or os.path.islink(made):
            made /= part
        else:
            made = made.parent  # of the root it is the root
    return str(made)


def place_of(name: str) -> str:
    """From the root on: it stays where it is when the current folder changes."""
    try:
        return normal_path(name if os.path.isabs(name) else os.path.join(os.getcwd(), name))
    except FileNotFoundError:
        raise IoError(f"{name}: the current folder was removed; expected a path from the root on") from None


def folder_of(path: Any, what: str) -> str:
    """``runs/x/`` is ``runs/x``."""
    return normal_path(path_of(path, what))


def integer_of(value: Any, what: str) -> int:
    try:
        integer = operator.index(value)
    except TypeError:
        raise InputError(f"{what}: expected an integer, found {type(value).__name__}") from None
    if not -(2**63) <= integer < 2**63:
        raise InputError(f"{what} = {shown(integer)}: expected an integer of 64 bits")
    return integer


def number_of(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: expected a number, found {type(value).__name__}") from None


def flag_of(value: Any, what: str) -> bool:
    """Texts are true to Python, "False" too."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what}: expected True or False, found {type(value).__name__}")
    return bool(value)


def unmasked(values: Any, what: str) -> Any:
    """What is hidden by a mask would be seen without it, as it lies below."""
    if np.ma.is_masked(values):
        raise InputError(f"{what}: expected an array without a mask, found one that hides {np.ma.count_masked(values)} of its values")
    return values


def list_of(values: Any, what: str) -> list[Any]:
    """Of anything that can be gone through and has an end; a text is no list of its letters."""
    try:
        each = None if isinstance(values, (str, bytes, Mapping)) else list(itertools.islice(values, _MOST_VALUES + 1))
    except TypeError:
        each = None
    if each is None:
        raise InputError(f"{what}: expected a list, found {type(values).__name__}")
    if len(each) > _MOST_VALUES:
        raise InputError(f"{what}: expected a list of at most {_MOST_VALUES} values")
    return each


def several_of(of: Callable[[Any, str], Any], values: Any, what: str) -> list[Any]:
    """One, or a list of them."""
    return [of(each, what) for each in (list_of(values, what) if hasattr(values, "__iter__") else [values])]


def maybe(of: Callable[[Any, str], Any], value: Any, what: str) -> Any:
    """None stays None."""
    return None if value is None else of(value, what)


def _require_flat(depth: int, key: str) -> None:
    """What holds itself has no end."""
    if depth > _DEEPEST:
        section_and_key = ".".join(key.split(".")[:2])
        raise InputError(f"{section_and_key}: expected at most {_DEEPEST} lists and dicts in each other")


def toml_of(value: Any, key: str, depth: int = 0, counted: Optional[Iterator[int]] = None) -> str:
    """A value as TOML has it. ``counted``: values so far, in all lists that it holds."""
    _require_flat(depth, key)
    counted = itertools.count() if counted is None else counted
    if next(counted) > _MOST_VALUES or (hasattr(value, "tolist") and np.size(value) > _MOST_VALUES):
        raise InputError(f"{key}: expected a list of at most {_MOST_VALUES} values")
    if hasattr(value, "tolist"):  # scalars and arrays of NumPy
        value = unmasked(value, key).tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InputError(f"{key} = {shown(value)}: expected an integer of 64 bits")
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return json.dumps(text_of(value, key), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_name(name, key)} = {toml_of(each, f'{key}.{name}', depth + 1, counted)}" for name, each in value.items()) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(toml_of(each, key, depth + 1, counted) for each in value) + "]"
    raise InputError(f"{key}: expected a number, a text, True, False, a list or a dict, found {type(value).__name__}")


def _name(name: Any, within: str) -> str:
    if not isinstance(name, str):
        raise InputError(f"{within}: expected names of keys as text, found {type(name).__name__}")
    return name if _BARE.fullmatch(name) else toml_of(name, within)


def _key(key: Any) -> str:
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InputError(f"{shown(key)}: expected a key, for example task.gain")
    return key


def _leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    _require_flat(path.count("."), path)
    for name, value in table.items():
        key = _key(path + name if isinstance(name, str) else name)
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, key + ".")
        else:
            yield key, value


def assignments_of(keys: Optional[Mapping[str, Any]], overrides: Mapping[str, Any]) -> list[str]:
    """``set={"task.gain": 3}`` and ``task__gain=3`` alike, as ``task.gain=3``."""
    if keys is not None and not isinstance(keys, Mapping):
        raise InputError(f"set: expected a dict of keys, found {type(keys).__name__}")
    both = {**(keys or {}), **{name.replace("__", "."): value for name, value in overrides.items()}}
    return [f"{key}={toml_of(value, key)}" for key, value in _leaves(both)]


def source_of(spec: Spec, keys: Optional[Mapping[str, Any]], overrides: Mapping[str, Any], kinds_too: bool = False,
              given: Sequence[str] = ()) -> tuple[Source, str]:
    """Where an experiment comes from, and a short name for it. ``given``: what parts of the caller's own change in it, before keys do."""
    changes = [*given, *assignments_of(keys, overrides)]
    if isinstance(spec, Mapping):
        own = [f"{key}={toml_of(value, key)}" for key, value in _leaves(spec)]
        return Source("spec", "", own + changes, "spec", kinds_too), "spec"
    if not isinstance(spec, (str, os.PathLike)):
        raise InputError(f"spec: expected a name of the catalog, a file, the text of one or a dict, found {type(spec).__name__}")
    if isinstance(spec, str) and "\n" in spec:
        return Source("spec", text_of(spec, "spec"), changes, "set", kinds_too), "spec"
    name = path_of(spec, "spec")
    stem, last = os.path.splitext(os.path.basename(name))[0], os.path.basename(name)
    called = os.path.basename(os.path.dirname(place_of(name))) if last == "spec.toml" else stem
    return Source(name, None, changes, "set", kinds_too), called or name


def axis_value(value: Any, key: str) -> str:
    """A value of an axis as it is typed, because it names a folder: 3 and not 3.0, relu and not "relu"."""
    if isinstance(value, str) and _WORD.fullmatch(value) and value not in ("true", "false", "inf", "nan"):
        return value
    text = toml_of(value, key)
    return text[:-2] if re.fullmatch(r"-?\d+\.0", text) else text


def axes_of(over: Any) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Axes of values, and those that are typed: ``{"seed": "1..5"}``, ``"log(0.01, 100, 9)"``."""
    if not isinstance(over, Mapping):
        raise InputError(f"over: expected a dict of keys and their values, found {type(over).__name__}")
    axes, typed = [], []
    for key, values in over.items():
        key = _key(key.replace("__", ".") if isinstance(key, str) else key)
        if isinstance(values, str):
            typed.append(f"{key}={word_of(values, key)}")
            continue
        try:
            each = list(itertools.islice(values, _MOST_POINTS + 1))  # there may be no end of them
        except TypeError:
            raise InputError(f"{key}: expected a list of values, or a text as 1..5, found {type(values).__name__}") from None
        if len(each) > _MOST_POINTS:
            raise InputError(f"{key}: expected at most {_MOST_POINTS} points in all")
        if not each:
            raise InputError(f"{key}: expected at least one value")
        axes.append((key, [axis_value(value, key) for value in each]))
    return axes, typed

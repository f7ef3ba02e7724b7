"""What a function is known by: the SHA-256 of its source and of the values it was made with.

Hashed are the text of the source (of a lambda, and where there is no text, the byte code with its constants), the defaults of its arguments, and the values of the
variables that it takes from around it: numbers, texts, arrays, lists and dicts of them by value, functions and classes of the same module by their sources, modules by
name. Of other objects only the type is known.
"""
from __future__ import annotations

import functools
import hashlib
import inspect
import textwrap
import types
from collections.abc import Mapping
from typing import Any, Callable, Iterator, Optional, Sequence

import numpy as np

from ._sluice import InputError

_PLAIN = (type(None), bool, int, float, complex, str, bytes)


_MOST_AGAIN = 10_000  # times that something is said again
_MOST_SHARED = 1 << 30  # bytes of arrays that are repeated without a copy, or said again
_DEEPEST = 400


class _TooMuch(Exception):
    """To be said over and over."""


class _Said:
    """What was said so far. It is kept: another object may have its place in memory otherwise."""

    def __init__(self, once: bool, of_sets: Optional[dict[int, bytes]] = None) -> None:
        self.once = once
        self.of_sets: dict[int, bytes] = {} if of_sets is None else of_sets  # what is in them, each said as if it were the first
        self.number: dict[int, int] = {}
        self.kept: list[Any] = []
        self.again = self.bytes = 0

    def hears(self, value: Any, depth: int) -> bool:
        """Whether it is said now: in full as often as it is met, or once."""
        first = id(value) not in self.number
        if first:
            self.number[id(value)] = len(self.kept)
            self.kept.append(value)
        else:
            self.again += 1
            self.bytes += getattr(value, "nbytes", 0) if isinstance(value, np.ndarray) else 0
        if not self.once and (self.again > _MOST_AGAIN or self.bytes > _MOST_SHARED or depth > _DEEPEST):
            raise _TooMuch
        return first or not self.once


def mark_of(function: Callable[..., Any], *settings: Any) -> str:
    """64 hexadecimal digits. What would be said thousands of times over is said once, and referred to by number: all others keep the mark that their folders hold."""
    for once in (False, True):
        digest = hashlib.sha256(b"once" if once else b"")
        try:
            for each in _pieces((function, *settings), _Said(once)):
                digest.update(len(each).to_bytes(8, "little") + each)
            return digest.hexdigest()
        except _TooMuch:
            continue
        except RecursionError:
            raise InputError("source: expected fewer sets in each other") from None
    raise AssertionError("what is said once has an end")


def _pieces(value: Any, said: _Said, around: Sequence[int] = ()) -> Iterator[bytes]:
    """Those of a value. Generators of what is within it are on a list, not in each other: it may be deep. ``around``: what is being said already."""
    within = list(around)
    open_now: list[Iterator[Any]] = [_said(value, within, said)]
    while open_now:
        each = next(open_now[-1], None)
        if each is None:
            open_now.pop()
        elif isinstance(each, bytes):
            yield each
        else:
            open_now.append(_said(each.value, within, said))


class _Inner:
    """To be said next."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _said(value: Any, within: list[int], said: _Said) -> Iterator[Any]:
    """The value as bytes, and what is within it. ``within``: what is being said already, for functions that call each other."""
    if not said.once and id(value) in within:
        yield b"again %d" % within.index(id(value))
        return
    if isinstance(value, _PLAIN):
        yield _repr(value)
        return
    if not said.hears(value, len(within)):
        yield b"said %d" % said.number[id(value)]
        return
    within.append(id(value))
    yield type(value).__qualname__.encode()
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        yield from (repr((value.dtype.str, value.shape)).encode(), _bytes_of(value))
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield _Inner(each)
    elif isinstance(value, (set, frozenset)):
        yield from sorted(_in_set(each, within, said) for each in value)
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield _Inner(pair)
    elif isinstance(value, functools.partial):
        yield _Inner((value.func, value.args, value.keywords))
    elif isinstance(value, types.MethodType):
        yield _Inner((value.__func__, value.__self__))
    elif isinstance(value, types.FunctionType):
        yield from _text(value)
        yield _Inner((value.__defaults__, value.__kwdefaults__, _around(value)))
    elif isinstance(value, type):
        yield from _text(value)
    elif isinstance(value, (types.ModuleType, types.BuiltinFunctionType, np.ufunc)):
        yield value.__name__.encode()
    elif callable(value) and hasattr(value, "__dict__"):
        yield _Inner((type(value), vars(value)))
    within.pop()


def _in_set(value: Any, within: Sequence[int], said: _Said) -> bytes:
    """As one piece. A set has no order before it is sorted, so that nothing in it can be referred to by number."""
    if not said.once:
        return b"".join(_pieces(value, said, within))
    if id(value) not in said.of_sets:
        said.kept.append(value)
        said.of_sets[id(value)] = b"".join(_pieces(value, _Said(True, said.of_sets)))
    return said.of_sets[id(value)]


def _bytes_of(array: Any) -> bytes:
    """All of them, also of an array that is repeated without a copy, unless that is beyond all measure."""
    repeated = any(stride == 0 and size > 1 for stride, size in zip(getattr(array, "strides", ()), array.shape))
    if repeated and array.nbytes > _MOST_SHARED:
        raise InputError(f"source: array {list(array.shape)} that a function takes from around it: {array.nbytes} bytes, expected at most {_MOST_SHARED}")
    return array.tobytes()


def _repr(value: Any) -> bytes:
    try:
        return repr(value).encode("utf-8", "surrogatepass")
    except ValueError:  # of thousands of digits Python writes hexadecimal ones alone
        return hex(value).encode() if isinstance(value, int) else type(value).__qualname__.encode()


def _text(value: Any) -> Iterator[bytes]:
    try:
        if getattr(value, "__name__", "") != "<lambda>":  # several may stand on one line
            yield textwrap.dedent(inspect.getsource(value)).encode("utf-8", "surrogatepass")
            return
    except (OSError, TypeError):
        pass
    if isinstance(value, types.FunctionType):
        yield from _code(value.__code__)
    else:
        yield value.__qualname__.encode()


def _code(code: types.CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr(code.co_names + code.co_varnames + code.co_freevars).encode()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code(constant)
        else:
            yield _repr(constant)


def _names(code: types.CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _around(function: types.FunctionType) -> list[tuple[str, Any]]:
    """What it takes from around it, by name: variables of functions that enclose it, and of its module."""
    found = {name: function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not there yet
            found[name] = None
    elsewhere = lambda value: isinstance(value, (types.FunctionType, type)) and value.__module__ != function.__module__
    return [(name, f"{value.__module__}.{value.__qualname__}" if elsewhere(value) else value) for name, value in sorted(found.items())]

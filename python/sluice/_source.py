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
from typing import Any, Callable, Iterator

import numpy as np

_PLAIN = (type(None), bool, int, float, complex, str, bytes)


def mark_of(function: Callable[..., Any], *settings: Any) -> str:
    """64 hexadecimal digits."""
    digest = hashlib.sha256()
    for each in _said((function, *settings), []):
        digest.update(len(each).to_bytes(8, "little") + each)
    return digest.hexdigest()


def _said(value: Any, within: list[int]) -> Iterator[bytes]:
    """The value as bytes. ``within``: what is being said already, for functions that call each other."""
    if id(value) in within:
        yield b"again %d" % within.index(id(value))
        return
    if isinstance(value, _PLAIN):
        yield _repr(value)
        return
    inner = [*within, id(value)]
    yield type(value).__qualname__.encode()
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        yield from (repr((value.dtype.str, value.shape)).encode(), value.tobytes())
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _said(each, inner)
    elif isinstance(value, (set, frozenset)):
        yield from sorted(b"".join(_said(each, inner)) for each in value)
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _said(pair, inner)
    elif isinstance(value, functools.partial):
        yield from _said((value.func, value.args, value.keywords), inner)
    elif isinstance(value, types.MethodType):
        yield from _said((value.__func__, value.__self__), inner)
    elif isinstance(value, types.FunctionType):
        yield from _text(value)
        yield from _said((value.__defaults__, value.__kwdefaults__, _around(value)), inner)
    elif isinstance(value, type):
        yield from _text(value)
    elif isinstance(value, (types.ModuleType, types.BuiltinFunctionType, np.ufunc)):
        yield value.__name__.encode()
    elif callable(value) and hasattr(value, "__dict__"):
        yield from _said((type(value), vars(value)), inner)


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

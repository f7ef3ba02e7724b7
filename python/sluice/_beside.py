"""The arrays of a run that is trained on ``Data``, in a file beside its folder: written before it begins, taken back where it is refused."""
from __future__ import annotations

import contextlib
import os
import secrets
import tomllib
import zipfile
from typing import Any, Iterator, Optional

from . import _sluice
from ._parts import Data
from ._sluice import InputError, IoError
from ._spec import place_of

_MOST_OF_SPEC = 1 << 24  # bytes: more is no spec


@contextlib.contextmanager
def data_beside(task: Any, source: Any, out: Optional[str], resume: bool, overwrite: bool, device: str, parts: list[Any]) -> Iterator[bool]:
    """The arrays of a run that goes into a folder, beside it: once its spec is one, and the folder free. Whether they were written."""
    if not isinstance(task, Data) or task.file is not None or not _may_be_begun(out, resume, overwrite):
        yield False
        return
    _sluice.resolve(source)  # throws what would be thrown later: nothing is touched then
    _sluice.require_trainable(source, device, parts)
    place = place_of(out) + ".npz"
    there, aside, was, made = os.path.lexists(place), None, None, None
    if not there:
        _sluice.require_free(out)
    try:
        try:
            written = task._written_to(place)  # what holds the same already stays
        except InputError:
            if not there or not overwrite:
                raise
            was = _require_replaceable(place, out)
            aside = _move_aside(place)
            written = task._written_to(place)
        if not written and overwrite and _is_replaced(place, task._keys.get("checksum"), out):
            raise InputError(f"{place}: exists and is not what the run in {out} was trained on; move it away, or choose another folder")
        made = os.lstat(place) if written else None
        # The library reads the file before it has the folder, and says only by its end whether it got it: so what it refuses is undone.
        yield True
    except BaseException:
        if _is_named(place, task._keys.get("checksum"), out):
            _let_go(aside)
        elif _is_named(place, was, out) or not _is_held(out):  # else who has the folder may have read the file already: it stays
            _take_back(place, made, aside)
            task._forget()
        raise
    _let_go(aside)


def _may_be_begun(out: Optional[str], resume: bool, overwrite: bool) -> bool:
    return out is not None and not (resume and overwrite) and (resume or overwrite or _is_vacant(out))


def _is_vacant(folder: str) -> bool:
    """No folder, or one with nothing but what a run that was killed or failed leaves there."""
    try:
        return all(name.startswith(".") or name == "failed.json" for name in os.listdir(folder))
    except FileNotFoundError:
        return not os.path.lexists(folder)
    except OSError:
        return False


def _folders_in(folder: str) -> list[str]:
    """Of a run, or of the points of a sweep."""
    try:
        return [folder, *sorted(entry.path for entry in os.scandir(folder) if entry.is_dir())]
    except OSError:
        return []


def _specs_in(folder: str) -> Iterator[dict[str, Any]]:
    for each in _folders_in(folder):
        place = os.path.join(each, "spec.toml")
        try:
            if os.path.isfile(place) and os.path.getsize(place) <= _MOST_OF_SPEC:  # a pipe would be waited for
                with open(place, "rb") as file:
                    yield tomllib.load(file)
        except (OSError, ValueError, RecursionError):
            continue


def _checksums_of(place: str, folder: str) -> list[Any]:
    """Of files in this place that runs in the folder were trained on."""
    tasks = (spec.get("task") for spec in _specs_in(folder))
    return [task.get("checksum") for task in tasks if isinstance(task, dict) and task.get("path") == place]


def _is_named(place: str, checksum: Optional[str], folder: str) -> bool:
    """Whether a run in the folder was trained on a file of this checksum in this place."""
    return checksum is not None and checksum in _checksums_of(place, folder)


def _is_replaced(place: str, checksum: Optional[str], folder: str) -> bool:
    """Whether runs in the folder were trained on another file in this place: somebody is replacing that, and may yet be refused and put it back."""
    named = _checksums_of(place, folder)
    return bool(named) and checksum not in named


def _is_written_by_us(place: str) -> bool:
    """x and y as Data writes them; NumPy's own archives say that a Unix made them."""
    try:
        with zipfile.ZipFile(place) as archive:
            return [(each.filename, each.create_system, each.compress_type) for each in archive.infolist()] == [(name, 0, zipfile.ZIP_STORED) for name in ("x.npy", "y.npy")]
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False


def _is_held(folder: str) -> bool:
    """Whether somebody is at work there; where no descriptors or memory are left to ask, yes."""
    try:
        return any(_sluice.is_held(each) for each in _folders_in(folder))
    except IoError:
        return True


def _require_replaceable(place: str, out: str) -> str:
    """A file goes with the run that it belongs to, and with nobody at work on that. Its checksum."""
    checksum = None
    try:
        if os.path.isfile(place) and not os.path.islink(place) and _is_written_by_us(place):
            checksum = _sluice.checksum(place)
    except IoError:  # the machine's, not the file's
        raise
    except (OSError, InputError):
        pass
    if checksum is None or not _is_named(place, checksum, out):
        raise InputError(f"{place}: exists and is not what the run in {out} was trained on; move it away, or choose another folder")
    if _is_held(out):
        raise InputError(f"{out}: another sluice is at work there; {place} stays")
    return checksum


def _move_aside(place: str) -> str:
    aside = f"{place}.{secrets.token_hex(4)}"
    try:
        os.rename(place, aside)
    except OSError as error:
        raise IoError(f"{place}: cannot be replaced: {error.strerror}") from None
    return aside


def _let_go(aside: Optional[str]) -> None:
    """A run that is done is not lost for a file that cannot be removed."""
    if aside is not None:
        with contextlib.suppress(OSError):
            os.unlink(aside)


def _take_back(place: str, made: Optional[os.stat_result], aside: Optional[str]) -> None:
    """As it was before, unless somebody else put a file there meanwhile."""
    with contextlib.suppress(OSError):
        now = os.lstat(place) if os.path.lexists(place) else None
        if aside is not None and (now is None or (made is not None and os.path.samestat(made, now))):
            os.replace(aside, place)
        elif made is not None and now is not None and os.path.samestat(made, now):
            os.unlink(place)

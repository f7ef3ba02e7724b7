"""What can go wrong, and what is said on the way."""
from __future__ import annotations

import sys
import warnings
from typing import Any, Iterable

from ._sluice import InputError, IoError

__all__ = ["InputError", "Interrupted", "IoError", "Remark", "tell"]


class Interrupted(KeyboardInterrupt):
    """KeyboardInterrupt ended it, and ``interrupt="raise"`` asked for this. ``run`` (a Run or a Sweep) holds what was measured."""

    def __init__(self, run: Any) -> None:
        super().__init__(f"{run!r}: stopped; what was measured is in the exception's .run")
        self.run = run


class Remark(UserWarning):
    """What a user should know of a run that is well: that a covariance was projected, that nothing was learned."""


def tell(remarks: Iterable[str]) -> None:
    """As warnings, at the line that called us."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for remark in remarks:
        warnings.warn(remark, Remark, stacklevel=level)

"""What can go wrong, and what is said on the way."""
from __future__ import annotations

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
    """As warnings, at the line that called the library."""
    for remark in remarks:
        warnings.warn(remark, Remark, stacklevel=4)

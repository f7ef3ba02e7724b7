"""What is looked at: figures and pages, shown by notebooks and saved to files."""
from __future__ import annotations

import html
import os
import pathlib
import re
from typing import Any, Union

from . import _sluice
from ._spec import flag_of, path_of, shown, word_of

Path = Union[str, "os.PathLike[str]"]


def _fitting(name: str, value: Any) -> Any:
    """A text, a number, or the two of an interval."""
    if name in ("font", "palette"):
        return word_of(value, name)
    try:
        if name in ("xlim", "ylim"):
            low, high = map(float, value)
            return low, high
        if name in ("dpi", "width", "height", "font_size"):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        raise _sluice.InputError(f"{name} = {shown(value)}: expected {'two numbers' if name.endswith('lim') else 'a number'}") from None
    raise _sluice.InputError(f"{name}: no such style; there are width, height, font, font_size, xlim, ylim, palette, dpi")


class Figure:
    """A figure. A notebook shows it; ``save`` writes svg, pdf or png by the ending of the file.

    >>> import sluice
    >>> figure = sluice.run("localization", dynamics__steps=20).figure("unit_map")
    >>> figure.name, figure.svg[:4]
    ('unit_map', '<svg')
    """

    def __init__(self, drawn: _sluice.Figure) -> None:
        self._drawn = drawn

    @property
    def name(self) -> str:
        return self._drawn.name

    @property
    def caption(self) -> str:
        """One or two sentences that a reader of a journal would want."""
        return self._drawn.caption

    def render(self, format: str = "svg", **style: Any) -> bytes:
        """The bytes of a file. ``style``: width and height in mm, font, font_size in points, xlim, ylim, palette, dpi of a png."""
        return self._drawn.render(word_of(format, "format"), **{name: _fitting(name, value) for name, value in style.items()})

    @property
    def svg(self) -> str:
        text = self.render("svg").decode()
        return text[text.index("<svg"):]

    def save(self, path: Path, overwrite: bool = False, **style: Any) -> pathlib.Path:
        """Writes the file whole or not at all. What exists is replaced only with ``overwrite=True``."""
        place = path_of(path, "path")
        over = flag_of(overwrite, "overwrite")
        _sluice.require_place_for_figure(place, over)
        _sluice.write_file(place, self.render(os.path.splitext(place)[1][1:], **style), over)
        return pathlib.Path(place)

    def _repr_svg_(self) -> str:
        # Larger than in print by a third: text of 7 points is lost among a notebook's. A cell that is too narrow for it shrinks it.
        larger = lambda size: f'width="{float(size[1]) * 16 / 9:.0f}" height="{float(size[2]) * 16 / 9:.0f}" style="max-width:100%;height:auto"'
        return re.sub(r'width="([\d.]+)pt" height="([\d.]+)pt"', larger, self.svg, count=1)

    def __repr__(self) -> str:
        width, height = self._drawn.size
        return f"<sluice.Figure {self.name}, {width:.0f} × {height:.0f} mm>"


class Page(str):
    """The interactive page, as text. A notebook shows it; ``save`` writes it."""

    def save(self, path: Path, overwrite: bool = False) -> pathlib.Path:
        place = path_of(path, "path")
        over = flag_of(overwrite, "overwrite")
        _sluice.require_place_for_page(place, over)
        _sluice.write_file(place, self.encode(), over)
        return pathlib.Path(place)

    def _repr_html_(self) -> str:
        # In a frame of its own: its styles and scripts do not meet those of the notebook.
        return (f'<iframe srcdoc="{html.escape(self)}" style="width:100%;height:720px;border:0" loading="lazy" '
                'sandbox="allow-scripts allow-downloads allow-popups"></iframe>')

    def __repr__(self) -> str:
        return f"<sluice.Page, {len(self)} characters>"

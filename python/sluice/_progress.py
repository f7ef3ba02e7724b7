"""How far it has come: a bar in a notebook or on a terminal, plain lines elsewhere."""
from __future__ import annotations

import html
import shutil
import sys
import time
from typing import Any, Callable, Optional, Union

Progress = Union[None, bool, Callable[[int, int], Any]]


def _in_notebook() -> bool:
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def _duration(seconds: float) -> str:
    whole = int(seconds + 0.999)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02} min"


def _on_terminal() -> bool:
    """Standard error may be closed, none, or an object of the caller's own that only takes text."""
    try:
        return bool(sys.stderr.isatty())
    except Exception:
        return False


class Bar:
    """Nothing is shown of what takes less than half a second, and nothing any more once it could not be: a run does not end for its bar."""

    def __init__(self, name: str) -> None:
        self.name, self.began, self.shown, self.first = name, time.monotonic(), 0.0, None  # type: Any
        self.notebook, self.display = _in_notebook(), None
        self.terminal = not self.notebook and _on_terminal()
        self.between = 0.1 if self.notebook or self.terminal else 10.0
        self.drawn, self.silent = False, False

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = (done, now)
        wait = self.between if self.drawn or not (self.notebook or self.terminal) else 0.5
        if now - max(self.shown, self.began) < wait or of <= 0:
            return
        self.shown, self.drawn = now, True
        pace = (done - self.first[0]) / (now - self.first[1]) if now > self.first[1] else 0
        left = f"{_duration((of - done) / pace)} left" if pace > 0 else ""
        self._show(done / of, f"{self.name}: {100 * done / of:3.0f} %  {left}")

    def _show(self, share: float, text: str) -> None:
        self._try(lambda: self._draw(share, text))

    def _try(self, draw: Callable[[], Any]) -> None:
        """Whatever a broken terminal, a full disk or an object of the caller's own raises."""
        if not self.silent:
            try:
                draw()
            except Exception:
                self.silent = True

    def _draw(self, share: float, text: str) -> None:
        if self.notebook:
            from IPython.display import HTML, display

            bar = HTML(f'<progress value="{share:.4f}" style="width:20em"></progress> <code>{html.escape(text)}</code>')
            if self.display is None:
                self.display = display(bar, display_id=True)
            else:
                self.display.update(bar)
        elif self.terminal:
            sys.stderr.write("\r\033[K" + text[: shutil.get_terminal_size().columns - 1])
            sys.stderr.flush()
        elif sys.stderr is not None:
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        self._try(self._clear)

    def _clear(self) -> None:
        if self.drawn and self.terminal:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        if self.display is not None:
            from IPython.display import HTML

            self.display.update(HTML(""))


class Quiet:
    """Nobody listens, or somebody who was given."""

    def __init__(self, listener: Optional[Callable[[int, int], Any]]) -> None:
        self.listener = listener

    def close(self) -> None:
        pass


def listener_of(progress: Progress, name: str) -> tuple[Union[Bar, Quiet], Any]:
    """Whoever is to be closed at the end, and whom the library tells."""
    if progress is None:
        progress = _in_notebook() or _on_terminal()
    if progress is True:
        bar = Bar(name)
        return bar, bar
    if progress is False:
        return Quiet(None), None
    if not callable(progress):
        from ._sluice import InputError

        raise InputError(f"progress: expected True, False or a function of (done, of), found {type(progress).__name__}")
    return Quiet(progress), progress

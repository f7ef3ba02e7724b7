"""Bars: what people see while they wait."""
import io
import sys
import types

import pytest

import sluice
from sluice import _progress


class Clock:
    now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_progress, "time", clock)
    return clock


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_plain_lines_every_ten_seconds_elsewhere(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    bar = _progress.Bar("mine")
    for second in range(1, 26):
        clock.now = 100.0 + second
        bar(second, 50)
    bar.close()
    assert sys.stderr.getvalue() == "mine:  20 %  40 s left\nmine:  40 %  30 s left\n"


def test_a_line_that_is_renewed_on_a_terminal_and_gone_at_the_end(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    bar = _progress.Bar("mine")
    bar(0, 100)
    assert sys.stderr.getvalue() == ""  # nothing of what takes less than half a second
    for tenth in range(1, 8):
        clock.now = 100.0 + tenth / 10
        bar(tenth, 100)
    bar.close()
    shown = sys.stderr.getvalue().split("\r\033[K")
    assert shown[0] == "" and shown[-1] == "" and all(each.startswith("mine:") for each in shown[1:-1]) and len(shown) in (4, 5)


def test_a_bar_of_its_own_in_a_notebook(clock, monkeypatch):
    shown = []

    class Handle:
        def update(self, html):
            shown.append(html)

    display = types.ModuleType("IPython.display")
    display.HTML = str
    display.display = lambda html, display_id: (shown.append(html), Handle())[1]
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(_progress, "_in_notebook", lambda: True)
    bar = _progress.Bar("mine")
    for done in (0, 5, 10):
        clock.now += 1
        bar(done, 10)
    bar.close()
    assert len(shown) == 4 and '<progress value="0.5000"' in shown[1] and shown[-1] == ""


def test_nobody_is_told_where_nobody_looks(capfd):
    sluice.run("localization", dynamics__steps=1000)  # pytest's standard error is no terminal
    assert capfd.readouterr().err == ""


class Broken:
    """As a terminal that is gone."""

    def isatty(self):
        return True

    def write(self, text):
        raise OSError(5, "Input/output error")

    def flush(self):
        raise OSError(5, "Input/output error")


class Bare:
    def write(self, text):
        pass

    def flush(self):
        pass


def closed():
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.filterwarnings("ignore::sluice.Remark")
@pytest.mark.parametrize("progress", [None, True])
@pytest.mark.parametrize("stderr", [Broken, Bare, closed, lambda: open("/dev/full", "w"), lambda: None])
def test_a_run_does_not_end_for_its_bar(stderr, progress, clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stderr())
    bar, listener = _progress.listener_of(progress, "mine")
    for _ in range(3):
        clock.now += 20
        if listener is not None:
            listener(1, 3)
    bar.close()
    sluice.run("localization", dynamics__steps=20, progress=progress)


def test_names_are_no_markup_in_a_notebook(monkeypatch):
    shown = []
    display = types.ModuleType("IPython.display")
    display.HTML = str
    display.display = lambda html, display_id: shown.append(html)
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(_progress, "_in_notebook", lambda: True)
    _progress.Bar("<img src=x>")._show(0.5, "<img src=x>")
    assert "&lt;img src=x&gt;" in shown[0] and "<img" not in shown[0]

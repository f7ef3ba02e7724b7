"""Docstrings: their examples run, and everything that is public has one."""
import doctest
import importlib
import pkgutil

import pytest

import sluice


@pytest.mark.filterwarnings("ignore::sluice.Remark")
@pytest.mark.parametrize("name", ["sluice", *(f"sluice.{each.name}" for each in pkgutil.iter_modules(sluice.__path__) if each.name != "_sluice")])
def test_examples_of_docstrings_run(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.failed == 0


def test_everything_public_says_what_it_is():
    for name in sluice.__all__:
        assert getattr(sluice, name).__doc__, name

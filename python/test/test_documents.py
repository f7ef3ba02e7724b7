"""Docstrings: their examples run, and everything that is public has one; stubs name what there is."""
import ast
import doctest
import importlib
import pathlib
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


def test_stubs_name_what_the_module_has():
    tree = ast.parse(pathlib.Path(sluice.__file__).with_name("_sluice.pyi").read_text())
    module = importlib.import_module("sluice._sluice")
    public = lambda names: {name for name in names if not name.startswith("_")}
    named = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert public(named) | {"version"} == public(dir(module))
    for name, node in named.items():
        if isinstance(node, ast.ClassDef) and node.body and name not in ("InputError", "IoError"):
            stubbed = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            assert public(stubbed) == public(dir(getattr(module, name))), name

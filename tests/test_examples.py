"""The examples in docstrings, in docs/api.md and in docs/agents.md are true."""

import doctest
import importlib
import re

import pytest

from tests.programs import PROJECT

LEFT_OUT = {"benchmarks", "experiments", "learning", "studies", "build", "build_backend.py"}


def modules_with_examples():
    """The names of the project's modules that contain an example."""
    roots = [path for path in PROJECT.iterdir() if path.name not in LEFT_OUT and path.name[0] != "."]
    files = [file for root in roots for file in ([root] if root.suffix == ".py" else root.rglob("*.py"))]
    paths = [file.relative_to(PROJECT) for file in files if re.search(r"^ *>>> ", file.read_text(), re.MULTILINE)]
    return sorted(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_are_true(name):
    failed, attempted = doctest.testmod(importlib.import_module(name), verbose=False)
    assert attempted and not failed


@pytest.mark.parametrize(("page", "least"), [("api.md", 10), ("agents.md", 8)])
def test_the_examples_of_the_pages_on_python_run(page, least):
    found = doctest.testfile(str(PROJECT / "docs" / page), module_relative=False)
    assert found.attempted >= least and found.failed == 0

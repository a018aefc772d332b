"""What docs/api.md shows is what happens."""

import doctest
from pathlib import Path

API = Path(__file__).resolve().parents[1] / "docs" / "api.md"


def test_the_examples_of_the_page_on_python_run():
    found = doctest.testfile(str(API), module_relative=False)
    assert found.attempted >= 10
    assert found.failed == 0

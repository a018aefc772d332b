"""What the documents tell people to type can be typed, and the files that CONTRIBUTING.md names are there."""

import re
from functools import cache

import pytest

from tests.command_line import invoke
from tests.programs import PROJECT

PAGES = [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "REPORT.md", "studies/README.md")]
PAGES += sorted((PROJECT / "docs").glob("*.md"))
TYPED = re.compile(r"python (runner\.py [a-z-]+|(?:experiments|benchmarks)/\w+\.py)((?:\\\n|[^`\n#|])*)")
OPTION = r"(?<![\w-])--[a-z-]+"
OF_THE_EXAMPLE = ("--heap", "NAME", "toy/")  # what CONTRIBUTING.md itself tells to add


@cache
def options_of(program):
    """The options in the help of a command of runner.py, or in the text of a script."""
    if not program.startswith("runner.py "):
        return set(re.findall(OPTION, (PROJECT / program).read_text()))
    shown = invoke(program.removeprefix("runner.py "), "--help")
    assert shown.exit_code == 0, shown.output
    return set(re.findall(OPTION, shown.output))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_exist_with_their_options(page):
    for program, words in TYPED.findall(page.read_text()):
        typed = set(re.findall(OPTION, re.sub(r'"[^"]*("|$)', "", words)))  # without those of programs in quotes
        assert typed - options_of(program) <= set(OF_THE_EXAMPLE), program


def test_the_files_that_contributing_names_are_there():
    named = re.findall(r"`([\w/]+/(?:\w+\.\w+)?)(?:::\w+)?`", (PROJECT / "CONTRIBUTING.md").read_text())
    places = [PROJECT, PROJECT / "simulator", PROJECT / "simulator" / "report"]
    missing = {name for name in named if not any((place / name).exists() for place in places)}
    assert len(named) > 100
    assert {name for name in missing if not any(word in name for word in OF_THE_EXAMPLE)} == set()

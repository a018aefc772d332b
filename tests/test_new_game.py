"""A game by the recipe of CONTRIBUTING.md, a folder and two lines, can be played by everything."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.programs import PROJECT, RESIGNER

LEFT_OUT = shutil.ignore_patterns(".*", "build", "games", "*.db*", "*.pyc.*")  # *.pyc.* are still being written


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the game of CONTRIBUTING.md in it."""
    folder = tmp_path_factory.mktemp("new_game") / "project"
    shutil.copytree(PROJECT, folder, ignore=LEFT_OUT)
    recipe = (PROJECT / "CONTRIBUTING.md").read_text().partition("## Add a game")[2]
    code, lines = re.findall(r"```python\n(.*?)```", recipe, re.DOTALL)[:2]
    (folder / "toy").mkdir()
    (folder / "toy" / "__init__.py").write_text("")
    (folder / "toy" / "game.py").write_text(code)
    for line in lines.splitlines():
        path = folder / line.partition("# ")[2].partition(";")[0]
        text, count = re.subn(r"(?m)^(_?GAMES = \{.*)$", rf"\1\n{line}", path.read_text())
        assert count == 1
        path.write_text(text)
    return folder


def run(folder, line):
    """Run Python in a folder with a line of arguments."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["UNFORCED_CACHE"] = str(folder.parent / "kernels")  # not among the user's own
    return subprocess.run(
        [sys.executable, *shlex.split(line)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_new_game_holds_the_contract(project):
    done = run(project, "-m pytest -q -p no:cacheprovider tests/test_contract.py -k toy")
    assert done.returncode == 0, done.stdout
    assert re.search("[0-9]{2} passed", done.stdout)


def test_a_match_of_a_new_game_with_an_option_is_played(project):
    done = run(project, f"runner.py match random_agent '{RESIGNER}' --game toy --heap 12 --json --games 1")
    assert done.returncode == 0, done.stderr
    assert '"heap": 12' in done.stdout.splitlines()[-1]


def test_the_option_of_a_new_game_is_on_the_command_line(project):
    listed = " ".join(run(project, "runner.py gtp --help").stdout.split())
    assert "--heap N In toy: Stones at the start. [default: 21; 1 to 999]" in listed

"""Modules import from the floors below theirs only: import-linter checks packages, and this single modules too.

import-linter runs in `make lint`. Imports are read from a module's source, those inside functions as well.
"""

import ast
import pkgutil
import re
import sys
import tomllib
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import FunctionType

import numpy as np
import pytest

import game
from jit import game_folders, jitted_sources
from jit.folder import UNCOMPILED
from tests.programs import PROJECT, run

FLOORS = (  # from the ground up
    {"jit", "options", "python_file", "board_view"},
    {"game"},
    {"game_files", *(folder.name for folder in game_folders())},
    {"agents"},
    {"simulator"},
    {"learning"},
    {"studies"},
    {"commands"},
    {"runner", "unforced"},
)
OURS = frozenset().union(*FLOORS)
GAMES = FLOORS[2] - {"game_files"}  # it knows no particular game
ENTRY_POINTS = {"simulator.__main__"}  # a command line of its own on the top floor, as runner.py is
AGENT_PROCESS = "simulator.player.agent_process"
IN_AGENTS_PROCESS = {"numpy", "numba", "llvmlite", "psutil"}
MODULES = {
    ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): path
    for floor in FLOORS
    for name in sorted(floor)
    for path in [PROJECT / f"{name}.py", *sorted((PROJECT / name).rglob("*.py"))]
    if path.exists()
}


@cache
def imports_of(module):
    """The full names of the modules that a module imports; in this project, modules rather than packages."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in names if name in MODULES} | {node.module or ""}
    return frozenset(found)


def roots_of(module):
    return {name.partition(".")[0] for name in imports_of(module)}


def reached_from(module):
    """A module and all modules of the project that it imports, directly or indirectly, with their packages."""
    reached, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name in MODULES and name not in reached:
            reached.add(name)
            waiting += [*imports_of(name), name.rpartition(".")[0]]
    return reached


def below(module):
    """What a module may import of this project: its own package and the floors under it."""
    root = "runner" if module in ENTRY_POINTS else module.partition(".")[0]
    floor = next(i for i, names in enumerate(FLOORS) if root in names)
    return set().union(*FLOORS[:floor]) | {module.partition(".")[0]}


def test_modules_import_from_the_floors_below_and_their_own_package():
    above = {module: roots_of(module) & OURS - below(module) for module in MODULES}
    assert {module: names for module, names in above.items() if names} == {}


def test_nobody_imports_an_entry_point():
    assert {module for module in MODULES if imports_of(module) & (ENTRY_POINTS | FLOORS[-1])} == set()


def test_no_module_imports_what_the_fingerprints_of_figures_leave_out():
    assert "go.learning" in MODULES and not any("go.learning" in imports_of(module) for module in MODULES)


def test_only_the_registry_and_studies_know_a_game():
    others = (module for module in MODULES if module.partition(".")[0] not in {*GAMES, "studies"})
    assert {module: roots_of(module) & GAMES for module in others if roots_of(module) & GAMES} == {}


def test_what_is_compiled_uses_no_file_whose_edits_leave_compiled_code_as_it_is():
    """It imports classes and functions from such files, but no constants; those of `game` are in `game/verbs`."""
    sources = set(jitted_sources())
    compiled = {module for module, path in MODULES.items() if path in sources}
    for module in (name for name in compiled if MODULES[name].name not in ("__init__.py", *UNCOMPILED)):
        for node in ast.walk(ast.parse(MODULES[module].read_text())):
            if isinstance(node, ast.ImportFrom) and node.module in MODULES.keys() - compiled - {"game"}:
                others = {alias.name for alias in node.names if f"{node.module}.{alias.name}" not in compiled}
                assert all(
                    isinstance(getattr(import_module(node.module), name), type | FunctionType) for name in others
                ), module
    constants = {name: value for name, value in vars(game).items() if isinstance(value, int | np.integer)}
    assert {"FIRST", "WON"} <= set(constants)
    verbs = [sys.modules[module] for module in compiled if module.startswith("game.verbs.")]
    for name, value in constants.items():
        assert any(vars(module).get(name) is value for module in verbs), name


def test_a_worker_imports_little():
    """Whatever the agent's process imports counts against its 500 MB and its first move."""
    reached = reached_from(AGENT_PROCESS) | {name for name in MODULES if name.startswith(("agents", *GAMES))}
    allowed = OURS | IN_AGENTS_PROCESS | sys.stdlib_module_names
    assert {name: roots_of(name) - allowed for name in reached if roots_of(name) - allowed} == {}


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import runner; runner.main(['--help'], standalone_mode=False)", {"numba", "numpy", "rich"}),
        ("import simulator.referee.referee", {"simulator.gtp.engine", AGENT_PROCESS, "agents.uct_agent"}),
        (
            f"import commands.match, commands.tournament, commands.play, {AGENT_PROCESS}, simulator.terminal.play",
            {"textual"},
        ),
    ],
)
def test_a_process_does_not_load_what_it_does_not_need(code, unwanted):
    assert not unwanted & set(run(f"{code}\nimport sys; print(*sys.modules)").split())


def floors_in(block):
    """`a.py  b.py    c/ | d/` as sets of names; floors are four spaces or a line apart."""
    return [set(re.findall(r"[a-z_]+", part.replace(".py", ""))) for part in re.split(r" {4,}|\n", block) if part]


def test_contributing_shows_the_floors_as_they_are():
    shown = re.findall(r"\n\n((?:    .+\n)+)", (PROJECT / "CONTRIBUTING.md").read_text().partition("## The floors")[2])
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rooms = next(contract["layers"] for contract in contracts if contract.get("containers") == ["simulator"])
    assert floors_in(shown[0]) == list(FLOORS)
    assert floors_in(shown[1]) == [set(room.split(" | ")) for room in reversed(rooms)]


def test_what_a_package_says_of_itself_is_there():
    """A name like `app.PlayApp` in a package's docstring is found in the package, in the simulator or the project."""
    for path in sorted((PROJECT / "simulator").glob("*/__init__.py")):
        package = f"simulator.{path.parent.name}"
        for name in re.findall(r"`([a-z_]+(?:\.\w+)+)", ast.get_docstring(ast.parse(path.read_text())) or ""):
            found = any(map(can_be_imported, (f"{package}.{name}", f"simulator.{name}", name)))
            assert found or (PROJECT / name).exists() or (path.parent / name).exists(), f"{package}: {name}"


def can_be_imported(name):
    with suppress(ImportError, AttributeError):
        pkgutil.resolve_name(name)
        return True
    return False

"""Is it the same program elsewhere? What a pair of games depends on, to be compared between machines.

`likeness_of` reads the files as they are now, because each pair is played by a process that reads them anew.
"""

import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from agents.agent import AgentSpec
from game import Game
from jit import PROJECT, jitted_sources
from simulator.player.source_hashes import by_name, imported_files, sources_of

PACKAGES = ("numpy", "numba")  # those that decide what is computed
BEGIN = (
    "simulator/tournament/workers/child.py",
    "simulator/tournament/workers/handshake.py",
    "simulator/player/worker.py",
    "agents/**/*.py",
)

SHOWN_DIFFERENCES = 5


class Likeness(NamedTuple):
    """What is the same wherever the same games are played; each by name.

    Attributes:
        versions: of Python and of packages.
        project: SHA-256 of each file of this project that plays, its own agents and games among them.
        agents: SHA-256 of each file of all other agents, see `sources_of`.
    """

    versions: Mapping[str, str]
    project: Mapping[str, str]
    agents: Mapping[str, str]


def likeness_of(specs: Sequence[AgentSpec], game: Game) -> Likeness:
    """What there is on this machine; relative paths of agents lead from the folder that this process works in.

    Raises SourcesError for an agent whose files cannot be read.
    """
    others = [spec for spec in specs if spec.is_file or spec.is_gtp]
    return Likeness(
        {"Python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
        by_name(_playing_files(), PROJECT),
        {f"{file} of {spec.text}": sha for spec in others for file, sha in sources_of(spec, game).items()},
    )


def _playing_files() -> dict[Path, str]:
    """SHA-256 of what referee and agents import; games, found by their names, are among the compiled sources."""
    begin = [path for glob in BEGIN for path in PROJECT.glob(glob)]
    return imported_files([*begin, *jitted_sources()], PROJECT)


def differences(here: Likeness, there: Likeness) -> list[str]:
    """What is not the same there, in words, the first few; empty if all is."""
    found = [
        *(f"{name} {new}, not {old}" for name, old, new in _unlike(here.versions, there.versions)),
        *(f"{name} {_what(old, new)}" for name, old, new in _unlike(here.project, there.project)),
        *(f"{name} {_what(old, new)}" for name, old, new in _unlike(here.agents, there.agents)),
    ]
    more = len(found) - SHOWN_DIFFERENCES
    return found[:SHOWN_DIFFERENCES] + ([f"and {more} more"] if more > 0 else [])


def _unlike(here: Mapping[str, str], there: Mapping[str, str]) -> Iterator[tuple[str, str | None, str | None]]:
    for name in sorted({*here, *there}):
        if here.get(name) != there.get(name):
            yield name, here.get(name), there.get(name)


def _what(here: str | None, there: str | None) -> str:
    if there is None:
        return "is missing"
    return "is not known here" if here is None else f"is another ({there[:8]}, not {here[:8]})"

"""Whether another machine has the same program: all that a pair of games depends on, and a handshake that compares it.

The coordinator makes a `Handshake` from what its machine has, and sends it with every task. On the other machine,
`CheckedTask.run` reads the files again, in the process that then plays with them.
"""

import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

from agents.agent import AgentSpec
from game import Game, GameFileError
from jit import PROJECT, game_folders, jitted_sources
from simulator.player.source_hashes import BASIS, SourceFiles, SourcesError, can_be_read, sources_of
from simulator.referee.conditions import Conditions
from simulator.sandbox.isolation import IsolationError, available_mechanisms
from simulator.tournament.tasks import PrepareTask

PACKAGES = ("numpy", "numba")  # those that decide what is computed
PLAYING = (  # the code that plays a pair of games, apart from the games and all that is compiled
    *("simulator/tournament/tasks.py", "simulator/tournament/workers/*.py", "simulator/records/schema.py"),
    *(f"simulator/{folder}/**/*.py" for folder in ("gtp", "player", "referee", "sandbox")),
    *("agents/**/*.py", "game_files/*.py", *BASIS),
)
SHOWN_DIFFERENCES = 5
SHOWN_CHARACTERS = 12  # of a SHA-256

Fingerprint = Mapping[str, str]  # by name: the versions of Python and of packages, and the SHA-256 of files


def fingerprint_of(specs: Iterable[AgentSpec], game: Game) -> Fingerprint:
    """The fingerprint of this machine's project, and of agents that are not the project's.

    Relative paths of agents begin at the current folder. Raises SourcesError for an agent whose files cannot be read.
    """
    files = SourceFiles(PROJECT)
    games = (path for folder in game_folders() for path in folder.glob("*.py"))
    for path in {*(path for glob in PLAYING for path in PROJECT.glob(glob)), *games, *jitted_sources()}:
        files.read(path)
    others = [spec for spec in specs if spec.is_file or spec.is_gtp]
    return {
        "Python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        **files.by_name(),
        **{f"{file} of {spec.text}": sha for spec in others for file, sha in sources_of(spec, game).items()},
    }


def differences(here: Fingerprint, there: Fingerprint) -> list[str]:
    """The first few differences, in words; empty if there is none."""
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    shown = [_difference(name, here.get(name), there.get(name)) for name in names[:SHOWN_DIFFERENCES]]
    return shown + ([f"and {len(names) - len(shown)} more"] if len(names) > len(shown) else [])


def _difference(name: str, here: str | None, there: str | None) -> str:
    if here is None or there is None:
        return f"{name} is missing" if here else f"{name} is not known to the coordinator"
    return f"{name} differs ({there[:SHOWN_CHARACTERS]}, not {here[:SHOWN_CHARACTERS]})"


@dataclass(frozen=True)
class Handshake:
    """What all machines of a tournament have to agree on.

    Attributes:
        specs: the agents, by name.
        fingerprint: the fingerprint of the coordinator's machine.
        hidden: files that no agent may read.
    """

    conditions: Conditions
    specs: Mapping[str, AgentSpec]
    fingerprint: Fingerprint
    hidden: tuple[Path, ...] = ()

    @classmethod
    def of(cls, conditions: Conditions, specs: Mapping[str, AgentSpec], hidden: tuple[Path, ...] = ()) -> Self:
        """The handshake of this machine, without agents whose files cannot be read here: these are absent."""
        game = conditions.load_game()
        readable = {name: spec for name, spec in specs.items() if can_be_read(spec, game)}
        return cls(conditions, readable, fingerprint_of(readable.values(), game), hidden)

    def objection(self, cores: tuple[int, ...]) -> str:
        """Why this process cannot play on these cores; empty if it can."""
        conditions = self.conditions
        try:
            found = differences(self.fingerprint, fingerprint_of(self.specs.values(), conditions.load_game()))
            if not found and conditions.isolation == "required":
                available_mechanisms("required").require(conditions.limits, cores)
        except SourcesError as error:
            return f"the coordinator can read an agent that cannot be read here: {error}"
        except (GameFileError, IsolationError) as error:
            return str(error)
        return "\n  ".join(["it differs from the coordinator's machine:", *found]) if found else ""


class Reply(NamedTuple):
    """The answer to a handshake: an objection, which is empty if the task is run, and the name of the machine."""

    objection: str
    host: str


@dataclass(frozen=True)
class CheckedTask:
    """A task that is run only if a handshake holds; it is itself a `Task`, and tells a `Reply` first.

    Attributes:
        compiles: whether code that agents need and that is not there is compiled before.
    """

    handshake: Handshake
    task: Any
    compiles: bool

    def run(self, tell: Callable[[Any], None], cores: tuple[int, ...]) -> Any:
        """The task's result; None if there is an objection."""
        objection = self.handshake.objection(cores)
        if not objection and self.compiles:
            for name, spec in self.handshake.specs.items():
                PrepareTask(self.handshake.conditions, spec, name, self.handshake.hidden).run(lambda text: None, cores)
        tell(Reply(objection, platform.node()))
        return None if objection else self.task.run(tell, cores)

"""Is it the same program on another machine? What a pair of games depends on, and the handshake that compares it.

The coordinator makes a `Handshake` of what this machine has. It goes with every task that another machine is given,
where `CheckedTask.run` reads the files anew, in the process that then plays with them.
"""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

from agents.agent import AgentSpec
from game import Game, GameFileError
from jit import PROJECT, game_folders, jitted_sources
from simulator.player.compile_ahead import compile_ahead
from simulator.player.source_hashes import BASIS, SourceFiles, SourcesError, can_be_read, sources_of
from simulator.referee.conditions import Conditions
from simulator.sandbox.isolation import IsolationError, available_mechanisms

PACKAGES = ("numpy", "numba")  # those that decide what is computed
PLAYING = (  # what plays a pair of games, beside the games and all that is compiled
    *("simulator/tournament/tasks.py", "simulator/tournament/workers/*.py", "simulator/records/schema.py"),
    *(f"simulator/{folder}/**/*.py" for folder in ("gtp", "player", "referee", "sandbox")),
    *("agents/**/*.py", "game_files/*.py", *BASIS),
)
SHOWN_DIFFERENCES = 5
SHOWN_CHARACTERS = 12  # of a SHA-256

Fingerprint = Mapping[str, str]  # versions of Python and packages, SHA-256 of files, by name


def fingerprint_of(specs: Sequence[AgentSpec], game: Game) -> Fingerprint:
    """What this machine has of the project, and of agents that are not the project's.

    Relative paths of agents lead from the folder that this process works in. Raises SourcesError for an agent whose
    files cannot be read.
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
    """What is not the same there, in words, the first few; empty if all is."""
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    shown = [_difference(name, here.get(name), there.get(name)) for name in names[:SHOWN_DIFFERENCES]]
    return shown + ([f"and {len(names) - len(shown)} more"] if len(names) > len(shown) else [])


def _difference(name: str, here: str | None, there: str | None) -> str:
    if here is None or there is None:
        return f"{name} is missing" if here else f"{name} is not known to the coordinator"
    return f"{name} is another ({there[:SHOWN_CHARACTERS]}, not {here[:SHOWN_CHARACTERS]})"


@dataclass(frozen=True)
class Handshake:
    """What all machines of a tournament have to agree on.

    Attributes:
        fingerprint: of the coordinator's machine.
        hidden: files that no agent may read.
    """

    conditions: Conditions
    specs: tuple[AgentSpec, ...]
    fingerprint: Fingerprint
    hidden: tuple[Path, ...] = ()

    @classmethod
    def of(cls, conditions: Conditions, specs: Sequence[AgentSpec], hidden: tuple[Path, ...] = ()) -> Self:
        """The handshake of this machine, without agents that cannot be read here: these are absent."""
        game = conditions.load_game()
        readable = tuple(spec for spec in specs if can_be_read(spec, game))
        return cls(conditions, readable, fingerprint_of(readable, game), hidden)

    def objection(self, cores: tuple[int, ...]) -> str:
        """Why this process cannot play on these cores; empty if it can."""
        conditions = self.conditions
        try:
            found = differences(self.fingerprint, fingerprint_of(self.specs, conditions.load_game()))
            if not found and conditions.isolation == "required":
                available_mechanisms("required").require(conditions.limits, cores)
        except SourcesError as error:
            return f"the coordinator can read an agent that cannot be read here: {error}"
        except (GameFileError, IsolationError) as error:
            return str(error)
        return "\n  ".join(["it differs from the coordinator's machine:", *found]) if found else ""


class Reply(NamedTuple):
    """The answer to a handshake: an objection, empty if the task is run, and the name of the machine."""

    objection: str
    host: str


@dataclass(frozen=True)
class CheckedTask:
    """A task that is run where a handshake holds; a `Task` itself, which tells a `Reply` first.

    Attributes:
        compiles: whether what the project's agents need is compiled before, if it is not there.
    """

    handshake: Handshake
    task: Any
    compiles: bool

    def run(self, tell: Callable[[Any], None], cores: tuple[int, ...]) -> Any:
        """The task's result; None if there is an objection."""
        objection = self.handshake.objection(cores)
        if not objection and self.compiles:
            agreed, limits = self.handshake, self.handshake.conditions.limits
            own = cores[-limits.processors :]
            compile_ahead(agreed.conditions.load_game(), agreed.specs, limits=limits, cores=own, hidden=agreed.hidden)
        tell(Reply(objection, platform.node()))
        return None if objection else self.task.run(tell, cores)

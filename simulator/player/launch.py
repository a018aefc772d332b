"""How an agent's process is started: its files, command line and environment. Begin reading at `launch_for`."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.agent import AgentSpec, gtp_command
from agents.limits import Limits
from game import Game
from jit import CACHE_FOLDER, PROJECT
from simulator.gtp.syntax import MAX_ANSWER_BYTES
from simulator.player.contract import SEED_VARIABLE, Order
from simulator.player.kept_code import cache_of
from simulator.player.log import KEPT_LOG_BYTES, SHOWN_LINES
from simulator.sandbox import processes
from simulator.sandbox.confine import Confinement, confined_command
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import Enforcement, IsolationLevel, Mechanisms, available_mechanisms
from simulator.sandbox.visible_files import (
    VisibleFiles,
    files_visible_to,
    is_of_game,
    named_path,
    program_named,
    search_path,
)

_OUTPUT = Enforcement(
    "output",
    f"answers up to {MAX_ANSWER_BYTES >> 20} MB; of its log the first and last {KEPT_LOG_BYTES >> 10} KiB, of which a "
    f"verdict shows the last {SHOWN_LINES} lines",
)


@dataclass(frozen=True)
class Launch:
    """An agent that is to be started for one game; `launch_for` makes one.

    Attributes:
        seed: for the agent's random numbers; passed in the environment, because its opponent could see an argument.
        opponent: the agent whose file is hidden from this one.
        hidden: more files and folders that are hidden from the agent, if they exist and it could see them otherwise.
        keeps_transcript: whether what goes over the wire is kept.
        cache: the folder of the agent's own compiled code, see `agent_cache.py`; None if there is none.
        fills_cache: whether the agent may write there; False in games.
        reports: whether a Python agent's process writes to its log what it does, see `self_report.py`.
    """

    spec: AgentSpec
    game: Game
    limits: Limits = field(default_factory=Limits)
    name: str = ""
    seed: int = 0
    cores: tuple[int, ...] = ()
    mechanisms: Mechanisms = field(default_factory=available_mechanisms)
    opponent: AgentSpec | None = None
    hidden: tuple[Path, ...] = ()
    keeps_transcript: bool = False
    reports: bool = False
    cache: Path | None = None
    fills_cache: bool = False

    @property
    def files(self) -> VisibleFiles:
        """What the agent may read (the game's files and its own compiled code too), may write, and what is hidden."""
        files = files_visible_to(self.spec, self.opponent, self.game.files)
        seen, game = (*files.own, *files.shared), self.game.files
        there = (path for path in self.hidden if path.exists() and not is_of_game(path, game))
        hidden = (path for path in there if any(map(path.is_relative_to, seen)))
        files = files._replace(hidden=(*files.hidden, *hidden))
        if self.cache is None:
            return files
        if self.fills_cache:
            return files._replace(written=self.cache)
        return files._replace(own=(*files.own, self.cache))

    @property
    def enforcement(self) -> list[Enforcement]:
        """What enforces each of the agent's limits."""
        return enforced_limits(self.mechanisms, self.limits, self.cores)

    def command(self, started: float, confinement: Confinement) -> list[str]:
        """The command line; `started` is when the clock of the first move began (`time.monotonic`)."""
        if self.spec.is_gtp:
            program, *arguments = gtp_command(self.spec.source)
            path = os.path.abspath(program_named(program) or program)  # `program_named` comes before the current folder
            return confined_command(confinement, [path, *(str(named_path(word) or word) for word in arguments)])
        # The current folder of a process in its sandbox is the root, so a file needs its absolute path.
        agent = str(Path(self.spec.source).expanduser().resolve()) if self.spec.is_file else self.spec.source
        return Order(
            self.game.name,
            agent,
            self.spec.options,
            self.game.settled_options,
            self.limits,
            self.name,
            started,
            str(self.cache or ""),
            self.fills_cache,
            self.reports,
            confinement,
        ).command()

    def environment(self, token: str) -> dict[str, str]:
        """The environment of the agent's process: it can be found by `token`, repeated, and uses one thread.

        The referee's own environment may hold secrets, so only language and time zone are taken from it; all of it if
        isolation is switched off.
        """
        kept = {key: text for key, text in os.environ.items() if key in ("LANG", "TZ") or key.startswith("LC_")}
        libraries = ("OPENBLAS", "OMP", "MKL", "NUMBA")
        cache = {"UNFORCED_CACHE": str(CACHE_FOLDER.parent)} if CACHE_FOLDER is not None else {}
        return {
            **(os.environ if self.mechanisms.is_off else {"HOME": "/", **kept}),
            **{f"{library}_NUM_THREADS": "1" for library in libraries},
            **cache,
            "PATH": search_path(),
            "PYTHONPATH": str(PROJECT),
            "PYTHONHASHSEED": "0",
            SEED_VARIABLE: str(self.seed),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONFAULTHANDLER": "1",  # a segmentation fault leaves its Python traceback on stderr
            processes.TOKEN_VARIABLE: token,
        }


def launch_for(
    spec: AgentSpec,
    game: Game,
    limits: Limits,
    name: str = "",
    *,
    cores: tuple[int, ...] | None = None,
    isolation: IsolationLevel = "best",
    is_cold: bool = False,
    **more: Any,
) -> Launch:
    """The launch of an agent on this system.

    The agent gets the last `limits.processors` of `cores`, by default of the cores that this thread may use. With
    `is_cold` it does not see its own compiled code from before. `more` are other attributes of the launch. Raises
    IsolationError if isolation is required and nothing enforces one of the limits.
    """
    chosen = choose_cores(limits.processors) if cores is None else cores[-max(1, limits.processors) :]
    mechanisms = available_mechanisms(isolation)
    if isolation == "required":
        mechanisms.require(limits, chosen)
    cache = None if is_cold else cache_of(spec, game)
    return Launch(spec, game, limits, name, cores=chosen, mechanisms=mechanisms, cache=cache, **more)


def enforced_limits(mechanisms: Mechanisms, limits: Limits, cores: Sequence[int]) -> list[Enforcement]:
    """Every limit of a player with what enforces it here, in the order in which `runner.py doctor` prints them."""
    return [*mechanisms.enforcement(limits, cores), _OUTPUT]

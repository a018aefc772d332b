"""What an agent is, and how it is named and registered.

An agent is a class with a method `step`, registered under a name that ends in `_agent`:

    @register_agent("my_agent")
    class MyAgent(Agent):
        def step(self, position, clock):
            return self.rng.choice(position.legal_moves())

Begin reading at `Agent`; `load_agent` in `loading.py` is what an agent's process calls.
"""

import importlib
import random
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from agents.agent_options import Option, typed_options
from agents.limits import Clock, Limits
from agents.plain import PLAIN_AGENTS
from game import Game
from options import DeclaredOption, InputError

AGENTS_FOLDER = Path(__file__).resolve().parent
TEMPLATE = "student_agent"  # the only name of an agent in this folder that files outside may register, too

_OPTION = re.compile(r"\s*[A-Za-z_][\w-]*\s*=.*", re.DOTALL)
_FILE = re.compile(r"(.+?\.py)(?::(.*))?", re.DOTALL)  # a path, which may have a colon in it, and options
_ZIP = re.compile(r"(.+?\.zip)(?::|$)", re.DOTALL)
UNPACKED = ".unpacked"  # the folder beside zip files in which a tournament unpacks them
AGENT_FILE = "agent.py"  # in the folder of an agent, as `runner.py new` makes it
COURSE_FILE = "student_agent.py"  # the same in the course's frameworks, there in a folder `agents`
MOST_SEED = (1 << 31) - 1  # the largest seed that every generator takes: NumPy's older one takes 32 bits at most
RESIGN = "resign"  # what `step` returns to give the game up, and what goes over the wire


class Agent:
    """Base class of every agent. A new agent is made for every game.

    Attributes:
        default_options: options that can be set from outside (`uct_agent:c=0.5`). Each name has a default, whose type
            says how a text is read, or a declaration, which also has bounds and a sentence (see `agent_options`).
        needs_compiled_rules: whether it plays only games with a kernel, see `game.Game.kernel`.
        presets: for each value of an option `preset`, a sentence that says what it means.
        game: the game being played, see `game.Game`.
        limits: what the agent may use, see `Limits`.
        rng: a `random.Random`, seeded, so that a game can be repeated.
        seed: for other generators of the agent, a number below 2^31: the low bits of the seed of `rng`.
        name: what the agent is called in this match.
        options: every option with its value.
    """

    default_options: ClassVar[Mapping[str, Option | DeclaredOption]] = {}
    needs_compiled_rules: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, str]] = {}
    registered_name: ClassVar[str] = ""

    def __init__(
        self,
        game: Game,
        limits: Limits | None = None,
        seed: int = 0,
        options: dict[str, str] | None = None,
        name: str = "",
    ) -> None:
        if self.needs_compiled_rules and game.kernel is None:
            raise AgentError(self._needs_rules(game))
        self.game = game
        self.limits = limits or Limits()
        self.seed = seed & MOST_SEED
        self.rng = random.Random(seed)
        self.name = name or self.registered_name
        try:
            self._given = self._meant(game, options or {})
            self.options = typed_options(self.registered_name, self.option_defaults(game), self._given)
        except InputError as error:
            raise AgentError(str(error)) from error

    @classmethod
    def for_game(cls, game: Game) -> "type[Agent]":
        """The class that plays a game: this class, or another if this one needs compiled rules and the game has none.

        Raises AgentError if there is no such class.
        """
        if not cls.needs_compiled_rules or game.kernel is not None:
            return cls
        if cls.registered_name not in PLAIN_AGENTS:
            raise AgentError(cls._needs_rules(game))
        module, _, name = PLAIN_AGENTS[cls.registered_name].partition(":")
        found: type[Agent] = getattr(importlib.import_module(module), name)
        return found

    @classmethod
    def _needs_rules(cls, game: Game) -> str:
        *others, last = "random_agent", *PLAIN_AGENTS
        return f"{cls.registered_name} needs compiled rules; {', '.join(others)} and {last} play {game.title}"

    @classmethod
    def _meant(cls, game: Game, options: dict[str, str]) -> dict[str, str]:
        """The options that were given from outside, and those that they imply (a preset). Raises AgentError."""
        return options

    @classmethod
    def option_defaults(cls, game: Game) -> Mapping[str, Option | DeclaredOption]:
        """The options for a game, in the form of `default_options`."""
        return cls.default_options

    @classmethod
    def option_documents(cls, game: Game) -> tuple[type, ...]:
        """Classes whose docstrings explain, below "Options:" or "Attributes:", the options without a declaration.

        If several classes name an option, the first counts.
        """
        return (cls,)

    def setup(self) -> None:
        """Called once before the first move, on that move's clock: load tables, warm up compiled code."""

    def setup_on_clock(self) -> None:
        """As `setup`, but called instead when the clock of a game is running: what takes long may be put off."""
        self.setup()

    def step(self, position: Any, clock: Clock) -> Any:
        """The move to play: one of `position.legal_moves()`, or RESIGN, before `clock.remaining` is 0."""
        raise NotImplementedError(f"{type(self).__name__} has no method `step`")

    def set_nodes(self, nodes: int) -> None:
        """Expand so many positions for each of the next moves, instead of the number in the option `nodes`.

        Raises AgentError if the agent has no such option, or for a number below 1.
        """
        if "nodes" not in self.options:
            raise AgentError(
                f"{self.registered_name} has no option nodes: it cannot be told how many positions to expand"
            )
        if nodes < 1:
            raise AgentError(f"{self.registered_name}: nodes={nodes}: a number from 1 on")
        self.options["nodes"] = nodes

    def analysis(self) -> dict[str, Any]:
        """What the agent thought about its last move, for records and the terminal; empty if it does not say.

        Known keys: `value` (its own winning chance, 0 to 1), `proven` ("win", "loss", "draw" or None, for the side
        that moved), `pv` (move texts), `simulations`, `playouts`, `nodes`, `expanded` (positions), `capacity`,
        `node_bytes`, `seconds`, `depth_max`, `depth_mean`, `depth_pv`, `branching_mean`, `book_seconds` (of search, if
        the move is from an opening book), `compiling_seconds` (so far, if the search was not compiled yet).
        """
        return {}

    def study(self, position: Any, seconds: float) -> list["MoveReport"]:
        """Think about a position for that long without making a move; returns every move it considered, best first.

        If it is asked about the same position object again, it goes on where it stopped. Raises NotImplementedError if
        the agent does not analyse.
        """
        raise NotImplementedError(f"{type(self).__name__} does not analyse")

    def ownership(self) -> Any:
        """Who will own each point, as the last search sees it: 1 (FIRST) to -1, shaped as `position.board`; or None."""
        return None

    def close(self) -> None:
        """Called when the agent is no longer needed: give back memory, files and processes."""


class MoveReport(NamedTuple):
    """What an agent thinks of a move while it studies a position.

    Attributes:
        move: a legal move.
        visits: how often it was tried.
        value: winning chance of the player who makes it, 0 to 1.
        prior: the share of this move in the priors of all moves, 0 to 1.
        pv: the line that it begins, itself first.
        proven: "win", "loss" or "draw" for the player who makes it, None if nothing is proved.
    """

    move: Any
    visits: int
    value: float
    prior: float
    pv: tuple[Any, ...]
    proven: str | None = None


class AgentError(Exception):
    """An agent cannot be loaded, or its name or options are wrong; the message says why and what to do."""


class AgentSpec(NamedTuple):
    """An agent as named on a command line, parsed without loading anything.

    Attributes:
        text: as it was given.
        source: a registered name, a path to a .py file, or `gtp:COMMAND`; for a zip file, the .py file that was in it.
        options: from `source:key=value,key=value`.
        absence: why it cannot play, if that is known before it is started; else empty.
        authors: who has written it, if a submission says so.
    """

    text: str
    source: str
    options: dict[str, str]
    absence: str = ""
    authors: tuple[str, ...] = ()

    @property
    def is_gtp(self) -> bool:
        """Whether this is another program's engine."""
        return self.source.startswith("gtp:")

    @property
    def is_file(self) -> bool:
        """Whether this is a path to a Python file."""
        return not self.is_gtp and (self.source.endswith(".py") or "/" in self.source)

    @property
    def is_unpacked(self) -> bool:
        """Whether a zip file was given; it was unpacked into a folder of its own, which has only the agent's files."""
        return self.is_file and not self.text.startswith(self.source)

    @property
    def zip_file(self) -> str:
        """The path of the zip file that was given; empty if none was."""
        found = _ZIP.match(self.text) if self.is_unpacked else None
        return found[1] if found else ""

    @property
    def name(self) -> str:
        """A short name for tables: the registered name, the file's name without .py, or the program's name.

        For `ann/agent.py` and `ann/agents/student_agent.py` it is `ann`, since those file names say nothing.
        """
        if self.is_gtp:
            return Path(gtp_command(self.source)[0]).name
        name = _file_name(Path(self.source)) if self.is_file else self.source
        return name + (":" + ",".join(f"{k}={v}" for k, v in self.options.items()) if self.options else "")


def _file_name(path: Path) -> str:
    folder = path.parent.parent if path.name == COURSE_FILE and path.parent.name == "agents" else path.parent
    return folder.name or path.stem if path.name in (AGENT_FILE, COURSE_FILE) else path.stem


def parse_agent(text: str) -> AgentSpec:
    """Parse `name`, `file.py`, `name:key=value,...`, `openspiel-bot:BOT,key=value` or `gtp:COMMAND`.

    Raises AgentError for a malformed text.

    >>> parse_agent("uct_agent:c=0.5").options
    {'c': '0.5'}
    >>> parse_agent("hw:1/agent.py:c=0.5").source
    'hw:1/agent.py'
    """
    if text.startswith("gtp:"):
        gtp_command(text)
        return AgentSpec(text, text, {})
    source, colon, rest = text.partition(":")
    given = rest if colon else None
    if source == "openspiel-bot" and colon:
        source, given = "openspiel_agent", f"bot={rest}"
    if (file := _FILE.fullmatch(text)) and not all(map(_OPTION.fullmatch, rest.split(","))):
        source, given = file.groups()
    options = {}
    for pair in [] if given is None else given.split(","):
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise AgentError(f"in {text!r}, {pair!r} is no option: write NAME:key=value,key=value")
        options[key.strip()] = value.strip()
    if not source:
        raise AgentError(f"{text!r} names no agent")
    return AgentSpec(text, source, options)


def gtp_command(text: str) -> tuple[str, ...]:
    """The program of `gtp:COMMAND` and its arguments. Raises AgentError if there is none."""
    try:
        argv = shlex.split(text.removeprefix("gtp:"))
    except ValueError as error:
        raise AgentError(f"{text!r} is no command line: {error}") from error
    if not argv:
        raise AgentError('"gtp:" needs a command, as in "gtp:gnugo --mode gtp"')
    return tuple(argv)


# --- Registration ---------------------------------------------------------------------------------------------------

registered: dict[str, type[Agent]] = {}


def agent_names() -> list[str]:
    """The names of the agents in this folder, sorted; a file NAME_agent.py here registers NAME_agent."""
    return sorted(path.stem for path in AGENTS_FOLDER.glob("*_agent.py"))


def register_agent(name: str) -> Callable[[type[Agent]], type[Agent]]:
    """A decorator that makes a class loadable under a name. Raises AgentError if the name is malformed or taken."""

    def register(agent_class: type[Agent]) -> type[Agent]:
        """Note the class under its name."""
        if not (isinstance(agent_class, type) and issubclass(agent_class, Agent)):
            raise AgentError(f"{agent_class!r} is not a subclass of agents.agent.Agent")
        if not name.endswith("_agent") or not name.isidentifier():
            raise AgentError(f"{name!r} is no name for an agent: letters, digits and _, ending in _agent")
        file = Path(getattr(sys.modules[agent_class.__module__], "__file__", None) or "").resolve()
        if name in agent_names() and name != TEMPLATE and file != AGENTS_FOLDER / f"{name}.py":
            raise AgentError(f"the name {name!r} is taken; register {file.name} under another name")
        agent_class.registered_name = name
        registered[name] = agent_class
        return agent_class

    return register

"""The agent behind a GTP engine: it is made, asked for moves and analysis, and closed; no error of it ends the engine.

Whatever an agent raises, `SystemExit` and `KeyboardInterrupt` included, becomes the answer `? agent failed: ...`, with
the traceback on stderr, and the engine goes on. For Ctrl-C between requests, see `agent_process.serve`.
"""

import json
import math
import random
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agents.agent import Agent, AgentError, MoveReport
from agents.limits import Clock, Limits
from agents.process_memory import peak_bytes
from game import Game, Position, RulesError
from simulator.gtp.analysis import STATS_KEYS
from simulator.gtp.syntax import GtpError, one_line
from simulator.gtp.time_control import MoveTimer

AgentMaker = Callable[[Game, Limits, int], Agent]
"""Makes an agent for a game, limits and a seed."""


def guarded(call: Callable[[], Any], *passed_on: type[BaseException]) -> Any:
    """Call an agent's code and return what it returns; what it raises becomes a GtpError of one line.

    The traceback goes to stderr. Exceptions of the types `passed_on` are raised as they are.
    """
    try:
        return call()
    except passed_on:
        raise
    except BaseException as error:
        if not isinstance(error, AgentError):  # an AgentError's message says all
            with suppress(Exception):  # the agent may have closed stderr
                traceback.print_exc(file=sys.stderr)
        reason = "".join(traceback.format_exception_only(error))
        raise GtpError(one_line(f"agent failed: {reason}")) from error


class AgentHost:
    """Makes an agent for each game and asks it.

    The first agent gets `seed` itself; those of later games get seeds derived from it. `on_move` is called after each
    move.

    Attributes:
        name: the agent's name, which the engine's name has in it.
        timer: says how much time the agent has.
    """

    def __init__(
        self,
        make_agent: AgentMaker,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        name: str = "",
        started: float | None = None,
        on_move: Callable[[], None] = lambda: None,
    ) -> None:
        self.name, self._on_move = name, on_move
        self.timer = MoveTimer(limits or Limits(), started)
        self._make_agent = make_agent
        self._game: Game  # set by `use`
        self._seed, self._games = seed, 0
        self._agent: Agent | None = None
        self._clock: Clock | None = None  # of the present or last move
        self._stats: dict[str, Any] | None = None
        self._has_all_stats = False  # whether `_stats` already has the agent's own figures of its last move

    def use(self, game: Game) -> None:
        """Play this game from now on; the agent is closed, because it was made for another game."""
        self._game = game
        with suppress(GtpError):  # the agent is closed all the same, and its error is on stderr
            self.close()

    def new_game(self) -> None:
        """Begin a game with all time. If the agent has moved, it is closed, and a new one is made when it is needed."""
        self.timer.control.left.clear()
        if self.timer.has_moved:
            self.close()

    def prepare(self) -> None:
        """Make the agent and set it up, unless there is one. Raises what the agent raises."""
        if self._agent is None:
            seed = random.Random(f"{self._seed} game {self._games}").getrandbits(31) if self._games else self._seed
            agent = self._make_agent(self._game, self.timer.limits, seed)
            if math.isinf(self.timer.limits.first_move_seconds):
                agent.setup()
            else:
                agent.setup_on_clock()
            self._agent = agent

    def close(self) -> None:
        """Close the agent if there is one; a new one is made when it is needed. Raises GtpError if the agent fails."""
        agent, self._agent = self._agent, None
        if agent is not None:
            self._games += self.timer.has_moved
            self.timer.start_agent()
            self._stats = None
            guarded(agent.close)

    def think(
        self, position: Position, moves_ahead: int, *, within: float = math.inf, spends: bool = True
    ) -> tuple[str, Position | None]:
        """Ask the agent for a move; about `moves_ahead` more of its own moves are expected, for its share of the time.

        It has at most `within` seconds from now on; without `spends` the game clock stands still. Returns its answer as
        text, and the position after the move; None if it is no legal move. Raises GtpError if the agent fails.
        """
        player = position.to_move
        limits, seconds = self.timer.for_move(player, moves_ahead)
        agent = self._prepared()
        self._stats, self._has_all_stats = None, False
        agent.limits = limits
        clock = self._clock = Clock(min(within, seconds - self.timer.request_seconds))
        self.timer.has_moved = True
        move = guarded(lambda: agent.step(position, clock))
        self._stats = {"seconds": clock.elapsed}
        if spends:
            self.timer.control.spend(player, self.timer.request_seconds)
        answer = self._answer(move, position)
        self._on_move()
        return answer

    def hurry(self) -> None:
        """End the time for the present move, if there is one: an agent that looks at its clock then answers.

        May be called by a signal handler.
        """
        if self._clock is not None:
            self._clock.hurry()

    def study(self, position: Position, seconds: float) -> list[Any]:
        """The agent's reports on the moves of a position, see `Agent.study`. Raises GtpError if it does not analyse."""
        agent = self._prepared()
        self._take_stats()
        try:
            return [*guarded(lambda: [*map(self._checked, agent.study(position, seconds))], NotImplementedError)]
        except NotImplementedError as error:
            raise GtpError(f"{self.name or type(agent).__name__} does not analyse") from error

    def _checked(self, report: Any) -> MoveReport:
        """A report with values of plain types. Raises for a report, a move or a line that is none."""
        pv = tuple(report.pv)
        for move in (report.move, *pv):
            self._game.format_move(move)
        figures = int(report.visits), float(report.value), float(report.prior)
        return MoveReport(report.move, *figures, pv, report.proven)

    def ownership(self) -> Any:
        """Who will own each point by the agent's last search, see `Agent.ownership`; None if it does not say."""
        agent = self._agent
        return guarded(agent.ownership) if agent is not None else None

    def has_fixed_simulations(self) -> bool:
        """Whether the agent searches a fixed number of simulations or nodes, instead of for a time."""
        options = getattr(self._prepared(), "options", None)
        return isinstance(options, dict) and bool(options.get("simulations") or options.get("nodes"))

    def search_stats(self) -> dict[str, Any]:
        """The figures of the last move: every key of STATS_KEYS, None if unknown. Raises GtpError before any move."""
        self._take_stats()
        if self._stats is None:
            raise GtpError("no move has been generated")
        return dict.fromkeys(STATS_KEYS) | self._stats | {"peak_rss_mb": _peak_mb()}

    def _prepared(self) -> Agent:
        guarded(self.prepare)
        assert self._agent is not None
        return self._agent

    def _take_stats(self) -> None:
        """Ask the agent for the figures of its last move, which another search would replace."""
        agent = self._agent
        if self._stats is None or self._has_all_stats or agent is None:
            return
        found = guarded(lambda: _plain(agent.analysis()))
        if isinstance(found, dict):
            self._stats |= {key: found[key] for key in STATS_KEYS if key in found}
        self._has_all_stats = True

    def _answer(self, move: Any, position: Position) -> tuple[str, Position | None]:
        """The agent's answer as `think` returns it. An illegal move is answered, too: the controller judges it."""
        text = one_line(guarded(lambda: answer_text(self._game, move))) or "nothing"
        try:
            return text, position.play(self._game.parse_move(text, position))
        except (ValueError, RulesError):
            return text, None


def answer_text(game: Game, move: Any) -> str:
    """An agent's answer as text. The answer can be an object of any class, whose methods are the agent's code."""
    if isinstance(move, str):
        return move
    try:
        return game.format_move(move)
    except Exception:  # no move of this game: the controller is shown the object instead
        return repr(move)


def _peak_mb() -> float | None:
    try:
        return round(peak_bytes() / 2**20, 1)
    except OSError:
        return None


def _plain(value: Any) -> Any:
    """A value from an agent as JSON can hold it: numpy's numbers become Python's, NaN and infinity become None."""
    text = json.dumps(value, default=lambda entry: entry.item() if hasattr(entry, "item") else str(entry))
    return json.loads(text, parse_constant=lambda name: None)

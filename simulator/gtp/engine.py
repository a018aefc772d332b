"""A GTP engine for any game of `game.py` and any agent of `agents`: the commands, the board, the clock of an agent.

The commands are those that GTP 2 demands of every engine, the usual others that make sense for every game, and
`unforced-...`, which make an engine of ours transparent to programs. A game adds its own through `GAME_COMMANDS`:
for Go they are in `go_commands.py`.

A game whose positions have `with_to_move(player)`, as Go's have, takes moves of either player at any time, and after
the end too.

An agent's exceptions, `SystemExit` and `KeyboardInterrupt` among them, become the answer `? agent failed: ...`, with
the traceback on stderr; the engine lives on. Ctrl-C is the process's business, see `worker.serve`.
"""

import json
import math
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, NamedTuple

from agents.agent import Agent, AgentError, Clock, Limits
from game import Game, NotationError, Position, format_result, load_game, perft
from simulator.gtp import protocol as gtp
from simulator.gtp.analysis import STATS_KEYS
from simulator.gtp.commands import go as go_commands
from simulator.gtp.protocol import Command, GtpError
from simulator.sandbox.proc import own_peak_mb

NAME, VERSION = "Unforced", "0.1.0"

MOVES_AHEAD = 20  # own moves that a game may still take at its start: Pentago's longest have 18, its average has 14
LEAST_MOVES_AHEAD = 8  # late in a game: nobody knows when it ends
LEAST_AHEAD_SHARE = 0.25  # of the moves expected at the start, if that is more
LEAST_SECONDS = 0.1  # of main time for a move while a third of it is more: below that, the reserves leave no search
RESERVE_SECONDS = 0.1  # of a controller's time for a move: what the answer takes on its way, and rounded seconds
RESERVE_SHARE = 0.1  # of the time for a move, if that is less

AgentMaker = Callable[[Game, Limits, int], Agent]
"""Makes an agent from the game, its limits and a seed."""


class Proposal(NamedTuple):
    """What an agent answered: the text for the wire, and the position it leads to, None if it is no legal move."""

    text: str
    position: Position | None


@dataclass
class TimeControl:
    """What a controller said of time: seconds, and stones to play in a period of overtime ("byo-yomi" in GTP).

    Attributes:
        main: main time; infinity where nothing was said of it.
        period: a period of overtime.
        stones: moves in a period (Canadian), or with `is_japanese` the number of periods, each for one move.
        left: for each player who was told, what is left: of the main time with 0, else of the period with the stones
            (or periods) that are left.
    """

    main: float
    period: float
    stones: int
    is_japanese: bool = False
    left: dict[int, tuple[float, int]] = field(default_factory=dict)

    @property
    def is_unlimited(self) -> bool:
        """GTP: a period without stones means no limit; so do settings without any time."""
        return (self.stones == 0 and self.period > 0) or (self.main == 0 and self.period == 0)

    def seconds(self, player: int, moves_ahead: int = MOVES_AHEAD) -> float | None:
        """The time for one move if so many are to be expected, None if there is no limit. No more than is left."""
        seconds, stones = self.left.get(player, (self.main, 0))
        if self.is_unlimited or math.isinf(seconds):
            return None
        if stones > 0:
            return seconds if self.is_japanese else seconds / stones
        return max(seconds / max(1, moves_ahead), min(LEAST_SECONDS, seconds / 3)) + self._overtime

    @property
    def _overtime(self) -> float:
        """The time for a move when the main time is used up."""
        if self.stones == 0:
            return 0.0
        return self.period if self.is_japanese else self.period / self.stones

    def spend(self, player: int, seconds: float) -> None:
        """Count a move's time against the main time, until the controller says what is left."""
        left, stones = self.left.get(player, (self.main, 0))
        if stones == 0:
            self.left[player] = max(0.0, left - seconds), 0

    def restart(self) -> None:
        """A new game begins: all time is there again."""
        self.left.clear()


def moves_expected(at_start: int, played: int) -> int:
    """Own moves that are still to be expected after so many, if at the start it was `at_start`.

    >>> moves_expected(20, 5), moves_expected(20, 30)
    (15, 8)
    """
    return max(at_start - played, LEAST_MOVES_AHEAD, round(at_start * LEAST_AHEAD_SHARE))


class Engine:
    """One board, one agent, and the commands on them.

    The first move of a game may take `limits.first_move_seconds`, less what the engine has spent since `started` (a
    time of `time.monotonic`), idle waiting excluded: set-up counts, an opponent who thinks does not. Later moves may
    take `limits.move_seconds`. A controller's `time_settings` go before both.

    The first agent gets `seed` itself, the agents of later games numbers derived from it. `extra_commands` makes
    commands that go before all others.

    Attributes:
        positions: the game so far, for undo.
        time_control: what the controller said of time, None if nothing.
        wait_for_input: waits for so many seconds at most and says whether the controller has written another line.
            An engine that does not serve a descriptor sees one always, so that live answers end.
    """

    def __init__(
        self,
        game_name: str,
        make_agent: AgentMaker,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        game_options: Mapping[str, Any] | None = None,
        name: str = "",
        started: float | None = None,
        extra_commands: "CommandMaker | None" = None,
    ) -> None:
        self.game_name, self.game_options = game_name, dict(game_options or {})
        self.game = load_game(game_name, **self.game_options)
        self.limits = limits or Limits()
        self.positions = [self.game.initial()]
        self.time_control: TimeControl | None = None
        self.wait_for_input: Callable[[float], bool] = lambda seconds: True
        extra = extra_commands(self) if extra_commands is not None else {}
        self.server = gtp.Server(self._commands() | self._game_commands() | extra)
        self._make_agent = make_agent
        self._name = name
        self._seed, self._games = seed, 0
        self._agent: Agent | None = None
        self._has_moved = False
        self._stats: dict[str, Any] | None = None
        self._keeps_stats = False  # `_stats` has all of the last move's figures already
        self._request_started = time.monotonic()
        self._spent = self._request_started - (self._request_started if started is None else started)

    # --- The board ---

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.positions[-1]

    def answer(self, line: str) -> str | None:
        """The whole answer to one line of GTP, None if it needs none."""
        return "".join(self.pieces(line)) or None

    def pieces(self, line: str) -> Iterator[str]:
        """The answer to one line in the pieces in which it is to be sent, see `gtp.Server`."""
        self.restart_stopwatch()
        try:
            yield from self.server.pieces(line)
        finally:
            self._spent += self._elapsed()

    def serve(self, reader: BinaryIO, writer: BinaryIO) -> None:
        """Answer every line of `reader` on `writer` until `quit` or the end. Raises OSError when the wire breaks.

        `reader` has a descriptor, and nothing was read from it.
        """
        lines = gtp.Lines(reader.fileno())
        self.wait_for_input = lines.wait
        while not self.server.finished and (line := lines.read()):
            for piece in self.pieces(line.decode("utf-8", "replace")):
                writer.write(piece.encode("utf-8", "replace"))
                writer.flush()

    def set_game(self, **options: Any) -> None:
        """Take the same game with other options (another size of the board, say), without touching the position.

        The agent is closed, because it was made for the old one. Raises as `game.load_game`.
        """
        self.game = load_game(self.game_name, **self.game_options | options)
        self.game_options |= options
        self._close_agent()

    def new_game(self, position: Position | None = None) -> None:
        """The position at the start, or another, and all time; a new agent when needed if the present one has moved."""
        self.positions = [position or self.game.initial()]
        if self.time_control is not None:
            self.time_control.restart()
        if self._has_moved:
            self._close_agent()

    def colour(self, text: str) -> int:
        """The player that a colour names. Raises GtpError."""
        letter = {"white": "w", "black": "b"}.get(text.lower(), text.lower())
        if letter not in self.game.players:
            raise gtp.explained(gtp.SYNTAX_ERROR, f"{text!r} is no colour: {' or '.join(self.game.players)}")
        return self.game.players.index(letter)

    def set_time(self, main: float, period: float, stones: int, is_japanese: bool = False) -> None:
        """What the controller says of time, see `TimeControl`."""
        self.time_control = TimeControl(main, period, stones, is_japanese)

    def turn_of(self, player: int) -> Position:
        """The position on the board with that player to move. Raises GtpError where the game does not allow it."""
        position = self.position
        if position.result is None and player == position.to_move:
            return position
        if hasattr(position, "with_to_move"):
            turned: Position = position.with_to_move(player)
            return turned
        if position.result is not None:
            raise GtpError("the game is over")
        raise GtpError(f"{gtp.ILLEGAL_MOVE}: {self.game.players[position.to_move]} is to move")

    def restart_stopwatch(self) -> None:
        """What the present request has taken so far does not count."""
        self._request_started = time.monotonic()

    def _elapsed(self) -> float:
        return time.monotonic() - self._request_started

    # --- The agent ---

    def prepare(self) -> None:
        """Make the agent and set it up, if that has not been done for this game. Raises what the agent raises."""
        if self._agent is None:
            agent = self._make_agent(self.game, self.limits, self._next_seed())
            agent.setup()
            self._agent = agent

    def _next_seed(self) -> int:
        if self._games == 0:
            return self._seed
        return random.Random(f"{self._seed} game {self._games}").getrandbits(31)

    def _close_agent(self) -> None:
        agent, self._agent = self._agent, None
        if agent is not None:
            self._games += self._has_moved
            self._has_moved, self._spent, self._stats = False, 0.0, None
            guarded(agent.close)

    def _controlled_seconds(self, player: int) -> float | None:
        """The time for a move as the controller's settings have it, None without a limit of theirs."""
        if self.time_control is None:
            return None
        expected = moves_expected(getattr(self.game, "moves_ahead", MOVES_AHEAD), self.position.ply // 2)
        seconds = self.time_control.seconds(player, expected)
        return None if seconds is None else seconds - min(RESERVE_SECONDS, RESERVE_SHARE * seconds)

    def _limits_for(self, player: int) -> tuple[Limits, float]:
        """What the agent may use for its next move, and the seconds of its clock."""
        seconds = self._controlled_seconds(player)
        if seconds is not None:
            return replace(self.limits, move_seconds=seconds), seconds
        if self._has_moved:
            return self.limits, self.limits.move_seconds
        return self.limits, self.limits.first_move_seconds - self._spent

    def think(self, player: int, restrict: Callable[[Position], Position] = lambda position: position) -> Proposal:
        """Ask the agent for a move in `restrict` of the position. Raises GtpError if it fails, or cannot be asked."""
        position = restrict(self.turn_of(player))
        limits, seconds = self._limits_for(player)
        guarded(self.prepare)
        agent = self._agent
        assert agent is not None
        self._stats, self._keeps_stats = None, False
        agent.limits = limits
        clock = Clock(seconds - self._elapsed())
        self._has_moved = True
        move = guarded(lambda: agent.step(position, clock))
        self._stats = {"seconds": clock.elapsed}
        if self.time_control is not None:
            self.time_control.spend(player, self._elapsed())
        return self._proposal(move, position)

    def play(self, position: Position | None) -> None:
        """Put a proposed position on the board; None, which no legal move led to, leaves it alone."""
        if position is not None:
            self.positions.append(position)

    def genmove(self, player: int, restrict: Callable[[Position], Position] = lambda position: position) -> str:
        """As `think`; plays the move, if it is one, and returns its text."""
        text, position = self.think(player, restrict)
        self.play(position)
        return text

    def has_fixed_simulations(self) -> bool:
        """Whether the agent searches with a number of simulations that was set, not by the clock."""
        guarded(self.prepare)
        options = getattr(self._agent, "options", None)
        return isinstance(options, dict) and bool(options.get("simulations"))

    def thinking_seconds(self, player: int) -> float:
        """How long the agent will think at its next move, about."""
        limits, seconds = self._limits_for(player)
        return min(seconds, limits.move_seconds)

    def study(self, position: Position, seconds: float) -> list[Any]:
        """The agent's reports on the moves of a position (`Agent.study`). Raises GtpError if it has none."""
        guarded(self.prepare)
        self._keep_stats()
        agent: Any = self._agent
        try:
            return list(guarded(lambda: agent.study(position, seconds), NotImplementedError))
        except NotImplementedError as error:
            raise GtpError(f"{self._name or type(agent).__name__} does not analyse") from error

    def ownership(self) -> Any:
        """Who will own which point by the agent's last search (`Agent.ownership`), None if it does not say."""
        agent: Any = self._agent
        return guarded(agent.ownership) if hasattr(agent, "ownership") else None

    def _proposal(self, move: Any, position: Position) -> Proposal:
        """The answer for the wire. What is no legal move goes out as it is, for the controller to judge."""
        text = gtp.one_line(guarded(lambda: self._text_of(move))) or "nothing"
        try:
            return Proposal(text, position.play(self.game.parse_move(text, position)))
        except ValueError:
            return Proposal(text, None)

    def _text_of(self, move: Any) -> str:
        """What an agent returned, as text. It can be an object of any class, whose methods are the agent's code."""
        if isinstance(move, str):
            return move
        try:
            return self.game.format_move(move)
        except Exception:  # no move of this game, and the controller shall see what it is instead
            return repr(move)

    # --- The commands ---

    def _commands(self) -> dict[str, Command]:
        return {
            "quit": self._quit,
            "name": lambda arguments: f"{NAME} {self._name}".rstrip(),
            "version": lambda arguments: VERSION,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda arguments: "\n" + self.game.draw(self.position),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "unforced-legal_moves": self._legal_moves,
            "unforced-result": lambda arguments: format_result(self.game, self.position.result),
            "unforced-position": lambda arguments: self.game.format_position(self.position),
            "unforced-set_position": self._set_position,
            "unforced-search_stats": self._search_stats,
            "unforced-perft": self._perft,
        }

    def _game_commands(self) -> dict[str, Command]:
        make = GAME_COMMANDS.get(self.game_name)
        return make(self) if make is not None else {}

    def _quit(self, arguments: list[str]) -> str:
        self.server.finished = True
        self._close_agent()
        return ""

    def _boardsize(self, arguments: list[str]) -> str:
        size = gtp.integer(gtp.one(arguments))
        if size != self._board_size:
            try:
                self.set_game(size=size)
            except (TypeError, ValueError) as error:
                reason = error if hasattr(self.game, "size") else self._only_size
                raise gtp.explained(gtp.UNACCEPTABLE_SIZE, reason) from error
        self.new_game()
        return ""

    @property
    def _board_size(self) -> int:
        if hasattr(self.game, "size"):
            return int(self.game.size)
        return int(self.game.initial().board.shape[0])

    @property
    def _only_size(self) -> str:
        name, size = self.game_name, self._board_size
        return f"this engine plays {name}, whose board is {size}x{size}; start it with --game go for Go"

    def _clear_board(self, arguments: list[str]) -> str:
        self.new_game()
        return ""

    def _komi(self, arguments: list[str]) -> str:
        gtp.number(gtp.one(arguments))  # any komi is accepted; a game that has one brings its own command
        return ""

    def _play(self, arguments: list[str]) -> str:
        if len(arguments) < 2:
            raise gtp.explained(gtp.SYNTAX_ERROR, "play wants a colour and a move")
        player = self.colour(arguments[0])
        try:
            move = self.game.parse_move(" ".join(arguments[1:]), self.position)
        except NotationError as error:
            raise gtp.explained(gtp.SYNTAX_ERROR, error) from error
        try:
            self.positions.append(self.turn_of(player).play(move))
        except (GtpError, ValueError) as error:
            raise gtp.explained(gtp.ILLEGAL_MOVE, error) from error
        return ""

    def _genmove(self, arguments: list[str]) -> str:
        return self.genmove(self.colour(gtp.one(arguments)))

    def _reg_genmove(self, arguments: list[str]) -> str:
        return self.think(self.colour(gtp.one(arguments))).text

    def _undo(self, arguments: list[str]) -> str:
        if len(self.positions) == 1:
            raise gtp.explained(gtp.CANNOT_UNDO, "no move has been played since the board was set")
        self.positions.pop()
        return ""

    def _time_settings(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise gtp.explained(gtp.SYNTAX_ERROR, "time_settings wants main time, period and stones")
        main, period, stones = arguments
        self.set_time(gtp.duration(main), gtp.duration(period), gtp.integer(stones))
        return ""

    def _time_left(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise gtp.explained(gtp.SYNTAX_ERROR, "time_left wants a colour, seconds and stones")
        player, left = self.colour(arguments[0]), (gtp.duration(arguments[1]), gtp.integer(arguments[2]))
        if self.time_control is None:
            self.time_control = TimeControl(math.inf, 0.0, 0)
        self.time_control.left[player] = left
        return ""

    def _final_score(self, arguments: list[str]) -> str:
        if self.position.result is None:
            raise gtp.explained(gtp.CANNOT_SCORE, "the game is not over")
        return format_result(self.game, self.position.result)

    def _legal_moves(self, arguments: list[str]) -> str:
        if self.colour(gtp.one(arguments)) != self.position.to_move:
            return ""
        return " ".join(self.game.format_move(move) for move in self.position.legal_moves())

    def _set_position(self, arguments: list[str]) -> str:
        """The agent stays: a program that asks for a thousand positions should not pay a thousand set-ups."""
        try:
            self.positions = [self.game.parse_position(" ".join(arguments))]
        except NotationError as error:
            raise gtp.explained(gtp.SYNTAX_ERROR, error) from error
        return ""

    def _search_stats(self, arguments: list[str]) -> str:
        self._keep_stats()
        if self._stats is None:
            raise GtpError("no move has been generated")
        stats = dict.fromkeys(STATS_KEYS) | self._stats
        stats["peak_rss_mb"] = round(own_peak_mb(), 1)
        return json.dumps(stats)

    def _keep_stats(self) -> None:
        """Ask the agent for the figures of its last move before it searches for something else, or closes."""
        agent = self._agent
        if self._stats is None or self._keeps_stats or agent is None:
            return
        said = guarded(lambda: _plain(agent.analysis()))
        if isinstance(said, dict):
            self._stats |= {key: said[key] for key in STATS_KEYS if key in said}
        self._keeps_stats = True

    def _perft(self, arguments: list[str]) -> str:
        return str(perft(self.position, gtp.integer(gtp.one(arguments))))


CommandMaker = Callable[[Engine], dict[str, Command]]

GAME_COMMANDS: dict[str, CommandMaker] = {"go": go_commands.go_commands}
"""For each game that has commands of its own, what makes them for an engine; they go before the general ones."""


# --- Guarding against agents ----------------------------------------------------------------------------------------


def guarded(call: Callable[[], Any], *passed_on: type[BaseException]) -> Any:
    """What the agent's own code returns; what it raises goes to stderr and becomes a GtpError of one line.

    Raises what is `passed_on` as it is.
    """
    try:
        return call()
    except passed_on:
        raise
    except BaseException as error:
        if not isinstance(error, AgentError):  # whose message says all
            traceback.print_exc(file=sys.stderr)
        reason = "".join(traceback.format_exception_only(error))
        raise GtpError(gtp.one_line(f"agent failed: {reason}")) from error


def _plain(value: Any) -> Any:
    """A value from an agent as JSON can say it: numpy's numbers as Python's, what is not a number as null."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, bool | int) else str(value)

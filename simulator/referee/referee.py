"""One game between two agents that nobody trusts: its clocks, its verdict, its record.

The referee keeps the only position that counts. It asks one seat for a move, stops that seat's processes as soon as the
answer is there, judges the answer, and asks the other. An agent's process is started when its first move is asked for,
on that move's clock: so both have the same time for starting, and neither thinks while the other starts.

How a game can end, and what the record says of it: `docs/verdicts.md`. Begin reading at `play_game`.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agents.agent import RESIGN, AgentSpec
from game import Game, Position, Result, format_result
from simulator.gtp.syntax import one_line
from simulator.player.enforcement import enforced_limits
from simulator.player.player import Answer, Fault, Seat
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import available_mechanisms

ATTEMPTS = 3  # at a game (in a tournament at a pair) in which the referee's machine fails, before it counts as void
TICK_SECONDS = 0.1
TOLERATED_SECONDS = 0.1  # by which an answer may seem late because the referee itself was; above, the game is void


class HeldUp(Exception):
    """The referee was held up for so long that nobody can say whether an answer was in time."""


class Watcher:
    """Is told what happens in a game; this one does nothing. What a watcher raises ends the game, with seats closed."""

    def game_started(self, game: Game, names: tuple[str, str], position: Position) -> None:
        """The opening has been played, the agents take over at `position`."""

    def move_started(self, player: int, position: Position, limit_seconds: float) -> None:
        """A player is about to be asked for a move."""

    def tick(self, player: int, elapsed: float, memory_mb: float) -> None:
        """About ten times a second while a player thinks: seconds since it was asked, and its memory now."""

    def move_made(self, record: MoveRecord, position: Position) -> None:
        """A move was played and led to `position`."""

    def game_ended(self, record: GameRecord) -> None:
        """The game is over, and no process of it is left."""


def play_game(
    specs: tuple[AgentSpec, AgentSpec],
    conditions: Conditions | None = None,
    *,
    seed: int = 0,
    opening: Sequence[str] = (),
    names: tuple[str, str] | None = None,
    watcher: Watcher | None = None,
    cores: tuple[int, ...] | None = None,
) -> GameRecord:
    """Play one game and return its record; whatever the agents do, it returns, and leaves no process behind.

    Args:
        specs: the agents of the players 0 and 1, in this order.
        conditions: Pentago as the course plays it if None.
        seed: from it come the agents' seeds and the replacement moves.
        opening: texts of moves that are played before the agents take over.
        names: how records call the agents; by default what they are called on the command line.
        watcher: is told of everything while it happens.
        cores: the processors that the agents run on, by turns; by default the last ones that this thread may use.

    A game that has had as many moves as it may have (`Game.longest_game`) is stopped, and `Game.adjudicate` counts it.

    If the machine itself fails (no process, no memory, no descriptor left), or holds the referee up so that it cannot
    say whether an answer was in time, the game is VOID. What fails when the game is over is in the record. Raises
    InputError for an unknown game or bad options, ValueError for an illegal opening, IsolationError, and
    what the watcher raises.
    """
    table = _Table(specs, conditions or Conditions(), seed=seed, names=names, cores=cores)
    table.play_opening(opening)
    watcher = watcher or Watcher()
    watcher.game_started(table.game, table.names, table.position)
    polite = False
    try:
        verdict = table.play(watcher)
        polite = verdict.loser is None
    finally:
        table.close(polite)
    record = table.record(verdict)
    watcher.game_ended(record)
    return record


@dataclass
class _Turn:
    """Hands a watcher its ticks, ten a second."""

    watcher: Watcher
    player: int
    started: float = field(default_factory=time.monotonic)
    next_tick: float = 0.0

    def tick(self, memory_mb: float) -> None:
        now = time.monotonic()
        if now >= self.next_tick:
            self.next_tick = now + TICK_SECONDS
            self.watcher.tick(self.player, now - self.started, memory_mb)


class _Table:
    """The state of one game while it is played."""

    def __init__(
        self,
        specs: tuple[AgentSpec, AgentSpec],
        conditions: Conditions,
        *,
        seed: int,
        names: tuple[str, str] | None,
        cores: tuple[int, ...] | None,
    ) -> None:
        self.game, self.limits, self.rules, self.seed = (
            conditions.load_game(),
            conditions.limits,
            conditions.rules,
            seed,
        )
        self.game_options = dict(conditions.game_options)
        self.names = names or (specs[0].name, specs[1].name)
        self.position = self.game.initial()
        self.date = datetime.now().astimezone().isoformat(timespec="seconds")
        self.counted: Result | None = None  # the result of a game that was stopped because of its length
        self.incidents: list[str] = []
        self.opening: list[str] = []
        self.moves: list[MoveRecord] = []
        self.cores = choose_cores(self.limits.processors) if cores is None else cores
        self.mechanisms = available_mechanisms(conditions.isolation)
        if conditions.isolation == "required":
            self.mechanisms.require(self.limits, self.cores)
        rows = enforced_limits(self.mechanisms, self.limits, self.cores)
        self.enforcement = {row.limit: row.mechanism for row in rows}
        self._random = random.Random(f"{seed} replacement")
        self._has_moved = [False, False]
        self._seats = [
            Seat(
                spec,
                self.game,
                player,
                self.limits,
                seed=random.Random(f"{seed} player {player}").getrandbits(31),
                name=self.names[player],
                game_options=self.game_options,
                cores=self.cores,
                mechanisms=self.mechanisms,
                opponent=specs[1 - player],
            )
            for player, spec in enumerate(specs)
        ]

    # --- The course of the game ---

    def play_opening(self, opening: Sequence[str]) -> None:
        """Play the given moves for the players. Raises ValueError."""
        for text in opening:
            player = self.position.to_move
            move = self.game.parse_move(text, self.position)
            self.position = self.position.play(move)
            canonical = self.game.format_move(move)
            self.opening.append(canonical)
            for seat in self._seats:
                seat.tell(player, canonical)

    def play(self, watcher: Watcher) -> Verdict:
        """Ask for moves in turn until the game ends, on the board or otherwise."""
        while self.position.result is None:
            if self._ply >= self.game.longest_game:
                return self._stopped()
            player = self.position.to_move
            try:
                verdict = self._move(player, watcher)
            except Fault as fault:
                verdict = self._lost(player, fault)
            except HeldUp as error:
                return Verdict(None, Reason.VOID, str(error), self._ply)
            except (OSError, MemoryError) as error:
                return Verdict(None, Reason.VOID, f"the referee's machine failed: {error!r}", self._ply)
            if verdict is not None:
                return verdict
        return self._ended_on_board(self.position.result)

    @property
    def _ply(self) -> int:
        return len(self.opening) + len(self.moves)

    def _move(self, player: int, watcher: Watcher) -> Verdict | None:
        """One move of a player: asked for, judged, played. Returns a verdict if the player resigned; raises Fault."""
        seat = self._seats[player]
        limit = self.limits.move_seconds if self._has_moved[player] else self.limits.first_move_seconds
        watcher.move_started(player, self.position, limit)
        answer = seat.ask(limit, _Turn(watcher, player).tick)
        self._has_moved[player] = True
        late = self._is_late(player, answer, limit)
        if late and self.rules == "strict":
            what = f"answered after {answer.seconds:.3f} s, the limit is {limit:g} s"
            raise Fault(Reason.TIMEOUT, what, answer.seconds, limit)
        if not late and answer.text.lower() == RESIGN:
            return self._resigned(player)
        text, position = self._replaced(seat, answer) if late else self._accepted(seat, answer)
        analysis = {} if late else seat.analysis()
        seat.pause()
        self._seats[1 - player].tell(player, text)
        record = MoveRecord(
            self._ply,
            player,
            text,
            answer.seconds,
            seat.peak_memory_mb,
            late,
            one_line(answer.text),
            analysis,
            answer.delay_seconds,
        )
        self.moves.append(record)
        self.position = position
        watcher.move_made(record, position)
        return None

    def _is_late(self, player: int, answer: Answer, limit: float) -> bool:
        """Whether an answer came too late; in doubt, because the referee was late itself, it did not. Raises HeldUp."""
        if answer.seconds <= limit or answer.seconds - answer.unsure_seconds > limit:
            return answer.seconds > limit
        if answer.unsure_seconds > TOLERATED_SECONDS:
            raise HeldUp(
                f"the referee itself was held up for {answer.unsure_seconds:.2f} s while {self._called(player)} was "
                f"asked for move {self._ply + 1}: nobody can say whether the answer, seen after {answer.seconds:.2f} s,"
                f" was within {limit:g} s"
            )
        return False

    def _judge(self, text: str) -> tuple[str, Position]:
        """The canonical text of an answer and the position it leads to. Raises ValueError if it is no legal move."""
        try:
            move = self.game.parse_move(text, self.position)
            return self.game.format_move(move), self.position.play(move)
        except ValueError:
            raise
        except Exception as error:  # a text on which the game's own reader stumbles is no move either
            raise ValueError(f"it cannot be read: {error!r}") from error

    def _accepted(self, seat: Seat, answer: Answer) -> tuple[str, Position]:
        try:
            text, position = self._judge(answer.text)
        except ValueError as error:
            what = f"answered {one_line(answer.text, 80)!r}, which is not a legal move: {one_line(str(error), 200)}"
            raise Fault(Reason.ILLEGAL, what) from error
        seat.made(text)
        return text, position

    def _replaced(self, seat: Seat, answer: Answer) -> tuple[str, Position]:
        """A random move in the place of an answer that came late."""
        try:
            self._judge(answer.text)
            has_played = True
        except ValueError:
            has_played = False
        move = self._random.choice(self.position.legal_moves())
        text = self.game.format_move(move)
        seat.correct(text, has_played)
        return text, self.position.play(move)

    # --- Verdicts ---

    def _called(self, player: int) -> str:
        return f"{self.names[player]} ({self.game.players[player]})"

    def _lost(self, player: int, fault: Fault) -> Verdict:
        self._close(player, polite=False)  # first, so that its last words are there to be read
        return Verdict(
            winner=1 - player,
            reason=fault.reason,
            text=f"{self._called(player)} loses: asked for move {self._ply + 1}, it {fault.what}",
            ply=self._ply,
            loser=player,
            measured=fault.measured,
            limit=fault.limit,
            stderr=self._seats[player].stderr_lines(),
        )

    def _resigned(self, player: int) -> Verdict:
        text = f"{self._called(player)} loses: asked for move {self._ply + 1}, it resigned"
        return Verdict(1 - player, Reason.RESIGNATION, text, self._ply, loser=player)

    def _ended_on_board(self, result: Result) -> Verdict:
        if result.winner is None:
            text = f"drawn on the board after {self._ply} moves"
        else:
            text = f"{self._called(result.winner)} wins on the board{_by(result)} after {self._ply} moves"
        return Verdict(result.winner, Reason.RULES, text, self._ply)

    def _stopped(self) -> Verdict:
        """The game has had as many moves as it may have: it is counted as it stands."""
        self.counted = self.game.adjudicate(self.position)
        winner = self.counted.winner
        who = "it is drawn" if winner is None else f"{self._called(winner)} wins{_by(self.counted)}"
        text = f"stopped after {self._ply} moves, the most that a game may have; as the board stands, {who}"
        return Verdict(winner, Reason.RULES, text, self._ply)

    # --- The end ---

    def close(self, polite: bool) -> None:
        """End both agents' processes; the second one's even if an exception ends the closing of the first."""
        try:
            self._close(0, polite)
        finally:
            self._close(1, polite)

    def _close(self, player: int, polite: bool) -> None:
        try:
            self._seats[player].close(polite)
        except OSError as error:
            self.incidents.append(f"after its game, {self._called(player)} was not tidied up: {error}")

    def record(self, verdict: Verdict) -> GameRecord:
        """The game's record."""
        return GameRecord(
            game=self.game.name,
            agents=self.names,
            seed=self.seed,
            opening=tuple(self.opening),
            moves=tuple(self.moves),
            result=format_result(self.game, self._result(verdict)),
            final_position=self.game.format_position(self.position),
            verdict=verdict,
            peak_memory_mb=(self._seats[0].peak_memory_mb, self._seats[1].peak_memory_mb),
            enforcement=self.enforcement,
            options=self.game.settled_options,
            date=self.date,
            startup_seconds=(self._seats[0].startup_seconds, self._seats[1].startup_seconds),
            incidents=tuple(self.incidents),
            logs=(self._seats[0].stderr_lines(), self._seats[1].stderr_lines()),
        )

    def _result(self, verdict: Verdict) -> Result | None:
        if verdict.reason == Reason.VOID:
            return None
        return self.position.result or self.counted or Result(verdict.winner)


def _by(result: Result) -> str:
    return "" if result.margin is None else f" by {result.margin:g}"

"""One game between two agents that nobody trusts: its clocks, its verdict, its record.

The referee keeps the only position that counts. It asks one player for a move, stops that player's processes as soon as
the answer is there, judges the answer, and asks the other. An agent's process is started when its first move is asked
for, on that move's clock: so both have the same time for starting, and neither thinks while the other starts.

How a game can end, and what the record says of it: `docs/verdicts.md`. Begin reading at `play_game`.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from agents.agent import RESIGN, AgentSpec
from game import FIRST, SECOND, Position, Result, format_result
from simulator.gtp.analysis import Analysis
from simulator.gtp.syntax import one_line
from simulator.player import faults
from simulator.player.enforcement import enforced_limits
from simulator.player.faults import Fault
from simulator.player.launch import Launch
from simulator.player.player import Answer, Player
from simulator.player.prepare import cache_of
from simulator.referee.clocks import HeldUp, PlayerClock
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.referee.seeds import derived_seed, game_seed
from simulator.referee.verdicts import Verdicts
from simulator.referee.watcher import Ticks, Watcher, WatcherError
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import available_mechanisms

ATTEMPTS = 3  # at a game (in a tournament at a pair) in which the referee's machine fails, before it counts as void


def play_game(
    specs: tuple[AgentSpec, AgentSpec],
    conditions: Conditions | None = None,
    *,
    seed: int | None = None,
    opening: Sequence[str] = (),
    names: tuple[str, str] | None = None,
    watcher: Watcher | None = None,
    cores: tuple[int, ...] | None = None,
    reports: bool = False,
    hidden: tuple[Path, ...] = (),
) -> GameRecord:
    """Play one game and return its record; whatever the agents do, it returns, and leaves no process behind.

    Args:
        specs: the agents of the players 0 and 1, in this order.
        conditions: Pentago as the course plays it if None.
        seed: from it come the agents' seeds and the replacement moves; drawn if None.
        opening: texts of moves that are played before the agents take over.
        names: how records call the agents; by default what they are called on the command line.
        watcher: is told of everything while it happens.
        cores: the processors that the agents run on, by turns; by default the last ones that this thread may use.
        reports: whether Python agents' logs say what these do, see `simulator/player/self_report.py`.
        hidden: files that no agent may read, wherever they lie.

    A game that has had as many moves as it may have (`Game.longest_game`) is stopped, and `Game.adjudicate` counts it.

    If the machine itself fails (no process, no memory, no descriptor left), or holds the referee up so that it cannot
    say whether an answer was in time, the game is VOID. What fails when the game is over is in the record. Raises
    InputError for an unknown game or bad options, ValueError for an illegal opening, IsolationError, and what the
    watcher raises.
    """
    names = names or (specs[0].name, specs[1].name)
    seed = game_seed(None, 1) if seed is None else seed
    game = _Game(specs, conditions or Conditions(), seed, names, cores, reports, hidden)
    game.play_opening(opening)
    watcher = watcher or Watcher()
    watcher.game_started(game.game, names, game.position)
    polite = False
    try:
        verdict = game.play(watcher)
        polite = verdict.loser is None
    finally:
        game.close(polite)
    record = game.record(verdict)
    watcher.game_ended(record)
    return record


class _Game:
    """A game while it is played."""

    def __init__(
        self,
        specs: tuple[AgentSpec, AgentSpec],
        conditions: Conditions,
        seed: int,
        names: tuple[str, str],
        cores: tuple[int, ...] | None,
        reports: bool,
        hidden: tuple[Path, ...],
    ) -> None:
        self.game = conditions.load_game()
        self.position = self.game.initial()
        self.names, self.seed = names, seed
        self._verdicts = Verdicts(names, self.game.players)
        self._is_strict = conditions.rules == "strict"
        self._date = datetime.now().astimezone().isoformat(timespec="seconds")
        self._adjudicated: Result | None = None  # the result of a game that was stopped because of its length
        self._incidents: list[str] = []
        self._opening: list[str] = []
        self._moves: list[MoveRecord] = []
        self._random = random.Random(derived_seed(seed, "replacement"))
        self._limits = (conditions.limits_for(names[0]), conditions.limits_for(names[1]))
        self._clocks = tuple(map(PlayerClock, self._limits))
        launches = [
            replace(self._launch(player, specs, conditions, cores), reports=reports, hidden=hidden)
            for player in (FIRST, SECOND)
        ]
        self._players = [Player(launch, player) for player, launch in enumerate(launches)]
        self._enforcement = _enforcement(launches, is_required=conditions.isolation == "required")

    def _launch(
        self,
        player: int,
        specs: tuple[AgentSpec, AgentSpec],
        conditions: Conditions,
        cores: tuple[int, ...] | None,
    ) -> Launch:
        limits = self._limits[player]
        return Launch(
            specs[player],
            self.game,
            limits,
            self.names[player],
            seed=derived_seed(self.seed, f"player {player}"),
            cores=choose_cores(limits.processors) if cores is None else cores[-max(1, limits.processors) :],
            mechanisms=available_mechanisms(conditions.isolation),
            opponent=specs[1 - player],
            keeps_transcript=conditions.transcripts,
            cache=cache_of(specs[player], self.game),
        )

    # --- The course of the game ---

    def play_opening(self, opening: Sequence[str]) -> None:
        """Play the given moves for the players. Raises ValueError."""
        for text in opening:
            side = self.position.to_move
            move = self.game.parse_move(text, self.position)
            self.position = self.position.play(move)
            self._opening.append(self.game.format_move(move))
            for player in self._players:
                player.tell(side, self._opening[-1])

    def play(self, watcher: Watcher) -> Verdict:
        """Ask for moves in turn until the game ends, on the board or otherwise."""
        while self.position.result is None:
            if self._ply >= self.game.longest_game:
                return self._adjudicate()
            player = self.position.to_move
            watcher.move_started(player, self.position, self._clocks[player].for_move().announced)
            try:
                verdict = self._move(player, Ticks(watcher, player))
            except WatcherError as error:
                raise (error.__cause__ or error) from None
            except Fault as fault:
                verdict = self._lost(player, fault)
            except HeldUp as error:
                return self._verdicts.void(
                    f"move {self._ply + 1} of {self._verdicts.called(player)}: {error}", self._ply
                )
            except (OSError, MemoryError) as error:
                return self._verdicts.void(f"the referee's machine failed: {error!r}", self._ply)
            if verdict is not None:
                return verdict
            watcher.move_made(self._moves[-1], self.position)
        return self._verdicts.on_board(self.position.result, self._ply)

    @property
    def _ply(self) -> int:
        return len(self._opening) + len(self._moves)

    def _move(self, side: int, ticks: Ticks) -> Verdict | None:
        """One move of a player: asked for, judged, played. Returns a verdict if the player resigned; raises Fault."""
        player, clock = self._players[side], self._clocks[side]
        allowed = clock.for_move()
        answer = player.ask(allowed, ticks.look)
        late = clock.is_late(answer, allowed, is_strict=self._is_strict)
        clock.moved(answer)
        if not late and answer.text.lower() == RESIGN:
            return self._verdicts.resigned(side, self._ply)
        text, position = self._replaced(player, answer) if late else self._accepted(player, answer)
        analysis = Analysis() if late else player.analysis()
        player.pause()
        self._players[1 - side].tell(side, text)
        record = MoveRecord(
            ply=self._ply,
            player=side,
            move=text,
            seconds=answer.seconds,
            peak_memory_mb=player.process.peak_memory_mb,
            replaced=late,
            answer=one_line(answer.text),
            analysis=analysis,
            delay_seconds=answer.delay_seconds,
            clock_seconds=clock.left,
        )
        self._moves.append(record)
        self.position = position
        return None

    def _judge(self, text: str) -> tuple[str, Position]:
        """The canonical text of an answer and the position it leads to. Raises ValueError if it is no legal move."""
        try:
            move = self.game.parse_move(text, self.position)
            return self.game.format_move(move), self.position.play(move)
        except ValueError:
            raise
        except Exception as error:  # a text on which the game's own reader stumbles is no move either
            raise ValueError(f"it cannot be read: {error!r}") from error

    def _accepted(self, player: Player, answer: Answer) -> tuple[str, Position]:
        try:
            text, position = self._judge(answer.text)
        except ValueError as error:
            raise faults.illegal(answer.text, str(error)) from error
        player.made(text)
        return text, position

    def _replaced(self, player: Player, answer: Answer) -> tuple[str, Position]:
        """A random move in the place of an answer that came late."""
        try:
            self._judge(answer.text)
            has_played = True
        except ValueError:
            has_played = False
        move = self._random.choice(self.position.legal_moves())
        text = self.game.format_move(move)
        player.correct(text, has_played)
        return text, self.position.play(move)

    # --- Verdicts ---

    def _lost(self, player: int, fault: Fault) -> Verdict:
        self._close(player, polite=False)  # first, so that its last words are there to be read
        return self._verdicts.lost(player, fault, self._ply, self._players[player].process.log.last_lines())

    def _adjudicate(self) -> Verdict:
        """The game has had as many moves as it may have: it is counted as it stands."""
        self._adjudicated = self.game.adjudicate(self.position)
        return self._verdicts.as_it_stands(self._adjudicated, self._ply)

    # --- The end ---

    def close(self, polite: bool) -> None:
        """End both agents' processes; the second one's even if an exception ends the closing of the first."""
        try:
            self._close(0, polite)
        finally:
            self._close(1, polite)

    def _close(self, player: int, polite: bool) -> None:
        try:
            self._players[player].close(polite)
        except OSError as error:
            self._incidents.append(f"after its game, {self._verdicts.called(player)} was not tidied up: {error}")

    def record(self, verdict: Verdict) -> GameRecord:
        """The game's record."""
        result = self.position.result or self._adjudicated or Result(verdict.winner)
        first, second = self._players
        processes = first.process, second.process
        return GameRecord(
            game=self.game.name,
            agents=self.names,
            seed=self.seed,
            opening=tuple(self._opening),
            moves=tuple(self._moves),
            result=format_result(self.game, None if verdict.reason is Reason.VOID else result),
            final_position=self.game.format_position(self.position),
            verdict=verdict,
            peak_memory_mb=(processes[0].peak_memory_mb, processes[1].peak_memory_mb),
            enforcement=self._enforcement,
            options=self.game.settled_options,
            date=self._date,
            startup_seconds=(first.startup_seconds, second.startup_seconds),
            incidents=tuple(self._incidents),
            logs=(processes[0].log.text(), processes[1].log.text()),
            limits=self._limits,
            transcripts=(processes[0].transcript(), processes[1].transcript()),
        )


def _enforcement(launches: Sequence[Launch], *, is_required: bool) -> dict[str, str]:
    """What enforces each limit, for both players where it differs. Raises IsolationError where nothing does."""
    rows: dict[str, list[str]] = {}
    for launch in launches:
        if is_required:
            launch.mechanisms.require(launch.limits, launch.cores)
        for limit, mechanism, *_ in enforced_limits(launch.mechanisms, launch.limits, launch.cores):
            rows.setdefault(limit, []).append(mechanism)
    return {limit: " / ".join(dict.fromkeys(mechanisms)) for limit, mechanisms in rows.items()}

"""One game between two agents that nobody trusts.

The referee keeps the only position that counts. It asks one player for a move, judges the answer, stops that player's
processes, and asks the other player. An agent's process is started when its first move is asked for, on that move's
clock: so both have the same time for starting, and neither thinks while the other starts.

`docs/verdicts.md` says how a game can end, and what the record then says. Begin reading at `play_game`.
"""

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.agent import RESIGN, AgentSpec
from game import Position, RulesError
from simulator.gtp.analysis import Analysis
from simulator.gtp.syntax import one_line
from simulator.player.faults import Fault, Reason
from simulator.player.launch import Launch
from simulator.player.player import Player
from simulator.referee.clocks import HeldUp, PlayerClock
from simulator.referee.conditions import Conditions
from simulator.referee.events import Observer, ObserverError, guarded, ignore, ticks
from simulator.referee.game_record import GameRecord
from simulator.referee.scoresheet import Scoresheet
from simulator.referee.seeds import derived_seed, game_seed

LOOK_SECONDS = 1.0  # at most, for finding out whether the rules have made an agent crash

ATTEMPTS = 3  # if the referee's machine fails in a game (in a tournament: a pair) so many times, the game is void


def play_game(
    specs: tuple[AgentSpec, AgentSpec],
    conditions: Conditions | None = None,
    *,
    seed: int | None = None,
    opening: Sequence[str] = (),
    names: tuple[str, str] | None = None,
    observer: Observer = ignore,
    cores: tuple[int, ...] | None = None,
    reports: bool = False,
    hidden: tuple[Path, ...] = (),
) -> GameRecord:
    """Play one game and return its record. Whatever the agents do, the game ends, and no process is left behind.

    Args:
        specs: the agents of the players 0 and 1, in this order.
        conditions: if None, Pentago as the course plays it.
        seed: the agents' seeds and the replacement moves follow from it; drawn at random if None.
        opening: texts of moves that are played before the agents take over.
        names: what records call the agents; by default their names on the command line.
        observer: is called with each event, see `events.py`.
        cores: the processors that the agents run on, by turns; by default the last ones that this thread may use.
        reports: whether Python agents' processes report in their logs, see `simulator/player/self_report.py`.
        hidden: files that no agent may read, wherever they lie.

    After `Game.longest_game` moves, a game is stopped, and `Game.adjudicate` says who has won.

    The game is VOID if the machine itself fails (no process, no memory, no descriptor left), if it holds the referee up
    so that nobody can say whether an answer was in time, or if the rules fail. What fails after the end of the game is
    in the record's `incidents`. Raises InputError for an unknown game or bad options, ValueError for an illegal
    opening, IsolationError, and what the observer raises.
    """
    names = names or (specs[0].name, specs[1].name)
    seed = game_seed(None, 1) if seed is None else seed
    alike: dict[str, Any] = {"cores": cores, "reports": reports, "hidden": hidden}
    conditions = conditions or Conditions()
    launches = [
        conditions.launch(spec, name, seed=derived_seed(seed, f"player {player}"), opponent=specs[1 - player], **alike)
        for player, (spec, name) in enumerate(zip(specs, names, strict=True))
    ]
    game = _Game(launches, seed, guarded(observer), is_strict=conditions.rules == "strict")
    try:
        return game.play(opening)
    except ObserverError as error:
        raise (error.__cause__ or error) from None


class _Game:
    """A game while it is played."""

    def __init__(self, launches: Sequence[Launch], seed: int, observer: Observer, *, is_strict: bool) -> None:
        first, second = launches
        limits = (first.limits, second.limits)
        self._sheet = Scoresheet(first.game, (first.name, second.name), seed=seed, limits=limits, observer=observer)
        self._observer, self._is_strict = observer, is_strict
        self._incidents: list[str] = []
        self._random = random.Random(derived_seed(seed, "replacement"))
        self._clocks = tuple(map(PlayerClock, limits))
        self._players = [Player(launch) for launch in launches]
        self._enforcement = _enforcement(launches)

    def play(self, opening: Sequence[str]) -> GameRecord:
        """Play the opening, then ask for moves in turn until the game ends, on the board or otherwise.

        Raises ValueError for an illegal opening, ObserverError.
        """
        self._sheet.begin(opening)
        try:
            while self._sheet.verdict is None:
                self._turn()
        finally:
            self._end()
        return self._record()

    def _turn(self) -> None:
        sheet = self._sheet
        try:
            if not sheet.is_over():
                self._move(sheet.position.to_move)
        except Fault as fault:
            side = sheet.position.to_move
            self._close(side, polite=False)  # first, so that its log is complete
            wrong = self._what_fails_here() if fault.reason is Reason.CRASH and sheet.game.files else None
            if wrong is None:
                sheet.lost(side, fault, self._players[side].log.last_lines())
            else:
                self._void(wrong)
        except HeldUp as error:
            sheet.void(f"move {sheet.ply + 1} of {sheet.called(sheet.position.to_move)}: {error}")
        except RulesError as error:
            self._void(error)
        except (OSError, MemoryError) as error:
            sheet.void(f"the referee's machine failed: {str(error) or 'no memory left'}")

    def _what_fails_here(self) -> RulesError | None:
        """The error of the rules in this position or the next ones, which then made the agent crash; None without one.

        The search ends after LOOK_SECONDS. Rules that hang here would also hang when the agent plays that move.
        """
        position, end = self._sheet.position, time.monotonic() + LOOK_SECONDS
        try:
            for move in position.legal_moves():
                after = position.play(move)
                if after.result is None:
                    after.legal_moves()
                if time.monotonic() > end:
                    break
        except RulesError as error:
            return error
        except (OSError, MemoryError):  # this machine failed, which says nothing about the rules
            return None
        return None

    def _void(self, error: RulesError) -> None:
        what, *traceback = str(error).splitlines()
        self._sheet.void(f"the rules fail: {what}", traceback)

    def _move(self, side: int) -> None:
        """Ask a player for a move, judge it, and play it. Raises Fault, HeldUp, RulesError, OSError."""
        sheet, player, clock = self._sheet, self._players[side], self._clocks[side]
        allowed = clock.for_move()
        answer = player.ask(sheet.positions, allowed, ticks(self._observer, side, sheet.ply, allowed.announced))
        late = clock.is_late(answer, allowed, is_strict=self._is_strict)
        clock.moved(answer)
        if not late and answer.text.lower() == RESIGN:
            sheet.resigned(side)
            return
        position = self._random_move() if late else answer.played()
        analysis = Analysis() if late else player.analysis()
        player.pause()
        sheet.write(
            position,
            answer.seconds,
            player.sandbox.peak_mb,
            replaced=late,
            answer=one_line(answer.text),
            analysis=analysis,
            delay_seconds=answer.delay_seconds,
            clock_seconds=clock.left,
        )

    def _random_move(self) -> Position:
        """The position after a random move, which replaces a late answer."""
        position: Position = self._sheet.position
        return position.play(self._random.choice(position.legal_moves()))

    def _end(self) -> None:
        """End both agents' processes; the second agent's even if closing the first raises an exception."""
        polite = self._sheet.verdict is not None and self._sheet.verdict.loser is None
        try:
            self._close(0, polite)
        finally:
            self._close(1, polite)

    def _close(self, player: int, polite: bool) -> None:
        try:
            self._players[player].close(polite)
        except OSError as error:
            self._incidents.append(f"after its game, {self._sheet.called(player)} was not tidied up: {error}")

    def _record(self) -> GameRecord:
        first, second = self._players
        return self._sheet.record(
            peak_memory_mb=(first.sandbox.peak_mb, second.sandbox.peak_mb),
            enforcement=self._enforcement,
            startup_seconds=(first.startup_seconds, second.startup_seconds),
            incidents=tuple(self._incidents),
            logs=(first.log.text(), second.log.text()),
            transcripts=(first.transcript, second.transcript),
        )


def _enforcement(launches: Sequence[Launch]) -> dict[str, str]:
    """What enforces each limit; both players' mechanisms if they differ."""
    rows: dict[str, list[str]] = {}
    for launch in launches:
        for limit, mechanism, *_ in launch.enforcement:
            rows.setdefault(limit, []).append(mechanism)
    return {limit: " / ".join(dict.fromkeys(mechanisms)) for limit, mechanisms in rows.items()}

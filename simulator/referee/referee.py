"""One game between two agents that nobody trusts: its clocks, its verdict, its record.

The referee keeps the only position that counts. It asks one player for a move, stops that player's processes as soon as
the answer is there, judges the answer, and asks the other. An agent's process is started when its first move is asked
for, on that move's clock: so both have the same time for starting, and neither thinks while the other starts.

How a game can end, and what the record says of it: `docs/verdicts.md`. Begin reading at `play_game`.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agents.agent import RESIGN, AgentSpec
from game import FIRST, SECOND, Position, Result
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
from simulator.referee.events import Observer, ObserverError, Ticks, guarded, ignore
from simulator.referee.game_record import GameRecord, Verdict
from simulator.referee.scoresheet import Scoresheet
from simulator.referee.seeds import derived_seed, game_seed
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
    observer: Observer = ignore,
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
        observer: is told each event, see `events.py`.
        cores: the processors that the agents run on, by turns; by default the last ones that this thread may use.
        reports: whether Python agents' logs say what these do, see `simulator/player/self_report.py`.
        hidden: files that no agent may read, wherever they lie.

    A game that has had as many moves as it may have (`Game.longest_game`) is stopped, and `Game.adjudicate` counts it.

    If the machine itself fails (no process, no memory, no descriptor left), or holds the referee up so that it cannot
    say whether an answer was in time, the game is VOID. What fails when the game is over is in the record. Raises
    InputError for an unknown game or bad options, ValueError for an illegal opening, IsolationError, and what the
    observer raises.
    """
    names = names or (specs[0].name, specs[1].name)
    seed = game_seed(None, 1) if seed is None else seed
    game = _Game(specs, conditions or Conditions(), seed, names, cores, reports, hidden, guarded(observer))
    polite = False
    try:
        game.begin(opening)
        try:
            verdict = game.play()
            polite = verdict.loser is None
        finally:
            game.close(polite)
        return game.record(verdict)
    except ObserverError as error:
        raise (error.__cause__ or error) from None


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
        observer: Observer,
    ) -> None:
        self.game = conditions.load_game()
        self.names, self.seed = names, seed
        self._limits = (conditions.limits_for(names[0]), conditions.limits_for(names[1]))
        self._sheet = Scoresheet(self.game, names, seed=seed, limits=self._limits, observer=observer)
        self._observer = observer
        self._is_strict = conditions.rules == "strict"
        self._adjudicated: Result | None = None  # the result of a game that was stopped because of its length
        self._incidents: list[str] = []
        self._random = random.Random(derived_seed(seed, "replacement"))
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

    def begin(self, opening: Sequence[str]) -> None:
        """Play the given moves for the players. Raises ValueError."""
        for side, text in self._sheet.begin(opening):
            for player in self._players:
                player.tell(side, text)

    def play(self) -> Verdict:
        """Ask for moves in turn until the game ends, on the board or otherwise."""
        sheet = self._sheet
        while sheet.position.result is None:
            if sheet.ply >= self.game.longest_game:
                self._adjudicated = self.game.adjudicate(sheet.position)
                return sheet.verdicts.as_it_stands(self._adjudicated, sheet.ply)
            side = sheet.position.to_move
            try:
                verdict = self._move(side)
            except Fault as fault:
                return self._lost(side, fault)
            except HeldUp as error:
                return sheet.void(f"move {sheet.ply + 1} of {sheet.verdicts.called(side)}: {error}")
            except (OSError, MemoryError) as error:
                return sheet.void(f"the referee's machine failed: {error!r}")
            if verdict is not None:
                return verdict
        return sheet.verdicts.on_board(sheet.position.result, sheet.ply)

    def _move(self, side: int) -> Verdict | None:
        """One move of a player: asked for, judged, played. Returns a verdict if the player resigned; raises Fault."""
        sheet, player, clock = self._sheet, self._players[side], self._clocks[side]
        allowed = clock.for_move()
        answer = player.ask(allowed, Ticks(self._observer, side, sheet.ply, allowed.announced).look)
        late = clock.is_late(answer, allowed, is_strict=self._is_strict)
        clock.moved(answer)
        if not late and answer.text.lower() == RESIGN:
            return sheet.verdicts.resigned(side, sheet.ply)
        text, position = self._replaced(player, answer) if late else self._accepted(player, answer)
        analysis = Analysis() if late else player.analysis()
        player.pause()
        self._players[1 - side].tell(side, text)
        sheet.write(
            text,
            position,
            answer.seconds,
            player.process.peak_memory_mb,
            replaced=late,
            answer=one_line(answer.text),
            analysis=analysis,
            delay_seconds=answer.delay_seconds,
            clock_seconds=clock.left,
        )
        return None

    def _judge(self, text: str) -> tuple[str, Position]:
        """See `Scoresheet.judge`; a text on which the game's own reader stumbles is no move either."""
        try:
            return self._sheet.judge(text)
        except ValueError:
            raise
        except Exception as error:
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
        position = self._sheet.position
        move = self._random.choice(position.legal_moves())
        text = self.game.format_move(move)
        player.correct(text, has_played)
        return text, position.play(move)

    def _lost(self, player: int, fault: Fault) -> Verdict:
        self._close(player, polite=False)  # first, so that its last words are there to be read
        return self._sheet.lost(player, fault, self._players[player].process.log.last_lines())

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
            self._incidents.append(f"after its game, {self._sheet.verdicts.called(player)} was not tidied up: {error}")

    def record(self, verdict: Verdict) -> GameRecord:
        """The game's record."""
        first, second = self._players
        processes = first.process, second.process
        return self._sheet.record(
            verdict,
            self._adjudicated,
            peak_memory_mb=(processes[0].peak_memory_mb, processes[1].peak_memory_mb),
            enforcement=self._enforcement,
            startup_seconds=(first.startup_seconds, second.startup_seconds),
            incidents=tuple(self._incidents),
            logs=(processes[0].log.text(), processes[1].log.text()),
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

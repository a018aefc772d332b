"""What is shown of a match or tournament while it is played: lines in a pipe, a live screen on a terminal.

Begin reading at `LineObserver`; `LiveObserver` adds a picture of the present below its lines. The tables at the end are
in `tables.py`, JSON for programs is in `events.py`.
"""

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from game import Game, play_moves
from simulator.records.schema import AgentEntry, Pair, game_number
from simulator.referee.game_record import GameRecord
from simulator.statistics.pentanomial import PairCounts
from simulator.statistics.standings import League, league_of
from simulator.terminal.games_bar import GamesBar
from simulator.terminal.keys import Keys
from simulator.terminal.lines import print_line
from simulator.terminal.match_summary import state_of_test, verdict_of_test
from simulator.terminal.tables import absence_lines, cross_table_of, print_report, standings_table
from simulator.terminal.watched_game import HINT, WatchedGame
from simulator.tournament.observer import Observer, TournamentInfo
from simulator.tournament.tasks import ClockRuns, GameBegun, MoveMade

REDRAW_SECONDS = 0.1  # drawing costs the referee's processor about 2 ms
SHOWN_ROWS = 10
CLOCK_WIDTH = 8  # characters


def observer_on(console: Console, has_tables: bool = True) -> "LineObserver":
    """The one that suits a console; see `LineObserver`."""
    live = console.is_terminal and not console.is_dumb_terminal
    return LiveObserver(console, has_tables) if live else LineObserver(console, has_tables)


class LineObserver(Observer):
    """A line for each finished game, and the tables at the end.

    Args:
        has_tables: False where something else is shown at the end.

    Attributes:
        league: what the pairs in the records add up to.
        unsaved: the finished games of pairs that are not in the records yet, by pair.
    """

    def __init__(self, console: Console, has_tables: bool = True) -> None:
        self.console, self._has_tables = console, has_tables
        self.info: TournamentInfo
        self.league: League
        self.bar: GamesBar
        self.unsaved: defaultdict[int, list[GameRecord]] = defaultdict(list)
        self._saved = self._games = 0
        self._in_play: dict[int, GameBegun] = {}

    def started(self, info: TournamentInfo) -> None:
        """Say who plays what, and how much of it was played before."""
        self.info, self.league = info, league_of(info.store)
        self._saved, self._games = info.played, info.games
        self.bar = GamesBar(info.played, info.games)
        if not info.is_match:
            game, where = info.settings.conditions.game, info.store.path
            self.say(f"{info.settings.format} of {len(info.names)} agents, {game}; records: {where}")
        if info.played:
            self.say(f"{info.played} of {info.games} games were played before")

    def agent_tried(self, agent: AgentEntry) -> None:
        """Say so if it cannot play."""
        for line in absence_lines(agent):
            self.say(line)

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """Count anew: agents may be absent."""
        self._games = games
        self.league = league_of(self.info.store)
        self.bar.set(games=games)

    def game_begun(self, pair: int, game: GameBegun) -> None:
        """Remember who plays."""
        self._in_play[pair] = game

    def move_made(self, pair: int, move: MoveMade) -> None:
        """Say so if it came too late to be played."""
        if move.replaced:
            game = self._in_play[pair]
            late = f"{game.names[move.player]} answered after {move.seconds:.3f} s"
            number = game_number(pair, game.number)
            self.say(f"    game {number}, move {move.ply + 1}: {late}, too late: a random move was played")

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """Say who won and why; the end of the loser's log, if a fault ended the game."""
        self._in_play.pop(pair, None)
        self.unsaved[pair].append(record)
        self._count()
        self.say_game(game_number(pair, number), record)

    def say_game(self, number: int, record: GameRecord) -> None:
        """Say how a game ended."""
        first, second = record.agents
        if self.info.is_match:
            self.say(f"game {number} of {self._games}: {record.verdict.text}")
        else:
            self.say(f"[{self.bar}] game {number}: {first} - {second} {record.result}: {record.verdict.text}")
        for line in record.verdict.stderr:
            self.say(f"    | {line}")
        if self.info.is_match:
            self.say(f"    {self.score()}")

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Count a pair."""
        assert pair.id is not None
        self.unsaved.pop(pair.id, None)
        self._saved += len(records)
        self.league.add_records(pair.id, records)
        self._count()

    def pair_again(self, pair: int, why: str) -> None:
        """Forget its games."""
        self._in_play.pop(pair, None)
        self.unsaved.pop(pair, None)
        self._count()
        self.say(f"pair {pair} is played again: {why}")

    def stopping(self, at_once: bool) -> None:
        """Say what happens now."""
        if at_once and self.info.half_pairs:
            self.say("stopping now; games that have ended count")
        elif at_once:
            self.say("stopping now; unfinished pairs are not counted")
        else:
            self.say("stopping when the pairs in play are over; Ctrl-C again stops now")

    def ended(self, complete: bool) -> None:
        """Print the tables."""
        if self._has_tables:
            print_report(self.console, self.info.store)
            if (test := self.info.settings.sprt) is not None:
                name = self.info.names[0]
                self.say(verdict_of_test(test, name, self.league.pairs[name].counts, self.info.store.decision()))
            state = "complete" if complete else f"stopped after {self._saved} of {self._games} games"
            self.say(f"{state}; records: {self.info.store.path}")

    def _count(self) -> None:
        self.bar.set(done=self._saved + sum(map(len, self.unsaved.values())))

    def score(self) -> str:
        """Of a match: `uct_agent 2.5 - 0.5 random_agent`, and the state of its test if it has one."""
        totals, counted = self.league.totals(), [record for games in self.unsaved.values() for record in games]
        points = dict.fromkeys(self.info.names, 0.0)
        for name in points:
            unsaved = sum(record.points(name) for record in counted if not record.is_void)
            points[name] = (totals[name].points if name in totals else 0.0) + unsaved
        (first, ours), (second, theirs) = points.items()
        test = self.info.settings.sprt
        state = state_of_test(test, self._pair_counts(first)) if test else ""
        return f"{first} {ours:g} - {theirs:g} {second}   {state}".rstrip()

    def _pair_counts(self, name: str) -> list[int]:
        """What the finished pairs brought a player, see `PairCounts`; of a test that is decided, those until then."""
        if (decision := self.info.store.decision()) is not None:
            return list(decision.counts)
        pairs = PairCounts(name, list(self.league.pairs[name].counts))
        for games in self.unsaved.values():
            pairs.add(games)
        return pairs.counts

    def say(self, line: str) -> None:
        """Print a line."""
        print_line(self.console, line)


@dataclass
class _Present:
    """Where a game in play stands, and the clock that runs in it."""

    position: Any
    clock: ClockRuns | None = None


class LiveObserver(LineObserver):
    """The lines of `LineObserver`, and below them what happens now.

    Of a match that is the board of a game in play, of a tournament the standings or, as somebody who presses keys
    wishes, such a board; of both the games in play with their clocks and memory, and how long it may take.
    """

    def __init__(self, console: Console, has_tables: bool = True, keys: Keys | None = None) -> None:
        super().__init__(console, has_tables)
        self._keys = keys or Keys()
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._game: Game
        self._watching: WatchedGame
        self._present: dict[int, _Present] = {}  # of the games in play, by pair
        self._tables: list[RenderableType] = []
        self._drawn_at = -math.inf

    def __exit__(self, *_: object) -> None:
        self._end_picture()

    def _end_picture(self) -> None:
        self._keys.stop()
        self._live.update("", refresh=True)
        self._live.stop()

    def started(self, info: TournamentInfo) -> None:
        """Begin the picture."""
        super().started(info)
        self._game = info.settings.conditions.load_game()
        self._watching = WatchedGame(not info.is_match)
        self._keys.start()
        self._live.start()

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """Show what was played before."""
        super().planned(pairs, games)
        self._make_tables()

    def game_begun(self, pair: int, game: GameBegun) -> None:
        """Show the position after the opening."""
        super().game_begun(pair, game)
        self._present[pair] = _Present(play_moves(self._game, game.opening)[-1])
        self._redraw()

    def clock_runs(self, pair: int, clock: ClockRuns) -> None:
        """Show the clock."""
        if pair in self._present:
            self._present[pair].clock = clock
        self._redraw()

    def move_made(self, pair: int, move: MoveMade) -> None:
        """Show the move."""
        super().move_made(pair, move)
        if present := self._present.get(pair):
            present.position = play_moves(self._game, [move.move], present.position)[-1]
        self._redraw()

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """Take the game from the screen."""
        self._present.pop(pair, None)
        super().game_over(pair, number, record)

    def pair_again(self, pair: int, why: str) -> None:
        """Take the game from the screen."""
        self._present.pop(pair, None)
        super().pair_again(pair, why)

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Show the new standings."""
        super().pair_saved(pair, records)
        self._make_tables()
        self._redraw()

    def ended(self, complete: bool) -> None:
        """End the picture."""
        self._end_picture()
        super().ended(complete)

    def _redraw(self) -> None:
        now = time.monotonic()
        if now - self._drawn_at >= REDRAW_SECONDS:
            self._drawn_at = now
            for key in self._keys.pressed():
                self.press(key)
            self._live.update(self.picture(), refresh=True)

    def picture(self) -> RenderableType:
        """All that is shown."""
        lines = [Text(), self.bar.bar, Text(), *self._game_lines()]
        score = [Text(f"\n{self.score()}\n", style="bold")] if self.info.is_match else []
        pair = self.watched()
        below = self._tables if pair is None else self._board(pair)
        hint = [Text(f"\n{HINT}", style="dim")] if self._keys.are_read and self._watching.choices(self._present) else []
        return Group(*lines, *score, *below, *hint)

    def watched(self) -> int | None:
        """The pair whose board is shown; None for the standings, or where no game is in play."""
        return self._watching.pair(self._present)

    def press(self, key: str) -> None:
        """Obey a key."""
        self._watching.press(key, self._present)

    def _board(self, pair: int) -> Iterator[RenderableType]:
        position = self._present[pair].position
        if not self.info.is_match:
            yield Text(f"\n{self._headline(pair, position)}\n", style="bold")
        yield Text.from_ansi(self._game.draw(position, colour=not self.console.no_color))

    def _headline(self, pair: int, position: Any) -> str:
        """`game 7: alpha (w) - beta (b), last move c3/0r`."""
        begun = self._in_play[pair]
        players = (f"{name} ({colour})" for name, colour in zip(begun.names, self._game.players, strict=True))
        last = "" if position.last_move is None else f", last move {self._game.format_move(position.last_move)}"
        return f"game {game_number(pair, begun.number)}: {' - '.join(players)}{last}"

    def _make_tables(self) -> None:
        """Make standings and cross-table, which change only with the records."""
        if not self.info.is_match:
            standings = self.league.standings()
            cross = cross_table_of(self.league, standings.rows[:SHOWN_ROWS], self.console.width)
            self._tables = [standings_table(standings, SHOWN_ROWS), cross]

    def _game_lines(self) -> Iterator[RenderableType]:
        table, watched = Table.grid(padding=(0, 1, 0, 0)), self.watched()
        for pair, present in sorted(self._present.items()):
            begun, clock = self._in_play[pair], present.clock
            players = [
                Text(f"{name} ({colour})", style="bold" if clock and clock.player == player else "")
                for player, (name, colour) in enumerate(zip(begun.names, self._game.players, strict=True))
            ]
            figures = self._figures(begun.names[clock.player], clock) if clock else ()
            number = Text(f"game {game_number(pair, begun.number)}", style="reverse" if pair == watched else "")
            table.add_row(number, players[0], "-", players[1], *figures)
        yield table

    def _figures(self, name: str, clock: ClockRuns) -> Iterator[RenderableType]:
        """Of the player who thinks: the move, its clock as a bar and in seconds, its memory."""
        yield f"move {clock.ply + 1}"
        yield ProgressBar(total=clock.limit, completed=min(clock.elapsed, clock.limit), width=CLOCK_WIDTH)
        yield f"{clock.elapsed:.1f} of {clock.limit:g} s"
        yield f"{clock.memory_mb:.0f} of {self.info.settings.conditions.limits_for(name).memory_mb} MB"

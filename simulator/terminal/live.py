"""What a tournament shows while it is played: lines in a pipe, a live picture on a terminal, JSON for programs.

Begin reading at `LineObserver`; the tables are in `league_text.py`.
"""

import json
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from simulator.records.database import Store
from simulator.records.schema import PLANNED, AgentEntry, Pair, game_number
from simulator.referee.game_record import GameRecord
from simulator.statistics.standings import League, Standing, Standings, format_tables, league_of
from simulator.terminal.tables import absence_lines, cross_table_of, print_report, standings_table
from simulator.tournament.observer import Observer, TournamentInfo
from simulator.tournament.tasks import ClockRuns, GameBegun

REDRAW_SECONDS = 0.25
SHOWN_ROWS = 10
SHOWN_VERDICTS = 8
VERDICT_SECONDS = 300.0  # a verdict is shown for so long


def observer_on(console: Console) -> "LineObserver":
    """The one that suits a console."""
    live = console.is_terminal and not console.is_dumb_terminal
    return LiveObserver(console) if live else LineObserver(console)


def duration(seconds: float) -> str:
    """Hours, minutes and seconds.

    >>> duration(3725.4), duration(59)
    ('1:02:05', '0:00:59')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Progress:
    """How many games are over, and how long the others may take.

    Attributes:
        done, of: games.
    """

    def __init__(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        self._begun, self._before = time.monotonic(), done

    def remaining_seconds(self) -> float | None:
        """At the speed of this session so far, None before a game was over, and after the last."""
        played = self.done - self._before
        elapsed = time.monotonic() - self._begun
        return elapsed / played * (self.of - self.done) if played and self.done < self.of else None

    def __str__(self) -> str:
        remaining = self.remaining_seconds()
        return f"{self.done}/{self.of}" + ("" if remaining is None else f", {duration(remaining)} to go")


class LineObserver(Observer):
    """A line for each game that is over, and the tables at the end."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.info: TournamentInfo
        self.progress: Progress
        self._over: Counter[int] = Counter()  # games of pairs that are not in the records yet

    def started(self, info: TournamentInfo) -> None:
        """Who plays what; how much of it was played before."""
        self.info, settings = info, info.settings
        self.progress = Progress(info.played, info.games)
        self.say(
            f"{settings.format} of {len(info.names)} agents, {settings.conditions.game}; records: {info.store.path}"
        )
        if self.progress.done:
            self.say(f"{self.progress.done} of {self.progress.of} games were played before")

    def agent_tried(self, entry: AgentEntry) -> None:
        """Say so if it cannot play."""
        if entry.absence is not None:
            for line in absence_lines(entry):
                self.say(line)

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """The number of games may have changed."""
        self.progress.of = games

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """Who won and why; what the loser wrote last, if a fault ended the game."""
        self._count(pair)
        first, second = record.agents
        game = game_number(pair, number)
        self.say(f"[{self.progress}] game {game}: {first} - {second} {record.result}: {record.verdict.text}")
        for line in record.verdict.stderr:
            self.say(f"    | {line}")

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Two games are in the records."""
        assert pair.id is not None
        missed = len(records) - self._over.pop(pair.id, 0)
        self.progress.done += missed

    def pair_again(self, pair: int, why: str) -> None:
        """Its games do not count."""
        self.progress.done -= self._over.pop(pair, 0)
        self.say(f"pair {pair} is played again: {why}")

    def stopping(self, at_once: bool) -> None:
        """What happens now."""
        if at_once:
            self.say("stopping now; the pairs in play are lost")
        else:
            self.say("stopping when the pairs in play are over; Ctrl-C again stops now")

    def ended(self, complete: bool) -> None:
        """The tables."""
        print_report(self.console, self.info.store)
        state = (
            "complete" if complete else f"stopped after {_games_played(self.info.store)} of {self.progress.of} games"
        )
        self.say(f"{state}; records: {self.info.store.path}")

    def _count(self, pair: int) -> None:
        """One game more is over."""
        self._over[pair] += 1
        self.progress.done += 1

    def say(self, line: str) -> None:
        """Wrapped between words on a terminal, one line for programs that read lines."""
        self.console.print(Text(line), soft_wrap=not self.console.is_terminal)


def _games_played(store: Store) -> int:
    return 2 * sum(pair.state != PLANNED for pair in store.pairs())


@dataclass
class _InPlay:
    """A game in play, and the clock that runs in it."""

    game: GameBegun
    clock: ClockRuns | None = None


class LiveObserver(LineObserver):
    """A picture that changes: games in play, standings, the verdicts of the last minutes, how long it may take."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._in_play: dict[int, _InPlay] = {}
        self._verdicts: deque[tuple[float, str]] = deque(maxlen=SHOWN_VERDICTS)
        self._league = League([])
        self._tables: list[RenderableType] = []
        self._drawn_at = 0.0

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.update("", refresh=True)
        self._live.__exit__(kind, error, trace)

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """Show the table of what was played before."""
        super().planned(pairs, games)
        self._league = league_of(self.info.store)
        self._tables = self._new_tables()

    def game_begun(self, pair: int, game: GameBegun) -> None:
        """One more in play."""
        self._in_play[pair] = _InPlay(game)
        self._redraw()

    def clock_runs(self, pair: int, clock: ClockRuns) -> None:
        """A clock to be shown."""
        if pair in self._in_play:
            self._in_play[pair].clock = clock
        self._redraw()

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """The verdict is shown for some minutes."""
        self._count(pair)
        self._in_play.pop(pair, None)
        self._verdicts.append((time.monotonic(), f"game {game_number(pair, number)}: {record.verdict.text}"))
        self._redraw()

    def pair_again(self, pair: int, why: str) -> None:
        """It is not in play meanwhile."""
        self._in_play.pop(pair, None)
        super().pair_again(pair, why)

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """New tables."""
        super().pair_saved(pair, records)
        assert pair.id is not None
        self._league.add_records(pair.id, records)
        self._tables = self._new_tables()
        self._redraw()

    def ended(self, complete: bool) -> None:
        """The tables stay."""
        self._live.update("", refresh=True)
        super().ended(complete)

    def _redraw(self) -> None:
        now = time.monotonic()
        if now - self._drawn_at >= REDRAW_SECONDS:
            self._drawn_at = now
            self._live.update(self.picture(now), refresh=True)

    def picture(self, now: float) -> RenderableType:
        """All that is shown."""
        recent = [Text(text) for when, text in self._verdicts if now - when < VERDICT_SECONDS]
        return Group(Text(), self._progress_line(), Text(), *self._game_lines(), *self._tables, *recent)

    def _new_tables(self) -> list[RenderableType]:
        """Standings and cross-table, made only when they change."""
        standings = self._league.standings()
        cross = cross_table_of(self._league, standings.rows[:SHOWN_ROWS], self.console.width)
        return [standings_table(standings, SHOWN_ROWS), cross]

    def _progress_line(self) -> RenderableType:
        line = Table.grid(padding=(0, 1, 0, 0))
        bar = ProgressBar(total=max(1, self.progress.of), completed=self.progress.done, width=30)
        line.add_row(bar, Text(f"games {self.progress}"))
        return line

    def _game_lines(self) -> Iterator[RenderableType]:
        limit = self.info.settings.conditions.limits.memory_mb
        table = Table.grid(padding=(0, 1, 0, 0))
        for pair, playing in sorted(self._in_play.items()):
            names, clock = playing.game.names, playing.clock
            players = [Text(name, style="bold" if clock and clock.player == i else "") for i, name in enumerate(names)]
            figures = ("", "")
            if clock is not None:
                thought = f"move {clock.ply + 1}  {clock.elapsed:.1f} of {clock.limit:g} s"
                figures = (thought, f"{clock.memory_mb:.0f} of {limit} MB")
            number = game_number(pair, playing.game.number)
            table.add_row(f"game {number}", players[0], "-", players[1], *figures)
        yield table


class JsonObserver(Observer):
    """One JSON object a line for each event; `event` says which, the rest is in `docs/tournaments.md`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._info: TournamentInfo

    def started(self, info: TournamentInfo) -> None:
        """`started`: agents, games, played."""
        self._info = info
        self._write(
            "started", records=str(info.store.path), agents=list(info.names), games=info.games, played=info.played
        )

    def agent_tried(self, entry: AgentEntry) -> None:
        """`agent`: name, absence (null if it plays)."""
        self._write("agent", name=entry.name, absence=entry.absence)

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """`planned`: how many pairs wait now, and how many games there will be."""
        self._write("planned", pairs=len(pairs), games=games)

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """`game`: game, pair, number, agents, result, reason, winner, verdict."""
        verdict = record.verdict
        winner = None if verdict.winner is None else record.agents[verdict.winner]
        said = {"agents": record.agents, "result": record.result, "reason": verdict.reason, "winner": winner}
        place = {"game": game_number(pair, number), "pair": pair, "number": number}
        self._write("game", **place, **said, verdict=verdict.text)

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """`saved`: the pair is in the records."""
        self._write("saved", pair=pair.id, round=pair.round)

    def pair_again(self, pair: int, why: str) -> None:
        """`again`: the pair is played again, why."""
        self._write("again", pair=pair, why=why)

    def stopping(self, at_once: bool) -> None:
        """`stopping`."""
        self._write("stopping", at_once=at_once)

    def ended(self, complete: bool) -> None:
        """`ended`: complete, absent agents, the standings, and the tables of the format."""
        store = self._info.store
        tables = [{"title": title, "rows": [_format_row(row) for row in rows]} for title, rows in format_tables(store)]
        absent = [agent.name for agent in store.agents() if agent.absence is not None]
        self._write(
            "ended",
            complete=complete,
            absent=absent,
            standings=standings_json(league_of(store).standings()),
            tables=tables,
        )

    def _write(self, event: str, **said: Any) -> None:
        self._stream.write(json.dumps({"event": event, **said}) + "\n")
        self._stream.flush()


def _format_row(row: Standing) -> dict[str, Any]:
    said = row._asdict()
    return {"agent": said.pop("name"), **said}


def standings_json(standings: Standings) -> list[dict[str, Any]]:
    """The table for programs; `rating` is null where there is none."""
    return [
        {
            "agent": row.name,
            "points": row.results.points,
            "games": row.results.games,
            "wins": row.results.wins,
            "draws": row.results.draws,
            "losses": row.results.losses,
            "rating": None if row.rating is None else [round(number, 1) for number in row.rating],
            "violations": row.violations,
        }
        for row in standings.rows
    ]

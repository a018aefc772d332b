"""A match or tournament in lines, while it is played.

`simulator/fullscreen/live.py` shows them on the full screen, with the games in play. The tables at the end are in
`tables.py`, JSON for programs is in `events.py`.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rich.console import Console

from game import Game, play_moves
from options import counted
from simulator.records.schema import AgentEntry, Pair
from simulator.referee.events import ClockRuns, GameBegan
from simulator.referee.game_record import GameRecord, MoveRecord
from simulator.statistics.pentanomial import PairCounts
from simulator.statistics.standings import League, league_of
from simulator.terminal.games_bar import GamesBar
from simulator.terminal.lines import print_line
from simulator.terminal.match_summary import state_of_test, verdict_of_test
from simulator.terminal.tables import absence_lines, print_report
from simulator.tournament.events import Ended, Event, PairAgain, PairSaved, Planned, Started, Stopping


@dataclass
class InPlay:
    """A game in play: its number, its position, and the clock that runs in it."""

    number: int
    names: tuple[str, str]
    position: Any
    clock: ClockRuns | None = None


class LineObserver(AbstractContextManager["LineObserver"]):
    """Prints a line for each finished game, and the tables at the end. An observer, used in a `with`.

    Args:
        has_tables: False if something else is shown at the end.

    Attributes:
        league: what the pairs in the records add up to.
        game: the game, with its options settled.
        in_play: the games in play, by pair.
    """

    def __init__(self, console: Console, has_tables: bool = True) -> None:
        self.console, self._has_tables = console, has_tables
        self.info: Started
        self.league: League
        self.bar: GamesBar
        self.in_play: dict[int, InPlay] = {}
        self.game: Game
        self._saved = self._games = 0

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, event: Event, pair: Pair | None = None) -> None:
        """Say what happened; `pair` is the pair of an event in a game."""
        match event:
            case Started():
                self._start(event)
            case AgentEntry() if self._has_tables:  # else it is said at the end
                for line in absence_lines(event):
                    self.say(line)
            case Planned(games=games):  # fewer than at the start if agents are absent
                self._games, self.league = games, self._league_so_far()
                self.bar.set(games=games)
            case PairSaved(saved, records):
                self._saved += len(records)
                self.league.add_records(saved.id, records)
                self._count()
            case PairAgain(number, why):
                self.in_play.pop(number, None)
                self._count()
                self.say(f"pair {number} is played again: {why}")
            case Stopping(at_once):
                self.say(self._how_it_stops(at_once))
            case Ended() if self._has_tables:
                self._end(event)
        if pair is not None:
            self._see(pair, event)

    def _start(self, info: Started) -> None:
        """Say who plays what, and how much of it was played before."""
        self.info = info
        self.league = self._league_so_far()
        self.game = info.settings.conditions.load_game()
        self._saved, self._games = info.played, info.games
        self.bar = GamesBar(info.played, info.games)
        if not info.is_match:
            what, where = self.game.title, info.store.path
            self.say(f"{info.settings.format} of {len(info.names)} agents, {what}; records: {where}")
        if info.played:
            self.say(f"{info.played} of {info.games} games were played before")

    def _league_so_far(self) -> League:
        """What is in the records; in a match only of its two agents, without older versions of them."""
        return league_of(self.info.store, self.info.names if self.info.is_match else ())

    def _see(self, pair: Pair, event: Event) -> None:
        """Follow a game; say its end, and which moves came too late to be played."""
        match event:
            case GameBegan(names, opening):
                position = play_moves(self.game, opening)[-1]
                self.in_play[pair.id] = InPlay(pair.game_number(names), names, position)
            case ClockRuns() if pair.id in self.in_play:
                self.in_play[pair.id].clock = event
            case MoveRecord() if pair.id in self.in_play:
                game = self.in_play[pair.id]
                game.position = play_moves(self.game, [event.move], game.position)[-1]
                if event.replaced:
                    late = f"{game.names[event.player]} answered after {event.seconds:.3f} s"
                    self.say(
                        f"    game {game.number}, move {event.ply + 1}: {late}, too late: a random move was played"
                    )
            case GameRecord():
                self.in_play.pop(pair.id, None)
                self._count()
                self.say_game(pair.game_number(event.agents), event)

    def say_game(self, number: int, record: GameRecord) -> None:
        """Say how a game ended."""
        first, second = record.agents
        if self.info.is_match:
            has_others = any(agent.replaced for agent in self.info.store.agents())  # games of an older version
            self.say(f"game {number}{'' if has_others else f' of {self._games}'}: {record.verdict.text}")
        else:
            self.say(f"[{self.bar}] game {number}: {first} - {second} {record.result}: {record.verdict.text}")
        for line in record.verdict.stderr:
            self.say(f"    | {line}")
        if self.info.is_match:
            self.say(f"    {self.score()}")

    def _how_it_stops(self, at_once: bool) -> str:
        if not at_once:
            return "stopping when the pairs in play are over; Ctrl-C again stops now"
        what = "games that have ended count" if self.info.half_pairs else "unfinished pairs are not counted"
        return f"stopping now; {what}"

    def _end(self, ended: Ended) -> None:
        print_report(self.console, self.info.store)
        if (test := self.info.settings.sprt) is not None:
            name = self.info.names[0]
            self.say(verdict_of_test(test, name, self.league.pairs[name].counts, ended.decision))
        if ended.void:
            again = "--extend plays them again, unless later rounds were paired without them"
            self.say(f"{counted(ended.void, 'pair')} void: the games count for nobody; {again}")
        state = "complete" if ended.complete else f"stopped after {self._saved} of {self._games} games"
        self.say(f"{state}; records: {self.info.store.path}")

    def _count(self) -> None:
        self.bar.set(done=self._saved + sum(map(len, self.info.unsaved.values())))

    def score(self) -> str:
        """The score of a match: `uct_agent 2.5 - 0.5 random_agent`, and the state of its test if it has one."""
        totals, known = self.league.totals(), list(chain(*self.info.unsaved.values()))
        points = dict.fromkeys(self.info.names, 0.0)
        for name in points:
            unsaved = sum(record.points(name) for record in known if not record.is_void)
            points[name] = (totals[name].points if name in totals else 0.0) + unsaved
        (first, ours), (second, theirs) = points.items()
        test = self.info.settings.sprt
        state = state_of_test(test, self._pair_counts(first)) if test else ""
        return f"{first} {ours:g} - {theirs:g} {second}   {state}".rstrip()

    def _pair_counts(self, name: str) -> list[int]:
        """The counts of a player's finished pairs, see `PairCounts`; if the test is decided, the counts until then."""
        if (decision := self.info.store.decision()) is not None:
            return list(decision.counts)
        pairs = PairCounts(name, list(self.league.pairs[name].counts))
        for games in self.info.unsaved.values():
            pairs.add(games)
        return pairs.counts

    def say(self, line: str) -> None:
        """Print a line."""
        print_line(self.console, line)

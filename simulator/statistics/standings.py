"""The results of a tournament: standings with ratings, the cross-table, the table of its format, violations.

Begin reading at `League`, which takes pair after pair. By the table of `table_by_points`, Swiss rounds are paired and
the finalists of the course's format chosen.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from simulator.records.schema import VOID, StoredGame
from simulator.records.store import Store, StoreError
from simulator.referee.game_record import GameRecord, Reason
from simulator.statistics.bradley_terry import Disconnected, league_ratings
from simulator.statistics.elo import Estimate, Results, elo_estimate
from simulator.statistics.pentanomial import PairCounts, is_void

FINAL = 2  # the round of the course's format in which the best meet
TOP_SHARE, TOP_AT_LEAST = 10, 2  # the best are one agent in ten, and at least two


class StandingsRow(NamedTuple):
    """An agent's line in the table.

    Attributes:
        results: games won, drawn and lost; those of void pairs are not among them.
        rating: Elo with its interval (the mean of all is 0); None without games, or if no games connect the agents.
        violations: games that it lost because it broke a rule.
    """

    name: str
    results: Results
    rating: Estimate | None
    violations: int


@dataclass
class Standings:
    """The table of a tournament as far as it was played.

    Attributes:
        rows: best first: by rating, or by points if there are no ratings; agents without games last.
        first_player: the advantage of moving first, in Elo.
        note: why there are no ratings, empty if there are.
    """

    rows: list[StandingsRow]
    first_player: Estimate | None = None
    note: str = ""

    def places(self) -> list[int]:
        """The place of each row."""
        return places_of([rank_of(row) for row in self.rows])


@dataclass
class Violations:
    """The games that an agent lost because it broke a rule: how many for each reason, and the first of each."""

    name: str
    counts: Counter[Reason] = field(default_factory=Counter)
    examples: dict[Reason, StoredGame] = field(default_factory=dict)


class League:
    """What the pairs of a tournament add up to, updated with each pair.

    Pairs with a void game count for nobody: the other game would be of one colour only.

    Attributes:
        names: the agents' names; agents that nothing else tells apart are in this order in tables.
        results: by (who moved first, who moved second); `wins` are those of the first.
        pairs: the outcomes of each agent's pairs, by name.
        broken: which rules each agent broke, by name.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.results: defaultdict[tuple[str, str], Results] = defaultdict(Results)
        self.pairs = {name: PairCounts(name) for name in names}
        self.broken: dict[str, Violations] = {}

    def add(self, games: Sequence[StoredGame]) -> None:
        """Count the games of one pair."""
        if is_void(games):
            return
        for name in (games[0].first, games[0].second):
            self.pairs[name].add(games)
        for game in games:
            self.results[game.first, game.second].add(game.points(game.first))
            if game.reason.is_fault and game.loser is not None:
                agent = self.broken.setdefault(game.loser, Violations(game.loser))
                agent.counts[game.reason] += 1
                agent.examples.setdefault(game.reason, game)

    def add_records(self, pair: int, records: Sequence[GameRecord]) -> None:
        """Count the games of one pair as the referee has recorded them; `pair` is its number in the records."""
        self.add([StoredGame.of(record, pair, number) for number, record in enumerate(records, 1)])

    def totals(self) -> dict[str, Results]:
        """The results of each agent that has played, over all its games."""
        totals: defaultdict[str, Results] = defaultdict(Results)
        for (agent, _), results in self.cross_table().items():
            totals[agent] += results
        return dict(totals)

    def cross_table(self) -> dict[tuple[str, str], Results]:
        """The results of each agent (first of the key) against each other agent, whoever moved first."""
        table: defaultdict[tuple[str, str], Results] = defaultdict(Results)
        for (first, second), results in self.results.items():
            table[first, second] += results
            table[second, first] += results.turned()
        return dict(table)

    def standings(self) -> Standings:
        """The table; agents that no games connect have no ratings.

        If just two agents have played, each rating is half of the Elo difference that `elo_estimate` computes from
        their pairs, or from their games if not all are in pairs.
        """
        totals, broken = self.totals(), {name: agent.counts.total() for name, agent in self.broken.items()}
        league, note = None, "" if totals else "nobody has played yet"
        try:
            league = league_ratings([name for name in self.names if name in totals], self.results) if totals else None
        except Disconnected as error:
            note = str(error)
        ratings = league.ratings if league else {}
        if len(totals) == 2:
            in_pairs = all(self.pairs[name].all_paired for name in totals)
            counts = {name: self.pairs[name].counts if in_pairs else totals[name].counts for name in totals}
            ratings = {name: Estimate(*(end / 2 for end in elo_estimate(counts[name]))) for name in totals}
        rows = [
            StandingsRow(name, totals.get(name, Results()), ratings.get(name), broken.get(name, 0))
            for name in self.names
        ]
        return Standings(sorted(rows, key=rank_of), league.first_player if league else None, note)

    def violations(self) -> list[Violations]:
        """Who broke which rule, most games first."""
        return sorted(self.broken.values(), key=lambda agent: -agent.counts.total())


def rank_of(row: StandingsRow) -> tuple[bool, float, float]:
    """The key that decides an agent's place; less is better. Equal agents' computed ratings differ by some 1e-7 Elo."""
    rating = round(row.rating.value, 3) if row.rating else 0.0
    return not row.results.games, -rating, -row.results.points


def places_of(ranks: Sequence[Any]) -> list[int]:
    """The place of each rank, where the ranks are given best first; equal ranks share a place.

    >>> places_of([7, 5, 5, 3])
    [1, 2, 2, 4]
    """
    return [ranks.index(rank) + 1 for rank in ranks]


def league_of(store: Store, only: Sequence[str] = ()) -> League:
    """The league of a tournament's records: of all agents that are not absent, or of the games between `only` these."""
    names = only or [agent.name for agent in store.agents() if agent.absence is None]
    league, void = League(names), store.void_pairs()
    for pair, found in groupby(store.games(), attrgetter("pair")):
        games = list(found)
        between_these = not only or {games[0].first, games[0].second} <= {*only}
        if between_these and pair not in void:  # also one that somebody has called void, although it was played
            try:
                league.add(games)
            except KeyError as error:
                text = f"{error} has played, so it cannot be absent unless its pairs are void"
                raise StoreError(f"{store.path} was edited: {text}") from error
    return league


# --- Tables by points -------------------------------------------------------------------------------------------------


class Pairing(NamedTuple):
    """Two agents that meet in a round, by name."""

    first: str
    second: str


class Meeting(NamedTuple):
    """The outcome of a pairing: the points of both, out of `games` games that count (those of void pairs do not)."""

    round: int
    agents: Pairing
    points: tuple[float, float]
    games: int


class FormatRow(NamedTuple):
    """An agent's place in the table.

    Attributes:
        points: 1 for a win, 0.5 for a draw, and the points of byes.
        games: games that were played, without byes.
        buchholz: the sum of the opponents' points, once for each meeting.
        byes: rounds without an opponent.
    """

    agent: str
    points: float
    games: int
    buchholz: float
    byes: int = 0


def table_by_points(
    names: Sequence[str], played: Sequence[Meeting], byes: Iterable[str] = (), bye: float = 0
) -> list[FormatRow]:
    """The table, best first: by points, then by Buchholz, then in the order of `names`.

    Args:
        played: who is not among `names` is not in the table; somebody may have taken it out.
        byes: the names of agents that had a bye, once for each bye.
        bye: the points of a bye.
    """
    had = list(byes)
    points = defaultdict(float, {name: had.count(name) * bye for name in names})
    games: defaultdict[str, int] = defaultdict(int)
    for meeting in played:
        for name, won in zip(meeting.agents, meeting.points, strict=True):
            points[name] += won
            games[name] += meeting.games
    buchholz: defaultdict[str, float] = defaultdict(float)
    for meeting in played:
        first, second = meeting.agents
        buchholz[first] += points[second]
        buchholz[second] += points[first]
    table = [FormatRow(name, points[name], games[name], buchholz[name], had.count(name)) for name in names]
    return sorted(table, key=lambda standing: (-standing.points, -standing.buchholz))


def byes_of(names: Sequence[str], played: Sequence[Meeting]) -> list[str]:
    """The names of agents that had no opponent in a round, once for each such round."""
    rounds = sorted({meeting.round for meeting in played})
    present = {number: {name for m in played if m.round == number for name in m.agents} for number in rounds}
    return [name for number in rounds for name in names if name not in present[number]]


def between(names: Iterable[str], played: Sequence[Meeting], round_: int) -> list[Meeting]:
    """The meetings of these agents with each other in a round; meetings of their older versions are left out."""
    known = frozenset(names)
    return [meeting for meeting in played if meeting.round == round_ and known.issuperset(meeting.agents)]


def finalists(names: Sequence[str], played: Sequence[Meeting], seed: int) -> list[str]:
    """Who plays the final of the course's format: the top tenth of its first round, at least two, best first.

    The order is by points per game, because not all have played as many games; then by Buchholz per game; then random,
    from the seed.
    """
    drawn = random.Random(f"course final {seed}").sample(list(names), len(names))
    table = table_by_points(drawn, between(names, played, 1))
    table.sort(key=lambda row: (row.points / max(1, row.games), row.buchholz / max(1, row.games)), reverse=True)
    return [row.agent for row in table[: max(TOP_AT_LEAST, math.ceil(len(names) / TOP_SHARE))]]


class FormatTable(NamedTuple):
    """The table that decides in a format, if that is not the standings; best first."""

    title: str
    rows: list[FormatRow]

    def places(self) -> list[int]:
        """The place of each row."""
        return places_of([(row.points, row.buchholz) for row in self.rows])


def format_tables(store: Store) -> list[FormatTable]:
    """The table of a Swiss tournament, or of the course's final; no table where the standings decide.

    Agents with equal points and Buchholz are in the order of `League.standings`.
    """
    names = [row.name for row in league_of(store).standings().rows]
    present = [agent.name for agent in store.agents() if agent.absence is None and not agent.replaced]
    return tables_of(store.settings(), names, present, meetings(store))


def tables_of(
    settings: Mapping[str, Any], names: Sequence[str], present: Sequence[str], played: Sequence[Meeting]
) -> list[FormatTable]:
    """See `format_tables`; equal agents are in the order of `names`. `present` play, in the order of the records."""
    if settings.get("format") == "swiss":
        bye = 2 * settings.get("pairs", 1)  # the points of a bye: those of all games of a pairing
        return [FormatTable("Swiss table", table_by_points(names, played, byes_of(names, played), bye))]
    if settings.get("format") == "course":
        best = finalists(present, played, settings.get("seed") or 0)
        if final := between(best, played, FINAL):
            return [FormatTable("Final", table_by_points([name for name in names if name in best], final))]
    return []


def meetings(store: Store) -> list[Meeting]:
    """The outcome of each pairing of the rounds so far; void pairs count for nobody."""
    pairs = {pair.id: pair for pair in store.pairs()}
    points = {(pair.round, Pairing(pair.first, pair.second)): [0.0, 0.0] for pair in pairs.values()}
    games = dict.fromkeys(points, 0)
    for game in store.games():
        pair = pairs[game.pair]
        if pair.state != VOID:
            meeting = pair.round, Pairing(pair.first, pair.second)
            points[meeting] = [sum_ + game.points(name) for sum_, name in zip(points[meeting], meeting[1], strict=True)]
            games[meeting] += 1
    return [Meeting(round_, names, (a, b), games[round_, names]) for (round_, names), (a, b) in points.items()]

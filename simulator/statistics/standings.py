"""What a tournament's records add up to: standings with ratings, the cross-table, what decides in a format
of its own, who broke which rule.

Pure functions of a file of records. Begin reading at `standings_of`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simulator.records.database import Store
from simulator.records.schema import VOID, StoredGame
from simulator.referee.game_record import Reason
from simulator.statistics.bradley_terry import Disconnected, league_ratings
from simulator.statistics.elo import Estimate, Results
from simulator.tournament.formats import Meeting, Pairing, Standing, Swiss, byes_of, make_format, standings


class Row(NamedTuple):
    """An agent's line in the table.

    Attributes:
        results: games won, drawn and lost; those of void pairs are not among them.
        rating: Elo with its interval, the mean of all being 0; None without games, or where nothing compares them.
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
        rows: best first: by rating, or by points where there are none; agents without games last.
        first_player: the advantage of moving first, in Elo.
        note: why there are no ratings, empty if there are.
    """

    rows: list[Row]
    first_player: Estimate | None = None
    note: str = ""


@dataclass
class Violations:
    """The games that an agent lost because it broke a rule: how many for each reason, and one of each to look at."""

    name: str
    counts: Counter[Reason] = field(default_factory=Counter)
    examples: dict[Reason, StoredGame] = field(default_factory=dict)


def standings_of(store: Store) -> Standings:
    """The table of the agents that are present."""
    names = [agent.name for agent in store.agents() if agent.absence is None]
    games = counted(store)
    results = {name: Results() for name in names}
    broken = Counter(game.loser for game in games if game.reason.is_fault)
    for game in games:
        for name in (game.first, game.second):
            results[name].add(game.points(name))
    ratings, advantage, note = _ratings([name for name in names if results[name].games], games)
    rows = [Row(name, results[name], ratings.get(name), broken[name]) for name in names]
    return Standings(sorted(rows, key=_rank), advantage, note)


def _rank(row: Row) -> tuple[bool, float, float]:
    rating = row.rating.value if row.rating else 0.0
    return not row.results.games, -rating, -row.results.points


def counted(store: Store) -> list[StoredGame]:
    """The games that count: none of a pair in which one is void, since the other is of one colour only."""
    void = {pair.id for pair in store.pairs() if pair.state == VOID}
    return [game for game in store.games() if game.pair not in void]


def _ratings(names: Sequence[str], games: Iterable[StoredGame]) -> tuple[dict[str, Estimate], Estimate | None, str]:
    """Ratings by name, the advantage of moving first, and why there are none."""
    results: defaultdict[tuple[str, str], Results] = defaultdict(Results)
    for game in games:
        results[game.first, game.second].add(game.points(game.first))
    if len(names) < 2:
        return {}, None, "nobody has played yet"
    try:
        league = league_ratings(names, results)
    except Disconnected as error:
        return {}, None, str(error)
    return league.ratings, league.first_player, ""


def cross_table(store: Store) -> dict[tuple[str, str], Results]:
    """What each agent (first of the key) has won, drawn and lost against each other, whoever moved first."""
    table: defaultdict[tuple[str, str], Results] = defaultdict(Results)
    for game in counted(store):
        for name, other in ((game.first, game.second), (game.second, game.first)):
            table[name, other].add(game.points(name))
    return dict(table)


def violations_of(store: Store) -> list[Violations]:
    """Who broke which rules, most games first."""
    found: dict[str, Violations] = {}
    for game in counted(store):
        if game.reason.is_fault and game.loser is not None:
            agent = found.setdefault(game.loser, Violations(game.loser))
            agent.counts[game.reason] += 1
            agent.examples.setdefault(game.reason, game)
    return sorted(found.values(), key=lambda agent: -agent.counts.total())


# --- Tables that belong to a format ---------------------------------------------------------------------------------


class FormatTable(NamedTuple):
    """What decides in a format itself, best first."""

    title: str
    rows: list[Standing]


def format_tables(store: Store) -> list[FormatTable]:
    """A Swiss tournament's points with byes and Buchholz, the course's final; none where the standings decide.

    What points leave open is in the order of `standings_of`.
    """
    names = [row.name for row in standings_of(store).rows]
    return tables_of(store.settings(), names, meetings(store))


def tables_of(settings: Mapping[str, Any], names: Sequence[str], played: Sequence[Meeting]) -> list[FormatTable]:
    """See `format_tables`; `names` are the agents that take part."""
    if settings.get("format") == "swiss":
        byes = byes_of(names, played)
        return [FormatTable("Swiss table", standings(names, played, byes, _bye(settings, len(names))))]
    final = [meeting for meeting in played if meeting.round == 2]
    if settings.get("format") == "course" and final:
        finalists = [name for name in names if any(name in meeting.agents for meeting in final)]
        return [FormatTable("Final", standings(finalists, final))]
    return []


def _bye(settings: Mapping[str, Any], agents: int) -> float:
    """The points of a round without opponent."""
    swiss = make_format("swiss", settings.get("rounds"), agents, settings.get("pairs", 1))
    assert isinstance(swiss, Swiss)
    return swiss.bye


def meetings(store: Store) -> list[Meeting]:
    """What each pairing of the rounds so far came to; void pairs count for nobody."""
    found: dict[tuple[int, Pairing], tuple[list[float], int]] = {}
    pairing_of = {pair.id: (pair.round, Pairing(pair.first, pair.second)) for pair in store.pairs()}
    for key in pairing_of.values():
        found.setdefault(key, ([0.0, 0.0], 0))
    for game in counted(store):
        key = pairing_of[game.pair]
        points, games = found[key]
        found[key] = ([sum_ + game.points(name) for sum_, name in zip(points, key[1], strict=True)], games + 1)
    return [Meeting(round_, names, (points[0], points[1]), games) for (round_, names), (points, games) in found.items()]

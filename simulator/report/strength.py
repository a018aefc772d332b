"""Who is how strong, by a tournament's records: tables, ratings with their intervals, and who beat whom.

Agents are named by their number among the agents of the records. Void games count for nobody.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulator.bradley_terry import Disconnected, league_ratings
from simulator.formats import Meeting, Standing, Swiss, byes_of, make_format, standings
from simulator.ratings import Estimate, Results, share_estimate
from simulator.records import Reason
from simulator.schema import StoredGame
from simulator.store import Store
from simulator.tournament import meetings

Json = dict[str, Any]


def strength_json(store: Store) -> Json:
    """Tables, ratings, shares of the points from pairs, and the cross-table."""
    names = [agent.name for agent in store.agents()]
    present = [agent.name for agent in store.agents() if agent.absence is None]
    games = [game for game in store.games() if game.reason is not Reason.VOID]
    number = {name: i for i, name in enumerate(names)}
    return {
        "tables": tables(store.settings(), present, meetings(store), games, number),
        "ratings": ratings(present, games, number),
        "shares": {number[name]: _rounded(share, 4) for name, share in pair_shares(games).items()},
        "cross": cross_table(games, number),
    }


# --- Tables ---------------------------------------------------------------------------------------------------------


def tables(
    settings: Mapping[str, Any],
    present: Sequence[str],
    played: Sequence[Meeting],
    games: Sequence[StoredGame],
    number: Mapping[str, int],
) -> list[Json]:
    """The standings: one table, or the course's final (once it is played) and its first round."""

    def table(title: str, names: Sequence[str], rounds: set[int], **byes: Any) -> Json:
        rows = standings(names, [meeting for meeting in played if meeting.round in rounds], **byes)
        results = results_of(game for game in games if game.round in rounds)
        return {"title": title, "rows": [_row(row, results[row.name], number) for row in rows]}

    rounds = {meeting.round for meeting in played}
    if settings.get("format") == "course":
        finalists = [name for name in present if any(name in m.agents for m in played if m.round == 2)]
        final = [table("Final", finalists, {2})] if finalists else []
        return [*final, table("First round", present, {1})]
    byes = byes_of(present, played) if settings.get("format") == "swiss" else []
    return [table("Standings", present, rounds, byes=byes, bye=_bye(settings, len(present)))]


def _bye(settings: Mapping[str, Any], agents: int) -> float:
    """The points of a round without opponent."""
    names = ("rounds", "pairs", "champion", "seed")
    chosen = {name: settings[name] for name in names if name in settings}
    format_ = make_format(settings.get("format", ""), agents=agents, **{"rounds": None, **chosen})
    return format_.bye if isinstance(format_, Swiss) else 0


def results_of(games: Iterable[StoredGame]) -> defaultdict[str, Results]:
    """Games won, drawn and lost, by name."""
    found: defaultdict[str, Results] = defaultdict(Results)
    for game in games:
        for name in (game.first, game.second):
            found[name].add(game.points(name))
    return found


def _row(row: Standing, results: Results, number: Mapping[str, int]) -> Json:
    counts = {"wins": results.wins, "draws": results.draws, "losses": results.losses}
    more = {"points": row.points, "games": row.games, "buchholz": row.buchholz, "byes": row.byes}
    return {"agent": number[row.name], **counts, **more}


# --- Ratings --------------------------------------------------------------------------------------------------------


def ratings(present: Sequence[str], games: Sequence[StoredGame], number: Mapping[str, int]) -> Json:
    """Bradley-Terry ratings with 95 % intervals, [Elo, low, high]; or `problem`, why there are none."""
    results: defaultdict[tuple[str, str], Results] = defaultdict(Results)
    for game in games:
        results[game.first, game.second].add(game.points(game.first))
    agents = [name for name in present if any(name in pairing for pairing in results)]
    if not results:
        return {"problem": "no games have been played"}
    try:
        found = league_ratings(agents, results)
    except Disconnected as error:
        return {"problem": str(error)}
    agents_json = {number[name]: _rounded(estimate, 1) for name, estimate in found.ratings.items()}
    return {"agents": agents_json, "first_player": _rounded(found.first_player, 1)}


def pair_shares(games: Sequence[StoredGame]) -> dict[str, Estimate]:
    """The share of the points with its 95 % interval, from finished pairs of games, by name."""
    pairs: defaultdict[int, list[StoredGame]] = defaultdict(list)
    for game in games:
        pairs[game.pair].append(game)
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0] * 5)
    for pair in pairs.values():
        if len(pair) == 2:
            for name in (pair[0].first, pair[0].second):
                counts[name][round(2 * sum(game.points(name) for game in pair))] += 1
    return {name: share_estimate(outcomes) for name, outcomes in counts.items()}


def _rounded(estimate: Estimate, digits: int) -> list[float]:
    return [round(end, digits) for end in estimate]


# --- Who beat whom --------------------------------------------------------------------------------------------------


def cross_table(games: Sequence[StoredGame], number: Mapping[str, int]) -> list[list[float]]:
    """[agent, opponent, points of the agent, games], of all who have met, from both sides."""
    found: defaultdict[tuple[str, str], Results] = defaultdict(Results)
    for game in games:
        found[game.first, game.second].add(game.points(game.first))
        found[game.second, game.first].add(game.points(game.second))
    return [[number[one], number[other], met.points, met.games] for (one, other), met in sorted(found.items())]

"""Who is how strong, by a tournament's records: tables, ratings with their intervals, and who beat whom.

Agents are named by their number among the agents of the records. Void pairs count for nobody.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from simulator.formats import Meeting, Standing, Swiss, byes_of, make_format, standings
from simulator.league_table import Standings, counted, cross_table, standings_of
from simulator.ratings import Estimate, Results, share_estimate
from simulator.schema import StoredGame
from simulator.store import Store
from simulator.tournament import meetings

Json = dict[str, Any]
Numbers = Mapping[str, int]


def strength_json(store: Store) -> Json:
    """Tables, ratings, shares of the points from pairs, and the cross-table.

    The cross-table has [agent, opponent, points of the agent, games], of all who have met, from both sides.
    """
    number = {agent.name: i for i, agent in enumerate(store.agents())}
    found = standings_of(store)
    names = [row.name for row in found.rows]
    met = sorted(cross_table(store).items())
    return {
        "tables": [
            *format_tables(store.settings(), names, meetings(store), number),
            {"title": "Standings", "rows": [_row(row.name, row.results, number) for row in found.rows]},
        ],
        "ratings": _ratings(found, number),
        "shares": {number[name]: _rounded(share, 4) for name, share in pair_shares(counted(store)).items()},
        "cross": [[number[one], number[other], results.points, results.games] for (one, other), results in met],
    }


def _row(name: str, results: Results, number: Numbers) -> Json:
    counts = {"wins": results.wins, "draws": results.draws, "losses": results.losses}
    return {"agent": number[name], "points": results.points, "games": results.games, **counts}


def _ratings(found: Standings, number: Numbers) -> Json:
    """Ratings, [Elo, low, high], and the advantage of moving first; or `problem`, why there are none."""
    if found.first_player is None:
        return {"problem": found.note}
    agents = {number[row.name]: _rounded(row.rating, 1) for row in found.rows if row.rating is not None}
    return {"agents": agents, "first_player": _rounded(found.first_player, 1)}


def _rounded(estimate: Estimate, digits: int) -> list[float]:
    return [round(end, digits) for end in estimate]


# --- Tables that belong to a format ---------------------------------------------------------------------------------


def format_tables(
    settings: Mapping[str, Any], names: Sequence[str], played: Sequence[Meeting], number: Numbers
) -> list[Json]:
    """What decides in the format itself: a Swiss tournament's points with byes and Buchholz, the course's final."""
    if settings.get("format") == "swiss":
        table = standings(names, played, byes_of(names, played), _bye(settings, len(names)))
        return [{"title": "Swiss table", "rows": [_format_row(row, number) for row in table]}]
    final = [meeting for meeting in played if meeting.round == 2]
    if settings.get("format") == "course" and final:
        finalists = [name for name in names if any(name in meeting.agents for meeting in final)]
        rows = standings(finalists, final)
        return [{"title": "Final", "rows": [_format_row(row, number) for row in rows]}]
    return []


def _format_row(row: Standing, number: Numbers) -> Json:
    said = {"points": row.points, "games": row.games, "buchholz": row.buchholz, "byes": row.byes}
    return {"agent": number[row.name], **said}


def _bye(settings: Mapping[str, Any], agents: int) -> float:
    """The points of a round without opponent."""
    swiss = make_format("swiss", settings.get("rounds"), agents, settings.get("pairs", 1))
    assert isinstance(swiss, Swiss)
    return swiss.bye


# --- Shares ---------------------------------------------------------------------------------------------------------


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

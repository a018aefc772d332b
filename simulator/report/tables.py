"""What a tournament's records say of strength: tables, ratings with their intervals, and who beat whom.

Agents are given by their index among the agents of the records. Void pairs count for nobody.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.records.store import Store
from simulator.statistics.elo import share_estimate
from simulator.statistics.standings import Standings, StandingsRow, format_tables, league_of

Json = dict[str, Any]
Numbers = Mapping[str, int]


def strength_json(store: Store) -> Json:
    """Tables, ratings, shares of the points from pairs, and the cross-table.

    The cross-table has [agent, opponent, points of the agent, games] for all agents that have met, from both sides.
    """
    number = {agent.name: i for i, agent in enumerate(store.agents())}
    league = league_of(store)
    found = league.standings()
    shares = {name: share_estimate(pairs.counts) for name, pairs in league.pairs.items() if any(pairs.counts)}
    return {
        "tables": [
            *(_table(t.title, t.places(), [row._asdict() for row in t.rows], number) for t in format_tables(store)),
            _table("Standings", found.places(), [_row(row) for row in found.rows], number),
        ],
        "ratings": _ratings(found, number),
        "shares": {number[name]: share.rounded(4) for name, share in shares.items()},
        "cross": [
            [number[one], number[other], results.points, results.games]
            for (one, other), results in sorted(league.cross_table().items())
        ],
    }


def _table(title: str, places: Sequence[int], rows: Sequence[Json], number: Numbers) -> Json:
    placed = zip(places, rows, strict=True)
    return {"title": title, "rows": [{"place": place, **row, "agent": number[row["agent"]]} for place, row in placed]}


def _row(row: StandingsRow) -> Json:
    return {"agent": row.name, **row.results.to_json(), "faults": row.violations}


def _ratings(found: Standings, number: Numbers) -> Json:
    """Ratings, [Elo, low, high], and the advantage of moving first; or `problem`, why there are none."""
    if found.first_player is None:
        return {"problem": found.note}
    agents = {number[row.name]: row.rating.rounded(1) for row in found.rows if row.rating is not None}
    return {"agents": agents, "first_player": found.first_player.rounded(1)}

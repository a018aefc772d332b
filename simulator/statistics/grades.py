"""The standings as rows for a spreadsheet, with all that grades may depend on. Begin reading at `grade_rows`."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from simulator.records.store import Store
from simulator.referee.game_record import Reason
from simulator.statistics.elo import Results
from simulator.statistics.standings import FormatTable, Standings, StandingsRow, format_tables, league_of
from simulator.statistics.usage import Tally

Cells = dict[str, Any]


def grade_rows(store: Store, only: str | None = None) -> Iterator[Cells]:
    """A row for each agent, best first as in the standings, absent ones last; None where there is nothing to say.

    Agents with the same rating and points share a place (1, 2, 2, 4). An older version of an agent, which a newer one
    has replaced, has no row; the games against it count. `rating` is in Elo, with a 95 % interval. `format_place`,
    `format_points` and `buchholz` are of the table that decides in a Swiss tournament or in the course's final.
    `late_moves`, times (of all moves but each game's first) and memory include void games; all else is of the games
    that count. If `only` names an agent, just its games are read for these figures, which are then right for it alone.
    """
    entries = {agent.name: agent for agent in store.agents()}
    usage, league, decisive = _usage_of(store, only), league_of(store), _format_cells(format_tables(store))
    broken = {agent.name: agent.counts for agent in league.violations()}
    present = [row for row in league.standings().rows if not entries[row.name].replaced]
    absent = [
        StandingsRow(agent.name, Results(), None, 0)
        for agent in entries.values()
        if agent.absence and not agent.replaced
    ]
    for row, place in zip_longest((*present, *absent), Standings(present).places()):
        yield {
            "place": place if row.results.games else None,
            "agent": row.name,
            "authors": ", ".join(entries[row.name].authors) or None,
            **_result_cells(row),
            **decisive.get(row.name, dict.fromkeys(("format_place", "format_points", "buchholz"))),
            "violations": row.violations,
            "violated": _counts_text(broken.get(row.name, Counter())),
            **_usage_cells(usage.get(row.name, Tally(row.name))),
            "absent": (entries[row.name].absence or "").partition("\n")[0] or None,
        }


def _usage_of(store: Store, only: str | None) -> Mapping[str, Tally]:
    """What each agent used in its games, by name; with `only`, just the games of that agent are read."""
    usage: dict[str, Tally] = {}
    for game in store.games():
        if only not in (None, game.first, game.second):
            continue
        record = store.record(game.id)
        for name in record.agents:
            usage.setdefault(name, Tally(name)).add(record)
    return usage


def _format_cells(tables: list[FormatTable]) -> dict[str, Cells]:
    return {
        row.agent: {"format_place": place, "format_points": row.points, "buchholz": row.buchholz}
        for table in tables
        for place, row in zip(table.places(), table.rows, strict=True)
    }


def _result_cells(row: StandingsRow) -> Cells:
    results = row.results
    rating, low, high = row.rating.rounded(1) if row.rating else (None, None, None)
    return {
        **results.to_json(),
        "score": round(results.points / results.games, 4) if results.games else None,
        "rating": rating,
        "rating_low": low,
        "rating_high": high,
    }


def _counts_text(counts: Counter[Reason]) -> str | None:
    """`2 crash, 1 timeout`."""
    return ", ".join(f"{count} {reason.value}" for reason, count in counts.most_common()) or None


def _usage_cells(usage: Tally) -> Cells:
    return {
        "late_moves": usage.replaced,
        "max_move_seconds": round(max(usage.later_seconds), 3) if usage.later_seconds else None,
        "max_memory_mb": round(usage.peak_memory_mb, 1) or None,
    }

"""A tournament's tables for people: what decides in a format, standings, cross-table, absent agents, violations.

They fit 80 columns. A *fault* is a game that an agent lost because it broke a rule.
"""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from simulator.league_table import (
    FormatTable,
    Row,
    Standings,
    cross_table,
    format_tables,
    standings_of,
    violations_of,
)
from simulator.ratings import Estimate
from simulator.store import Store

NAME_WIDTH = 22
CROSS_CELL = 6  # characters of a column of the cross-table: `10.5` and what stands between two
CROSS_MARGIN = 5 + NAME_WIDTH


def print_report(console: Console, store: Store) -> None:
    """All that there is to say at the end."""
    standings = standings_of(store)
    for table in format_tables(store):
        console.print(format_table(table))
    console.print(standings_table(standings))
    console.print(cross_table_of(store, standings.rows, console.width))
    for line in (*notes(standings), *absent_lines(store), *violation_lines(store)):
        console.print(Text(line), soft_wrap=not console.is_terminal)


def format_table(table: FormatTable) -> RenderableType:
    """What decides in a format itself, under its title."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=table.title, title_justify="left")
    shown.add_column("", justify="right", no_wrap=True)
    shown.add_column("agent", no_wrap=True, max_width=NAME_WIDTH)
    for heading in ("points", "games", "byes", "Buchholz"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for rank, row in enumerate(table.rows, 1):
        numbers = (f"{row.points:g}", str(row.games), str(row.byes), f"{row.buchholz:g}")
        shown.add_row(str(rank), Text(row.name), *numbers)
    return shown


def standings_table(standings: Standings, most: int | None = None) -> RenderableType:
    """The table, with its first `most` lines only if they are more."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("agent", no_wrap=True, max_width=NAME_WIDTH)
    for heading in ("points", "games", "w-d-l", "Elo", "95 %", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rank, row in enumerate(standings.rows[:most], 1):
        table.add_row(*_cells(rank, row))
    left_out = len(standings.rows) - len(standings.rows[:most])
    return Group(table, Text(f"  and {left_out} more")) if left_out else table


def _cells(rank: int, row: Row) -> Iterator[RenderableType]:
    results = row.results
    yield str(rank)
    yield Text(row.name)
    yield f"{results.points:g}"
    yield str(results.games)
    yield f"{results.wins}-{results.draws}-{results.losses}"
    yield _elo(row.rating.value) if row.rating else "-"
    yield _interval(row.rating) if row.rating else ""
    yield Text(str(row.violations), style="bold red" if row.violations else "")


def _interval(estimate: Estimate) -> str:
    return f"{_elo(estimate.low)}..{_elo(estimate.high)}"


def _elo(value: float) -> str:
    """Rounded, with its sign, and never as -0."""
    return f"{round(value):+d}"


def notes(standings: Standings) -> Iterator[str]:
    """What is to be said of ratings."""
    if standings.note:
        yield f"no ratings: {standings.note}"
    elif standings.first_player is not None:
        yield f"moving first is worth {_elo(standings.first_player.value)} Elo ({_interval(standings.first_player)})"


def cross_table_of(store: Store, rows: Sequence[Row], width: int) -> RenderableType:
    """Each agent's points against each other, in the order of the table, as many agents as fit into the width."""
    names = [row.name for row in rows if row.results.games]
    shown = names[: max(0, (width - CROSS_MARGIN) // CROSS_CELL)]
    if len(shown) < 2:
        return Text("")
    found = cross_table(store)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left", title=_cross_title(len(shown), len(names)))
    table.add_column("", justify="right")
    table.add_column("points against", no_wrap=True, max_width=NAME_WIDTH)
    for rank in range(1, len(shown) + 1):
        table.add_column(str(rank), justify="right", no_wrap=True)
    for rank, name in enumerate(shown, 1):
        met = [found.get((name, other)) for other in shown]
        table.add_row(str(rank), Text(name), *(f"{results.points:g}" if results else "" for results in met))
    return table


def _cross_title(shown: int, all_of: int) -> str | None:
    return None if shown == all_of else f"the first {shown} of {all_of}, as many as fit here"


def absent_lines(store: Store) -> Iterator[str]:
    """Who took no part, and why."""
    for agent in store.agents():
        if agent.absence is not None:
            what, *stderr = agent.absence.splitlines()
            yield f"absent: {agent.name} ({agent.text}): {what}"
            yield from (f"    | {line}" for line in stderr)


def violation_lines(store: Store) -> Iterator[str]:
    """Who lost games by breaking which rules; for each the first verdict, and what the agent wrote last."""
    for agent in violations_of(store):
        for reason, count in agent.counts.items():
            verdict = store.record(agent.examples[reason].id).verdict
            games = "1 game" if count == 1 else f"{count} games"
            yield f"violation ({reason}): {agent.name} lost {games}; the first: {verdict.text}"
            yield from (f"    | {line}" for line in verdict.stderr[-3:])

"""A tournament's tables: the one that decides in its format, standings, cross-table, absent agents, violations.

They fit 80 columns. A *fault* is a game that an agent lost because it broke a rule.
"""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from options import counted
from simulator.player.faults import last_words
from simulator.records.schema import AgentEntry
from simulator.records.store import Store
from simulator.statistics.elo import Estimate, elo_text
from simulator.statistics.standings import FormatTable, League, Standings, StandingsRow, format_tables, league_of
from simulator.terminal.lines import print_line

NAME_WIDTH, LEAST_NAME_WIDTH = 22, 8  # of the column of names, in characters
COLUMN_GAP = 3  # characters between two columns
CROSS_MARGIN = 2 + 2 + COLUMN_GAP + NAME_WIDTH  # of the cross-table, before its figures: edges, rank, name


def print_report(console: Console, store: Store) -> None:
    """All tables of a tournament, and the notes below them."""
    league = league_of(store)
    standings = league.standings()
    for table in format_tables(store):
        console.print(format_table(table), crop=False)
    console.print(standings_table(standings), crop=False)
    console.print(cross_table_of(league, standings.rows, console.width), crop=False)
    absent = (line for agent in store.agents() if not agent.replaced for line in absence_lines(agent))
    for line in (*notes(standings), *absent, *violation_lines(store, league)):
        print_line(console, line)


def format_table(table: FormatTable) -> RenderableType:
    """The table that decides in a format, under its title."""
    rows = [
        (str(place), Text(row.agent), f"{row.points:g}", str(row.games), str(row.byes), f"{row.buchholz:g}")
        for place, row in zip(table.places(), table.rows, strict=True)
    ]
    return _table(("", "agent", "points", "games", "byes", "Buchholz"), rows, table.title)


def standings_table(standings: Standings, most: int | None = None) -> RenderableType:
    """The standings, or the first `most` lines of them."""
    rows = [tuple(_cells(*placed)) for placed in zip(standings.places(), standings.rows[:most], strict=False)]
    table = _table(("", "agent", "points", "games", "w-d-l", "Elo", "95 %", "faults"), rows)
    left_out = len(standings.rows) - len(standings.rows[:most])
    return Group(table, Text(f"  and {left_out} more")) if left_out else table


def _table(headings: Sequence[str], rows: Sequence[Sequence[str | Text]], title: str | None = None) -> Table:
    """A table whose second column has names, the others figures.

    If the table is too wide, names are broken up, but not figures. If it is still too wide, the terminal breaks lines.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    for number, cells in enumerate(zip(headings, *rows, strict=True)):
        longest, heading = max(map(len, cells)), headings[number]
        if number == 1:
            least = min(longest, LEAST_NAME_WIDTH)
            table.add_column(heading, overflow="fold", min_width=least, max_width=NAME_WIDTH)
        else:
            table.add_column(heading, justify="right", no_wrap=True, min_width=longest)
    for row in rows:
        table.add_row(*row)
    return table


def _cells(place: int, row: StandingsRow) -> Iterator[str | Text]:
    results = row.results
    yield str(place)
    yield Text(row.name)
    yield f"{results.points:g}"
    yield str(results.games)
    yield f"{results.wins}-{results.draws}-{results.losses}"
    yield elo_text(row.rating.value) if row.rating else "-"
    yield _interval(row.rating) if row.rating else ""
    yield Text(str(row.violations), style="bold red" if row.violations else "")


def _interval(estimate: Estimate) -> str:
    return f"{elo_text(estimate.low)}..{elo_text(estimate.high)}"


def notes(standings: Standings) -> Iterator[str]:
    """Why there are no ratings, or what the first move is worth."""
    if standings.note:
        yield f"no ratings: {standings.note}"
    elif standings.first_player is not None:
        advantage = standings.first_player
        yield f"moving first is worth {elo_text(advantage.value)} Elo ({_interval(advantage)})"


def cross_table_of(league: League, rows: Sequence[StandingsRow], width: int) -> RenderableType:
    """Each agent's points against each other, in the order of the table, as many agents as fit into the width."""
    names = [row.name for row in rows if row.results.games]
    points = {key: f"{results.points:g}" for key, results in league.cross_table().items()}
    column = COLUMN_GAP + max(map(len, (str(len(names)), *points.values())))
    shown = names[: max(0, (width - CROSS_MARGIN) // column)]
    if len(shown) < 2:
        return Text("")
    ranks = [str(rank) for rank in range(1, len(shown) + 1)]
    cells: list[tuple[str | Text, ...]] = [
        (rank, Text(name), *(points.get((name, other), "") for other in shown))
        for rank, name in zip(ranks, shown, strict=True)
    ]
    title = None if len(shown) == len(names) else f"the first {len(shown)} of {len(names)}, as many as fit here"
    return _table(("", "points against", *ranks), cells, title)


def absence_lines(agent: AgentEntry) -> Iterator[str]:
    """Why an agent cannot take part, and the end of its log; nothing if it can."""
    if agent.absence is not None:
        what, *stderr = agent.absence.splitlines()
        yield f"absent: {agent.name} ({agent.text}): {what}"
        if len(stderr) != 1 or not what.endswith(stderr[0]):
            yield from (f"    | {line}" for line in stderr)


def violation_lines(store: Store, league: League) -> Iterator[str]:
    """Which agents lost games by breaking which rules; for each rule the first verdict, and the agent's last words."""
    for agent in league.violations():
        for reason, count in agent.counts.items():
            verdict = store.record(agent.examples[reason].id).verdict
            yield f"violation ({reason}): {agent.name} lost {counted(count, 'game')}; the first: {verdict.text}"
            yield from (f"    | {line}" for line in last_words(verdict.stderr, 3))

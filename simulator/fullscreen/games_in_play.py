"""The games in play of a match or tournament, a line for each."""

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Column, Table
from rich.text import Text

from simulator.referee.conditions import Conditions
from simulator.referee.events import ClockRuns
from simulator.terminal.live import InPlay

CLOCK_WIDTH = 8  # characters
COLUMNS, NAMES_AT = 10, (1, 4)


def games_table(
    in_play: Mapping[int, InPlay], watched: int | None, colours: tuple[str, str], conditions: Conditions
) -> Table:
    """The games in play, by pair, with the player that thinks, its clock and its memory; only names are shortened."""
    table = Table.grid(*(Column(no_wrap=place not in NAMES_AT) for place in range(COLUMNS)), padding=(0, 1, 0, 0))
    for pair, game in sorted(in_play.items()):
        clock = game.clock
        styles = ("bold" if clock and clock.player == player else "" for player in range(2))
        first, second = (
            Text(name, style, no_wrap=True, overflow="ellipsis") for name, style in zip(game.names, styles, strict=True)
        )
        figures = _figures(clock, conditions.limits_for(game.names[clock.player]).memory_mb) if clock else ()
        number = Text(f"game {game.number}", style="reverse" if pair == watched else "")
        table.add_row(number, first, f"({colours[0]})", "-", second, f"({colours[1]})", *figures)
    return table


def _figures(clock: ClockRuns, memory_mb: int) -> Iterator[RenderableType]:
    """The figures of the player who thinks: the move, its clock as a bar and in seconds, its memory."""
    yield f"move {clock.ply + 1}"
    yield ProgressBar(total=clock.limit, completed=min(clock.elapsed, clock.limit), width=CLOCK_WIDTH)
    yield f"{clock.elapsed:.1f} of {clock.limit:g} s"
    yield f"{clock.memory_mb:.0f} of {memory_mb} MB"

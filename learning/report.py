"""The results of learning, generation by generation: a table, and a curve of strength over time."""

from collections.abc import Sequence
from pathlib import Path

from learning.folder import Generation
from simulator.statistics.elo import elo_text

ROWS, COLUMNS = 12, 60  # of the curve in characters


def render(log: Sequence[Generation]) -> str:
    """A table of all generations, and their strength over the hours as a curve."""
    if not log:
        return "No generation is finished yet."
    heads = ("generation", "hours", "games", "positions", "log loss", "accuracy", "Elo against champion", "Elo in all")
    rows = [heads, *(_row(generation) for generation in log)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows]
    last = log[-1]
    lines.append(f"The weights of generation {last.champion} are the best. Elo in all is probably too high.")
    return "\n".join([*lines, "", *_curve(log)])


def _row(generation: Generation) -> tuple[str, ...]:
    elo, low, high = map(elo_text, (generation.elo, generation.elo_low, generation.elo_high))
    return (
        str(generation.number) + ("*" if generation.champion == generation.number else " "),
        f"{generation.hours:.2f}",
        f"{generation.games:,}",
        f"{generation.positions:,}",
        f"{generation.log_loss:.4f}",
        f"{generation.accuracy:.1%}",
        f"{elo} ({low} to {high})" if generation.pairs else "",
        elo_text(generation.total_elo),
    )


def _curve(log: Sequence[Generation]) -> list[str]:
    """Elo in all over the hours, in characters."""
    hours = max(generation.hours for generation in log) or 1.0
    top = max(*(generation.total_elo for generation in log), ROWS)
    grid = [[" "] * (COLUMNS + 1) for _ in range(ROWS + 1)]
    for generation in log:
        row = round(ROWS * (1 - max(generation.total_elo, 0.0) / top))
        grid[row][round(COLUMNS * generation.hours / hours)] = "*"
    lines = [f"{top * (1 - row / ROWS):6.0f} |{''.join(cells)}".rstrip() for row, cells in enumerate(grid)]
    return ["   Elo", *lines, "       +" + "-" * COLUMNS, f"        0 hours{hours:{COLUMNS - 7}.2f}"]


def draw(log: Sequence[Generation], path: Path) -> None:
    """Draw the curve as a picture. Raises ImportError without matplotlib."""
    from matplotlib.figure import Figure  # noqa: PLC0415  an extra of this project

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot(xlabel="hours", ylabel="Elo, summed over champions")
    axes.step([g.hours for g in log], [g.total_elo for g in log], where="post")
    champions = [g for g in log if g.champion == g.number]
    axes.plot([g.hours for g in champions], [g.total_elo for g in champions], "o")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)

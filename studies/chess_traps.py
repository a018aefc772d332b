"""Traps in chess: how many moves let the opponent mate within a few plies, in random and in strong play.

The judge may overlook mates (`chess_positions`): the shares are lower bounds.
"""

from collections.abc import Sequence
from typing import Any

from simulator.statistics.elo import wilson_interval
from studies.plots import values_of
from studies.study import Extent, Finished, Result, Row, Study, Unit
from studies.trap_positions import LEVELS, RANDOM, STRONG

PLIES = (20, 40, 60, 80)


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which the positions after certain plies are looked at."""
    return [
        {"play": play, "seed": extent.seed * 10_000 + number, "plies": extent.choose(PLIES, (20,))}
        for number in range(extent.count(60, 2))
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each ply that the game reaches: how many moves, and how many fall into traps of each level."""
    from studies.chess_positions import game_positions, stockfish

    with stockfish() as engine:
        positions = {
            board.ply(): board for board in game_positions(engine, unit["play"], unit["seed"], max(unit["plies"]))
        }
        wanted = [positions[ply] for ply in unit["plies"] if ply in positions]
        return {str(board.ply()): _count(engine, board) for board in wanted}


def _count(engine: Any, board: Any) -> dict[str, Any]:
    """How many moves there are, and how many let the opponent mate in so many plies, by level."""
    from studies.chess_positions import judged_moves

    levels = list(judged_moves(engine, board).values())
    return {"moves": len(levels), "levels": {str(level): levels.count(level) for level in LEVELS}}


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each kind of play, ply and level: positions with such a trap and another move, and moves in traps."""
    rows = []
    for play in dict.fromkeys(unit["play"] for unit, _ in done):
        for ply in done[0].unit["plies"]:
            found = [result[str(ply)] for unit, result in done if unit["play"] == play and str(ply) in result]
            for level in LEVELS if found else ():
                counts = [entry["levels"][str(level)] for entry in found]
                share = sum(0 < count < entry["moves"] for count, entry in zip(counts, found, strict=True))
                low, high = wilson_interval(share, len(found))
                moves = sum(count / entry["moves"] for count, entry in zip(counts, found, strict=True)) / len(found)
                labels = {"play": play, "ply": ply, "level": level, "positions": len(found)}
                rows.append({**labels, "share": share / len(found), "low": low, "high": high, "moves in traps": moves})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel a kind of play: the share of positions with a trap over plies, a line a level."""
    plays = values_of(rows, "play")
    for axes, play in zip(figure.subplots(1, len(plays), squeeze=False, sharey=True)[0], plays, strict=True):
        for level in values_of(rows, "level"):
            line = [row for row in rows if row["play"] == play and row["level"] == level]
            axes.plot([row["ply"] for row in line], [row["share"] for row in line], "o-", label=f"level {level}")
        axes.set_title(f"{play} play", fontsize=10)
        axes.set_xlabel("plies played")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("share of positions with such a trap")
    figure.axes[0].legend(fontsize=8)


STUDY = Study(
    title="Traps in chess: positions where a move lets the opponent mate in 1, 3, 5 or 7 plies",
    claim=(
        "Shallow traps are everywhere in chess, in random positions and in games of masters (Ramanujan, Sabharwal & "
        "Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    programs=("stockfish",),
    modules=("chess",),
)

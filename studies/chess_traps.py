"""Traps in chess: how many moves let the opponent mate within a few plies, in random and in strong play.

The judge may overlook mates (`chess_positions`): the shares are lower bounds.
"""

from collections.abc import Sequence
from typing import Any

from studies.study import Extent, Finished, Result, Row, Study, Unit, grouped
from studies.trap_positions import LEVELS, RANDOM, STRONG
from studies.traps import draw, rows_of_levels

PLIES = (20, 40, 60, 80)


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which the positions after certain plies are judged."""
    return [
        {"play": play, "seed": extent.seed * 10_000 + number, "plies": extent.choose(PLIES, (20,))}
        for number in range(extent.count(60, 2))
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each ply that the game reaches: the number of moves, and of moves that fall into traps of each level."""
    from studies.chess_positions import game_positions, stockfish

    with stockfish() as engine:
        positions = {
            board.ply(): board for board in game_positions(engine, unit["play"], unit["seed"], max(unit["plies"]))
        }
        wanted = [positions[ply] for ply in unit["plies"] if ply in positions]
        return {str(board.ply()): _count(engine, board) for board in wanted}


def _count(engine: Any, board: Any) -> dict[str, Any]:
    """The number of moves, of sound moves, and of moves that let the opponent mate in so many plies, by level."""
    from studies.chess_positions import judged_moves

    levels = list(judged_moves(engine, board).values())
    counts = {str(level): levels.count(level) for level in LEVELS}
    return {"moves": len(levels), "sound": len(levels) - sum(counts.values()), "levels": counts}


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each kind of play, ply and level."""
    rows: list[Row] = []
    for play, games in grouped(done, lambda entry: entry.unit["play"]).items():
        for ply in done[0].unit["plies"]:
            found = [result[str(ply)] for _, result in games if str(ply) in result]
            labels = {"game": "chess", "play": play, "ply": ply}
            rows += [{**labels, **row} for row in rows_of_levels(found)] if found else []
    return rows


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
    setting="Strong play: Stockfish, 2,000 nodes a move. Lower bounds: the judge, at depth 9, may overlook mates. "
    "Points at the same ply stand slightly apart.",
    half="",
    programs=("stockfish",),
    modules=("chess",),
)

"""Traps in chess: how many moves let the opponent mate within a few plies, in random and in strong play.

The judge may overlook mates (`chess_positions`): the shares are lower bounds.
"""

from studies import traps
from studies.study import About, Done, Extent, Finished, Result, Row, Unit
from studies.trap_positions import LEVELS, RANDOM, STRONG

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
    from studies.chess_positions import game_positions, judged_moves, stockfish

    found: Result = {}
    with stockfish() as engine:
        # The game is played first: between its moves, the judge's searches would change the engine's table.
        for board in list(game_positions(engine, unit["play"], unit["seed"], max(unit["plies"]))):
            if board.ply() in unit["plies"]:
                levels = list(judged_moves(engine, board).values())
                counts = {str(level): levels.count(level) for level in LEVELS}
                sound = len(levels) - sum(counts.values())
                found[str(board.ply())] = {"moves": len(levels), "sound": sound, "levels": counts}
    return found


def tabulate(done: Done) -> list[Row]:
    """A row for each kind of play, ply and level."""
    return traps.tabulate([Finished({"game": "chess"} | unit, result) for unit, result in done])


draw = traps.draw

ABOUT = About(
    title="Traps in chess: positions where a move lets the opponent mate in 1, 3, 5 or 7 plies",
    claim=(
        "Shallow traps are everywhere in chess, in random positions and in games of masters (Ramanujan, Sabharwal & "
        "Selman 2010)."
    ),
    setting="Strong play: Stockfish, 2,000 nodes a move. Lower bounds: the judge, at depth 9, may overlook mates. "
    "Points at the same ply stand slightly apart.",
    half="",
    programs=("stockfish",),
    modules=("chess",),
)

"""Whether UCT's values tell moves that fall into traps from sound moves in chess, by the level of the trap."""

from functools import partial

from studies import told_apart
from studies.study import About, Extent, Result, Unit
from studies.trap_positions import LEVELS, RANDOM, STRONG

PLIES = (20, 30, 40, 50, 60, 70, 80)
SIMULATIONS = (300, 3000)
GAMES = {RANDOM: 800, STRONG: 1000}  # so that about 100 positions have traps of each level; strong play has few
C = 0.4  # of the paper


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which one position after certain plies is searched."""
    return [
        {
            "game": "chess",
            "play": play,
            "seed": extent.seed * 10_000 + number,
            "plies": extent.choose(PLIES, PLIES[2:4]),
            "simulations": extent.choose(SIMULATIONS, (100,)),
        }
        for play, games in GAMES.items()
        for number in range(extent.count(games, 3))
    ]


def work(unit: Unit) -> Result:
    """See `count_in_first`."""
    from studies.chess_positions import judged_moves, positions_after, stockfish
    from studies.chess_uct import values_of_moves

    with stockfish() as engine:
        return told_apart.count_in_first(
            positions_after(engine, unit["play"], unit["seed"], unit["plies"]),
            partial(judged_moves, engine),
            lambda board: values_of_moves(board, C, unit["simulations"], unit["seed"]),
            LEVELS,
        )


tabulate, draw = told_apart.tabulate, told_apart.draw

ABOUT = About(
    title="Do UCT's values tell traps from sound moves in chess? Leaves valued by material",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound moves, but not those of level "
        "5 and 7 (Ramanujan, Sabharwal & Selman 2010)."
    ),
    setting="UCT: c = 0.4. Strong play: Stockfish, 2,000 nodes a move. One position a game.",
    half="not told apart",
    programs=("stockfish",),
    modules=("chess",),
)

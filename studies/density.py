"""UCT from opening to end: how often its move keeps the value of the position, and how far away ends of games are.

The board of Kalah is so small that alpha-beta searches every game to its end: the judge is exact.
"""

import random
from statistics import fmean
from typing import Any

from agents.alphabeta.searcher import Searcher
from agents.alphabeta.values import PROVEN
from game import load_game
from studies.plots import finish, finish_shares, numbered_ticks, plot_shares, rows_by
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit
from studies.trap_positions import RANDOM, game_positions
from studies.uct_values import moves_of

BOARD = {"pits": 4, "stones": 3}
TO_THE_END = 60  # plies; no game on this board has more left
TABLE_ENTRIES = 1 << 18
PLIES = (4, 8, 12, 16, 20)
SIMULATIONS = (30, 100, 1000, 10_000)
GAMES = 400
PLAYOUTS = 20  # random games from each position, whose length tells how far ends are


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game of random moves, of which the positions after certain plies are searched."""
    return [
        {
            "seed": extent.seed * 10_000 + number,
            "plies": extent.choose(PLIES, PLIES[2:3]),
            "simulations": extent.choose(SIMULATIONS, SIMULATIONS[:1]),
        }
        for number in range(extent.count(GAMES, 3))
    ]


def work(unit: Unit) -> Result:
    """By ply: whether UCT's moves keep the position's value, the share of moves that do, and the plies to the end.

    Positions in which all moves have the same value are left out.
    """
    game = load_game("kalah", **BOARD)
    found = {}
    for position in game_positions(game, RANDOM, unit["seed"]):
        if position.ply in unit["plies"]:
            values = exact_values(game, position)
            best = max(values.values())
            if min(values.values()) < best:
                keeping = [move for move, value in values.items() if value == best]
                chosen = moves_of(game, position, unit["simulations"], unit["seed"])
                found[str(position.ply)] = {
                    "right": [values[move] == best for move in chosen],
                    "lots": len(keeping) / len(values),
                    "plies left": _plies_left(position, unit["seed"]),
                }
    return found


def exact_values(game: Any, position: Any) -> dict[Any, int]:
    """The value of each move for the player who makes it: 1, 0 or -1 for a win, a draw or a loss."""
    searcher, values = Searcher(game, TABLE_ENTRIES), {}
    for move in position.legal_moves():
        after = position.play(move)
        if after.result is not None:
            values[move] = round(2 * after.result.value_for(position.to_move) - 1)
        else:
            searcher.search(after, TO_THE_END)
            value = searcher.value if after.to_move == position.to_move else -searcher.value
            values[move] = (value >= PROVEN) - (value <= -PROVEN)
    return values


def _plies_left(position: Any, seed: int) -> float:
    """The mean length of random games from a position."""
    rng, total = random.Random(seed), 0
    for _ in range(PLAYOUTS):
        after = position
        while after.result is None:
            after = after.play(rng.choice(after.legal_moves()))
            total += 1
    return total / PLAYOUTS


def tabulate(done: Done) -> list[Row]:
    """A row for each ply and number of simulations."""
    rows: list[Row] = []
    for ply in done[0].unit["plies"]:
        found = [result[str(ply)] for _, result in done if str(ply) in result]
        for number, count in enumerate(done[0].unit["simulations"] if found else ()):
            right = sum(entry["right"][number] for entry in found)
            row = {"ply": ply, "simulations": count, "positions": len(found)}
            means = {name: fmean(entry[name] for entry in found) for name in ("lots", "plies left")}
            rows.append({**row, **share_of_count(right, len(found)), **means})
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """On the left the shares over the plies, a line for each number of simulations; on the right the plies left."""
    left, right = figure.subplots(1, 2)
    lines = rows_by(rows, "simulations")
    plot_shares(left, {f"{count:,} simulations": line for count, line in lines.items()}, "ply")
    once = next(iter(lines.values()))
    plies = [row["ply"] for row in once]
    left.plot(plies, [row["lots"] for row in once], "--", color="grey", label="drawing lots")
    finish_shares(left, "plies played", "Kalah (4,3): moves that keep the value", "share of positions", half=False)
    left.legend(fontsize=8)
    right.plot(plies, [row["plies left"] for row in once], "o-")
    right.set_ylim(bottom=0)
    right.set_ylabel("plies, mean of random games")
    finish(right, "plies played", "to the end of the game")
    for axes in (left, right):
        numbered_ticks(axes, once, "ply")


ABOUT = About(
    title="From opening to end: does UCT's move keep the exact value of the position? Kalah (4,3)",
    claim=(
        "How good UCT is depends on the density of goals: where ends of games are near, playouts say more (slides, as "
        "a question)."
    ),
    setting="Plain UCT: playouts, c = 0.4, no proofs. Positions of random games in which not all moves keep the value.",
    half="",
)

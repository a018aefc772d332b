"""By how many stones a lead must grow in Kalah for the odds of winning to grow by e: `LEAD_A_FACTOR` of `tables.py`.

    python benchmarks/kalah_chances.py --pits 6 --stones 4 --games 200

Plain UCT plays itself, with few simulations, from random openings. For every position after the opening, the lead in
the stores and the result of the game are kept; Newton's method fits to them a logistic curve that is one half at 0.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.uct.searcher import Searcher
from agents.uct.settings import TreeSettings
from benchmarks.command_line import natural, positive, run_script
from game import FIRST, Game, load_game, play_moves
from simulator.tournament.openings import random_openings

import numpy as np  # isort: skip

CAPACITY = 100_000


def leads_and_results(game: Game, games: int, simulations: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """South's lead in every position of the games after their openings, and South's points in its game: 1, 0.5 or 0."""
    searcher = Searcher(game, CAPACITY, seed, TreeSettings(memory="stop"))
    openings = random_openings(game, game.opening_plies, seed)
    leads, results = [], []
    for _ in range(games):
        position, found = play_moves(game, next(openings))[-1], []
        while position.result is None:
            south, north = position.board[:, -1]
            found.append(int(south) - int(north))
            searcher.begin(position)
            searcher.search(simulations=simulations)
            position = position.play(searcher.best_move())
        winner = position.result.winner
        leads += found
        results += [0.5 if winner is None else float(winner == FIRST)] * len(found)
    return np.array(leads, float), np.array(results)


def fitted_factor(leads: np.ndarray, results: np.ndarray) -> float:
    """The lead in stones that multiplies the odds by e, by maximum likelihood."""
    slope = 0.1
    for _ in range(50):
        chances = 1 / (1 + np.exp(-slope * leads))
        slope += (leads * (results - chances)).sum() / (leads**2 * chances * (1 - chances)).sum()
    return float(1 / slope)


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pits", type=positive, default=6)
    parser.add_argument("--stones", type=positive, default=4)
    parser.add_argument("--games", type=positive, default=200)
    parser.add_argument("--simulations", type=positive, default=1000)
    parser.add_argument("--seed", type=natural, default=1)
    arguments = parser.parse_args()
    game = load_game("kalah", pits=arguments.pits, stones=arguments.stones)
    leads, results = leads_and_results(game, arguments.games, arguments.simulations, arguments.seed)
    print(f"{len(leads)} positions of {arguments.games} games, {len(leads) / arguments.games:.1f} a game")
    print(f"a lead of {fitted_factor(leads, results):.2f} stones makes a factor of e")


if __name__ == "__main__":
    run_script(main)

"""How much the opening book is worth: the agent with the book against the agent without it.

    python benchmarks/book.py --games 40 --move-time 0.2
    python benchmarks/book.py --games 40 --plies 1
    python benchmarks/book.py --game go --games 40 --move-time 1

Games are played in pairs, one with each colour, from the same opening of random moves, or from the initial position
with `--plies 0`. Both agents play in one process, without a referee. Printed are the share of the points that the
agent with the book won and its Elo, with 95 % intervals from pairs, and how many moves a game came from the book.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import Agent
from agents.limits import Limits
from agents.uct.settings import Settings
from benchmarks.command_line import duration, natural, positive, run_script
from game import BookGame, Game, load_game
from learning.workers import Workers
from simulator.statistics.elo import elo, elo_text, share_estimate
from studies.matches import make_agent, opening, points_of_game

MEMORY = 216_000_000  # bytes of each search


class Pair(NamedTuple):
    """Points of the agent with the book in two games, points of the first player, and moves from the book."""

    points: float
    first: float
    book_moves: int


class Counted:
    """An agent that counts its moves from the book."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.book_moves = agent, 0

    def step(self, position: Any, clock: Any) -> Any:
        """The agent's move."""
        move = self._agent.step(position, clock)
        self.book_moves += "book_seconds" in self._agent.analysis()
        return move


def play_pair(agent: str, game: Game, limits: Limits, plies: int, seed: int) -> Pair:
    """Play two games of an agent with the book against the same agent without it, one with each colour."""
    start, points, first, moves = opening(game, plies, seed), 0.0, 0.0, 0
    capacity = MEMORY // Settings.for_game(game).node_bytes(game)
    separator = "," if ":" in agent else ":"
    for swapped in (0, 1):
        texts = (f"{agent}{separator}book={switch}" for switch in ("yes", "no"))
        with_book, without = (make_agent(text, game, limits, 2 * seed + swapped, capacity) for text in texts)
        counted = Counted(with_book)
        seats: list[Any] = [counted, without]
        won = points_of_game(game, start, seats, limits, swapped)
        points += won
        first += 1 - won if swapped else won
        moves += counted.book_moves
    return Pair(points, first, moves)


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="uct_agent")
    parser.add_argument("--game", default="pentago")
    parser.add_argument("--games", type=positive, default=40, help="an even number: they are played in pairs")
    parser.add_argument("--move-time", type=duration, default=0.2, help="seconds")
    parser.add_argument("--plies", type=natural, default=0, help="random moves before each pair")
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--workers", type=positive, default=2)
    arguments = parser.parse_args()
    if arguments.games % 2:
        parser.error("--games: an even number, since two games are played from each opening")
    game = load_game(arguments.game)
    if not isinstance(game, BookGame) or not game.book.exists():
        sys.exit(f"there is no opening book of {arguments.game}: `runner.py book` builds one")
    limits, pairs = Limits(move_seconds=arguments.move_time), list[Pair]()
    seeds = range(arguments.seed, arguments.seed + arguments.games // 2)
    tasks = ((arguments.agent, game, limits, arguments.plies, seed) for seed in seeds)
    with Workers(arguments.workers) as workers:
        for _, pair in workers.results(play_pair, tasks):
            pairs.append(pair)
            print(f"\r{2 * len(pairs)} games", end="", file=sys.stderr, flush=True)
    counts = [sum(round(2 * pair.points) == outcome for pair in pairs) for outcome in range(5)]
    share = share_estimate(counts)
    print(file=sys.stderr)
    print(f"pairs that brought 0, 0.5, 1, 1.5 and 2 points: {counts}")
    print(f"share {share.value:.3f} ({share.low:.3f} to {share.high:.3f})")
    print("Elo {} ({} to {})".format(*(elo_text(elo(end)) for end in share)))
    print(f"the game's first player won {sum(pair.first for pair in pairs):g} points of {2 * len(pairs)}")
    print(f"{sum(pair.book_moves for pair in pairs) / (2 * len(pairs)):.1f} moves a game from the book")


if __name__ == "__main__":
    run_script(main)

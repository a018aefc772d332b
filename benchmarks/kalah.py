"""Kalah's speed compared with the C++ twin's and with OpenSpiel's MCTSBot, on one core, in processor time.

    python benchmarks/kalah.py
    python benchmarks/kalah.py --pits 7 --stones 6
    python benchmarks/kalah.py --games 100 --move-time 0.05

Measured are playouts and simulations of plain UCT from the start, the languages in turns; in C++ with the terms of UCB1
computed, and looked up in tables. OpenSpiel has (6, 4) only: its bot makes one rollout a simulation and proves what it
can, as ours does. Ours is `uct_agent:preset=playouts`, with the same weight of exploration, which is half the number,
since the values of the bot go from -1 to 1.

With `--games`, a match instead: `uct_agent` as it plays against that bot, in one process, with the same time a move, in
pairs of games from random openings.
"""

import argparse
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import game
from agents.agent import Agent
from agents.limits import Clock, Limits
from agents.openspiel_agent import EXPLORATION, OpenSpielAgent
from agents.uct.base import BaseSearcher
from agents.uct.searcher import Searcher
from agents.uct.searchers import make_searcher
from agents.uct.settings import TreeSettings
from benchmarks import twin
from benchmarks.bench import Measurement, alternately, playout_rate, search_rate
from benchmarks.command_line import duration, natural, positive, run_script
from simulator.tournament.openings import random_openings

PLAYOUTS, SIMULATIONS, BOT_SIMULATIONS = 200_000, 500_000, 50_000  # a round; short, so that other work hits all alike
CAPACITY, MATCH_CAPACITY = 2_000_000, 500_000
BOT_MEMORY_MB = 1_000
RESERVE_SHARE = 0.1  # of the time


def bot_rate(count: int, seed: int) -> float:
    """Simulations a second of OpenSpiel's bot from the start."""
    spiel = import_module("pyspiel")
    mancala, evaluator = spiel.load_game("mancala"), spiel.RandomRolloutEvaluator(1, seed)
    bot = spiel.MCTSBot(
        mancala, evaluator, EXPLORATION, count, BOT_MEMORY_MB, True, seed, False, spiel.ChildSelectionPolicy.UCT
    )
    return rate_of_bot(bot, mancala.new_initial_state())


def rate_of_bot(bot: Any, state: Any) -> float:
    """Simulations a second of a bot of OpenSpiel."""
    start = time.process_time()
    root = bot.mcts_search(state)
    return float(root.explore_count / (time.process_time() - start))


def measure(pits: int, stones: int, rounds: int) -> dict[str, float]:
    """The median rates by name. Raises TwinError."""
    kalah = game.load_game("kalah", pits=pits, stones=stones)
    plain = Searcher(kalah, CAPACITY, 1, TreeSettings(memory="stop", c=EXPLORATION / 2))
    playout_rate(kalah, 10, 1)
    search_rate(plain, 10)

    def twin_playouts(seed: int) -> float:
        return PLAYOUTS / float(twin.kalah_playouts(pits, stones, PLAYOUTS, seed)["cpu_seconds"])

    def twin_search(seed: int, cached: bool) -> float:
        found = twin.kalah_search(pits, stones, SIMULATIONS, seed, EXPLORATION / 2, CAPACITY, cached)
        return SIMULATIONS / float(found["cpu_seconds"])

    measurements: dict[str, Measurement] = {
        "playouts": lambda seed: playout_rate(kalah, PLAYOUTS, seed),
        "playouts, C++": twin_playouts,
        "simulations": lambda _: search_rate(plain, SIMULATIONS),
        "simulations, C++": lambda seed: twin_search(seed, cached=False),
        "simulations, C++ cached": lambda seed: twin_search(seed, cached=True),
    }
    if (pits, stones) == (6, 4) and find_spec("pyspiel"):
        measurements["simulations, OpenSpiel"] = lambda seed: bot_rate(BOT_SIMULATIONS, seed)
    return alternately(rounds, **measurements)


# --- A match --------------------------------------------------------------------------------------------------------


def play_match(games: int, seconds: float) -> list[float]:
    """The points, 1, 0.5 or 0, of `uct_agent`'s search in each game against OpenSpiel's bot."""
    kalah, limits = game.load_game("kalah"), Limits(first_move_seconds=seconds, move_seconds=seconds)
    searcher = make_searcher(kalah, MATCH_CAPACITY)
    openings = islice(random_openings(kalah, kalah.opening_plies, seed=1), (games + 1) // 2)
    points: list[float] = []
    for number, opening in enumerate([opening for opening in openings for _ in range(2)][:games]):
        bot = OpenSpielAgent(kalah, limits, number)
        start = game.play_moves(kalah, opening)[-1]
        bot.see(start)
        points.append(play_game(searcher, bot, start, number % 2, seconds))
        print(f"\r{len(points)} games, {sum(points):g} points", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return points


def play_game(searcher: BaseSearcher, bot: Agent, position: Any, mine: int, seconds: float) -> float:
    """Play a game from a position on; returns the points of the search, which is player `mine`."""
    searcher.begin(position)
    while position.result is None:
        if position.to_move == mine:
            searcher.advance(position)
            searcher.search(seconds=seconds * (1 - RESERVE_SHARE))  # as the bot does
            move = searcher.best_move()
        else:
            move = bot.step(position, Clock(seconds))
        position = position.play(move)
    return float(position.result.value_for(mine))


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pits", type=positive, default=6)
    parser.add_argument("--stones", type=positive, default=4)
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--games", type=natural, default=0, help="play a match of so many instead")
    parser.add_argument("--move-time", type=duration, default=0.05, help="seconds a move in a match")
    arguments = parser.parse_args()
    if arguments.games:
        points = play_match(arguments.games, arguments.move_time)
        print(f"uct_agent {sum(points):g} of {len(points)} against OpenSpiel's MCTSBot, {arguments.move_time} s a move")
        return
    rates = measure(arguments.pits, arguments.stones, arguments.rounds)
    print(f"{f'({arguments.pits}, {arguments.stones}), a second':<28}{'':>12}  ours to these")
    for name, rate in rates.items():
        ours = rates[name.partition(",")[0]]
        print(f"{name:<28}{rate:>12,.0f}" + (f"{ours / rate:>10.2f}" if "," in name else ""))


if __name__ == "__main__":
    run_script(main)

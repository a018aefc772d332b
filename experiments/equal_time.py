"""Go's agent with one part switched off against the whole agent, with simulations for the same time.

    python experiments/equal_time.py --games 400 --simulations 300 --workers 2

In all positions of some games, the simulations of each variant of `ablation.py` are timed in turns with those of the
agent; then `ablation.py` plays the variant with as many simulations as take the agent's time. A clock would not do: a
move needs at least 0.1 s, since the agent keeps a reserve.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import RESIGN, Agent
from agents.limits import Clock, Limits
from benchmarks.command_line import positive, run_script
from experiments.ablation import VARIANTS
from game import load_game
from studies.matches import make_agent

AGENT, *PARTS_OFF = VARIANTS
GAMES_TIMED = 3
CAPACITY = 300_000
LIMITS = Limits(move_seconds=60.0)


def searcher(text: str, simulations: int, game: Any, seed: int) -> Agent:
    """An agent that does not stop a search early for a lead, with its code loaded."""
    agent = make_agent(text, game, LIMITS, seed, CAPACITY, simulations=simulations, stop="proof")
    agent.step(game.initial(), Clock(LIMITS.move_seconds))
    return agent


def cost_of_a_simulation(part_off: str, simulations: int) -> float:
    """The processor time of a simulation, in units of the agent's, in all positions of some games of the agent.

    The time that a move takes besides its simulations does not count: each position is searched with so many
    simulations and with four times as many, and the difference is taken.
    """
    game: Any = load_game("go", size=9, komi=7.0)
    searches = [(text, times * simulations) for text in (part_off, AGENT) for times in (1, 4)]
    seconds = dict.fromkeys(searches, 0.0)
    for seed in range(GAMES_TIMED):
        players = {search: searcher(*search, game, seed) for search in searches}
        position = game.initial()
        while position.result is None and position.ply < game.longest_game:
            for search, player in players.items():
                start = time.process_time()
                move = player.step(position, Clock(LIMITS.move_seconds))
                seconds[search] += time.process_time() - start
            if move == RESIGN:
                break
            position = position.play(move)
        for player in players.values():
            player.close()
    once, often, agents_once, agents_often = seconds.values()
    return (often - once) / (agents_often - agents_once)


def main() -> None:
    """Time every variant, then play it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--games", type=positive, default=100, help="of each variant  [100]")
    parser.add_argument("--simulations", type=positive, default=300, help="a move of the agent  [300]")
    parser.add_argument("--workers", type=positive, default=1, help="games at a time  [1]")
    arguments = parser.parse_args()
    played = []
    for text in PARTS_OFF:
        cost = cost_of_a_simulation(text, arguments.simulations)
        played.append(f"{text},simulations={round(arguments.simulations / cost)}")
        print(f"a simulation of {text} takes {cost:.2f} times the agent's", flush=True)
    program = Path(__file__).with_name("ablation.py")
    options = [f"--{name}={value}" for name, value in vars(arguments).items()]
    sys.exit(subprocess.run([sys.executable, str(program), *played, *options], check=False).returncode)


if __name__ == "__main__":
    run_script(main)

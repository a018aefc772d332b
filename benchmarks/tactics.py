"""Positions with proved answers, each searched for so many seconds: does the agent find a proved move?

    python benchmarks/tactics.py --move-time 1 --agent uct_agent:search=graph,evaluation=learned
    python benchmarks/tactics.py --game go --agent uct_agent:simulations=2000 --seeds 3

Pentago Twist: `win` in d plies: every move of the set forces a win that soon. `safe` at depth d: only the moves of the
set escape a forced loss within d plies. If the agent plays another move and has proved that the position is won, the
win is found, and counted as slower. `proved` counts the positions of which the agent has proved that they are won. Go:
the kinds of questions are those of `benchmarks/make_go_tactics.py`, which made them.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from agents.agent import Agent, parse_agent
from agents.limits import Clock, Limits
from agents.loading import load_agent
from benchmarks.command_line import duration, natural, positive, run_script
from game import Game, load_game

FOUND, SLOWER, MISSED, PROVED = "found", "slower", "missed", "proved"
DATA = PROJECT / "tests" / "data"
FILES = {
    "pentago": tuple(DATA / f"pentago_twist_{name}.jsonl" for name in ("tactics", "wins_in_7", "wins_in_9")),
    "go": (DATA / "go_tactics.jsonl",),
}


def has_proved_win(agent: Agent) -> bool:
    """Whether the agent has proved that the position of its last step is won."""
    return bool(agent.analysis().get("proven") == "win")


def verdict(agent: Agent, case: dict[str, Any], seconds: float) -> str:
    """`found` if the move leads to the same position as a move of the case's set, else `slower` or `missed`."""
    position = agent.game.parse_position(case["position"])
    wanted = {str(position.play(agent.game.parse_move(text, position))) for text in case["moves"]}
    if str(position.play(agent.step(position, Clock(seconds)))) in wanted:
        return FOUND
    return SLOWER if case["kind"] == "win" and has_proved_win(agent) else MISSED


def cases_of(name: str) -> list[tuple[tuple[str, ...], Game, dict[str, Any]]]:
    """All cases of a game, each with the rows of the table in which it counts, and the game of its board size."""
    games: dict[int, Game] = {}
    found: list[tuple[tuple[str, ...], Game, dict[str, Any]]] = []
    for line in (line for path in FILES[name] for line in path.read_text().splitlines()):
        case = json.loads(line)
        size = case["position"].index("/")
        if size not in games:
            games[size] = load_game(name, size=size) if name == "go" else load_game(name)
        of_go = (case["kind"], f"{size}x{size}", "together")
        found.append((of_go if name == "go" else (f"{case['kind']} {case['depth']}",), games[size], case))
    return found


def answer_all(kind: type[Agent], arguments: argparse.Namespace, seed: int) -> dict[str, Counter[str]]:
    """How often each verdict was given, by row of the table."""
    limits, options = Limits(move_seconds=arguments.move_time), parse_agent(arguments.agent).options
    if "resign" in kind.default_options:
        options = {"resign": "0", **options}  # resigning answers no case
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    agents: dict[Game, Agent] = {}
    for rows, game, case in cases_of(arguments.game):
        if game not in agents:
            agents[game] = kind(game, limits, seed, options=options)
            agents[game].setup()
        judged = verdict(agents[game], case, arguments.move_time)
        for row in rows:
            tally[row][judged] += 1
            tally[row][PROVED] += has_proved_win(agents[game])
        if judged == MISSED and arguments.show_failures:
            print(f"missed: {json.dumps(case)}", file=sys.stderr)
    return tally


def main() -> None:
    """Parse, play, and print a line for each kind and depth or board size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=FILES, default="pentago")
    parser.add_argument("--move-time", type=duration, default=1.0, help="seconds a position")
    parser.add_argument("--agent", default="uct_agent", help="with options: uct_agent:memory=stop,puct=0.2")
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--seeds", type=positive, default=1, help="how many times, with seeds one after the other")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--show-failures", action="store_true")
    arguments = parser.parse_args()
    kind = load_agent(arguments.agent)
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in range(arguments.seed, arguments.seed + arguments.seeds):
        for row, counts in answer_all(kind, arguments, seed).items():
            tally[row] += counts
    print_table(tally, arguments.json)


def print_table(tally: dict[str, Counter[str]], as_json: bool) -> None:
    """Print the verdicts, one line for each row."""
    rows = {
        name: {
            "found": counts[FOUND] + counts[SLOWER],
            "of": counts.total() - counts[PROVED],
            "slower": counts[SLOWER],
            "proved": counts[PROVED],
        }
        for name, counts in sorted(tally.items())
    }
    if as_json:
        print(json.dumps(rows))
        return
    width = max(8, *(len(name) + 1 for name in rows))
    for name, row in rows.items():
        slower = f"   {row['slower']} of them slower" if row["slower"] else ""
        proved = f"{row['proved'] / row['of']:>7.1%} proved" if name.startswith("win") else ""
        print(f"{name:<{width}}{row['found']:>4} of {row['of']:<4}{row['found'] / row['of']:>7.1%}{proved}{slower}")


if __name__ == "__main__":
    run_script(main)

"""Proved positions of Pentago Twist, so many seconds each: does the agent find a move of the proved set?

    python benchmarks/tactics.py --move-time 1 --agent uct_agent:search=graph,evaluation=learned

`win` in d plies: every move of the set forces a win that soon. `safe` at depth d: only the moves of the set escape a
forced loss within d plies. Where another move is played and the agent has proved that it wins too, only later, the win
is found, and counted as slower. `proved` are the positions of which the agent has proved that they are won.
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
from game import load_game

FOUND, SLOWER, MISSED, PROVED = "found", "slower", "missed", "proved"
DATA = tuple(PROJECT / "tests" / "data" / f"pentago_twist_{name}.jsonl" for name in ("tactics", "wins_in_7"))


def has_proved_win(agent: Agent) -> bool:
    """Whether the agent knows that the position of its last step is won."""
    return bool(agent.analysis().get("proven") == "win")


def verdict(agent: Agent, case: dict[str, Any], seconds: float) -> str:
    """`found` if the agent's move leads to the same position as one of the case's set, else `slower` or `missed`."""
    position = agent.game.parse_position(case["position"])
    wanted = {str(position.play(agent.game.parse_move(text, position))) for text in case["moves"]}
    if str(position.play(agent.step(position, Clock(seconds)))) in wanted:
        return FOUND
    return SLOWER if case["kind"] == "win" and has_proved_win(agent) else MISSED


def main() -> None:
    """Parse, play, print one line a kind and depth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--move-time", type=float, default=1.0, help="seconds a position")
    parser.add_argument("--agent", default="uct_agent", help="with options: uct_agent:memory=stop,puct=0.2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--show-failures", action="store_true")
    arguments = parser.parse_args()
    kind = load_agent(arguments.agent)
    if not isinstance(kind, type):
        parser.error("--agent: what proves nothing (gtp:) has no use here")
    limits, options = Limits(move_seconds=arguments.move_time), parse_agent(arguments.agent).options
    agent = kind(load_game("pentago"), limits, arguments.seed, options=options)
    agent.setup()
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for line in (line for path in DATA for line in path.read_text().splitlines()):
        case = json.loads(line)
        judged, counts = verdict(agent, case, arguments.move_time), tally[f"{case['kind']} {case['depth']}"]
        counts[judged] += 1
        counts[PROVED] += has_proved_win(agent)
        if judged == MISSED and arguments.show_failures:
            print(f"missed: {line}", file=sys.stderr)
    rows = {
        name: {
            "found": counts[FOUND] + counts[SLOWER],
            "of": counts.total() - counts[PROVED],
            "slower": counts[SLOWER],
            "proved": counts[PROVED],
        }
        for name, counts in sorted(tally.items())
    }
    if arguments.json:
        print(json.dumps(rows))
        return
    for name, row in rows.items():
        slower = f"   {row['slower']} of them slower" if row["slower"] else ""
        proved = f"{row['proved'] / row['of']:>7.1%} proved" if name.startswith("win") else ""
        print(f"{name:<8}{row['found']:>4} of {row['of']:<4}{row['found'] / row['of']:>7.1%}{proved}{slower}")


if __name__ == "__main__":
    main()

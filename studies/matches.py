"""Matches between agents in one process, with fixed numbers of simulations or nodes: no referee, and no clock.

Games come in pairs: one opening, with each agent once on each side. The results of a pair depend only on the agents,
the game and the seed, on every machine.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from agents.agent import RESIGN, Agent, AgentError, parse_agent
from agents.limits import Clock, Limits
from agents.loading import load_agent
from game import Game, load_game, play_moves
from game import Result as GameResult
from jit import PROJECT
from simulator.statistics.elo import share_estimate
from simulator.tournament.openings import balanced_openings, random_openings
from studies.study import Finished, Result, Row, Unit, grouped

PAIRS_A_SEED = 100_000
# Named as on a command line in the project's folder; `make_agent` finds them from any folder.
LITERATURE, HYBRID = "studies/literature_agent.py", "studies/hybrid_agent.py"
# For all agents of the process: an agent must not depend on what else the process holds.
LIMITS = Limits(memory_mb=4096)
# Nodes of a tree, if an agent has that option and does not set it: more than 100,000 simulations make in Pentago, so
# that no node is recycled.
CAPACITY = 3_000_000


class Seat(Protocol):
    """A player of a game: an agent, or an object that makes moves as agents do."""

    def step(self, position: Any, clock: Clock) -> Any:
        """See `Agent.step`."""


def make_agent(text: str, game: Game, limits: Limits, seed: int, capacity: int = CAPACITY, **defaults: object) -> Agent:
    """An agent in this process, set up; `defaults` are for the options of searches. Raises AgentError.

    A tree usually takes all memory that is left. Here two trees share the process, so the capacity is one of the
    defaults.
    """
    spec = parse_agent(text)
    if spec.is_gtp:
        raise AgentError(f"{text}: only Python agents can play here; use runner.py match")
    agent_class = load_agent(str(PROJECT / spec.source) if spec.source in (LITERATURE, HYBRID) else spec)
    options = spec.options
    if "capacity" in agent_class.default_options:
        for name, value in {"capacity": capacity, **defaults}.items():
            options.setdefault(name, str(value))
    agent = agent_class.for_game(game)(game, limits, seed, options)
    agent.setup()
    return agent


def opening(game: Game, plies: int, seed: int, balance: int = 0) -> Any:
    """The position after the first opening of a match with this seed, see `simulator.tournament.openings`.

    With `balance`, it is the most even of several openings, by searches with so many simulations.
    """
    openings = balanced_openings(game, plies, seed, balance) if balance else random_openings(game, plies, seed)
    return play_moves(game, next(openings))[-1]


def play_pair(
    texts: tuple[str, str],
    game: Game,
    seed: int,
    limits: Limits = LIMITS,
    plies: int | None = None,
    capacity: int = CAPACITY,
    balance: int = 0,
) -> float:
    """The first agent's points, 0 to 2, in two games from one `opening`, one on each side."""
    start = opening(game, game.opening_plies if plies is None else plies, seed, balance)
    points = 0.0
    for swapped in (0, 1):
        seats = [make_agent(text, game, limits, 2 * seed + swapped, capacity) for text in texts]
        points += points_of_game(game, start, seats, limits, swapped)
        for seat in seats:
            seat.close()
    return points


def points_of_game(game: Game, position: Any, seats: Sequence[Seat], limits: Limits, swapped: int) -> float:
    """The points, 1, 0.5 or 0, of the first seat, which moves second if `swapped` is 1."""
    winner = _play(game, position, seats, limits, swapped).winner
    return 0.5 if winner is None else float(winner == swapped)


def _play(game: Game, position: Any, seats: Sequence[Seat], limits: Limits, swapped: int) -> GameResult:
    """Play a game to its end; returns its result. A player who answers RESIGN loses."""
    while position.result is None and position.ply < game.longest_game:
        move = seats[position.to_move ^ swapped].step(position, Clock(limits.move_seconds))
        if move == RESIGN:
            return GameResult(1 - position.to_move)
        position = position.play(move)
    result: GameResult = position.result or game.adjudicate(position)
    return result


def share_of(points: Iterable[float]) -> Row:
    """Columns of a table for the points of pairs, 0 to 2 each: games, share of the points, 95 % interval."""
    counts = [0] * 5
    for pair in points:
        counts[round(2 * pair)] += 1
    estimate = share_estimate(counts)
    return {"games": 2 * sum(counts), "share": estimate.value, "low": estimate.low, "high": estimate.high}


# --- A study that is a set of matches -------------------------------------------------------------------------------


def contest(
    labels: Row, game: str, options: dict[str, Any], agents: tuple[str, str], pairs: int, seed: int
) -> list[Unit]:
    """The units of a match between two agents, one for each pair; labels are columns of the match's row."""
    common = {"labels": labels, "game": game, "options": options, "agents": list(agents)}
    return [common | {"seed": seed * PAIRS_A_SEED + number} for number in range(pairs)]


def play_unit(unit: Unit) -> Result:
    """Play a pair."""
    first, second = unit["agents"]
    return {"points": play_pair((first, second), load_game(unit["game"], **unit["options"]), unit["seed"])}


def tabulate_contests(done: Sequence[Finished]) -> list[Row]:
    """A row for each match: its labels, the share of the first agent, and the agents."""
    rows = []
    for pairs in grouped(done, lambda entry: json.dumps([entry.unit["labels"], entry.unit["agents"]])).values():
        unit = pairs[0].unit
        agents = dict(zip(("agent", "against"), unit["agents"], strict=True))
        rows.append(unit["labels"] | share_of(result["points"] for _, result in pairs) | agents)
    return rows

"""Knowledge against speed: UCT with knowledge against plain UCT, at equal simulations and at equal time.

A unit plays two matches from one opening. The first, at equal simulations, measures the processor time of a simulation
for each side. In the second, the side with knowledge gets as many simulations as fit into the other side's time. The
time that was used is measured again and printed in the table, so other work on the machine does not matter.
"""

import time
from typing import Any

from agents.agent import Agent
from game import load_game
from studies.games import GAMES
from studies.matches import LIMITS, PAIRS_A_SEED, make_agent, opening, points_of_game, share_of
from studies.plots import cases, finish_shares, panels, plot_named
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, units_by

SIMULATIONS = {"Kalah (6,4)": 10_000, "Pentago": 10_000, "Go 7x7": 3000}
PAIRS = 100
ROUNDS = ("simulations", "time")  # the quantity that is equal
TIME = "time of a move, that of plain = 1"
C = 0.5
KNOWLEDGE = {
    "Kalah (6,4)": {
        "playout and evaluation": "leaf=mixture,mixture=0.5",
        "evaluation": "leaf=evaluation",
        "evaluation, minimax": "leaf=evaluation,backup=minimax",
    },
    "Pentago": {
        "playout and evaluation": "leaf=mixture,mixture=0.5,evaluation=lines",
        "evaluation": "leaf=evaluation,evaluation=lines",
        "evaluation, minimax": "leaf=evaluation,evaluation=lines,backup=minimax",
    },
    "Go 7x7": {"playouts that answer": "priors=no,heavy=yes"},
}


class Timed:
    """A side of several games, which counts its moves and their processor seconds; each game has another agent."""

    agent: Agent

    def __init__(self) -> None:
        self.moves, self.seconds = 0, 0.0

    def step(self, position: Any, clock: Any) -> Any:
        """The agent's move."""
        start = time.process_time()
        move = self.agent.step(position, clock)
        self.moves += 1
        self.seconds += time.process_time() - start
        return move


def plan(extent: Extent) -> list[Unit]:
    """A unit is an opening, from which four games are played."""
    return [
        {
            "game": name,
            "knowledge": knowledge,
            "options": options,
            "simulations": extent.choose(SIMULATIONS[name], 50),
            "seed": extent.seed * PAIRS_A_SEED + number,
        }
        for name, kinds in KNOWLEDGE.items()
        for knowledge, options in kinds.items()
        for number in range(extent.count(PAIRS, 1))
    ]


def work(unit: Unit) -> Result:
    """For each equal quantity: points, simulations of the side with knowledge, seconds a move of both sides."""
    result: Result = {"points": {}, "simulations": {}, "seconds": {}}
    count = unit["simulations"]
    for equal in ROUNDS:
        points, knowing, plain = _pair(unit, count)
        result["points"][equal], result["simulations"][equal] = points, count
        result["seconds"][equal] = [knowing, plain]
        count = max(1, round(count * plain / knowing))
    return result


def _pair(unit: Unit, count: int) -> tuple[float, float, float]:
    """The points of the side with knowledge in two games from an opening; both sides' processor seconds a move."""
    studied = GAMES[unit["game"]]
    game = load_game(studied.game, **studied.options)
    start, points = opening(game, game.opening_plies, unit["seed"]), 0.0
    texts = (
        f"{studied.plain.split(',')[0]},{unit['options']},c={C},simulations={count}",
        f"{studied.plain},c={C},simulations={unit['simulations']}",
    )
    sides = knowing, plain = Timed(), Timed()
    for swapped in (0, 1):
        for side, text in zip(sides, texts, strict=True):
            side.agent = make_agent(text, game, LIMITS, 2 * unit["seed"] + swapped)
        points += points_of_game(game, start, sides, LIMITS, swapped)
        for side in sides:
            side.agent.close()
    return points, knowing.seconds / knowing.moves, plain.seconds / plain.moves


def tabulate(done: Done) -> list[Row]:
    """A row for each kind of knowledge and equal quantity, with simulations and time a move of both sides."""
    rows = []
    for (name, knowledge), entries in units_by(done, "game", "knowledge").items():
        results = [entry.result for entry in entries]
        for equal in ROUNDS:
            knowing, plain = (sum(result["seconds"][equal][side] for result in results) for side in (0, 1))
            rows.append(
                {"game": name, "knowledge": knowledge, "equal": equal}
                | share_of(result["points"][equal] for result in results)
                | {
                    "simulations that know": sum(result["simulations"][equal] for result in results) / len(results),
                    "plain simulations": entries[0].unit["simulations"],
                    TIME: knowing / plain,
                }
            )
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each game, a row for each kind of knowledge and equal quantity."""
    for axes, name, mine in panels(figure, rows, "game", width=4.6, height=4):
        plot_named(axes, [f"{row['knowledge']}\nequal {row['equal']} ({row[TIME]:.2f})" for row in mine], mine)
        finish_shares(axes, "share of the points against plain UCT", f"{name}, {cases(mine)} each", across=True)


ABOUT = About(
    title="Knowledge against speed: UCT with knowledge against plain UCT, at equal simulations and equal time",
    claim=(
        "Knowledge has to be worth its time: with heavy playouts and evaluations, simulations are better but fewer "
        "(slides; Gelly et al. 2006)."
    ),
    setting="Plain UCT: 10,000 simulations a move, in Go 3,000. In brackets: time, as a multiple of plain UCT's.",
)

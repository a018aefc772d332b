"""The lecture's ladder: from random games for each move to UCT with knowledge, all against all, equal playouts."""

from itertools import combinations

import numpy as np

from simulator.statistics.bradley_terry import likeliest_ratings, virtual_games
from simulator.statistics.elo import ELO_PER_LOGIT, Z_95
from studies.games import GAMES
from studies.matches import play_unit, share_of
from studies.plots import cases, finish, panels, plot_named
from studies.study import About, Done, Extent, Figure, Row, Rows, Unit, grouped

PLAYOUTS = {"Kalah (6,4)": 2000, "Pentago": 2000, "Go 7x7": 1000}
PAIRS = 40
BASELINES = {
    "MCS_pure": "montecarlo_agent:policy=pure",
    "MCS_UCB": "montecarlo_agent:policy=ucb",
    "Gobble": "gobble_agent",
    "MCTS_basic": "mcts_basic_agent:x=10",
}
UCT, KNOWING = "UCT", "UCT with knowledge"
NO_GOBBLE = ("Kalah (6,4)",)  # a pit means another move at every turn
# The knowledge of each game: half of a leaf's value is the static evaluation; Go has none, and uses MC-RAVE with priors
# and MoGo's playouts.
KNOWLEDGE = {
    "Kalah (6,4)": "leaf=mixture,mixture=0.5",
    "Pentago": "leaf=mixture,mixture=0.5,evaluation=lines",
    "Go 7x7": "formula=rave,c=0,heavy=yes,priors=yes",
}


def agents_of(name: str, playouts: int) -> dict[str, str]:
    """The agents of a game with so many playouts a move, by the names of their methods."""
    found = {method: text for method, text in BASELINES.items() if method != "Gobble" or name not in NO_GOBBLE}
    plain = GAMES[name].plain
    known = f"{plain.split(',')[0]},{KNOWLEDGE[name]}"
    found |= {UCT: f"{plain},c=0.5", KNOWING: known}
    return {method: f"{text}{',' if ':' in text else ':'}simulations={playouts}" for method, text in found.items()}


def plan(extent: Extent) -> list[Unit]:
    """All against all, a pair of games from each opening."""
    units = []
    for name, full in PLAYOUTS.items():
        count = extent.choose(full, 200)
        agents = agents_of(name, count)
        for number, (first, second) in enumerate(combinations(agents, 2)):
            labels = {"game": name, "agent": first, "against": second, "playouts": count}
            seed = 100 * extent.seed + number
            units += GAMES[name].contest(labels, agents[first], agents[second], extent.count(PAIRS, 1), seed)
    return units


def tabulate(done: Done) -> list[Row]:
    """A row a game and agent: games, share of all points, Elo with its interval, the share against each other one.

    Ratings are Bradley and Terry's, the mean of a game's agents being 0. They take games as independent; pairs from one
    opening vary less.
    """
    rows = []
    for name, mine in grouped(done, lambda entry: entry.unit["labels"]["game"]).items():
        pairings = grouped(mine, lambda entry: (entry.unit["labels"]["agent"], entry.unit["labels"]["against"]))
        points = {pairing: [result["points"] for _, result in found] for pairing, found in pairings.items()}
        rows += _league(name, points)
    return rows


def _league(name: str, points: dict[tuple[str, str], list[float]]) -> list[Row]:
    """The rows of a game, from the points of its pairs."""
    agents = list(dict.fromkeys(agent for pairing in points for agent in pairing))
    games, scored = np.zeros((2, len(agents), len(agents)))
    for (first, second), found in points.items():
        i, j = agents.index(first), agents.index(second)
        games[i, j] = games[j, i] = len(found)  # a pair is one game with each side; their points are added
        scored[i, j], scored[j, i] = sum(found) / 2, len(found) - sum(found) / 2
    draws = virtual_games(games)
    logits, covariance = likeliest_ratings(games + draws, scored + draws / 2)
    half = Z_95 * ELO_PER_LOGIT * np.sqrt(np.diag(covariance))
    rows = []
    for i, agent in enumerate(agents):
        mine = [2 - pair for pairing, found in points.items() if pairing[1] == agent for pair in found]
        mine += [pair for pairing, found in points.items() if pairing[0] == agent for pair in found]
        elo = float(ELO_PER_LOGIT * logits[i])
        row: Row = {"game": name, "agent": agent} | share_of(mine)
        row |= {"Elo": elo, "Elo from": elo - float(half[i]), "Elo to": elo + float(half[i])}
        met = [(j, other) for j, other in enumerate(agents) if games[i, j]]
        rows.append(row | {f"against {other}": float(scored[i, j] / games[i, j]) for j, other in met})
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each game, a point for each agent."""
    for axes, name, mine in panels(figure, rows, "game", width=4, height=4, sharex=True):
        plot_named(axes, [row["agent"] for row in mine], mine, ("Elo", "Elo from", "Elo to"))
        axes.axvline(0, color="grey", linestyle=":")
        met = [sum(row.get(f"against {other['agent']}") is not None for other in mine) for row in mine]
        missing = (len(mine) * (len(mine) - 1) - sum(met)) // 2
        title = f"{name}, {cases(mine)} each\n{PLAYOUTS[name]:,} playouts a move"
        finish(axes, "Elo (0: the game's mean)", title + (f", {missing} pairings not played" if missing else ""))


work = play_unit

ABOUT = About(
    title="From random games for each move to UCT with knowledge: all against all, at equal playouts",
    claim=(
        "Each step of the lecture plays better than the one before: MCS_pure, MCS_UCB, Gobble, MCTS_basic, UCT, and "
        "UCT with knowledge (slides, Monte-Carlo Game Tree Search: Basic Techniques)."
    ),
    setting=(
        "Knowledge: half an evaluation at each leaf; in Go MC-RAVE, priors and playouts that answer. Kalah has no "
        "Gobble: a pit is another move at every turn."
    ),
    half="",
)

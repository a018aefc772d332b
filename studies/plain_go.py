"""Plain UCT in Go on 9x9 against GNU Go: with how many playouts a move is it as strong?

A player who makes an illegal move loses, as GNU Go does when it repeats a position.
"""

from game import load_game
from studies.gtp_engine import GNU_GO, GtpEngine
from studies.matches import LIMITS, make_agent, points_of_game
from studies.plots import finish_shares, logarithmic, numbered_ticks, plot_shares, rows_by, values_of
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, units_by

LEVEL, QUICK_LEVEL = 10, 0
KOMI = 7.0
GAMES = {1000: 40, 3000: 60, 10_000: 60, 50_000: 40}  # by simulations a move
AGENTS = {
    "light": "uct_agent:preset=playouts,c=0.5,priors=no,heavy=no",
    "like MoGo's": "uct_agent:preset=playouts,c=0.5,priors=no,heavy=yes",
}
NODES_A_PLAYOUT = 30  # room of the tree


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game; colours alternate."""
    return [
        {
            "playouts": kind,
            "simulations": count,
            "seed": extent.seed * 10_000 + number,
            "level": extent.choose(LEVEL, QUICK_LEVEL),
        }
        for count in extent.choose(GAMES, (20,))
        for kind in extent.choose(AGENTS, ("light",))
        for number in range(extent.count(GAMES.get(count, 1), 1))
    ]


def work(unit: Unit) -> Result:
    """Play a game; returns the points of UCT, which is black if the seed is even."""
    game = load_game("go", size=9, komi=KOMI)
    text = f"{AGENTS[unit['playouts']]},simulations={unit['simulations']}"
    agent = make_agent(text, game, LIMITS, unit["seed"], 1000 + NODES_A_PLAYOUT * unit["simulations"])
    gnu_go = GtpEngine(f"{GNU_GO} --level {unit['level']} --seed {unit['seed']}", game)
    try:
        return {"points": points_of_game(game, game.initial(), [agent, gnu_go], LIMITS, unit["seed"] % 2)}
    finally:
        gnu_go.close()


def tabulate(done: Done) -> list[Row]:
    """A row for each kind of playouts and number of simulations."""
    rows = []
    for (kind, count), games in units_by(done, "playouts", "simulations").items():
        share = share_of_count(sum(result["points"] for _, result in games), len(games))
        labels = {"playouts": kind, "simulations": count, "games": len(games)}
        rows.append({**labels, **share, "agent": AGENTS[kind]})
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A line for each kind of playouts, with the number of games at each point."""
    axes = figure.subplots()
    lines = {f"playouts: {kind}": line for kind, line in rows_by(rows, "playouts").items()}
    plot_shares(axes, lines, "simulations")
    logarithmic(axes, values_of(rows, "simulations"))
    numbered_ticks(axes, rows, "simulations")
    finish_shares(axes, "simulations a move", f"Go 9x9, komi {KOMI:g}: plain UCT against GNU Go, level {LEVEL}")
    axes.legend()


ABOUT = About(
    title="How many playouts does plain UCT need on 9x9 to be as strong as GNU Go?",
    claim=(
        "Plain UCT with light playouts is near GNU Go at some tens of thousands of playouts a move (the community's "
        "calibration); with MoGo's playouts it wins 24 % at 3,000 (Gelly & Silver 2011)."
    ),
    programs=("gnugo",),
    setting="Plain UCT: UCB1, c = 0.5, no reading besides the tree.",
)

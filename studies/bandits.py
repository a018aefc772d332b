"""Regret of selection formulas on arms that win with fixed chances, compared with the theorem about UCB1.

The formulas are those of searches (`literature/bounds.py`), on a tree whose root has a child for each arm.
"""

import math
from collections.abc import Sequence
from typing import Any

from jit import U64, jit, new_rng, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.selection import ucb1
from agents.uct.tree import SCORE_OF_WIN, SCORE_SHIFT, visits_of
from studies.literature.backups import Mean
from studies.literature.bounds import DAILEY, choose_by_bound, tuned, valkyria
from studies.literature.leaves import Leaf
from studies.literature.method import Method
from studies.literature.wide_tree import allocate_wide
from studies.plots import finish, rows_by
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, units_by

ARMS = {  # the chances of winning, as in Auer, Cesa-Bianchi & Fischer 2002
    "0.9, 0.6": (0.9, 0.6),
    "0.55, 0.45": (0.55, 0.45),
    "0.9, nine of 0.8": (0.9, *[0.8] * 9),
    "0.55, nine of 0.45": (0.55, *[0.45] * 9),
}
PULLS = (100, 316, 1_000, 3_162, 10_000, 31_623, 100_000)
UCB1 = "UCB1, c = sqrt 2"  # the formula of the theorem
BOUNDS = {
    UCB1: ucb1(math.sqrt(2)),
    "UCB1, c = 0.5": ucb1(0.5),
    "Valkyria, c = 1 / sqrt 5": valkyria(1),
    "UCB1-TUNED": tuned(1, math.sqrt(2), 0.25),
    "Dailey": DAILEY,
    "epsilon = 0.1": ucb1(0),
    "epsilon falling": ucb1(0),
}
EPSILON = 0.1
FALLING = 5.0  # epsilon of pull t is min(1, 5 K / (gap^2 t)); Auer et al. prove their bound for 5 or more
RUNS_A_UNIT = 20
_ONE_VISIT, _ONE_WIN = U64(1), U64((SCORE_OF_WIN << SCORE_SHIFT) + 1)
_WHOLE = 1 << 32  # the bound of `random_below`

CHANCES, SAMPLES, DEVIATIONS = (0.5, 0.9), (10, 100, 1_000), (0.5, 1.0, 1.5, 2.0)  # deviations times 1 / sqrt(n)
LEAST_DRAWN = 1e-9  # below all shares, so that the legend hides none
DRAWS_A_UNIT = 100_000


def plan(extent: Extent) -> list[Unit]:
    """Runs of every formula on all arms, and means of so many results for Hoeffding's bound."""
    parts, pulls = extent.count(10, 1), list(extent.choose(PULLS, PULLS[:3]))
    runs = [
        {"arms": arms, "formula": formula, "pulls": pulls, "runs": extent.choose(RUNS_A_UNIT, 4), "part": part}
        for arms in extent.choose(list(ARMS), list(ARMS)[:1])
        for formula in BOUNDS
        for part in range(parts)
    ]
    means = [
        {"chance": chance, "results": count, "draws": DRAWS_A_UNIT, "part": part}
        for chance in CHANCES
        for count in SAMPLES
        for part in range(parts)
    ]
    return [unit | {"seed": extent.seed} for unit in runs + means]


@jit
def play_arms(method, tree, chances, exploring, rng, counts):
    """Pull arms, once for each element of `exploring`: float64, the probability that this pull is random.

    Writes counts[t, arm], int32: how often an arm was pulled in the first t + 1 pulls.
    """
    arms = len(chances)
    for pull in range(len(exploring)):
        if random_below(rng, _WHOLE) < exploring[pull] * _WHOLE:
            arm = np.int64(random_below(rng, arms))
        else:
            arm = choose_by_bound(method, tree, 0, arms, pull)
        wins = random_below(rng, _WHOLE) < chances[arm] * _WHOLE
        tree.stats[arm] += _ONE_WIN if wins else _ONE_VISIT
        tree.squares[arm] += 1.0 if wins else 0.0
        for i in range(arms):
            counts[pull, i] = visits_of(tree.stats[i])


def gaps_of(chances: Sequence[float]) -> list[float]:
    """By how much the chance of each worse arm is below the best one's."""
    best = max(chances)
    return [best - chance for chance in chances if chance < best]


def exploring_of(formula: str, chances: Sequence[float], pulls: int) -> np.ndarray:
    """For each pull the probability that it is random."""
    if formula == "epsilon = 0.1":
        return np.full(pulls, EPSILON)
    if formula == "epsilon falling":
        gap = min(gaps_of(chances))
        falling: np.ndarray = np.minimum(1, FALLING * len(chances) / (gap**2 * np.arange(1, pulls + 1)))
        return falling
    return np.zeros(pulls)


def work(unit: Unit) -> Result:
    """See `_runs` and `_means`."""
    return _runs(unit) if "arms" in unit else _means(unit)


def _runs(unit: Unit) -> Result:
    """The regrets of the runs for each number of pulls: the expected wins that the best arm would have had more."""
    chances = ARMS[unit["arms"]]
    no_leaf = Leaf(1, np.float32(1), np.zeros(1, np.uint64))  # selection does not look at leaves
    method = Method(BOUNDS[unit["formula"]], no_leaf, Mean(0), 0, np.float32(0), 0, np.float32(0), proofs=True)
    pulls = unit["pulls"]
    exploring = exploring_of(unit["formula"], chances, pulls[-1])
    regrets = []
    for run in range(unit["runs"]):
        tree = allocate_wide(len(chances), ("squares",))
        rng = new_rng(unit["seed"], sequence=unit["part"] * RUNS_A_UNIT + run + 1)
        counts = np.zeros((pulls[-1], len(chances)), np.int32)
        play_arms(method, tree, np.array(chances), exploring, rng, counts)
        lost = counts[np.array(pulls) - 1] @ (max(chances) - np.array(chances))
        regrets.append([round(float(x), 6) for x in lost])
    return {"regrets": regrets}


def _means(unit: Unit) -> Result:
    """How often the mean of so many results lies at least so far above the chance of winning, for each deviation."""
    rng = np.random.default_rng([unit["seed"], unit["part"], unit["results"], round(100 * unit["chance"])])
    wins = rng.binomial(unit["results"], unit["chance"], unit["draws"])
    beyond = [
        int((wins >= unit["results"] * unit["chance"] + x * math.sqrt(unit["results"]) - 1e-9).sum())
        for x in DEVIATIONS
    ]
    return {"beyond": beyond}


def theorem(chances: Sequence[float], pulls: int) -> float:
    """The bound of UCB1's regret, for results from 0 to 1: Auer et al. 2002, theorem 1.

    >>> round(theorem((0.9, 0.6), 1000), 1)
    185.5
    """
    return sum(8 * math.log(pulls) / gap + (1 + math.pi**2 / 3) * gap for gap in gaps_of(chances))


def tabulate(done: Done) -> list[Row]:
    """A row for each formula, arms and number of pulls; then a row for each mean and deviation."""
    pulled, drawn = ([entry for entry in done if name in entry.unit] for name in ("arms", "chance"))
    rows = []
    for (arms, formula), found in units_by(pulled, "arms", "formula").items():
        runs = np.array([run for _, result in found for run in result["regrets"]])
        rows += [_regret_row(arms, formula, *column) for column in zip(found[0].unit["pulls"], runs.T, strict=True)]
    for (chance, results), found in units_by(drawn, "chance", "results").items():
        counts, draws = np.sum([result["beyond"] for _, result in found], axis=0).tolist(), len(found) * DRAWS_A_UNIT
        rows += [_mean_row(chance, results, *column, draws) for column in zip(DEVIATIONS, counts, strict=True)]
    return rows


def _regret_row(arms: str, formula: str, pulls: int, regrets: np.ndarray) -> Row:
    """The mean regret with its interval; also as a multiple of the sum of ln N / gap over the worse arms."""
    mean = float(regrets.mean())
    error = 1.96 * float(regrets.std(ddof=1)) / math.sqrt(len(regrets))
    return {
        "arms": arms,
        "formula": formula,
        "pulls": pulls,
        "runs": len(regrets),
        "regret": mean,
        "from": mean - error,
        "to": mean + error,
        "times ln N / gap": mean / sum(math.log(pulls) / gap for gap in gaps_of(ARMS[arms])),
        "theorem": theorem(ARMS[arms], pulls) if formula == UCB1 else None,
    }


def _mean_row(chance: float, results: int, deviation: float, count: int, draws: int) -> Row:
    """The share of means at least so far above the chance, and Hoeffding's bound exp(-2 n epsilon^2)."""
    return {
        "arms": f"{chance}",
        "formula": "mean",
        "pulls": results,
        "runs": draws,
        "epsilon": deviation / math.sqrt(results),
        **share_of_count(count, draws),
        "hoeffding": math.exp(-2 * deviation**2),
    }


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each set of arms with a line for each formula, and a panel for Hoeffding's bound."""
    runs = [row for row in rows if row.get("regret") is not None]
    figure.set_size_inches(13, 8)
    panels = figure.subplots(2, 3, squeeze=False).ravel()
    for axes, (name, mine) in zip(panels, rows_by(runs, "arms").items(), strict=False):
        for formula, line in rows_by(mine, "formula").items():
            pulls = [row["pulls"] for row in line]
            error = [(row["to"] - row["from"]) / 2 for row in line]
            axes.errorbar(pulls, [row["regret"] for row in line], yerr=error, marker=".", capsize=3, label=formula)
        bound = [row for row in mine if row["theorem"] is not None]
        pulls = [row["pulls"] for row in bound]
        axes.plot(pulls, [row["theorem"] for row in bound], "k--", label="theorem on UCB1, c = sqrt 2")
        each = sum(1 / gap for gap in gaps_of(ARMS[name]))
        axes.plot(pulls, [math.log(n) * each for n in pulls], "k:", label="sum of ln N / gap")
        axes.set_xscale("log")
        axes.set_yscale("log")
        finish(axes, "pulls", f"chances {name}: regret ({mine[0]['runs']} runs)")
    panels[0].set_ylabel("mean regret")
    if means := [row for row in rows if row.get("hoeffding") is not None]:
        _draw_hoeffding(means, panels[4])
    panels[5].axis("off")
    panels[5].legend(*panels[0].get_legend_handles_labels(), loc="center left")


def _draw_hoeffding(rows: Rows, axes: Any) -> None:
    seen = [row for row in rows if row["share"] > 0]
    for (chance, count), line in rows_by(seen, "arms", "pulls").items():
        error = [[row["share"] - row["low"] for row in line], [row["high"] - row["share"] for row in line]]
        x = [row["epsilon"] * math.sqrt(row["pulls"]) for row in line]
        style = {"fmt": "o-" if float(chance) == CHANCES[0] else "s:", "ms": 4, "capsize": 3}
        style["color"] = f"C{len(BOUNDS) + SAMPLES.index(count)}"  # no formula's
        axes.errorbar(x, [row["share"] for row in line], yerr=error, label=f"chance {chance}, n = {count:,}", **style)
    axes.plot(DEVIATIONS, [math.exp(-2 * x**2) for x in DEVIATIONS], "k--", label="Hoeffding: exp(-2 n epsilon^2)")
    axes.set_yscale("log")
    axes.set_ylim(bottom=LEAST_DRAWN)
    finish(axes, "epsilon sqrt(n)", f"share of means epsilon above their chance ({rows[0]['runs']:,} draws)")
    axes.legend(fontsize=8, loc="lower left")


ABOUT = About(
    title="Regret of formulas of selection on arms with fixed chances, and Hoeffding's bound",
    claim=(
        "UCB1 with c = sqrt 2 loses at most the sum over worse arms of 8 ln N / gap + (1 + pi^2 / 3) gap in N pulls, "
        "so it pulls each of them about ln N / gap^2 times; UCB1-TUNED loses less; epsilon-greedy does as well if its "
        "epsilon falls as 1 / N, fitted to the gap (Auer, Cesa-Bianchi & Fischer 2002). The mean of n results lies "
        "epsilon above their expectation with probability exp(-2 n epsilon^2) at most (Hoeffding 1963)."
    ),
    setting=(
        "Regret: what the best arm would have won more, in expectation. epsilon: the chance of a random pull; falling: "
        "min(1, 5 K / (gap^2 t)) for pull t of K arms. Not drawn: shares of 0, as all of chance 0.9, n = 10. "
        "UCB1-TUNED hides UCB1 with c = 0.5 where chances are near one half: there they are the same formula."
    ),
    half="",
)

"""How far opinions on the moves of a position agree with a judge: counting, table and picture."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from studies.plots import cases, finish_shares, panels, plot_named
from studies.shares import mean_difference, share_of_positions
from studies.study import Done, Figure, Result, Row, Rows, Unit, units_by

LEAST_DIFFERENCE = 0.02  # of two winning chances; if they differ less, neither move counts as better

Chances = Mapping[Any, float]  # winning chances by move


def count_alike(judged: Chances, opinions: Mapping[str, Chances]) -> Result:
    """How many pairs of moves the judge tells apart, and how many of them each opinion orders in the same way.

    Two moves are told apart if their chances differ by at least LEAST_DIFFERENCE. Moves without a chance in an opinion
    are left out; if an opinion has equal chances, the pair counts half.

    >>> count_alike({"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1}, {"other": {"a": 0.6, "b": 0.7, "c": 0.6}})
    {'pairs': 2, 'alike': {'other': 0.5}}
    """
    moves = [move for move in judged if all(move in chances for chances in opinions.values())]
    ordered = [pair if judged[pair[0]] > judged[pair[1]] else pair[::-1] for pair in combinations(moves, 2)]
    pairs = [(better, worse) for better, worse in ordered if judged[better] - judged[worse] >= LEAST_DIFFERENCE]
    alike = {
        name: sum(
            (chances[better] > chances[worse]) + (chances[better] == chances[worse]) / 2 for better, worse in pairs
        )
        for name, chances in opinions.items()
    }
    return {"pairs": len(pairs), "alike": alike}


def compare_orders(unit: Unit, name: str, chances: Callable[[int], Chances], values: Sequence[Chances]) -> Result:
    """The result of a unit: `count_alike` of UCT and of shallow searches, judged by the deepest one.

    The unit has the "depths" of the searches, which find the moves' `chances`, and the numbers of "simulations" after
    which UCT has these `values`. `name` is that of a search, with {} for its depth.
    """
    *shallow, deepest = unit["depths"]
    opinions = {name.format(depth): chances(depth) for depth in shallow}
    opinions |= {f"UCT, {count:,}": found for count, found in zip(unit["simulations"], values, strict=True)}
    return count_alike(chances(deepest), opinions)


def tabulate(done: Done) -> list[Row]:
    """A row for each game and opinion; each position counts as one, with intervals as in `told_apart.tabulate`.

    A unit has a "game"; its result is that of `count_alike`, or has no pairs. Further rows compare each opinion of UCT
    with each other opinion: the mean difference of their shares in the same positions.
    """
    rows: list[Row] = []
    for game, entries in units_by(done, "game").items():
        mine = [result for _, result in entries if result["pairs"]]
        names = list(dict.fromkeys(name for result in mine for name in result["alike"]))
        for name in names:
            row = share_of_positions((result["pairs"], result["alike"][name]) for result in mine)
            rows.append({"game": game, "opinion": name, "pairs": sum(result["pairs"] for result in mine), **row})
        for first, second in product([x for x in names if is_uct(x)], [x for x in names if not is_uct(x)]):
            gaps = [(result["alike"][first] - result["alike"][second]) / result["pairs"] for result in mine]
            if found := mean_difference(gaps):
                labels = {"game": game, "opinion": f"{first} less {second}", "positions": len(gaps)}
                rows.append(labels | found)
    return rows


def is_uct(opinion: str) -> bool:
    """Whether an opinion is UCT's."""
    return opinion.startswith("UCT")


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each game, a line for each opinion."""
    rows = [row for row in rows if row.get("share") is not None]
    for axes, game, mine in panels(figure, rows, "game", width=5, height=4):
        names = [f"{x} simulations" if is_uct(x) else x for x in (row["opinion"] for row in mine)]
        plot_named(axes, names, mine)
        title = f"{game.capitalize()}, {cases(mine)}"
        finish_shares(axes, "share of pairs of moves in the judge's order", title, across=True)

"""Traps in Pentago and Kalah: how many moves lose by force within a few plies, in random and in strong play."""

import random
from collections.abc import Sequence
from typing import Any

from simulator.statistics.elo import wilson_interval
from studies.plots import values_of
from studies.study import Extent, Finished, Result, Row, Study, Unit
from studies.trap_positions import JUDGES, LEVELS, RANDOM, STRONG, game_positions, judged_moves

PLIES = {"pentago": (8, 12, 16, 20), "kalah": (10, 20, 30, 40)}
DEEP_MOVES = 3  # of a position, of those that are sound as far as every move is looked at


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which the positions after certain plies are looked at."""
    return [
        {"game": game, "play": play, "seed": extent.seed * 10_000 + number, "plies": extent.choose(plies, plies[2:3])}
        | {"levels": extent.choose(LEVELS, LEVELS[:2])}
        for number in range(extent.count(40, 1))
        for game, plies in PLIES.items()
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each ply of the unit that the game reaches: how many moves, and how many fall into traps of each level."""
    judge: Any = JUDGES[unit["game"]]()
    found = {}
    for position in game_positions(judge.game, unit["play"], unit["seed"]):
        if position.ply in unit["plies"]:
            rng = random.Random(f"{unit['seed']} {position.ply}")
            found[str(position.ply)] = _count(judge, position, unit["levels"], rng)
    return found


def _count(judge: Any, position: Any, levels: Sequence[int], rng: random.Random) -> dict[str, Any]:
    """All moves as far as they all are looked at; beyond that, a sample."""
    moves = judged_moves(judge, position, min(max(levels), judge.full_level))
    counts = {str(level): sum(move.level == level for move in moves) for level in levels if level <= judge.full_level}
    sound = [move.after for move in moves if move.level == 0]
    is_deep = max(levels) > judge.full_level
    sample = rng.sample(sound, min(DEEP_MOVES, len(sound))) if is_deep else []
    deep = sum(judge.level(position, after, max(levels)) == max(levels) for after in sample)
    return {"moves": len(moves), "sound": len(sound), "levels": counts, "sample": len(sample), "deep": deep}


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each game, kind of play, ply and level."""
    found: dict[tuple[str, str, int, int], list[Result]] = {}
    for unit, result in done:
        for ply in unit["plies"]:
            entry = result.get(str(ply))
            if entry is None or not entry["moves"]:
                continue
            for level in unit["levels"]:
                found.setdefault((unit["game"], unit["play"], ply, level), []).append(entry)
    return [
        {"game": game, "play": play, "ply": ply, "level": level} | _row(entries, level)
        for (game, play, ply, level), entries in sorted(found.items())
    ]


def _row(found: Sequence[Result], level: int) -> Row:
    """What one level comes to over positions; the share of moves is a mean over positions."""
    if str(level) not in found[0]["levels"]:
        shares = [
            entry["sound"] / entry["moves"] * entry["deep"] / entry["sample"] for entry in found if entry["sample"]
        ]
        return {"positions": len(shares), "moves in traps": sum(shares) / max(1, len(shares))}
    with_trap = sum(entry["levels"][str(level)] > 0 and entry["sound"] > 0 for entry in found)
    low, high = wilson_interval(with_trap, len(found))
    return {
        "positions": len(found),
        "moves in traps": sum(entry["levels"][str(level)] / entry["moves"] for entry in found) / len(found),
        "share": with_trap / len(found),
        "low": low,
        "high": high,
    }


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel a game and kind of play: the share of moves in traps over plies, a line a level."""
    kinds = list(dict.fromkeys((row["game"], row["play"]) for row in rows))
    figure.set_size_inches(3 * len(kinds), 4)
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0], kinds, strict=True):
        mine = [row for row in rows if (row["game"], row["play"]) == kind]
        for level in values_of(rows, "level"):
            line = [row for row in mine if row["level"] == level]
            axes.plot(
                [row["ply"] for row in line], [row["moves in traps"] for row in line], "o-", label=f"level {level}"
            )
        axes.set_title(f"{kind[0]}, {kind[1]} play", fontsize=10)
        axes.set_xlabel("plies played")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("share of moves that fall into a trap")
    figure.axes[0].legend(fontsize=8)


STUDY = Study(
    title="Traps in Pentago and Kalah: moves after which the opponent wins by force in 1, 3, 5 or 7 plies",
    claim=(
        "Shallow traps are everywhere in chess, in random positions and in games of masters, and rare in Go: that is "
        "why UCT is weak in the one and strong in the other (Ramanujan, Sabharwal & Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
)

"""Traps in Pentago: how many moves lose by force within a few plies, in random and in strong play."""

import random
from collections.abc import Sequence
from typing import Any

from game import load_game
from pentago.forced_wins import make_space
from simulator.statistics.elo import wilson_interval
from studies.plots import values_of
from studies.study import Extent, Finished, Result, Row, Study, Unit
from studies.trap_positions import RANDOM, STRONG, game_positions, pentago_level, pentago_moves

LEVELS = (1, 3, 5, 7)
FULL_LEVEL = 5  # every move is looked at so far; further, a few of those that are sound so far
DEEP_MOVES = 4  # of a position, for level 7
PLIES = (8, 12, 16, 20)
TABLE_BITS = 18


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which the positions after certain plies are looked at."""
    plies = extent.choose(PLIES, (16,))
    return [
        {
            "play": play,
            "seed": extent.seed * 10_000 + number,
            "plies": plies,
            "levels": extent.choose(LEVELS, LEVELS[:2]),
        }
        for number in range(extent.count(60, 1))
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each ply of the unit that the game reaches: how many moves, and how many fall into traps of each level."""
    pentago, space = load_game("pentago"), make_space(TABLE_BITS)
    found = {}
    for position in game_positions(pentago, unit["play"], unit["seed"]):
        if position.ply in unit["plies"]:
            rng = random.Random(f"{unit['seed']} {position.ply}")
            found[str(position.ply)] = _count(pentago, space, position, unit["levels"], rng)
    return found


def _count(pentago: Any, space: Any, position: Any, levels: Sequence[int], rng: random.Random) -> dict[str, Any]:
    moves = pentago_moves(pentago, space, position, min(max(levels), FULL_LEVEL))
    counts = {str(level): sum(move.level == level for move in moves) for level in levels if level <= FULL_LEVEL}
    sound = [move.after for move in moves if move.level == 0]
    deep = 0
    sample = rng.sample(sound, min(DEEP_MOVES, len(sound))) if max(levels) > FULL_LEVEL else []
    for after in sample:
        deep += pentago_level(pentago, space, after, max(levels)) == max(levels)
    return {"moves": len(moves), "sound": len(sound), "levels": counts, "sample": len(sample), "deep": deep}


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each kind of play, ply and level."""
    rows = []
    plays, plies, levels = (
        dict.fromkeys(unit[name] if name == "play" else tuple(unit[name]) for unit, _ in done)
        for name in ("play", "plies", "levels")
    )
    for play in plays:
        for ply in next(iter(plies)):
            found = [result[str(ply)] for unit, result in done if unit["play"] == play and str(ply) in result]
            found = [entry for entry in found if entry["moves"]]
            for level in next(iter(levels)) if found else ():
                rows.append({"play": play, "ply": ply, "level": level} | _row(found, level))
    return rows


def _row(found: Sequence[Result], level: int) -> Row:
    """What one level comes to over positions; the share of moves is a mean over positions."""
    if level > FULL_LEVEL:
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
    """A panel a kind of play: the share of moves in traps over plies, a line a level."""
    plays = values_of(rows, "play")
    for axes, play in zip(figure.subplots(1, len(plays), squeeze=False, sharey=True)[0], plays, strict=True):
        for level in values_of(rows, "level"):
            line = [row for row in rows if row["play"] == play and row["level"] == level]
            axes.plot(
                [row["ply"] for row in line], [row["moves in traps"] for row in line], "o-", label=f"level {level}"
            )
        axes.set_title(f"{play} play", fontsize=10)
        axes.set_xlabel("stones on the board")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("share of moves that fall into a trap")
    figure.axes[0].legend(fontsize=8)


STUDY = Study(
    title="Traps in Pentago: moves after which the opponent wins by force in 1, 3, 5 or 7 plies",
    claim=(
        "Shallow traps are everywhere in chess, in random positions and in games of masters, and rare in Go: that is "
        "why UCT is weak in the one and strong in the other (Ramanujan, Sabharwal & Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
)

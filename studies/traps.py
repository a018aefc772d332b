"""Traps in Pentago and Kalah: how many moves lose by force within a few plies, in random and in strong play."""

import random
from collections.abc import Sequence
from typing import Any

from studies.plots import finish_shares, legend_beside, numbered_ticks, panels, plot_shares, values_of
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit
from studies.trap_positions import JUDGES, LEVELS, RANDOM, STRONG, game_positions, judged_moves

PLIES = {"pentago": (8, 12, 16, 20), "kalah": (10, 20, 30, 40)}
ANY = "any"
DEEP_MOVES = 3  # of a position, drawn from those that are sound up to `full_level`


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game; its positions after certain plies are judged."""
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
    """Count the traps among all moves up to the judge's `full_level`; beyond it, among a sample of the sound moves."""
    level_of = judged_moves(judge, position, min(max(levels), judge.full_level))
    found = list(level_of.values())
    counts = {str(level): found.count(level) for level in levels if level <= judge.full_level}
    sound = [after for after, level in level_of.items() if level == 0]
    is_deep = max(levels) > judge.full_level
    sample = rng.sample(sound, min(DEEP_MOVES, len(sound))) if is_deep else []
    deep = sum(judge.level(position, after, max(levels)) == max(levels) for after in sample)
    return {"moves": len(found), "sound": len(sound), "levels": counts, "sample": len(sample), "deep": deep}


def tabulate(done: Done) -> list[Row]:
    """A row for each game, kind of play, ply and level, and one for all levels at which every move was judged."""
    found: dict[tuple[str, str, int], list[Result]] = {}
    for unit, result in done:
        for after, entry in result.items():
            if entry["moves"]:
                found.setdefault((unit["game"], unit["play"], int(after)), []).append(entry)
    rows: list[Row] = []
    for (game, play, ply), entries in sorted(found.items()):
        labels = {"game": game, "play": play, "ply": ply}
        rows += [{**labels, **row} for row in rows_of_levels(entries)]
        if deep := [entry for entry in entries if entry.get("sample")]:
            shares = [entry["sound"] / entry["moves"] * entry["deep"] / entry["sample"] for entry in deep]
            rows.append({**labels, "level": "7", "positions": len(deep), "moves in traps": sum(shares) / len(deep)})
    return rows


def rows_of_levels(found: Sequence[Result]) -> list[Row]:
    """A row for each level, and one for any: the share of positions with such a trap and a sound move, and of moves.

    `found` has for each position the numbers of all moves, of sound moves and, by level, of moves that fall into traps.
    """
    rows = []
    for level in (*found[0]["levels"], ANY):
        traps = [entry["moves"] - entry["sound"] if level == ANY else entry["levels"][level] for entry in found]
        with_trap = sum(count > 0 and entry["sound"] > 0 for count, entry in zip(traps, found, strict=True))
        moves = sum(count / entry["moves"] for count, entry in zip(traps, found, strict=True)) / len(found)
        row = {"level": level, "positions": len(found), "moves in traps": moves}
        rows.append(row | share_of_count(with_trap, len(found)))
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel a game and kind of play: the share of positions with a trap and a sound move, a line for each level."""
    rows = [row for row in rows if row.get("share") is not None]
    levels = values_of(rows, "level")
    for axes, (game, play), mine in panels(figure, rows, "game", "play", width=3.2, height=4.3, sharey=True):
        plot_shares(axes, {f"{level}": [row for row in mine if row["level"] == level] for level in levels}, "ply")
        numbered_ticks(axes, mine, "ply")
        unseen = [str(level) for level in levels if not any(row["level"] == level for row in mine)]
        title = f"{game.capitalize()}, {play} play" + (f"\n(not drawn: {', '.join(unseen)} plies)" if unseen else "")
        finish_shares(axes, "plies played", title, "share of positions with such a\nmove and a sound one", half=False)
    legend_beside(figure, "plies in which the\nopponent then wins")


ABOUT = About(
    title="Traps in Pentago and Kalah: moves after which the opponent wins by force in 1, 3, 5 or 7 plies",
    claim=(
        "Shallow traps are everywhere in chess, in random positions and in games of masters, and rare in Go: that is "
        "why UCT is weak in chess and strong in Go (Ramanujan, Sabharwal & Selman 2010)."
    ),
    setting="Strong play: UCT, 200 simulations a move. Sound: no such win was found. 7 plies, Pentago: see table. "
    "Points at the same ply stand slightly apart.",
    half="",
)

"""Traps in chess: how many moves let the opponent mate within a few plies, in random and in strong play.

Stockfish is both the strong player and the judge: a search of fixed depth over all moves, whose mates are proved, and
which may overlook some. So the shares are lower bounds.
"""

import random
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from simulator.player.launch import search_path
from simulator.statistics.elo import wilson_interval
from studies.plots import values_of
from studies.study import Extent, Finished, Result, Row, Study, Unit
from studies.trap_positions import RANDOM, STRONG

LEVELS = (1, 3, 5, 7)
PLIES = (20, 40, 60, 80)
DEPTH = 9  # of the judge's search: a move and the 7 plies after it, and one
STRONG_NODES = 2000  # a move
OPENING_PLIES = 4  # random moves before strong play, so that games differ
TABLE_MB = 16


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which the positions after certain plies are looked at."""
    return [
        {"play": play, "seed": extent.seed * 10_000 + number, "plies": extent.choose(PLIES, (20,))}
        for number in range(extent.count(60, 2))
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each ply that the game reaches: how many moves, and how many fall into traps of each level."""
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci(shutil.which("stockfish", path=search_path()) or "stockfish") as engine:
        engine.configure({"Hash": TABLE_MB, "Threads": 1})
        positions = {board.ply(): board for board in _game(engine, unit["play"], unit["seed"], max(unit["plies"]))}
        wanted = [positions[ply] for ply in unit["plies"] if ply in positions]
        return {str(board.ply()): _levels(engine, board) for board in wanted}


def _game(engine: Any, play: str, seed: int, most: int) -> Iterator[Any]:
    """The open positions of a game up to a ply."""
    import chess.engine

    rng, board = random.Random(f"{play} {seed}"), chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() <= most:
        yield board.copy()
        if play == RANDOM or board.ply() < OPENING_PLIES:
            board.push(rng.choice(list(board.legal_moves)))
        else:
            board.push(engine.play(board, chess.engine.Limit(nodes=STRONG_NODES)).move)


def _levels(engine: Any, board: Any) -> dict[str, Any]:
    """How many moves there are, and how many let the opponent mate in so many plies, by level."""
    import chess.engine

    lines = engine.analyse(board, chess.engine.Limit(depth=DEPTH), multipv=board.legal_moves.count())
    mates = [line["score"].relative.mate() for line in lines]
    levels = [2 * -mate - 1 for mate in mates if mate is not None and mate < 0]
    return {"moves": len(lines), "levels": {str(level): levels.count(level) for level in LEVELS}}


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each kind of play, ply and level: positions with such a trap and another move, and moves in traps."""
    rows = []
    for play in dict.fromkeys(unit["play"] for unit, _ in done):
        for ply in done[0].unit["plies"]:
            found = [result[str(ply)] for unit, result in done if unit["play"] == play and str(ply) in result]
            for level in LEVELS if found else ():
                counts = [entry["levels"][str(level)] for entry in found]
                share = sum(0 < count < entry["moves"] for count, entry in zip(counts, found, strict=True))
                low, high = wilson_interval(share, len(found))
                moves = sum(count / entry["moves"] for count, entry in zip(counts, found, strict=True)) / len(found)
                labels = {"play": play, "ply": ply, "level": level, "positions": len(found)}
                rows.append({**labels, "share": share / len(found), "low": low, "high": high, "moves in traps": moves})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel a kind of play: the share of positions with a trap over plies, a line a level."""
    plays = values_of(rows, "play")
    for axes, play in zip(figure.subplots(1, len(plays), squeeze=False, sharey=True)[0], plays, strict=True):
        for level in values_of(rows, "level"):
            line = [row for row in rows if row["play"] == play and row["level"] == level]
            axes.plot([row["ply"] for row in line], [row["share"] for row in line], "o-", label=f"level {level}")
        axes.set_title(f"{play} play", fontsize=10)
        axes.set_xlabel("plies played")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("share of positions with such a trap")
    figure.axes[0].legend(fontsize=8)


STUDY = Study(
    title="Traps in chess: positions where a move lets the opponent mate in 1, 3, 5 or 7 plies",
    claim=(
        "Shallow traps are everywhere in chess, in random positions and in games of masters (Ramanujan, Sabharwal & "
        "Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    programs=("stockfish",),
    modules=("chess",),
)

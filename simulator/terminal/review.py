"""A reviewed game for a terminal: a line for each move, with its proved mistakes."""

from collections.abc import Sequence

from game import Game
from options import counted
from simulator.course.review import ReviewedMove
from simulator.referee.game_record import GameRecord

HEADER = f"{'move':>4}  {'player':<24}{'played':<9}{'value':>7}  {'ours':<9}{'value':>7}"

HOW_AT_ONCE = ("completes the opponent's line", "loses by force: the next move wins")  # by the plies that it takes


def review_line(game: Game, record: GameRecord, move: ReviewedMove) -> str:
    """`  7  alice (w)   f5/1r   0.12  c3/0r   0.61  loses by force within 3 plies; c3/0r does not`."""
    who = f"{record.agents[move.player]} ({game.players[move.player]})"
    best = move.best if move.best != move.move else "the same"
    line = f"{move.ply + 1:>4}  {who:<24}{move.move:<9}{move.value:>7.3f}  {best:<9}{move.best_value:>7.3f}"
    return f"{line}  {remark(move)}".rstrip()


def remark(move: ReviewedMove) -> str:
    """What is known for certain of a move; empty if nothing is."""
    if move.mistake == "loses":
        how = f"loses by force within {move.plies} plies" if move.plies > 1 else HOW_AT_ONCE[move.plies]
        return f"{how}; {move.better} does not"
    if move.mistake == "misses":
        plies = "1 ply" if move.plies == 1 else f"{move.plies} plies"
        return f"misses a forced win within {plies}: {move.better}"
    if move.mistake == "lost":
        return "the position was lost before this move"
    if move.proven == "win" and move.value < 1:
        return f"a proved win was there: {move.best}"
    return "" if move.proven is None else f"a proved {move.proven}"


def review_summary(record: GameRecord, moves: Sequence[ReviewedMove]) -> str:
    """How many mistakes each player has made, and how the game ended."""
    lines = []
    for player, name in enumerate(record.agents):
        own = [move for move in moves if move.player == player]
        losing, missed = (sum(move.mistake == kind for move in own) for kind in ("loses", "misses"))
        lines.append(
            f"{name}: {counted(len(own), 'move')}, {losing} that lose by force, {counted(missed, 'forced win')} missed"
        )
    return "\n".join([*lines, record.verdict.text])

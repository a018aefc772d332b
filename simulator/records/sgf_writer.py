"""Games of Go as SGF files, version 4 (red-bean.com/sgf): one line of play, each move with what is known of it.

sgfmill knows the format. Neither sgfmill nor this module may be imported in an agent's process.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from sgfmill import common, sgf

from agents.limits import Limits
from game import FIRST, SECOND, Game, format_result, load_game
from simulator import NAME, VERSION
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict

COLOURS = ("B", "W")  # SGF's letters for the players: in results, and at the end of PB and PW
SHOWN_ANALYSIS = ("value", "proven", "simulations")  # the parts of an agent's analysis that a comment repeats


class _Move(NamedTuple):
    player: int
    text: str
    comment: str = ""


def sgf_of(record: GameRecord) -> bytes:
    """A referee's record of a game of Go as SGF."""
    game = load_game(record.game, **record.options)
    written = _new_file(game, record.agents, record.date, result_text(record.result, record.verdict))
    root = written.get_root()
    if record.limits is not None:
        black, white = map(_time_text, record.limits)
        root.set("TM", record.limits[FIRST].clock_seconds if black == white else 0)
        root.set("OT", black if black == white else f"black: {black}; white: {white}")
    root.set("C", f"{record.agents[0]} against {record.agents[1]}, seed {record.seed}")
    opening = (_Move(ply % 2, text, "opening") for ply, text in enumerate(record.opening))
    _add_moves(written, [*opening, *(_Move(move.player, move.move, _comment(move)) for move in record.moves)])
    written.get_last_node().add_comment_text(record.verdict.text)
    return bytes(written.serialise())


def sgf_of_moves(
    game: Game,
    positions: Sequence[Any],
    names: tuple[str, str],
    *,
    result: str = "",
    date: str = "",
    comment: str = "",
) -> bytes:
    """A game of Go that went through these positions as SGF.

    The first position's stones are set up. `names` are black's and white's; `result` is SGF's (`B+3.5`, `W+R`), by
    default that of the last position, and `?` for an open game; `comment` belongs to the last move. Raises ValueError
    if the first position has a ko or passes, which SGF cannot express.
    """
    if positions[0].ko is not None or positions[0].passes:
        what = "a ko" if positions[0].passes == 0 else "a pass"
        raise ValueError(f"SGF cannot express {what} in the position where the game began: save as .json")
    end = positions[-1].result
    written = _new_file(game, names, date, result or ("?" if end is None else format_result(game, end)))
    _set_up(written.get_root(), positions[0])
    moves = (_Move(before.to_move, game.format_move(after.last_move)) for before, after in pairwise(positions))
    _add_moves(written, moves)
    if comment:
        written.get_last_node().add_comment_text(comment)
    return bytes(written.serialise())


def result_text(result: str, verdict: Verdict) -> str:
    """SGF's text of a result: `B+3.5`; `W+R` by resignation, `W+T` on time, `W+F` by any other fault; `0`; `Void`."""
    if verdict.reason is Reason.VOID:
        return "Void"
    if verdict.winner is None or verdict.reason is Reason.NORMAL:
        return result
    return f"{COLOURS[verdict.winner]}+{forfeit_letter(verdict.reason)}"


def forfeit_letter(reason: Reason) -> str:
    """SGF's letter for why a game ended that the rules leave open: R for resignation, T for time, F for all else."""
    return {Reason.RESIGNATION: "R", Reason.TIMEOUT: "T"}.get(reason, "F")


def _time_text(limits: Limits) -> str:
    """`2 s a move, 30 s for the first`, and what a game clock adds to that."""
    texts = [f"{limits.move_seconds:g} s a move"] if math.isfinite(limits.move_seconds) else []
    texts.append(f"{limits.first_move_seconds:g} s for the first")
    if limits.clock_seconds:
        texts.append(f"{limits.clock_seconds:g} s for all others, {limits.increment_seconds:g} s more with each")
    return ", ".join(texts)


def stones_of(position: Any) -> dict[str, int]:
    """The player of each stone on a board of Go, by the text of its point."""
    last = position.size - 1  # sgfmill counts rows from the bottom
    points = ((i, j, entry) for i, row in enumerate(position.board) for j, entry in enumerate(row))
    return {common.format_vertex((last - row, column)): int(entry) - 1 for row, column, entry in points if entry}


def _new_file(game: Any, names: tuple[str, str], date: str, result: str) -> Any:
    written = sgf.Sgf_game(game.size)
    root = written.get_root()
    root.set("AP", (NAME, VERSION))
    root.set("RU", "Chinese")
    root.set("KM", game.komi)
    for colour, name in zip(COLOURS, names, strict=True):
        root.set(f"P{colour}", name)
    if date:
        root.set("DT", date[: len("2026-01-31")])  # SGF has no time of day
    root.set("RE", result)
    return written


def _set_up(root: Any, position: Any) -> None:
    """Add the stones of a position where a game begins."""
    stones = stones_of(position)
    points = [[common.move_from_vertex(text, position.size) for text in stones if stones[text] == p] for p in (0, 1)]
    root.set_setup_stones(*points)
    if len(points[FIRST]) > 1 and not points[SECOND] and position.to_move == SECOND:
        root.set("HA", len(points[FIRST]))
    if stones or position.to_move != FIRST:
        root.set("PL", "bw"[position.to_move])


def _add_moves(written: Any, moves: Iterable[_Move]) -> None:
    for player, text, comment in moves:
        node = written.extend_main_sequence()
        node.set_move("bw"[player], common.move_from_vertex(text, written.get_size()))
        if comment:
            node.set("C", comment)


def _comment(move: MoveRecord) -> str:
    """One line on what a move took, and what the agent thought of it."""
    parts = [f"{move.seconds:.3f} s"]
    for key in SHOWN_ANALYSIS:
        if (value := getattr(move.analysis, key)) is not None:
            parts.append(f"{key} {value:.4f}" if isinstance(value, float) else f"{key} {value}")
    if move.replaced:
        parts.append(f"late: {move.answer or 'nothing'} was answered, a random move played in its place")
    return ", ".join(parts)

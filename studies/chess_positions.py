"""Positions of chess, and which of their moves fall into traps.

Stockfish is both the strong player and the judge: a search of fixed depth over all moves. Its mates are proved, but it
may overlook mates.
"""

import math
import random
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import chess.engine

from simulator.sandbox.visible_files import program_named
from studies.chess_uct import SCALE
from studies.trap_positions import RANDOM, in_random_order

DEPTH = 9  # of the judge's search: a move, the 7 plies after it, and one more
STRONG_NODES = 2000  # a move
OPENING_PLIES = 4  # random moves before strong play, so that games differ
TABLE_MB = 16
START_SECONDS = 120  # until the engine is ready; at idle priority on a busy machine it takes more than ten
MATE = 100_000  # centipawns, more than any position is worth


@contextmanager
def stockfish() -> Iterator[Any]:
    """The engine; it ends with the context."""
    program = program_named("stockfish") or "stockfish"
    with chess.engine.SimpleEngine.popen_uci(program, timeout=START_SECONDS) as engine:
        engine.configure({"Hash": TABLE_MB, "Threads": 1})
        yield engine


def game_positions(engine: Any, play: str, seed: int, most: int) -> Iterator[Any]:
    """The open positions of a game, up to this ply."""
    rng, board = random.Random(f"{play} {seed}"), chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() <= most:
        yield board.copy()
        if play == RANDOM or board.ply() < OPENING_PLIES:
            board.push(rng.choice(list(board.legal_moves)))
        else:
            board.push(engine.play(board, chess.engine.Limit(nodes=STRONG_NODES)).move)


def positions_after(engine: Any, play: str, seed: int, plies: Collection[int]) -> list[Any]:
    """The open positions of a game after these plies, in random order."""
    boards = game_positions(engine, play, seed, max(plies))
    return in_random_order([board for board in boards if board.ply() in plies], seed)


def judged_moves(engine: Any, board: Any) -> dict[Any, int]:
    """All moves with the level of the trap that each falls into: the plies to the opponent's mate, 0 for no mate."""
    lines = engine.analyse(board, chess.engine.Limit(depth=DEPTH), multipv=board.legal_moves.count())
    mates = {line["pv"][0]: line["score"].relative.mate() for line in lines}
    return {move: 0 if mate is None or mate >= 0 else 2 * -mate - 1 for move, mate in mates.items()}


def chances_by_stockfish(engine: Any, board: Any, depth: int) -> dict[Any, float]:
    """The winning chance of each move that does not end the game, by a search of this depth with an empty table."""
    moves = [move for move in board.legal_moves if not _ends(board, move)]
    limit, fresh = chess.engine.Limit(depth=depth), object()  # another game, for which the engine empties its table
    lines = engine.analyse(board, limit, multipv=len(moves), game=fresh, root_moves=moves) if moves else []
    pawns = {line["pv"][0]: line["score"].relative.score(mate_score=MATE) / 100 for line in lines}
    return {move: 0.5 + 0.5 * math.tanh(ahead / SCALE) for move, ahead in pawns.items()}


def _ends(board: Any, move: Any) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return bool(after.is_game_over())

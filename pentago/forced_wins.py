"""Exact forced wins of Pentago: whether the player to move wins within so many plies whatever the other does.

A full-width AND-OR search to a fixed number of plies, so that "no" is proved as well as "yes". The last three plies
are not searched move by move, see `threats.py`. The search looks for the shorter win first. It first tries moves and
replies that threaten to win at once, then those that have decided most often.

The search has a *frame* for each number of plies left. A frame asks one question after the other: about the shorter
win, then about each child. The search can stop after any step and go on later, so that a clock can be read meanwhile.

Begin reading at `attacker_wins` and `_advance`.
"""

from typing import Any, NamedTuple

from jit import HASH_SEED, U64, give_body, jit, mix  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import Game
from pentago.boards import FULL, MOVE_SHIFT, turned
from pentago.foresight import can_win_at_once
from pentago.rules import successors
from pentago.tables import MOVES
from pentago.threats import last_replies_lose, threatening, wins_within_three

LONGEST_WIN = 9  # plies, odd
NODES, LIMIT, _CURRENT, _ANSWER = 0, 1, 2, 3  # places in `counters`
_STAGE, _ASKER, _END, _CHILD = 0, 1, 2, 3  # columns of `frames`
_NEW, _SHORTER, _CHILDREN = 0, 1, 2  # stages: asked nothing yet; about the shorter win; about a child
_NOBODY = 0  # who asked the first question: no frame has so few plies
NO_LIMIT = 1 << 62
_THREAT = 1 << 40  # more than any count of refutations
_DONE = -1
_YES, _NO, _OPEN = 1, 0, -1
_KNOWN_SHIFT = U64(36)


class Space(NamedTuple):
    """Working space of the search.

    Attributes:
        states: uint64[plies, 2], positions by plies left.
        payload0, payload1, stats: uint64[plies * MOVES], what `successors` writes.
        scores: int64[plies * MOVES]: the larger, the earlier a child is tried; _DONE if it need not be, or was tried.
        decided: int64[plies, MOVES], how often a move has decided the position in which it was made.
        threats: uint64[8], by turn: the stones that threaten, with this turn, to win at once.
        table: uint64[2^k], pairs of words: the stones of the player to move, the stones of the other, and above them
            the plies within which a win is proved (0 for none), and the plies within which there is none.
        frames: int64[plies, 4], by plies left: the stage, the frame that waits for the answer, where the children end,
            and the child that was asked about.
        counters: int64[4], the positions that were looked at, how many may be before the search gives up, the frame
            whose turn it is, and the last answer.
    """

    states: np.ndarray
    payload0: np.ndarray
    payload1: np.ndarray
    stats: np.ndarray
    scores: np.ndarray
    decided: np.ndarray
    threats: np.ndarray
    table: np.ndarray
    frames: np.ndarray
    counters: np.ndarray


def make_space(table_bits: int = 16) -> Space:
    """An empty space; its table has 2^table_bits entries of 16 bytes."""
    rows = LONGEST_WIN + 1
    return Space(
        states=np.zeros((rows, 2), np.uint64),
        payload0=np.zeros(rows * MOVES, np.uint64),
        payload1=np.zeros(rows * MOVES, np.uint64),
        stats=np.zeros(rows * MOVES, np.uint64),
        scores=np.zeros(rows * MOVES, np.int64),
        decided=np.zeros((rows, MOVES), np.int64),
        threats=np.zeros(8, np.uint64),
        table=np.zeros(2 << table_bits, np.uint64),
        frames=np.zeros((rows, 4), np.int64),
        counters=np.array([0, NO_LIMIT, _NOBODY, _NO], np.int64),
    )


# --- The table ------------------------------------------------------------------------------------------------------


@jit(inline="always")
def _place(table, mine, theirs):
    return mix(mix(HASH_SEED, mine), theirs) >> U64(29) & U64(len(table) - 2)


@jit
def _known(table, mine, theirs):
    """The plies within which a win is proved, and those within which there is none; 0 for each that is not known."""
    place = _place(table, mine, theirs)
    word0, word1 = table[place], table[place + U64(1)]
    if word0 & FULL != mine or word1 & FULL != theirs:
        return U64(0), U64(0)
    return word0 >> _KNOWN_SHIFT, word1 >> _KNOWN_SHIFT


@jit
def _remember(table, mine, theirs, wins, plies):
    """Store whether there is a win within so many plies; another position in the same place is overwritten."""
    won, not_won = _known(table, mine, theirs)
    if wins:
        won = U64(plies)
    else:
        not_won = U64(plies)
    place = _place(table, mine, theirs)
    table[place] = mine | won << _KNOWN_SHIFT
    table[place + U64(1)] = theirs | not_won << _KNOWN_SHIFT


# --- The search -----------------------------------------------------------------------------------------------------


@jit
def _answer_at_once(kernel, space, mine, theirs, plies):
    """_YES or _NO if the answer is known without making moves, else _OPEN."""
    if plies & 1 == 0:
        if plies > 2:
            return _OPEN
        return _YES if last_replies_lose(kernel, mine, theirs) else _NO
    if can_win_at_once(kernel, mine, theirs):
        return _YES
    if plies <= 3:
        space.counters[NODES] += plies >> 1
        return _YES if plies == 3 and wins_within_three(kernel, mine, theirs) else _NO
    won, not_won = _known(space.table, mine, theirs)
    if won != U64(0) and won <= plies:
        return _YES
    return _NO if plies <= not_won or space.counters[NODES] >= space.counters[LIMIT] else _OPEN


@jit
def _write_moves(kernel, space, mine, theirs, plies):
    """Write the children of a position; returns where they begin and end."""
    state, first = space.states[plies], plies * MOVES
    state[0], state[1] = mine, theirs
    space.counters[NODES] += 1
    return first, first + successors(kernel, state, space.payload0, space.payload1, space.stats, first)


@jit
def _write_threats(kernel, space, mine, theirs):
    """Write for each turn which stones of the player to move threaten to win at once with it."""
    for turn in range(8):
        quadrant, turn_of_it = turn >> 1, turn & 1
        next_mine = turned(kernel.turns, mine, quadrant, turn_of_it)
        next_theirs = turned(kernel.turns, theirs, quadrant, turn_of_it)
        space.threats[turn] = threatening(kernel, next_mine, next_theirs) & ~next_mine


@jit
def _write_scores(kernel, space, plies, first, end):
    """Write how early each child is tried; returns whether one of them is a draw."""
    has_draw = False
    for i in range(first, end):
        flags, move = space.stats[i], space.payload0[i] >> MOVE_SHIFT
        has_draw |= flags & game.DRAWN != U64(0)
        space.scores[i] = _DONE
        if flags == game.OPEN:
            threatens = space.payload1[i] & space.threats[move & U64(7)] != U64(0)
            space.scores[i] = space.decided[plies, move] + (_THREAT if threatens else 0)
    return has_draw


@jit
def _next_child(space, first, end):
    """The child to try next, which is marked as tried, or -1."""
    best = first
    for i in range(first + 1, end):
        if space.scores[i] > space.scores[best]:
            best = i
    if first == end or space.scores[best] == _DONE:
        return -1
    space.scores[best] = _DONE
    return best


@jit
def _ask(space, mine, theirs, plies, asker):
    """Make it the next question whether the attacker wins within so many plies; `asker` is the frame that waits."""
    space.states[plies, 0], space.states[plies, 1] = mine, theirs
    space.frames[plies, _STAGE], space.frames[plies, _ASKER] = _NEW, asker
    space.counters[_CURRENT] = plies


@jit
def _answer(space, plies, answer):
    """Give a frame's answer to the frame that asked."""
    space.counters[_CURRENT], space.counters[_ANSWER] = space.frames[plies, _ASKER], answer


@jit
def _finish(space, plies, wins):
    """Remember what the children of a frame prove, and answer."""
    is_attack = plies & 1 == 1
    if is_attack and (wins or space.counters[NODES] < space.counters[LIMIT]):
        _remember(space.table, space.states[plies, 0], space.states[plies, 1], wins, plies)
    _answer(space, plies, _YES if wins else _NO)


@jit
def _try_next_child(space, plies):
    """Ask about the next child; if none is left, no attacking move has won, or no reply has held."""
    i = _next_child(space, plies * MOVES, space.frames[plies, _END])
    if i < 0:
        _finish(space, plies, plies & 1 == 0)
    else:
        space.frames[plies, _CHILD] = i
        _ask(space, space.payload0[i] & FULL, space.payload1[i], plies - 1, plies)


@jit
def _try_children(kernel, space, plies):
    """Write the moves of a frame and ask about the first; a defence that has a drawing move needs no question."""
    mine, theirs = space.states[plies, 0], space.states[plies, 1]
    first, end = _write_moves(kernel, space, mine, theirs, plies)
    _write_threats(kernel, space, mine, theirs)
    has_draw = _write_scores(kernel, space, plies, first, end)
    space.frames[plies, _STAGE], space.frames[plies, _END] = _CHILDREN, end
    if has_draw and plies & 1 == 0:
        _answer(space, plies, _NO)
    else:
        _try_next_child(space, plies)


@jit
def _advance(kernel, space, plies):
    """The next step of a frame, which is new or has the answer to its question in `counters`."""
    stage, answer, is_attack = space.frames[plies, _STAGE], space.counters[_ANSWER], plies & 1 == 1
    if stage == _NEW:
        mine, theirs = space.states[plies, 0], space.states[plies, 1]
        answer = _answer_at_once(kernel, space, mine, theirs, plies)
        if answer != _OPEN:
            _answer(space, plies, answer)
        elif is_attack:
            space.frames[plies, _STAGE] = _SHORTER
            _ask(space, mine, theirs, plies - 2, plies)
        else:
            _try_children(kernel, space, plies)
    elif stage == _SHORTER:
        if answer == _YES:
            _answer(space, plies, _YES)
        else:
            _try_children(kernel, space, plies)
    elif (answer == _YES) == is_attack:
        space.decided[plies, space.payload0[space.frames[plies, _CHILD]] >> MOVE_SHIFT] += 1
        _finish(space, plies, is_attack)
    else:
        _try_next_child(space, plies)


@jit
def _search(kernel, space, until):
    """Search on until the first question is answered or `until` positions were looked at: _YES, _NO or _OPEN."""
    while space.counters[_CURRENT] != _NOBODY:
        if space.counters[NODES] >= until:
            return _OPEN
        _advance(kernel, space, space.counters[_CURRENT])
    return space.counters[_ANSWER]


@jit
def attacker_wins(kernel, space, mine, theirs, plies):
    """Whether the attacker forces a win within so many plies, 1 to LONGEST_WIN, against any defence.

    The attacker is the player to move if the number is odd, else the other; in that case the player to move must not be
    able to win at once. The position is open, and the kernel has foresight. Once the limit of `counters` is reached,
    what is not known counts as no.
    """
    _ask(space, mine, theirs, plies, _NOBODY)
    return _search(kernel, space, NO_LIMIT) == _YES


@jit
def _begin_forced_win(solver, kernel, state, plies, positions):
    mine, theirs = state[0], state[1]
    solver.counters[LIMIT] = solver.counters[NODES] + positions
    _ask(solver, mine, theirs, plies, _NOBODY)
    if not kernel.foresight or (plies & 1 == 0 and can_win_at_once(kernel, mine, theirs)):
        _answer(solver, plies, _NO)


@jit
def _go_on_with_forced_win(solver, kernel, left):
    before = solver.counters[NODES]
    answer = _search(kernel, solver, before + left[0])
    left[0] -= solver.counters[NODES] - before
    return answer


@jit
def _forced_win(solver, kernel, state, plies, positions):
    _begin_forced_win(solver, kernel, state, plies, positions)
    return _search(kernel, solver, NO_LIMIT) == _YES


give_body(game.begin_forced_win, Space, _begin_forced_win)
give_body(game.go_on_with_forced_win, Space, _go_on_with_forced_win)
give_body(game.forced_win, Space, _forced_win)


# --- From Python ----------------------------------------------------------------------------------------------------


def shortest_win(pentago: Game, space: Space, position: Any, most: int = LONGEST_WIN) -> int:
    """Plies to the soonest win that the player to move in an open position can force; 0 if none is within `most`."""
    mine, theirs = pentago.state(position)
    for plies in range(1, most + 1, 2):
        if attacker_wins(pentago.kernel, space, mine, theirs, plies):
            return plies
    return 0


def winning_moves(pentago: Game, space: Space, position: Any, plies: int) -> list[Any]:
    """The moves that force a win within so many plies, an odd number; of moves to the same position only the first."""
    found = []
    for after, move in {position.play(move): move for move in reversed(position.legal_moves())}.items():
        if after.result is not None:
            wins = after.result.winner == position.to_move
        else:
            mine, theirs = pentago.state(after)
            wins = not can_win_at_once(pentago.kernel, mine, theirs)
            wins = wins and plies > 1 and attacker_wins(pentago.kernel, space, mine, theirs, plies - 1)
        if wins:
            found.append(move)
    return found[::-1]

"""Playing games by two lists of moves, and keeping the averages. Begin reading at `play`."""

from typing import NamedTuple

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.gobble.order import draw_keys, rank, sort_by, swap
from game import FIRST, OPEN, RESOLVED, SAME_MOVER

UNRANKED = 1 << 30  # the place of a move that was not played in any game yet
GAMES = 2  # a place in `Averages.counters`; places 0 and 1 say how many moves are in the order of each row


class Averages(NamedTuple):
    """What is known of moves, for the player to move at the root (row 0) and the other (row 1); m is `amaf_moves`.

    Attributes:
        visits: float64[2, m], games in which the player made the move before the other did.
        scores: float64[2, m], the sum of the scores of these games for that player.
        results: float64[2, m], the sum of their results for that player, a draw counting one half.
        means: float64[2, m], scores / visits.
        order: int64[2, m], in the first counters[row] places the moves with visits, best first before the last game.
        shuffled: int64[m], working space: an order that was disordered at random.
        places: int64[2, m], the place of each move in the order that is played by; UNRANKED without visits.
        keys: float64[m], working space.
        owners: int64[m], working space of `game.tally`; empty if the game has no points to own.
        trace: uint8[m], who made each move first in the present game: 0 nobody, 1 or 2.
        payload0, payload1, flags: uint64[max_children], the successors of the present position.
        counters: int64[3]: how many moves are in the order of each row, and at GAMES how many games were played.
    """

    visits: np.ndarray
    scores: np.ndarray
    results: np.ndarray
    means: np.ndarray
    order: np.ndarray
    shuffled: np.ndarray
    places: np.ndarray
    keys: np.ndarray
    owners: np.ndarray
    trace: np.ndarray
    payload0: np.ndarray
    payload1: np.ndarray
    flags: np.ndarray
    counters: np.ndarray


class Chance(NamedTuple):
    """How lists of moves are disordered.

    Attributes:
        by_interval: whether by random numbers around e^(v/t); else by swapping neighbours.
        hottest: the temperature of the first game; it falls in a straight line to 0.
        width: c of e^(v/t) +- c.
        random: how many games are random from their first move, so that moves have averages to begin with.
        longest: the most moves of a game that are made by the lists, which might repeat a cycle for ever.
    """

    by_interval: bool
    hottest: float
    width: float
    random: int
    longest: int


# --- The lists ------------------------------------------------------------------------------------------------------


@jit
def forget(averages):
    """Forget all averages."""
    averages.visits[:] = 0.0
    averages.scores[:] = 0.0
    averages.results[:] = 0.0
    averages.places[:] = UNRANKED
    averages.counters[:] = 0


@jit
def disorder(averages, row, chance, temperature, rng):
    """Sort a player's moves by their averages, and make a disordered copy by which the next game is played."""
    count, order, shuffled = averages.counters[row], averages.order[row], averages.shuffled
    sort_by(order, count, averages.means[row])
    for i in range(count):
        shuffled[i] = order[i]
    if chance.by_interval:
        draw_keys(averages.keys, order, count, averages.means[row], temperature, chance.width, rng)
        sort_by(shuffled, count, averages.keys)
    else:
        swap(shuffled, count, temperature, rng)
    rank(averages.places[row], shuffled, count)


@jit
def count_game(averages, score, result):
    """Count a game for all moves that were made in it; score and result are for the player to move at the root."""
    for move in range(len(averages.trace)):
        if averages.trace[move] == 0:
            continue
        row = np.int64(averages.trace[move]) - 1
        if averages.visits[row, move] == 0.0:
            averages.order[row, averages.counters[row]] = move
            averages.counters[row] += 1
        averages.visits[row, move] += 1.0
        averages.scores[row, move] += score if row == 0 else -score
        averages.results[row, move] += result if row == 0 else 1.0 - result
        averages.means[row, move] = averages.scores[row, move] / averages.visits[row, move]
    averages.counters[GAMES] += 1


# --- A game ---------------------------------------------------------------------------------------------------------


@jit
def number_at(kernel, averages, child):
    """The number of the move to a successor."""
    return np.int64(game.move_number(kernel, averages.payload0[child], averages.payload1[child]))


@jit
def first_by_list(kernel, averages, row, count):
    """The successor whose move stands first in a player's list, or -1 if none of them is in it."""
    best, chosen = UNRANKED, -1
    for i in range(count):
        place = averages.places[row, number_at(kernel, averages, i)]
        if place < best:
            best, chosen = place, i
    return chosen


@jit
def exchange_players(trace):
    """Make 1 of 2 and 2 of 1 in a trace."""
    for move in range(len(trace)):
        if trace[move] != 0:
            trace[move] = np.uint8(3) - trace[move]


@jit
def finish_at_random(kernel, state, rng, trace, row):
    """Play on at random, and return the result for the player to move at the root; `row` is the player to move now."""
    if row == 1:
        exchange_players(trace)
    value = game.traced_playout(kernel, state, rng, trace)
    if row == 1:
        exchange_players(trace)
        value = np.float32(1) - value
    return value


@jit
def play_by_lists(kernel, state, rng, averages, longest):
    """Play a game from `state` by the players' lists; returns the result for the player to move at the root.

    Once the list of the player to move has no legal move, or after `longest` moves, the game goes on at random.
    """
    row = 0
    for _ in range(longest):
        count = game.children(kernel, state, averages.payload0, averages.payload1, averages.flags, 0)
        chosen = first_by_list(kernel, averages, row, count)
        if chosen < 0:
            break
        number, word = number_at(kernel, averages, chosen), averages.flags[chosen]
        if averages.trace[number] == 0:
            averages.trace[number] = row + 1
        game.step(kernel, state, averages.payload0[chosen], averages.payload1[chosen])
        if word & SAME_MOVER == U64(0):
            row = 1 - row
        outcome = game.outcome(kernel, state)
        if outcome != OPEN:
            value = game.value_of_outcome(outcome & RESOLVED)
            return value if row == 0 else np.float32(1) - value
    return finish_at_random(kernel, state, rng, averages.trace, row)


@jit
def score_of(kernel, state, owners, player, result):
    """The score of a game that has ended in `state` with this result for a player (FIRST or SECOND).

    If the game has points of the board, it is the player's points less the opponent's, without komi, which is the same
    for all moves. Else it is 1 for a win, 0 for a draw, -1 for a loss.
    """
    if len(owners) == 0:
        return 2.0 * result - 1.0
    owners[:] = 0
    game.tally(kernel, state, owners)
    points = 0.0
    for i in range(len(owners)):
        points += owners[i]
    return points if player == FIRST else -points


@jit
def play(kernel, root, state, averages, chance, rng, mover, games, planned):
    """Play that many games from an open root and count them; once `planned` games are played, the temperature is 0.

    `state` is working space of the shape of `root`; `mover` is the player to move at the root, FIRST or SECOND.
    """
    for _ in range(games):
        played = averages.counters[GAMES]
        game.begin(kernel, state, root)
        averages.trace[:] = 0
        if played < chance.random:
            result = game.traced_playout(kernel, state, rng, averages.trace)
        else:
            temperature = chance.hottest * max(0.0, 1.0 - played / planned)
            disorder(averages, 0, chance, temperature, rng)
            disorder(averages, 1, chance, temperature, rng)
            result = play_by_lists(kernel, state, rng, averages, chance.longest)
        count_game(averages, score_of(kernel, state, averages.owners, mover, result), result)

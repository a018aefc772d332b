"""Random openings, so that two deterministic agents do not play the same game a hundred times.

A match plays each opening twice with colours swapped: an opening that favours one side then favours both agents alike.
"""

import random
from collections.abc import Iterator
from typing import Any

from game import Game

DEFAULT_PLIES = Game.opening_plies
TRIES = 200  # draws in a row that bring nothing new before openings that were used may be used again

Opening = tuple[str, ...]


def plies_for(game: Game) -> int:
    """How many random moves a game's matches begin with unless somebody wants another number."""
    return game.opening_plies


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Openings of `plies` uniformly random moves, as canonical texts, without end.

    The sequence depends on the game, `plies` and `seed` only, so a longer match begins with the openings of a shorter
    one. Openings end in different positions until those run out. None ends in a finished game, or in a position where
    the player to move wins at once; where `TRIES` draws find no such opening, one that can be won at once is taken,
    and failing that the one before. Raises ValueError where the first `TRIES` draws all end in finished games, and for
    more plies than a referee lets any game have.
    """
    if plies < 0:
        raise ValueError(f"an opening has 0 plies or more, not {plies}")
    if plies >= game.longest_game:
        raise ValueError(f"a game of {game.name} is stopped after {game.longest_game} moves: no opening has {plies}")
    rng = random.Random(f"openings {game.name} {plies} {seed}")
    seen: set[str] = set()
    opening: Opening = ()
    while plies > 0:
        opening = _new_opening(game, plies, rng, seen) or opening
        if not opening:
            raise ValueError(f"no game of {game.name} is still open after {plies} random moves ({TRIES} tries)")
        yield opening
    while True:
        yield ()


def _new_opening(game: Game, plies: int, rng: random.Random, seen: set[str]) -> Opening:
    """One opening whose position is not in `seen`, to which it is added; `seen` is emptied when no new one is found.

    Empty if every draw ended in a finished game.
    """
    used: Opening = ()
    won: Opening = ()
    for _ in range(TRIES):
        opening, position = _random_line(game, plies, rng)
        text = game.format_position(position)
        if position.result is not None:
            continue
        if text in seen:
            used = opening
        elif can_win_at_once(position):
            won = opening
        else:
            seen.add(text)
            return opening
    seen.clear()
    return used or won


def _random_line(game: Game, plies: int, rng: random.Random) -> tuple[Opening, Any]:
    """Random moves from the start, as texts, and the position that they lead to; fewer where the game ends early."""
    position, opening = game.initial(), []
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        move = rng.choice(moves)
        opening.append(game.format_move(move))
        position = position.play(move)
    return tuple(opening), position


def can_win_at_once(position: Any) -> bool:
    """Whether one move of the player to move wins the game."""
    results = (position.play(move).result for move in position.legal_moves())
    return any(result is not None and result.winner == position.to_move for result in results)

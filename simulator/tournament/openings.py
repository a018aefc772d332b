"""Openings: moves that are played before the agents take over, so that two deterministic agents do not repeat a game.

Each opening is played twice with colours swapped: if it favours one side, it then favours both agents alike. Openings
are random; or the most even of several random ones, by a short search; or read from a file with one opening a line, its
moves separated by spaces, where empty lines and what follows a # do not count.
"""

import random
from collections.abc import Callable, Iterator
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from agents.outcomes import can_win_at_once
from agents.plain.ticker import Ticker
from agents.plain.uct_agent import Searcher
from agents.uct.searchers import make_searcher
from agents.uct.settings import Settings
from game import Game, NotationError, play_moves
from options import InputError
from simulator.records.file_errors import text_of

TRIES = 200  # after so many draws in a row without a new opening, used ones may be used again
FEWER = "take fewer --opening-plies"

CANDIDATES = 16  # random openings, of which the most even one is taken
MEMORY = 1 << 25  # bytes, for the search that says how even an opening is

Opening = tuple[str, ...]


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Openings of `plies` uniformly random moves, as canonical texts, without end.

    The sequence depends only on the game, `plies` and `seed`, so a longer match begins with the openings of a shorter
    one. Openings end in different positions until these run out. None ends in a finished game, or in a position where
    the player to move wins at once. If `TRIES` draws find no such opening, a used one is taken, else one that can be
    won at once, else the one before. Raises InputError if the first `TRIES` draws all end in finished games, or if a
    referee would stop every game before so many plies.
    """
    if plies < 0:
        raise InputError(f"an opening has 0 plies or more, not {plies}")
    if plies >= game.longest_game:
        stopped = f"a game of {game.title} is stopped after {game.longest_game} moves"
        raise InputError(f"{stopped}, so no opening can have {plies}: {FEWER}")
    rng = random.Random(f"openings {game.title} {plies} {seed}")
    seen: set[str] = set()
    opening: Opening = ()
    while plies > 0:
        opening = _new_opening(game, plies, rng, seen) or opening
        if not opening:
            over = f"no game of {game.title} is still open after {plies} random moves"
            raise InputError(f"{over} ({TRIES} tries): {FEWER}")
        yield opening
    while True:
        yield ()


def _new_opening(game: Game, plies: int, rng: random.Random, seen: set[str]) -> Opening:
    """An opening whose position is not in `seen`, to which it is added; if none is found, `seen` is emptied.

    The opening is empty if every draw ended in a finished game.
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
    """Random moves from the start, as texts, and the position after them; fewer than `plies` if the game ends early."""
    position, opening = game.initial(), []
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        move = rng.choice(moves)
        opening.append(game.format_move(move))
        position = position.play(move)
    return tuple(opening), position


def balanced_openings(
    game: Game,
    plies: int,
    seed: int,
    simulations: int,
    first: int = 0,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Opening]:
    """The most even of every `CANDIDATES` random openings, the first of equals; ends once `is_stopped`.

    The sequence begins with opening number `first` (from 0), without searching for those before. It depends only on the
    other arguments: each candidate has a search of its own with a fixed number of simulations. Raises InputError as
    `random_openings` does.
    """
    draws = islice(random_openings(game, plies, seed), first * CANDIDATES, None)
    while True:
        candidates, uneven = list(islice(draws, CANDIDATES)), list[float]()
        for opening in candidates:
            if is_stopped():
                return
            uneven.append(abs(value_after(game, opening, simulations) - 0.5))
        yield candidates[uneven.index(min(uneven))]


def value_after(game: Game, opening: Opening, simulations: int) -> float:
    """The value, 0 to 1, of the position after an opening for the player to move, by a search from that position."""
    position = play_moves(game, opening)[-1]
    if game.kernel is None:
        plain = Searcher(game)
        plain.most_simulations = simulations
        plain.search(position, Ticker(repeat(simulations)))
        return plain.chance
    settings = Settings.for_game(game)
    searcher = make_searcher(game, MEMORY // settings.node_bytes(game), settings=settings)
    searcher.begin(position)
    searcher.search(simulations=simulations)
    return searcher.value


def read_openings(path: Path, game: Game) -> tuple[Opening, ...]:
    """The openings of a file, as canonical texts. Raises InputError, which names the line, or OSError, in words."""
    texts = [(number, line.partition("#")[0].split()) for number, line in enumerate(text_of(path).splitlines(), 1)]
    openings = tuple(_checked(words, game, f"{path}, line {number}") for number, words in texts if words)
    if not openings:
        raise NotationError(f"{path} has no opening: write one a line, its moves separated by spaces")
    return openings


def _checked(texts: list[str], game: Game, where: str) -> Opening:
    """An opening as canonical texts. Raises NotationError for an illegal move, or if the game is over after it."""
    try:
        positions = play_moves(game, texts)
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from error
    if positions[-1].result is not None:
        raise NotationError(f"{where}: the game is over after this opening")
    return tuple(game.format_move(position.last_move) for position in positions[1:])

"""Openings: moves that are played before the agents take over, so that two deterministic agents do not repeat a game.

Each is played twice with colours swapped: an opening that favours one side then favours both agents alike. They are
random, or random and as even as a short search can say, or read from a file with one opening a line, its moves
separated by spaces; empty lines and what follows a # do not count.
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
from simulator.records.file_errors import cannot_read

TRIES = 200  # draws in a row that bring nothing new before openings that were used may be used again

CANDIDATES = 16  # random openings, of which the most even one is taken
MEMORY = 1 << 25  # bytes, of the search that says so

Opening = tuple[str, ...]


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
        raise ValueError(f"a game of {game.title} is stopped after {game.longest_game} moves: no opening has {plies}")
    rng = random.Random(f"openings {game.title} {plies} {seed}")
    seen: set[str] = set()
    opening: Opening = ()
    while plies > 0:
        opening = _new_opening(game, plies, rng, seen) or opening
        if not opening:
            raise ValueError(f"no game of {game.title} is still open after {plies} random moves ({TRIES} tries)")
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


def balanced_openings(
    game: Game,
    plies: int,
    seed: int,
    simulations: int,
    first: int = 0,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Opening]:
    """Of every `CANDIDATES` random openings the most even one, the first of equals; until `is_stopped`.

    They begin with the one of number `first` (from 0); nothing is searched for those before. The sequence depends on
    the other arguments only: each candidate is searched by itself, for a fixed number of simulations. Raises ValueError
    as `random_openings` does.
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
    """The value of the position after an opening for the player to move there, 0 to 1, by a search of its own."""
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
    """The openings of a file, as canonical texts. Raises NotationError, which names the line; OSError, in words."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise cannot_read(path, error) from error
    except UnicodeDecodeError as error:
        raise NotationError(f"{path} is not UTF-8: {error}") from error
    texts = [(number, line.partition("#")[0].split()) for number, line in enumerate(lines, 1)]
    openings = tuple(_checked(words, game, f"{path}, line {number}") for number, words in texts if words)
    if not openings:
        raise NotationError(f"{path} has no opening: write one a line, its moves separated by spaces")
    return openings


def _checked(texts: list[str], game: Game, where: str) -> Opening:
    """An opening as canonical texts; it has legal moves only, after which the game is open."""
    position, canonical = game.initial(), []
    for text in texts:
        try:
            move = game.parse_move(text, position)
            position = position.play(move)
        except ValueError as error:
            raise NotationError(f"{where}: {text!r} cannot be played: {error}") from error
        canonical.append(game.format_move(move))
    if position.result is not None:
        raise NotationError(f"{where}: the game is over after this opening")
    return tuple(canonical)

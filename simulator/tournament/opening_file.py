"""Openings from a file: one a line, its moves separated by spaces; empty lines and what follows a # do not count.

# centre first
c3/0r d4/1f
b2/0r
"""

from pathlib import Path

from game import Game, NotationError
from simulator.records.file_errors import cannot_read
from simulator.tournament.openings import Opening


def read_openings(path: Path, game: Game) -> tuple[Opening, ...]:
    """The openings of a file, as canonical texts. Raises NotationError, which names the line; OSError, in words."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
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

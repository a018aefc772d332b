"""Games that a person saved in order to go on later.

A saved game is a JSON object:

    {"unforced": 1, "game": "pentago", "agent": "uct_agent", "side": "w",
     "position": "", "moves": ["c3/0r", "d4/3f"], "result": "none"}

`unforced` is the version of this format, `side` is the person's, `position` is where the game began, `moves` are
canonical texts, and `result` is `none` while the game is open (it is written for readers; loading plays the moves). An
empty `side` means the player who moves first, an empty `position` the start of the game.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game import Game, IllegalMove, NotationError, format_result, load_game

VERSION = 1
_TEXTS = ("game", "agent", "side", "position")


@dataclass(frozen=True)
class SavedGame:
    """A game in texts; see the module for what each means."""

    game: str = "pentago"
    agent: str = "uct_agent"
    side: str = ""
    position: str = ""
    moves: tuple[str, ...] = ()
    result: str = "none"


def save_game(path: Path, saved: SavedGame) -> None:
    """Write a file, over an older one of that name. Raises OSError."""
    content = {"unforced": VERSION, **saved.__dict__, "moves": list(saved.moves)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load_game_file(path: Path) -> SavedGame:
    """Read a file that `save_game` wrote; moves are checked by `replay`. Raises NotationError or OSError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise NotationError(f"{path} is no saved game: {error}") from error
    if not isinstance(content, dict) or content.get("unforced") != VERSION:
        raise NotationError(f'{path} is no saved game: it has no "unforced": {VERSION}')
    for key in _TEXTS:
        if not isinstance(content.get(key), str):
            raise NotationError(f"{path} is no saved game: {key!r} should be a text")
    moves = content.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise NotationError(f"{path} is no saved game: 'moves' should be a list of texts")
    return SavedGame(**{key: content[key] for key in _TEXTS}, moves=tuple(moves))


def game_of(saved: SavedGame) -> Game:
    """The game that was played. Raises NotationError if it is not known here."""
    try:
        return load_game(saved.game)
    except LookupError as error:
        raise NotationError(error.args[0]) from error


def replay(game: Game, saved: SavedGame) -> list[Any]:
    """Every position of the game. Raises NotationError, which names the first move that cannot be played."""
    positions: list[Any] = [game.parse_position(saved.position) if saved.position else game.initial()]
    for number, text in enumerate(saved.moves, 1):
        try:
            positions.append(positions[-1].play(game.parse_move(text, positions[-1])))
        except (NotationError, IllegalMove) as error:
            raise NotationError(f"move {number}, {text}: {error}") from error
    return positions


def saved_game(game: Game, agent: str, side: int, positions: list[Any]) -> SavedGame:
    """The game that went through these positions, as texts."""
    moves = tuple(game.format_move(position.last_move) for position in positions[1:])
    start = "" if positions[0] == game.initial() else game.format_position(positions[0])
    return SavedGame(game.name, agent, game.players[side], start, moves, format_result(game, positions[-1].result))

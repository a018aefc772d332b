"""Games that a person saved in order to go on later.

A saved game is a JSON object:

    {"unforced": 1, "game": "go", "agent": "uct_agent", "side": "b",
     "position": "", "moves": ["D4", "E5"], "result": "none", "options": {"size": 9, "komi": 7.0}}

`unforced` is the version of this format, `side` is the person's, `position` is where the game began, `moves` are
canonical texts, and `result` is `none` while the game is open (it is written for readers; loading plays the moves). An
empty `side` means the player who moves first, an empty `position` the start of the game. `options` are the game's, see
`game.load_game`; a game that has none leaves the key out.

A game of Go can also be an SGF file, whose main line is played.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from game import FIRST, Game, IllegalMove, NotationError, format_result
from simulator.game_options import load_with, settled
from simulator.sgf import read_sgf

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
    options: dict[str, Any] = field(default_factory=dict)


def save_game(path: Path, saved: SavedGame) -> None:
    """Write a file, over an older one of that name. Raises OSError."""
    content = {"unforced": VERSION, **asdict(saved), "moves": list(saved.moves)}
    if not saved.options:
        del content["options"]
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load_game_file(path: Path) -> SavedGame:
    """Read what `save_game` wrote, or an SGF file; moves are checked by `replay`. Raises NotationError or OSError."""
    if path.read_bytes().lstrip()[:1] == b"(":
        return saved_of_sgf(path)
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
    options = content.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, int | float) for value in options.values()):
        raise NotationError(f"{path} is no saved game: 'options' should be an object of numbers")
    return SavedGame(**{key: content[key] for key in _TEXTS}, moves=tuple(moves), options=options)


def saved_of_sgf(path: Path) -> SavedGame:
    """The main line of an SGF file, to go on with. Raises NotationError, also where a player moves twice in a row."""
    read = read_sgf(path)
    for before, (player, text) in zip(read.positions, read.moves, strict=False):
        if before.to_move != player:
            raise NotationError(f"{path}: {text} is the second move in a row of the same player")
    end = read.positions[-1].result
    saved = saved_game(read.game, SavedGame.agent, FIRST, list(read.positions))
    return replace(saved, side="", result=format_result(read.game, end))


def game_of(saved: SavedGame) -> Game:
    """The game that was played. Raises NotationError if it, or an option of it, is not known here."""
    return load_with(saved.game, saved.options)


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
    result = format_result(game, positions[-1].result)
    return SavedGame(game.name, agent, game.players[side], start, moves, result, settled(game))

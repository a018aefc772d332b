"""`loadsgf` for Go. The reader of SGF files is handed over: it needs a library that an agent's process may not import."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from game import NotationError
from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine
from simulator.gtp.syntax import GtpError


class LoadedGame(Protocol):
    """A game from a file: the game with its options, and the positions of the main line."""

    @property
    def game(self) -> Any:
        """The game with the options that the file gives."""

    @property
    def positions(self) -> Sequence[Any]:
        """The position at the start and those after each move."""


SgfReader = Callable[[str, int | None, Mapping[str, Any]], LoadedGame]
"""Reads a file up to the position before a move (from 1; None: to the end), given options for what the file leaves
open. Raises NotationError."""


def sgf_commands(read: SgfReader) -> CommandSet:
    """`loadsgf FILE [MOVE_NUMBER]`; a name with blanks may be quoted. What cannot be loaded changes nothing."""

    def load(engine: Engine, arguments: list[str]) -> str:
        name, move_number = _file_and_move(arguments)
        present: Any = engine.game
        try:
            loaded = read(name, move_number, {"komi": present.komi})
        except NotationError as error:
            raise syntax.explained(syntax.CANNOT_LOAD_FILE, error) from error
        if (loaded.game.size, loaded.game.komi) != (present.size, present.komi):
            engine.set_game(size=loaded.game.size, komi=loaded.game.komi)
        engine.new_game(loaded.positions)
        return ""

    return {"loadsgf": load}


def _file_and_move(arguments: list[str]) -> tuple[str, int | None]:
    if not arguments:
        raise GtpError(syntax.SYNTAX_ERROR)
    *words, last = arguments
    has_number = bool(words) and last.isascii() and last.isdigit() and len(last) < 10
    name = " ".join(words if has_number else arguments)
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1]
    return name, int(last) if has_number else None

"""GTP's `loadsgf`, with a library that may not be imported in an agent's process."""

from typing import Any

from game import NotationError
from simulator.gtp import protocol as gtp
from simulator.gtp.engine import Engine
from simulator.gtp.protocol import Command, GtpError
from simulator.records.sgf_reader import read_sgf


def sgf_commands(engine: Engine) -> dict[str, Command]:
    """`loadsgf` for an engine that plays Go, nothing for another; for `Engine`'s `extra_commands`."""
    if engine.game_name != "go":
        return {}
    return {"loadsgf": lambda arguments: _load(engine, arguments)}


def _load(engine: Engine, arguments: list[str]) -> str:
    """`loadsgf FILE [MOVE_NUMBER]`; a name with blanks may be quoted. What cannot be loaded leaves all as it was."""
    if not arguments:
        raise GtpError(gtp.SYNTAX_ERROR)
    *words, last = arguments
    number = int(last) if words and last.isascii() and last.isdigit() and len(last) < 10 else None
    name = " ".join(words if number is not None else arguments)
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1]
    present: Any = engine.game
    try:
        read = read_sgf(name, number, {"komi": present.komi})
    except NotationError as error:
        raise gtp.explained(gtp.CANNOT_LOAD_FILE, error) from error
    loaded: Any = read.game
    if (loaded.size, loaded.komi) != (present.size, present.komi):
        engine.set_game(size=loaded.size, komi=loaded.komi)
    engine.new_game()
    engine.positions = list(read.positions)
    return ""

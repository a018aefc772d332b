"""The commands of the GTP engine: each set of commands is a module.

Each command is a function `(engine, arguments) -> text`; a new one also needs a line in the table of its module.
"""

from functools import partial

from simulator.gtp.commands.analysis import ANALYSIS_COMMANDS
from simulator.gtp.commands.core import CORE_COMMANDS
from simulator.gtp.commands.go import GO_COMMANDS, SgfReader, load_sgf
from simulator.gtp.engine import CommandSet

GAME_COMMANDS: dict[str, tuple[CommandSet, ...]] = {"go": (GO_COMMANDS, ANALYSIS_COMMANDS)}
"""The sets of commands that only one game has, by the game's name."""


def command_sets(game_name: str, read_sgf: SgfReader | None = None) -> tuple[CommandSet, ...]:
    """All commands of a game's engine; later sets override earlier ones. Go has `loadsgf` if there is `read_sgf`."""
    sets = (CORE_COMMANDS, *GAME_COMMANDS.get(game_name, ()))
    return (*sets, {"loadsgf": partial(load_sgf, read=read_sgf)}) if read_sgf and game_name == "go" else sets

"""What differs between the frameworks: the game, what `step` is given, what it returns."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from jit import PROJECT
from options import InputError

DISCS = ("chess_board", "player", "opponent")
WALLS = ("chess_board", "my_pos", "adv_pos", "max_step")
_REGISTERS = re.compile(r"^[ \t]*from[ \t]+store[ \t]+import\b(?:.*|[ \t]*\([^()]*)\bregister_agent\b", re.MULTILINE)
MODULES = frozenset(("helpers", "store"))  # the modules that such a file imports, beside `agents.agent`
_ROWS_COLUMNS, _WITH_SIDES = 2, 3  # dimensions of their boards


class Style(NamedTuple):
    """A year's framework.

    Attributes:
        game: the file name of its game, without folder and ending.
        parameters: the names of the parameters of `step`.
        board, answer: what `chess_board` is, and what `step` returns, in words.
        helpers: what a new agent imports from `helpers`.
        body: the body of a new agent's `step`.
        signs: words that occur in files of this year, and in no file of another year.
    """

    game: str
    parameters: tuple[str, ...]
    board: str
    answer: str
    helpers: str
    body: str
    signs: tuple[str, ...]

    def game_file(self) -> str:
        """The path of its game. Raises InputError if the examples are not installed."""
        file = PROJECT / "examples" / "games" / f"{self.game}.py"
        if not file.is_file():
            raise InputError(f"{file} is not installed: name the file of {self.game} with --game")
        return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


_CELLS = "a numpy array [row, column]: 0 empty, 1 and 2 discs"
_GREEDY = """\
        moves = get_valid_moves(chess_board, player)  # never empty: a player who has to pass is not asked
        return max(moves, key=lambda move: {}(chess_board, move, player))"""

STYLES = {
    "course2022": Style(
        "colosseum",
        WALLS,
        "a numpy array [row, column, side] of walls; sides are 0 up, 1 right, 2 down, 3 left",
        "((row, column), side): where to go, in at most max_step steps, and where to put a wall",
        "",
        """\
        free = np.flatnonzero(~chess_board[my_pos])  # the sides of my cell without a wall
        return my_pos, int(np.random.choice(free))""",
        ("my_pos", "adv_pos", "max_step"),
    ),
    "course2024": Style(
        "othello",
        DISCS,
        _CELLS,
        "(row, column): where to put a disc",
        "check_endgame, count_capture, execute_move, get_valid_moves, random_move",
        _GREEDY.format("count_capture"),
        ("count_capture", "flip_discs"),
    ),
    "course2025": Style(
        "ataxx",
        DISCS,
        f"{_CELLS}, 3 an obstacle",
        "MoveCoordinates((row, column), (row, column)): from where to where",
        "MoveCoordinates, check_endgame, count_disc_count_change, execute_move, get_valid_moves, random_move",
        _GREEDY.format("count_disc_count_change"),
        ("MoveCoordinates", "count_disc_count_change", "get_two_tile_directions", "get_src", "get_dest", "row_src"),
    ),
}


def is_course_file(source: str) -> bool:
    """Whether a file's text is in the style of the frameworks: whether it imports `register_agent` from `store`."""
    return bool(_REGISTERS.search(source.removeprefix("\ufeff")))  # a byte order mark


def style_named(name: str) -> Style:
    """The style of that name. Raises InputError if there is none."""
    if name not in STYLES:
        raise InputError(f"no style is called {name!r}; there are {', '.join(STYLES)}")
    return STYLES[name]


def style_of(source: str) -> Style | None:
    """The style of a file's text; None unless its words are signs of exactly one year."""
    found = [style for style in STYLES.values() if any(sign in source for sign in style.signs)]
    return found[0] if len(found) == 1 else None


def parameters_of(game: Any) -> tuple[str, ...]:
    """The names of what `step` is given in a game. Raises ValueError for a game like none of the frameworks'."""
    words = game.initial().words
    board = words[0] if isinstance(words, tuple) else game.initial().board
    dimensions = getattr(board, "ndim", 0) if hasattr(game, "rules") else 0
    if dimensions in (_ROWS_COLUMNS, _WITH_SIDES):
        return DISCS if dimensions == _ROWS_COLUMNS else WALLS
    files = ", ".join(f"examples/games/{style.game}.py" for style in STYLES.values())
    raise ValueError(f"these do not play {game.title}; choose a --game such as {files}")


def arguments_for(position: Any) -> tuple[Any, ...]:
    """What `step` is given in a position."""
    player = position.to_move
    if parameters_of(position.game) == WALLS:
        walls, cells, _ = position.words
        return walls.copy(), cells[player], cells[1 - player], position.game.rules.most_steps(walls)
    return position.board, player + 1, 2 - player

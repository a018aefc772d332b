"""The commands that only Go has: komi, handicaps, dead stones, SGF files, KGS.

They use methods that only Go's class has: `set_up`, `handicap_points`, `statuses`, `final_score`.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from game import SECOND, NotationError, format_result
from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine
from simulator.gtp.time_control import TimeControl

STATUSES = ("alive", "dead", "seki")

TIME_SETTINGS: dict[str, tuple[str, ...]] = {
    "none": (),
    "absolute": ("main",),
    "byoyomi": ("main", "period", "stones"),
    "canadian": ("main", "period", "stones"),
    "fischer": ("main", "increment"),
}
"""For each kind of time settings, the figures that it has, see `TimeControl`."""

SgfReader = Callable[..., Any]
"""Reads a file of a game, as `simulator.records.sgf_reader.read_sgf`, which needs a library that an agent's process may
not import; so it is an argument."""
MOST_KOMI = 1000.0  # that Go takes; no board has as many points


def _komi(engine: Engine, arguments: list[str]) -> None:
    """Change the komi; the game so far keeps its moves, and is counted with the new komi.

    GTP allows any number; beyond MOST_KOMI it makes no difference.
    """
    komi = min(MOST_KOMI, max(-MOST_KOMI, syntax.number(syntax.one(arguments))))
    if komi == engine.game.komi == engine.position.komi:
        engine.game_options["komi"] = komi  # on a board of another size, too
        return
    try:
        engine.set_game(komi=komi)
    except ValueError as error:
        raise syntax.explained(syntax.SYNTAX_ERROR, error) from error
    engine.positions = [position.with_komi(komi) for position in engine.positions]


def _time_settings(engine: Engine, arguments: list[str]) -> None:
    """`KIND FIGURE...`, for KGS and KataGo."""
    kind, *texts = arguments or [""]
    names = TIME_SETTINGS.get(kind)
    if names is None or len(texts) != len(names):
        forms = ", ".join(" ".join((kind, *map(str.upper, names))) for kind, names in TIME_SETTINGS.items())
        forms = forms.replace("PERIOD STONES", "PERIOD PERIODS", 1)  # of byoyomi
        raise syntax.explained(syntax.SYNTAX_ERROR, f"expected one of: {forms}")
    figures: dict[str, Any] = {}
    for name, text in zip(names, texts, strict=True):
        figures[name] = syntax.integer(text) if name == "stones" else syntax.duration(text)
    engine.host.timer.control = TimeControl(**figures, is_japanese=kind == "byoyomi")


def _fixed_handicap(engine: Engine, arguments: list[str]) -> str:
    number = syntax.integer(syntax.one(arguments))
    return _place(engine, lambda: engine.game.handicap_points(number), syntax.INVALID_NUMBER_OF_STONES)


def _place_free_handicap(engine: Engine, arguments: list[str]) -> str:
    number = syntax.integer(syntax.one(arguments))

    def points() -> tuple[Any, ...]:
        """The points of the stones. Raises ValueError if there are too few or too many."""
        _expect_stones(engine, number)
        return free_handicap(engine.game, number)

    return _place(engine, points, syntax.INVALID_NUMBER_OF_STONES)


def _set_free_handicap(engine: Engine, arguments: list[str]) -> None:
    _place(engine, lambda: _handicap_of(engine, arguments), syntax.BAD_VERTEX_LIST)


def _handicap_of(engine: Engine, texts: list[str]) -> list[Any]:
    """The points of handicap stones. Raises ValueError for a pass, a point that occurs twice, or a wrong number."""
    _expect_stones(engine, len(texts))
    if "pass" in map(str.lower, texts):
        raise ValueError("a handicap stone cannot pass")
    points = [engine.game.parse_move(text, engine.position) for text in texts]
    twice = next((point for point in points if points.count(point) > 1), None)
    if twice is not None:
        raise ValueError(f"{engine.game.format_move(twice)} is there twice")
    return points


def _expect_stones(engine: Engine, number: int) -> None:
    most = engine.game.size**2 - 1
    if not 2 <= number <= most:
        raise ValueError(f"a handicap has 2 to {most} stones, not {number}")


def _place(engine: Engine, points: Callable[[], Iterable[Any]], error_text: str) -> str:
    """Begin a game with black stones on these points and white to move; returns the points' names.

    Raises GtpError if the board is not empty; with `error_text` if `points` or the rules raise ValueError, for instance
    for stones without a liberty.
    """
    if engine.position.board.any():
        raise syntax.explained(syntax.BOARD_NOT_EMPTY, "a handicap comes before all other stones: clear_board first")
    try:
        stones = tuple(points())
        engine.new_game([engine.game.set_up(black=stones, to_move=SECOND)])
    except ValueError as error:
        raise syntax.explained(error_text, error) from error
    return " ".join(map(engine.game.format_move, stones))


def load_sgf(engine: Engine, arguments: list[str], *, read: SgfReader) -> None:
    """`loadsgf FILE [MOVE_NUMBER]`; a name with blanks may be quoted. If the file cannot be loaded, nothing changes."""
    if not arguments:
        raise syntax.explained(syntax.SYNTAX_ERROR, "expected a file, and perhaps the number of a move")
    *words, last = arguments
    move_number = int(last) if words and last.isascii() and last.isdigit() and len(last) < 10 else None
    name = " ".join(arguments if move_number is None else words)
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1]
    komi_set = {key: value for key, value in engine.game_options.items() if key == "komi"}
    try:
        loaded = read(name, move_number, komi_set, or_end=True)
    except NotationError as error:
        raise syntax.explained(syntax.CANNOT_LOAD_FILE, error) from error
    if (loaded.game.size, loaded.game.komi) != (engine.game.size, engine.game.komi):
        engine.set_game(size=loaded.game.size)
        if loaded.game.komi != engine.game.komi:
            engine.use(loaded.game)
    engine.new_game(loaded.positions)


def _final_status_list(engine: Engine, arguments: list[str]) -> str:
    wanted = syntax.one(arguments)
    if wanted not in STATUSES:
        raise syntax.explained(syntax.SYNTAX_ERROR, f"{wanted!r} is not a status: {', '.join(STATUSES)}")
    game, position = engine.game, engine.position
    stones = {move for move, status in game.statuses(position).items() if status == wanted}
    return "\n".join(" ".join(map(game.format_move, chain)) for chain in chains_of(stones, position.board))


def _genmove_cleanup(engine: Engine, arguments: list[str]) -> str:
    """KGS asks for this when the players disagree on dead stones.

    Passing is forbidden while dead stones of the opponent are on the board: they have to be taken before.
    """
    game, position = engine.game, engine.turn_of(engine.player_of(syntax.one(arguments)))
    opponent = 2 - position.to_move  # as the board has it: 1 black, 2 white
    statuses = game.statuses(position)
    has_dead = any(status == "dead" and position.board[move] == opponent for move, status in statuses.items())
    if has_dead and len(position.legal_moves()) > 1:
        position = position.forbidding([game.parse_move("pass", position)])
    return engine.play(*engine.think(position))


GO_COMMANDS: CommandSet = {
    "komi": _komi,
    "fixed_handicap": _fixed_handicap,
    "place_free_handicap": _place_free_handicap,
    "set_free_handicap": _set_free_handicap,
    "final_score": lambda engine, arguments: format_result(engine.game, engine.game.final_score(engine.position)),
    "final_status_list": _final_status_list,
    "kgs-genmove_cleanup": _genmove_cleanup,
    "kgs-time_settings": _time_settings,
    "kata-time_settings": _time_settings,
    "kata-list_time_settings": lambda engine, arguments: " ".join(TIME_SETTINGS),
    "cputime": lambda engine, arguments: f"{time.process_time():.3f}",
}


def free_handicap(game: Any, number: int) -> tuple[Any, ...]:
    """Points for handicap stones: the fixed ones, then the points farthest from all others.

    None are on the edge, and none touch. If the board has no room, there are fewer, but two at least, as GTP allows.
    """
    points = next((found for count in range(number, 1, -1) if (found := _fixed_points(game, count))), ())
    margin = 2 if game.size > 6 else 1 if game.size > 3 else 0
    inside = range(margin, game.size - margin)
    places = [move for move in game.initial().legal_moves()[:-1] if move.row in inside and move.column in inside]
    while len(points) < number:
        best = max(places, key=lambda place: _to_nearest(place, points))
        if points and _to_nearest(best, points) < 2:
            break
        points = (*points, best)
    return points


def _fixed_points(game: Any, number: int) -> Any:
    try:
        return game.handicap_points(number)
    except ValueError:  # no such handicap on this board
        return ()


def _to_nearest(place: Any, points: Iterable[Any]) -> int:
    return min((abs(place.row - other.row) + abs(place.column - other.column) for other in points), default=0)


def chains_of(stones: set[Any], board: Any) -> Iterator[list[Any]]:
    """The stones grouped into chains; each chain is in the order of the board's rows, the chains by their first stones.

    `stones` are points with `row` and `column`, and whole chains of `board` (int[size, size], its entries colours).
    """
    waiting = sorted(stones)
    while waiting:
        chain, border = {waiting[0]}, [waiting[0]]
        while border:
            row, column = border.pop()
            beside = {(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)} & stones
            grown = {point for point in beside if board[point] == board[row, column]} - chain
            chain |= grown
            border += grown
        yield [point for point in waiting if point in chain]
        waiting = [point for point in waiting if point not in chain]

"""The commands that only Go has: komi, handicaps, dead stones, KGS.

What they need of Go's rules, the game offers: `set_up`, `handicap_points`, `statuses`, `final_score`.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any

from game import SECOND, Position, format_result
from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine

STATUSES = ("alive", "dead", "seki")

# --- Komi and time --------------------------------------------------------------------------------------------------


def _komi(engine: Engine, arguments: list[str]) -> str:
    """The game so far keeps its moves, and is counted with the new komi."""
    komi = syntax.number(syntax.one(arguments))
    game, position = _of(engine)
    if komi == game.komi == position.komi:
        return ""
    try:
        engine.set_game(komi=komi)
    except ValueError as error:
        raise syntax.explained(syntax.SYNTAX_ERROR, error) from error
    positions: list[Any] = engine.positions
    engine.positions = [position.with_komi(komi) for position in positions]
    return ""


def _of(engine: Engine) -> tuple[Any, Any]:
    """The engine's game and position with what only Go's have."""
    return engine.game, engine.position


def _kgs_time_settings(engine: Engine, arguments: list[str]) -> str:
    """KGS's and KataGo's `KIND FIGURE...`, see TIME_SETTINGS."""
    kind, *texts = arguments or [""]
    names = TIME_SETTINGS.get(kind)
    if names is None or len(texts) != len(names):
        forms = ", ".join(" ".join((kind, *map(str.upper, names))) for kind, names in TIME_SETTINGS.items())
        raise syntax.explained(syntax.SYNTAX_ERROR, f"expected one of {forms}")
    texts_of = dict(zip(names, texts, strict=True))
    seconds = {name: syntax.duration(texts_of.get(name, "0")) for name in ("main", "period", "increment")}
    stones = syntax.integer(texts_of.get("stones", texts_of.get("periods", "0")))
    engine.host.timer.set_control(**seconds, stones=stones, is_japanese=kind == "byoyomi")
    return ""


TIME_SETTINGS = {
    "none": (),
    "absolute": ("main",),
    "byoyomi": ("main", "period", "periods"),
    "canadian": ("main", "period", "stones"),
    "fischer": ("main", "increment"),
}
"""Kinds of time settings, and the figures that each has."""


def _cputime(engine: Engine, arguments: list[str]) -> str:
    return f"{time.process_time():.3f}"


# --- Handicap -------------------------------------------------------------------------------------------------------


def _fixed_handicap(engine: Engine, arguments: list[str]) -> str:
    number = syntax.integer(syntax.one(arguments))
    _expect_empty_board(engine)
    game, _ = _of(engine)
    try:
        points = game.handicap_points(number)
    except ValueError as error:
        raise syntax.explained(syntax.INVALID_NUMBER_OF_STONES, error) from error
    return _place(engine, points)


def _place_free_handicap(engine: Engine, arguments: list[str]) -> str:
    number = syntax.integer(syntax.one(arguments))
    _expect_empty_board(engine)
    game, _ = _of(engine)
    try:
        _expect_stones(game, number)
    except ValueError as error:
        raise syntax.explained(syntax.INVALID_NUMBER_OF_STONES, error) from error
    return _place(engine, free_handicap(game, number))


def _set_free_handicap(engine: Engine, arguments: list[str]) -> str:
    _expect_empty_board(engine)
    try:
        _place(engine, _handicap_of(engine, arguments))
    except ValueError as error:  # no such points, or stones without a liberty
        raise syntax.explained(syntax.BAD_VERTEX_LIST, error) from error
    return ""


def _handicap_of(engine: Engine, texts: list[str]) -> list[Any]:
    """The points of handicap stones. Raises ValueError."""
    game, position = _of(engine)
    _expect_stones(game, len(texts))
    if "pass" in map(str.lower, texts):
        raise ValueError("a handicap stone cannot pass")
    points = [game.parse_move(text, position) for text in texts]
    twice = next((point for point in points if points.count(point) > 1), None)
    if twice is not None:
        raise ValueError(f"{game.format_move(twice)} is there twice")
    return points


def _expect_stones(game: Any, number: int) -> None:
    most = game.size**2 - 1
    if not 2 <= number <= most:
        raise ValueError(f"from 2 to {most} stones, not {number}")


def _expect_empty_board(engine: Engine) -> None:
    if engine.position.board.any():
        raise syntax.explained(syntax.BOARD_NOT_EMPTY, "a handicap comes before all other stones: clear_board first")


def _place(engine: Engine, points: Iterable[Any]) -> str:
    """Begin a game with these black stones and white to move; returns their names. Raises ValueError."""
    points = tuple(points)
    game, _ = _of(engine)
    engine.new_game([game.set_up(black=points, to_move=SECOND)])
    return " ".join(map(game.format_move, points))


# --- The end of the game --------------------------------------------------------------------------------------------


def _final_score(engine: Engine, arguments: list[str]) -> str:
    game, position = _of(engine)
    return format_result(game, game.final_score(position))


def _final_status_list(engine: Engine, arguments: list[str]) -> str:
    wanted = syntax.one(arguments)
    if wanted not in STATUSES:
        raise syntax.explained(syntax.SYNTAX_ERROR, f"{wanted!r} is not a status: {', '.join(STATUSES)}")
    game, position = _of(engine)
    stones = {move for move, status in game.statuses(position).items() if status == wanted}
    return "\n".join(" ".join(map(game.format_move, chain)) for chain in chains_of(stones, position.board))


def _genmove_cleanup(engine: Engine, arguments: list[str]) -> str:
    """KGS asks for this when the players disagree on dead stones: they have to be taken before a pass."""
    game, _ = _of(engine)

    def without_pass_if_needed(position: Any) -> Position:
        opponent = 2 - position.to_move  # as the board has it: 1 black, 2 white
        statuses = game.statuses(position)
        has_dead = any(status == "dead" and position.board[move] == opponent for move, status in statuses.items())
        if has_dead and len(position.legal_moves()) > 1:
            position = position.forbidding([game.parse_move("pass", position)])
        cleaned: Position = position
        return cleaned

    return engine.play(engine.think(engine.player_of(syntax.one(arguments)), without_pass_if_needed))


GO_COMMANDS: CommandSet = {
    "komi": _komi,
    "fixed_handicap": _fixed_handicap,
    "place_free_handicap": _place_free_handicap,
    "set_free_handicap": _set_free_handicap,
    "final_score": _final_score,
    "final_status_list": _final_status_list,
    "kgs-genmove_cleanup": _genmove_cleanup,
    "kgs-time_settings": _kgs_time_settings,
    "kata-time_settings": _kgs_time_settings,
    "kata-list_time_settings": lambda engine, arguments: " ".join(TIME_SETTINGS),
    "cputime": _cputime,
}


# --- Stones ---------------------------------------------------------------------------------------------------------


def free_handicap(game: Any, number: int) -> tuple[Any, ...]:
    """Points for so many stones: the fixed ones, then those farthest from all others, not on the edge, none touching.

    Fewer where the board has no room for more, but two at least, as GTP allows.
    """
    points = next((found for count in range(number, 1, -1) if (found := _fixed_points(game, count))), ())
    margin = 2 if game.size > 6 else 1 if game.size > 3 else 0
    places = [move for move in game.initial().legal_moves()[:-1] if _to_edge(game, move) >= margin]
    while len(points) < number:
        best = max(places, key=lambda place: _to_nearest(place, points))
        if points and _to_nearest(best, points) < 2:
            break
        points = (*points, best)
    return points


def _fixed_points(game: Any, number: int) -> tuple[Any, ...]:
    try:
        points: tuple[Any, ...] = game.handicap_points(number)
    except ValueError:  # no such handicap on this board
        return ()
    return points


def _to_edge(game: Any, move: Any) -> int:
    distances: list[int] = [*move, *(game.size - 1 - i for i in move)]
    return min(distances)


def _to_nearest(place: Any, points: Iterable[Any]) -> int:
    distances: list[int] = [abs(place.row - other.row) + abs(place.column - other.column) for other in points]
    return min(distances, default=0)


def chains_of(stones: set[Any], board: Any) -> Iterator[list[Any]]:
    """The stones as chains, each in the order of the board's rows, the chains by their first stones.

    `stones` are points with `row` and `column`, whole chains of `board` (int[size, size], its entries colours).
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

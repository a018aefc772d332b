"""The commands of GTP that only Go has: komi, handicaps, dead stones, KGS; those for front ends are in
`analysis_commands.py`.

They know Go by its `Game` alone: by `set_up`, `handicap_points`, `statuses`, `final_score` and what positions offer.
"""

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from game import SECOND, Position, format_result
from simulator.gtp import protocol as gtp
from simulator.gtp.commands.analysis import AnalysisCommands
from simulator.gtp.protocol import Command

if TYPE_CHECKING:
    from simulator.gtp.engine import Engine

STATUSES = ("alive", "dead", "seki")


def go_commands(engine: "Engine") -> dict[str, Command]:
    """Every command that a Go engine has beyond those of all games."""
    return GoCommands(engine).commands() | AnalysisCommands(engine).commands()


class GoCommands:
    """The commands on one engine's board."""

    def __init__(self, engine: "Engine") -> None:
        self.engine = engine

    def commands(self) -> dict[str, Command]:
        """The table of them."""
        return {
            "komi": self._komi,
            "fixed_handicap": self._fixed_handicap,
            "place_free_handicap": self._place_free_handicap,
            "set_free_handicap": self._set_free_handicap,
            "final_score": lambda arguments: format_result(self._game, self._game.final_score(self._position)),
            "final_status_list": self._final_status_list,
            "kgs-genmove_cleanup": self._genmove_cleanup,
            "kgs-time_settings": self._kgs_time_settings,
            "cputime": lambda arguments: f"{time.process_time():.3f}",
        }

    @property
    def _game(self) -> Any:
        return self.engine.game

    @property
    def _position(self) -> Any:
        return self.engine.position

    # --- Komi ---

    def _komi(self, arguments: list[str]) -> str:
        """The game so far keeps its moves: what has been played is counted with the new komi."""
        komi = gtp.number(gtp.one(arguments))
        if komi == self._game.komi == self._position.komi:
            return ""
        try:
            self.engine.set_game(komi=komi)
        except ValueError as error:
            raise gtp.explained(gtp.SYNTAX_ERROR, error) from error
        positions: list[Any] = self.engine.positions
        self.engine.positions = [position.with_komi(komi) for position in positions]
        return ""

    # --- Handicap ---

    def _fixed_handicap(self, arguments: list[str]) -> str:
        number = gtp.integer(gtp.one(arguments))
        self._expect_empty_board()
        try:
            points = self._game.handicap_points(number)
        except ValueError as error:
            raise gtp.explained(gtp.INVALID_NUMBER_OF_STONES, error) from error
        return self._place(points)

    def _place_free_handicap(self, arguments: list[str]) -> str:
        number = gtp.integer(gtp.one(arguments))
        self._expect_empty_board()
        most = self._game.size**2 - 1
        if not 2 <= number <= most:
            raise gtp.explained(gtp.INVALID_NUMBER_OF_STONES, f"from 2 to {most} stones, not {number}")
        return self._place(free_handicap(self._game, number))

    def _set_free_handicap(self, arguments: list[str]) -> str:
        self._expect_empty_board()
        try:
            self._place(self._handicap_of(arguments))
        except ValueError as error:  # no such points, or stones without a liberty
            raise gtp.explained(gtp.BAD_VERTEX_LIST, error) from error
        return ""

    def _handicap_of(self, texts: list[str]) -> list[Any]:
        """The points for handicap stones. Raises ValueError."""
        most = self._game.size**2 - 1
        if not 2 <= len(texts) <= most:
            raise ValueError(f"from 2 to {most} stones, not {len(texts)}")
        if "pass" in map(str.lower, texts):
            raise ValueError("a handicap stone cannot pass")
        points = [self._game.parse_move(text, self._position) for text in texts]
        twice = next((point for point in points if points.count(point) > 1), None)
        if twice is not None:
            raise ValueError(f"{self._game.format_move(twice)} is there twice")
        return points

    def _expect_empty_board(self) -> None:
        if self._position.board.any():
            raise gtp.explained(gtp.BOARD_NOT_EMPTY, "a handicap comes before all other stones: clear_board first")

    def _place(self, points: Iterable[Any]) -> str:
        """Begin a game with these black stones and white to move; returns their names. Raises ValueError."""
        points = tuple(points)
        self.engine.new_game(self._game.set_up(black=points, to_move=SECOND))
        return " ".join(map(self._game.format_move, points))

    # --- The end ---

    def _final_status_list(self, arguments: list[str]) -> str:
        wanted = gtp.one(arguments)
        if wanted not in STATUSES:
            raise gtp.explained(gtp.SYNTAX_ERROR, f"{wanted!r} is no status: {', '.join(STATUSES)}")
        statuses = self._game.statuses(self._position)
        stones = {move for move, status in statuses.items() if status == wanted}
        chains = chains_of(stones, self._position.board)
        return "\n".join(" ".join(map(self._game.format_move, chain)) for chain in chains)

    def _genmove_cleanup(self, arguments: list[str]) -> str:
        """KGS asks for this when the players disagree on dead stones: they have to be taken before a pass."""
        player = self.engine.colour(gtp.one(arguments))
        return self.engine.genmove(player, self._without_pass_if_needed)

    def _without_pass_if_needed(self, position: Any) -> Position:
        opponent = 2 - position.to_move  # as the board has it: 1 black, 2 white
        statuses = self._game.statuses(position)
        has_dead = any(status == "dead" and position.board[move] == opponent for move, status in statuses.items())
        if has_dead and len(position.legal_moves()) > 1:
            position = position.forbidding([self._game.parse_move("pass", position)])
        cleaned: Position = position
        return cleaned

    # --- Time ---

    def _kgs_time_settings(self, arguments: list[str]) -> str:
        """`none`, `absolute MAIN`, `byoyomi MAIN PERIOD PERIODS` or `canadian MAIN PERIOD STONES`."""
        kind, *figures = arguments or [""]
        if (kind, len(figures)) not in (("none", 0), ("absolute", 1), ("byoyomi", 3), ("canadian", 3)):
            raise gtp.explained(
                gtp.SYNTAX_ERROR, "none, absolute MAIN, byoyomi MAIN PERIOD PERIODS or canadian MAIN PERIOD STONES"
            )
        main, period, stones = (*figures, "0", "0", "0")[:3]
        self.engine.set_time(gtp.duration(main), gtp.duration(period), gtp.integer(stones), kind == "byoyomi")
        return ""


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

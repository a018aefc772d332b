"""What an agent thinks, for front ends: live analysis as Leela Zero and KataGo give it, and GoGui's analyze commands.

Sources: the page GTP_Extensions.md of KataGo, for both of the first; GoGui's manual, chapter "Analyze Commands".

A live answer is a line of reports every so often until the controller writes another line, which is then served. All
of it comes from `Agent.study`, in short slices, so that the other line is noticed soon.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from game import FIRST, Position
from simulator.gtp import protocol as gtp
from simulator.gtp.protocol import Command, GtpError

if TYPE_CHECKING:
    from simulator.gtp.engine import Engine

SLICE_SECONDS = 0.1  # of searching before the wire is looked at again
FIRST_LOOK_SECONDS = (
    0.02  # before the answer begins: an agent that does not analyse can still be told from one that does
)
DEFAULT_INTERVAL = 1.0  # seconds between two reports
SHORTEST_INTERVAL = 0.05
STEP_SHARE = 0.15  # of the time for a move that is left to `Agent.step` after a live report of the search
SEARCH_SECONDS = 1.0  # of a search for GoGui's commands, which may be sent after every move
CONFIDENCE = 1.96  # standard deviations: the lower bound of a move's value holds with 97.5 %
MOST_LABELS = 40  # of moves on GoGui's board; more hide the position

# Switches of KataGo's that add fields which are not given here: read, and without effect, so that front ends that set
# them are served.
IGNORED_SWITCHES = {"rootInfo", "movesOwnership", "ownershipStdev", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits"}


class AnalysisRequest(NamedTuple):
    """What a live analysis was asked for.

    Attributes:
        player: whose move is analysed, None for the player to move.
        interval: seconds between two reports.
        most_moves: how many moves are reported.
        ownership: whether the owners of the points are reported.
    """

    player: int | None = None
    interval: float = DEFAULT_INTERVAL
    most_moves: int = 1 << 30
    ownership: bool = False


class AnalysisCommands:
    """The commands on one engine's board and agent."""

    def __init__(self, engine: "Engine") -> None:
        self.engine = engine

    def commands(self) -> dict[str, Command]:
        """The table of them."""
        return {
            "lz-analyze": lambda arguments: self._analyze(lz_fields, arguments),
            "kata-analyze": lambda arguments: self._analyze(kata_fields, arguments),
            "lz-genmove_analyze": lambda arguments: self._genmove_analyze(lz_fields, arguments),
            "kata-genmove_analyze": lambda arguments: self._genmove_analyze(kata_fields, arguments),
            "gogui-analyze_commands": lambda arguments: "\n".join(GOGUI_COMMANDS),
            "unforced-winrate_map": self._winrate_map,
            "unforced-ownership": self._ownership,
            "unforced-pv": self._pv,
        }

    @property
    def _game(self) -> Any:
        return self.engine.game

    # --- Live ---

    def _analyze(self, fields: "Fields", arguments: list[str]) -> Iterator[str]:
        request = self._parse(arguments)
        position = self._turned(request.player)
        self.engine.study(position, FIRST_LOOK_SECONDS)
        return self._analysis(fields, request, position)

    def _analysis(self, fields: "Fields", request: AnalysisRequest, position: Position) -> Iterator[str]:
        try:
            is_interrupted = False
            while not is_interrupted:
                reports, is_interrupted = self._study_until(position, time.monotonic() + request.interval, True)
                yield self._line(fields, request, position, reports)
        finally:
            self.engine.restart_stopwatch()  # an analysis is no part of a game's thinking time

    def _genmove_analyze(self, fields: "Fields", arguments: list[str]) -> Iterator[str]:
        request = self._parse(arguments)
        player = self.engine.position.to_move if request.player is None else request.player
        position = self._turned(player)
        if self.engine.has_fixed_simulations():
            return self._counted_move(fields, request, player, position)
        seconds = self.engine.thinking_seconds(player) * (1 - STEP_SHARE)
        deadline = time.monotonic() + seconds
        self.engine.study(position, min(FIRST_LOOK_SECONDS, seconds))
        return self._analysed_move(fields, request, player, position, deadline)

    def _analysed_move(
        self, fields: "Fields", request: AnalysisRequest, player: int, position: Position, deadline: float
    ) -> Iterator[str]:
        while time.monotonic() < deadline:
            until = min(deadline, time.monotonic() + request.interval)
            yield self._line(fields, request, position, self._study_until(position, until, False)[0])
        yield f"play {self.engine.genmove(player)}"

    def _counted_move(
        self, fields: "Fields", request: AnalysisRequest, player: int, position: Position
    ) -> Iterator[str]:
        """The move of `genmove`, whose number of simulations nothing here may add to, and one report of its search."""
        text, following = self.engine.think(player, lambda _: position)
        reports = self.engine.study(position, 0.0)  # raises before anything is played
        line = self._line(fields, request, position, reports)
        self.engine.play(following)
        return iter((line, f"play {text}"))

    def _study_until(self, position: Position, deadline: float, can_be_interrupted: bool) -> tuple[list[Any], bool]:
        """The reports after searching until then, and whether the controller wrote a line, which ends it at once."""
        while True:
            end = min(deadline, time.monotonic() + SLICE_SECONDS)
            reports = self.engine.study(position, max(0.0, end - time.monotonic()))
            left = max(0.0, end - time.monotonic())  # a search that has nothing more to find returns early
            if not can_be_interrupted:
                time.sleep(left)
            elif self.engine.wait_for_input(left):
                return reports, True
            if time.monotonic() >= deadline:
                return reports, False

    def _line(self, fields: "Fields", request: AnalysisRequest, position: Any, reports: Sequence[Any]) -> str:
        shown = visited(reports)[: request.most_moves]
        words = [self._info(fields, report, order) for order, report in enumerate(shown)]
        if request.ownership and (owners := self._owners(position)) is not None:
            sign = 1 if position.to_move == FIRST else -1  # KataGo: for the player to move
            words.append("ownership " + " ".join(f"{sign * owner:.4f}" for row in owners for owner in row))
        return " ".join(words)

    def _info(self, fields: "Fields", report: Any, order: int) -> str:
        text = self.engine.game.format_move
        pv = " ".join(map(text, report.pv)) or text(report.move)
        return f"info move {text(report.move)} visits {report.visits} {fields(report)} order {order} pv {pv}"

    def _parse(self, arguments: list[str]) -> AnalysisRequest:
        """Reads `[COLOUR] [CENTISECONDS] [KEY VALUE]...`. Raises GtpError."""
        words = list(arguments)
        request = AnalysisRequest()
        if words and words[0].lower() in {"b", "w", "black", "white"}:
            request = request._replace(player=self.engine.colour(words.pop(0)))
        if words and words[0].isdigit():
            request = request._replace(interval=_interval(words.pop(0)))
        for key, value in zip(words[::2], words[1::2], strict=False):
            request = _with_option(request, key, value)
        if len(words) % 2:
            raise gtp.explained(
                gtp.SYNTAX_ERROR, f"{words[-1]!r} has no value: a colour, an interval, pairs of KEY VALUE"
            )
        return request

    def _turned(self, player: int | None) -> Position:
        return self.engine.turn_of(self.engine.position.to_move if player is None else player)

    def _owners(self, position: Any) -> Any:
        """Who owns which point by the agent's search, else by the game's playouts; float[size, size], black's 1."""
        owners = self.engine.ownership()
        return self._game.ownership(position) if owners is None else owners

    # --- GoGui ---

    def _studied(self, arguments: list[str]) -> tuple[Position, list[Any]]:
        """The position for `[COLOUR]` and the reports on its moves after a search."""
        player = self.engine.colour(gtp.one(arguments)) if arguments else None
        position = self._turned(player)
        reports = visited(self.engine.study(position, SEARCH_SECONDS))
        self.engine.restart_stopwatch()
        return position, reports

    def _winrate_map(self, arguments: list[str]) -> str:
        """GoGui's `gfx`: each move's value in per cent, green for the best to red for those far behind."""
        _, reports = self._studied(arguments)
        if not reports:
            return ""
        text, best = self.engine.game.format_move, reports[0]
        points = [report for report in reports[:MOST_LABELS] if text(report.move) != "pass"]
        lines = [f"COLOR {_colour(best.value - report.value)} {text(report.move)}" for report in points]
        lines.append("LABEL " + " ".join(f"{text(report.move)} {report.value * 100:.0f}" for report in points))
        lines.append(f"TEXT {text(best.move)} wins {best.value:.1%} in {best.visits} visits")
        return "\n".join(lines)

    def _pv(self, arguments: list[str]) -> str:
        _, reports = self._studied(arguments)
        return " ".join(map(self.engine.game.format_move, reports[0].pv)) if reports else ""

    def _ownership(self, arguments: list[str]) -> str:
        """GoGui's `dboard`: rows from the top, 1 black's, -1 white's."""
        try:
            self._studied(arguments)
        except GtpError:  # the agent does not analyse: the game's playouts say
            owners = self._game.ownership(self.engine.position)
        else:
            owners = self._owners(self.engine.position)
        return "\n".join(" ".join(f"{owner:.3f}" for owner in row) for row in owners)


# --- Reports as text ------------------------------------------------------------------------------------------------

Fields = Callable[[Any], str]
"""The figures of a report as one of the two programs writes them."""

GOGUI_COMMANDS = (
    "gfx/Win Rates/unforced-winrate_map %c",
    "varc/Principal Variation/unforced-pv %c",
    "dboard/Ownership/unforced-ownership",
    "pstring/Legal Moves/unforced-legal_moves %m",
    "plist/Dead Stones/final_status_list dead",
    "string/Position/unforced-position",
    "string/Final Score/final_score",
    "hstring/Search Statistics/unforced-search_stats",
)


def visited(reports: Sequence[Any]) -> list[Any]:
    """The reports of moves that the search has looked at; all if there are none."""
    return [report for report in reports if report.visits > 0] or list(reports)


def lower_bound(value: float, visits: int) -> float:
    """The lower end of a confidence interval of a mean of results from 0 to 1.

    >>> lower_bound(0.5, 100), lower_bound(0.5, 0)
    (0.402, 0.0)
    """
    spread = math.sqrt(max(0.0, value * (1 - value)) / visits) if visits else math.inf
    return max(0.0, value - CONFIDENCE * spread)


def lz_fields(report: Any) -> str:
    """Leela Zero's: ten-thousandths."""
    figures = (report.value, report.prior, lower_bound(report.value, report.visits))
    return "winrate {} prior {} lcb {}".format(*(round(10_000 * figure) for figure in figures))


def kata_fields(report: Any) -> str:
    """KataGo's: 0 to 1."""
    bound = lower_bound(report.value, report.visits)
    return f"winrate {report.value:.6f} prior {report.prior:.6f} lcb {bound:.6f}"


def _colour(behind: float) -> str:
    """From green for the best move, by yellow, to red for one whose value is a fifth behind."""
    share = min(1.0, max(0.0, behind / 0.2))
    return f"#{round(255 * min(1.0, 2 * share)):02x}{round(255 * min(1.0, 2 - 2 * share)):02x}00"


def _interval(text: str) -> float:
    return max(SHORTEST_INTERVAL, gtp.integer(text) / 100)


def _with_option(request: AnalysisRequest, key: str, value: str) -> AnalysisRequest:
    """The request with one more option. Raises GtpError for one that is not known."""
    if key == "interval":
        return request._replace(interval=_interval(value))
    if key == "maxmoves":
        return request._replace(most_moves=max(1, gtp.integer(value)))
    if key == "minmoves":
        gtp.integer(value)  # all moves that were visited are reported anyway
        return request
    if key in {"ownership", *IGNORED_SWITCHES} and value in ("true", "false"):
        return request._replace(ownership=value == "true") if key == "ownership" else request
    keys = ", ".join(("interval", "maxmoves", "minmoves", "ownership true|false"))
    raise gtp.explained(gtp.SYNTAX_ERROR, f"{key} {value}: not one of {keys}")

"""Analysis for front ends: live analysis in the formats of Leela Zero and KataGo, and GoGui's analyze commands.

Sources: KataGo's GTP_Extensions.md for both live formats; GoGui's manual, chapter "Analyze Commands".

A live answer has a line of reports at each interval, until the controller writes another line, which is then served.
The reports come from `Agent.study`, in short slices, so that the other line is noticed soon.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from game import FIRST, Position
from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine
from simulator.gtp.syntax import GtpError

SLICE_SECONDS = 0.1  # of searching before the input is looked at again
FIRST_LOOK_SECONDS = 0.02  # of searching before the answer begins, while an agent that does not analyse can be refused
DEFAULT_INTERVAL = 1.0  # seconds between two reports
SHORTEST_INTERVAL = 0.05
STEP_SHARE = 0.15  # this share of the time for a move is left to `Agent.step` after the live reports
SEARCH_SECONDS = 1.0  # of a search for GoGui's commands, which may be sent after every move
CONFIDENCE = 1.96  # standard errors: the lower bound of a move's value holds with a probability of 97.5 %
MOST_LABELS = 40  # of moves on GoGui's board; more hide the position

# KataGo's switches for fields that are not given here. They have no effect, but front ends that set them are served.
IGNORED_SWITCHES = {"rootInfo", "movesOwnership", "ownershipStdev", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits"}

MoveFigures = Callable[[Any], str]
"""Formats the figures of a move's report as Leela Zero or KataGo does."""

# --- Live -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LiveAnalysis:
    """An analysis of a position on an engine's board.

    Attributes:
        figures: how a move's report is written.
        interval: seconds between two reports.
        most_moves: how many moves are reported; None for all.
        ownership: whether the owners of the points are reported.
    """

    engine: Engine
    position: Position
    figures: MoveFigures
    interval: float = DEFAULT_INTERVAL
    most_moves: int | None = None
    ownership: bool = False

    def until_interrupted(self) -> Iterator[str]:
        """A report each interval until the controller writes a line."""
        try:
            is_interrupted = False
            while not is_interrupted:
                reports, is_interrupted = self._study_until(time.monotonic() + self.interval, True)
                yield self._line(reports)
        finally:
            self.engine.host.timer.start_request()  # an analysis is not part of a game's thinking time

    def until_move(self, deadline: float, end: float) -> Iterator[str]:
        """A report each interval until the deadline, then the move, for which the agent has until `end`."""
        while time.monotonic() < deadline:
            until = min(deadline, time.monotonic() + self.interval)
            yield self._line(self._study_until(until, False)[0])
        rest = max(0.0, end - time.monotonic())
        yield f"play {self.engine.play(*self.engine.think(self.position, within=rest))}"

    def after_move(self) -> Iterator[str]:
        """One report on the search of `genmove`, then its move: for an agent with a fixed number of simulations."""
        answer = self.engine.think(self.position)
        line = self._line(self.engine.host.study(self.position, 0.0))  # raises before anything is played
        return iter((line, f"play {self.engine.play(*answer)}"))

    def _study_until(self, deadline: float, can_be_interrupted: bool) -> tuple[list[Any], bool]:
        """Search until the deadline, or until the controller writes a line; returns the reports, and whether it did."""
        while True:
            end = min(deadline, time.monotonic() + SLICE_SECONDS)
            reports = self.engine.host.study(self.position, max(0.0, end - time.monotonic()))
            left = max(0.0, end - time.monotonic())  # a search that has nothing more to find returns early
            if not can_be_interrupted:
                time.sleep(left)
            elif self.engine.wait_for_input(left):
                return reports, True
            if time.monotonic() >= deadline:
                return reports, False

    def _line(self, reports: Sequence[Any]) -> str:
        words = [self._info(report, i) for i, report in enumerate(visited(reports)[: self.most_moves])]
        if self.ownership and (owners := _owners(self.engine, self.position)) is not None:
            sign = 1 if self.position.to_move == FIRST else -1  # KataGo: for the player to move
            words.append("ownership " + " ".join(f"{sign * owner:.4f}" for row in owners for owner in row))
        return " ".join(words)

    def _info(self, report: Any, order: int) -> str:
        text = self.engine.game.format_move
        pv = " ".join(map(text, report.pv)) or text(report.move)
        return f"info move {text(report.move)} visits {report.visits} {self.figures(report)} order {order} pv {pv}"


def _analyze(engine: Engine, arguments: list[str], *, figures: MoveFigures) -> Iterator[str]:
    analysis = _requested(engine, arguments, figures)
    engine.host.study(analysis.position, FIRST_LOOK_SECONDS)
    return analysis.until_interrupted()


def _genmove_analyze(engine: Engine, arguments: list[str], *, figures: MoveFigures) -> Iterator[str]:
    analysis = _requested(engine, arguments, figures)
    if engine.host.has_fixed_simulations():
        return analysis.after_move()
    seconds, start = engine.thinking_seconds(analysis.position.to_move), time.monotonic()
    reported = seconds * (1 - STEP_SHARE)
    engine.host.study(analysis.position, min(FIRST_LOOK_SECONDS, reported))
    return analysis.until_move(start + reported, start + seconds)


def _requested(engine: Engine, arguments: list[str], figures: MoveFigures) -> LiveAnalysis:
    """The analysis asked for by `[COLOUR] [CENTISECONDS] [KEY VALUE]...`. Raises GtpError."""
    words, player = list(arguments), engine.position.to_move
    options: dict[str, Any] = {}
    if words and words[0].lower() in {"b", "w", "black", "white"}:
        player = engine.player_of(words.pop(0))
    if words and words[0].isdigit():
        options |= _option("interval", words.pop(0))
    for key, value in zip(words[::2], words[1::2], strict=False):
        options |= _option(key, value)
    if len(words) % 2:
        reason = f"{words[-1]!r} has no value: expected a colour, an interval, pairs of KEY VALUE"
        raise syntax.explained(syntax.SYNTAX_ERROR, reason)
    return LiveAnalysis(engine, engine.turn_of(player), figures, **options)


def _option(key: str, value: str) -> dict[str, Any]:
    """The fields of a `LiveAnalysis` that an option sets; some set none. Raises GtpError for an unknown option."""
    if key == "interval":
        return {"interval": max(SHORTEST_INTERVAL, syntax.integer(value) / 100)}
    if key == "maxmoves":
        return {"most_moves": max(1, syntax.integer(value))}
    if key == "minmoves":
        syntax.integer(value)  # all moves that were visited are reported anyway
        return {}
    if key in {"ownership", *IGNORED_SWITCHES} and value in ("true", "false"):
        return {"ownership": value == "true"} if key == "ownership" else {}
    keys = "interval, maxmoves, minmoves, ownership true|false"
    raise syntax.explained(syntax.SYNTAX_ERROR, f"{key} {value}: not one of {keys}")


def _owners(engine: Engine, position: Position) -> Any:
    """Who owns each point by the agent's search, else by the game's playouts; float[size, size], 1 if it is black's."""
    owners = engine.host.ownership()
    return engine.game.ownership(position) if owners is None else owners


# --- GoGui ----------------------------------------------------------------------------------------------------------

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


def _studied(engine: Engine, arguments: list[str]) -> list[Any]:
    """The reports on the moves of `[COLOUR]` after a search of SEARCH_SECONDS; empty if there are no moves."""
    player = engine.player_of(syntax.one(arguments)) if arguments else engine.position.to_move
    reports = visited(engine.host.study(engine.turn_of(player), SEARCH_SECONDS))
    engine.host.timer.start_request()  # an analysis is not part of a game's thinking time
    return reports


def _winrate_map(engine: Engine, arguments: list[str]) -> str:
    """For GoGui's `gfx`: each move's value in per cent, from green for the best move to red for moves far behind."""
    reports = _studied(engine, arguments)
    if not reports:
        return ""
    text, best = engine.game.format_move, reports[0]
    points = [report for report in reports[:MOST_LABELS] if text(report.move) != "pass"]
    lines = [f"COLOR {_colour(best.value - report.value)} {text(report.move)}" for report in points]
    if points:
        lines.append("LABEL " + " ".join(f"{text(report.move)} {report.value * 100:.0f}" for report in points))
    lines.append(f"TEXT {text(best.move)} wins {best.value:.1%} in {best.visits} visits")
    return "\n".join(lines)


def _pv(engine: Engine, arguments: list[str]) -> str:
    reports = _studied(engine, arguments)
    return " ".join(map(engine.game.format_move, reports[0].pv)) if reports else ""


def _ownership(engine: Engine, arguments: list[str]) -> str:
    """For GoGui's `dboard`: the owner of each point in rows from the top, 1 for black's points, -1 for white's."""
    try:
        _studied(engine, arguments)
    except GtpError:  # the agent does not analyse, so the game's playouts are used
        owners = engine.game.ownership(engine.position)
    else:
        owners = _owners(engine, engine.position)
    return "\n".join(" ".join(f"{owner:.3f}" for owner in row) for row in owners)


# --- Reports as text ------------------------------------------------------------------------------------------------


def visited(reports: Sequence[Any]) -> list[Any]:
    """The reports of the moves that the search has visited; all reports if it has visited none."""
    return [report for report in reports if report.visits > 0] or list(reports)


def lower_bound(value: float, visits: int, proven: str | None = None) -> float:
    """The lower end of the confidence interval of a mean of `visits` results from 0 to 1; a proved value is certain.

    >>> lower_bound(0.5, 100), lower_bound(0.5, 0), lower_bound(1.0, 0, "win")
    (0.402, 0.0, 1.0)
    """
    if proven is not None:
        return value
    spread = math.sqrt(max(0.0, value * (1 - value)) / visits) if visits else math.inf
    return max(0.0, value - CONFIDENCE * spread)


def lz_figures(report: Any) -> str:
    """The figures as Leela Zero writes them, in ten-thousandths."""
    figures = (report.value, report.prior, lower_bound(report.value, report.visits, report.proven))
    return "winrate {} prior {} lcb {}".format(*(round(10_000 * figure) for figure in figures))


def kata_figures(report: Any) -> str:
    """The figures as KataGo writes them, from 0 to 1."""
    bound = lower_bound(report.value, report.visits, report.proven)
    return f"winrate {report.value:.6f} prior {report.prior:.6f} lcb {bound:.6f}"


def _colour(behind: float) -> str:
    """A colour from green for the best move through yellow to red for a move whose value is 0.2 behind."""
    share = min(1.0, max(0.0, behind / 0.2))
    return f"#{round(255 * min(1.0, 2 * share)):02x}{round(255 * min(1.0, 2 - 2 * share)):02x}00"


ANALYSIS_COMMANDS: CommandSet = {
    "lz-analyze": partial(_analyze, figures=lz_figures),
    "kata-analyze": partial(_analyze, figures=kata_figures),
    "lz-genmove_analyze": partial(_genmove_analyze, figures=lz_figures),
    "kata-genmove_analyze": partial(_genmove_analyze, figures=kata_figures),
    "gogui-analyze_commands": lambda engine, arguments: "\n".join(GOGUI_COMMANDS),
    "unforced-winrate_map": _winrate_map,
    "unforced-ownership": _ownership,
    "unforced-pv": _pv,
}

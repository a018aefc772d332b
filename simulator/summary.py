"""What a match adds up to: wins by colour, score, times, memory, faults; as tables for people and as JSON.

Pure functions of the records. Begin reading at `tally`.

*Score and Elo.* A draw counts half a win. The 95 % interval of the score is Wilson's (1927) for n games that are won or
lost; draws make the true interval narrower, so this one errs on the careful side, and unlike the normal interval it
says something sensible when every game was won. Elo = -400 log10(1 / score - 1), and its interval is that of the score,
mapped alike. Both games of an opening are taken as independent.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from simulator.game_options import settled
from simulator.match import Match, MatchSettings
from simulator.records import GameRecord, Reason

Z_95 = 1.959964  # a standard normal variable lies within +-1.96 in 95 % of cases

FAULTS = {
    Reason.TIMEOUT: "lost by timeout",
    Reason.ILLEGAL: "lost by illegal move",
    Reason.CRASH: "lost by crash",
    Reason.MEMORY: "lost by memory",
}


@dataclass
class Results:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, points: float) -> None:
        """Count a game that brought 1, 0.5 or 0 points."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is 1, a draw 0.5."""
        return self.wins + self.draws / 2


@dataclass
class Tally:
    """One agent's match.

    Attributes:
        as_player: results by seat: as the player who moves first, and as the second.
        faults: games lost by each kind of fault.
        replaced: moves that came late and were replaced by random ones.
        first_seconds: times of the first moves, start-up included.
        later_seconds: times of all others; both include the time at which an agent that did not answer was ended.
        peak_memory_mb: the most that its processes held together in any game.
    """

    name: str
    as_player: tuple[Results, Results] = field(default_factory=lambda: (Results(), Results()))
    faults: Counter[Reason] = field(default_factory=Counter)
    replaced: int = 0
    first_seconds: list[float] = field(default_factory=list)
    later_seconds: list[float] = field(default_factory=list)
    peak_memory_mb: float = 0.0

    @property
    def total(self) -> Results:
        """Both seats together."""
        first, second = self.as_player
        return Results(first.wins + second.wins, first.draws + second.draws, first.losses + second.losses)


def tally(name: str, records: Sequence[GameRecord]) -> Tally:
    """What the games say of one agent. Void games count for times and memory, not for results."""
    total = Tally(name)
    for record in records:
        player = record.agents.index(name)
        if record.verdict.reason is not Reason.VOID:
            total.as_player[player].add(points_of(record, player))
        if record.verdict.loser == player:
            total.faults[record.verdict.reason] += 1
        total.replaced += sum(move.replaced for move in record.moves if move.player == player)
        total.peak_memory_mb = max(total.peak_memory_mb, record.peak_memory_mb[player])
        seconds = list(_seconds(record, player))
        total.first_seconds += seconds[:1]
        total.later_seconds += seconds[1:]
    return total


def points_of(record: GameRecord, player: int) -> float:
    """1, 0.5 or 0."""
    winner = record.verdict.winner
    return 0.5 if winner is None else float(winner == player)


def _seconds(record: GameRecord, player: int) -> Iterator[float]:
    """The times of a player's moves, the one that it was too late for included."""
    yield from (move.seconds for move in record.moves if move.player == player)
    verdict = record.verdict
    if verdict.reason is Reason.TIMEOUT and verdict.loser == player and verdict.measured is not None:
        yield verdict.measured


def score(name: str, records: Sequence[GameRecord]) -> float:
    """An agent's points so far."""
    return tally(name, records).total.points


def wilson_interval(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a score of `points` out of `games`, as shares of 1.

    >>> [round(end, 4) for end in wilson_interval(10, 10)]
    [0.7225, 1.0]
    """
    if games == 0:
        return 0.0, 1.0
    share, z2 = points / games, Z_95**2
    centre = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z_95 / (1 + z2 / games) * math.sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return centre - half if points else 0.0, centre + half if points < games else 1.0


def elo(share: float) -> float:
    """The Elo difference at which that share of the points is expected; infinite for 0 and 1.

    >>> round(elo(0.75), 1)
    190.8
    """
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


# --- For programs ---------------------------------------------------------------------------------------------------


def match_json(match: Match) -> dict[str, Any]:
    """The match as one JSON object; numbers that would be infinite are null. See `agent_json` for the agents."""
    settings = asdict(match.settings)
    return {
        "settings": settings,
        "games_played": len(match.records),
        "void": sum(record.verdict.reason is Reason.VOID for record in match.records),
        "interrupted": match.interrupted,
        "distinct_games": len({(record.opening, *(m.move for m in record.moves)) for record in match.records}),
        "sgf_folder": str(match.sgf_folder) if match.sgf_folder else None,
        "enforcement": match.records[-1].enforcement if match.records else {},
        "agents": {name: agent_json(tally(name, match.records)) for name in match.names},
    }


def agent_json(agent: Tally) -> dict[str, Any]:
    """One agent's numbers. `timeouts illegal crashes memory` count lost games, `replaced` counts moves.

    `max_move_seconds` and `median_move_seconds` are over all moves but each game's first, whose limit is another and
    which includes start-up: that is `max_first_move_seconds`.
    """
    total, (first, second) = agent.total, agent.as_player
    low, high = wilson_interval(total.points, total.games)
    return {
        **asdict(total),
        "games": total.games,
        "score": total.points / total.games if total.games else None,
        "score_interval": [round(low, 4), round(high, 4)],
        "elo": _finite(elo(total.points / total.games)) if total.games else None,
        "elo_interval": [_finite(elo(low)), _finite(elo(high))],
        "as_first": asdict(first),
        "as_second": asdict(second),
        "timeouts": agent.faults[Reason.TIMEOUT],
        "illegal": agent.faults[Reason.ILLEGAL],
        "crashes": agent.faults[Reason.CRASH],
        "memory": agent.faults[Reason.MEMORY],
        "resignations": agent.faults[Reason.RESIGNATION],
        "replaced": agent.replaced,
        "max_move_seconds": round(max(agent.later_seconds, default=0.0), 4),
        "median_move_seconds": round(median(agent.later_seconds or [0.0]), 4),
        "max_first_move_seconds": round(max(agent.first_seconds, default=0.0), 4),
        "peak_memory_mb": round(agent.peak_memory_mb, 1),
    }


def _finite(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None


# --- For people -----------------------------------------------------------------------------------------------------


def print_summary(console: Console, match: Match) -> None:
    """A table with a column for each agent: results, times, memory, faults; then the limits that were held."""
    tallies = [tally(name, match.records) for name in match.names]
    stopped = " (stopped)" if match.interrupted else ""
    headline = f"{len(match.records)} of {match.settings.games} games of {_game_text(match.settings)} played{stopped}"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for agent in tallies:
        table.add_column(agent.name, justify="right", overflow="fold", max_width=24)
    for group in (_result_rows(match, tallies), _usage_rows(tallies), _fault_rows(tallies)):
        for label, *cells in group:
            table.add_row(label, *cells)
        table.add_section()
    console.print("\n" + headline, markup=False)
    console.print(table)
    console.print(_conditions(match), markup=False, highlight=False)


def _game_text(settings: MatchSettings) -> str:
    """`pentago`, `go (size 9, komi 7)`."""
    options = settled(settings.load_game()) | settings.game_options
    values = ", ".join(f"{name} {value:g}" for name, value in options.items())
    return f"{settings.game} ({values})" if values else settings.game


Row = tuple[str, ...]


def _result_rows(match: Match, tallies: Sequence[Tally]) -> Iterator[Row]:
    first, second = match.settings.load_game().players
    yield "won-drawn-lost", *(_won_drawn_lost(agent.total) for agent in tallies)
    yield f"  as {first} (first)", *(_won_drawn_lost(agent.as_player[0]) for agent in tallies)
    yield f"  as {second} (second)", *(_won_drawn_lost(agent.as_player[1]) for agent in tallies)
    if any(agent.total.games for agent in tallies):
        totals = [agent.total for agent in tallies]
        intervals = [wilson_interval(total.points, total.games) for total in totals]
        yield "score", *(f"{total.points / total.games:.1%}" for total in totals)
        yield "  95 % interval", *(f"{low:.1%} .. {high:.1%}" for low, high in intervals)
        yield "Elo difference", *(f"{elo(total.points / total.games):+.0f}" for total in totals)
        yield "  95 % interval", *(f"{elo(low):+.0f} .. {elo(high):+.0f}" for low, high in intervals)


def _usage_rows(tallies: Sequence[Tally]) -> Iterator[Row]:
    yield "slowest first move", *(_seconds_text(max(agent.first_seconds, default=None)) for agent in tallies)
    yield "slowest later move", *(_seconds_text(max(agent.later_seconds, default=None)) for agent in tallies)
    yield (
        "  median",
        *(_seconds_text(median(agent.later_seconds) if agent.later_seconds else None) for agent in tallies),
    )
    yield "peak memory", *(f"{agent.peak_memory_mb:.0f} MB" for agent in tallies)


def _fault_rows(tallies: Sequence[Tally]) -> Iterator[Row]:
    yield "late moves replaced", *(_count_text(agent.replaced) for agent in tallies)
    for reason, label in FAULTS.items():
        yield label, *(_count_text(agent.faults[reason]) for agent in tallies)


def _won_drawn_lost(results: Results) -> str:
    return f"{results.wins}-{results.draws}-{results.losses}"


def _seconds_text(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f} s"


def _count_text(count: int) -> str:
    return f"[bold red]{count}[/]" if count else "0"


def _conditions(match: Match) -> str:
    settings, limits = match.settings, match.settings.limits
    lines = [
        f"{limits.first_move_seconds:g} s for the first move, {limits.move_seconds:g} s for later ones, "
        f"{limits.memory_mb} MB; {settings.rules} rules",
        (f"openings of {settings.opening_plies} plies" if settings.opening_plies else "no opening moves")
        + f", seed {settings.seed}",
    ]
    if void := sum(record.verdict.reason is Reason.VOID for record in match.records):
        lines.append(f"{void} void: the referee's own machine failed in them; they are not counted")
    if match.sgf_folder is not None:
        lines.append(f"the games as SGF: {match.sgf_folder}")
    return "\n".join(lines)

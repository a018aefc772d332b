"""What a match adds up to: wins by colour, score, times, memory, faults; as tables for people and as JSON.

Pure functions of the records. A draw counts half a win. Where all games are in pairs, what is
said of strength comes from the pairs, else from the games as if they were independent; `elo.py` has the sources.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from simulator.referee.game_record import GameRecord, Reason
from simulator.sandbox import isolation
from simulator.statistics.elo import (
    Estimate,
    Results,
    elo,
    likelihood_of_superiority,
    normalized_elo,
    share_estimate,
    wilson_interval,
)
from simulator.statistics.pentanomial import pair_counts
from simulator.statistics.usage import Tally, agent_json, distinct_games, tally
from simulator.terminal.tables import absence_lines
from simulator.tournament.match_result import MatchResult
from simulator.tournament.settings import TournamentSettings

FAULTS = {
    Reason.TIMEOUT: "lost by timeout",
    Reason.ILLEGAL: "lost by illegal move",
    Reason.CRASH: "lost by crash",
    Reason.MEMORY: "lost by memory",
    Reason.FILES: "lost by reading files",
    Reason.PROCESSOR: "lost by thinking out of turn",
}


def score(name: str, records: Sequence[GameRecord]) -> float:
    """An agent's points so far."""
    return tally(name, records).total.points


# --- For programs ---------------------------------------------------------------------------------------------------


def match_json(match: MatchResult) -> dict[str, Any]:
    """The match as one JSON object; numbers that would be infinite are null. See `agent_json` for the agents."""
    test = match.settings.sprt
    return {
        "settings": settings_json(match),
        "games_played": len(match.records),
        "void": sum(record.verdict.reason is Reason.VOID for record in match.records),
        "interrupted": match.interrupted,
        "absent": absent_json(match),
        "distinct_games": distinct_games(match.records),
        "sgf_folder": str(match.sgf_folder) if match.sgf_folder else None,
        "enforcement": match.records[-1].enforcement if match.records else {},
        "sprt": test.to_json(pair_counts(match.names[0], match.records).counts) if test else None,
        "agents": {name: agent_json(name, match.records) for name in match.names},
    }


def settings_json(match: MatchResult) -> dict[str, Any]:
    """What was asked for, by the names that programs know."""
    settings, conditions = match.settings, match.settings.conditions
    return {
        "game": conditions.game,
        "games": match.games,
        "limits": asdict(conditions.limits),
        "limits_of": dict(conditions.limits_of),
        "rules": conditions.rules,
        "seed": settings.seed,
        "opening_plies": settings.opening_plies,
        "game_options": dict(conditions.game_options),
        "sprt": None if settings.sprt is None else asdict(settings.sprt),
        "isolation": conditions.isolation,
    }


def absent_json(match: MatchResult) -> dict[str, Any] | None:
    """The agent that could not be loaded: its name, the verdict on it, its last lines. None if both were there."""
    if not match.absent:
        return None
    verdict, *stderr = (match.absent[0].absence or "").splitlines()
    return {"agent": match.absent[0].name, "verdict": verdict, "stderr": stderr}


# --- For people -----------------------------------------------------------------------------------------------------


def print_summary(console: Console, match: MatchResult) -> None:
    """A table with a column for each agent: results, times, memory, faults; then the limits that were held."""
    tallies = [tally(name, match.records) for name in match.names]
    stopped = " (stopped)" if match.interrupted or match.failure or match.absent else ""
    headline = f"{len(match.records)} of {match.games} games of {_game_text(match.settings)} played{stopped}"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for agent in tallies:
        table.add_column(Text(agent.name), justify="right", overflow="fold", max_width=24)
    for group in (_result_rows(match, tallies), _usage_rows(tallies), _fault_rows(tallies)):
        for label, *cells in group:
            table.add_row(label, *cells)
        table.add_section()
    console.print("\n" + headline, markup=False)
    console.print(table)
    if match.settings.sprt is not None:
        console.print(verdict_of_test(match) + "\n", markup=False, highlight=False)
    console.print(_conditions(match), markup=False, highlight=False)
    if why := why_not_played(match):
        console.print(Text(f"\n{why}", style="bold red"), soft_wrap=not console.is_terminal)
    for absent in match.absent:
        for line in absence_lines(absent):
            console.print(Text(line), soft_wrap=not console.is_terminal)


def why_not_played(match: MatchResult) -> str:
    """Why a match says nothing of its agents, in a sentence; empty if it does."""
    if match.absent:
        return f"{match.absent[0].name} cannot play: the match ends here"
    return "" if match.could_be_played else "nothing could be played: every game is void"


def _game_text(settings: TournamentSettings) -> str:
    """`pentago`, `go (size 9, komi 7)`."""
    conditions = settings.conditions
    options = conditions.load_game().settled_options
    values = ", ".join(f"{name} {value:g}" for name, value in options.items())
    return f"{conditions.game} ({values})" if values else conditions.game


Row = tuple[str, ...]


def _result_rows(match: MatchResult, tallies: Sequence[Tally]) -> Iterator[Row]:
    first, second = match.settings.conditions.load_game().players
    yield "games, distinct", *(f"{agent.total.games}, {distinct_games(match.records)}" for agent in tallies)
    yield "won-drawn-lost", *(_won_drawn_lost(agent.total) for agent in tallies)
    yield f"  as {first} (first)", *(_won_drawn_lost(agent.as_player[0]) for agent in tallies)
    yield f"  as {second} (second)", *(_won_drawn_lost(agent.as_player[1]) for agent in tallies)
    if any(agent.total.games for agent in tallies):
        yield from _strength_rows(match, tallies)


def _strength_rows(match: MatchResult, tallies: Sequence[Tally]) -> Iterator[Row]:
    """Score and Elo with their intervals: from pairs, with all that only pairs tell, or else from games."""
    shares = [agent.total.points / agent.total.games for agent in tallies]
    pairs = [pair_counts(agent.name, match.records) for agent in tallies]
    in_pairs, counts = pairs[0].all_paired, [each.counts for each in pairs]
    if in_pairs:
        yield "pairs: 0 .5 1 1.5 2 points", *("-".join(map(str, each)) for each in counts)
        intervals = [share_estimate(each)[1:] for each in counts]
    else:
        intervals = [wilson_interval(agent.total.points, agent.total.games) for agent in tallies]
    label = f"  95 %, from {'pairs' if in_pairs else 'games'}"
    yield "score", *(f"{share:.1%}" for share in shares)
    yield label, *(f"{low:.1%} .. {high:.1%}" for low, high in intervals)
    yield "Elo difference", *(f"{elo(share):+.0f}" for share in shares)
    yield label, *(f"{elo(low):+.0f} .. {elo(high):+.0f}" for low, high in intervals)
    if in_pairs:
        yield "likely the stronger", *(f"{likelihood_of_superiority(each):.1%}" for each in counts)
        yield from _normalized_rows([normalized_elo(each) for each in counts])


def _normalized_rows(estimates: Sequence[Estimate]) -> Iterator[Row]:
    yield "normalized Elo", *(f"{estimate.value:+.0f}" for estimate in estimates)
    yield "  95 %, from pairs", *(f"{estimate.low:+.0f} .. {estimate.high:+.0f}" for estimate in estimates)


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


def _conditions(match: MatchResult) -> str:
    settings, conditions = match.settings, match.settings.conditions
    limits = conditions.limits
    lines = [
        f"{limits.first_move_seconds:g} s for the first move, {limits.move_seconds:g} s for later ones, "
        f"{limits.memory_mb} MB; {conditions.rules} rules",
        (f"openings of {settings.opening_plies} plies" if settings.opening_plies else "no opening moves")
        + f", seed {settings.seed}",
    ]
    if void := sum(record.verdict.reason is Reason.VOID for record in match.records):
        lines.append(f"{void} void: the referee's own machine failed in them; they are not counted")
    lines += _unheld(match)
    if match.sgf_folder is not None:
        lines.append(f"the games as SGF: {match.sgf_folder}")
    return "\n".join(lines)


def _unheld(match: MatchResult) -> list[str]:
    """A line on the limits that nothing held while the match was played; none where all were held."""
    facts = match.records[-1].enforcement if match.records else {}
    names = ", ".join(
        name for name, mechanism in facts.items() if not isolation.Enforcement(name, mechanism).is_enforced
    )
    if not names:
        return []
    why = (
        "isolation was switched off"
        if match.settings.conditions.isolation == "none"
        else "python runner.py doctor says why"
    )
    return [f"not enforced: {names} ({why})"]


# --- The test -------------------------------------------------------------------------------------------------------


def standing_of_test(match: MatchResult) -> str:
    """`LLR 1.23 (-2.94, 2.94) after 40 pairs`; empty for a match without a test."""
    if (test := match.settings.sprt) is None:
        return ""
    counts = pair_counts(match.names[0], match.records).counts
    lower, upper = test.bounds
    pairs = "1 pair" if sum(counts) == 1 else f"{sum(counts)} pairs"
    return f"LLR {test.llr(counts):.2f} ({lower:.2f}, {upper:.2f}) after {pairs}"


def verdict_of_test(match: MatchResult) -> str:
    """Which hypothesis on the first agent was accepted, in words, and the figures. The match has a test."""
    test = match.settings.sprt
    if test is None:
        raise ValueError("a match without a test has no verdict of one")
    unit = "Elo" if test.model == "logistic" else "normalized Elo"
    h0, h1 = (f"{hypothesis}, {elo:+g} {unit}" for hypothesis, elo in (("H0", test.elo0), ("H1", test.elo1)))
    name = match.names[0]
    texts = {
        "H0": f"SPRT: {h0} for {name}, is accepted against {h1}",
        "H1": f"SPRT: {h1} for {name}, is accepted against {h0}",
        "continue": f"SPRT: undecided between {h0} for {name}, and {h1}",
    }
    state = test.state(pair_counts(name, match.records).counts)
    return f"{texts[state]}\n{standing_of_test(match)}, alpha {test.alpha:g}, beta {test.beta:g}"

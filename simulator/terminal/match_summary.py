"""The result of a match: a table for people, JSON for programs.

A draw counts half a win. Figures of strength are computed from pairs if all games are in pairs, else from the games as
if they were independent; `simulator/statistics/elo.py` has the sources.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from statistics import median
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agents.limits import Limits
from options import counted, option_text
from simulator import command_line
from simulator.records.schema import Decision
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, Reason
from simulator.sandbox import isolation
from simulator.statistics.elo import (
    Estimate,
    Results,
    elo_estimate,
    elo_text,
    likelihood_of_superiority,
    normalized_elo,
    share_estimate,
    wilson_interval,
)
from simulator.statistics.pentanomial import pair_counts
from simulator.statistics.sprt import Sprt
from simulator.statistics.usage import Tally, agent_json, distinct_games, tally
from simulator.terminal.lines import print_line
from simulator.terminal.tables import absence_lines
from simulator.tournament.events import Ended
from simulator.tournament.settings import TournamentSettings

FAULTS = {
    Reason.TIMEOUT: "lost by timeout",
    Reason.ILLEGAL: "lost by illegal move",
    Reason.CRASH: "lost by crash",
    Reason.MEMORY: "lost by memory",
    Reason.FILES: "lost by open files",
    Reason.PROCESSOR: "lost by thinking out of turn",
}

FIGURE_WIDTH = len("30.1% .. 79.1%")  # a terminal that is too narrow for two such columns breaks the table's lines

Row = tuple[str, str | Text]  # the name of a figure, and the figure of one agent


def match_json(match: Ended) -> dict[str, Any]:
    """The match as one JSON object; numbers that would be infinite are null. See `agent_json` for the agents."""
    return {
        "settings": settings_json(match),
        "games_played": len(match.records),
        "void": sum(record.is_void for record in match.records),
        "interrupted": match.interrupted,
        "absent": absent_json(match),
        "distinct_games": distinct_games(match.records),
        "sgf_folder": str(match.sgf_folder) if match.sgf_folder else None,
        "enforcement": match.records[-1].enforcement if match.records else {},
        "sprt": _test_json(match),
        "agents": {name: agent_json(name, match.records) for name in match.names},
    }


def settings_json(match: Ended) -> dict[str, Any]:
    """The settings of the match, by the names that programs know."""
    keys = ("game", "limits_of", "rules", "seed", "opening_plies", "game_options", "sprt", "isolation")
    settings = match.settings.to_json()
    limits = match.settings.conditions.limits.to_json()
    return {"games": match.games, "limits": limits, **{key: settings[key] for key in keys}}


def absent_json(match: Ended) -> dict[str, Any] | None:
    """The first agent that could not be loaded, why, and the end of its log; None if both could be loaded."""
    if not match.absent:
        return None
    verdict, *stderr = (match.absent[0].absence or "").splitlines()
    return {"agent": match.absent[0].name, "verdict": verdict, "stderr": stderr}


def print_summary(console: Console, match: Ended) -> None:
    """A table with a column for each agent: results, times, memory, faults; then the conditions of the games."""
    stopped = " (stopped)" if match.interrupted or match.failure or match.absent else ""
    played = f"{len(match.records)} of {match.games} games of {_game_text(match.settings.conditions)} played"
    print_line(console, f"\n{played}{stopped}")
    if match.records:
        console.print(_table(match), crop=False)
    if match.settings.sprt is not None:
        counts = pair_counts(match.names[0], match.records).counts
        print_line(console, verdict_of_test(match.settings.sprt, match.names[0], counts, match.decision) + "\n")
    print_line(console, "\n".join(_conditions(match)))
    if why := why_not_played(match):  # at the end, where people look
        print_line(console, Text(f"\n{why}", style="bold red"))
    for line in chain(*map(absence_lines, match.absent)):
        print_line(console, line)


def _table(match: Ended) -> Table:
    tallies = [tally(name, match.records) for name in match.names]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for agent in tallies:
        table.add_column(Text(agent.name), justify="right", overflow="fold", min_width=FIGURE_WIDTH, max_width=24)
    groups: tuple[Callable[[Tally], Iterator[Row]], ...] = (partial(_result_rows, match), _usage_rows, _fault_rows)
    for rows_of in groups:
        for rows in zip(*map(rows_of, tallies), strict=True):
            table.add_row(rows[0][0], *(text for _, text in rows))
        table.add_section()
    return table


def why_not_played(match: Ended) -> str:
    """Why a match shows nothing about its agents, in a sentence; empty if it shows something."""
    if match.absent:
        return f"{' and '.join(agent.name for agent in match.absent)} cannot play: the match ends here"
    return "" if match.could_be_played else "nothing could be played: every game is void"


def _game_text(conditions: Conditions) -> str:
    """`pentago`, `go (size 9, komi 7)`."""
    game = conditions.load_game()
    values = ", ".join(f"{name} {option_text(value)}" for name, value in game.settled_options.items())
    return f"{game.title} ({values})" if values else game.title


def _result_rows(match: Ended, agent: Tally) -> Iterator[Row]:
    first, second = match.settings.conditions.load_game().players
    yield "games", str(agent.total.games)
    yield "  of them different", str(distinct_games(match.records))
    yield "won-drawn-lost", _won_drawn_lost(agent.total)
    yield f"  as {first} (first)", _won_drawn_lost(agent.as_player[0])
    yield f"  as {second} (second)", _won_drawn_lost(agent.as_player[1])
    if agent.total.games:
        yield from _strength_rows(match.records, agent)


def _strength_rows(records: Sequence[GameRecord], agent: Tally) -> Iterator[Row]:
    """Score and Elo with their intervals: from pairs, with all that only pairs tell, or else from games."""
    games, points, pairs = agent.total.games, agent.total.points, pair_counts(agent.name, records)
    in_pairs = pairs.all_paired
    if in_pairs:
        yield "pairs: 0 .5 1 1.5 2 points", "-".join(map(str, pairs.counts))
    low, high = share_estimate(pairs.counts)[1:] if in_pairs else wilson_interval(points, games)
    label = f"  95 %, from {'pairs' if in_pairs else 'games'}"
    yield "score", f"{points / games:.1%}"
    yield label, f"{low:.1%} .. {high:.1%}"
    yield from _estimate_rows("Elo difference", label, elo_estimate(pairs.counts if in_pairs else agent.total.counts))
    if in_pairs:
        yield "chance of being stronger", f"{likelihood_of_superiority(pairs.counts):.1%}"
        normalized = normalized_elo(pairs.counts)
        if all(map(math.isfinite, normalized)):  # else all pairs came out alike, which says nothing of noise
            yield from _estimate_rows("normalized Elo", label, normalized)


def _estimate_rows(name: str, label: str, estimate: Estimate) -> Iterator[Row]:
    yield name, elo_text(estimate.value)
    yield label, f"{elo_text(estimate.low)} .. {elo_text(estimate.high)}"


def _usage_rows(agent: Tally) -> Iterator[Row]:
    yield "slowest first move", _seconds_text(max, agent.first_seconds)
    yield "slowest later move", _seconds_text(max, agent.later_seconds)
    yield "  median", _seconds_text(median, agent.later_seconds)
    yield "peak memory", f"{agent.peak_memory_mb:.0f} MB"


def _fault_rows(agent: Tally) -> Iterator[Row]:
    yield "late moves replaced", _count_text(agent.replaced)
    for reason, label in FAULTS.items():
        yield label, _count_text(agent.faults[reason])


def _won_drawn_lost(results: Results) -> str:
    return f"{results.wins}-{results.draws}-{results.losses}"


def _seconds_text(statistic: Callable[[list[float]], float], seconds: list[float]) -> str:
    return f"{statistic(seconds):.2f} s" if seconds else "-"


def _count_text(count: int) -> Text:
    return Text(str(count), style="bold red" if count else "")


# --- The conditions of the games ------------------------------------------------------------------------------------


def _conditions(match: Ended) -> Iterator[str]:
    conditions = match.settings.conditions
    yield f"{limits_text(conditions.limits)}; {conditions.rules} rules"
    for name in conditions.limits_of:
        yield f"{name}: {limits_text(conditions.limits_for(name))}"
    yield f"{_openings_text(match.settings)}, seed {match.settings.seed}"
    if void := sum(record.is_void for record in match.records):
        yield void_text(void)
    yield from _not_enforced(match)
    if match.sgf_folder is not None:
        yield f"the games as SGF: {match.sgf_folder}"


def void_text(void: int) -> str:
    """The sentence about that many void games."""
    why = "the rules or the referee's machine failed"
    return f"{counted(void, 'void game')} ({why}): void games do not count, nor does the other game of their pair"


def limits_text(limits: Limits) -> str:
    """`30 s for the first move, 2 s for later ones, 500 MB`.

    >>> limits_text(Limits(move_seconds=math.inf, clock_seconds=60, increment_seconds=2))
    '30 s for the first move, 60 s + 2 s a move for later ones, 500 MB'
    """
    later = [] if limits.move_seconds == math.inf else [f"{limits.move_seconds:g} s"]
    if limits.clock_seconds:
        later.append(f"{limits.clock_seconds:g} s + {limits.increment_seconds:g} s a move")
    first = f"{limits.first_move_seconds:g} s for the first move"
    return f"{first}, {' and '.join(later)} for later ones, {limits.memory_mb} MB"


def _openings_text(settings: TournamentSettings) -> str:
    if settings.openings:
        return f"{counted(len(settings.openings), 'opening')} from a file"
    plies = settings.opening_plies
    return f"openings of {plies} {'ply' if plies == 1 else 'plies'}" if plies else "no opening moves"


def _not_enforced(match: Ended) -> Iterator[str]:
    """Which limits nothing enforced while the match was played."""
    facts = match.records[-1].enforcement if match.records else {}
    names = ", ".join(
        name for name, mechanism in facts.items() if not isolation.Enforcement(name, mechanism).is_enforced
    )
    if names:
        off = match.settings.conditions.isolation == "none"
        why = "isolation is off" if off else f"see {command_line('doctor')}"
        yield f"not enforced: {names} ({why})"


# --- The test -------------------------------------------------------------------------------------------------------


def state_of_test(test: Sprt, counts: Sequence[int]) -> str:
    """`LLR 1.23 (-2.94, 2.94) after 40 pairs`."""
    lower, upper = test.bounds
    return f"LLR {test.llr(counts):.2f} ({lower:.2f}, {upper:.2f}) after {counted(sum(counts), 'pair')}"


def _test_json(match: Ended) -> dict[str, Any] | None:
    """The test, as in `Sprt.to_json`, at the time of its decision if there was one; None without a test."""
    test, decision = match.settings.sprt, match.decision
    if test is None:
        return None
    if decision is None:
        return test.to_json(pair_counts(match.names[0], match.records).counts)
    return {**test.to_json(decision.counts), "state": decision.accepted}


def verdict_of_test(test: Sprt, name: str, counts: Sequence[int], decision: Decision | None) -> str:
    """Which hypothesis on the first agent was accepted, in words, and the figures.

    A decision stands, with the pairs on which it rests, even if pairs that were in play then have ended since.
    """
    later = 0 if decision is None else sum(counts) - sum(decision.counts)
    state, counts = (test.state(counts), counts) if decision is None else decision
    more = f"; pairs that ended after that: {later}" if later else ""
    h0, h1 = (f"{hypothesis} ({name} {elo:+g} Elo)" for hypothesis, elo in (("H0", test.elo0), ("H1", test.elo1)))
    texts = {"H0": f"{h0} accepted, {h1} rejected", "H1": f"{h1} accepted, {h0} rejected"}
    text = texts.get(state, f"undecided between {h0} and {h1}")
    return f"SPRT: {text}\n{state_of_test(test, counts)}, alpha {test.alpha:g}, beta {test.beta:g}{more}"

"""What one student sees: the check of a submission, and a tournament's records of one agent.

Nothing is shown of what other agents wrote. Begin reading at `check_blocks` and `tournament_blocks`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from agents.agent import COURSE_FILE
from jit import PROJECT
from options import Failure, InputError, counted, did_you_mean
from simulator.records.schema import AgentEntry, StoredGame
from simulator.records.store import Store
from simulator.referee.game_record import GameRecord, Reason
from simulator.report.document import Block
from simulator.statistics.elo import elo_text
from simulator.statistics.grades import grade_rows
from simulator.statistics.standings import FormatTable, format_tables
from simulator.submission.advice import advice_for, in_course_words
from simulator.submission.files import Submission
from simulator.submission.findings import CheckReport, Level, Step

_SIGNS = {Level.GOOD: "ok", Level.REMARK: "note", Level.FAULT: "FAULT"}
NOT_DONE = "not done, because of the faults above"
LOG_LINES = 40  # the last lines of a log, which are shown


def check_blocks(report: CheckReport) -> Iterator[Block]:
    """A check, step by step."""
    yield Block("h1", report.name or report.path)
    if report.authors:
        yield Block("p", f"by {', '.join(report.authors)}")
    found = counted(len(report.faults), "fault")
    yield Block("p", "It can be submitted." if report.passed else f"It cannot be submitted yet: {found}.")
    for step in report.steps:
        yield Block("h2", f"{step.number}. {step.name}: {_SIGNS[step.level] if step.findings else NOT_DONE}")
        yield from step_blocks(step)


def step_blocks(step: Step) -> Iterator[Block]:
    """What a step found."""
    for finding in step.findings:
        yield Block("p", finding.text if finding.level is Level.GOOD else f"{_SIGNS[finding.level]}: {finding.text}")
        if finding.quoted:
            yield Block("lines", "\n".join(finding.quoted))
        if finding.advice:
            yield Block("p", f"-> {finding.advice}")


def tournament_blocks(store: Store, name: str) -> Iterator[Block]:
    """What a tournament's records say of an agent: its standing and games. Raises InputError for an unknown agent."""
    agents = {agent.name: agent for agent in store.agents()}
    if name not in agents:
        raise InputError(f"{store.path} has no agent {name!r}; {did_you_mean(name, agents)}")
    games = [game for game in store.games() if name in (game.first, game.second)]
    yield Block("h1", f"{name} in {store.path.stem}")
    yield from _standing(agents[name], [*grade_rows(store, only=name)], format_tables(store), has_played=bool(games))
    void = store.void_pairs()
    for game in games:
        yield from _game_blocks(game, store.record(game.id), agents[name], counts=game.pair not in void)


def _standing(
    agent: AgentEntry, rows: list[Mapping[str, Any]], tables: list[FormatTable], *, has_played: bool
) -> Iterator[Block]:
    if agent.authors:
        yield Block("p", f"by {', '.join(agent.authors)}")
    if agent.absence:
        submission, (what, *log) = _as_recorded(agent, agent.absence), agent.absence.splitlines()
        yield Block("p", "It was taken out; its games count for nobody:" if has_played else "It took no part:")
        yield Block("lines", _shown(submission, agent.absence))
        if agent.sources and not has_played:  # else its files could not be read, and the sentence says what to do
            yield _advice(Reason.CRASH, what, log, submission)
        return
    row = next((row for row in rows if row["agent"] == agent.name), None)
    if row is None:
        yield Block("p", "A newer version has replaced it; the standings count the newer version.")
        return
    for table in tables:
        if row["format_place"] is not None:
            points = f"points {row['format_points']:g}, Buchholz {row['buchholz']:g}"
            yield Block("p", f"{table.title}: place {row['format_place']} of {len(table.rows)} ({points}).")
        else:
            yield Block("p", f"{table.title}: the agent is not in this table.")
    placed = sum(row["place"] is not None for row in rows)
    order = " by rating" if tables and row["rating"] is not None else ""
    place = "" if row["place"] is None else f"Place {row['place']} of {placed}{order}: "
    counts = f"won {row['wins']}, drawn {row['draws']}, lost {row['losses']}"
    yield Block("p", f"{place}{row['points']:g} of {counted(row['games'], 'point')} ({counts}).")
    if row["rating"] is not None:
        interval = f"{elo_text(row['rating_low'])} to {elo_text(row['rating_high'])}"
        yield Block("p", f"Rating: {elo_text(row['rating'])} Elo (95 % interval: {interval}).")
    figures = {
        "slowest move, without each game's first": (row["max_move_seconds"], " s"),
        "peak memory": (row["max_memory_mb"], " MB"),
        "late moves": (row["late_moves"], ""),
    }
    for what, (value, unit) in figures.items():
        if value is not None:
            yield Block("p", f"{what.capitalize()}: {value:g}{unit}.")


def _as_recorded(agent: AgentEntry, log: str) -> Submission:
    """The agent's files, of which the records have the names, and a traceback in the log perhaps the folder."""
    names = "|".join(map(re.escape, agent.sources))
    folders = map(Path, re.findall(rf'File "(/.+)/(?:{names})"', log))
    folder = next((folder for folder in folders if not _is_ours(folder)), PROJECT)
    files = dict.fromkeys(map(PurePosixPath, agent.sources), 0)
    return Submission(Path(), agent.name, folder, PurePosixPath(), files)


def _is_ours(folder: Path) -> bool:
    return folder == PROJECT or (folder.is_relative_to(PROJECT) and (folder / "__init__.py").is_file())


def _advice(reason: Reason, text: str, log: list[str], submission: Submission) -> Block:
    """Advice on a fault; the records know a file of the course's frameworks by its name alone."""
    advice = advice_for(reason, text, log, submission)
    if any(file.name == COURSE_FILE for file in submission.files):
        advice = in_course_words(advice)
    return Block("p", _shown(submission, f"-> {advice}"))


def _shown(submission: Submission, text: str) -> str:
    """A text in which the paths of the agent's files, and of this project's, are relative."""
    return submission.shown(text).replace(f"{PROJECT}/", "")


def _game_blocks(game: StoredGame, record: GameRecord, agent: AgentEntry, *, counts: bool) -> Iterator[Block]:
    """A game as one of its players may see it; it `counts` if its pair is not void."""
    name = agent.name
    me = record.agents.index(name)
    verdict, opponent = record.verdict, record.agents[1 - me]
    ended = "void" if game.is_void else {1.0: "won", 0.5: "drawn", 0.0: "lost"}[record.points(name)]
    ended += "" if counts or game.is_void else "; it does not count, because its pair is void"
    order = ("first", "second")[me]
    yield Block("h2", f"Game {game.id}, round {game.round}, moving {order} against {opponent}: {ended}")
    submission = _as_recorded(agent, record.log(me))
    if verdict.loser == 1 - me:  # the sentence may quote what the other agent wrote
        yield Block("p", f"{opponent} lost [{verdict.reason}]")
    else:
        yield Block("p", _shown(submission, f"{verdict.text} [{verdict.reason}]"))
    log = record.log(me).splitlines()
    if verdict.loser == me and verdict.reason.is_fault:
        yield _advice(verdict.reason, verdict.text, log, submission)
    if log:
        left_out = len(log) - LOG_LINES
        yield Block("p", "Its log:" if left_out <= 0 else f"The end of its log, {counted(left_out, 'line')} left out:")
        yield Block("lines", _shown(submission, "\n".join(log[-LOG_LINES:])))
    try:
        yield Block("html", record.steps_html())
    except (InputError, Failure) as error:  # for example, the game's file has changed
        yield Block("p", f"This game cannot be shown: {error}")

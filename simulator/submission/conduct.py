"""The steps of a check that look at games: what the agent answered, how long it took, and what it tried to do."""

from collections.abc import Sequence
from itertools import chain

from agents.limits import Limits
from options import counted
from simulator.player.faults import Reason
from simulator.player.self_report import NETWORK, PROCESS, READ, WRITE
from simulator.submission.advice import IN_SETUP, IN_THIS_PROCESS, finding_of, in_words_of
from simulator.submission.files import Submission
from simulator.submission.findings import Finding, Level, fault, good, remark
from simulator.submission.reports import Reports
from simulator.submission.trials import Played

NEAR = 0.9  # from this share of a limit on, there is a remark

_MOVERS = ("first", "second")
_AGAIN = "this machine is too busy or too full: check again"

_ATTEMPTS = {
    WRITE: ("tries to write", "keep it in memory: nothing can be written, and nothing is kept from game to game"),
    NETWORK: ("tries to reach the network", "bring along what you need: there is no network"),
    PROCESS: ("tries to begin another process", IN_THIS_PROCESS),
    READ: ("reads its own files after its first move", f"load it {IN_SETUP}"),
}


def check_games(games: Sequence[Played], planned: int, submission: Submission) -> list[Finding]:
    """Findings on how the games ended."""
    found = []
    for played in games:
        mover = _MOVERS[played.side]
        text = (
            f"{played.result} against {played.opponent}, moving {mover}: {submission.shown(played.record.verdict.text)}"
        )
        if played.record.is_void:
            found.append(remark(text, _AGAIN))
        else:
            found.append(remark(text) if played.is_lost_by_fault else good(text))
    completed = {played.side for played in games if not played.record.is_void}
    found += [
        fault(f"no game in which it moves {mover} was completed", _AGAIN)
        for side, mover in enumerate(_MOVERS)
        if side not in completed
    ]
    if len(games) < planned and not any(played.is_lost_by_fault for played in games):
        found.append(remark(f"{len(games)} of {planned} games were played", "give a shorter --move-time to see more"))
    return found


def check_moves(games: Sequence[Played], submission: Submission) -> list[Finding]:
    """Whether every answer was a legal move; a fault that occurs in several games is reported once."""
    found = dict[str, Finding]()
    for played in games:
        if played.is_lost_by_fault:
            verdict = played.record.verdict
            finding = finding_of(verdict.reason, verdict.text, played.reports.rest, submission)
            found.setdefault(f"{verdict.reason} {finding.advice}", finding)
    answered = sum(len(played.moves) for played in games)
    return list(found.values()) or [good(f"{answered} answers, all of them legal moves")]


def check_time(games: Sequence[Played], limits: Limits, submission: Submission) -> list[Finding]:
    """Findings on the slowest answers, and on late ones."""
    found, late = list[Finding](), list[float]()
    for what, limit, moves in (
        ("first move, start included", limits.first_move_seconds, [played.moves[:1] for played in games]),
        ("slowest later move", limits.move_seconds, [played.moves[1:] for played in games]),
    ):
        answers = list(chain(*moves))
        if answers:
            found.append(_time(what, max(move.seconds for move in answers), limit))
        late += [move.seconds - limit for move in answers if move.replaced]
    if late:
        text = f"{counted(len(late), 'answer')} came late, by up to {max(late):.2f} s"
        advice = "return while clock.remaining is still 0.1 or more; look at it inside your loops"
        found.append(fault(f"{text}: a random move was played in place of each", in_words_of(submission, advice)))
    if _is_lost_by(Reason.TIMEOUT, games):
        found.append(remark("without the answer that did not come: see above"))
    return found or [remark("no answer, so no time")]


def _time(what: str, seconds: float, limit: float) -> Finding:
    text = f"{what}: {seconds:.2f} s of {limit:g} s"
    if NEAR * limit < seconds <= limit:
        return remark(
            f"{text}, close to the limit", "stop a little earlier: a slow moment of the machine makes it late"
        )
    return good(text)


def check_memory(games: Sequence[Played], limits: Limits) -> list[Finding]:
    """Findings on peak memory and the number of threads."""
    peak = max(played.record.peak_memory_mb[played.side] for played in games)
    threads = max(played.reports.threads for played in games)
    text = f"at most {peak:.0f} MB of {limits.memory_mb} MB"
    if _is_lost_by(Reason.MEMORY, games):
        found = [remark(f"{text}, but it asked for more: see above")]
    else:
        found = [
            good(text) if peak < NEAR * limits.memory_mb else remark(f"{text}, close to the limit", "use less memory")
        ]
    if threads > 1:
        found.append(remark(f"{threads} threads", "they share one processor, and have to stand still between moves"))
    elif threads == 1:
        found.append(good("one thread"))
    if _is_lost_by(Reason.PROCESSOR, games):
        found.append(remark("its threads or processes ended a game: see above"))
    return found


def _is_lost_by(reason: Reason, games: Sequence[Played]) -> bool:
    return any(played.is_lost_by_fault and played.record.verdict.reason is reason for played in games)


def check_rules(reports: Sequence[Reports], told: Sequence[Finding], submission: Submission) -> list[Finding]:
    """What the agent tried to do that the sandbox refuses, once for each kind and place.

    If the agent did not catch the error, a traceback in `told` shows it: then it is only a remark, not a second fault.
    """
    shown = {line.strip() for finding in told for line in finding.quoted}
    found = dict[tuple[str, str], Finding]()
    for attempt in chain.from_iterable(said.attempts for said in reports):
        # Of an error in a thread, Python itself prints the line, for which it opens the file.
        is_of_python = attempt.kind == READ and not attempt.place and attempt.what.endswith(".py")
        if attempt.kind in _ATTEMPTS and not is_of_python:
            deed, advice = _ATTEMPTS[attempt.kind]
            place = submission.shown(attempt.place) or "it is not known where in its code"
            file, _, line = place.rpartition(":")
            text = f"{deed}: {submission.shown(attempt.what)} ({place})"
            if any(quoted.startswith(f'File "{file}", line {line},') for quoted in shown):
                finding = remark(f"{text}, and that ended it: see above")
            else:
                finding = fault(text, in_words_of(submission, advice))
            found.setdefault((attempt.kind, place), finding)
    if any(said.is_cut for said in reports):
        text = "it printed more than its log keeps: what it tried to do meanwhile is not known"
        return [*found.values(), remark(text, "print less, and check it again")]
    if found:
        return list(found.values())
    until = ", until the fault above" if any(finding.level is Level.FAULT for finding in told) else ""
    return [good(f"no attempt to write, to reach the network, or to read after its first move{until}")]

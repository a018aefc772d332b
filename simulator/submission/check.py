"""A check: what a tournament will do to a submission, step by step, under the real limits and in the same sandbox."""

import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.agent import parse_agent
from simulator.gtp.syntax import printable
from simulator.player.compile_ahead import compile_ahead
from simulator.player.kept_code import forget
from simulator.referee.conditions import Conditions
from simulator.submission.archive import unpacked
from simulator.submission.conduct import check_games, check_memory, check_moves, check_rules, check_time
from simulator.submission.files import Submission, SubmissionError, find_submission
from simulator.submission.findings import CheckReport, Finding, Step, fault, good, remark
from simulator.submission.steps import check_files, check_imports, check_start
from simulator.submission.trials import OPPONENTS, Played, Start, begins_alike, play_all, staged, start

STEPS = (
    "files",
    "imports",
    "first start, nothing compiled",
    "start after being killed",
    "games",
    "answers",
    "time",
    "memory and threads",
    "what the sandbox refuses",
    "same seed, same game",
)

TELL_US = "that should not happen, whatever is handed in: tell those who run the tournament"
LONGEST_ERROR = 400  # characters
LONGEST_PATH = 4096

Tell = Callable[[Any], None]


@dataclass(frozen=True)
class CheckTask:
    """The check of a submission; a `Task` of `simulator.tournament.workers.protocol`, whose result is a CheckReport.

    It tells each `Step` as soon as the step is done.

    Attributes:
        path: a folder, a Python file, or a zip file.
    """

    path: Path
    conditions: Conditions

    def __str__(self) -> str:
        return f"the check of {self.path}"

    def run(self, tell: Tell, cores: tuple[int, ...]) -> CheckReport:
        """Check the submission; its agent runs on the last of these cores."""
        report = CheckReport(printable(str(self.path), LONGEST_PATH))
        return _Check(self.conditions, tell, cores[-self.conditions.limits.processors :], report).run(self.path)


@dataclass
class _Check:
    """A check in progress."""

    conditions: Conditions
    tell: Tell
    cores: tuple[int, ...]
    report: CheckReport

    def run(self, path: Path) -> CheckReport:
        """Go through the steps; those that an earlier fault prevents are reported without findings."""
        steps = self.report.steps
        try:
            if not str(path).isprintable():
                raise SubmissionError("its name has characters that cannot be printed", "rename the file")
            with unpacked(path) if path.suffix == ".zip" else nullcontext(find_submission(path)) as original:
                self.report.name, self.report.authors = original.name, original.authors
                if self._done(check_files(original)):
                    self._done(check_imports(original))
                    with staged(original) as submission:
                        try:
                            self._try(submission)
                        finally:
                            forget(submission.spec, self.conditions.load_game())
        except SubmissionError as error:
            self._done([fault(str(error), error.advice)])
        except Exception as error:  # a bug that one submission meets must not end the check of the others
            del steps[len(STEPS) - 1 :]  # if all steps were done and only cleaning up failed, the last one is replaced
            text = "".join(traceback.format_exception_only(error)).strip()
            self._done([fault(f"the check itself failed: {printable(text, LONGEST_ERROR)}", TELL_US)])
        while len(steps) < len(STEPS):
            self._done([])
        return self.report

    def _done(self, findings: list[Finding]) -> bool:
        """Report the next step as done, with these findings; returns whether it passed."""
        done = len(self.report.steps)
        step = Step(done + 1, STEPS[done], tuple(findings))
        self.report.steps.append(step)
        self.tell(step)
        return step.passed

    def _try(self, submission: Submission) -> None:
        """All steps in which the agent runs."""
        limits, starts = self.conditions.limits, list[Start]()
        for when in ("nothing compiled before", "again after being killed"):
            starts.append(start(submission, self.conditions, self.cores, is_cold=not starts))
            self._take_figures(starts)
            if not self._done(check_start(submission, starts[-1], limits, when)):
                return
        compile_ahead(self.conditions.load_game(), [parse_agent(opponent) for opponent, _ in OPPONENTS])
        games = list(play_all(submission, self.conditions, self.cores))
        self._take_figures(starts, games)
        self._done(check_games(games, len(OPPONENTS), submission))
        answers = check_moves(games, submission)
        is_fair = self._done(answers)
        self._done(check_time(games, limits, submission))
        self._done(check_memory(games, limits))
        reports = [begun.reports for begun in starts] + [played.reports for played in games]
        self._done(check_rules(reports, answers, submission))
        if is_fair:
            self._done([self._repeatable(submission, games[0])])

    def _repeatable(self, submission: Submission, before: Played) -> Finding:
        """Whether a game can be repeated; a remark, not a fault, if it cannot."""
        if begins_alike(submission, self.conditions, before, self.cores):
            return good("with the same seed it begins a game in the same way")
        return remark(
            "with the same seed it begins a game differently: that costs nothing, but a loss cannot be played again",
            "take all random numbers from self.rng, and count simulations in place of seconds while you look for it",
        )

    def _take_figures(self, starts: Sequence[Start], games: Sequence[Played] = ()) -> None:
        self.report.agent = next((begun.reports.agent for begun in starts if begun.reports.agent), "")
        seconds = [begun.seconds for begun in starts]
        later = [move.seconds for played in games for move in played.moves[1:]]
        memory = [begun.peak_mb for begun in starts] + [game.record.peak_memory_mb[game.side] for game in games]
        figures = {
            "cold_start_seconds": seconds[0],
            "warm_start_seconds": seconds[1] if len(seconds) > 1 else None,
            "import_seconds": starts[0].reports.load_seconds,
            "slowest_move_seconds": max(later, default=None),
            "peak_memory_mb": max(memory),
            "threads": max((game.reports.threads for game in games), default=None),
            "games": len(games),
            "games_won": sum(game.result == "won" for game in games),
        }
        self.report.figures = {name: round(value, 3) for name, value in figures.items() if value is not None}


def given_up(path: Path, why: str) -> CheckReport:
    """The report of a check that was not finished; `why` is the reason, perhaps followed by a traceback."""
    text, *quoted = why.splitlines()
    first = Step(1, STEPS[0], (fault(f"the check was given up: {text}", TELL_US, quoted),))
    others = [Step(number, name, ()) for number, name in enumerate(STEPS[1:], 2)]
    return CheckReport(printable(str(path), LONGEST_PATH), steps=[first, *others])

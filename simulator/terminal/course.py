"""Games as the simulators of the McGill course (COMP 424) show them, in nearly the same words.

One game is a line a move, with the board after each on request (`MoveLines`); many are a bar that grows
(`GamesBar`), and at the end a line for each player (`autoplay_lines`).
"""

import time
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from game import Game
from simulator.referee.game_record import GameRecord, MoveRecord, Reason
from simulator.referee.referee import Watcher
from simulator.statistics.usage import Tally, tally
from simulator.terminal.live import LineObserver
from simulator.terminal.match_summary import why_not_played
from simulator.tournament.match_result import MatchResult
from simulator.tournament.observer import TournamentInfo

BAR_REDRAWS = 2  # a second: the bar's thread shares the referee's processor
UNREMARKABLE = {Reason.RULES, Reason.RESIGNATION}  # endings that many games may have without a word about each


def say(console: Console, line: str) -> None:
    """One line as it is: programs read these, so a narrow terminal must not break them."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def player_text(number: int, name: str) -> str:
    """What the course calls the player named first or second on the command line.

    >>> player_text(1, "uct_agent")
    'Player 1, agent uct_agent'
    """
    return f"Player {number}, agent {name}"


class MoveLines(Watcher):
    """One game, in which player 1 moves first: a line a move.

    Args:
        delay: seconds for which each board is shown; None shows none. No clock runs meanwhile.

    Attributes:
        moves: how many were made so far.
    """

    def __init__(self, console: Console, delay: float | None) -> None:
        self.moves = 0
        self._console, self._delay = console, delay
        self._game: Game
        self._names = ("", "")

    def game_started(self, game: Game, names: tuple[str, str], position: Any) -> None:
        """Show the board from which the agents begin."""
        self._game, self._names = game, names
        self._show(position)

    def move_made(self, record: MoveRecord, position: Any) -> None:
        """Say who played what, and show where it led."""
        self.moves += 1
        who = player_text(record.player + 1, self._names[record.player])
        late = " (a random move: its answer came too late)" if record.replaced else ""
        time_taken = f"Time taken this turn (in seconds): {record.seconds:.5f}"
        say(self._console, f"{who}, plays {record.move}{late}. {time_taken}")
        self._show(position)

    def _show(self, position: Any) -> None:
        if self._delay is not None:
            board = self._game.draw(position, colour=not self._console.no_color)
            self._console.print(Text("\n"), Text.from_ansi(board), Text("\n"), sep="")
            time.sleep(self._delay)


def finished_lines(record: GameRecord) -> list[str]:
    """Who won one game and why, and what the loser said last where a fault ended it."""
    verdict = record.verdict
    if verdict.reason is Reason.VOID:
        winner = "The game is void: nobody wins."
    elif verdict.winner is None:
        winner = "It is a draw."
    else:
        winner = f"{player_text(verdict.winner + 1, record.agents[verdict.winner])}, wins."
    return [f"Run finished. {winner}", verdict.text, *(f"    | {line}" for line in verdict.stderr)]


class GamesBar(LineObserver):
    """Many games: a bar on a terminal, and a few lines for each game that ended by a fault or was void."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            refresh_per_second=BAR_REDRAWS,
            transient=True,
            disable=not console.is_terminal or console.is_dumb_terminal,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def started(self, info: TournamentInfo) -> None:
        """Set the bar to the match's length."""
        self.info = info
        self._bar.update(self._task, total=info.games, description=" - ".join(info.names))

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """One game more."""
        if record.verdict.reason not in UNREMARKABLE:
            super().game_over(pair, number, record)
        self._bar.update(self._task, advance=1)

    def ended(self, complete: bool) -> None:
        """The summary follows."""


def autoplay_lines(match: MatchResult) -> list[str]:
    """What many games add up to: a line for each player, before them one that says so if the match was stopped."""
    played, of = len(match.records), match.games
    stopped = match.interrupted or bool(match.absent)
    lines = [f"Stopped: {played} of {of} games were played."] if stopped else []
    if why := why_not_played(match):
        lines.append(f"{why}.")
    void = sum(record.verdict.reason is Reason.VOID for record in match.records)
    if void:
        lines.append(f"{void} void: the referee's own machine failed in them; they are not counted.")
    if played > void:
        tallies = [tally(name, match.records) for name in match.names]
        lines += [_player_line(number, agent) for number, agent in enumerate(tallies, 1)]
    return lines


def _player_line(number: int, agent: Tally) -> str:
    share = agent.total.points / agent.total.games
    return f"{player_text(number, agent.name)}, win percentage: {share:.1%}. {_turn_times(agent)}"


def _turn_times(agent: Tally) -> str:
    """The slowest turn; first turns, whose limit is another, apart from the others."""
    first, later = max(agent.first_seconds, default=None), max(agent.later_seconds, default=None)
    if first is None:
        return "It finished no turn."
    if later is None:
        return f"Maximum turn time was {first:.5f} seconds, all first turns, set-up included."
    return f"Maximum turn time was {later:.5f} seconds; of first turns, set-up included, {first:.5f} seconds."

"""Games as the simulators of the McGill course (COMP 424) show them, in nearly the same words.

One game is shown as a line for each move, on request with the board after it (`MoveLines`); many games as a bar that
grows (`AutoplayObserver`), and at the end as a line for each player (`autoplay_lines`).
"""

import time
from collections.abc import Sequence
from itertools import chain
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from game import Game, play_moves
from simulator.records.schema import Pair
from simulator.referee.events import GameBegan, GameEvent
from simulator.referee.game_record import GameRecord, MoveRecord
from simulator.statistics.usage import Tally, tally
from simulator.terminal.live import LineObserver
from simulator.terminal.match_summary import void_text, why_not_played
from simulator.terminal.tables import absence_lines
from simulator.tournament.events import Ended, Event, Started


def say(console: Console, line: str) -> None:
    """One line as it is: programs read these, so a narrow terminal must not break them."""
    console.print(Text(line), soft_wrap=True)


def player_text(number: int, name: str) -> str:
    """What the course calls the player named first or second on the command line.

    >>> player_text(1, "uct_agent")
    'Player 1, agent uct_agent'
    """
    return f"Player {number}, agent {name}"


class MoveLines:
    """Prints a line for each move of one game, in which player 1 moves first. An observer of that game.

    Args:
        delay: seconds for which each board is shown, while no clock runs; None shows no boards.

    Attributes:
        moves: how many were made so far.
    """

    def __init__(self, console: Console, game: Game, delay: float | None) -> None:
        self.moves = 0
        self._console, self._game, self._delay = console, game, delay
        self._names = ("", "")
        self._position: Any = None

    def __call__(self, event: GameEvent) -> None:
        """Show the board from which the agents begin, then each move and the board after it."""
        match event:
            case GameBegan(names, opening):
                self._names, self._position = names, None
                self._show(opening)
            case MoveRecord(player=player):
                self.moves += 1
                who = player_text(player + 1, self._names[player])
                late = " (a random move: its answer came too late)" if event.replaced else ""
                time_taken = f"Time taken this turn (in seconds): {event.seconds:.5f}"
                say(self._console, f"{who}, plays {event.move}{late}. {time_taken}")
                self._show([event.move])

    def _show(self, moves: Sequence[str]) -> None:
        self._position = play_moves(self._game, moves, self._position)[-1]
        if self._delay is not None:
            board = self._game.draw(self._position, colour=not self._console.no_color)
            self._console.print(Text("\n"), Text.from_ansi(board), Text("\n"), sep="")
            time.sleep(self._delay)


def finished_lines(record: GameRecord) -> list[str]:
    """Who won one game and why, and the end of the loser's log if a fault ended it."""
    verdict = record.verdict
    if record.is_void:
        winner = "The game is void: nobody wins."
    elif verdict.winner is None:
        winner = "It is a draw."
    else:
        winner = f"{player_text(verdict.winner + 1, record.agents[verdict.winner])}, wins."
    return [f"Run finished. {winner}", verdict.text, *(f"    | {line}" for line in verdict.stderr)]


class AutoplayObserver(LineObserver):
    """Many games: on a terminal a bar and the score, and lines for the games that were void or ended by a fault."""

    def __init__(self, console: Console) -> None:
        super().__init__(console, has_tables=False)
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, event: Event, pair: Pair | None = None) -> None:
        """Say what happened, and show how many games are over."""
        super().__call__(event, pair)
        if isinstance(event, Started) and self.console.is_terminal and not self.console.is_dumb_terminal:
            self._live.start()
            self._show()
        elif isinstance(event, Ended):
            self._live.stop()

    def say_game(self, number: int, record: GameRecord) -> None:
        """Say how a game ended, unless it ended as most do."""
        if record.verdict.reason.is_fault or record.is_void:
            super().say_game(number, record)
        self._show()

    def _show(self) -> None:
        if self._live.is_started:
            self._live.update(Group(self.bar, Text(self.score())), refresh=True)


def autoplay_lines(match: Ended) -> list[str]:
    """A line for each player; before them, whether the match was stopped, and how many games are not counted."""
    played, void = len(match.records), sum(record.is_void for record in match.records)
    stopped = match.interrupted or bool(match.absent)
    lines = list(chain(*map(absence_lines, match.absent)))
    lines += [f"Stopped: {played} of {match.games} games were played."] if stopped else []
    if why := why_not_played(match):
        lines.append(f"{why}.")
    if void:
        lines.append(f"{void_text(void)}.")
    tallies = [tally(name, match.records) for name in match.names]
    if any(agent.total.games for agent in tallies):
        lines += [_player_line(number, agent) for number, agent in enumerate(tallies, 1)]
    return lines


def _player_line(number: int, agent: Tally) -> str:
    share = agent.total.points / agent.total.games
    return f"{player_text(number, agent.name)}, win percentage: {share:.1%}. {_turn_times(agent)}"


def _turn_times(agent: Tally) -> str:
    """The slowest turn; first turns, which have another limit, are told separately."""
    first, later = max(agent.first_seconds, default=None), max(agent.later_seconds, default=None)
    if first is None:
        return "It finished no turn."
    if later is None:
        return f"Maximum turn time was {first:.5f} seconds; all were first turns, with set-up."
    return f"Maximum turn time was {later:.5f} seconds; for first turns, with set-up, {first:.5f} seconds."

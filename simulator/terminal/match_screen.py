"""What a match shows while it is played: a live board on a terminal, one line a game elsewhere.

Both write one line for each finished game, and the agent's last stderr lines where a fault ended it.
"""

import time
from types import TracebackType
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from game import Game
from simulator.referee.game_record import GameRecord, MoveRecord
from simulator.terminal.match_summary import score, standing_of_test
from simulator.tournament.match import Match, MatchWatcher, ScheduledGame

REDRAW_SECONDS = 0.1  # drawing costs the referee's processor about 2 ms


def progress_on(console: Console) -> "LineProgress":
    """The display that suits a console."""
    live = console.is_terminal and not console.is_dumb_terminal
    return LiveProgress(console) if live else LineProgress(console)


def standing(match: Match) -> str:
    """`uct_agent 2.5 - 0.5 random_agent`, and where the test stands if there is one."""
    first, second = match.names
    points = f"{first} {score(first, match.records):g} - {score(second, match.records):g} {second}"
    return f"{points}   {standing_of_test(match)}".rstrip()


class LineProgress(MatchWatcher):
    """One line a game, plain text."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.match: Match
        self._names = ("", "")
        self._standing = ""

    def match_started(self, match: Match) -> None:
        """Keep the match, whose records grow."""
        self.match = match
        self._standing = standing(match)

    def game_started(self, game: Game, names: tuple[str, str], position: Any) -> None:
        """Remember who plays."""
        self._names = names

    def move_made(self, record: MoveRecord, position: Any) -> None:
        """Say so when a move came too late to be played."""
        if record.replaced:
            late = f"{self._names[record.player]} answered after {record.seconds:.3f} s"
            self._say(f"    move {record.ply + 1}: {late}, too late; a random move was played")

    def game_again(self, record: GameRecord) -> None:
        """Say why."""
        self._say(f"    void, played again: {record.verdict.text}")

    def game_counted(self, record: GameRecord) -> None:
        """Who won and why; what the loser said last, if a fault ended the game."""
        done, of = len(self.match.records), self.match.settings.games
        self._say(f"game {done}/{of}: {record.verdict.text}")
        for line in record.verdict.stderr:
            self._say(f"    | {line}")
        self._standing = standing(self.match)
        self._say(f"    {self._standing}")

    def _say(self, line: str) -> None:
        """Wrapped between words on a terminal, one line for programs that read lines."""
        self.console.print(line, markup=False, highlight=False, soft_wrap=not self.console.is_terminal)


class LiveProgress(LineProgress):
    """The lines of `LineProgress`, and under them the game in play: board, clock, memory, score."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._drawn_at = 0.0
        self._game: Game
        self._position: Any = None
        self._player: int | None = None
        self._limit = self._elapsed = self._memory = 0.0

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.update("", refresh=True)
        self._live.__exit__(kind, error, trace)

    def game_scheduled(self, scheduled: ScheduledGame) -> None:
        """Nobody has been asked for a move yet."""
        self._player = None

    def game_started(self, game: Game, names: tuple[str, str], position: Any) -> None:
        """Draw the position after the opening."""
        super().game_started(game, names, position)
        self._game, self._position = game, position
        self._redraw(force=True)

    def move_started(self, player: int, position: Any, limit_seconds: float) -> None:
        """A clock starts."""
        self._player, self._position, self._limit, self._elapsed = player, position, limit_seconds, 0.0
        self._redraw()

    def tick(self, player: int, elapsed: float, memory_mb: float) -> None:
        """A clock runs."""
        self._elapsed, self._memory = elapsed, memory_mb
        self._redraw()

    def move_made(self, record: MoveRecord, position: Any) -> None:
        """Show the move."""
        super().move_made(record, position)
        self._position = position
        self._redraw()

    def _redraw(self, force: bool = False) -> None:
        now = time.monotonic()
        if force or now - self._drawn_at >= REDRAW_SECONDS:
            self._drawn_at = now
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        number, of = len(self.match.records) + 1, self.match.settings.games
        colour = not self._live.console.no_color
        return Group(
            Text(f"\ngame {number} of {of}   {self._standing}\n", style="bold"),
            Text.from_ansi(self._game.draw(self._position, colour=colour)),
            Text(),
            *(self._player_line(player) for player in (0, 1)),
        )

    def _player_line(self, player: int) -> RenderableType:
        line = Table.grid(padding=(0, 1, 0, 0))
        for width in (1, 20, 14, 40):
            line.add_column(width=width, no_wrap=True, overflow="ellipsis")
        thinks = player == self._player
        name = Text(self._names[player], style="bold" if thinks else "")
        line.add_row(self._game.players[player], name, *((self._bar(), self._figures()) if thinks else ()))
        return line

    def _bar(self) -> RenderableType:
        return ProgressBar(total=max(self._limit, 1e-9), completed=min(self._elapsed, self._limit), width=14)

    def _figures(self) -> str:
        memory = f"{self._memory:.0f} of {self.match.settings.limits.memory_mb} MB"
        return f"move {self._position.ply + 1}  {self._elapsed:.1f} of {self._limit:g} s  {memory}"

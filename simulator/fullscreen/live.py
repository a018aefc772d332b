"""A match or tournament on a full screen while it is played: the lines, the games in play, a board or the standings.

The coordinator plays, and tells `LiveObserver` what happens; only then the Textual application gets its turn. So it
needs no thread, but while nothing happens, keys wait. Ctrl-C and Ctrl-Z do not wait, see `LiveDriver`.
"""

import asyncio
import math
import os
import signal
import time
from contextlib import suppress
from typing import Any, ClassVar

from rich.console import Console, Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import RichLog, Static

from board_view import Scene
from game import RulesError
from simulator.fullscreen.board import Board
from simulator.fullscreen.board_app import BoardApp
from simulator.fullscreen.driver import TerminalDriver
from simulator.fullscreen.games_in_play import games_table
from simulator.records.schema import Pair
from simulator.terminal.live import InPlay, LineObserver
from simulator.terminal.tables import cross_table_of, standings_table
from simulator.tournament.events import Ended, Event, PairSaved, Planned, Started

REDRAW_SECONDS = 0.2  # drawing costs the referee's processor about 6 ms
TURNS = 30  # of the application's tasks at a time: enough for a key or an update, without waiting
START_SECONDS = 10.0  # the most that is waited until the application can draw
SHOWN_ROWS = 10
LINES, MOST_LINES = 6, 1000  # that are seen if there is room; that can be scrolled back to
SIGNALS = {"ctrl+c": signal.SIGINT, "ctrl+z": signal.SIGTSTP}
KEYS = [
    Binding("tab,right,n", "watch(1)", "watch the next game", key_display="Tab", priority=True),
    Binding("left,b", "watch(0)", "the one before", key_display="b", priority=True),
    Binding("s", "standings", "standings", key_display="s"),
]


def is_ours(descriptor: int = 0) -> bool:
    """Whether this is a terminal with this program in its foreground: a program in the background would be stopped."""
    try:
        return os.isatty(descriptor) and os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return False


class LiveDriver(TerminalDriver):
    """Sends the signals of Ctrl-C and Ctrl-Z at once, as a terminal does, not when the application has its turn."""

    def process_message(self, message: Message) -> None:
        """Take a key, in the thread that reads keys."""
        if isinstance(message, events.Key) and message.key in SIGNALS:
            os.killpg(os.getpgrp(), SIGNALS[message.key])
        else:
            super().process_message(message)

    def _sigcont_application(self, *arguments: Any) -> None:
        """Do nothing after Ctrl-Z: the match may go on in the background, and `resume` draws again."""
        if not self._must_signal_resume:
            super()._sigcont_application(*arguments)

    def write(self, data: str) -> None:
        """Write to the terminal; what is drawn while the terminal is not ours is lost: nobody would empty the queue."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    def stop_application_mode(self) -> None:
        """Give the terminal back, unless that was done before."""
        if not self._must_signal_resume:
            super().stop_application_mode()

    def disable_input(self) -> None:
        """Read no more keys, unless the terminal was given back: touching it would then stop this program."""
        if not self._must_signal_resume:
            super().disable_input()

    def resume(self) -> bool:
        """Take the terminal again if it was given back and we are in the foreground; returns whether it is ours."""
        if self._must_signal_resume and is_ours(self.fileno):
            super()._sigcont_application()
        return not self._must_signal_resume


class LiveApp(BoardApp):
    """The application that shows a match or tournament.

    Attributes:
        chosen: the pair that was last chosen to be watched; None for the standings.
        is_drawn: whether anything was drawn yet.
    """

    advice = "make it larger. The match goes on."
    lower_parts = ("bar", "score", "games", "tables", "lines", "keys")
    lower_lines = 10
    shows_whole_board = False  # the standings can be watched even so
    ends_at_signals = False  # the coordinator ends the match, which ends this application
    BINDINGS: ClassVar[list[BindingType]] = [*KEYS, Binding("ctrl+q", "nothing", priority=True)]

    def __init__(self, live: "LiveObserver") -> None:
        super().__init__(driver=LiveDriver)
        self._live, self._has_standings = live, not live.info.is_match
        self._shown: Any = None
        self.is_drawn = False
        self.chosen: int | None = None

    def compose(self) -> ComposeResult:
        """The progress and the games in play, above the board or the standings; below them what was said."""
        yield Static(id="bar")
        yield Static(id="games")
        yield Static(id="score")
        with Horizontal(id="upper"):
            yield Board(self._live.game, self._live.game.initial())
            with Vertical(id="side"):
                yield Static(id="about")
        yield Static(id="tables")
        yield RichLog(id="lines", wrap=True, min_width=1, max_lines=MOST_LINES)
        yield Static(id="keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Take the focus from board and lines, so that keys choose what is watched."""
        self.board.can_focus = False
        self.part("lines").can_focus = False
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Write the lines anew, too: they were broken at the former width."""
        super().fit()
        self.call_after_refresh(self._write_lines)

    def _write_lines(self) -> None:
        log = self.query_one(RichLog).clear()
        for line in self._live.said[-MOST_LINES:]:
            log.write(Text(line))

    @property
    def watched(self) -> int | None:
        """The pair whose board is shown; None for the standings, or if no game is in play.

        If the games of the chosen pair are over, it is another pair in play.
        """
        in_play = self._live.in_play
        if not in_play or (self.chosen is None and self._has_standings):
            return None
        return self.chosen if self.chosen in in_play else min(in_play)

    @property
    def choices(self) -> list[int | None]:
        """What can be shown, in order."""
        return [*([None] if self._has_standings else []), *sorted(self._live.in_play)]

    def action_watch(self, forwards: int) -> None:
        """Show the next choice, or the one before."""
        if len(choices := self.choices) > 1:
            self.chosen = choices[(choices.index(self.watched) + (1 if forwards else -1)) % len(choices)]
            self.update_all()

    def action_standings(self) -> None:
        """Show the standings, if there are any."""
        self.chosen = None
        self.update_all()

    def has_terminal(self) -> bool:
        """Whether there is a terminal to draw on; after Ctrl-Z only when the program is in the foreground again."""
        return not isinstance(self._driver, LiveDriver) or self._driver.resume()

    def update_all(self) -> None:
        """Draw everything."""
        self.is_drawn = True
        live, pair = self._live, self.watched
        for name, content in (("bar", live.bar), ("games", live.games(pair)), ("tables", live.tables)):
            self.query_one(f"#{name}", Static).update(content)
        self.write("score", live.score() if not self._has_standings else "")
        is_small = self.part("small").display
        self.part("upper").display = pair is not None and not is_small
        self.part("tables").display = pair is None and not is_small
        if pair is not None:
            game = live.in_play[pair]
            self.write("about", live.headline(game))
            if game.position is not self._shown:
                self._shown = game.position
                self._show(game.position)
        self.write_keys(KEYS[: 3 if self._has_standings else 2] if len(self.choices) > 1 else ())
        self.call_after_refresh(self._share)

    def _share(self) -> None:
        """Leave the lines what the rest of the screen does not need."""
        board = self.board.size_for(0, 0).height if self.part("upper").display else 0
        others = sum(self.part(name).size.height for name in ("bar", "games", "score", "keys"))
        self.part("lines").styles.height = max(0, min(LINES, self.size.height - board - others))

    def _show(self, position: Any) -> None:
        """Show a position, unless the rules of a game's file fail there: the game will be void, and says why."""
        with suppress(RulesError):
            position.legal_moves()
            self.board.view.picture(Scene(position))  # by the file's own `draw` if it has one
            self.board.show(position)


class LiveObserver(LineObserver):
    """Shows the lines of `LineObserver` on a full screen, with what happens now; at the end it prints the lines.

    For a match it shows the board of a game in play; for a tournament the standings, or such a board after a key. Both
    show the games in play with their clocks and memory, and how long the rest may take.

    Args:
        size: characters in a line, and lines, of a screen that nobody sees; None for the terminal.
    """

    def __init__(self, console: Console, has_tables: bool = True, size: tuple[int, int] | None = None) -> None:
        super().__init__(console, has_tables)
        self.tables: RenderableType = Text()
        self._size, self.said, self._drawn_at = size, list[str](), -math.inf
        self._loop = asyncio.new_event_loop()
        self.app: LiveApp | None = None
        self._running: asyncio.Task[Any]

    def __exit__(self, *_: object) -> None:
        self._close()

    def __call__(self, event: Event, pair: Pair | None = None) -> None:
        """Say what happened, and show what happens now."""
        if isinstance(event, Ended):
            self._close()
        super().__call__(event, pair)
        if isinstance(event, Started):
            self._open()
        elif isinstance(event, Planned | PairSaved):
            self._make_tables()
        self._redraw()

    def say(self, line: str) -> None:
        """Show a line, and keep it for the end."""
        if self.app is None:
            super().say(line)
        else:
            self.said.append(line)
            self.app.query_one(RichLog).write(Text(line))

    # --- The application ---

    def _open(self) -> None:
        self.app = app = LiveApp(self)
        self._running = self._loop.create_task(app.run_async(headless=self._size is not None, size=self._size))
        end = time.monotonic() + START_SECONDS
        while not app.is_drawn and self.app is not None and time.monotonic() < end:
            self.turn()

    def turn(self) -> None:
        """Let the application do its work; if it has failed, which it reports itself, the match goes on in lines."""

        async def some() -> None:
            for _ in range(TURNS if self.app is not None and self.app.has_terminal() else 0):
                await asyncio.sleep(0)

        self._loop.run_until_complete(some())
        if self._running.done() or (self.app is not None and self.app.return_code):
            self._close()

    def _redraw(self) -> None:
        now = time.monotonic()
        if self.app is not None and now - self._drawn_at >= REDRAW_SECONDS:
            self._drawn_at = now
            self.app.call_later(self.app.update_all)
            self.turn()

    def _close(self) -> None:
        """End the application, and print the lines."""
        if (app := self.app) is not None:
            self.app = None
            app.exit()
            self._loop.run_until_complete(self._running)
            for line in self.said:
                self.say(line)
        self._loop.close()

    # --- What is shown ---

    def headline(self, game: InPlay) -> str:
        """`game 7: alpha (w) - beta (b), last move c3/0r`."""
        players = (f"{name} ({colour})" for name, colour in zip(game.names, self.game.players, strict=True))
        move = game.position.last_move
        last = "" if move is None else f", last move {self.game.format_move(move)}"
        return f"game {game.number}: {' - '.join(players)}{last}"

    def _make_tables(self) -> None:
        """Make standings and cross-table, which change only with the records."""
        if not self.info.is_match:
            standings = self.league.standings()
            cross = cross_table_of(self.league, standings.rows[:SHOWN_ROWS], self.console.width)
            self.tables = Group(standings_table(standings, SHOWN_ROWS), cross)

    def games(self, watched: int | None) -> RenderableType:
        """The games in play, with the player that thinks, its clock and its memory."""
        return games_table(self.in_play, watched, self.game.players, self.info.settings.conditions)

"""The full screen of `runner.py replay`: steps through finished games by keys, slider, list, or by itself.

All that is known of a game comes from `simulator.play.replay.Replay`, as in lines and on the page. Begin reading at
`ReplayApp.show`.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Static

from game import FIRST, SECOND
from options import Failure, InputError
from simulator.fullscreen.board import Board
from simulator.fullscreen.board_app import BoardApp, Look
from simulator.fullscreen.dialogs import Logs, Type, ask
from simulator.fullscreen.game_list import GameList
from simulator.fullscreen.panels import Moves, Players
from simulator.fullscreen.theme import next_theme
from simulator.fullscreen.timeline import Slider, ValuePlot
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, plain_side_name
from simulator.play.replay import STEPS, Replay
from simulator.records.reader import PlayedGames, Summary

MOST_LOWER, LEAST_LOWER = 6, 3  # lines below the board: slider, keys, and between them what is known of the move
PLAY_SECONDS = 0.8  # a move, while the game plays by itself
SEARCH_SECONDS = 0.001  # between two games that are tried, so that keys do not wait for a search through many
KEYS = [  # in the order in which they are shown
    Binding("right,enter,n", "step('next')", "next", key_display="→"),
    Binding("left,b", "step('back')", "back", key_display="←"),
    Binding("space", "play", "play", key_display="Space"),
    Binding("escape", "games", "games", key_display="Esc"),
    Binding("o", "texts", "logs", key_display="o"),
    Binding("q,ctrl+q", "quit", "leave", key_display="q"),
    Binding("home,f", "step('first')", "first", key_display="Home"),
    Binding("end,l", "step('last')", "last", key_display="End"),
    Binding("g", "goto", "go to", key_display="g"),
    Binding("down,right_square_bracket", "neighbour('after')", "next game", key_display="↓"),
    Binding("up,left_square_bracket", "neighbour('before')", "game before", key_display="↑"),
    Binding("t", "colours", "colours", key_display="t"),
    Binding("pagedown", "step('page_down')", "10 on", key_display="PgDn"),
    Binding("pageup", "step('page_up')", "10 back", key_display="PgUp"),
]
OF_SEVERAL_GAMES = ("games", "neighbour('after')", "neighbour('before')")


def first_readable(games: PlayedGames) -> int:
    """The number of the first game that can be played again here; if there is none, of the first game."""
    for number in games.numbers:
        with suppress(Failure, InputError):
            Replay(games.game(number))
            return number
    return next(iter(games.numbers), 1)


class ReplayApp(BoardApp):
    """Steps through the games of a file."""

    advice = "make it larger. Or leave (q) and use --plain, in lines."
    lower_parts = ("slider", "now", "keys")
    lower_lines = MOST_LOWER
    BINDINGS: ClassVar[list[BindingType]] = [
        *KEYS,
        *(Binding(digit, f"goto('{digit}')", show=False) for digit in "123456789"),
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self, games: PlayedGames, number: int | None = None, look: Look | None = None, *, with_texts: bool = False
    ) -> None:
        """Show a game; without a number, show the list of games first. `with_texts` shows the logs of the game first.

        Raises InputError if there is no such game, or if it cannot be played again here.
        """
        super().__init__(look)
        self.games, self.list = games, list[Summary](games.summaries())
        self._asks_first, self._with_texts = number is None, with_texts
        self._timer: Timer | None = None
        self.read(number or first_readable(games))

    def read(self, number: int) -> None:
        """Read a game of the file. Raises InputError."""
        self.replay, self.number = Replay(self.games.game(number)), number
        self.line = GameInProgress(self.replay.game, self.replay.positions, self.replay.record.agents)

    def compose(self) -> ComposeResult:
        """Board and panels, the slider, what is known of the move, the keys."""
        board = Board(self.replay.game, self.replay.positions[0], animated=self.look.animated)
        board.can_focus = False  # keys step through the game
        with Horizontal(id="upper"):
            yield board
            with Vertical(id="side"):
                yield Static(id="about")
                yield Players(id="players")
                yield Static(id="values-title")
                yield ValuePlot(id="values")
                yield Moves(id="moves")
                yield Static(id="score")
        yield Slider(id="slider")
        yield Static(id="now")
        yield Static(id="keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Show the game, or first the list or the logs if that is wanted."""
        self.call_after_refresh(self.fit)
        if self._asks_first and len(self.list) > 1:
            self.action_games(with_texts=self._with_texts)
        elif self._with_texts:
            self.action_texts()

    def fit(self) -> None:
        """Let a large board have lines of what is known of the move."""
        needed = self.board.size_for(self.size.height - MOST_LOWER, self.size.width).height
        self.lower_lines = min(MOST_LOWER, max(LEAST_LOWER, self.size.height - needed))
        self.part("now").styles.height = self.lower_lines - 2
        super().fit()

    # --- A position ---

    def show(self, ply: int, *, animated: bool = False) -> None:
        """Show the position after so many moves, and all that is known of the last of them."""
        replay = self.replay
        replay.go(ply)
        before = replay.positions[replay.ply - 1] if animated and replay.ply else None
        self.board.show(replay.positions[replay.ply], before)
        self.update_all()

    def update_all(self) -> None:
        """Draw everything that is not the board."""
        replay = self.replay
        self.line.look_at(replay.ply)
        self.query_one(Slider).show(replay.ply, replay.last)
        self.query_one(ValuePlot).show(replay.chances, replay.movers, replay.ply)
        self.query_one(Moves).show(self.line, self.board.view.rules)
        has_values = any(value is not None for value in replay.chances)
        title = f"{plain_side_name(replay.game, FIRST)}'s chance, as agents see it"
        self.write("values-title", title if has_values else "the agents gave no chances")
        self.write("about", replay.headline())
        names, figures = (list(map(text_of, (FIRST, SECOND))) for text_of in (replay.name, self._figures))
        to_move = replay.movers[replay.ply] if replay.ply < replay.last else None
        self.query_one(Players).show(replay.game, names, figures, to_move, replay.record.verdict.winner)
        shown = replay.positions[replay.ply]
        self.write("score", self.board.view.score(shown) if shown.result is not None else "")
        verdict = [replay.verdict()] if replay.ply == replay.last else []
        now = [capitalized(replay.last_move(replay.ply)), "; ".join(replay.usage(replay.ply))]
        has_room = self.lower_lines == MOST_LOWER
        self.write("now", "\n".join([*now, *verdict]) if has_room else "   ".join([*verdict, *now]))
        self._show_keys()

    def _figures(self, player: int) -> str:
        """`0.51 s  181 MB`: time and memory of a player's last move; figures that nobody measured are left out."""
        made = enumerate(self.replay.movers[: self.replay.ply], 1)
        moves = [move for ply, mover in made if mover == player and (move := self.replay.move(ply))]
        last = moves[-1] if moves else None
        seconds = [f"{last.seconds:.2f} s"] if last and last.seconds else []
        memory = [f"{last.peak_memory_mb:.0f} MB"] if last and last.peak_memory_mb else []
        return "  ".join(seconds + memory)

    def _show_keys(self) -> None:
        self.write_keys(
            replace(key, description="stop") if key.action == "play" and self._timer else key
            for key in KEYS
            if len(self.list) > 1 or key.action not in OF_SEVERAL_GAMES
        )

    # --- Moving through the game ---

    def action_look_at(self, ply: int, *, animated: bool = False) -> None:
        """Go to a move that a person has chosen; the game does not go on by itself any more."""
        self._stop()
        self.show(ply, animated=animated)

    def action_step(self, command: str) -> None:
        """Go forward, back, or to an end; a single move forward is animated."""
        before, last = self.replay.ply, self.replay.last
        self.action_look_at(STEPS[command](before, last), animated=command == "next" and before < last)

    def action_goto(self, digits: str = "") -> None:
        """Ask for the number of a move."""
        last = self.replay.last

        def wrong(text: str) -> str:
            is_number = re.fullmatch("[0-9]{1,9}", text)  # Python reads no number of 5,000 digits
            return "" if is_number and int(text) <= last else f"a number from 0 to {last}"

        ask(self, Type("Go to move:", digits, wrong, is_begun=True), lambda text: self.action_look_at(int(text)))

    def action_play(self) -> None:
        """Let the game play by itself, from the start if the end is shown; or stop that."""
        if self._timer is not None:
            self._stop()
        else:
            if self.replay.ply == self.replay.last:
                self.show(0)
            self._timer = self.set_interval(PLAY_SECONDS, self._advance)
            self._show_keys()

    def _advance(self) -> None:
        self.show(self.replay.ply + 1, animated=True)
        if self.replay.ply == self.replay.last:
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._show_keys()

    # --- Games ---

    def open(self, number: int) -> bool:
        """Show another game; if it cannot be played again here, say why, keep what is shown, and return False."""
        self._stop()
        try:
            self.read(number)
        except (InputError, Failure) as error:
            self.write("now", f"Game {number} cannot be shown: {error}")
            return False
        self.board.show_game(self.replay.game, self.replay.positions[0])
        self.show(0)
        self.fit()
        return True

    def action_games(self, *, with_texts: bool = False) -> None:
        """Let a person choose a game from the list; with `with_texts`, show its logs too."""
        if len(self.list) < 2:
            return
        self._stop()
        title = f"{self.games.path.name}: {len(self.list):,} games"

        def chosen(number: int) -> None:
            if self.open(number) and with_texts:
                self.action_texts()

        ask(self, GameList(title, self.list, self.number), chosen)

    def action_neighbour(self, where: str) -> None:
        """Show the nearest game `before` or `after` that can be shown; if none can, say why the last could not."""
        numbers = [game.number for game in self.list][:: 1 if where == "after" else -1]
        self._show_first(iter(numbers[numbers.index(self.number) + 1 :]))

    def _show_first(self, numbers: Iterator[int]) -> None:
        """Show the first of these games that can be shown; a key that moves or opens something ends the search."""
        self._stop()
        if (number := next(numbers, None)) is not None and not self.open(number):
            self._timer = self.set_timer(SEARCH_SECONDS, partial(self._show_first, numbers))

    # --- The rest ---

    def action_texts(self) -> None:
        """Show the logs, and the GTP if it was kept."""
        transcripts = list(self.replay.transcripts()) if any(self.replay.record.transcripts) else []
        self._stop()
        self.push_screen(Logs([*self.replay.logs(), *transcripts]))

    def action_colours(self) -> None:
        """Choose the next of dark, light, and the terminal's own colours."""
        try:
            self.set_look(next_theme(self.theme_name))
        except InputError as error:
            self.notify(f"{error}.", markup=False)

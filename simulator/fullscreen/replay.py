"""The full screen of `runner.py replay`: finished games, stepped through by keys, slider, list and by themselves.

What is said of a game comes from `simulator.terminal.replay.Replay`, as in lines. Begin reading at
`replay_layout.ReplayLayout.show`.
"""

from contextlib import suppress

from textual.timer import Timer

from options import InputError
from simulator.fullscreen.dialogs import Type
from simulator.fullscreen.game_list import GameList
from simulator.fullscreen.layout import Look, view_of
from simulator.fullscreen.logs import Logs
from simulator.fullscreen.replay_layout import ReplayLayout
from simulator.fullscreen.theme import next_theme
from simulator.fullscreen.timeline import GoTo
from simulator.records.reader import GamesError, PlayedGames
from simulator.terminal.replay import Replay

PLAY_SECONDS = 0.8  # a move, while the game plays by itself
PAGE_PLIES = 10


def first_readable(games: PlayedGames) -> int:
    """The number of the first game that can be played again here; of the first of all if there is none."""
    for number in games.numbers:
        with suppress(GamesError, InputError):
            Replay(games.game(number))
            return number
    return next(iter(games.numbers), 1)


class ReplayApp(ReplayLayout):
    """Steps through the games of a file."""

    def __init__(
        self, games: PlayedGames, number: int | None = None, look: Look | None = None, *, with_texts: bool = False
    ) -> None:
        """Show a game, its logs first `with_texts`; of no number, the list of games before the first readable one.

        Raises GamesError where there is no such game, InputError where it cannot be played again here.
        """
        super().__init__(games, number or first_readable(games), look)
        self._asks_first, self._with_texts = number is None, with_texts
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """Show the list or the logs, if that is wanted; the layout's own `on_mount` is called besides."""
        if self._asks_first and len(self.list) > 1:
            self.action_games()
        elif self._with_texts:
            self.action_texts()

    # --- Moving through the game ---

    def step_to(self, ply: int, *, animated: bool = False) -> None:
        """As somebody wishes, who then also says when to go on."""
        self._stop()
        self.show(ply, animated=animated)

    def on_go_to(self, message: GoTo) -> None:
        """The slider or the plot was clicked."""
        self.step_to(message.ply)

    def action_look_at(self, ply: int) -> None:
        """A move of the list was clicked."""
        self.step_to(ply)

    def action_next(self) -> None:
        """One move on, shown being made."""
        self.step_to(self.ply + 1, animated=self.ply < self.replay.last)

    def action_back(self) -> None:  # type: ignore[override]
        """One move back."""
        self.step_to(self.ply - 1)

    def action_first(self) -> None:
        """The start."""
        self.step_to(0)

    def action_last(self) -> None:
        """The end."""
        self.step_to(self.replay.last)

    def action_page_down(self) -> None:
        """Several moves on."""
        self.step_to(self.ply + PAGE_PLIES)

    def action_page_up(self) -> None:
        """Several moves back."""
        self.step_to(self.ply - PAGE_PLIES)

    def action_goto(self, digits: str = "") -> None:
        """Ask for the number of a move."""
        last = self.replay.last

        def wrong(text: str) -> str:
            return "" if text.isascii() and text.isdigit() and int(text) <= last else f"a number from 0 to {last}"

        def go(text: str | None) -> None:
            if text is not None:
                self.step_to(int(text))

        self.push_screen(Type("Go to move:", digits, wrong, is_begun=True), go)

    def action_play(self) -> None:
        """Play by itself, from the start if the end is shown; or stop."""
        if self._timer is not None:
            self._stop()
        else:
            if self.ply == self.replay.last:
                self.show(0)
            self._timer = self.set_interval(PLAY_SECONDS, self._advance)
            self.is_playing = True
        self.write_keys()

    def _advance(self) -> None:
        self.show(self.ply + 1, animated=True)
        if self.ply == self.replay.last:
            self._stop()
            self.write_keys()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer, self.is_playing = None, False

    # --- Games ---

    def open(self, number: int, ply: int = 0) -> bool:
        """Show another game; for one that cannot be played again here, say why, keep what is shown, return False."""
        self._stop()
        try:
            self.read(number)
        except (GamesError, InputError) as error:
            self.write("now", f"Game {number} cannot be shown: {error}")
            return False
        self.board.show_game(self.replay.game, view_of(self.replay.game), self.replay.positions[0])
        self.ply = ply
        self.fit()
        return True

    def action_games(self) -> None:
        """Choose from the list."""
        if len(self.list) < 2:
            return
        self._stop()

        def open_it(number: int | None) -> None:
            if number is not None:
                self.open(number)

        title = f"{self.games.path.name}: {len(self.list):,} games"
        self.push_screen(GameList(title, self.list, self.number), open_it)

    def _neighbour(self, step: int) -> None:
        """The nearest game in that direction that can be shown; if there is none, why the last one cannot."""
        numbers = [game.number for game in self.list][::step]
        any(map(self.open, numbers[numbers.index(self.number) + 1 :]))

    def action_after(self) -> None:
        """The next game of the file."""
        self._neighbour(1)

    def action_before(self) -> None:
        """The game before."""
        self._neighbour(-1)

    # --- The rest ---

    def action_texts(self) -> None:
        """Show the logs, and the GTP if it was kept."""
        record = self.replay.played.record
        transcripts = list(self.replay.transcripts()) if any(record.transcripts) else []
        self._stop()
        self.push_screen(Logs([*self.replay.logs(), *transcripts]))

    def action_colours(self) -> None:
        """The next of dark, light, and the terminal's own."""
        try:
            self.set_look(next_theme(self.theme_name))
        except InputError as error:
            self.notify(f"{error}.", markup=False)

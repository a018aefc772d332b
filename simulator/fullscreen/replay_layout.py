"""The screen of a replay: the board of `play`, players, values, moves, slider, and what there is to say of a move."""

from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from game import FIRST, SECOND
from simulator.fullscreen.board import Board
from simulator.fullscreen.driver import TerminalDriver
from simulator.fullscreen.layout import (
    LEAST_HEIGHT,
    LEAST_WIDTH,
    SIDE_WIDTH,
    WIDEST_SIDE,
    Look,
    redraw_when_resumed,
    view_of,
)
from simulator.fullscreen.panels import Moves, draw, stone
from simulator.fullscreen.signals import end_at_signals
from simulator.fullscreen.theme import TEXTUAL_THEMES, ThemeName, wanted_theme, wants_no_colour
from simulator.fullscreen.timeline import Slider, ValuePlot
from simulator.play.chances import chance_of_first
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, plain_side_name
from simulator.records.reader import PlayedGames, Summary
from simulator.referee.game_record import MoveRecord
from simulator.terminal.replay import Replay

ADVICE = "make it larger. Or leave (q) and use --plain, in lines."
KEYS = (  # action, keys as Textual names them, the first as people know it, what it does
    ("next", "right,enter,n", "→", "next"),
    ("back", "left,b", "←", "back"),
    ("play", "space", "Space", "play"),
    ("games", "escape,tab", "Esc", "games"),
    ("texts", "o", "o", "logs"),
    ("quit", "q,ctrl+q", "q", "leave"),
    ("first", "home,f", "Home", "first"),
    ("last", "end,l", "End", "last"),
    ("goto", "g", "g", "go to"),
    ("after", "down,right_square_bracket", "↓", "next game"),
    ("before", "up,left_square_bracket", "↑", "game before"),
    ("colours", "t", "t", "colours"),
    ("page_down", "pagedown", "PgDn", "10 on"),
    ("page_up", "pageup", "PgUp", "10 back"),
)
ARROWS = {"→": "Right", "←": "Left", "↓": "Down", "↑": "Up"}


class ReplayLayout(App[None]):
    """One game of a file, at one of its moves; `replay.ReplayApp` moves through it.

    Attributes:
        replay: the game that is shown.
        number: of that game in the file.
        ply: how many of its moves are on the board.
        is_playing: the game plays by itself.
    """

    CSS_PATH = "screen.tcss"
    CSS = """
    #about { height: auto; max-height: 3; text-style: bold; }
    #values { height: 4; margin-top: 1; }
    #values-title { height: 1; margin-top: 1; text-style: dim; }
    #slider { height: 1; margin: 0 1; }
    #now { height: 4; padding: 0 1; }
    #game-list { height: 94%; width: 96%; max-width: 110; }
    #games { height: 1fr; }
    #logs-dialog { height: 94%; width: 96%; }
    """
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Unforced"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(keys, action, short, show=False) for action, keys, _, short in KEYS),
        *(Binding(digit, f"goto('{digit}')", show=False) for digit in "123456789"),
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, games: PlayedGames, number: int, look: Look | None = None) -> None:
        """Raises GamesError where there is no such game, InputError where it cannot be played again here."""
        # Without ansi_color Textual makes the terminal's own colours grey.
        super().__init__(driver_class=TerminalDriver, ansi_color=wants_no_colour() or None)
        self.games, self.look, self.is_playing = games, look or Look(), False
        self.list: list[Summary] = list(games.summaries())
        self.read(number)

    def read(self, number: int) -> None:
        """Take a game. Raises GamesError, InputError."""
        replay = Replay(self.games.game(number))
        self.replay, self.number, self.ply = replay, number, 0
        record = replay.played.record
        self.line = GameInProgress(replay.game, replay.positions, record.agents)
        self.movers = [position.to_move for position in replay.positions[:-1]]
        moves = [replay.move(ply) for ply in range(1, replay.last + 1)]
        self.values = [None if move is None else chance_of_first(move.analysis, move.player) for move in moves]

    def compose(self) -> ComposeResult:
        """Board and panels, the slider, what there is to say of the move, the keys."""
        look = self.look
        board = Board(self.replay.game, view_of(self.replay.game), self.replay.positions[0], ascii=look.ascii)
        board.animated = look.animated
        board.can_focus = False  # keys step through the game
        with Horizontal(id="upper"):
            yield board
            with Vertical(id="side"):
                yield Static(id="about")
                yield Static(id="players")
                yield Static(id="values-title")
                yield ValuePlot(is_ascii=look.ascii)
                yield Moves(is_ascii=look.ascii, id="moves")
                yield Static(id="score")
        yield Slider(is_ascii=look.ascii)
        yield Static(id="now")
        yield Static(id="keys")
        yield Static(id="small")

    @property
    def board(self) -> Board:
        """The board."""
        return self.screen_stack[0].query_one(Board)

    def write(self, name: str, text: str) -> None:
        """Write a line or panel."""
        draw(self.screen_stack[0].query_one(f"#{name}", Static), text)

    def on_mount(self) -> None:
        """Set the colours, and show the game."""
        end_at_signals(self)
        self.set_look(self.look.theme)
        self.screen_stack[0].query_one("#small").display = False
        redraw_when_resumed(self)
        self.call_after_refresh(self.fit)

    def set_look(self, theme: ThemeName) -> None:
        """Choose the colours."""
        self.theme_name: ThemeName = wanted_theme(theme, self.console.color_system)
        self.theme = TEXTUAL_THEMES[self.theme_name]
        self.board.is_own = self.theme_name == "ansi"
        self.board.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Draw as large as fits."""
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Share the width between the board and the panels; below 80x24 say so."""
        width, height = self.size
        base, is_small = self.screen_stack[0], width < LEAST_WIDTH or height < LEAST_HEIGHT
        base.query_one("#small").display = is_small
        for name in ("upper", "slider", "now", "keys"):
            base.query_one(f"#{name}").display = not is_small
        if is_small:
            least = f"{LEAST_WIDTH}x{LEAST_HEIGHT}"
            self.write("small", f"This terminal has {width}x{height} characters, and the board needs {least}: {ADVICE}")
            return
        board = self.board.size_for(height - 6, width - SIDE_WIDTH - 2)
        base.query_one("#side").styles.width = min(WIDEST_SIDE, max(SIDE_WIDTH, width - board.width - 4))
        self.call_after_refresh(self.show, self.ply)

    # --- A position ---

    def show(self, ply: int, *, animated: bool = False) -> None:
        """Show the position after so many moves, and all that is known of the last of them."""
        replay, self.ply = self.replay, min(max(ply, 0), self.replay.last)
        self.line.look_at(self.ply)
        before = replay.positions[self.ply - 1] if animated and self.ply else None
        self.board.show(replay.positions[self.ply], before)
        base = self.screen_stack[0]
        base.query_one(Slider).show(self.ply, replay.last)
        base.query_one(ValuePlot).show(self.values, self.movers, self.ply)
        base.query_one(Moves).show(self.line, self.board.view.rules)
        has_values = any(value is not None for value in self.values)
        title = f"chance of {plain_side_name(replay.game, FIRST)}, by the agents themselves"
        self.write("values-title", title if has_values else "the agents said nothing of their chances")
        self.write("about", replay.headline())
        self.write("players", "\n".join(map(self._player, (FIRST, SECOND))))
        shown = replay.positions[self.ply]
        self.write("score", self.board.view.score(shown) if shown.result is not None else "")
        self.write("now", "\n".join(self._now()))
        self.write_keys()

    def _player(self, player: int) -> str:
        """A player with the figures of its last move."""
        replay = self.replay
        plies = [ply for ply in range(1, self.ply + 1) if self.movers[ply - 1] == player and replay.move(ply)]
        is_next = self.ply < replay.last and self.movers[self.ply] == player
        arrow = (">" if self.look.ascii else "▶") if is_next else " "
        won = " (won)" if replay.played.record.verdict.winner == player else ""
        figures = ""
        if plies and (move := replay.move(plies[-1])):
            figures = _figures(move)
        text = f"{arrow} {stone(replay.game, player, self.look.ascii)} {replay.name(player)}"
        room = max(10, self.screen_stack[0].query_one("#players").size.width - len(figures) - 1)
        return f"{text[: room - len(won)] + won:<{room}} {figures}"

    def _now(self) -> list[str]:
        """What was played, what the referee saw of it, and at the end of the game how it ended."""
        replay = self.replay
        verdict = [replay.verdict()] if self.ply == replay.last else []
        return [capitalized(replay.last_move(self.ply)), "; ".join(replay.usage(self.ply)), *verdict]

    def write_keys(self) -> None:
        """The keys, as many as fit; each can be clicked."""
        room, shown = self.size.width - 2, []
        for action, _, sign, short in KEYS:
            key = ARROWS.get(sign, sign) if self.look.ascii else sign
            word = "stop" if action == "play" and self.is_playing else short
            if action in ("games", "after", "before") and len(self.list) < 2:
                continue
            room -= len(key) + len(word) + 3
            if room < 0:
                break
            shown.append(f"[@click=app.{action}][b]{key}[/b] {word}[/]")
        draw(self.screen_stack[0].query_one("#keys", Static), "  ".join(shown), is_markup=True, layout=False)


def _figures(move: MoveRecord) -> str:
    """`0.51 s  181 MB`, nothing where nobody measured."""
    seconds = [f"{move.seconds:.2f} s"] if move.seconds else []
    memory = [f"{move.peak_memory_mb:.0f} MB"] if move.peak_memory_mb else []
    return "  ".join(seconds + memory)

"""The screen on which a position is set up by clicks, keys and the cursor, over the game that is played."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from board_view import Draft, SetUpView, Target
from game import Game, NotationError
from simulator.fullscreen.board import Board
from simulator.fullscreen.dialogs import Confirm, Dialog, Type, ask
from simulator.fullscreen.panels import draw, keys_line
from simulator.play.names import capitalized, plain_side_name

KEYS = [
    Binding("b", "begin", "begin here", key_display="b"),
    Binding("s", "side", "side to move", key_display="s"),
    Binding("c", "clear", "clear", key_display="c"),
    Binding("minus,backspace", "back", "step back", key_display="-"),
    Binding("m,slash,colon", "type", "type it", key_display="m"),
    Binding("q", "leave", "leave", key_display="Esc"),
]
RIGHT_BUTTON = 3


class DraftBoard(Board):
    """A board on which choosing a place changes what stands there."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "screen.leave")]  # there is no step of a move to take back

    def choose(self, target: Target) -> None:
        """Change a place by one step forwards."""
        self.change(target, 1)

    def change(self, target: Target, step: int) -> None:
        """Change a place by one step, forwards (1) or back (-1)."""
        self.pointed = target
        self.put(self.view.changed(self.position, target, step))  # type: ignore[attr-defined]

    def put(self, draft: Draft) -> None:
        """Show another draft."""
        self.position = draft
        self.redraw()
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        """The right button steps back."""
        area = self._area_at(event)
        if event.button == RIGHT_BUTTON:
            event.prevent_default()  # in `Board`, every button chooses
            if area is not None:
                self.change(area.target, -1)


class SetUp(Dialog[str | None]):
    """The screen on which a position is set up; returns its text if a game is to begin there, else None."""

    BINDINGS: ClassVar[list[BindingType]] = [*KEYS, ("plus", "on")]

    def __init__(self, game: Game, view: SetUpView, position: Any, question: Callable[[], str] = str) -> None:
        """Begin with a position; `question` is what to ask before a game begins, empty for nothing."""
        super().__init__(classes="alone")
        self._game, self._view, self._question = game, view, question
        self.board = DraftBoard(game, view.draft(position), view)
        self._before = view.text(self.board.position)

    def compose(self) -> ComposeResult:
        """The board above three lines: what is wrong, what to do, the keys."""
        yield self.board
        yield Static(id="wrong")
        yield Static(id="next")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Open the board."""
        self.board.open(True)
        self._show("")

    def on_resize(self) -> None:
        """Show as many keys as the line has room for."""
        panel = self.query_one("#keys", Static)
        draw(panel, keys_line(KEYS, panel, "screen"), is_markup=True)

    def _show(self, wrong: str) -> None:
        """Say what is wrong, and what can be done."""
        board = self.board
        side = plain_side_name(self._game, board.position.to_move)
        prompt = board.view.prompt(board.position, (), board.pointed)
        draw(self.query_one("#wrong", Static), wrong)
        draw(self.query_one("#next", Static), f"To move: {side}. {prompt}")

    # --- The board's messages, which are not for the game below ---

    def on_board_changed(self, message: Board.Changed) -> None:
        """The cursor is at another place, or a place has changed."""
        message.stop()
        self._show("")

    # --- Commands ---

    def action_on(self) -> None:
        """Change the place under the cursor by one step forwards."""
        self.board.choose(self.board.pointed)

    def action_back(self) -> None:
        """Change the place under the cursor by one step back."""
        self.board.change(self.board.pointed, -1)

    def action_side(self) -> None:
        """Let the other player move first."""
        draft = self.board.position
        self.board.put(replace(draft, to_move=1 - draft.to_move))

    def action_clear(self) -> None:
        """Take everything off the board."""
        self.board.put(self.board.position.cleared())

    def action_leave(self) -> None:
        """Leave without a change; ask first if something was set up."""
        if self._view.text(self.board.position) == self._before:
            self.dismiss(None)
        else:
            question = "Leave? Then the position that you have set up is lost."
            ask(self.app, Confirm(question), lambda _: self.dismiss(None))

    def action_begin(self) -> None:
        """Begin a game here, or say why no game can begin here."""
        text = self._view.text(self.board.position)
        if wrong := what_is_wrong(self._game, text):
            self._show(capitalized(f"{wrong}."))
        else:
            self._begin(text)

    def action_type(self) -> None:
        """Let a person type the position; the line begins with the position on the board."""
        ask(self.app, typed(self._game, self._view.text(self.board.position)), self._begin)

    def _begin(self, text: str) -> None:
        if question := self._question():
            ask(self.app, Confirm(question), lambda _: self.dismiss(text))
        else:
            self.dismiss(text)


def typed(game: Game, text: str) -> Type:
    """The dialog in which a position is typed; `text` is offered as an example."""
    note = "One line. It now holds the position on the board."
    return Type("Begin from this position", text, lambda line: what_is_wrong(game, line), note)


def what_is_wrong(game: Game, text: str) -> str:
    """Why no game can begin from the position of a text; empty if one can."""
    try:
        position = game.parse_position(text)
    except NotationError as error:
        return str(error)
    return "" if position.result is None else "no game can begin here: it would be over at once"

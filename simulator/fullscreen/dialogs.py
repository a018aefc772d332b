"""Dialogs over the board: yes or no, one of several, a line of text, long texts, and waiting for something."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

Check = Callable[[str], str]
Choices = Sequence[tuple[str, Any]]  # lines that can be chosen, and what each means
T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A screen over the others. A choice that is made twice, for example by a double click, counts once."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Leave the dialog, unless it was left already."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()


def ask(app: App[Any], dialog: Dialog[Any], use: Callable[[Any], object]) -> None:
    """Open a dialog and call `use` with the answer; after Escape or a no, do nothing."""

    def answered(answer: Any) -> None:
        if answer is not None and answer is not False:
            use(answer)

    app.push_screen(dialog, answered)


class Confirm(Dialog[bool]):
    """A question with yes and no; Escape is no.

    Attributes:
        to_leave: whether a yes leaves the program; if so, Ctrl-C means yes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", show=False),
        Binding("n,escape", "dismiss(False)", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, *, to_leave: bool = False) -> None:
        super().__init__()
        self._question, self.to_leave = question, to_leave

    def compose(self) -> ComposeResult:
        """The question above the buttons."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._question))
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True)

    def on_mount(self) -> None:
        """Let Enter mean no at first."""
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Return the answer."""
        self.dismiss(event.button.id == "yes")


class Pick(Dialog[Any]):
    """Lets a person choose one of several lines, by arrow keys and Enter or by a click; Escape is None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", show=False)]

    def __init__(self, title: str, choices: Choices) -> None:
        super().__init__()
        self._title, self._choices = title, choices

    def compose(self) -> ComposeResult:
        """The title above the lines."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="title")
            yield OptionList(*(Option(Content(text)) for text, _ in self._choices))
            yield Static(Content("Enter: choose   Esc: back"), classes="foot")

    def on_mount(self) -> None:
        """Give the keys to the list."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen."""
        self.dismiss(self._choices[event.option_index][1])


class PickBeside(Pick):
    """A `Pick` beside the board; `on_pointed` is called with the choice under the cursor whenever the cursor moves."""

    def __init__(self, title: str, choices: Choices, on_pointed: Callable[[Any], None]) -> None:
        super().__init__(title, choices)
        self.add_class("beside")
        self._on_pointed = on_pointed

    def on_resize(self) -> None:
        """Cover only what stands beside the board."""
        self.query_one(".dialog").styles.width = self.app.query_one("#side").styles.width

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The cursor has come to a line."""
        self._on_pointed(self._choices[event.option_index][1])


class Logs(Dialog[None]):
    """What both players of a finished game wrote, and the GTP if it was kept."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,o", "dismiss(None)", show=False)]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """The texts, as they are."""
        with Vertical(classes="dialog", id="logs-dialog"):
            with VerticalScroll():
                yield Static(Content("\n".join(self._lines)), id="logs")
            yield Static(Content("Up, Down, PgUp, PgDn: scroll   Esc: back"), classes="foot")


class Wait(Dialog[bool]):
    """Does long work in a thread of its own; the answer is True when that has ended, False after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)", show=False)]

    def __init__(self, text: str, work: Callable[[], None]) -> None:
        super().__init__()
        self._text, self._work, self._seconds, self._is_done = text, work, 0, False

    def compose(self) -> ComposeResult:
        """What is done, and for how long."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._text))
            yield Static(Content("Esc: cancel"), classes="foot")

    def on_mount(self) -> None:
        """Begin."""
        threading.Thread(target=self._do, daemon=True).start()
        self.set_interval(1.0, self._count)

    def _do(self) -> None:
        try:
            self._work()
        finally:
            self.call_later(self._ended)

    def _count(self) -> None:
        self._seconds += 1
        self.query(Static).first().update(Content(f"{self._text} {self._seconds} s"))

    def _ended(self) -> None:
        """Leave now, or as soon as a question over this dialog is answered."""
        self._is_done = True
        self.dismiss(True)

    def on_screen_resume(self) -> None:
        """Leave if the work ended while another dialog lay over this one."""
        if self._is_done:
            self.dismiss(True)


class Type(Dialog[str | None]):
    """Asks for a line of text, which is accepted if `check` returns "", not what is wrong with it. Escape is None.

    Typing replaces the `text` that is offered; with `is_begun`, the person has typed its beginning and goes on.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(
        self, title: str, text: str = "", check: Check = lambda text: "", note: str = "", *, is_begun: bool = False
    ) -> None:
        super().__init__()
        self._title, self._text, self._check, self._note = title, text, check, note
        self._is_begun = is_begun

    def compose(self) -> ComposeResult:
        """The title above the line."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="title")
            yield Static(Content(self._note))
            yield Input(self._text, compact=True, select_on_focus=not self._is_begun)
            yield Static("", classes="wrong")
            yield Static(Content("Enter: done   Esc: back"), classes="foot")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the line, or say what is wrong with it."""
        text = event.value.strip()
        if wrong := self._check(text) if text else "type something":
            self.query_one(".wrong", Static).update(Content(wrong))
        else:
            self.dismiss(text)

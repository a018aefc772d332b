"""What the players of a finished game wrote, over the board."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static


class Logs(ModalScreen[None]):
    """What both players wrote, and the GTP if it was kept."""

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

    def on_mount(self) -> None:
        """The texts take the keys."""
        self.query_one(VerticalScroll).focus()

"""What a game in progress is shown on: lines of text, the full screen, or nothing in a test."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from game import Game
from simulator.play.coach import Judgement
from simulator.play.thinker import AgentFailed, AgentMove, RankedMove, Request


class FrontEnd(Protocol):
    """What `controller.Controller` asks of whoever shows its game; nothing is decided here."""

    def say(self, text: str) -> None:
        """Say a sentence; an empty one takes away what was said."""

    def confirm(self, question: str, then: Callable[[], None], refusal: str = "") -> None:
        """Ask a question, and call `then` after a yes.

        If nobody can be asked, call `then` unless there is a `refusal`; otherwise say the refusal.
        """

    def when_done(
        self, request: Request[Any], use: Callable[[Request[Any]], None], text: str = "", goes_on: bool = False
    ) -> None:
        """Call `use` in this thread once the answer is there; `text` says meanwhile what is waited for.

        With `goes_on`, the text continues an earlier one, and does not replace what was said since.
        """

    def prepare_rules(self, game: Game, begin: Callable[[], None]) -> None:
        """Compile the rules of a game, which may take a minute, then begin, unless the person does not wait."""

    def turn(self) -> None:
        """Call `Controller.next_turn`, now or when an animation has ended; show whose turn it is."""

    def show(self, before: Any = None) -> None:
        """Show the position that is looked at; `before` is the position before the move that has just led to it."""

    def begun(self) -> None:
        """Show another game, or other players."""

    def answered(self, side: int, answer: AgentMove) -> None:
        """Tell what an agent answered, before that is played."""

    def failed(self, fault: AgentFailed) -> None:
        """Show the last words of an agent that lost by a fault."""

    def cannot_play(self, error: Exception) -> None:
        """Tell why an agent cannot be started; the game pauses until another is chosen."""

    def show_hint(self, name: str, answer: AgentMove) -> None:
        """Show what an agent would play in the position that is looked at."""

    def show_ranked(self, name: str, ranked: list[RankedMove]) -> None:
        """Show what an agent thinks of each move of the position that is looked at."""

    def show_judgement(self, judgement: Judgement | None) -> None:
        """Show what was wrong with the last move; None takes away what was shown."""

    def show_summary(self, judgements: list[Judgement]) -> None:
        """Show the turning points of the game among its moves."""

    def saved(self, path: Path, name: str) -> None:
        """Tell that the game was saved in a file; `name` is what the person typed for it."""

    def help(self) -> None:
        """Show what can be done."""

    def leave(self) -> None:
        """End the program."""

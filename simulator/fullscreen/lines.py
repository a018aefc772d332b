"""The lines below the board: news, what to do next, and the keys that work now."""

from typing import Any

from simulator.fullscreen.board_app import BoardApp
from simulator.fullscreen.keys import useful_now
from simulator.fullscreen.panels import move_number
from simulator.play.controller import Controller
from simulator.play.thinker import Request


class Lines:
    """What is written below the board of an application.

    Attributes:
        notice: a sentence that is shown until the next thing happens; a long one stands beside the board.
    """

    def __init__(self, app: BoardApp, controller: Controller) -> None:
        self._app, self._controller = app, controller
        self.notice = ""
        self._waited: tuple[Request[Any], str] | None = None  # what is waited for, and the words that say so

    def say(self, text: str) -> None:
        """Show a sentence until the next thing happens."""
        self._waited = None
        self.notice = self._controller.sentence(text)
        if self._app.screen_stack:
            self.update()

    def wait(self, request: Request[Any], text: str, goes_on: bool = False) -> None:
        """Say what is waited for, and count the seconds until something else is said; see `FrontEnd.when_done`."""
        if goes_on and self.notice:
            return
        self.say(text)
        self._waited = request, self.notice

    def count(self) -> None:
        """Update the seconds of the agents that are waited for; what has not changed is not drawn again."""
        if self._controller.starting and not self._app.part("line").display:
            self._app.write("next", self.prompt(), layout=False)
        if self._waited is not None:
            request, begun = self._waited
            counted = f"{begun} {request.seconds:.0f} s" if begun.endswith("...") else begun
            if request.done:
                self.say("")
            elif self.notice != counted:
                self.notice = counted
                self.update()

    def fits(self, text: str) -> bool:
        """Whether a text fits a line below the board."""
        return len(text) <= self._app.size.width - 2

    def update(self) -> None:
        """Draw the lines."""
        self._app.write("next", self.prompt(), layout=False)
        fits = self.fits(self.notice)
        self._app.write("notice", self.notice if fits else "")
        self._app.write("long-notice", "" if fits else self.notice)
        self._app.write_keys(useful_now(self._controller))

    def ending(self) -> str:
        """How the game ended; empty while it goes on."""
        played = self._controller.played
        return f"Game over: {played.ending()}." if played.is_over else ""

    def prompt(self) -> str:
        """What the person has to do now, or what is waited for; this line is always shown."""
        controller, played = self._controller, self._controller.played
        if played.is_looking_back:
            return f"You look at {self._shown_move()}. PgUp, PgDn: back, forward. End: to the game."
        if played.is_over:
            return self.ending() if self.fits(self.ending()) else "Game over: see beside the board."
        if controller.is_paused:
            return "Paused: nobody's clock runs. Press P to go on."
        if controller.starting and not played.is_persons_turn:
            names = " and ".join(sorted(one.name for one in controller.starting))
            seconds = max(request.seconds for request in controller.starting.values())
            return f"Starting {names} ... {seconds:.0f} s (the first time this takes up to a minute)"
        if controller.thinking is not None:
            return f"{controller.thinking.name} is thinking ... Space: move now."
        if not played.is_persons_turn:
            return ""
        board = self._app.board
        text = board.view.prompt(board.position, board.chosen, board.pointed)
        who = played.name_of(played.position.to_move)
        return text if who == "you" else f"{who}: {text}"

    def _shown_move(self) -> str:
        """The move after which the position is looked at, with its number in the list of moves."""
        played = self._controller.played
        if played.shown == 0:
            return "the start"
        return f"{move_number(played, played.shown)} {played.game.format_move(played.shown_position.last_move)}"

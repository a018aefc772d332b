"""Dialogs that ask for a command's argument: a game, players, a file, a position."""

import shlex
from collections.abc import Callable
from functools import partial
from operator import call
from typing import TYPE_CHECKING

from agents.levels import LEVELS
from game import Game, load_game
from options import InputError
from simulator.fullscreen.dialogs import Pick, Type, ask
from simulator.fullscreen.set_up import SetUp, typed
from simulator.play.controller import LEAVE_IT
from simulator.play.files import what_is_wrong
from simulator.player.lookup import PERSON
from simulator.submission.named_agents import file_of

if TYPE_CHECKING:
    from simulator.fullscreen.app import PlayApp

BOARDS = {  # what "new game" offers
    "Pentago Twist": partial(load_game, "pentago"),
    **{f"Go on {size}x{size}": partial(load_game, "go", size=size) for size in (9, 13, 19)},
    "Kalah": partial(load_game, "kalah"),
}


class Asking:
    """The dialogs of commands that were chosen by a key or from the list, without an argument."""

    def __init__(self, app: "PlayApp") -> None:
        self._app, self._controller = app, app.controller

    def _ask(self, screen: Type | Pick, command: str) -> None:
        """Ask, then obey the command with the answer as its argument."""
        ask(self._app, screen, lambda text: self._app.obey(f"{command} {text}"))

    def new(self) -> None:
        """Ask for a new game."""
        played, title = self._controller.played, "A new game"
        choices = [
            ("The same game, the same players", partial(self._begin, lambda: played.game, played.players)),
            ("The same game, sides changed", partial(self._begin, lambda: played.game, played.players[::-1])),
            *((words, partial(self._begin, game, played.players)) for words, game in BOARDS.items()),
        ]
        title += " (the one on the board is not over)" if self._controller.is_worth_asking else ""
        ask(self._app, Pick(title, choices), call)

    def _begin(self, load: Callable[[], Game], players: list[str]) -> None:
        game = load()
        new_game = partial(self._controller.played.new_game, game, players=players)
        self._controller.with_rules(game, partial(self._controller.begin_with, new_game))

    def players(self) -> None:
        """Ask who plays."""
        obey, another = self._app.obey, Type("Which agent?", "uct_agent", self._why_not)
        choices = [
            *((f"Against level {one.number}: {one.name}", partial(obey, f"level {one.number}")) for one in LEVELS),
            ("Against uct_agent, as it plays matches", partial(obey, "agent uct_agent")),
            ("Against another agent: type its name or file", partial(self._ask, another, "agent")),
            ("Two people at this board", partial(self._let_play, f"{PERSON} {PERSON}")),
            ("Watch two agents", self._ask_two),
        ]
        ask(self._app, Pick("Who plays?", choices), call)

    def _ask_two(self) -> None:
        title, note = "Who plays against whom?", "Two agents with a space between; the first one moves first."
        ask(self._app, Type(title, "uct_agent greedy_agent", self._check_two, note), self._let_play)

    def _why_not(self, agent: str) -> str:
        return "" if agent == PERSON else self._controller.played.why_absent(agent)

    def _check_two(self, text: str) -> str:
        try:
            names = shlex.split(text)
        except ValueError as error:  # a quote that is not closed
            return f"{error}"
        if len(names) != 2:
            return "type two names with a space between, in quotes if there is a space in one"
        return next((wrong for name in names if (wrong := self._why_not(name))), "")

    def _let_play(self, text: str) -> None:
        try:
            self._controller.let_play([file_of(name) for name in shlex.split(text)])
        except (InputError, OSError) as error:  # the agent's file has gone since it was checked
            self._app.front_end.say(str(error))

    def setup(self) -> None:
        """Ask for a position: by clicks, or by typing if the game has no view for that."""
        game, shown, board = self._controller.played.game, self._controller.played.shown_position, self._app.board
        if (view := board.view.set_up_view()) is None:
            self._ask(typed(game, game.format_position(shown)), "setup")
        else:
            ask(self._app, SetUp(game, view, shown, self._leaving), self._set_up)

    def _leaving(self) -> str:
        return LEAVE_IT if self._controller.is_worth_asking else ""

    def _set_up(self, text: str) -> None:
        self._controller.begin_with(partial(self._controller.played.set_up, text))

    def save(self) -> None:
        """Ask for the file in which the game is saved."""
        note = "Saved as JSON; a game of Go as SGF if the name ends in .sgf."
        self._ask(Type("Save the game as", f"{self._controller.played.game.title}.json", note=note), "save")

    def load(self) -> None:
        """Ask for the file to load."""
        self._ask(Type("Load which file?", "", partial(what_is_wrong, self._controller)), "load")

"""Other games, other players and positions: what the game on the board is exchanged for."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from agents.agent import AgentError
from agents.levels.table import LEVELS, level_text
from game import Game, load_game
from options import InputError
from simulator.fullscreen.advice import Advice
from simulator.fullscreen.board_app import view_of
from simulator.fullscreen.dialogs import Choice, Confirm, Pick, Type, Wait
from simulator.fullscreen.set_up import SetUp, typed
from simulator.play.game_in_progress import GameIsOver, compile_rules
from simulator.play.names import capitalized
from simulator.player.lookup import PERSON, find_agents

BOARDS = {  # what "new game" offers: the words, the game, its options
    "Pentago Twist": ("pentago", {}),
    "Go on 9x9": ("go", {"size": 9}),
    "Go on 13x13": ("go", {"size": 13}),
    "Go on 19x19": ("go", {"size": 19}),
    "Kalah": ("kalah", {}),
}


class Games(Advice):
    """Commands that begin another game, or change who plays."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._compiled = {type(self.played.game.kernel)}  # by rules of these

    # --- Games and players ---

    def action_new(self) -> None:
        """Ask which game."""
        choices = [Choice("The same game, the same players", "same"), Choice("The same game, sides changed", "sides")]
        choices += [Choice(words, words) for words in BOARDS]
        note = "The game on the board is not over." if self.is_worth_asking() else ""
        self.push_screen(Pick("A new game", choices, note), self._new)

    def is_worth_asking(self) -> bool:
        """Whether there is a game on the board that is not over."""
        return not self.played.is_over and self.played.present > 0

    def _new(self, choice: Any) -> None:
        if choice is None:
            return
        played = self.played
        name, options = BOARDS.get(choice, ("", {}))
        game = load_game(name, **options) if name else played.game

        def begin() -> None:
            with self.changed():
                played.new_game(game, players=played.players[::-1] if choice == "sides" else ())
                self._begin_again()

        self.with_rules(game, begin)

    def has_rules(self, game: Game) -> bool:
        """Whether the rules of a game are compiled."""
        return type(game.kernel) in self._compiled

    def with_rules(self, game: Game, begin: Callable[[], None]) -> None:
        """Do this once the rules of a game are compiled, unless nobody wants to wait for that."""

        def answered(is_done: bool | None) -> None:
            if is_done:
                self._compiled.add(type(game.kernel))
                begin()

        if self.has_rules(game):
            begin()
        else:
            text = "Preparing the rules (compiling what they need, once; up to a minute) ..."
            self.push_screen(Wait(text, partial(compile_rules, game)), answered)

    def _begin_again(self) -> None:
        """After another game, start or players."""
        self.thoughts = {}
        self.is_paused = False
        self.show_coach("")
        self.board.show_game(self.played.game, view_of(self.played.game), self.played.position)
        self.seat()
        self.fit()

    def action_sides(self) -> None:
        """Change sides."""
        self._set_players(self.played.players[::-1])

    def action_players(self) -> None:
        """Ask who plays."""
        self.push_screen(Pick("Who plays?", self.player_choices()), self._chosen_players)

    def player_choices(self) -> list[Choice]:
        """Levels, agents, people."""
        choices = [Choice(f"Against level {one.number}: {one.name}", level_text(one.name)) for one in LEVELS]
        choices += [Choice("Against uct_agent, as it plays matches", "uct_agent")]
        choices += [Choice("Against another agent: type its name or file", "type")]
        choices += [Choice("Two people at this board", "people"), Choice("Watch two agents", "agents")]
        return choices

    def _chosen_players(self, choice: str | None) -> None:
        if choice == "type":
            self.push_screen(Type("Which agent?", "uct_agent", self._check_agent), self._chosen_players)
        elif choice == "people":
            self._set_players([PERSON, PERSON])
        elif choice == "agents":
            title = "Who plays against whom?"
            note = "Two agents with a space between, first who moves first."
            self.push_screen(Type(title, "uct_agent greedy_agent", self._check_two, note), self._chosen_two)
        elif choice is not None:
            self.choose_player(choice)

    def _check_agent(self, text: str) -> str:
        try:
            find_agents((text,), self.played.game)
        except (AgentError, InputError) as error:
            return str(error)
        return ""

    def _check_two(self, text: str) -> str:
        names = text.split()
        if len(names) != 2:
            return "two names, with a space between"
        return next((wrong for name in names if (wrong := self._check_agent(name))), "")

    def _chosen_two(self, text: str | None) -> None:
        if text is not None:
            self._set_players(text.split())

    def choose_player(self, text: str) -> None:
        """Play against that agent or level; the person keeps the side, or gets the first one."""
        with suppress(InputError):  # no level, but an agent
            text = level_text(text)
        if wrong := self._check_agent(text):
            self.say(wrong)
            return
        side = self.played.side or 0
        self._set_players([PERSON, text] if side == 0 else [text, PERSON])

    def _set_players(self, players: list[str]) -> None:
        """Let these play on; where the game is over, begin a new one with them if that is meant."""
        try:
            self.played.check_players_may_change()
        except GameIsOver as error:
            question = f"{capitalized(str(error))}. Begin a new one with these?"
            self.push_screen(Confirm(question), partial(self._begin_with, players))
            return
        with self.changed():
            self.played.let_play(players)
            self.is_paused = False
            self.seat()

    def _begin_with(self, players: list[str], answer: bool | None) -> None:
        """A new game of other players, if that is the answer."""
        if answer:
            with self.changed():
                self.played.new_game(players=players)
                self._begin_again()

    def action_setup(self) -> None:
        """Set up a position by clicks; have it typed in a game that has no view for that."""
        game, shown = self.played.game, self.played.shown_position
        if (view := self.board.view.set_up_view()) is None:
            self.push_screen(typed(game, game.format_position(shown)), self._ask_and_set_up)
        else:
            screen = SetUp(game, view, shown, ascii=self.look.ascii, is_own=self.board.is_own)
            self.push_screen(screen, self._ask_and_set_up)

    def _ask_and_set_up(self, text: str | None) -> None:
        if text is not None:
            self._ask_and_do(lambda: self._set_up(text))

    def _set_up(self, text: str) -> None:
        with self.changed():
            self.played.set_up(text)
            self._begin_again()

    def _ask_and_do(self, replace_game: Callable[[], None]) -> None:
        """Do what ends the game on the board; ask first if that is not over."""

        def answered(answer: bool | None) -> None:
            if answer:
                replace_game()

        if self.is_worth_asking():
            self.push_screen(Confirm("The game on the board is not over. Put it away?"), answered)
        else:
            replace_game()

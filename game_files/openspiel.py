"""OpenSpiel's games by `openspiel:NAME(parameters)`: those of two players who move in turn, without chance or secrets.

Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019. A move is OpenSpiel's own text of an
action, with _ for blanks, or the action's number if that text cannot be used. A position is written as the numbers of
the actions that led there.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from game import FIRST, UnknownGame
from options import did_you_mean

PREFIX = "openspiel:"
START = "start"  # the text of a position before the first move


class State:
    """A state of OpenSpiel that can be compared and hashed; nobody changes it."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self._key = (str(state), state.current_player(), len(state.history()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self._key[0]

    def moves(self) -> dict[str, int]:
        """The legal actions by their texts."""
        actions: Sequence[int] = self.state.legal_actions()
        texts = [self.state.action_to_string(action) for action in actions]
        words = [text.replace(" ", "_") if text.isprintable() and not {*"_#"} & {*text} else "" for text in texts]
        return {
            word if word and words.count(word) == 1 else str(action): action
            for word, action in zip(words, actions, strict=True)
        }


class Rules:
    """The functions of a game's file (see `plain.py`), answered by OpenSpiel.

    Attributes:
        players: what OpenSpiel calls them, FIRST's first: in chess, OpenSpiel's player 1 begins.
    """

    def __init__(self, game: Any) -> None:
        self._game = game
        self._first = int(game.new_initial_state().current_player())  # OpenSpiel's number of FIRST
        self.players = (f"p{self._first}", f"p{1 - self._first}")
        self.__doc__ = f"{game.get_type().long_name} of OpenSpiel."

    def initial(self) -> State:
        """The state before the first move."""
        return State(self._game.new_initial_state())

    def to_move(self, state: State) -> int:
        """The player to move; FIRST if the game is over."""
        player = state.state.current_player()
        return FIRST if player < 0 else int(player) ^ self._first

    def legal_moves(self, state: State) -> list[str]:
        """The texts of the legal actions, in OpenSpiel's order."""
        return list(state.moves())

    def play(self, state: State, move: str) -> State:
        """The state after a move."""
        return State(state.state.child(state.moves()[move]))

    def result(self, state: State) -> int | str | None:
        """The player with the greater return, or "draw"; None while the game is open."""
        if not state.state.is_terminal():
            return None
        first, second = state.state.returns()
        return "draw" if first == second else int(first < second) ^ self._first

    def move_text(self, move: str) -> str:
        """The move itself."""
        return move

    def to_text(self, state: State) -> str:
        """The numbers of the actions so far."""
        return " ".join(map(str, state.state.history())) or START

    def from_text(self, text: str) -> State:
        """The state after these actions. Raises ValueError."""
        state = self._game.new_initial_state()
        for word in text.replace(START, "").split():
            if int(word) not in state.legal_actions():
                raise ValueError(f"{word} is no legal action after {state.history()}")
            state.apply_action(int(word))
        return State(state)

    def draw(self, state: State) -> str:
        """The state as OpenSpiel prints it."""
        return str(state)


def find(name: str) -> tuple[Rules, str, int]:
    """The rules of `openspiel:NAME(parameters)`, that name with all parameters, and the plies of its longest game.

    Raises UnknownGame if OpenSpiel is not installed or does not have the game, and for a game of another kind.
    """
    try:
        spiel = import_module("pyspiel")
    except ImportError as error:
        raise UnknownGame(f"{name} needs OpenSpiel ({error}): pip install open_spiel") from error
    text, known = name.removeprefix(PREFIX), spiel.registered_names()
    if text.partition("(")[0] not in known:
        raise UnknownGame(f"OpenSpiel has no game {text}; {did_you_mean(text, known)}")
    try:
        game = spiel.load_game(text)
    except spiel.SpielError as error:
        raise UnknownGame(f"OpenSpiel cannot load {text}: {error}") from error
    kind = game.get_type()
    reasons = {
        f"it has {game.num_players()} players": game.num_players() != 2,
        "its players move at the same time": kind.dynamics != spiel.GameType.Dynamics.SEQUENTIAL,
        "it has chance": kind.chance_mode != spiel.GameType.ChanceMode.DETERMINISTIC,
        "its players do not see everything": kind.information != spiel.GameType.Information.PERFECT_INFORMATION,
    }
    if found := [reason for reason, holds in reasons.items() if holds]:
        raise UnknownGame(f"{name} cannot be played here: {', and '.join(found)}")
    return Rules(game), f"{PREFIX}{game}".removesuffix("()"), int(game.max_game_length())

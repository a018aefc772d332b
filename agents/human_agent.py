"""A person as an agent: asks for moves, and explains what is wrong with a bad one.

`runner.py play` is the comfortable way to play. In a Python session this class alone will do:

    person = HumanAgent(load_game("pentago"))
    move = person.step(position, Clock(math.inf))
"""

from collections.abc import Callable
from typing import Any

from agents.agent import Agent, AgentError, register_agent
from agents.limits import Clock
from game import Game, IllegalMove, NotationError


def read_move(game: Game, position: Any, text: str) -> Any:
    """The legal move that a person means. Raises NotationError or IllegalMove, which say what is wrong."""
    move = game.read_typed_move(text, position)
    position.play(move)
    return move


def ask_on_standard_input(game: Game, position: Any) -> str:
    """Draw the position and read a line. Raises AgentError when there is none."""
    print(game.draw(position))
    try:
        return input(f"{game.players[position.to_move]}> ")
    except EOFError as error:
        raise AgentError("human_agent needs a person at the keyboard: the input has ended") from error


@register_agent("human_agent")
class HumanAgent(Agent):
    """Asks a person for each move, again and again until it is legal; a person has no clock.

    Attributes:
        ask: called with the game and the position; returns what the person typed.
        tell: called with the reason why what was typed is no legal move.
    """

    ask: Callable[[Game, Any], str] = staticmethod(ask_on_standard_input)
    tell: Callable[[str], None] = staticmethod(print)

    def step(self, position: Any, clock: Clock) -> Any:
        """The move that the person chose. Raises AgentError when the input ends."""
        while True:
            try:
                return read_move(self.game, position, self.ask(self.game, position))
            except (NotationError, IllegalMove) as error:
                self.tell(str(error))

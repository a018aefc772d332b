"""The option `evaluation` of agents that use a game's static evaluation, for games that have more than one."""

from collections.abc import Mapping
from typing import Any

from agents.agent import AgentError
from agents.agent_options import Option
from game import Game
from options import DeclaredOption


def evaluation_option(game: Game) -> dict[str, DeclaredOption]:
    """The option by its name; its default is the first evaluation that the game names. Empty if the game names none."""
    if not game.evaluations:
        return {}
    text = f"The static evaluation: {' or '.join(game.evaluations)}, or a file of weights where one is learned."
    return {"evaluation": DeclaredOption("evaluation", str, game.evaluations[0], help=text)}


def kernel_with_evaluation(game: Game, options: Mapping[str, Option]) -> Any:
    """The game's kernel with the evaluation that the options ask for. Raises AgentError if there is no such one."""
    if "evaluation" not in options:
        return game.kernel
    try:
        return game.kernel_with(evaluation=options["evaluation"])
    except ValueError as error:
        raise AgentError(str(error)) from error

"""The option `evaluation` of agents that use a game's static evaluation, where the game has more than one."""

from collections.abc import Mapping
from typing import Any

from agents.agent import AgentError, Option
from game import Game


def evaluation_option(game: Game) -> dict[str, Option]:
    """The option with its default, the first that the game names; empty for a game that has one evaluation only."""
    return {"evaluation": game.evaluations[0]} if game.evaluations else {}


def kernel_with_evaluation(game: Game, options: Mapping[str, Option]) -> Any:
    """The game's kernel with the evaluation that the options ask for. Raises AgentError."""
    if "evaluation" not in options:
        return game.kernel
    try:
        return game.kernel_with(evaluation=options["evaluation"])
    except ValueError as error:
        raise AgentError(str(error)) from error

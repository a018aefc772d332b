"""Minimax to a fixed depth or with a fixed number of positions: the opponent by which the literature measures UCT."""

from collections.abc import Mapping
from typing import ClassVar

from agents.agent import register_agent
from agents.agent_options import Option, declare
from agents.alphabeta.frames import LONGEST
from agents.alphabeta_agent import TABLE, AlphaBetaAgent
from options import DeclaredOption


@register_agent("minimax_agent")
class MinimaxAgent(AlphaBetaAgent):
    """Minimax by alpha-beta: MM-k with `depth=k`, or as deep as a number of expanded positions allows.

    MM-k is the opponent of UCT in Ramanujan & Selman, "Trade-Offs in Sampling-Based Adversarial Planning", 2011, where
    both expand the same number of positions. A position is expanded when its children are generated; leaves are not
    expanded. A search that is cut short plays the best move that it has found so far.
    """

    _is_timed = True
    default_options: ClassVar[Mapping[str, Option | DeclaredOption]] = declare(
        DeclaredOption(
            "depth", int, 4, 0, LONGEST, help="Plies to look ahead, if there is time; 0: as far as the rest allows."
        ),
        DeclaredOption(
            "nodes",
            int,
            0,
            0,
            help="Positions to expand for a move by iterative deepening, whatever the clock says; 0: any number.",
        ),
        TABLE,
    )

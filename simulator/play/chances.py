"""Winning chances as people are told them: after only a few simulations they are noise, and people are told nothing."""

from agents.outcomes import OUTCOME_VALUES
from game import FIRST
from simulator.gtp.analysis import Analysis

LEAST_SIMULATIONS = 100


def told_chance(analysis: Analysis) -> float | None:
    """What an agent says of its winning chance; None if it says that it made fewer than LEAST_SIMULATIONS.

    >>> told_chance(Analysis(value=0.6, simulations=100)), told_chance(Analysis(value=1.0, simulations=1))
    (0.6, None)
    """
    simulations = analysis.simulations
    return analysis.value if simulations is None or simulations >= LEAST_SIMULATIONS else None


def chance_of_first(analysis: Analysis, mover: int) -> float | None:
    """The winning chance of the player who moved first, from the mover's own chance, or from its proof."""
    value = OUTCOME_VALUES.get(analysis.proven or "", told_chance(analysis))
    return value if value is None or mover == FIRST else 1 - value


def chance_text(value: float, visits: int) -> str:
    """The winning chance of a move as text; `-` for fewer visits than LEAST_SIMULATIONS.

    >>> chance_text(0.615, 100), chance_text(0.615, 99)
    ('61.5%', '-')
    """
    return f"{value:.1%}" if visits >= LEAST_SIMULATIONS else "-"

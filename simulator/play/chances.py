"""What agents say of their moves, as people are told it: after a few simulations a winning chance is only noise."""

from agents.outcomes import OUTCOME_VALUES
from game import FIRST
from options import counted
from simulator.gtp.analysis import Analysis

LEAST_SIMULATIONS = 100
MOST_VISITS = 9_999_900_000  # shown at most; no agent makes more in some seconds


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


def visits_text(visits: int) -> str:
    """A number of visits in 9 characters at most, whatever an agent says.

    >>> visits_text(9_999_999), visits_text(12_345_678), visits_text(10**400)
    ('9,999,999', '12.3M', '9,999.9M')
    """
    return f"{visits:,}" if visits < 10**7 else f"{min(visits, MOST_VISITS) / 1e6:,.1f}M"


def how_found(analysis: Analysis) -> list[str]:
    """How an agent found its move, as far as it says so.

    >>> how_found(Analysis(simulations=1234567)), how_found(Analysis(book_seconds=4.0))
    (['1,234,567 simulations'], ['from its opening book'])
    """
    words = ["from its opening book"] if analysis.book_seconds is not None else []
    words += ["its search was not compiled yet"] if analysis.compiling_seconds is not None else []
    return words + ([counted(analysis.simulations, "simulation")] if analysis.simulations else [])

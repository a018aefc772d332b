"""Every limit of a player with what enforces it here: those of its sandbox, and how much it may write."""

from collections.abc import Sequence

from agents.agent import Limits
from simulator.gtp.syntax import MAX_ANSWER_BYTES
from simulator.sandbox.isolation import Enforcement, Mechanisms

KEPT_STDERR_BYTES = 1 << 16
SHOWN_STDERR_LINES = 40  # where two threads stand, with our own frames below the agent's

_OUTPUT = Enforcement(
    "output",
    f"answers up to {MAX_ANSWER_BYTES >> 20} MB, {KEPT_STDERR_BYTES >> 10} KiB of stderr kept, of which a verdict "
    f"shows the last {SHOWN_STDERR_LINES} lines",
)


def enforced_limits(mechanisms: Mechanisms, limits: Limits, cores: Sequence[int]) -> list[Enforcement]:
    """All limits, in the order in which `runner.py doctor` prints them."""
    return [*mechanisms.enforcement(limits, cores), _OUTPUT]

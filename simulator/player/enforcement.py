"""Every limit of a player with what enforces it here: those of its sandbox, and how much it may write."""

from collections.abc import Sequence

from agents.limits import Limits
from simulator.gtp.syntax import MAX_ANSWER_BYTES
from simulator.player.log import KEPT_LOG_BYTES, SHOWN_LINES
from simulator.sandbox.isolation import Enforcement, Mechanisms

_OUTPUT = Enforcement(
    "output",
    f"answers up to {MAX_ANSWER_BYTES >> 20} MB; of its log the first and last {KEPT_LOG_BYTES >> 10} KiB, of which a "
    f"verdict shows the last {SHOWN_LINES} lines",
)


def enforced_limits(mechanisms: Mechanisms, limits: Limits, cores: Sequence[int]) -> list[Enforcement]:
    """All limits, in the order in which `runner.py doctor` prints them."""
    return [*mechanisms.enforcement(limits, cores), _OUTPUT]

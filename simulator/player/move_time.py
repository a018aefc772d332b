"""The time that a player has for a move, and its answer."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from game import Game, NotationError, Position, RulesError
from simulator.player import faults


class Answer(NamedTuple):
    """What an agent answered to `genmove`.

    Attributes:
        seconds: from the flushed request to the answer's last newline.
        delay_seconds: the most that the referee itself looked too late while it waited, see `MoveRecord`.
        unsure_seconds: by how much less than `seconds` it may have been, because the referee itself was held up.
        position: where the move leads, None if it is no legal move.
        why_illegal: why it is none; empty for a legal move.
    """

    text: str
    seconds: float
    delay_seconds: float
    unsure_seconds: float
    position: Position | None = None
    why_illegal: str = ""

    def played(self) -> Position:
        """Where the move leads. Raises Fault if it is no legal move."""
        if self.position is None:
            raise faults.illegal(self.text, self.why_illegal)
        return self.position


def position_after(text: str, game: Game, position: Position, *, is_python: bool) -> tuple[Position | None, str]:
    """The position that an answer leads to; None if it is no legal move, and why in words for who wrote the agent."""
    try:
        return position.play(game.parse_move(text, position)), ""
    except NotationError as error:  # which tells people what to type
        wanted = "; `step` returns one of position.legal_moves()" if is_python else ""
        return None, str(error).partition(". Type ")[0] + wanted
    except ValueError as error:
        return None, str(error)
    except RulesError:
        raise  # which is no fault of the agent's
    except Exception as error:  # a text on which the game's own reader stumbles is no move either
        return None, f"it cannot be read: {error!r}"


@dataclass(frozen=True)
class MoveTime:
    """The time for one move, in seconds.

    Attributes:
        limit: for the move; infinite where only the game clock counts.
        cushion: by which an answer may be late before nobody waits for it any more.
        clock: what is left on the game clock, None without one; there is no cushion for that.
    """

    limit: float
    cushion: float = 0.0
    clock: float | None = None

    @property
    def at_most(self) -> float:
        """How long an answer is awaited."""
        return min(self.limit + self.cushion, math.inf if self.clock is None else self.clock)

    @property
    def announced(self) -> float:
        """Until when an answer is in time."""
        return min(self.limit, self.at_most)

    def __str__(self) -> str:
        if self.clock is not None and self.clock <= self.limit + self.cushion:
            return f"the {self.clock:.3f} s left on its clock"
        return f"{round(self.limit, 3):g} s" + (f" and the cushion of {self.cushion:g} s" if self.cushion else "")

"""The time that a player has for a move, and its answer."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from game import Game, NotationError, Position, RulesError
from simulator.player import faults


class Answer(NamedTuple):
    """What an agent answered to `genmove`.

    Attributes:
        text: the answer as it came.
        seconds: from the start of the move's clock, see `Player.ask`, to the answer's last newline.
        delay_seconds: how late the latest of the referee's looks for the answer was, see `MoveRecord`.
        unsure_seconds: the true time may be shorter than `seconds` by so much, because the referee was held up.
        position: the position after the move; None if the answer is no legal move.
        why_illegal: why the answer is no legal move; empty for a legal one.
    """

    text: str
    seconds: float
    delay_seconds: float
    unsure_seconds: float
    position: Position | None = None
    why_illegal: str = ""

    def played(self) -> Position:
        """The position after the move. Raises Fault if the answer is no legal move."""
        if self.position is None:
            raise faults.illegal(self.text, self.why_illegal)
        return self.position


def position_after(text: str, game: Game, position: Position, *, is_python: bool) -> tuple[Position | None, str]:
    """The position after an answer's move, and ""; for no legal move None, and the reason in words for the author."""
    try:
        return position.play(game.parse_move(text, position)), ""
    except NotationError as error:  # its message tells people what to type, which is left out
        wanted = "; `step` returns one of position.legal_moves()" if is_python else ""
        return None, str(error).partition(". Type ")[0] + wanted
    except ValueError as error:
        return None, str(error)
    except (RulesError, OSError, MemoryError):
        raise  # the game or this machine is at fault, not the agent
    except Exception as error:  # the game's parser failed on the text, so the text is no move
        return None, f"it cannot be read: {error!r}"


@dataclass(frozen=True)
class MoveTime:
    """The time for one move, in seconds.

    Attributes:
        limit: for the move; infinite if only the game clock counts.
        cushion: how late an answer may be before nobody waits for it any more.
        clock: what is left on the game clock, None without one; the cushion does not extend it.
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

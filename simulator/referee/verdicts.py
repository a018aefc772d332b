"""How a game ended, in the sentences of verdicts; what an agent did wrong is in `simulator/player/faults.py`."""

from dataclasses import dataclass

from game import Result
from simulator.player.faults import Fault, Reason
from simulator.referee.game_record import Verdict


def counted(number: float, what: str) -> str:
    """A number of things, in words.

    >>> counted(1, "move"), counted(1234, "move")
    ('1 move', '1,234 moves')
    """
    return f"{number:,.0f} {what}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Verdicts:
    """Makes the verdicts of one game.

    Attributes:
        names: of the players, as records call them.
        colours: what the game calls them.
    """

    names: tuple[str, str]
    colours: tuple[str, str]

    def called(self, player: int) -> str:
        """`uct_agent (w)`."""
        return f"{self.names[player]} ({self.colours[player]})"

    def lost(self, player: int, fault: Fault, ply: int, last_lines: tuple[str, ...] = ()) -> Verdict:
        """A player lost by a fault after so many plies; with the last lines of its log."""
        text = f"{self.called(player)} {fault.at_move(ply + 1)}"
        return Verdict(1 - player, fault.reason, text, ply, player, fault.measured, fault.limit, last_lines)

    def resigned(self, player: int, ply: int) -> Verdict:
        """A player resigned."""
        text = f"{self.called(player)} resigned at move {ply + 1}"
        return Verdict(1 - player, Reason.RESIGNATION, text, ply, loser=player)

    def on_board(self, result: Result, ply: int) -> Verdict:
        """The game came to its end on the board."""
        text = "drawn on the board" if result.winner is None else self._wins(result, " on the board")
        return Verdict(result.winner, Reason.NORMAL, f"{text} after {counted(ply, 'move')}", ply)

    def as_it_stands(self, result: Result, ply: int) -> Verdict:
        """The game has had as many moves as it may have, and was counted."""
        who = "it is drawn" if result.winner is None else self._wins(result)
        text = f"stopped after {counted(ply, 'move')}, the most that a game may have; as the board stands, {who}"
        return Verdict(result.winner, Reason.NORMAL, text, ply)

    def counted_elsewhere(self, result: Result, ply: int) -> Verdict:
        """A file says how the game was counted, and its moves do not end the game."""
        who = "drawn" if result.winner is None else self._wins(result)
        text = f"{who}, as the file says: its board is open after {counted(ply, 'move')}"
        return Verdict(result.winner, Reason.NORMAL, text, ply)

    def void(self, why: str, ply: int) -> Verdict:
        """Nobody wins."""
        return Verdict(None, Reason.VOID, why, ply)

    def _wins(self, result: Result, where: str = "") -> str:
        assert result.winner is not None
        margin = "" if result.margin is None else f" by {result.margin:g}"
        return f"{self.called(result.winner)} wins{where}{margin}"

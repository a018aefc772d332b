"""What was wrong with a move, according to a strong agent's searches of the positions before and after the move.

A mistake is named if it is proved (a win thrown away, a loss allowed), or if the move costs more than LARGE_DROP of the
winning chance. Chances are the agent's opinion, proofs are certain; a search that has found no proof proves nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.outcomes import OUTCOME_VALUES
from game import Game
from simulator.play.chances import LEAST_SIMULATIONS
from simulator.play.thinker import RankedMove, Thinker

LARGE_DROP = 0.20  # of the winning chance
HOPELESS = 0.05  # a winning chance below which a position counts as lost, though nothing is proved
STUDY_SECONDS = 0.6  # for each of the two positions
SUMMARY_SECONDS = 0.3  # for each position of a game that is over
MOST_SHOWN = 6  # moves of a line

Kind = Literal["", "win thrown away", "loss allowed", "chances dropped"]


@dataclass(frozen=True)
class View:
    """What the agent thinks of a position, for the player to move there.

    Attributes:
        value: winning chance, 0 to 1.
        proven: "win", "loss" or "draw", None if nothing is proved.
        moves: what it thinks of each move, best first; nothing if the game is over.
    """

    value: float
    proven: str | None
    moves: tuple[RankedMove, ...] = ()

    @property
    def is_noise(self) -> bool:
        """Whether the value comes from too few visits to mean anything."""
        return self.proven is None and sum(move.visits for move in self.moves) < LEAST_SIMULATIONS


@dataclass(frozen=True)
class Judgement:
    """A move that was played, and what was wrong with it.

    Attributes:
        ply: how many moves of the game were played before it; its number in a list of moves is one more.
        player: who made it, 0 or 1.
        before, after: winning chance of that player, before the move and after it, 0 to 1.
        kind: empty for a move that was not wrong.
        better: the text of a better move; empty if it was not wrong.
        line: the moves that follow from the better one.
    """

    ply: int
    player: int
    move: str
    before: float
    after: float
    kind: Kind = ""
    better: str = ""
    line: tuple[str, ...] = ()

    @property
    def is_mistake(self) -> bool:
        """Whether something was wrong with it."""
        return self.kind != ""

    def sentence(self, who: str = "you") -> str:
        """What was wrong with a mistake, in words; `who` made it.

        >>> Judgement(4, 0, "d4/1r", 0.7, 0.4, "chances dropped", "c3/0f", ("c3/0f", "a1/0r")).sentence()
        'd4/1r dropped your winning chance from 70% to 40%. Better: c3/0f, then a1/0r.'
        """
        whose = "your" if who == "you" else f"{who}'s"
        what = {
            "win thrown away": f"{self.move} threw away a proved win",
            "loss allowed": f"{self.move} allows a forced loss",
            "chances dropped": f"{self.move} dropped {whose} winning chance from {self.before:.0%} to {self.after:.0%}",
        }[self.kind]
        then = f", then {' '.join(self.line[1:MOST_SHOWN])}" if len(self.line) > 1 else ""
        return f"{what}. Better: {self.better}{then}."


def judge(game: Game, ply: int, before: Any, after: Any, ranked: View, reply: View) -> Judgement:
    """What was wrong with the move from `before` to `after`; `ranked` and `reply` are the agent's views of these."""
    mover, move = before.to_move, game.format_move(after.last_move)
    played = _played(game, before, after, ranked)
    proven, value = _outcome(before, after, reply)
    if proven is None and played is not None and played.proven is not None:
        proven, value = played.proven, OUTCOME_VALUES[played.proven]
    judgement = Judgement(ply, mover, move, ranked.value, value)
    if not ranked.moves or played is ranked.moves[0]:  # the agent's own choice is no mistake
        return judgement
    kind: Kind = ""
    better = ranked.moves[0]
    open_moves = [one for one in ranked.moves if one is not played and one.proven != "loss"]
    if ranked.proven == "win" and proven in ("loss", "draw"):
        kind = "win thrown away"
    elif proven == "loss" and open_moves and open_moves[0].value > HOPELESS:
        kind, better = "loss allowed", open_moves[0]
    elif ranked.proven in (None, "win") and proven != "loss" and ranked.value - value > LARGE_DROP:
        kind = "" if ranked.is_noise or reply.is_noise else "chances dropped"
    return replace(judgement, kind=kind, better=better.text, line=better.pv) if kind else judgement


def _outcome(before: Any, after: Any, reply: View) -> tuple[str | None, float]:
    """What is proved of the position after a move, and the winning chance, for the player who made the move."""
    if after.result is None and after.to_move == before.to_move:  # an extra turn
        return reply.proven, reply.value
    return {"win": "loss", "loss": "win"}.get(reply.proven or "", reply.proven), 1 - reply.value


def _played(game: Game, before: Any, after: Any, ranked: View) -> RankedMove | None:
    """What the agent thought of the move that was played, None if nothing.

    In Pentago, moves of different texts can lead to the same position, and the agent names only one of these moves.
    """
    move = game.format_move(after.last_move)
    same = next((one for one in ranked.moves if one.text == move), None)
    if same is not None and same is ranked.moves[0]:
        return same
    return next((one for one in ranked.moves if before.play(one.move) == after), same)


def view_of(ranked: Sequence[RankedMove]) -> View:
    """What an agent thinks of a position, by what it thinks of its moves.

    The proof of the best move counts for the position if that is a win, or if every move has a proof.
    """
    best = ranked[0]
    proven = best.proven if best.proven == "win" or all(move.proven is not None for move in ranked) else None
    return View(best.value if proven is None else OUTCOME_VALUES[proven], proven, tuple(ranked))


def view_of_end(position: Any) -> View:
    """The view of a position where the game is over, for the player to move there."""
    winner = position.result.winner
    proven = "draw" if winner is None else "win" if winner == position.to_move else "loss"
    return View(OUTCOME_VALUES[proven], proven)


class Coach:
    """Judges the moves of a game by an agent's views of its positions, and keeps these views."""

    def __init__(self, game: Game, adviser: Thinker) -> None:
        self.game, self.adviser = game, adviser
        self._views: dict[str, View] = {}  # by the text of the position

    def knows(self, position: Any) -> bool:
        """Whether this position need not be studied any more."""
        return position.result is not None or self.game.format_position(position) in self._views

    def learn(self, position: Any, ranked: Sequence[RankedMove]) -> None:
        """Keep what an agent thinks of the moves of a position."""
        self._views[self.game.format_position(position)] = view_of(ranked) if ranked else View(0.5, None)

    def judge_last(self, positions: Sequence[Any]) -> Judgement:
        """Judge the move that led to the last position; the last two positions must be known."""
        before, after = positions[-2:]
        return judge(self.game, len(positions) - 2, before, after, self._view(before), self._view(after))

    def summary(self, positions: Sequence[Any]) -> list[Judgement]:
        """Judge every move of a game whose positions are all known; the turning points are those that are mistakes."""
        return [self.judge_last(positions[:number]) for number in range(2, len(positions) + 1)]

    def _view(self, position: Any) -> View:
        if position.result is not None:
            return view_of_end(position)
        return self._views[self.game.format_position(position)]

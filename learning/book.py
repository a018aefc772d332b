"""An opening book that is being built: what long searches of its positions found, and what follows from that.

A position is worth what its best move is worth. A move is worth what the position after it is worth, and so on through
the book; if that position was not searched, the search before the move says what the move is worth. The positions to
search next are those that arise most likely when the book plays one side: the book plays its best moves, and the
opponent the moves that the search considered. Begin reading at `OpeningBook`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Annotated, NamedTuple

from msgspec import Meta

from agents.book import LONGEST_LINE, Key, key_of, move_to
from agents.outcomes import OUTCOME_VALUES
from game import FIRST, SECOND, Game

# Subtracted from the value of a move whose position was not searched: the best of many moves that were looked at for a
# short time is usually worth less than it seems.
DOUBT = 0.02
MARGIN = 0.01  # the book also plays moves that are worse than the best by at most this

_TURNED = {"win": "loss", "loss": "win", "draw": "draw", None: None}
_Outcome = Annotated[str, Meta(pattern="^(win|loss|draw)$")] | None  # checked when a file is read


@dataclass(frozen=True)
class Reply:
    """What the search of a position has found about one of its moves.

    Attributes:
        move: its text in the position before it.
        key: the key of the position after it.
        keeps_turn: whether the same player moves again.
        value: for the player who makes it, 0 to 1.
        share: the mean of its share of the visits and its share of the priors, 0 to 1.
        outcome: what is proved for the player who makes it: "win", "loss", "draw" or None.
    """

    move: str
    key: Key
    keeps_turn: bool
    value: float
    share: float
    outcome: _Outcome


@dataclass(frozen=True)
class Searched:
    """A position that was searched.

    Attributes:
        position: as text; this position or a mirror image of it.
        key: see `agents.book`.
        ply, to_move: see `game.Position`.
        proven: what is proved for the player to move.
        seconds, simulations: of the search.
        depth: of its deepest simulation.
        replies: the moves that the search tried, its own choice first; at least one.
    """

    position: str
    key: Key
    ply: int
    to_move: int
    proven: _Outcome
    seconds: float
    simulations: int
    depth: int
    replies: Annotated[tuple[Reply, ...], Meta(min_length=1)]


class Opinion(NamedTuple):
    """How the book judges a move.

    Attributes:
        reply: the move.
        value: for the player who makes it.
        outcome: what is proved for the player who makes it.
        is_searched: whether the position after it was searched, or is proved.
    """

    reply: Reply
    value: float
    outcome: str | None
    is_searched: bool

    @property
    def rank(self) -> float:
        """The value, less DOUBT if the position after the move was not searched."""
        return self.value if self.is_searched else self.value - DOUBT


class Judged(NamedTuple):
    """How the book judges a position.

    Attributes:
        value, proven: for the player to move.
        opinions: its moves, the best one first.
    """

    value: float
    proven: str | None
    opinions: tuple[Opinion, ...]

    def choices(self, margin: float) -> list[Opinion]:
        """The moves to play: the best one and those that are hardly worse; only winning moves if the best one wins."""
        best = self.opinions[0]
        return [
            opinion
            for opinion in self.opinions
            if opinion.rank >= best.rank - margin and (opinion.outcome == "win") == (best.outcome == "win")
        ]


class Wanted(NamedTuple):
    """A position that may be searched.

    Attributes:
        key: its key.
        ply: see `game.Position`; a position that was made from text does not know it in every game.
        position: the position before it as text, or the position itself.
        move: the move that leads from there to it, as text; None if `position` is the position itself.
        likelihood: how likely it arises, summed over the two sides that the book may play.
    """

    key: Key
    ply: int
    position: str
    move: str | None
    likelihood: float


class OpeningBook:
    """The searched positions of a game.

    Attributes:
        game: the game of the positions.
        searched: by key, in the order in which they were searched.
        start: the key of the initial position.
    """

    def __init__(self, game: Game, searched: Collection[Searched] = ()) -> None:
        self.game = game
        self.searched = {found.key: found for found in searched}
        self.start = key_of(game, game.initial())

    # --- Values -------------------------------------------------------------------------------------------------

    def judged(self) -> dict[Key, Judged]:
        """How the book judges each of its positions; positions of later plies come first."""
        judged: dict[Key, Judged] = {}
        for found in sorted(self.searched.values(), key=attrgetter("ply"), reverse=True):
            judged[found.key] = self._judge(found, judged)
        return judged

    @staticmethod
    def _judge(found: Searched, below: dict[Key, Judged]) -> Judged:
        """Judge a position; `below` has the judgements of positions of later plies."""
        # A stable order: of moves with the same value, the search's own choice stays in front.
        opinions = sorted((_opinion(reply, below) for reply in found.replies), key=attrgetter("rank"), reverse=True)
        proven = found.proven or ("win" if opinions[0].outcome == "win" else None)
        value = OUTCOME_VALUES[proven] if proven else opinions[0].value
        return Judged(value, proven, tuple(opinions))

    def seconds(self) -> dict[Key, float]:
        """The seconds of search spent on each position and on all that follow it in the book.

        A position that is reached in several ways counts once.
        """
        below: dict[Key, set[Key]] = {}
        for found in sorted(self.searched.values(), key=attrgetter("ply"), reverse=True):
            below[found.key] = {found.key}.union(*(below[r.key] for r in found.replies if r.key in below))
        return {key: sum(self.searched[one].seconds for one in keys) for key, keys in below.items()}

    # --- What to search -----------------------------------------------------------------------------------------

    @cached_property
    def _first_positions(self) -> list[Wanted]:
        """The initial position and the positions after each first move; of mirror images only one."""
        start = self.game.initial()
        text = self.game.format_position(start)
        wanted = {self.start: Wanted(self.start, 0, text, None, 2.0)}
        for move in start.legal_moves():
            after = start.play(move)
            if after.result is None:
                key = key_of(self.game, after)
                wanted.setdefault(key, Wanted(key, 1, text, self.game.format_move(move), 2.0))
        return list(wanted.values())

    def next_position(self, busy: Collection[Key], margin: float = MARGIN) -> Wanted | None:
        """The position to search next, which is not one of `busy`; None if nothing is left.

        The positions after all first moves come first, so that they can be compared; then the likeliest position.
        """
        for wanted in self._first_positions:
            if wanted.key not in self.searched and wanted.key not in busy:
                return wanted
        left = (wanted for wanted in self._unsearched(margin) if wanted.key not in busy)
        return max(left, key=attrgetter("likelihood"), default=None)

    def _unsearched(self, margin: float) -> Iterator[Wanted]:
        """The positions that are neither searched nor proved, after moves that may be played; with likelihoods."""
        judged, chances = self.judged(), {self.start: [1.0, 1.0]}  # when the book plays FIRST, and when SECOND
        ways: dict[Key, tuple[int, str, str]] = {}
        for found in sorted(self.searched.values(), key=attrgetter("ply")):
            here = chances.get(found.key)
            if here is None or judged[found.key].proven:
                continue
            for side in (FIRST, SECOND):
                for reply, share in _played(found, judged[found.key], side, margin):
                    chances.setdefault(reply.key, [0.0, 0.0])[side] += here[side] * share
                    if reply.outcome is None and reply.key not in self.searched:
                        ways[reply.key] = found.ply + 1, found.position, reply.move
        for key, way in ways.items():
            yield Wanted(key, *way, sum(chances[key]))

    # --- Lines --------------------------------------------------------------------------------------------------

    def line(self, key: Key, judged: dict[Key, Judged]) -> list[str]:
        """The best moves of both sides from a position on, as texts, as far as the book goes, LONGEST_LINE at most."""
        if key not in self.searched:
            return []
        position = self.game.parse_position(self.searched[key].position)
        line: list[str] = []
        while key in judged and len(line) < LONGEST_LINE:
            key = judged[key].opinions[0].reply.key
            move = move_to(self.game, position, key)
            if move is None:  # forbidden by what was played before, as by Go's superko
                break
            line.append(self.game.format_move(move))
            position = position.play(move)
        return line


def _opinion(reply: Reply, below: dict[Key, Judged]) -> Opinion:
    after = below.get(reply.key)
    if after is None or reply.outcome is not None:
        value = OUTCOME_VALUES[reply.outcome] if reply.outcome else reply.value
        return Opinion(reply, value, reply.outcome, reply.outcome is not None)
    if reply.keeps_turn:
        return Opinion(reply, after.value, after.proven, True)
    return Opinion(reply, 1 - after.value, _TURNED[after.proven], True)


def _played(found: Searched, judged: Judged, side: int, margin: float) -> Iterator[tuple[Reply, float]]:
    """Each move of a position with the probability that it is played when the book plays `side`."""
    if side == found.to_move:
        choices = judged.choices(margin)
        yield from ((opinion.reply, 1 / len(choices)) for opinion in choices)
    else:
        yield from ((reply, reply.share) for reply in found.replies)

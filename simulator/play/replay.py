"""A finished game that is stepped through: its positions and moves, what is known of each, and the ply that is shown.

Lines (`terminal/replay.py`), the full screen (`fullscreen/replay.py`) and the report's page show it. Plies count moves:
0 is the start of the game, and move 1 leads to position 1.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping

from game import FIRST, SECOND, RulesError, play_moves
from options import counted
from simulator.play.chances import chance_of_first
from simulator.records.reader import PlayedGame
from simulator.referee.game_record import MoveRecord

PAGE_PLIES = 10
STEPS: Mapping[str, Callable[[int, int], int]] = {  # by command: where it leads from a ply, given the last ply
    "next": lambda ply, last: ply + 1,
    "back": lambda ply, last: ply - 1,
    "first": lambda ply, last: 0,
    "last": lambda ply, last: last,
    "page_down": lambda ply, last: ply + PAGE_PLIES,
    "page_up": lambda ply, last: ply - PAGE_PLIES,
}


class Replay:
    """One game with all its positions.

    Attributes:
        played: the game as it was read.
        game: the game, with its options settled.
        positions: all positions, the start first; not the last one if the rules of a game's file fail there.
        last: how many moves lead to the last of them.
        movers: who made each move, FIRST or SECOND.
        chances: for each move, the winning chance of FIRST according to the agent that moved; None if it gave none.
        ply: the ply of the position that is shown.
    """

    def __init__(self, played: PlayedGame) -> None:
        """Raises InputError for a game that cannot be played again here."""
        self.played, self.record = played, played.record
        self.game = self.record.load_game()
        start = self.game.parse_position(played.position) if played.position else None
        self.positions = play_moves(self.game, self.record.line, start)
        try:
            self.positions[-1].legal_moves()
        except RulesError:  # of a game's file; so the game is void, and a screen cannot ask for this position either
            self.positions = self.positions[:-1] or self.positions
        self.last, self.ply = len(self.positions) - 1, 0
        self.movers = [position.to_move for position in self.positions[:-1]]
        moves = [self.move(ply) for ply in range(1, self.last + 1)]
        self.chances = [None if move is None else chance_of_first(move.analysis, move.player) for move in moves]

    def go(self, ply: int) -> None:
        """Go to a move, or to the nearest that there is."""
        self.ply = min(max(ply, 0), self.last)

    def step(self, command: str) -> None:
        """Move as one of `STEPS` says."""
        self.go(STEPS[command](self.ply, self.last))

    def move(self, ply: int) -> MoveRecord | None:
        """The referee's record of the move that led to `ply`; None at the start and for the opening's moves."""
        index = ply - 1 - len(self.record.opening)
        return self.record.moves[index] if index >= 0 else None

    def headline(self) -> str:
        """Which game it is, between whom, and its result."""
        round_ = self.played.round
        first, second = map(self.name, (FIRST, SECOND))
        place = f"game {self.played.number}" + ("" if round_ is None else f", round {round_}")
        return f"{place}: {first} against {second}, {self.record.result.replace('none', 'no result')}"

    def name(self, player: int) -> str:
        """An agent, and what GTP calls its side."""
        return f"{self.record.agents[player]} ({self.game.players[player]})"

    def last_move(self, ply: int) -> str:
        """The move that led to `ply`, and who made it."""
        if ply == 0:
            return f"the start of the game, which has {counted(self.last, 'move')}"
        text = self.game.format_move(self.positions[ply].last_move)
        who = self.name(self.movers[ply - 1]) if self.move(ply) else "the opening"
        return f"move {ply} of {self.last}: {who} played {text}"

    def usage(self, ply: int) -> Iterator[str]:
        """What the referee recorded of the move that led to `ply`, and what the agent said of it.

        `0.512 s, 181 MB, its own value 0.620, proved a win`; figures that nobody measured are left out.
        """
        if (move := self.move(ply)) is None:
            return
        value, proven, clock = move.analysis.value, move.analysis.proven, move.clock_seconds
        parts = [
            f"{move.seconds:.3f} s" if move.seconds else "",
            f"{move.peak_memory_mb:.0f} MB" if move.peak_memory_mb else "",
            "" if value is None else f"its own value {value:.3f}",
            "" if proven is None else f"proved a {proven}",
            "" if clock is None else f"{clock:.1f} s left on its clock",
        ]
        if any(parts):
            yield ", ".join(filter(None, parts))
        if move.replaced:
            yield f"too late: it answered {move.answer or 'nothing'}, and a random move was played instead"
        if move.analysis.note:
            yield f"of its analysis, {move.analysis.note}"

    def verdict(self) -> str:
        """How the game ended."""
        return f"{self.record.verdict.text} [{self.record.verdict.reason}]"

    def last_words(self) -> list[str]:
        """The end of the log of the player whose fault ended the game; empty if no fault did."""
        verdict = self.record.verdict
        if verdict.loser is None or not verdict.stderr:
            return []
        return _quoted(f"end of the log of {self.record.agents[verdict.loser]}", "\n".join(verdict.stderr))

    def logs(self) -> Iterator[str]:
        """What both players wrote, below their names."""
        for player, name in enumerate(self.record.agents):
            yield from _quoted(f"log of {name}", self.record.log(player))

    def transcripts(self) -> Iterator[str]:
        """The GTP that went to and from both players, below their names."""
        for name, text in zip(self.record.agents, self.record.transcripts, strict=True):
            yield from _quoted(f"transcript of {name}", text, "not kept; play with --transcripts")


def _quoted(title: str, text: str, if_empty: str = "empty") -> list[str]:
    """A title with a text below it, indented."""
    return [f"{title}:", textwrap.indent(text, "  ", lambda _: True)] if text else [f"{title}: {if_empty}"]

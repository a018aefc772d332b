"""A finished game, step by step: the board, the move, its time and memory, the agent's own value.

A *page* shows the position after a number of moves, 0 for the start. Begin reading at `Replay.page`; `command_of` reads
what is typed.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from game import FIRST, SECOND
from simulator.records.reader import PlayedGame, replayed
from simulator.referee.game_record import MoveRecord
from simulator.referee.verdicts import counted
from simulator.terminal.screen import WIDTH

HELP = "Enter, right: next  b, left: back  f: first  l: last  a number: that move  q: quit"
KEYS = {  # what is typed: the command that it means
    "next": ("n", "next", "", "\r", "\n", " ", "\x1b[C", "\x1bOC"),
    "back": ("b", "back", "p", "\x7f", "\x1b[D", "\x1bOD"),
    "first": ("f", "first", "\x1b[H", "\x1bOH", "\x1b[1~"),
    "last": ("l", "last", "\x1b[F", "\x1bOF", "\x1b[4~"),
    "quit": ("q", "quit", "\x04"),
}
GOTO = ("goto", "g")


@dataclass(frozen=True)
class Shown:
    """What is shown beside the boards.

    Attributes:
        colour: boards with colours.
        logs: on the last page, what both players wrote to stdout and stderr.
        transcripts: on the last page, the GTP between the referee and both players, if it was kept.
    """

    colour: bool = False
    logs: bool = False
    transcripts: bool = False


class Replay:
    """One game with all its positions.

    Attributes:
        played: the game as it was read.
        game: with its options settled.
        positions: all of them, the one at the start first.
        last: the number of the last page, which is how many moves were played.
    """

    def __init__(self, played: PlayedGame, shown: Shown | None = None) -> None:
        """Raises NotationError for a game that cannot be played again here."""
        self.played, self._record, self._shown = played, played.record, shown or Shown()
        self.game, self.positions = replayed(played.record, played.position)
        self.last = len(self.positions) - 1

    def pages(self) -> Iterator[str]:
        """All pages, from the start of the game."""
        return map(self.page, range(self.last + 1))

    def page(self, ply: int) -> str:
        """The position after `ply` moves, and what is known of the last of them; at the end the verdict too."""
        board = self.game.draw(self.positions[ply], self._shown.colour)
        lines = [self.headline(), self.last_move(ply), "", board, "", *self.usage(ply)]
        if ply == self.last:
            lines += [*self._verdict()]
        return "\n".join(lines)

    def headline(self) -> str:
        """Which game it is, between whom, and its result."""
        round_ = self.played.round
        first, second = map(self.name, (FIRST, SECOND))
        place = f"game {self.played.number}" + ("" if round_ is None else f", round {round_}")
        return f"{place}: {first} against {second}, {self._record.result}"

    def name(self, player: int) -> str:
        """An agent, and what its side is called on the wire."""
        return f"{self._record.agents[player]} ({self.game.players[player]})"

    def last_move(self, ply: int) -> str:
        """Who played what to get there."""
        if ply == 0:
            return f"the start of the game, which has {counted(self.last, 'move')}"
        text = self.game.format_move(self.positions[ply].last_move)
        who = self.name(self.positions[ply - 1].to_move) if self.move(ply) else "the opening"
        return f"move {ply} of {self.last}: {who} played {text}"

    def move(self, ply: int) -> MoveRecord | None:
        """What the referee saw of the move that led there, None at the start and for the opening's moves."""
        index = ply - 1 - len(self._record.opening)
        return self._record.moves[index] if index >= 0 else None

    def usage(self, ply: int) -> Iterator[str]:
        """What the referee saw of the move that led there."""
        if move := self.move(ply):
            yield from _usage(move)

    def verdict(self) -> str:
        """How the game ended."""
        return f"{self._record.verdict.text} [{self._record.verdict.reason}]"

    def _verdict(self) -> Iterator[str]:
        verdict, record = self._record.verdict, self._record
        yield from textwrap.wrap(self.verdict(), WIDTH, break_on_hyphens=False)
        if self._shown.logs:
            yield from self.logs()
        elif verdict.loser is not None and verdict.stderr:
            yield from _quoted(f"end of the log of {record.agents[verdict.loser]}", "\n".join(verdict.stderr))
        if self._shown.transcripts:
            yield from self.transcripts()

    def logs(self) -> Iterator[str]:
        """What both players wrote, below their names."""
        for player, name in enumerate(self._record.agents):
            yield from _quoted(f"log of {name}", self._record.log(player))

    def transcripts(self) -> Iterator[str]:
        """The GTP that went to and from both players, below their names."""
        for name, text in zip(self._record.agents, self._record.transcripts, strict=True):
            yield from _quoted(f"transcript of {name}", text, "not kept; play with --transcripts")


def _quoted(title: str, text: str, if_empty: str = "empty") -> list[str]:
    """A title with a text below it, indented."""
    return [f"{title}:", textwrap.indent(text, "  ", lambda _: True)] if text else [f"{title}: {if_empty}"]


def _usage(move: MoveRecord) -> Iterator[str]:
    """`0.512 s, 181 MB, its own value 0.620, proved a win`; nothing of what nobody measured."""
    parts = [f"{move.seconds:.3f} s"] if move.seconds else []
    if move.peak_memory_mb:
        parts.append(f"{move.peak_memory_mb:.0f} MB")
    value, proven = move.analysis.value, move.analysis.proven
    if value is not None:
        parts.append(f"its own value {value:.3f}")
    if proven is not None:
        parts.append(f"proved a {proven}")
    if move.clock_seconds is not None:
        parts.append(f"{move.clock_seconds:.1f} s left on its clock")
    if parts:
        yield ", ".join(parts)
    if move.replaced:
        yield f"too late: it answered {move.answer or 'nothing'}, and a random move was played instead"
    if move.analysis.note:
        yield f"of its analysis, {move.analysis.note}"


class NoCommand(ValueError):
    """What was typed is no command; the message says what is."""


def command_of(typed: str) -> tuple[str, int | None]:
    """The command that was typed, and the number that goes with `goto`. Raises NoCommand.

    >>> command_of("n"), command_of("goto 12"), command_of("12")
    (('next', None), ('goto', 12), ('goto', 12))
    """
    words = typed.split() if typed.strip() else [typed]
    if len(words) == 2 and words[0] in GOTO:
        words = words[1:]
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        return "goto", int(words[0])
    for command, keys in KEYS.items():
        if len(words) == 1 and words[0].lower() in (key.lower() for key in keys):
            return command, None
    raise NoCommand(HELP)


def page_after(command: str, number: int | None, page: int, last: int) -> int:
    """Which page is shown after a command, of those from 0 to `last`. Raises NoCommand for a move beyond the last."""
    if command == "goto":
        if number is None or number > last:
            raise NoCommand(f"the game has {counted(last, 'move')}")
        return number
    return {"next": min(page + 1, last), "back": max(page - 1, 0), "first": 0, "last": last}[command]

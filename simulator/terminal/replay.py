"""A game that was played, step by step in a terminal: the board, the move, its clock and memory, the agent's value.

A *page* shows the position after a number of moves, 0 for the start. Begin reading at `Replay.page`; `command_of` says
what can be typed.
"""

import textwrap
from collections.abc import Iterator

from game import FIRST, SECOND
from simulator.records.reader import PlayedGame, replayed
from simulator.referee.game_record import MoveRecord

WIDTH = 78
HELP = "Enter, right: next  b, left: back  f: first  l: last  a number: there  q: quit"
KEYS = {  # what is typed: the command that it means
    "next": ("n", "next", "", "\r", "\n", " ", "\x1b[C", "\x1bOC"),
    "back": ("b", "back", "p", "\x7f", "\x1b[D", "\x1bOD"),
    "first": ("f", "first", "\x1b[H", "\x1bOH", "\x1b[1~"),
    "last": ("l", "last", "\x1b[F", "\x1bOF", "\x1b[4~"),
    "quit": ("q", "quit", "\x04"),
}
GOTO = ("goto", "g")


class Replay:
    """One game, with all its positions; with `logs` the last page has what both players wrote last, whoever won.

    Attributes:
        last: the number of the last page, which is how many moves were played.
    """

    def __init__(self, played: PlayedGame, colour: bool = False, logs: bool = False) -> None:
        """Raises NotationError for a game that cannot be played again here."""
        self._played, self._colour, self._logs = played, colour, logs
        self._game, self._positions = replayed(played.record)
        self.last = len(self._positions) - 1

    def pages(self) -> Iterator[str]:
        """All pages, from the start of the game."""
        return map(self.page, range(self.last + 1))

    def page(self, ply: int) -> str:
        """The position after `ply` moves, and what is known of the last of them; at the end the verdict too."""
        lines = [self._headline(), self._what_was_played(ply), ""]
        lines += [self._game.draw(self._positions[ply], self._colour), ""]
        if move := self._move(ply):
            lines += [_usage(move), *_remarks(move)]
        if ply == self.last:
            lines += self._verdict()
        return "\n".join(lines)

    def _headline(self) -> str:
        record, round_ = self._played.record, self._played.round
        first, second = (f"{name} ({colour})" for name, colour in zip(record.agents, self._game.players, strict=True))
        place = f"game {self._played.number}" + ("" if round_ is None else f", round {round_}")
        return f"{place}: {first} against {second}, {record.result}"

    def _what_was_played(self, ply: int) -> str:
        if ply == 0:
            return f"the start, of {self.last} moves"
        text = self._game.format_move(self._positions[ply].last_move)
        player = self._positions[ply - 1].to_move
        move = self._move(ply)
        who = f"{self._played.record.agents[player]} ({self._game.players[player]})" if move else "the opening"
        return f"move {ply} of {self.last}: {who} played {text}"

    def _move(self, ply: int) -> MoveRecord | None:
        """What the referee saw of the move that led there, None at the start and for the opening's moves."""
        index = ply - 1 - len(self._played.record.opening)
        return self._played.record.moves[index] if index >= 0 else None

    def _verdict(self) -> list[str]:
        verdict = self._played.record.verdict
        lines = textwrap.wrap(f"{verdict.text} [{verdict.reason}]", WIDTH, break_on_hyphens=False)
        if self._logs:
            return [*lines, *self._log(FIRST), *self._log(SECOND)]
        return [*lines, *self._log(verdict.loser)] if verdict.loser is not None and verdict.stderr else lines

    def _log(self, player: int) -> list[str]:
        name, written = self._played.record.agents[player], self._played.record.log(player)
        if not written:
            return [f"{name} wrote nothing that was kept"]
        return [f"what {name} wrote:", *(f"  {line}" for line in written.splitlines())]


def _usage(move: MoveRecord) -> str:
    """`0.512 s, 181 MB, value 0.62, proven win`: the value is what the agent itself said."""
    said = [f"{move.seconds:.3f} s", f"{move.peak_memory_mb:.0f} MB"]
    value, proven = move.analysis.value, move.analysis.proven
    if value is not None:
        said.append(f"its own value {value:.3f}")
    if proven is not None:
        said.append(f"proven {proven}")
    return ", ".join(said)


def _remarks(move: MoveRecord) -> Iterator[str]:
    if move.replaced:
        yield f"late: {move.answer or 'nothing'} was answered, a random move was played in its place"


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
    """Which page is shown after a command, of those from 0 to `last`. Raises NoCommand for a move that there is not."""
    if command == "goto":
        if number is None or number > last:
            raise NoCommand(f"the game has {last} moves")
        return number
    return {"next": min(page + 1, last), "back": max(page - 1, 0), "first": 0, "last": last}[command]

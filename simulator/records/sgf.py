"""Games of Go as SGF files, version 4 (red-bean.com/sgf): written from records, read for analysis and GTP's `loadsgf`.

Written files have one line of play, each move with what is known of it as a comment. Read files may have been written
by anybody: the main line counts, with handicap and other stones that are set up.

sgfmill, which knows the format, may not be imported in an agent's process: neither may this module.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from sgfmill import common, sgf

from agents.agent import Limits
from game import FIRST, SECOND, Game, NotationError, format_result, load_game
from simulator import NAME, VERSION
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict

PROPERTIES = ("B", "W")  # of a move, and with P and A before them, of names and of stones that are set up
SHOWN_ANALYSIS = ("value", "proven", "simulations")  # what an agent says of its move and a comment repeats
MAX_FILE_BYTES = 1 << 24  # of a game record; a long one with comments is below a hundredth of it


# --- Writing --------------------------------------------------------------------------------------------------------


class _Move(NamedTuple):
    player: int
    text: str
    comment: str = ""


def sgf_of(record: GameRecord, limits: Limits | None = None) -> bytes:
    """A referee's record of a game of Go as SGF, with the limits of time if they are given."""
    game = load_game(record.game, **record.options)
    opening = _alternating(record.opening)
    written = _new_file(game, record.agents, record.date, result_text(record.result, record.verdict))
    root = written.get_root()
    if limits is not None:
        root.set("TM", 0)
        root.set("OT", f"{limits.move_seconds:g} s a move, {limits.first_move_seconds:g} s for the first")
    root.set("C", f"{record.agents[0]} against {record.agents[1]}, seed {record.seed}")
    _add_moves(written, [*opening, *(_Move(move.player, move.move, _said_of(move)) for move in record.moves)])
    written.get_last_node().add_comment_text(record.verdict.text)
    return bytes(written.serialise())


def sgf_of_moves(
    game: Game,
    positions: Sequence[Any],
    names: tuple[str, str],
    *,
    result: str = "",
    date: str = "",
    comment: str = "",
) -> bytes:
    """A game of Go that went through these positions as SGF.

    The first position's stones are set up. `names` are black's and white's; `result` is SGF's (`B+3.5`, `W+R`), by
    default that of the last position, and `?` for an open game; `comment` belongs to the last move. Raises ValueError
    if the first position has a ko or passes, which SGF cannot say.
    """
    if positions[0].ko is not None or positions[0].passes:
        what = "a ko" if positions[0].passes == 0 else "a pass"
        raise ValueError(f"SGF has no place for {what} in the position where the game began; save as .json keeps it")
    end = positions[-1].result
    written = _new_file(game, names, date, result or ("?" if end is None else format_result(game, end)))
    _set_up(written.get_root(), positions[0])
    moves = [_Move(before.to_move, game.format_move(after.last_move)) for before, after in pairwise(positions)]
    _add_moves(written, moves)
    if comment:
        written.get_last_node().add_comment_text(comment)
    return bytes(written.serialise())


def result_text(result: str, verdict: Verdict) -> str:
    """SGF's text of a result: `B+3.5`; `W+R` by resignation, `W+T` on time, `W+F` by any other fault; `0`; `Void`."""
    if verdict.reason is Reason.VOID:
        return "Void"
    if verdict.winner is None or verdict.reason is Reason.RULES:
        return result
    letters = {Reason.RESIGNATION: "R", Reason.TIMEOUT: "T"}
    return f"{PROPERTIES[verdict.winner]}+{letters.get(verdict.reason, 'F')}"


def _new_file(game: Any, names: tuple[str, str], date: str, result: str) -> Any:
    written = sgf.Sgf_game(game.size)
    root = written.get_root()
    root.set("AP", (NAME, VERSION))
    root.set("RU", "Chinese")
    root.set("KM", game.komi)
    for player, name in zip(PROPERTIES, names, strict=True):
        root.set(f"P{player}", name)
    if date:
        root.set("DT", date[: len("2026-01-31")])  # SGF has no time of day
    root.set("RE", result)
    return written


def _set_up(root: Any, position: Any) -> None:
    """Add the stones of a position where a game begins."""
    stones = _stones_of(position)
    points = [[common.move_from_vertex(text, position.size) for text in stones if stones[text] == p] for p in (0, 1)]
    root.set_setup_stones(*points)
    if len(points[FIRST]) > 1 and not points[SECOND] and position.to_move == SECOND:
        root.set("HA", len(points[FIRST]))
    if stones or position.to_move != FIRST:
        root.set("PL", "bw"[position.to_move])


def _stones_of(position: Any) -> dict[str, int]:
    """The point of each stone, with the player whose it is."""
    last = position.size - 1  # sgfmill counts rows from the bottom
    points = ((i, j, entry) for i, row in enumerate(position.board) for j, entry in enumerate(row))
    return {common.format_vertex((last - row, column)): int(entry) - 1 for row, column, entry in points if entry}


def _alternating(texts: Sequence[str]) -> list[_Move]:
    return [_Move(ply % 2, text, "opening") for ply, text in enumerate(texts)]


def _add_moves(written: Any, moves: Sequence[_Move]) -> None:
    for player, text, comment in moves:
        node = written.extend_main_sequence()
        node.set_move("bw"[player], common.move_from_vertex(text, written.get_size()))
        if comment:
            node.set("C", comment)


def _said_of(move: MoveRecord) -> str:
    """One line on what a move took, and what the agent said of it."""
    said = [f"{move.seconds:.3f} s"]
    for key in SHOWN_ANALYSIS:
        if key in move.analysis:
            value = move.analysis[key]
            said.append(f"{key} {value:.4f}" if isinstance(value, float) else f"{key} {value}")
    if move.replaced:
        said.append(f"late: {move.answer or 'nothing'} was answered, a random move played in its place")
    return ", ".join(said)


# --- Reading --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SgfGame:
    """A game as read from a file.

    Attributes:
        game: what was played.
        options: what the file says of it: "size", and "komi" if it is there.
        black, white: texts of the stones that stood when the first of `moves` was made.
        to_move: the player who was to move then.
        moves: each with its player.
        positions: that one and those after each move.
        names: black's and white's, empty where the file does not tell.
        result: as the file has it, perhaps empty.
    """

    game: Game
    options: dict[str, Any]
    black: tuple[str, ...]
    white: tuple[str, ...]
    to_move: int
    moves: tuple[tuple[int, str], ...]
    positions: tuple[Any, ...]
    names: tuple[str, str] = ("", "")
    result: str = ""


def read_sgf(path: str | Path, move_number: int | None = None, defaults: Mapping[str, Any] | None = None) -> SgfGame:
    """Read the main line of the first game of a file, up to the position before a move (from 1), or to its end.

    `defaults` are options for what the file does not say. Stones that are set up in the middle of a game begin it anew:
    `positions` and `moves` have what follows. Raises NotationError: no such file, no SGF, another game, a size that is
    not played here, a move that is not legal, no move of that number.
    """
    return _game_in(_bytes_of(Path(path)), str(path), move_number, dict(defaults or {}))


def _bytes_of(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise NotationError(f"{path} is a folder")
        if not path.is_file():
            raise NotationError(f"there is no file {path}")
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"{path} cannot be read: {error}") from error
    if len(content) > MAX_FILE_BYTES:
        raise NotationError(f"{path} has more than {MAX_FILE_BYTES} bytes")
    return content


def _game_in(content: bytes, name: str, move_number: int | None, defaults: dict[str, Any]) -> SgfGame:
    try:
        read = sgf.Sgf_game.from_bytes(content)
        root = read.get_root()
        kind = root.get_raw("GM").strip() if root.has_property("GM") else b"1"
        options = _options_of(read)
    except ValueError as error:
        raise NotationError(f"{name} is no SGF that can be read: {error}") from error
    if kind != b"1":
        raise NotationError(f"{name} is a game of another kind (GM is {kind.decode(errors='replace')}, Go is 1)")
    try:
        game = load_game("go", **defaults | options)
    except ValueError as error:
        raise NotationError(f"{name}: {error}") from error
    replayed = _Replay(game, read)
    try:
        replayed.run(move_number)
    except NotationError as error:
        raise NotationError(f"{name}: {error}") from error
    return replayed.game_read(options)


def _options_of(read: Any) -> dict[str, Any]:
    """Size, and komi if it is said. Raises ValueError."""
    options: dict[str, Any] = {"size": read.get_size()}
    if read.get_root().has_property("KM"):
        options["komi"] = float(read.get_komi())
        if not math.isfinite(options["komi"]):
            raise ValueError("its komi is no number")
    return options


class _Replay:
    """Plays the nodes of a main line, one after the other."""

    def __init__(self, game: Any, read: Any) -> None:
        self.game = game
        self.root = read.get_root()
        self.nodes = list(read.main_sequence_iter())
        self.positions: list[Any] = [game.initial()]
        self.moves: list[tuple[int, str]] = []
        self.played = 0  # moves since the beginning of the file; `moves` may begin later

    def run(self, move_number: int | None) -> None:
        """Play up to the position before that move. Raises NotationError."""
        for index, node in enumerate(self.nodes):
            if node.has_setup_stones():
                self._set_up(node, index)
            elif node.has_property("PL"):
                self.positions[-1] = self.positions[-1].with_to_move(self._player_after(index))
            if any(node.has_property(letter) for letter in PROPERTIES):
                if move_number is not None and self.played == move_number - 1:
                    return
                self._play(node)
        if move_number is not None and not 1 <= move_number <= self.played + 1:
            raise NotationError(f"there is no position before move {move_number}: the game has {self.played} moves")

    def _set_up(self, node: Any, index: int) -> None:
        """Begin anew with the stones that a node adds and takes away, and the player to move. Raises NotationError."""
        stones = _stones_of(self.positions[-1])
        try:
            for player, points in enumerate(node.get_setup_stones()):
                for text in map(common.format_vertex, points):
                    stones[text] = player  # 2 for those that it takes away
            by_player = [[self.game.parse_move(text) for text in stones if stones[text] == p] for p in (FIRST, SECOND)]
            position = self.game.set_up(*by_player, to_move=self._player_after(index))
        except ValueError as error:
            reason = str(error) or "no points of a board of this size"
            raise NotationError(f"the stones set up before move {self.played + 1}: {reason}") from error
        self.positions, self.moves = [position], []

    def _player_after(self, index: int) -> int:
        """Who is to move: as the node says, else who moves next; white after a handicap. Raises NotationError."""
        node = self.nodes[index]
        if node.has_property("PL"):
            said = node.get_raw("PL").strip().lower()[:1]
            if said not in (b"b", b"w", b"1", b"2"):
                raise NotationError(f"the player to move before move {self.played + 1} is neither black nor white")
            return FIRST if said in b"b1" else SECOND
        for later in self.nodes[index:]:
            colour, _ = later.get_raw_move()
            if colour is not None:
                return "bw".index(colour)
        black, white, _ = node.get_setup_stones()
        return SECOND if black and not white else FIRST

    def _play(self, node: Any) -> None:
        """Play a node's move, by whichever player made it."""
        self.played += 1
        try:
            colour, point = node.get_move()
            player, text = "bw".index(colour), common.format_vertex(point)
        except ValueError as error:
            raise NotationError(f"move {self.played} is no point of a board of this size") from error
        position = self.positions[-1]
        if position.result is not None or position.to_move != player:
            position = position.with_to_move(player)
        try:
            self.positions.append(position.play(self.game.parse_move(text)))
        except ValueError as error:
            raise NotationError(f"move {self.played}, {text}: {error}") from error
        self.moves.append((player, text))

    def game_read(self, options: dict[str, Any]) -> SgfGame:
        """What has been read so far."""
        stones = _stones_of(self.positions[0])
        return SgfGame(
            game=self.game,
            options=options,
            black=tuple(text for text in stones if stones[text] == FIRST),
            white=tuple(text for text in stones if stones[text] == SECOND),
            to_move=self.positions[0].to_move,
            moves=tuple(self.moves),
            positions=tuple(self.positions),
            names=(self._text("PB"), self._text("PW")),
            result=self._text("RE"),
        )

    def _text(self, name: str) -> str:
        try:
            return str(self.root.get(name)) if self.root.has_property(name) else ""
        except ValueError:  # bytes that are no text in the file's own encoding: nobody's game depends on it
            return ""

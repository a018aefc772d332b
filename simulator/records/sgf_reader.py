"""Games of Go from SGF files that anybody may have written: the main line, with stones that are set up.

sgfmill parses them. Its `get_setup_and_moves` refuses stones that are set up in the middle of a game, and files with
errors after the position that is wanted; so the moves are played here. Neither sgfmill nor this module may be imported
in an agent's process.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sgfmill import common, sgf

from game import FIRST, SECOND, Game, NotationError, load_game
from options import InputError, counted
from simulator import NAME
from simulator.gtp.syntax import printable
from simulator.records.file_errors import content_of
from simulator.records.sgf_writer import stones_of

MAX_FILE_BYTES = 1 << 24  # a long game record with comments has less than a hundredth of that
WIDER = {"gb2312": "gb18030", "shift_jis": "cp932"}  # what programs write under these names
MOST_NODES = 10_000  # in the main line; the longest games have some hundred moves


@dataclass(frozen=True)
class SgfGame:
    """A game as read from a file.

    Attributes:
        positions: the one where the game, or its last set-up of stones, begins, then the one after each move.
        moves: the player and the text of each of these moves.
        names: black's and white's, empty where the file has none.
        result: the result as the file writes it; empty where the file has none.
    """

    game: Game
    positions: tuple[Any, ...]
    moves: tuple[tuple[int, str], ...]
    names: tuple[str, str] = ("", "")
    result: str = ""


def read_sgf(
    path: str | Path,
    move_number: int | None = None,
    defaults: Mapping[str, Any] | None = None,
    *,
    or_end: bool = False,
) -> SgfGame:
    """Read the main line of the first game of a file, up to the position before a move (from 1), or to its end.

    `defaults` are options for what the file leaves out. Stones that are set up in the middle of a game begin it anew:
    `positions` and `moves` have what follows. Raises NotationError if the file cannot be read, is no SGF, or is of
    another game or a size that is not played here; if a move is illegal; if there is no move of that number, except
    that `or_end` allows any number beyond the last.
    """
    content = _bytes_of(Path(path))
    try:
        return _game_in(content, move_number, defaults or {}, or_end)
    except InputError as error:
        raise NotationError(f"{path}: {error}") from error


def _bytes_of(path: Path) -> bytes:
    try:
        content = content_of(path, MAX_FILE_BYTES + 1)
    except OSError as error:
        raise NotationError(str(error)) from error
    if len(content) > MAX_FILE_BYTES:
        raise NotationError(f"{path} has more than {MAX_FILE_BYTES} bytes")
    return content


def _game_in(content: bytes, move_number: int | None, defaults: Mapping[str, Any], or_end: bool) -> SgfGame:
    try:
        parsed = _parsed(content)
        root = parsed.get_root()
        kind = root.get_raw("GM").strip() if root.has_property("GM") else b"1"
        options = _options_of(parsed)
    except ValueError as error:
        raise NotationError(f"not a readable SGF file: {error}") from error
    if kind != b"1":
        raise NotationError(f"not a game of Go: its GM is {kind.decode(errors='replace')}, that of Go is 1")
    game = load_game("go", **{**defaults, **options})
    line = _MainLine(game, parsed)
    if len(line.nodes) > MOST_NODES:
        raise NotationError(f"its main line has {len(line.nodes):,} nodes, more than {MOST_NODES:,}")
    line.play(move_number, or_end)
    names = (_text(root, "PB"), _text(root, "PW"))
    return SgfGame(game, tuple(line.positions), tuple(line.moves), names, _text(root, "RE"))


def _parsed(content: bytes) -> Any:
    """The file as sgfmill has it. Raises ValueError.

    It is decoded first, because in Shift-JIS and Big5 half a letter may look like a backslash. Many programs write
    UTF-8 without saying so.
    """
    declared = re.search(rb"\bCA\s*\[\s*([^]\s]+)", content)
    encoding = declared[1].decode(errors="replace").lower() if declared else "utf-8"
    try:
        text = content.decode(WIDER.get(encoding, encoding))
    except (LookupError, UnicodeError):  # unknown, or not all of the file is in it
        return sgf.Sgf_game.from_bytes(content, None if declared else "ISO-8859-1")
    return sgf.Sgf_game.from_string(text)


def _options_of(parsed: Any) -> dict[str, Any]:
    """The size of the board, and the komi if the file has one. Raises ValueError."""
    options: dict[str, Any] = {"size": parsed.get_size()}
    if parsed.get_root().has_property("KM"):
        komi = parsed.get_root().get_raw("KM").decode(errors="replace").strip()
        try:
            options |= {"komi": _points(float(komi.replace(",", ".")), parsed.get_root())} if komi else {}
        except ValueError as error:
            raise ValueError(f"its komi {komi!r} is not a number") from error
    return options


def _points(komi: float, root: Any) -> float:
    """The points that a file's komi means.

    Fox and gokifu.com write hundredths: of points, KM[650], or of stones, KM[375], each of which counts two points
    (github.com/lightvector/KataGo/pull/1118, github.com/wimi321/lizzieyzy-next/issues/262).
    """
    programs = b" ".join(root.get_raw_list("AP")) if root.has_property("AP") else b""
    least = 50 if b"foxwq" in programs else 200
    if NAME.encode() in programs or not least <= komi <= 1000:
        return komi
    return komi / 50 if 200 < komi < 400 else komi / 100


def _text(root: Any, name: str) -> str:
    try:
        return printable(root.get(name)) if root.has_property(name) else ""
    except ValueError:  # bytes that are not valid in the file's own encoding; the moves do not depend on it
        return ""


class _MainLine:
    """Plays the nodes of a main line, one after the other."""

    def __init__(self, game: Any, parsed: Any) -> None:
        self.game = game
        self.nodes = list(parsed.main_sequence_iter())
        self.positions: list[Any] = [game.initial()]
        self.moves: list[tuple[int, str]] = []
        self.played = 0  # moves since the beginning of the file; `moves` may begin later

    def play(self, move_number: int | None, or_end: bool) -> None:
        """Play up to the position before that move, see `read_sgf`. Raises NotationError."""
        for index, node in enumerate(self.nodes):
            if node.has_setup_stones():
                self._set_up(node, index)
            elif node.has_property("PL") and not (node.has_property("B") or node.has_property("W")):
                to_move = self._player_after(index)
                if to_move != self.positions[-1].to_move:
                    self.positions[-1] = self.positions[-1].with_to_move(to_move)
            if node.has_property("B") or node.has_property("W"):
                if move_number is not None and self.played == move_number - 1:
                    return
                self._play(node)
        if move_number is not None and (move_number < 1 or (move_number > self.played + 1 and not or_end)):
            raise NotationError(
                f"there is no position before move {move_number}: the game has {counted(self.played, 'move')}"
            )

    def _set_up(self, node: Any, index: int) -> None:
        """Begin anew with the stones that a node adds and takes away, and the player to move. Raises NotationError."""
        stones = stones_of(self.positions[-1])
        try:
            for player, points in enumerate(node.get_setup_stones()):
                stones.update(dict.fromkeys(map(common.format_vertex, points), player))  # 2 for points that it empties
            by_player = [[self.game.parse_move(text) for text in stones if stones[text] == p] for p in (FIRST, SECOND)]
            position = self.game.set_up(*by_player, to_move=self._player_after(index))
        except ValueError as error:
            reason = str(error) or "not on a board of this size"
            raise NotationError(f"the stones set up before move {self.played + 1}: {reason}") from error
        self.positions, self.moves = [position], []

    def _player_after(self, index: int) -> int:
        """The player to move: the node's PL, else who moves next, else white after a handicap. Raises NotationError."""
        node = self.nodes[index]
        if node.has_property("PL"):
            letter = node.get_raw("PL").strip().lower()[:1]
            if letter not in (b"b", b"w", b"1", b"2"):
                raise NotationError(f"the player to move before move {self.played + 1} is neither black nor white")
            return FIRST if letter in b"b1" else SECOND
        for later in self.nodes[index:]:
            colour, _ = later.get_raw_move()
            if colour is not None:
                return "bw".index(colour)
        black, white, _ = node.get_setup_stones()
        return SECOND if black and not white else FIRST

    def _play(self, node: Any) -> None:
        """Play a node's move, by whichever player made it."""
        self.played += 1
        if node.has_property("B") and node.has_property("W"):
            raise NotationError(f"move {self.played}: both players move in one node")
        try:
            colour, point = node.get_move()
            player, text = "bw".index(colour), common.format_vertex(point)
        except ValueError as error:
            raise NotationError(f"move {self.played} is not on a board of this size") from error
        position = self.positions[-1]
        if position.result is not None or position.to_move != player:
            position = position.with_to_move(player)
        try:
            self.positions.append(position.play(self.game.parse_move(text)))
        except ValueError as error:
            raise NotationError(f"move {self.played}, {text}: {error}") from error
        self.moves.append((player, text))

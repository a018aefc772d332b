"""Games that a person saved to continue them later, or to replay them like those of a match.

A saved game is a JSON object:

    {"unforced": 1, "game": "go", "agent": "uct_agent", "side": "b",
     "position": "", "moves": ["D4", "E5"], "result": "none", "options": {"size": 9, "komi": 7.0}}

`unforced` is the version of this format, `side` is the person's, `position` is where the game began, `moves` are
canonical texts, and `result` is `none` while the game is open. `W+R`, `W+T` and `W+F` are the results of games in which
the other side resigned, was too late, or failed. An empty `side` means the player who moves first, an empty `position`
the start of the game. `options` are the game's, see `game.load_game`; a game that has none leaves the key out. A komi
in the position overrides that of the options. Unless one person plays against one agent, `players` says who plays each
side (an agent or `human_agent`), and `agent` and `side` count for nothing. `seconds` has the thinking times of the
first and the second player, if they were measured.

A `.jsonl` file has such an object, or the record of a match's game, on each line; the last line is read.

A game of Go can also be an SGF file, whose main line is played. Where a player moves twice in a row, or moves go on
after both have passed, the game begins anew at the last such place.
"""

import json
import re
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from game import DRAW, FIRST, Game, NotationError, Result, format_result, load_game, play_moves
from options import counted
from simulator import command_line
from simulator.player.lookup import PERSON
from simulator.records.file_errors import DATABASE, check_is_file, content_of, replacing, writing
from simulator.records.record_json import json_in, record_in
from simulator.records.sgf_reader import SgfGame, read_sgf
from simulator.records.sgf_writer import forfeit_letter
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.scoresheet import Scoresheet

VERSION = 1
MOST_SECONDS = 1e9  # nobody thinks for longer
EXPECTED = "Expected: a game that `save` wrote in play (as JSON, or in Go as SGF), or a .jsonl file of `match --save`"
BOM = b"\xef\xbb\xbf"  # with which some editors begin a file
# Why a game ended that the rules leave open, by SGF's letter: in words, and as the reason in its record.
FORFEITS = {"R": "resignation", "T": "time", "F": "a fault"}
REASONS = {"R": Reason.RESIGNATION, "T": Reason.TIMEOUT, "F": Reason.CRASH}


_KINDS: dict[str, tuple[Any, str]] = {  # the type of each value in a file, and this type in words
    **dict.fromkeys(("game", "agent", "side", "position", "result"), (str, "a text")),
    "moves": (tuple[str, ...], "a list of texts"),
    "options": (dict[str, Any], "an object"),  # the game checks its values
    "players": (tuple[str, ...], "a list of two texts"),
    "seconds": (tuple[Annotated[float, msgspec.Meta(ge=0, lt=MOST_SECONDS)], ...], "a list of two numbers"),
}


@dataclass(frozen=True)
class SavedGame:
    """A game in texts; see the module for what each means."""

    game: str = "pentago"
    agent: str = "uct_agent"
    side: str = ""
    position: str = ""
    moves: tuple[str, ...] = ()
    result: str = "none"
    options: dict[str, Any] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The object of a file."""
        content = {"unforced": VERSION, **asdict(self)}
        return {key: value for key, value in content.items() if value or key not in ("options", "players", "seconds")}


def save_game(path: Path, saved: SavedGame, over: bool = False) -> None:
    """Write a file as `write_file` does."""
    indent = None if path.suffix.lower() == ".jsonl" else 1
    write_file(path, (json.dumps(saved.to_json(), indent=indent) + "\n").encode(), over)


def write_file(path: Path, content: bytes, over: bool = False) -> None:
    """Write a file; if there is one of that name, replace it (`over`) or raise OSError, as for any other failure.

    What is replaced stays as it is until all is written. Only a regular file is replaced: neither a pipe nor a device.
    """
    if over and path.exists():
        with writing(path):
            check_is_file(path)
        with replacing(path) as stream:
            stream.buffer.write(content)
    else:
        with writing(path), path.open("xb") as file:
            try:
                file.write(content)
                file.flush()
            except (
                BaseException
            ):  # a full disk, Ctrl-C: with half a file there, the same name would be refused the next time
                path.unlink()
                raise


def load_game_file(path: Path) -> SavedGame:
    """Read what `save_game` wrote, or an SGF file; moves are checked by `replay`. Raises NotationError or OSError."""
    content = content_of(path).removeprefix(BOM)
    if content.lstrip().startswith(b"("):
        return saved_in_sgf(read_sgf(path))
    try:
        _check_begins_as_json(path, content)
        found = json_in(content.strip().splitlines()[-1] if path.suffix.lower() == ".jsonl" else content)
        is_of_match = isinstance(found, dict) and {"verdict", "opening"} <= found.keys()
        return _saved_in_record(found) if is_of_match else saved_in(found)
    except ValueError as error:
        raise NotationError(f"{path} is not a saved game: {error}. {EXPECTED}") from error


def _check_begins_as_json(path: Path, content: bytes) -> None:
    """Raise ValueError, in words, for what is no JSON object or list."""
    if not content.strip():
        raise ValueError("it is empty")
    if content.startswith(DATABASE):
        raise ValueError(f"it has the games of a match or tournament: {command_line('replay', str(path))} shows them")
    if not content.lstrip().startswith((b"{", b"[")):
        raise ValueError("it is neither JSON nor SGF")


def _saved_in_record(content: Any) -> SavedGame:
    """The saved game that a match's record in JSON amounts to. Raises ValueError for any other JSON.

    Unless the game is void, people play both sides: the record has the names of the agents, not their programs.
    """
    record = record_in(content)
    moves, verdict = record.line, record.verdict
    result = SavedGame.result
    if verdict.winner is not None and verdict.reason is not Reason.NORMAL:
        result = f"{record.result.partition('+')[0]}+{forfeit_letter(verdict.reason)}"
    players = () if verdict.reason is Reason.VOID else (PERSON, PERSON)
    return SavedGame(record.game, moves=moves, result=result, options=record.options, players=players)


def is_sgf(path: Path) -> bool:
    """Whether a file of this name is SGF."""
    return path.suffix.lower() == ".sgf"


def saved_in(content: Any) -> SavedGame:
    """The game in a file's JSON. Raises ValueError."""
    if not isinstance(content, dict) or "unforced" not in content:
        raise ValueError(f'it has no "unforced": {VERSION}, with which a saved game begins')
    if content["unforced"] is True or content["unforced"] != VERSION:  # True == 1
        raise ValueError(f'its "unforced" is {content["unforced"]!r:.20}, and only version {VERSION} can be read')
    content = {"result": SavedGame.result, "options": {}, "players": [], "seconds": [], **content}
    found = {}
    for key, (kind, words) in _KINDS.items():
        try:
            found[key] = msgspec.convert(content.get(key), kind)
        except msgspec.ValidationError as error:
            raise ValueError(f"{key!r} should be {words}") from error
        if key in ("players", "seconds") and len(found[key]) not in (0, 2):
            raise ValueError(f"{key!r} should be {words}")
    return SavedGame(**found)


def saved_in_sgf(read: SgfGame) -> SavedGame:
    """The main line of an SGF file as a saved game."""
    saved = saved_game(read.game, SavedGame.agent, FIRST, _in_turns(read))
    return replace(saved, side="", result=forfeit_in(read.game, read.result) or saved.result)


def _in_turns(read: SgfGame) -> list[Any]:
    """The positions from which on the players alternate, since the moves of a saved game do not name their players."""
    movers = [player for player, _ in read.moves]
    movers.append(read.positions[-1].to_move)
    start = 0
    for ply, (player, position) in enumerate(zip(movers, read.positions, strict=True)):
        goes_on = position.result is not None and ply < len(read.moves)
        if position.to_move != player or goes_on or (ply > 0 and movers[ply - 1] == player):
            start = ply
    first, player = read.positions[start], movers[start]
    if first.to_move != player or (first.result is not None and start < len(read.moves)):
        first = first.with_to_move(player)
    return [first, *read.positions[start + 1 :]]


def forfeit_in(game: Game, result: str) -> str:
    """`W+R` for that result of SGF, and for longer forms such as `W+Resign`; empty for a result that is no forfeit."""
    winner, _, how = result.strip().upper().partition("+")
    return f"{winner}+{how[0]}" if winner.lower() in game.players and how[:1] in FORFEITS else ""


def counted_in(game: Game, result: str) -> Result | None:
    """The result that SGF's text gives for a game that was counted: `B+3.5`, `W+`, `0`, `Draw`; None for other texts.

    >>> counted_in(load_game("go"), "B+3.50"), counted_in(load_game("go"), "Draw"), counted_in(load_game("go"), "W+R")
    (Result(winner=0, margin=3.5), Result(winner=None, margin=None), None)
    """
    result = result.strip()
    if result.upper() in ("0", "DRAW"):
        return DRAW
    match = re.fullmatch(r"([A-Za-z])\+([0-9]{1,4}(?:\.[0-9]{1,4})?)?", result)
    if match is None or match[1].lower() not in game.players:
        return None
    return Result(game.players.index(match[1].lower()), float(match[2]) if match[2] else None)


def players_of(saved: SavedGame, game: Game) -> tuple[str, ...]:
    """Who plays first and second, an agent's text or PERSON. Raises NotationError for an unknown side that counts."""
    if saved.players:
        return saved.players
    if saved.side and saved.side not in game.players:
        raise NotationError(f"{game.title} has no side {saved.side!r}: choose {' or '.join(game.players)}")
    return (PERSON, saved.agent) if saved.side in ("", game.players[FIRST]) else (saved.agent, PERSON)


def game_of(saved: SavedGame) -> Game:
    """The game that was played, with the options of its position. Raises InputError if one of these is invalid."""
    game = load_game(saved.game, **saved.options)
    return game.for_position(game.parse_position(saved.position)) if saved.position else game


def replay(game: Game, saved: SavedGame) -> list[Any]:
    """Every position of the game. Raises NotationError, which names the first move that cannot be played."""
    return play_moves(game, saved.moves, game.parse_position(saved.position) if saved.position else None)


def saved_game(game: Game, agent: str, side: int, positions: list[Any]) -> SavedGame:
    """The game that went through these positions, as texts."""
    moves = tuple(game.format_move(position.last_move) for position in positions[1:])
    start = "" if positions[0] == game.initial() else game.format_position(positions[0])
    result = format_result(game, positions[-1].result)
    return SavedGame(game.name, agent, game.players[side], start, moves, result, game.settled_options)


# --- As records -----------------------------------------------------------------------------------------------------


def record_of(saved: SavedGame, names: tuple[str, ...] = (), in_file: str = "") -> GameRecord:
    """The record of a saved game; times and memory are 0, as nobody measured them. Raises InputError.

    A game that was not over is void. `names`, if given, replace the players' names of the saved game; `in_file` is the
    result that an SGF file states. The moves begin at `saved.position`, or at the start of the game if that is empty.
    """
    game = game_of(saved)
    positions = replay(game, saved)
    first, second = names or ("a person" if text == PERSON else text for text in players_of(saved, game))
    sheet = Scoresheet(game, (first, second), position=positions[0])
    for position in positions[1:]:
        sheet.write(position)
    _end(sheet, saved.result, in_file)
    return sheet.record(date="", startup_seconds=(0.0, 0.0))  # both players did answer


def _end(sheet: Scoresheet, saved: str, in_file: str) -> None:
    """Write down how the game ended: `saved` is the result of the saved game, `in_file` the one that SGF states."""
    game, result = sheet.game, sheet.position.result
    in_words = counted_in(game, in_file)
    if result is not None:
        sheet.on_board("" if in_words in (None, result) else f"; the file says {in_file.strip()}")
    elif forfeit := forfeit_in(game, saved):
        winner, how = game.players.index(forfeit.partition("+")[0].lower()), forfeit[-1]
        text = f"{sheet.called(1 - winner)} lost by {FORFEITS[how]} after {counted(sheet.ply, 'move')}"
        sheet.end(winner, REASONS[how], text, loser=1 - winner)
    elif in_words is not None:
        sheet.counted_elsewhere(in_words)
    elif not in_file.strip() and sheet.position.ply >= game.longest_game:
        sheet.as_it_stands(game.adjudicate(sheet.position))
    elif in_file.strip().upper() not in ("", "?", "VOID"):
        sheet.void(f"the moves do not end the game; the file says {in_file.strip()}")
    else:
        sheet.void("the game was not over when it was saved")


def sgf_record(path: Path) -> tuple[GameRecord, str]:
    """The record of an SGF file's main line, and the position where its moves begin. Raises NotationError."""
    read = read_sgf(path)
    saved = saved_in_sgf(read)
    names = (name or letter for name, letter in zip(read.names, read.game.players, strict=True))
    return record_of(saved, tuple(names), read.result), saved.position

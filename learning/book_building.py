"""Building an opening book: several processes search one position after the other, and a file keeps the results.

The first line of the file says of which game the book is; each further line is the JSON of a position that was
searched. Building goes on from there. Agents read another file, an archive that is made of this one: `agents/book.py`.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from agents.book import ARCHIVE_VERSION, OUTCOMES, Key, key_of
from agents.uct.base import BaseSearcher
from agents.uct.choice import Child
from agents.uct.searchers import make_searcher, warm_up
from agents.uct.settings import Settings
from game import Game, load_game
from learning.book import MARGIN, OpeningBook, Reply, Searched, Wanted
from learning.files import FileError, add_json_line, dataclass_of, load_json_lines, save_arrays, save_json_lines
from learning.self_play import LEAST_NODES, most_nodes
from learning.workers import Task, Workers
from simulator.records.file_errors import locked
from simulator.records.json_lines import remove_half_a_line

VERSION = 2  # of the file
MEMORY = 260_000_000  # bytes of a search, in each process; a search that fills it frees half of it
MOST_REPLIES = 16  # kept of a position: those with the most visits
MOST_POSITIONS = 25_000  # in an archive: those that were searched first; 2 MB


@dataclass(frozen=True)
class Effort:
    """How long to search each position: until the seconds or the simulations are over; one of them is not None."""

    seconds: float | None = None
    simulations: int | None = None


# --- A search -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _searcher(name: str, options: str, simulations: int | None) -> BaseSearcher:
    """A warmed-up searcher of the game with these options (JSON); equal arguments in a row get the same searcher."""
    game = load_game(name, **json.loads(options))
    settings = Settings.for_game(game, memory="recycle")
    warm_up(game, game.initial(), settings)
    capacity = MEMORY // settings.node_bytes(game)
    if simulations is not None:
        capacity = min(capacity, max(LEAST_NODES, most_nodes(game, settings) * simulations))
    return make_searcher(game, capacity, settings=settings)


def search_position(
    name: str, options: dict[str, Any], effort: Effort, ply: int, position: str, move: str | None
) -> Searched:
    """Search the position after `move`, or `position` itself if `move` is None; a task for workers.

    `ply` is that of the position to search.
    """
    searcher = _searcher(name, json.dumps(options), effort.simulations)
    game = searcher.game
    place = game.parse_position(position)
    if move is not None:
        place = place.play(game.parse_move(move, place))
    searcher.begin(place)
    searcher.search(seconds=effort.seconds, simulations=effort.simulations, for_value=True)
    return Searched(
        position=game.format_position(place),
        key=key_of(game, place),
        ply=ply,
        to_move=place.to_move,
        proven=searcher.proven,
        seconds=round(searcher.seconds, 3),
        simulations=searcher.simulations,
        depth=searcher.shape().depth_max,
        replies=_replies(searcher),
    )


def _replies(searcher: BaseSearcher) -> tuple[Reply, ...]:
    """What the search found about the moves that it tried, or about all first moves of a game; its own choice first."""
    best, children = searcher.best_child(), searcher.children()
    found = sorted(children, key=lambda child: (child.node != best.node, -child.visits))
    if searcher.position != searcher.game.initial():
        found = [child for child in found if child.visits or child.outcome or child.node == best.node][:MOST_REPLIES]
    visits, opinions = (sum(numbers) or 1 for numbers in zip(*((c.visits, c.prior) for c in found), strict=True))
    return tuple(_reply(searcher, child, (child.visits / visits + child.prior / opinions) / 2) for child in found)


def _reply(searcher: BaseSearcher, child: Child, share: float) -> Reply:
    game, position = searcher.game, searcher.position
    move = searcher.move_to(position, child.node)
    after = position.play(move)
    return Reply(
        move=game.format_move(move),
        key=key_of(game, after),
        keeps_turn=after.to_move == position.to_move,
        value=round(child.chance, 5),
        share=round(share, 5),
        outcome=child.outcome,
    )


def first_opinion(game: Game) -> list[float]:
    """The search's first opinions of the first moves, sorted: in games with an evaluation, they tell these apart."""
    searcher = make_searcher(game, LEAST_NODES)
    searcher.begin(game.initial())
    return sorted(round(child.prior, 3) for child in searcher.children())


# --- The file -------------------------------------------------------------------------------------------------------


class BookFile:
    """The file of a book that is being built."""

    def __init__(self, path: Path, header: dict[str, Any], searched: Sequence[Searched] = ()) -> None:
        self.path, self._header = path, header
        self.name, self.options = header["game"], header["options"]
        self.book = OpeningBook(load_game(self.name, **self.options), searched)

    @classmethod
    def opened(cls, path: Path, name: str, options: dict[str, Any]) -> Self:
        """The file of a game's book, which may be new.

        Raises FileError if the file holds something else, or was searched with other first opinions.
        """
        opinion = first_opinion(load_game(name, **options))
        header = {"version": VERSION, "game": name, "options": options, "first_opinion": opinion}
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            return cls(path, header)
        found = cls.read(path)
        for what, value in header.items():
            if found._header.get(what) != value:
                named = {"first_opinion": "another evaluation", "options": "other options"}.get(what, f"another {what}")
                raise FileError(f"{path} was begun with {named}: choose another file")
        return found

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. Raises FileError, FileNotFoundError."""
        if not path.exists():
            raise FileNotFoundError(f"there is no book in {path} yet")
        try:
            header, *lines = load_json_lines(path)
            if header["version"] != VERSION:
                raise FileError(f"{path} was made by another version of this program: choose another file")
            return cls(path, header, [dataclass_of(Searched, line) for line in lines])
        except FileError:
            raise
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            raise FileError(f"{path} is not a file of `book`: {error}") from error

    def read_again(self) -> None:
        """Read again what other processes have added to the file since; remove what they have left half written."""
        if self.path.exists():
            remove_half_a_line(self.path)
            self.book = self.read(self.path).book

    def add(self, found: Searched) -> None:
        """Add a position, also to the file."""
        self.book.searched[found.key] = found
        if not self.path.exists():
            save_json_lines(self.path, [self._header])
        add_json_line(self.path, asdict(found))

    def export(self, path: Path, margin: float = MARGIN) -> dict[str, Any]:
        """Write the archive that agents read; returns its meta data. Raises FileError if the book is empty."""
        judged, seconds = self.book.judged(), self.book.seconds()
        keys = sorted(list(self.book.searched)[:MOST_POSITIONS])
        if not keys:
            raise FileError(f"there is no position in {self.path} yet")
        chosen = [list(dict.fromkeys(o.reply.key for o in judged[key].choices(margin))) for key in keys]
        meta = {
            "version": ARCHIVE_VERSION,
            "game": self.name,
            "positions": len(keys),
            "seconds": round(sum(self.book.searched[key].seconds for key in keys), 1),
            "margin": margin,
        }
        arrays = {
            "keys": np.array(keys, np.uint64),
            "value": np.array([judged[key].value for key in keys], np.float32),
            "proved": np.array([OUTCOMES.index(judged[key].proven) for key in keys], np.int8),
            "seconds": np.array([seconds[key] for key in keys], np.float32),
            "first": np.cumsum([0, *map(len, chosen)]).astype(np.int32),
            "moves": np.array([key for keys in chosen for key in keys], np.uint64),
            "meta": np.array(json.dumps(meta)),
        }
        save_arrays(path, arrays)
        return meta


# --- Building -------------------------------------------------------------------------------------------------------


class BookBuilding:
    """Building a book with so many worker processes; `say` is called with each position that was searched.

    The book is expected to play moves that are worse than the best by at most `margin`.
    """

    def __init__(
        self,
        file: BookFile,
        effort: Effort,
        workers: int = 1,
        say: Callable[[Searched], None] = lambda found: None,
        margin: float = MARGIN,
    ) -> None:
        self._file, self._effort, self._workers, self._say, self._margin = file, effort, workers, say, margin
        self._busy: set[Key] = set()

    def run(self, hours: float = math.inf, positions: int | None = None) -> None:
        """Build until the hours are over, the book has so many positions, or nothing is left to search.

        An interruption loses the positions that are being searched. Raises WorkerError, FileError, OSError.
        """
        end = time.monotonic() + 3600 * hours
        path = self._file.path
        refusal = FileError(f"{path} is in use: another process builds this book")
        with locked(path, refusal, path.with_name(f".{path.name}.lock")), Workers(self._workers) as workers:
            self._file.read_again()
            while self._next(end, positions) is not None:
                for _, found in workers.results(search_position, self._tasks(end, positions)):
                    self._busy.discard(found.key)
                    self._file.add(found)
                    self._say(found)

    def _tasks(self, end: float, positions: int | None) -> Iterator[Task]:
        """The positions to search, one after the other, as long as there is time and a position left."""
        while (wanted := self._next(end, positions)) is not None:
            self._busy.add(wanted.key)
            yield self._file.name, self._file.options, self._effort, wanted.ply, wanted.position, wanted.move

    def _next(self, end: float, positions: int | None) -> Wanted | None:
        count = len(self._file.book.searched) + len(self._busy)
        if time.monotonic() >= end or (positions is not None and count >= positions):
            return None
        return self._file.book.next_position(self._busy, self._margin)

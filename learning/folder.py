"""The folder of a learning run, which can be continued later.

settings.json            what is learned and how
log.jsonl                a line for each finished generation, see `Generation`
weights-0003.npz         the network that was trained in generation 3
positions-0003.npz       the positions recorded in its games; the oldest of these files are deleted in time
positions-0003-0012.npz  the positions of one part of its games, while the games are played
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Self

from msgspec import Meta, ValidationError

from learning.files import FileError, dataclass_of, load_json, load_json_lines, save_json, save_json_lines
from learning.network import load_learned
from learning.positions import records_features
from options import InputError
from simulator.records.file_errors import locked

VERSION = 1  # of a folder's contents
Count = Annotated[int, Meta(ge=0)]  # as the other bounds below, checked when a folder is read
Positive = Annotated[int, Meta(ge=1)]


@dataclass(frozen=True)
class LearningSettings:
    """What is learned and how: the same from a folder's first generation to its last.

    Attributes:
        game: its name.
        options: of the game.
        width: hidden units of the network; for Pentago a multiple of 32, for Go of 16.
        simulations: a move, in matches and on average in self-play.
        games: in a generation.
        pairs: pairs of games in the match of a generation.
        epochs: of training in a generation.
        positions: how many of the newest positions a network is trained on at most; 28 bytes each, in Go 176.
        step: how far the weights move from the champion's to those that training has found, 0 to 1. With less than 1
            they are an average over generations, in which the noise of each cancels out ("Lookahead Optimizer",
            Zhang et al. 2019).
        greedy_games: in generation 0; if 0, its games are played by the search, with playouts alone. For a game that is
            searched on a tree it has to be 0, which is the default for a new folder then.
        origin: what learning begins with instead of greedy games: another folder, whose newest positions generation 0
            is trained on, or a file of weights, with which the games of generation 0 are played.
        seed: of everything random.
    """

    game: str = "pentago"
    options: dict[str, Any] = field(default_factory=dict)
    width: Positive = 64
    simulations: Positive = 450
    games: Positive = 2_000
    pairs: Positive = 100
    epochs: Positive = 5
    positions: Positive = 6_000_000
    step: Annotated[float, Meta(gt=0, le=1)] = 1.0
    greedy_games: Count = 80_000
    origin: str | None = None
    seed: Count = 1

    @property
    def first_weights(self) -> Path | None:
        """The file of weights that learning begins with; None if it begins with something else."""
        return Path(self.origin) if self.origin and self.origin.endswith(".npz") else None

    @property
    def begins_greedily(self) -> bool:
        """Whether the games of generation 0 are greedy ones, which are dropped as soon as there are others."""
        return not self.origin and self.greedy_games > 0


@dataclass(frozen=True)
class Generation:
    """The results of one generation.

    Attributes:
        number: 0 for the first.
        champion: the generation whose weights play from now on.
        hours: of all generations so far; of a generation that was interrupted, only the time since its last start.
        games: games of this generation that left positions (some end in their random opening), without the match.
        positions: recorded in these games.
        trained_on: how many positions the network was trained on, those of earlier generations included.
        log_loss, rmse, accuracy: on the games held out, see `training.Quality`.
        pairs: how many pairs of games brought the new weights 0, 0.5, 1, 1.5 and 2 points against the last champion;
            None in generation 0.
        elo, elo_low, elo_high: the Elo difference in this match, with a 95 % interval.
        total_elo: the sum over all champions so far; too high, since some of them were lucky.
        seconds: by name, for playing, training and the match.
    """

    number: int
    champion: Count
    hours: Annotated[float, Meta(ge=0)]
    games: int
    positions: int
    trained_on: int
    log_loss: float
    rmse: float
    accuracy: float
    pairs: list[int] | None
    elo: float
    elo_low: float
    elo_high: float
    total_elo: float
    seconds: dict[str, float]


class Folder:
    """A folder with its settings and its finished generations."""

    def __init__(self, path: Path, settings: LearningSettings, log: list[Generation]) -> None:
        self.path, self.settings, self.log = path, settings, log

    @classmethod
    def opened(cls, path: Path, **wanted: Any) -> Self:
        """A folder as it is, or a new one; `wanted` are settings by name, None for those that may have any value.

        Raises FileError for a folder of something else, and for a folder with other settings; InputError for a game
        that cannot be learned.
        """
        given = {name: value for name, value in wanted.items() if value is not None}
        if not any(path.glob("[!.]*")):
            settings = LearningSettings(**given)
            if records_features(load_learned(settings.game, settings.options)):
                if given.get("greedy_games"):
                    raise InputError(f"{settings.game} is searched on a tree: it has no greedy games")
                settings = replace(settings, greedy_games=0)
            path.mkdir(parents=True, exist_ok=True)
            save_json(path / "settings.json", {"version": VERSION} | asdict(settings))
            return cls(path, settings, [])
        folder = cls.read(path)
        for name, value in given.items():
            if (found := getattr(folder.settings, name)) != value:
                option = "--from" if name == "origin" else name
                began = f"without {option}" if found is None else f"with {option} {found}"
                raise FileError(f"{path} was begun {began}, not with {value}: choose another folder")
        return folder

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a folder. Raises FileError."""
        if not path.exists():
            raise FileError(f"there is no folder {path}: nothing was learned there yet")
        try:
            content = load_json(path / "settings.json")
            if content.pop("version") != VERSION:
                raise FileError(f"{path} was made by another version of this program: choose another folder")
            log = [dataclass_of(Generation, line) for line in load_json_lines(path / "log.jsonl")]
            settings = dataclass_of(LearningSettings, content)
        except (OSError, AttributeError, KeyError, TypeError, ValidationError) as error:
            raise FileError(f"{path} is not a folder of `learn`: {error}") from error
        for number, generation in enumerate(log):
            if generation.number != number:
                raise FileError(f"{path / 'log.jsonl'}, line {number + 1}, is not generation {number}")
        return cls(path, settings, log)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder, so that no other process learns there meanwhile. Raises FileError if another process does.

        The log is read again, since another process may have finished generations.
        """
        refusal = FileError(f"{self.path} is in use: another process is learning there")
        with locked(self.path, refusal, self.path / ".lock"):
            self.log = self.read(self.path).log
            yield

    def add(self, generation: Generation) -> None:
        """Add a finished generation to the log."""
        self.log.append(generation)
        save_json_lines(self.path / "log.jsonl", map(asdict, self.log))

    @property
    def champion(self) -> int:
        """The generation whose weights are the best; -1 if there are none."""
        return self.log[-1].champion if self.log else -1

    def weights(self, generation: int) -> Path:
        """The file of a generation's weights."""
        return self.path / f"weights-{generation:04}.npz"

    def positions(self, generation: int) -> Path:
        """The file of a generation's positions."""
        return self.path / f"positions-{generation:04}.npz"

    def part(self, generation: int, part: int) -> Path:
        """The file of the positions of a part of a generation's games."""
        return self.path / f"positions-{generation:04}-{part:04}.npz"

    def parts(self, generation: int) -> list[Path]:
        """The files of a generation's parts that exist, in order."""
        return sorted(self.path.glob(f"positions-{generation:04}-*.npz"))

    def training_positions(self) -> list[Path]:
        """The files of whole generations that exist, in order."""
        return sorted(self.path.glob("positions-[0-9][0-9][0-9][0-9].npz"))

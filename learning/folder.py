"""The folder of a learning run, from which learning can go on.

settings.json            what is learned and how
log.jsonl                a line for each finished generation, see `Generation`
weights-0003.npz         the network that was trained in generation 3
positions-0003.npz       the positions that its games have left; the oldest files are deleted in the end
positions-0003-0012.npz  those of a part of its games, while they are played
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from learning.files import FileError, load_json, load_json_lines, locked, save_json, save_json_lines

VERSION = 1  # of a folder's contents


@dataclass(frozen=True)
class LearningSettings:
    """What is learned and how: the same from a folder's first generation to its last.

    Attributes:
        game: its name.
        options: the game's.
        width: hidden units of the network; Pentago wants a multiple of 32.
        simulations: a move in self-play, on average, and in matches.
        games: in a generation.
        pairs: of games in the match of a generation.
        epochs: of training in a generation.
        positions: the newest, on which a network is trained; 28 bytes each.
        step: how far from the champion's weights the new ones go towards those that training has found, 0 to 1. With
            less than 1 they are an average over generations, in which the noise of each cancels out ("Lookahead
            Optimizer", Zhang et al. 2019).
        greedy_games: in generation 0.
        origin: what learning begins with instead of quick games: another folder, from whose newest positions generation
            0 is learned, or a file of weights, which plays generation 0's games.
        seed: of everything random.
    """

    game: str = "pentago"
    options: dict[str, Any] = field(default_factory=dict)
    width: int = 64
    simulations: int = 450
    games: int = 2_000
    pairs: int = 100
    epochs: int = 5
    positions: int = 6_000_000
    step: float = 1.0
    greedy_games: int = 80_000
    origin: str | None = None
    seed: int = 1

    @property
    def first_weights(self) -> Path | None:
        """The file of weights that learning begins with, if it does."""
        return Path(self.origin) if self.origin and self.origin.endswith(".npz") else None


@dataclass(frozen=True)
class Generation:
    """What a generation came to.

    Attributes:
        number: 0 for the first.
        champion: the generation whose weights play from now on.
        hours: that all generations have taken so far, each since its last start.
        games: played in it that left positions (not those that a random opening ended), without those of the match.
        positions: that they have left.
        trained_on: positions, of earlier generations too.
        log_loss, rmse, accuracy: on the games held out, see `training.Quality`.
        pairs: how many pairs of games brought the new weights 0, 0.5, 1, 1.5 and 2 points against the champion before;
            None in generation 0.
        elo, elo_low, elo_high: what that says of their strength, with a 95 % interval.
        total_elo: the sum over all champions so far; too high, since those that were lucky are among them.
        seconds: that playing, training and the match have taken.
    """

    number: int
    champion: int
    hours: float
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
        """A folder as it is, or a new one; `wanted` are settings, with None for those that may be as they are.

        Raises FileError for a folder of something else, and for one with other settings.
        """
        given = {name: value for name, value in wanted.items() if value is not None}
        if not path.exists() or not any(path.iterdir()):
            settings = LearningSettings(**given)
            path.mkdir(parents=True, exist_ok=True)
            save_json(path / "settings.json", {"version": VERSION} | asdict(settings))
            return cls(path, settings, [])
        folder = cls.read(path)
        for name, value in given.items():
            if (found := getattr(folder.settings, name)) != value:
                raise FileError(f"{path} learns with {name} {found}, not {value}: choose another folder for that")
        return folder

    @classmethod
    def read(cls, path: Path) -> Self:
        """A folder as it is. Raises FileError."""
        try:
            content = load_json(path / "settings.json")
            if content.pop("version") != VERSION:
                raise FileError(f"{path} was made by another version of this program")
            log = [Generation(**line) for line in load_json_lines(path / "log.jsonl")]
            return cls(path, LearningSettings(**content), log)
        except (OSError, AttributeError, KeyError, TypeError) as error:
            raise FileError(f"{path} is no folder in which something is learned: {error}") from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from learning here meanwhile. Raises FileError if one does.

        What one has finished since this folder was read is read now.
        """
        with locked(self.path / "settings.json", f"{self.path} is in use: another process is learning there"):
            self.log = self.read(self.path).log
            yield

    def add(self, generation: Generation) -> None:
        """Write a generation that is finished."""
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
        """The files of the parts that are there, in order."""
        return sorted(self.path.glob(f"positions-{generation:04}-*.npz"))

    def training_positions(self) -> list[Path]:
        """The files of whole generations that are there, in order; those of quick games for a start only."""
        files = sorted(self.path.glob("positions-[0-9][0-9][0-9][0-9].npz"))
        quick = [] if self.settings.origin else [self.positions(0)]
        return [path for path in files if path not in quick] or files

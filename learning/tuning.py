"""Tuning numbers of an agent by games under the referee: a file of pairs, from which tuning goes on.

The first line of the file says what is tuned and how, see `Tuning`. Each further line is a pair of games: its number
and the points of its first agent, 0 to 2, or null if every process that played the pair died. Pairs of the final match,
the tuned values against those at the start, have `final` in place of `pair`. Which games are played depends on the file
alone, not on the number of processes. Begin reading at `Tuner.run`.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from itertools import repeat, takewhile
from pathlib import Path
from typing import Any, Self

from agents.agent import AgentSpec
from learning.files import FileError, add_json_line, dataclass_of, load_json_lines
from learning.parameters import Method, Parameter, options_of
from options import Failure
from simulator.records.file_errors import check_is_file, locked, writing
from simulator.records.json_lines import remove_half_a_line
from simulator.records.schema import Pair
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.referee import ATTEMPTS
from simulator.referee.seeds import derived_seed
from simulator.tournament.settings import TournamentSettings
from simulator.tournament.tasks import PairTask
from simulator.tournament.workers.protocol import Executor, TaskDied, TaskDone, TaskGivenUp

POINTS = (None, 0, 0.5, 1, 1.5, 2)  # of a pair; None if it is void

VERSION = 2  # of the file
PLUS, MINUS = "plus", "minus"  # the names of the agents in games


@dataclass(frozen=True)
class Tuning:
    """What is tuned and how: the same from the first pair to the last.

    Attributes:
        agent: its text, with the options that are not tuned.
        settings: of its games, as `TournamentSettings.to_json` returns them.
        pairs: how many pairs of games to learn from.
        final: pairs of the match at the end.
        batch: how many pairs are played with the same values.
        rate: see `spsa.RATE`; other methods do not ask for it.
        method: the name of the `Method`.
        sources: hashes of the agent's files, see `source_hashes.sources_of`; empty if any files will do.
    """

    agent: str
    parameters: tuple[Parameter, ...]
    settings: dict[str, Any]
    pairs: int
    final: int
    batch: int
    rate: float
    method: str = "spsa"
    sources: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The first line of the file, as values for JSON."""
        return {"version": VERSION} | asdict(self) | {"parameters": [p._asdict() for p in self.parameters]}

    @classmethod
    def from_json(cls, line: Any) -> Self:
        """What `to_json` made. Raises TypeError, KeyError, ValueError for anything else."""
        values = dict(line)
        if values.pop("version") != VERSION:
            raise ValueError("it is of another version")
        values["parameters"] = tuple(Parameter(**parameter) for parameter in values["parameters"])
        return dataclass_of(cls, values)


def read_tuning(path: Path) -> tuple[Tuning, dict[str, dict[int, float | None]]]:
    """Read a file: what is tuned and how, and the points of pairs by kind ("pair" or "final") and number.

    Raises FileError.
    """
    first, *lines = load_json_lines(path) or [None]
    found: defaultdict[str, dict[int, float | None]] = defaultdict(dict)
    try:
        tuning = Tuning.from_json(first)
    except (TypeError, KeyError, ValueError) as error:
        why = error if isinstance(error, ValueError) else "it was not written by `tune`"
        raise FileError(f"{path} holds no tuning: {why}; name another file") from error
    known = {"pair": range(1, 1 + tuning.pairs), "final": range(1, 1 + tuning.final)}
    for place, line in enumerate(lines, 2):
        try:
            (kind, number), (_, points) = line.items()
            is_known = points in POINTS and number in known[kind]
        except (TypeError, KeyError, ValueError, AttributeError):
            is_known = False
        if not is_known:
            raise FileError(f"{path}, line {place}, is no pair of this tuning: {line!r:.80}")
        found[kind][number] = points
    return tuning, found


@contextmanager
def opened(path: Path, tuning: Tuning) -> Iterator[None]:
    """Open a file for this tuning, new or begun before, and lock it against other processes.

    Raises FileError if it is in use, if it holds something else or another tuning, or if the agent has changed since;
    OSError for what is no file.
    """
    if path.exists():
        check_is_file(path)
    with locked(path, FileError(f"{path} is in use by another process: wait for it, or end it")):
        if _begins_with_a_tuning(path):  # (a file of somebody else stays as it is)
            remove_half_a_line(path)
            if path.read_bytes().count(b"\n") == 1:  # it was stopped before its first pair, as by an agent that crashed
                path.write_text("")
        header = json.dumps(tuning.to_json()) + "\n"
        if header.startswith(path.read_text(errors="replace")):  # it is empty, or writing it was cut off
            with writing(path):
                path.write_text(header)
        then, asked = read_tuning(path)[0].to_json(), json.loads(json.dumps(tuning.to_json()))
        before, now = then.pop("sources"), asked.pop("sources")
        if changed := [file for file in sorted({*before, *now}) if before.get(file) != now.get(file)]:
            raise FileError(f"{path}: the agent has changed since ({', '.join(changed)}): choose another file")
        then, asked = then.pop("settings") | then, asked.pop("settings") | asked
        if other := [name for name in {**then, **asked} if then.get(name) != asked.get(name)]:
            was, now, name = then.get(other[0]), asked.get(other[0]), {"rate": "gain"}.get(other[0], other[0])
            raise FileError(f"{path} holds another tuning, with {name}={was}, not {now}")
        yield


def _begins_with_a_tuning(path: Path) -> bool:
    with path.open("rb") as file, suppress(TypeError, KeyError, ValueError):
        Tuning.from_json(json.loads(file.readline()))
        return True
    return False


class Tuner:
    """Tunes the numbers of an agent, or goes on with the tuning in a file.

    Args:
        path: the file, which must exist.
        spec: the agent.
        method: a new one, which learns here from the pairs of the file.
        tell: called after each pair, with this object.

    Attributes:
        curve: the method's values at the start and after each batch.
    """

    def __init__(
        self, path: Path, spec: AgentSpec, executor: Executor, method: Method, tell: Callable[["Tuner"], None]
    ) -> None:
        self.tuning, self._found = read_tuning(path)
        self._path, self._spec, self._executor, self._tell = path, spec, executor, tell
        self._settings = TournamentSettings.from_json(self.tuning.settings)
        self._method, self.curve = method, [list(method.values)]
        for numbers in takewhile(lambda numbers: self._found["pair"].keys() >= set(numbers), self._batches()):
            self._learn(numbers)

    @property
    def played(self) -> int:
        """How many pairs were learned from, or will be when their batch is over."""
        return len(self._found["pair"])

    @property
    def start(self) -> dict[str, str]:
        """The options at the start."""
        return options_of(self.tuning.parameters, [parameter.start for parameter in self.tuning.parameters])

    @property
    def tuned(self) -> dict[str, str]:
        """The options with the present values."""
        return options_of(self.tuning.parameters, self.curve[-1])

    @property
    def final_counts(self) -> list[int]:
        """How many pairs of the final match brought the tuned values 0, 0.5, 1, 1.5 and 2 points."""
        points = list(self._found["final"].values())
        return [points.count(half / 2) for half in range(5)]

    def agent_with(self, options: dict[str, str]) -> AgentSpec:
        """The agent with these options added to its own."""
        chosen = self._spec.options | options
        text = f"{self._spec.source}:{','.join(f'{name}={value}' for name, value in chosen.items())}"
        return AgentSpec(text, self._spec.source, chosen)

    def run(self) -> None:
        """Play all that is missing: the pairs to learn from, batch by batch, then the match.

        Raises Failure if an agent crashes.
        """
        tuning, learned = self.tuning, len(self.curve) - 1
        skipped = min(learned * tuning.batch, tuning.pairs)
        openings = self._settings.all_openings(skipped)
        for numbers in self._batches()[learned:]:
            self._play("pair", numbers, openings, map(self._method.compared, numbers))
            self._learn(numbers)
        self._play("final", range(1, tuning.final + 1), openings, repeat((self.tuned, self.start)))

    def _batches(self) -> list[range]:
        """The numbers of all pairs to learn from, batch by batch."""
        end, batch = self.tuning.pairs + 1, self.tuning.batch
        return [range(first, min(first + batch, end)) for first in range(1, end, batch)]

    def _learn(self, numbers: range) -> None:
        self._method.learn({number: self._found["pair"][number] for number in numbers})
        self.curve.append(list(self._method.values))

    def _play(
        self,
        kind: str,
        numbers: range,
        openings: Iterator[tuple[str, ...]],
        sides: Iterator[tuple[dict[str, str], dict[str, str]]],
    ) -> None:
        """Play the pairs of these numbers that are not in the file, and add them to it; each takes an opening."""
        tasks = [
            self._task(kind, number, opening, options)
            for number, opening, options in zip(numbers, openings, sides, strict=False)
            if number not in self._found[kind]
        ]
        for attempt in range(ATTEMPTS):
            tasks = self._run(kind, tasks, is_last=attempt == ATTEMPTS - 1)

    def _run(self, kind: str, tasks: list[PairTask], is_last: bool) -> list[PairTask]:
        """Play these pairs and add them to the file; pairs with a void game are not added, but returned.

        Raises Failure for a void game if this is the last attempt, and if files have changed.
        """
        records: defaultdict[int, dict[tuple[str, str], GameRecord]] = defaultdict(dict)
        again = []
        for task, event in self._executor.run(tasks):
            number = task.pair.number
            if isinstance(event, GameRecord):
                records[number][event.agents] = _finished(event)
            elif isinstance(event, TaskDied):
                records.pop(number, None)  # it is played again from its beginning
            elif isinstance(event, TaskDone | TaskGivenUp):
                if isinstance(event, TaskDone) and event.result:
                    raise Failure(str(event.result))
                games = list(records[number].values())
                if isinstance(event, TaskDone) and (void := [game for game in games if game.is_void]):
                    if is_last:
                        raise Failure(f"{kind} {number} was tried {ATTEMPTS} times: {void[0].verdict.text}")
                    again.append(task)
                    continue
                points = _points(games)
                add_json_line(self._path, {kind: number, "points": points})
                self._found[kind][number] = points
                self._tell(self)
        return again

    def _task(
        self, kind: str, number: int, opening: tuple[str, ...], options: tuple[dict[str, str], dict[str, str]]
    ) -> PairTask:
        plus, minus = (self.agent_with(chosen) for chosen in options)
        seed = derived_seed(self._settings.known_seed, f"{kind} {number}")
        pair, sources = Pair(number, 1, number, PLUS, MINUS, opening, seed), (self.tuning.sources,) * 2
        conditions = self._settings.conditions
        return PairTask(pair, conditions, (plus, minus), sources=sources if self.tuning.sources else None)


def _finished(record: GameRecord) -> GameRecord:
    """The record of a game. Raises Failure if an agent crashed, since such a game says nothing about the numbers."""
    if record.verdict.reason is Reason.CRASH:
        last = "\n".join(record.verdict.stderr[-3:])
        raise Failure(
            f"an agent crashed, so the game says nothing about its values: {record.verdict.text}\n{last}".rstrip()
        )
    return record


def _points(games: Sequence[GameRecord]) -> float | None:
    """The points of a pair's first agent; None if a game of the pair is missing."""
    return None if len(games) < 2 else sum(game.points(PLUS) for game in games)

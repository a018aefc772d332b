"""The tables of a tournament's file, and their rows as named tuples.

`store.py` reads and writes them; `docs/tournaments.md` says what each column is for.
"""

from typing import Literal, NamedTuple, Self

from simulator.referee.game_record import GameRecord, Reason

APPLICATION_ID = 0x554E4643  # "UNFC", in the header of the file
VERSION = 4  # of the schema; goes up with every change that an older program would misread

PLANNED, PLAYED, VOID = "planned", "played", "void"

SCHEMA = (
    """CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value)))""",
    """CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        started TEXT NOT NULL,
        machine TEXT NOT NULL CHECK (json_valid(machine)))""",
    """CREATE TABLE agents (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        text TEXT NOT NULL,
        sources TEXT NOT NULL CHECK (json_valid(sources)),
        checked INTEGER NOT NULL DEFAULT 0,
        absence TEXT,
        replaced INTEGER NOT NULL DEFAULT 0,
        authors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(authors)))""",
    """CREATE TABLE pairs (
        id INTEGER PRIMARY KEY,
        round INTEGER NOT NULL,
        number INTEGER NOT NULL,
        first INTEGER NOT NULL REFERENCES agents,
        second INTEGER NOT NULL REFERENCES agents,
        opening TEXT NOT NULL CHECK (json_valid(opening)),
        seed INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'played', 'void')),
        attempts INTEGER NOT NULL DEFAULT 0,
        session INTEGER REFERENCES sessions,
        games INTEGER NOT NULL DEFAULT 2 CHECK (games IN (1, 2)),
        machine TEXT NOT NULL DEFAULT '',
        UNIQUE (round, first, second, number))""",
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        pair INTEGER NOT NULL REFERENCES pairs,
        number INTEGER NOT NULL CHECK (number IN (1, 2)),
        first INTEGER NOT NULL REFERENCES agents,
        second INTEGER NOT NULL REFERENCES agents,
        result TEXT NOT NULL,
        reason TEXT NOT NULL,
        winner INTEGER REFERENCES agents,
        loser INTEGER REFERENCES agents,
        moves INTEGER NOT NULL,
        started TEXT NOT NULL,
        first_slowest REAL,
        second_slowest REAL,
        first_memory_mb REAL NOT NULL,
        second_memory_mb REAL NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (pair, number))""",
    """CREATE TABLE decision (accepted TEXT NOT NULL, counts TEXT NOT NULL CHECK (json_valid(counts)))""",
    """CREATE INDEX games_of_agents ON games (first, second)""",
    """CREATE VIEW results AS
        SELECT games.id, pairs.round, games.pair, games.number, a.name AS first, b.name AS second, games.result,
            games.reason, w.name AS winner, l.name AS loser, games.moves, games.started, games.first_slowest,
            games.second_slowest, games.first_memory_mb, games.second_memory_mb
        FROM games JOIN pairs ON pairs.id = games.pair JOIN agents a ON a.id = games.first
            JOIN agents b ON b.id = games.second LEFT JOIN agents w ON w.id = games.winner
            LEFT JOIN agents l ON l.id = games.loser""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)


class AgentEntry(NamedTuple):
    """An agent of a tournament.

    Attributes:
        name: as tables and games call it.
        sources: the SHA-256 of each file that it consists of, by path.
        checked: whether it was started once under the limits, to see whether it works.
        absence: why it takes no part, None if it does (as far as is known).
        replaced: a newer version of it plays on; this one keeps the games that it played, under a name such as
            `alpha (v1)`.
        authors: its authors, where a submission names them.
    """

    name: str
    text: str
    sources: dict[str, str]
    checked: bool = False
    absence: str | None = None
    replaced: bool = False
    authors: tuple[str, ...] = ()


class Pair(NamedTuple):
    """Two games with one opening, colours swapped; `first` moves first in the first of them.

    Attributes:
        id: 0 before it is in a file.
        round: of the tournament, from 1.
        number: among the pairs of these two agents in this round, from 1.
        seed: the games' seeds follow from it.
        state: PLANNED, PLAYED, or VOID where the referee's machine failed too often.
        games: how many of the two are to be played: 1 where a match has an odd number of games.
        machine: which machine or worker played it; empty for the one that writes the records.
    """

    id: int
    round: int
    number: int
    first: str
    second: str
    opening: tuple[str, ...]
    seed: int
    state: str = PLANNED
    attempts: int = 0
    games: int = 2
    machine: str = ""

    @property
    def agents(self) -> tuple[str, str]:
        """Both names."""
        return self.first, self.second

    def game_number(self, agents: tuple[str, str]) -> int:
        """The tournament's number for that game of the pair in which these two move in this order."""
        return game_number(self.id, 1 if agents == self.agents else 2)


class StoredGame(NamedTuple):
    """The data of a game that are asked for often; `Store.record` has all.

    Attributes:
        id: its number in the tournament, see `game_number`.
        number: 1 or 2, in its pair.
        first, second: names of the agents, in the order in which they moved.
        result: as in GameRecord.
        reason: as in Verdict.
        winner: an agent's name, None for a draw or a void game.
        loser: the agent whose fault (or resignation) ended the game, None where it ended on the board.
        moves: plies, the opening's included.
        started: ISO 8601.
        first_slowest, second_slowest: seconds of the agent's slowest answer after its first, None without one.
        first_memory_mb, second_memory_mb: the most that an agent held.
    """

    id: int
    round: int
    pair: int
    number: int
    first: str
    second: str
    result: str
    reason: Reason
    winner: str | None
    loser: str | None
    moves: int
    started: str
    first_slowest: float | None
    second_slowest: float | None
    first_memory_mb: float
    second_memory_mb: float

    @classmethod
    def of(cls, record: GameRecord, pair: int, number: int, game_id: int = 0) -> Self:
        """The row of the first or second game (`number`) of a pair; its round, which only the pair knows, is 0.

        `game_id` is 0 for the number of `game_number`.
        """
        verdict = record.verdict
        slowest = [max(record.times_of(player).later, default=None) for player in (0, 1)]
        return cls(
            game_id or game_number(pair, number),
            0,
            pair,
            number,
            *record.agents,
            record.result,
            verdict.reason,
            record.winner,
            None if verdict.loser is None else record.agents[verdict.loser],
            len(record.line),
            record.date,
            slowest[0],
            slowest[1],
            *record.peak_memory_mb,
        )

    @property
    def is_void(self) -> bool:
        """Whether nobody wins, because the referee's machine failed."""
        return self.reason is Reason.VOID

    def points(self, agent: str) -> float:
        """1, 0.5 or 0, for an agent that played."""
        return 0.5 if self.winner is None else float(self.winner == agent)


def game_number(pair: int, number: int) -> int:
    """The number of a pair's first or second game in the tournament, from 1: known before it is played.

    >>> game_number(1, 1), game_number(1, 2), game_number(2, 1)
    (1, 2, 3)
    """
    return 2 * (pair - 1) + number


class Decision(NamedTuple):
    """How a sequential test was decided.

    Attributes:
        accepted: H0 or H1.
        counts: the outcomes of the first agent's pairs until then, see `PairCounts`.
    """

    accepted: Literal["H0", "H1"]
    counts: tuple[int, ...]


class Session(NamedTuple):
    """One start of the program: its time (ISO 8601) and the machine, see `provenance.describe_machine`."""

    started: str
    machine: dict[str, str]

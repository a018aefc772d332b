"""The record of a game: its moves with their times and memory, and the verdict with its reason."""

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

from agents.limits import Limits
from game import Game, Position, load_game, play_moves
from simulator.gtp.analysis import Analysis
from simulator.player.faults import Reason
from simulator.referee.stepper import stepper

__all__ = ["AnswerTimes", "GameRecord", "MoveRecord", "Reason", "Verdict"]


@dataclass(frozen=True)
class Verdict:
    """How a game ended.

    Attributes:
        winner: 0, 1, or None for a draw or a void game.
        reason: see `Reason`.
        text: a sentence for people: who, what, at which move, the measured figure and the limit.
        loser: the player that resigned or broke a rule; None where the game ended on the board or is void.
        ply: how many moves had been played when the game ended, the opening's included.
        measured: the figure that broke the limit (seconds or MB), None where there is none.
        limit: the limit that was broken, None where there is none.
        stderr: the last lines of the loser's log, oldest first; of a void game, where the rules failed.
    """

    winner: int | None
    reason: Reason
    text: str
    ply: int
    loser: int | None = None
    measured: float | None = None
    limit: float | None = None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True)
class MoveRecord:
    """One move as the referee saw it.

    Attributes:
        ply: moves played before it.
        player: 0 or 1.
        move: canonical text of the move that was played.
        seconds: from the start of the move's clock, see `Player.ask`, to the newline of the answer; 0 if not measured.
        peak_memory_mb: the most that the agent's processes had held together so far, MB of 2^20 bytes; 0 if not
            measured.
        replaced: the answer came late, and the referee played a random move in its place.
        answer: what the agent answered; differs from `move` if it was replaced.
        analysis: what the agent said of its move.
        delay_seconds: while the referee waits, it looks for the answer every 20 ms; this is how late its latest look
            was. If it is more than some milliseconds, the machine was busy, and `seconds` may be too long.
        clock_seconds: what was left on the player's game clock after the move, None where there is none.
    """

    ply: int
    player: int
    move: str
    seconds: float
    peak_memory_mb: float
    replaced: bool = False
    answer: str = ""
    analysis: Analysis = field(default_factory=Analysis)
    delay_seconds: float = 0.0
    clock_seconds: float | None = None


class AnswerTimes(NamedTuple):
    """Seconds of a player's answers: the first (none or one), which has a limit of its own, and all later ones."""

    first: list[float]
    later: list[float]


@dataclass(frozen=True)
class GameRecord:
    """One game.

    Attributes:
        game: the game's registered name.
        agents: names of the players 0 and 1, as tables show them.
        seed: the game's seed, from which the agents' seeds and the replacement moves come.
        opening: canonical texts of the moves that were played before the agents took over.
        moves: the agents' moves.
        result: `W+`, `B+` (`B+3.5` where the board decided by points), `0`, or `none` for a void game.
        final_position: the last position as one line of text; empty if a game's own file fails to write it.
        verdict: see `Verdict`.
        peak_memory_mb: for both players.
        enforcement: which mechanism enforced each limit on this machine, e.g. {"memory": "polling"}.
        options: the game's options, defaults too, e.g. {"size": 9, "komi": 7.0}; empty for a game that has none.
        date: when the game began, ISO 8601 with the offset from UTC, to the second.
        startup_seconds: for each agent, how long its process took to answer for the first time; None if it never did.
        incidents: what went wrong with the referee's machine and did not decide the game, a sentence each.
        logs: for both players, what they wrote to stdout and stderr; of a long text the first and last 32 KiB.
        limits: the limits of each player; None in records of older versions.
        transcripts: for both players, what went over the wire; empty unless transcripts were asked for.
    """

    game: str
    agents: tuple[str, str]
    seed: int
    opening: tuple[str, ...]
    moves: tuple[MoveRecord, ...]
    result: str
    final_position: str
    verdict: Verdict
    peak_memory_mb: tuple[float, float]
    enforcement: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    date: str = ""
    startup_seconds: tuple[float | None, float | None] = (None, None)
    incidents: tuple[str, ...] = ()
    logs: tuple[str, str] = ("", "")
    limits: tuple[Limits, Limits] | None = None
    transcripts: tuple[str, str] = ("", "")

    def to_json(self) -> dict[str, Any]:
        """The record as plain dictionaries, lists, texts and numbers."""
        content = asdict(self)
        for move, moved in zip(self.moves, content["moves"], strict=True):
            moved["analysis"] = move.analysis.to_json()
        return content | {"limits": self.limits and [limits.to_json() for limits in self.limits]}

    @property
    def absent(self) -> int | None:
        """The player that lost because it never answered anything, for instance could not be loaded; else None."""
        loser = self.verdict.loser
        return loser if loser is not None and self.startup_seconds[loser] is None else None

    @property
    def is_void(self) -> bool:
        """Whether nobody wins, because the referee's machine or the game's rules failed."""
        return self.verdict.reason is Reason.VOID

    @property
    def winner(self) -> str | None:
        """The name of the agent that has won; None for a draw and a void game."""
        winner = self.verdict.winner
        return None if winner is None else self.agents[winner]

    def points(self, agent: str) -> float:
        """1, 0.5 or 0 points for the agent of this name, which must have played; 0.5 each in a void game."""
        return 0.5 if self.winner is None else float(self.winner == agent)

    def times_of(self, player: int) -> AnswerTimes:
        """The times of a player's answers, as far as they were measured.

        If the player lost on time, the last one is the time of the answer that was too late.
        """
        seconds = [move.seconds for move in self.moves if move.player == player and move.seconds > 0]
        verdict = self.verdict
        if verdict.reason is Reason.TIMEOUT and verdict.loser == player and verdict.measured is not None:
            seconds.append(verdict.measured)
        return AnswerTimes(seconds[:1], seconds[1:])

    @property
    def line(self) -> tuple[str, ...]:
        """Texts of all moves, the opening's included."""
        return (*self.opening, *(move.move for move in self.moves))

    def load_game(self) -> Game:
        """The game with its options. Raises InputError for a game that is not known here."""
        return load_game(self.game, **self.options)

    @property
    def positions(self) -> list[Position]:
        """All positions, from the start on: the moves are played again. Raises InputError for an unknown game."""
        return play_moves(self.load_game(), self.line)

    def _repr_html_(self) -> str:
        """For a notebook: the game as HTML in which one can step from move to move."""
        title, verdict = html.escape(" against ".join(self.agents)), html.escape(self.verdict.text)
        return f"<p><strong>{title}</strong><br>{verdict}</p>{self.steps_html()}"

    def steps_html(self) -> str:
        """The positions as HTML in which one can step from move to move, without anything that the agents wrote."""
        return stepper(self.positions, self.agents, len(self.opening))

    def log(self, player: int) -> str:
        """What a player wrote; in records of older versions only the last lines, if the player lost by a fault."""
        return self.logs[player] or ("\n".join(self.verdict.stderr) if player == self.verdict.loser else "")

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """The record that `to_json` of this or another version made: unknown keys are left out, missing ones defaulted.

        Raises KeyError for a record without moves or verdict, TypeError if another key without default is missing.
        """
        limits = content.get("limits")
        parts = {
            "moves": tuple(map(_move_of, content["moves"])),
            "verdict": Verdict(
                **_known(Verdict, content["verdict"]) | {"reason": Reason(content["verdict"]["reason"])}
            ),
            "logs": tuple(log if isinstance(log, str) else "\n".join(log) for log in content.get("logs", cls.logs)),
            "limits": limits and tuple(map(Limits.from_json, limits)),
        }
        return cls(**_known(cls, content) | parts)


def _move_of(content: Mapping[str, Any]) -> MoveRecord:
    return MoveRecord(**_known(MoveRecord, content) | {"analysis": Analysis.from_json(content.get("analysis", {}))})


def _known(record: type, content: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of `content` that are fields of a record; JSON's lists become tuples."""
    names = record.__annotations__  # the names of its fields
    return {key: tuple(value) if isinstance(value, list) else value for key, value in content.items() if key in names}

"""An executor that plays nothing, so that matches and tournaments can be tested without games."""

import signal
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import NamedTuple

from agents.agent import parse_agent
from agents.limits import Limits
from simulator.records.database import write_store
from simulator.records.schema import AgentEntry, Pair
from simulator.referee.conditions import Conditions
from simulator.referee.events import GameBegan
from simulator.referee.game_record import GameRecord, Reason, Verdict
from simulator.statistics.standings import Meeting, meetings
from simulator.tournament.coordinator import Coordinator
from simulator.tournament.plan import Plan
from simulator.tournament.settings import TournamentSettings
from simulator.tournament.tasks import MachineFailed, PairTask, TryTask
from simulator.tournament.workers.protocol import (
    DEATHS_OF_A_TASK,
    ExecutorError,
    TaskDied,
    TaskDone,
    TaskGivenUp,
    given_up,
)

NAMES = ("alpha", "beta", "gamma", "delta")
SPECS = {name: parse_agent("random_agent") for name in NAMES}
SETTINGS = TournamentSettings(Conditions(limits=Limits(move_seconds=1)), opening_plies=2, seed=4)


def record_of(task, number, reason=Reason.NORMAL, points=None):
    """A record of a game that the agent whose name sorts first wins, or in which it makes these points."""
    names = task.pair.agents if number == 1 else task.pair.agents[::-1]
    winner = None if reason is Reason.VOID or points == 0.5 else names.index(min(names))
    if points == 0:
        winner = names.index(max(names))
    loser = None if reason in (Reason.VOID, Reason.NORMAL) else 1 - winner
    stack = ("Current thread 0x1 (most recent call first):", "last words", *["a frame of ours"] * 3)
    verdict = Verdict(winner, reason, "why", 2, loser, stderr=stack)
    return GameRecord("pentago", names, task.pair.seed, task.pair.opening, (), "W+", "", verdict, (1.0, 1.0))


@dataclass
class Pretender:
    """An executor that plays nothing: the agent whose name sorts first wins.

    Args:
        pairs: the number of pairs after which somebody presses Ctrl-C.
        void: how many pairs, from the first, have a void game.
        broken_pairs: the numbers of pairs that have one whenever they are played.
        absent: agents that cannot be started.
        broken: why games end.
        deaths: how often the process that plays a pair dies; from DEATHS_OF_A_TASK on, the pair is given up.
        deadly: how many pairs, from the first, have so many deaths.
        last_first: whether the pairs end in the opposite order.
        killers: agents that end every process that starts them.
        failing: agents that this machine cannot start.
        points: alpha's points in game after game, over and over again; if empty, the agent whose name sorts first wins.
        half: whether the pair at which Ctrl-C comes already had its first game.
        gone: whether the workers are gone after so many pairs, instead of Ctrl-C.
        in_play: how many pairs are in play when the executor is stopped; alpha loses them.

    Attributes:
        tasks, tried: the pairs that were played, and the agents that were started.
    """

    pairs: int | None = None
    void: int = 0
    broken_pairs: Sequence[int] = ()
    absent: Sequence[str] = ()
    broken: Reason = Reason.NORMAL
    deaths: int = 0
    deadly: int = 1
    last_first: bool = False
    killers: Sequence[str] = ()
    failing: Sequence[str] = ()
    points: Iterable[float] = ()
    half: bool = False
    gone: bool = False
    in_play: int = 0

    def __post_init__(self):
        self.points, self.stopped = cycle(self.points) if self.points else None, False
        self.tasks, self.tried = [], []

    def run(self, tasks):
        for task in reversed(tasks) if self.last_first else tasks:
            if isinstance(task, TryTask):
                self.tried.append(task.name)
                if task.name in self.killers:
                    yield task, TaskGivenUp(given_up(task, "killed by SIGKILL"))
                    continue
                fails = MachineFailed("no memory") if task.name in self.failing else None
                yield task, TaskDone("it fails" if task.name in self.absent else fails)
                continue
            if self.stopped:
                if self.in_play == 0:
                    return
                self.in_play, self.points = self.in_play - 1, cycle([0])
            if self.pairs == len(self.tasks):
                if self.half:
                    yield task, record_of(task, 1)
                if self.gone:
                    raise ExecutorError("there is no worker")
                signal.raise_signal(signal.SIGINT)
                return
            deaths, self.deadly = self.deaths if self.deadly > 0 else 0, self.deadly - 1
            yield from [(task, TaskDied("killed by SIGKILL"))] * min(deaths, DEATHS_OF_A_TASK - 1)
            if deaths >= DEATHS_OF_A_TASK:
                yield task, TaskGivenUp(given_up(task, "killed by SIGKILL"))
                continue
            self.tasks.append(task)
            is_void = len(self.tasks) <= self.void or task.pair.id in self.broken_pairs
            reason = Reason.VOID if is_void else self.broken
            for number, why in list(enumerate((reason, self.broken), 1))[: task.pair.games]:
                record = record_of(task, number, why, next(self.points) if self.points else None)
                yield task, GameBegan(record.agents, task.pair.opening)
                yield task, record
            yield task, TaskDone(None)

    def stop(self, at_once=False):
        self.stopped = True


class Outcome(NamedTuple):
    """How a tournament ended: the agents tried and the pairs played this time, and what the records hold."""

    complete: bool
    tried: list[str]
    tasks: list[PairTask]
    agents: list[AgentEntry]
    pairs: list[Pair]
    records: list[GameRecord]
    meetings: list[Meeting]

    @property
    def played(self):
        return [task.pair for task in self.tasks]

    @property
    def absent(self):
        return {agent.name: agent.absence for agent in self.agents if agent.absence}

    @property
    def met(self):
        return [(pair.first, pair.second) for pair in self.played]


def pretend(path, settings=SETTINGS, specs=SPECS, observer=None, extend=False, **how):
    """Play a tournament with a Pretender made with the arguments `how`; return its outcome."""
    executor = Pretender(**how)
    with write_store(path) as store:
        plan = Plan(settings, specs, records=path, extend=extend)
        complete = Coordinator(store, plan, executor, [observer] if observer else []).run().complete
        records = [store.record(game.id) for game in store.games()]
        return Outcome(
            complete, executor.tried, executor.tasks, store.agents(), store.pairs(), records, meetings(store)
        )

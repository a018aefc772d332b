"""Many games: try the agents, pair the rounds, let several processes play, keep everything in one file of records.

Only the coordinator (this process) writes the records, a pair at a time, and it decides everything from what is in
them. So a tournament that was stopped or killed goes on when it is run again, and ends as it would have ended. The
games do not depend on how many processes play them. A match is a tournament of two agents.

Begin reading at `Coordinator.run`.
"""

import signal
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from types import FrameType
from typing import Any

from simulator.records.provenance import session_now
from simulator.records.schema import VOID, Decision, Pair
from simulator.records.store import Store
from simulator.referee.events import GameEvent
from simulator.referee.game_record import GameRecord
from simulator.referee.referee import ATTEMPTS
from simulator.statistics.pentanomial import PairCounts
from simulator.statistics.sprt import Sprt
from simulator.statistics.standings import league_of
from simulator.tournament.agreement import TournamentError, agreed
from simulator.tournament.events import (
    Ended,
    Event,
    NotKept,
    Observer,
    PairAgain,
    PairSaved,
    Planned,
    Started,
    Stopping,
)
from simulator.tournament.plan import Plan
from simulator.tournament.planner import Planner
from simulator.tournament.tasks import MachineFailed, PairTask, TryTask
from simulator.tournament.workers.protocol import (
    DEATHS_OF_A_TASK,
    Executor,
    ExecutorError,
    TaskDied,
    TaskDone,
    TaskGivenUp,
)
from simulator.tournament.workers.protocol import Event as TaskEvent

MOST_VOID = 3  # if so many pairs stay void, and none works meanwhile, the tournament stops


class Coordinator:
    """Plays a tournament, or what is left of it. Raises TournamentError if the records are of another tournament.

    Args:
        store: the records, open for writing; new, or of this same tournament.
        executor: runs the tasks, which play the games.
        observers: are called with each event, see `events.py`.
        stops_at_once: the first Ctrl-C stops the tournament at once; by default, only the second one does.

    Attributes:
        settings: the tournament's settings, with its seed.
    """

    def __init__(
        self,
        store: Store,
        plan: Plan,
        executor: Executor,
        observers: Sequence[Observer] = (),
        *,
        stops_at_once: bool = False,
    ) -> None:
        self.store, self.plan = store, plan
        self.settings, self._agents = agreed(store, plan)
        self._executor, self._observers, self._stops_at_once = executor, list(observers), stops_at_once
        self._planner = Planner(store, self.settings, plan.names, self._has_to_stop)
        self._unsaved: defaultdict[int, list[GameRecord]] = defaultdict(list)  # by the pair's id
        self._attempts: Counter[int] = Counter()
        self._void: list[tuple[Pair, str]] = []  # the last pairs, if they stayed void, and where they were played
        self._why_void = ""  # why the last of them did
        self._worked = 0  # pairs that were played without a void game
        self._worked_before: dict[int, int] = {}  # how many these were when a pair failed first, by its id
        self._interrupts = self._announced = 0
        self._is_stopped = False
        self._failure: Exception | None = None
        self._pairs = PairCounts(plan.names[0])  # for a sequential test

    def run(self) -> Ended:
        """Play all games that are not in the records yet, until none is left or somebody stops it.

        Raises TournamentError if too few agents can play.
        """
        self.store.begin_session(session_now())
        self._count_what_is_there()
        count = self._planner.games_in_all(), self._planner.games_played()
        with self._signals():
            half_pairs = self.plan.records is None
            self._tell(Started(self.store, self.settings, self.plan.names, *count, self._unsaved, half_pairs))
            self._try_agents()
            while not self._has_to_stop() and (pairs := self._planner.next_pairs()):
                self._play(pairs)
            if half_pairs:
                self._end_half_pairs()
            ended = self.ended()
            self._tell(ended)
        return ended

    def ended(self) -> Ended:
        """The event at the end: how far the tournament came."""
        absent = tuple(agent for agent in self._planner.agents() if agent.absence is not None)
        void = sum(pair.state == VOID for pair in self._planner.pairs())
        interrupted, decision = self._interrupts > 0, self.store.decision()
        return Ended(self.plan.names, self.settings, interrupted, self._failure, absent, decision, void)

    def _tell(self, event: Event, pair: Pair | None = None) -> None:
        for observer in list(self._observers):
            try:
                observer(event, pair)
            except NotKept as error:
                self._observers.remove(observer)
                self._fail(error)

    # --- The agents ---

    def _try_agents(self) -> None:
        """Start each agent that was not tried before once, unless its files cannot be read."""
        untried = {agent.name for agent in self._planner.agents() if not agent.checked}
        tasks = []
        for name in filter(untried.__contains__, self._agents):
            if (absence := self._agents[name].absence) is None:
                tasks.append(TryTask(self.settings.conditions, self.plan.specs[name], name))
            else:
                self._tried(name, absence)
        with closing(self._events(tasks)) as events:
            for task, event in events:
                match event:
                    case TaskDone(MachineFailed(why)):
                        text = f"{task.name} could not be tried: {why}. Repair that; the same command goes on"
                        self._fail(TournamentError(text))
                    # An agent that ends every process that starts it is absent, too: an error would stop every run.
                    case TaskDone(why) | TaskGivenUp(why):
                        self._tried(task.name, why)
        try:
            self._planner.check()
        except ValueError as error:
            absent = [f"{agent.name}: {agent.absence}" for agent in self._planner.agents() if agent.absence]
            raise TournamentError("\n".join([str(error), *absent])) from error

    def _tried(self, name: str, absence: str | None) -> None:
        """Record that an agent plays, or why it is absent."""
        self.store.check(name, absence)
        self._tell(self._agents[name]._replace(checked=True, absence=absence))

    # --- Playing ---

    def _play(self, pairs: Sequence[Pair]) -> None:
        """Play pairs, in any order, and save each when it is complete."""
        self._tell(Planned(len(pairs), self._planner.games_in_all()))
        with closing(self._events([self._task(pair) for pair in pairs])) as events:
            for task, event in events:
                pair = task.pair
                match event:
                    case TaskDone(result=change) if change:
                        self._stop_for_change(pair, change)
                    case TaskDone(where=where):
                        self._count(pair, where)
                    case TaskGivenUp(why):
                        self._give_up(task, why)
                    case TaskDied(how):
                        self._again(pair, f"the process that played it was {how.splitlines()[0]}")
                    case _:
                        self._pass_on(event, pair)
        if self._void and not self._has_to_stop() and self._planner.next_round_lacks_results():
            self._stop_for_void("no pair of this round could be played")
        if self._failure is None:
            self._save_void()
        else:  # a failure has stopped the tournament, and may also be why these pairs are void
            self._play_void_again()

    def _task(self, pair: Pair) -> PairTask:
        specs = (self.plan.specs[pair.first], self.plan.specs[pair.second])
        sources = (self._agents[pair.first].sources, self._agents[pair.second].sources)
        return PairTask(pair, self.settings.conditions, specs, self.plan.records_files, sources)

    def _pass_on(self, event: GameEvent, pair: Pair) -> None:
        """Pass an event of the referee on to the observers; a finished game is kept until its pair is saved."""
        if isinstance(event, GameRecord):
            self._unsaved[pair.id].append(event)
        self._tell(event, pair)

    def _count(self, pair: Pair, where: str) -> None:
        """Save a pair; if a game of it is void, play it again, ATTEMPTS times in all."""
        self._attempts[pair.id] += 1
        void = [record for record in self._unsaved[pair.id] if record.is_void]
        if not void:
            self._worked += 1
            self._save_void()
            self._save(pair, where)
        elif self._attempts[pair.id] < ATTEMPTS:
            self._again(pair, void[0].verdict.text)
        else:
            self._keep_void(pair, where, void[0].verdict.text)

    def _keep_void(self, pair: Pair, where: str, why: str) -> None:
        """Keep a void pair until another pair shows that the machine works; after MOST_VOID without one, stop.

        A pair that worked since this pair failed first shows it, too.
        """
        self._void.append((pair, where))
        self._why_void = why
        if self._worked > self._worked_before.get(pair.id, self._worked):
            self._save_void()
        elif len(self._void) == MOST_VOID:
            self._stop_for_void(f"{MOST_VOID} pairs in a row were void")

    def _stop_for_void(self, what: str) -> None:
        """Stop because of void pairs, which are played again by the next run."""
        self._play_void_again()
        again = "Repair that; the same command plays them again"
        more = ", unless the game's file has changed: that needs new records" if self.plan.game.files else ""
        self._fail(TournamentError(f"{what}, the last one because {self._why_void}. {again}{more}"))

    def _save_void(self) -> None:
        for pair, where in self._void:
            self._save(pair, where)
        self._void.clear()

    def _play_void_again(self) -> None:
        for pair, _ in self._void:
            self._again(pair, "nothing can be played now")
        self._void.clear()

    def _again(self, pair: Pair, why: str) -> None:
        self._unsaved.pop(pair.id, None)
        self._worked_before.setdefault(pair.id, self._worked)
        self._tell(PairAgain(pair.id, why))

    def _give_up(self, task: PairTask, why: str) -> None:
        """Make a pair void whose task has ended without a result too often."""
        pair = task.pair
        self._attempts[pair.id] += DEATHS_OF_A_TASK
        self._unsaved.pop(pair.id, None)
        for record in task.void(why):
            self._pass_on(record, pair)
        self._keep_void(pair, "", why.splitlines()[0])

    def _save(self, pair: Pair, where: str = "") -> None:
        records = self._unsaved[pair.id]
        self.store.save_pair(pair.id, records, self._attempts[pair.id], where)
        del self._unsaved[pair.id]
        if (test := self.settings.sprt) is not None:
            self._pairs.add(records)
            self._look_at(test)
        self._tell(PairSaved(pair, records))

    def _end_half_pairs(self) -> None:
        """Save the finished games of unfinished pairs, for a match without records, which cannot go on later."""
        for pair in self._planner.waiting():
            if self._unsaved.get(pair.id):
                self._save(pair)

    # --- The test ---

    def _count_what_is_there(self) -> None:
        """If there is a sequential test, count the pairs that are in the records already."""
        if (test := self.settings.sprt) is not None:
            self._pairs = league_of(self.store, self.plan.names).pairs[self.plan.names[0]]
            self._look_at(test)

    def _look_at(self, test: Sprt) -> None:
        """Stop if the test is decided. The first decision stands, whatever the results of the pairs still in play."""
        state = test.state(self._pairs.counts)
        if self.store.decision() is None and state != "continue":
            self.store.decide(Decision(state, tuple(self._pairs.counts)))
        if self.store.decision() is not None:
            self._stop()

    # --- Stopping ---

    def _stop_for_change(self, pair: Pair, why: str) -> None:
        """Drop a pair during which an agent was changed, and begin no more pairs."""
        self._again(pair, why)
        self._fail(
            TournamentError(
                f"{why}; pairs that were saved before count. Put the file back and run the same command again, or add "
                "--extend, and the changed agent plays anew"
            )
        )

    def _fail(self, error: Exception) -> None:
        """Begin no more pairs for this reason."""
        self._failure = self._failure or error
        self._stop()

    def _has_to_stop(self) -> bool:
        return self._is_stopped or self._interrupts > 0

    def _stop(self) -> None:
        """Begin no more pairs: the test is decided, or something failed."""
        self._is_stopped = True
        self._executor.stop()

    def _events(self, tasks: Sequence[Any]) -> Generator[TaskEvent, None, None]:
        """The executor's events for tasks, as far as it can do them; a request to stop is announced between two events.

        The caller has to close this generator, so that no process goes on playing if an error occurs (a full disk).
        """
        if not tasks or self._interrupts:
            return
        try:
            for event in self._executor.run(tasks):
                self._announce()
                yield event
        except ExecutorError as error:
            self._fail(error)
        self._announce()

    def _announce(self) -> None:
        if self._announced != self._interrupts:
            self._announced = self._interrupts
            self._tell(Stopping(self._interrupts > 1))

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Within the block, Ctrl-C lets the pairs in play finish; a second Ctrl-C, or SIGTERM, ends them at once."""
        before = {number: signal.signal(number, self._interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        self._interrupts += 2 if number == signal.SIGTERM or self._stops_at_once else 1
        self._executor.stop(at_once=self._interrupts > 1)

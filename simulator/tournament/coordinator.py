"""A tournament: agents tried, rounds paired, pairs played by several processes, everything in one file of records.

The coordinator (this process) alone writes the file, a pair at a time, and decides everything from what is in it; so a
tournament that was stopped or killed goes on when it is run again, and ends as it would have ended. Nothing that is
played depends on how many processes play it.

Begin reading at `Tournament.run`.
"""

import random
import signal
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import islice
from types import FrameType
from typing import Any

from agents.agent import AgentSpec
from simulator.records.database import Store
from simulator.records.provenance import describe_machine
from simulator.records.schema import PLANNED, AgentEntry, Pair, Session
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.referee import ATTEMPTS
from simulator.statistics.standings import meetings
from simulator.tournament.formats import Format, Pairing
from simulator.tournament.observer import Observer, TournamentInfo
from simulator.tournament.openings import Opening
from simulator.tournament.settings import TournamentError, TournamentSettings, agree, entries_of
from simulator.tournament.tasks import ClockRuns, GameBegun, GameOver, MoveMade, PairTask, TryTask
from simulator.tournament.workers.local import DEATHS_OF_A_TASK, Died, Done, Event, Executor, GivenUp, Told


class Tournament:
    """A tournament with its records.

    Args:
        store: open for writing; new, or of this same tournament.
        specs: the agents, by the names that tables use.
        executor: plays the games.
    """

    def __init__(
        self,
        store: Store,
        settings: TournamentSettings,
        specs: Mapping[str, AgentSpec],
        executor: Executor,
        observer: Observer | None = None,
    ) -> None:
        self.store, self.settings, self.specs = store, settings, dict(specs)
        self.game = settings.load_game()
        self._executor, self._observer = executor, observer or Observer()
        self._openings = self.settings.all_openings(self.game)
        self._drawn: list[Opening] = []
        self._attempts: Counter[int] = Counter()
        self._interrupts = self._announced = 0

    def run(self) -> bool:
        """Play all that is not in the records yet; returns whether it was all played, False if somebody stopped it.

        Raises TournamentError where the records are those of another tournament, or too few agents can play.
        """
        entries = entries_of(self.specs, self.game)
        agree(self.store, self.settings, entries)
        self.store.begin_session(Session(datetime.now().astimezone().isoformat(timespec="seconds"), describe_machine()))
        with self._observer, self._signals():
            self._observer.started(
                TournamentInfo(self.store, self.settings, tuple(self.specs), self.games_in_all(), self._games_played())
            )
            self._try_agents({agent.name: agent.absence for agent in entries if agent.absence is not None})
            while not self._interrupts and (pairs := self._waiting() or self._planned()):
                self._observer.planned(pairs, self.games_in_all())
                self._play(pairs)
            complete = not self._interrupts
            self._observer.ended(complete)
        return complete

    @property
    def present(self) -> list[str]:
        """The agents that take part, as far as is known, in the order in which they were named."""
        return [agent.name for agent in self.store.agents() if agent.absence is None and not agent.replaced]

    @property
    def absent(self) -> list[str]:
        """The agents that cannot be started, as far as they were tried."""
        return [agent.name for agent in self.store.agents() if agent.absence is not None]

    @property
    def format(self) -> Format:
        """The format for the agents that are present; who meets all others in a gauntlet is settled before that."""
        champion = self.settings.champion or next(iter(self.specs))
        return replace(self.settings, champion=champion).make_format(len(self.present))

    def games_in_all(self) -> int:
        """How many games there will be, those that were played among them."""
        format_, names = self.format, self.present
        pairs = self.store.pairs()
        planned = max((pair.round for pair in pairs), default=0)
        later = [len(format_.pairings(n, names, [])) for n in range(planned + 1, format_.rounds + 1)]
        return 2 * (len(pairs) + self.settings.pairs * sum(later))

    def _games_played(self) -> int:
        return 2 * sum(pair.state != PLANNED for pair in self.store.pairs())

    # --- The agents ---

    def _try_agents(self, unreadable: Mapping[str, str]) -> None:
        """Start each agent once that was not tried before, unless its files cannot be read, for these reasons."""
        conditions = self.settings.conditions
        untried = [agent.name for agent in self.store.agents() if not agent.checked]
        for name in (name for name in untried if name in unreadable):
            self._tried(name, unreadable[name])
        tasks = [TryTask(conditions, self.specs[name], name) for name in untried if name not in unreadable]
        with closing(self._events(tasks)) as events:
            for event in events:
                if isinstance(event, Done):
                    self._tried(event.task.name, event.result)
                elif isinstance(event, GivenUp):  # it ends the process that starts it: that would stop every run
                    self._tried(event.task.name, event.why)
        try:
            self.format.check(self.present)
        except ValueError as error:
            raise TournamentError(str(error)) from error

    def _tried(self, name: str, absence: str | None) -> None:
        """Write down that an agent plays, or that it is absent and why."""
        self.store.check(name, absence)
        self._observer.agent_tried(self._entry(name))

    def _entry(self, name: str) -> AgentEntry:
        return next(agent for agent in self.store.agents() if agent.name == name)

    # --- Rounds ---

    def _waiting(self) -> list[Pair]:
        """The pairs that are planned and not played."""
        return [pair for pair in self.store.pairs() if pair.state == PLANNED]

    def _planned(self) -> list[Pair]:
        """Plan the next round, and those after it that need no results; none if there is none."""
        format_, names = self.format, self.present
        pairs, played = self.store.pairs(), meetings(self.store)
        begin = max((pair.round for pair in pairs), default=0) + 1
        for number in range(begin, format_.rounds + 1):
            if number > begin and format_.needs_results(number):
                break
            self.store.plan(list(self._pairs_of(number, format_.pairings(number, names, played))))
        return self._waiting()

    def _pairs_of(self, round_: int, pairings: Sequence[Pairing]) -> Iterator[Pair]:
        """The pairs of games of a round; all pairings have the same openings."""
        per_pairing = self.settings.pairs
        for number in range(1, per_pairing + 1):
            opening = self._opening((round_ - 1) * per_pairing + number - 1)
            for first, second in pairings:
                chance = random.Random(f"{self.settings.seed} round {round_} {first} {second} {number}")
                yield Pair(None, round_, number, first, second, opening, chance.getrandbits(31))

    def _opening(self, index: int) -> Opening:
        self._drawn += islice(self._openings, max(0, index + 1 - len(self._drawn)))
        return self._drawn[index]

    # --- Playing ---

    def _play(self, pairs: Sequence[Pair]) -> None:
        """Play pairs, in any order, and write down each when it is complete."""
        by_id = {pair.id: pair for pair in pairs if pair.id is not None}
        with closing(self._events([self._task(id_, pair) for id_, pair in by_id.items()])) as events:
            for event in events:
                if isinstance(event, Done):
                    self._count(by_id[event.task.pair], event.result)
                elif isinstance(event, GivenUp):
                    self._save(by_id[event.task.pair], self._void(event))
                elif isinstance(event, Died):
                    self._observer.pair_again(event.task.pair, f"the process that played it was {event.how}")
                else:
                    self._tell(event)

    def _task(self, pair_id: int, pair: Pair) -> PairTask:
        names = (pair.first, pair.second)
        specs = (self.specs[pair.first], self.specs[pair.second])
        return PairTask(pair_id, self.settings.conditions, specs, names, pair.opening, pair.seed)

    def _count(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Write a pair down, unless a game of it is void and it can be tried again."""
        assert pair.id is not None
        self._attempts[pair.id] += 1
        void = [record for record in records if record.verdict.reason is Reason.VOID]
        if void and self._attempts[pair.id] < ATTEMPTS:
            self._observer.pair_again(pair.id, void[0].verdict.text)
            return
        self._save(pair, records)

    def _void(self, given_up: GivenUp) -> list[GameRecord]:
        """The games of a pair over which processes have ended; a pair that does so again would stop every run."""
        pair = given_up.task.pair
        self._attempts[pair] += DEATHS_OF_A_TASK
        records: list[GameRecord] = given_up.task.void(given_up.why)
        for number, record in enumerate(records, 1):
            self._observer.game_over(pair, number, record)
        return records

    def _save(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        assert pair.id is not None
        self.store.save_pair(pair.id, records, self._attempts[pair.id])
        self._observer.pair_saved(pair, records)

    def _tell(self, event: Told) -> None:
        pair, what = event.task.pair, event.what
        if isinstance(what, GameBegun):
            self._observer.game_begun(pair, what)
        elif isinstance(what, ClockRuns):
            self._observer.clock_runs(pair, what)
        elif isinstance(what, MoveMade):
            self._observer.move_made(pair, what)
        elif isinstance(what, GameOver):
            self._observer.game_over(pair, what.number, what.record)

    # --- Stopping ---

    def _events(self, tasks: Sequence[Any]) -> Generator[Event, None, None]:
        """What the executor says of tasks; wishes to stop are announced between two events.

        To be closed: where something fails meanwhile (the disk is full), no process is left to go on playing.
        """
        if not tasks or self._interrupts:
            return
        for event in self._executor.run(tasks):
            self._announce()
            yield event
        self._announce()

    def _announce(self) -> None:
        if self._announced != self._interrupts:
            self._announced = self._interrupts
            self._observer.stopping(self._interrupts > 1)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Ctrl-C finishes what is in play, a second one ends it; so does SIGTERM."""
        before = {number: signal.signal(number, self._interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        self._interrupts += 2 if number == signal.SIGTERM else 1
        self._executor.stop(at_once=self._interrupts > 1)

"""Which pairs of games to play next, which follows from the records. Begin reading at `Planner.next_pairs`."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice, takewhile

from simulator.records.schema import PLANNED, PLAYED, AgentEntry, Pair
from simulator.records.store import Store
from simulator.referee.seeds import derived_seed
from simulator.statistics.standings import Pairing, meetings
from simulator.tournament.formats import Format
from simulator.tournament.openings import Opening
from simulator.tournament.settings import TournamentSettings

MOST_PLANNED = 200  # pairs at once

Place = tuple[int, int, str, str]  # a pair's round, its number in its pairing, and the names of its two agents


class Planner:
    """Plans the rounds of a tournament between those agents of these names that are present.

    Once `is_stopped` returns True, no opening is drawn any more.
    """

    def __init__(
        self, store: Store, settings: TournamentSettings, names: Sequence[str], is_stopped: Callable[[], bool]
    ) -> None:
        self._store, self._settings, self._names, self._is_stopped = store, settings, names, is_stopped
        self._drawn = self._openings_in_records()
        self._openings = settings.all_openings(len(self._drawn), is_stopped)

    def agents(self) -> list[AgentEntry]:
        """The agents, in the order in which they were named."""
        return [agent for agent in self._store.agents() if agent.name in self._names]

    def check(self) -> None:
        """Raises InputError if the agents that are present cannot be paired."""
        self._format.check(self._present)

    @property
    def _present(self) -> list[str]:
        return [agent.name for agent in self.agents() if agent.absence is None]

    @property
    def _format(self) -> Format:
        """The format for the agents present; a gauntlet's default champion is the first agent, even if it is absent."""
        champion = self._settings.champion or self._names[0]
        return replace(self._settings, champion=champion).make_format(len(self._present))

    def pairs(self) -> list[Pair]:
        """The pairs in the records, without those of older versions of agents and planned ones of absent agents."""
        names, present = set(self._names), set(self._present)
        agents = ((pair, {pair.first, pair.second}) for pair in self._store.pairs())
        return [pair for pair, two in agents if two <= (present if pair.state == PLANNED else names)]

    def games_played(self) -> int:
        """How many games are in the records."""
        return sum(pair.games for pair in self.pairs() if pair.state != PLANNED)

    def games_in_all(self) -> int:
        """How many games there will be, including those that were played."""
        pairs = self.pairs()
        begun = max((pair.round for pair in pairs), default=0)
        rounds = list(islice(self._rounds(is_counting=True), begun + 2))
        pairings = {(round_, *two) for round_, round_pairings in rounds for two in round_pairings}
        pairings_in_all = len(pairings)
        if rounds:  # those after these, maybe millions, have as many pairings as the last of these
            last, in_last = rounds[-1]
            pairings_in_all += (self._format.rounds - last) * len(in_last)
        games_of_others = [pair.games for pair in pairs if (pair.round, pair.first, pair.second) not in pairings]
        return pairings_in_all * (self._settings.games or 2 * self._settings.pairs) + sum(games_of_others)

    def next_pairs(self) -> list[Pair]:
        """The pairs to play now; empty at the end.

        If planned pairs wait, it is these. Else new pairs are planned: of the next round, of later rounds that need no
        results, and those that an extended tournament lacks. They are MOST_PLANNED at most, because drawing openings
        takes time; but if pairings depend on results, a round is planned whole or not at all.
        """
        if waiting := self.waiting():
            return waiting
        format_ = self._format
        is_whole = not format_.can_grow or format_.needs_results(format_.rounds)
        planned = list(islice(self._new_pairs(), None if is_whole else MOST_PLANNED))
        return self._store.plan([] if is_whole and self._is_stopped() else planned)

    def waiting(self) -> list[Pair]:
        """The pairs that are planned, but not played yet."""
        return [pair for pair in self.pairs() if pair.state == PLANNED]

    def next_round_lacks_results(self) -> bool:
        """Whether the next round would be paired by the results of the present one, and this has none."""
        pairs, format_ = self.pairs(), self._format
        present = max((pair.round for pair in pairs), default=0)
        has_results = any(pair.round == present and pair.state == PLAYED for pair in pairs)
        return format_.rounds > present and format_.needs_results(present + 1) and not has_results

    def _new_pairs(self) -> Iterator[Pair]:
        """The pairs that are not planned yet."""
        there, new_round = {(p.round, p.number, p.first, p.second) for p in self.pairs()}, math.inf
        for place in self._places():
            if place[0] > new_round and self._format.needs_results(place[0]):
                return
            if place not in there:
                new_round = place[0]
                if (opening := self._opening(self._index(*place[:2]))) is None:
                    return
                yield self._pair(*place, opening)

    def _places(self) -> Iterator[Place]:
        """Round, number and agents of each pair of `_rounds`."""
        for round_, pairings in self._rounds():
            for number in range(1, self._settings.pairs + 1):
                yield from ((round_, number, first, second) for first, second in pairings)

    def _rounds(self, *, is_counting: bool = False) -> Iterator[tuple[int, list[Pairing]]]:
        """The rounds to come with their pairings; in a format that can grow, all rounds.

        In a format that cannot grow, results decide who meets whom, but not how many pairings there are: so counting
        needs no results.
        """
        format_, names = self._format, self._present
        played = [] if is_counting and not format_.can_grow else meetings(self._store)
        if format_.can_grow:  # an absent agent is not an older version of another, even if its name looks like one
            gone = {agent.name for agent in self._store.agents() if not agent.replaced}.difference(names)
            played = [meeting for meeting in played if gone.isdisjoint(meeting.agents)]
        begun = 0 if format_.can_grow else max((pair.round for pair in self.pairs()), default=0)
        for round_ in range(begun + 1, format_.rounds + 1):
            yield round_, format_.pairings(round_, names, played)

    def _pair(self, round_: int, number: int, first: str, second: str, opening: Opening) -> Pair:
        seed = derived_seed(self._settings.known_seed, f"round {round_} {first!r} {second!r} {number}")
        return Pair(0, round_, number, first, second, opening, seed, games=self._settings.games_of(number))

    def _index(self, round_: int, number: int) -> int:
        """The index of the opening, from 0, of the pairs with this number in a round: the same in all pairings."""
        return (round_ - 1) * self._settings.pairs + number - 1

    def _openings_in_records(self) -> list[Opening]:
        """The openings in the records up to the first gap. They are not drawn again: each may take many searches."""
        known = {self._index(pair.round, pair.number): pair.opening for pair in self._store.pairs()}
        return [known[index] for index in takewhile(known.__contains__, count())]

    def _opening(self, index: int) -> Opening | None:
        """The opening with this index; None if no opening is drawn any more."""
        while len(self._drawn) <= index:
            if self._is_stopped() or (opening := next(self._openings, None)) is None:
                return None
            self._drawn.append(opening)
        return self._drawn[index]

"""Which pairs of games are played next, decided from what is in the records.

Begin reading at `Planner.next_pairs`.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from simulator.records.database import Store
from simulator.records.schema import PLANNED, AgentEntry, Pair
from simulator.statistics.standings import Pairing, meetings
from simulator.tournament.formats import Format
from simulator.tournament.openings import Opening
from simulator.tournament.settings import TournamentSettings


class Planner:
    """Plans the rounds of a tournament between the agents of these names, as far as they are present."""

    def __init__(self, store: Store, settings: TournamentSettings, names: Sequence[str]) -> None:
        self._store, self._settings, self._names = store, settings, names
        self._openings = settings.all_openings(settings.conditions.load_game())
        self._drawn: list[Opening] = []

    def agents(self) -> list[AgentEntry]:
        """The agents, in the order in which they were named."""
        return [agent for agent in self._store.agents() if agent.name in self._names]

    def check(self) -> None:
        """Raises ValueError where the agents that are present cannot be paired."""
        self._format.check(self._present)

    @property
    def _present(self) -> list[str]:
        return [agent.name for agent in self.agents() if agent.absence is None]

    @property
    def _format(self) -> Format:
        """The format for the agents that are present; who meets all others in a gauntlet is settled before that."""
        champion = self._settings.champion or self._names[0]
        return replace(self._settings, champion=champion).make_format(len(self._present))

    def games_played(self) -> int:
        """How many games are in the records."""
        return sum(pair.games for pair in self._store.pairs() if pair.state != PLANNED)

    def games_in_all(self) -> int:
        """How many games there will be, those that were played among them."""
        format_, names, pairs = self._format, self._present, self._store.pairs()
        later = range(_last_round(pairs) + 1, format_.rounds + 1)
        pairings = sum(len(format_.pairings(number, names, [])) for number in later)
        per_pairing = sum(map(self._settings.games_of, range(1, self._settings.pairs + 1)))
        return sum(pair.games for pair in pairs) + per_pairing * pairings

    def next_pairs(self) -> list[Pair]:
        """The pairs that are to be played now: those that wait, or else those of the next round; none at the end."""
        return self._waiting() or self._planned()

    def _waiting(self) -> list[Pair]:
        return [pair for pair in self._store.pairs() if pair.state == PLANNED]

    def _planned(self) -> list[Pair]:
        """Plan the next round, those after it that need no results, and what an extended tournament lacks."""
        format_, names = self._format, self._present
        pairs, played = self._store.pairs(), meetings(self._store)
        known, begun = {_place(pair) for pair in pairs}, _last_round(pairs)
        for number in range(1 if format_.can_grow else begun + 1, format_.rounds + 1):
            if number > begun + 1 and format_.needs_results(number):
                break
            of_round = self._pairs_of(number, format_.pairings(number, names, played))
            self._store.plan([pair for pair in of_round if _place(pair) not in known])
        return self._waiting()

    def _pairs_of(self, round_: int, pairings: Sequence[Pairing]) -> Iterator[Pair]:
        """The pairs of games of a round; all pairings have the same openings."""
        per_pairing = self._settings.pairs
        for number in range(1, per_pairing + 1):
            opening = self._opening((round_ - 1) * per_pairing + number - 1)
            games = self._settings.games_of(number)
            for first, second in pairings:
                chance = random.Random(f"{self._settings.seed} round {round_} {first} {second} {number}")
                yield Pair(None, round_, number, first, second, opening, chance.getrandbits(31), games=games)

    def _opening(self, index: int) -> Opening:
        self._drawn += islice(self._openings, max(0, index + 1 - len(self._drawn)))
        return self._drawn[index]


def _last_round(pairs: Sequence[Pair]) -> int:
    return max((pair.round for pair in pairs), default=0)


def _place(pair: Pair) -> tuple[int, int, str, str]:
    """What tells a pair from all others of a tournament."""
    return pair.round, pair.number, pair.first, pair.second

"""Formats of a tournament: who plays whom in each round, given the results before.

Pure functions of names and results: nothing here plays or remembers anything, so an interrupted tournament that goes on
is paired as it would have been. Begin reading at `Format`; `docs/tournaments.md` has the rules in words.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

from options import InputError, counted
from simulator.statistics.standings import Meeting, Pairing, between, byes_of, finalists, table_by_points

LEAST_AGENTS = 2
OLDER = re.compile(r" \(v[0-9]+\)$")  # how the names of older versions end, see `Store.extend`


@dataclass(frozen=True)
class Format:
    """How a tournament is paired. A subclass says who meets whom."""

    can_grow: ClassVar[bool] = True  # whether agents may join after some rounds were played
    by_results: ClassVar[bool] = False  # whether rounds after the first are paired by the results before them
    rounds: int = 1

    def check(self, names: Sequence[str]) -> None:
        """Raises InputError if these agents, or so many agents, cannot be paired in this format."""
        if len(names) < LEAST_AGENTS:
            there = "is 1" if len(names) == 1 else f"are {len(names)}"
            raise InputError(f"a tournament needs {LEAST_AGENTS} agents that can play; there {there}")

    def needs_results(self, number: int) -> bool:
        """Whether round `number` can be paired only after all earlier ones were played."""
        return self.by_results and number > 1

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """Who meets whom in round `number`, from 1, of the agents `names`; `played` are all meetings so far."""
        raise NotImplementedError


# --- All against all, one against all -------------------------------------------------------------------------------


class RoundRobin(Format):
    """All against all, `rounds` times."""

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """All pairs of agents, in the order of `names`; in every other round the second agent is named first."""
        return [_turned(Pairing(*two), number) for two in combinations(names, 2)]


@dataclass(frozen=True)
class Gauntlet(Format):
    """One against all others, `rounds` times: the champion, by default the first agent named."""

    champion: str = ""

    def check(self, names: Sequence[str]) -> None:
        """Raises InputError if there are fewer than two agents, or the champion is not among them."""
        super().check(names)
        if self.champion and self.champion not in names:
            raise InputError(f"the champion {self.champion} is not among the agents that take part")

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """The champion against each other agent."""
        champion = self.champion or names[0]
        return [_turned(Pairing(champion, name), number) for name in names if name != champion]


def _turned(pairing: Pairing, number: int) -> Pairing:
    """A pairing in round `number`: in every other round, the second agent is named first."""
    return pairing if number % 2 else Pairing(pairing.second, pairing.first)


# --- Swiss ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Swiss(Format):
    """Each round, agents with about as many points meet; nobody meets twice.

    Attributes:
        bye: the points for a round without opponent.
        seed: the order of agents with equal points follows from it.
    """

    can_grow: ClassVar[bool] = False
    by_results: ClassVar[bool] = True
    bye: float = 2
    seed: int = 0

    def check(self, names: Sequence[str]) -> None:
        """Raises InputError if there are fewer than two agents, or more rounds than half the number of agents."""
        super().check(names)
        if self.rounds > len(names) // 2:
            raise InputError(
                f"a Swiss tournament of {len(names)} agents, in which nobody meets twice, has at most "
                f"{counted(len(names) // 2, 'round')}, not {self.rounds}: take fewer, or the format round-robin"
            )

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """Neighbours in the table that have not met; of an odd number, the lowest that had no bye gets one."""
        byes = byes_of(names, played)
        shuffled = random.Random(f"swiss {self.seed}").sample(list(names), len(names))
        ranked = [row.agent for row in table_by_points(shuffled, played, byes, self.bye)]
        if len(ranked) % 2:
            ranked.remove(next(name for name in reversed(ranked) if name not in byes))
        met = {frozenset(meeting.agents) for meeting in played}
        return [_turned(pairing, number + rank) for rank, pairing in enumerate(_pair_up(ranked, met), 1)]


def _pair_up(ranked: Sequence[str], met: set[frozenset[str]]) -> list[Pairing]:
    """Pair each agent with one that it has not met, from the top of the table; the best pairings come first."""
    waiting, paired, left = list(ranked), [], []
    while waiting:
        name = waiting.pop(0)
        other = next((other for other in waiting if frozenset((name, other)) not in met), None)
        if other is None:
            left.append(name)
        else:
            waiting.remove(other)
            paired.append(Pairing(name, other))
    for first, second in zip(left[::2], left[1::2], strict=True):
        paired = _repair(paired, Pairing(first, second), met)
    return sorted(paired, key=lambda pairing: min(map(ranked.index, pairing)))


def _repair(paired: list[Pairing], left: Pairing, met: set[frozenset[str]]) -> list[Pairing]:
    """Pair two agents that have met each other: replace the last pairing that makes two new pairings with them.

    There is such a pairing if each agent has not met at least half of the n agents. The two have met everybody who is
    left over, so their new opponents are among the paired agents, of whom there are n - 2 at most. So for some pairing,
    three of its four combinations with the two are new, and of any three, two have no agent in common.
    """
    for index in reversed(range(len(paired))):
        first, second = paired[index]
        for two in ((first, second), (second, first)):
            fresh = [Pairing(old, new) for old, new in zip(two, left, strict=True)]
            if not any(frozenset(pairing) in met for pairing in fresh):
                return paired[:index] + fresh + paired[index + 1 :]
    raise ValueError(f"{left.first} and {left.second} have met, and nobody can be exchanged for them")


# --- The course's ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Course(Format):
    """A first round against random opponents, then a final: the top tenth, all against all, see `finalists`.

    In the first round, a repaired agent meets the opponents of its older version, whose games do not count any more; an
    agent that joins later meets as many opponents as the others, drawn at random. Then the final is paired again, but
    pairings that were already played are not repeated.

    Attributes:
        opponents: how many opponents each agent meets in the first round; if this and the number of agents are both
            odd, one agent meets one more.
        seed: the draw, and the order of agents with equal points, follow from it.
    """

    by_results: ClassVar[bool] = True
    rounds: int = field(default=2, init=False)  # the first one and the final
    opponents: int = 10
    seed: int = 0

    def check(self, names: Sequence[str]) -> None:
        """Raises InputError if there are fewer than two agents, or too few opponents."""
        super().check(names)
        if self.opponents >= len(names):
            raise InputError(
                f"{len(names)} agents have {len(names) - 1} opponents each, not {self.opponents}: take fewer rounds"
            )

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """The pairings of the first round by the draw, or of the final; those already in the records are among them."""
        there = [meeting.agents for meeting in between(names, played, number)]
        if number == 1:
            there += _again(names, [meeting.agents for meeting in played if meeting.round == number], there)
            how = self.opponents, self.seed
            return there + _missing(names, there, *how) if there else _draw(names, *how)
        final = (Pairing(*two) for two in combinations(finalists(names, played, self.seed), 2))
        return [turned if (turned := Pairing(*reversed(pairing))) in there else pairing for pairing in final]


def _draw(names: Sequence[str], opponents: int, seed: int) -> list[Pairing]:
    """Each agent against `opponents` others: all sit in a circle in random order, and meet those at random distances.

    Each distance gives every agent two opponents. For an odd number of opponents, neighbours or opposite agents meet.
    """
    rng = random.Random(f"course {seed}")
    circle = rng.sample(list(names), len(names))
    distances = list(range(1, (len(circle) + 1) // 2))
    half, pairings = len(circle) // 2, list[Pairing]()
    if opponents % 2 and len(circle) % 2:  # neighbours meet; the last agent is in two pairings
        pairings = [Pairing(circle[i - 1], circle[i]) for i in range(0, len(circle), 2)]
        distances.remove(1)
    elif opponents % 2:  # agents who sit opposite each other meet
        pairings = [Pairing(*two) for two in zip(circle[:half], circle[half:], strict=True)]
    for distance in rng.sample(distances, opponents // 2):
        pairings += [Pairing(name, circle[i - distance]) for i, name in enumerate(circle)]
    return pairings


def _again(names: Sequence[str], played: Sequence[Pairing], there: Sequence[Pairing]) -> list[Pairing]:
    """The pairings of older versions of agents that their newer versions do not have yet."""
    met = {frozenset(pairing) for pairing in there}
    newer = {name: name if name in names else OLDER.sub("", name) for pairing in played for name in pairing}
    again = [Pairing(newer[first], newer[second]) for first, second in played]
    found = {frozenset(pairing): pairing for pairing in again if len({*pairing}.intersection(names)) > 1}
    return [pairing for both, pairing in found.items() if both not in met]


def _missing(names: Sequence[str], there: Sequence[Pairing], opponents: int, seed: int) -> list[Pairing]:
    """The pairings to add so that every agent has `opponents`; agents that lack most come first."""
    rng, missing = random.Random(f"course {seed} {len(there)}"), list[Pairing]()
    met: dict[str, set[str]] = {name: {name} for name in names}
    for first, second in there:
        met[first].add(second)
        met[second].add(first)
    for name in sorted(rng.sample(list(names), len(names)), key=lambda name: len(met[name])):
        others = [other for other in rng.sample(list(names), len(names)) if other not in met[name]]
        for other in others[: max(0, opponents + 1 - len(met[name]))]:
            missing.append(Pairing(name, other))
            met[name].add(other)
            met[other].add(name)
    return missing


# --- By name --------------------------------------------------------------------------------------------------------

DEFAULT_OPPONENTS = 10  # in the first round of the course's format


def most_rounds(name: str, agents: int) -> float:
    """The largest `rounds` for so many agents, see `make_format`; infinite if there is no bound."""
    return {"swiss": agents // 2, "course": agents - 1}.get(name, math.inf)


def make_format(
    name: str, rounds: int | None, agents: int, pairs: int = 1, champion: str = "", seed: int = 0
) -> Format:
    """The format of that name.

    Args:
        rounds: the number of rounds; in the course's format, of opponents in the first round. By default 10 (or all)
            in the course's format; in a Swiss tournament as many as it takes to leave one agent without loss (or as
            many as are possible); else 1.
        pairs: the number of pairs of games in each pairing.
        seed: all draws follow from it.
    """
    if name == "swiss":
        usual = min(agents // 2, math.ceil(math.log2(max(2, agents))))
        return Swiss(rounds or max(1, usual), 2 * pairs, seed)
    if name == "course":
        return Course(rounds or max(1, min(DEFAULT_OPPONENTS, agents - 1)), seed)
    if name == "gauntlet":
        return Gauntlet(rounds or 1, champion)
    return RoundRobin(rounds or 1)

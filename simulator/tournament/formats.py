"""Formats of a tournament: who plays whom in each round, from what was played before.

Pure functions of names and results; nothing here plays or remembers anything, so that an interrupted tournament that
goes on is paired as it would have been. Begin reading at `Format`; the rules in words are in `docs/tournaments.md`.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

from options import counted
from simulator.statistics.standings import Meeting, Pairing, between, byes_of, finalists, table_by_points

LEAST_AGENTS = 2
OLDER = re.compile(r" \(v[0-9]+\)$")  # how the names of older versions end, see `Store.extend`


@dataclass(frozen=True)
class Format:
    """How a tournament is paired. A subclass says who meets whom."""

    can_grow: ClassVar[bool] = True  # whether rounds and agents can be added when some were played
    rounds: int = 1

    def check(self, names: Sequence[str]) -> None:
        """Raises ValueError if these agents, or that many, cannot be paired like this."""
        if len(names) < LEAST_AGENTS:
            there = "is 1" if len(names) == 1 else f"are {len(names)}"
            raise ValueError(f"a tournament needs {LEAST_AGENTS} agents that can play; there {there}")

    def needs_results(self, number: int) -> bool:
        """Whether round `number` can be paired only after all earlier ones were played."""
        return False

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """Who meets whom in round `number`, from 1; `names` are the agents that take part, `played` what was before."""
        raise NotImplementedError


# --- All against all, one against all -------------------------------------------------------------------------------


class RoundRobin(Format):
    """All against all, `rounds` times."""

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """All of them, in the order named; who is first alternates from round to round."""
        return [_turned(Pairing(*two), number) for two in combinations(names, 2)]


@dataclass(frozen=True)
class Gauntlet(Format):
    """One against all others, `rounds` times: the champion, by default the first agent named."""

    champion: str = ""

    def check(self, names: Sequence[str]) -> None:
        """The champion is one of two agents or more."""
        super().check(names)
        if self.champion and self.champion not in names:
            raise ValueError(f"{self.champion}, which was to meet all others, is not among the agents that take part")

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """The champion against each other agent."""
        champion = self.champion or names[0]
        return [_turned(Pairing(champion, name), number) for name in names if name != champion]


def _turned(pairing: Pairing, number: int) -> Pairing:
    """In every other round the second agent is named first."""
    return pairing if number % 2 else Pairing(pairing.second, pairing.first)


# --- Swiss ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Swiss(Format):
    """Each round, agents with about as many points meet; nobody meets twice.

    Attributes:
        bye: points of a round without opponent.
        seed: of the order of equals.
    """

    can_grow: ClassVar[bool] = False
    bye: float = 2
    seed: int = 0

    def check(self, names: Sequence[str]) -> None:
        """Rounds are at most half as many as agents."""
        super().check(names)
        if self.rounds > len(names) // 2:
            raise ValueError(
                f"{len(names)} agents have no more than {counted(len(names) // 2, 'round')} of a Swiss tournament, in "
                f"which nobody meets twice, not {self.rounds}: take fewer rounds, or a round robin"
            )

    def needs_results(self, number: int) -> bool:
        """After the first round."""
        return number > 1

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """Neighbours in the table that have not met; the lowest without a bye so far is left out of an odd number."""
        byes = byes_of(names, played)
        shuffled = random.Random(f"swiss {self.seed}").sample(list(names), len(names))
        ranked = [standing.name for standing in table_by_points(shuffled, played, byes, self.bye)]
        if len(ranked) % 2:
            ranked.remove(next(name for name in reversed(ranked) if name not in byes))
        met = {frozenset(meeting.agents) for meeting in played}
        return [_turned(pairing, number + rank) for rank, pairing in enumerate(_pair_up(ranked, met), 1)]


def _pair_up(ranked: Sequence[str], met: set[frozenset[str]]) -> list[Pairing]:
    """Everybody with somebody new, from the top; the best pairings first."""
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
    """Pair two agents that have met each other, by taking apart the last pairing that makes two new ones with them.

    There is one while each has at least half of the n agents still to meet. The two have met everybody who is left
    over, so those are among the paired, of whom there are n - 2 at most: so some pairing offers three of the four new
    combinations, and of any three two share nobody.
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
    agent that joins later meets as many opponents as the others, drawn at random. Then the final is paired anew; those
    of its pairings that were played before are not repeated.

    Attributes:
        opponents: how many each agent meets in the first round; one agent meets one more where both this and the
            number of agents are odd.
        seed: of the draw, and of the order among equals.
    """

    rounds: int = field(default=2, init=False)  # the first one and the final
    opponents: int = 10
    seed: int = 0

    def check(self, names: Sequence[str]) -> None:
        """There are enough opponents."""
        super().check(names)
        if self.opponents >= len(names):
            raise ValueError(f"nobody among {len(names)} agents can meet {self.opponents} others: take fewer rounds")

    def needs_results(self, number: int) -> bool:
        """The final does."""
        return number > 1

    def pairings(self, number: int, names: Sequence[str], played: Sequence[Meeting]) -> list[Pairing]:
        """The draw, or the final by the table of the first round; those that there are already among them."""
        there = [meeting.agents for meeting in between(names, played, number)]
        if number == 1:
            there += _again(names, [meeting.agents for meeting in played if meeting.round == number], there)
            missing = _missing(names, there, self.opponents, self.seed) if there else []
            return there + missing if there else _draw(names, self.opponents, self.seed)
        final = (Pairing(*two) for two in combinations(finalists(names, played, self.seed), 2))
        return [turned if (turned := Pairing(*reversed(pairing))) in there else pairing for pairing in final]


def _draw(names: Sequence[str], opponents: int, seed: int) -> list[Pairing]:
    """Each agent against `opponents` others: all sit in a circle in random order, and meet those at random distances.

    Every distance brings everybody two opponents, so an odd number takes half a distance more.
    """
    rng = random.Random(f"course {seed}")
    circle = rng.sample(list(names), len(names))
    distances = list(range(1, (len(circle) + 1) // 2))
    pairings = []
    if opponents % 2:
        pairings = _neighbours(circle) if len(circle) % 2 else _opposite(circle)
        distances = distances[len(circle) % 2 :]  # neighbours have met
    for distance in rng.sample(distances, opponents // 2):
        pairings += [Pairing(name, circle[i - distance]) for i, name in enumerate(circle)]
    return pairings


def _again(names: Sequence[str], played: Sequence[Pairing], there: Sequence[Pairing]) -> list[Pairing]:
    """The pairings of older versions of agents that the newer versions have not got yet."""
    met = {frozenset(pairing) for pairing in there}
    newer = {name: name if name in names else OLDER.sub("", name) for pairing in played for name in pairing}
    again = [Pairing(newer[first], newer[second]) for first, second in played]
    found = {frozenset(pairing): pairing for pairing in again if len({*pairing}.intersection(names)) > 1}
    return [pairing for both, pairing in found.items() if both not in met]


def _missing(names: Sequence[str], there: Sequence[Pairing], opponents: int, seed: int) -> list[Pairing]:
    """The pairings to add so that everybody has that many opponents; agents that lack most come first."""
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


def _opposite(circle: Sequence[str]) -> list[Pairing]:
    """Those who sit opposite each other in an even circle."""
    half = len(circle) // 2
    return [Pairing(circle[i], circle[i + half]) for i in range(half)]


def _neighbours(circle: Sequence[str]) -> list[Pairing]:
    """Neighbours in an odd circle, two by two; the one at the end meets the first, who has met one already."""
    return [Pairing(circle[i - 1], circle[i]) for i in range(0, len(circle), 2)]


# --- By name --------------------------------------------------------------------------------------------------------

DEFAULT_OPPONENTS = 10  # in the first round of the course's format


def most_rounds(name: str, agents: int) -> float:
    """The most that `rounds` can be for that many agents, see `make_format`; infinite where there is no such number."""
    return {"swiss": agents // 2, "course": agents - 1}.get(name, math.inf)


def make_format(
    name: str, rounds: int | None, agents: int, pairs: int = 1, champion: str = "", seed: int = 0
) -> Format:
    """The format of that name.

    Args:
        rounds: the course's opponents in its first round. By default 10 (or all), in a Swiss tournament as many as it
            takes to leave one agent without loss (or as many as are possible), else 1.
        pairs: of games, in each pairing.
        seed: of whatever is drawn.
    """
    if name == "swiss":
        usual = min(agents // 2, math.ceil(math.log2(max(2, agents))))
        return Swiss(rounds or max(1, usual), 2 * pairs, seed)
    if name == "course":
        return Course(rounds or max(1, min(DEFAULT_OPPONENTS, agents - 1)), seed)
    if name == "gauntlet":
        return Gauntlet(rounds or 1, champion)
    return RoundRobin(rounds or 1)

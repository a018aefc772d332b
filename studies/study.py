"""What a study consists of."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from options import InputError
from studies import STUDIES

Unit = dict[str, Any]  # what is to be done, in values that JSON has
Result = dict[str, Any]  # what came of it, likewise
Row = dict[str, Any]  # of a table, by column

Item = TypeVar("Item")
Key = TypeVar("Key")


@dataclass(frozen=True)
class Extent:
    """How much of a study is done.

    Attributes:
        quick: as little as shows that it works.
        scale: factor on the number of games or positions of a full run.
        seed: of all random numbers.
    """

    quick: bool = False
    scale: float = 1.0
    seed: int = 1

    def choose(self, full: Any, quick: Any) -> Any:
        """One of two values."""
        return quick if self.quick else full

    def count(self, full: int, quick: int) -> int:
        """How many games or positions: the number for a full run times the scale, or that of a quick one."""
        return quick if self.quick else max(1, round(full * self.scale))


class Finished(NamedTuple):
    """A unit of work with its result."""

    unit: Unit
    result: Result


@dataclass(frozen=True)
class Study:
    """A claim and how it is measured.

    Attributes:
        title: the question.
        claim: what is claimed, and by whom.
        plan: the units of an extent; the larger plan has the units of the smaller one, so that a run can be extended.
        work: does a unit.
        tabulate: the rows of the table, from all finished units in the order of the plan.
        draw: draws the rows into a matplotlib figure.
        setting: what the picture of a full run says of how this was measured, beside its labels.
        half: what a share of one half means, which a dotted line of the picture marks; empty without such a line.
        programs: other programs that it needs.
        modules: other Python modules that it needs.
    """

    title: str
    claim: str
    plan: Callable[[Extent], list[Unit]]
    work: Callable[[Unit], Result]
    tabulate: Callable[[Sequence[Finished]], list[Row]]
    draw: Callable[[Sequence[Row], Any], None]
    setting: str = ""
    half: str = "equally strong"
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by what `key` says of each: both in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def load_study(name: str) -> Study:
    """The study of that name. Raises InputError for an unknown one."""
    if name not in STUDIES:
        raise InputError(f"no study is called {name!r}; there are: {', '.join(STUDIES)}")
    study: Study = import_module(f"studies.{name}").STUDY
    return study

"""What a study consists of: its module has `ABOUT`, and the functions `plan`, `work`, `tabulate` and `draw`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from options import InputError
from studies import STUDIES

Unit = dict[str, Any]  # a piece of work, in values that JSON has
Result = dict[str, Any]  # the result of a unit, in values that JSON has
Row = dict[str, Any]  # a row of a table: its values by column
Rows = Sequence[Row]
Figure = Any  # matplotlib's, which is an extra

Item = TypeVar("Item")
Key = TypeVar("Key")


@dataclass(frozen=True)
class Extent:
    """How much of a study is done.

    Attributes:
        quick: only as much as shows that the study works.
        scale: factor on the number of games or positions of a full run.
        seed: the seed of all random numbers.
    """

    quick: bool = False
    scale: float = 1.0
    seed: int = 1

    def choose(self, full: Any, quick: Any) -> Any:
        """`quick` in a quick run, else `full`."""
        return quick if self.quick else full

    def count(self, full: int, quick: int) -> int:
        """A number of games or positions: in a quick run `quick`, else `full` times the scale, at least 1."""
        return quick if self.quick else max(1, round(full * self.scale))


class Finished(NamedTuple):
    """A unit of work with its result."""

    unit: Unit
    result: Result


Done = Sequence[Finished]


@dataclass(frozen=True, kw_only=True)
class About:
    """What a study asks, and what is said about its picture.

    Attributes:
        title: the question.
        claim: what is claimed, and by whom.
        setting: how this was measured; the note below the picture of a full run says it.
        half: what a share of one half means; the note explains the dotted line with it. Empty without such a line.
        programs: other programs that it needs.
        modules: other Python modules that it needs.
    """

    title: str
    claim: str
    setting: str = ""
    half: str = "equally strong"
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Study(About):
    """A claim and how it is measured.

    Attributes:
        name: that of its module.
        plan: the units of an extent; a larger scale has all units of a smaller one, so that a run can be extended.
        work: does a unit and returns its result.
        tabulate: makes the rows of the table from all finished units, which come in the order of the plan.
        draw: draws the rows into a matplotlib figure.
    """

    name: str
    plan: Callable[[Extent], list[Unit]]
    work: Callable[[Unit], Result]
    tabulate: Callable[[Done], list[Row]]
    draw: Callable[[Rows, Figure], None]


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by the value that `key` has for them; keys, and the items of a key, in order of appearance."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def units_by(done: Done, *names: str) -> dict[Any, list[Finished]]:
    """Finished units by the value that they have under a name, or by their values under several."""
    value_of = itemgetter(*names)
    return grouped(done, lambda entry: value_of(entry.unit))


def load_study(name: str) -> Study:
    """The study of that name. Raises InputError for an unknown name."""
    if name not in STUDIES:
        raise InputError(f"no study is called {name!r}; there are: {', '.join(STUDIES)}")
    module = import_module(f"studies.{name}")
    functions = {function: getattr(module, function) for function in ("plan", "work", "tabulate", "draw")}
    return Study(name=name, **vars(module.ABOUT), **functions)

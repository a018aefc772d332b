"""The settings of a match or tournament; a match is a tournament of two agents.

Begin reading at `TournamentSettings`, then `settings_from`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Any, Self

import msgspec

from agents.limits import Limits
from options import InputError
from simulator.referee.conditions import Conditions
from simulator.statistics.sprt import Sprt
from simulator.tournament.fields import FORMATS, limits_from
from simulator.tournament.formats import Format, make_format, most_rounds
from simulator.tournament.openings import Opening, balanced_openings, random_openings

EDITED = "the settings in the records were edited and cannot be read"


@dataclass(frozen=True)
class TournamentSettings:
    """The settings of a match or tournament: what is played.

    Attributes:
        format: one of `fields.FORMATS`.
        rounds: see `formats.make_format`.
        pairs: how many pairs of games each pairing has; each pair has an opening of its own.
        games: the most games of a pairing; with an odd number the last opening is played once. None for all of `pairs`.
        champion: in a gauntlet, the name of the agent that meets all others; by default the first agent.
        sprt: a sequential test of the Elo difference of two agents, which ends the match as soon as it is decided.
        seed: openings, draws, agents' seeds and replacement moves follow from it; None for that of the records, or a
            new one.
        opening_plies: random moves before the agents take over; None for the game's own number.
        opening_balance: simulations of the search that chooses the most even openings; 0 for no search.
        openings: used in turn instead of random ones, if there are any.
    """

    conditions: Conditions = field(default_factory=Conditions)
    format: str = "round-robin"
    rounds: int | None = None
    pairs: int = 1
    games: int | None = None
    champion: str = ""
    sprt: Sprt | None = None
    seed: int | None = None
    opening_plies: int | None = None
    opening_balance: int = 0
    openings: tuple[Opening, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All settings by name, those of the conditions and limits included, with types that JSON has.

        Infinity, which JSON does not have, is None.
        """
        values = msgspec.json.decode(msgspec.json.encode(self))
        conditions = values.pop("conditions")
        limits = conditions.pop("limits")
        return {**conditions, **limits, **values}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The settings that `to_json` has written; missing ones, in older records, have their defaults.

        Raises InputError for records of single games, and for values that somebody has edited.
        """
        if values.get("format", cls.format) not in FORMATS:
            kept = f"these are records of {values['format']}"
            raise InputError(f"{kept}, which cannot go on as a tournament: name another file")
        conditions = stored_conditions(values)
        try:
            return replace(msgspec.convert(values, cls), conditions=conditions)
        except ValueError as error:
            raise InputError(f"{EDITED}: {error}") from error

    @property
    def known_seed(self) -> int:
        """The seed. Raises ValueError if it is still None."""
        if self.seed is None:
            raise ValueError("no seed was drawn")
        return self.seed

    def games_of(self, pair_number: int) -> int:
        """How many games a pair has, 1 or 2; `pair_number` is its number in its pairing, from 1."""
        return 2 if self.games is None else min(2, self.games - 2 * (pair_number - 1))

    @property
    def plies(self) -> int:
        """How many random moves are played before the agents take over, if no openings are given."""
        return self.conditions.load_game().opening_plies if self.opening_plies is None else self.opening_plies

    def all_openings(self, first: int = 0, is_stopped: Callable[[], bool] = lambda: False) -> Iterator[Opening]:
        """The openings of every pairing, in order and without end, beginning with number `first` (from 0).

        If finding them needs searches, they end once `is_stopped`. Raises InputError if the game has none so long.
        """
        if self.openings:
            return islice(cycle(self.openings), first, None)
        game, plies = self.conditions.load_game(), self.plies
        if self.opening_balance and plies:
            return balanced_openings(game, plies, self.known_seed, self.opening_balance, first, is_stopped)
        return islice(random_openings(game, plies, self.known_seed), first, None)

    def make_format(self, agents: int) -> Format:
        """The format for that many agents, with at most as many rounds as can be paired for them."""
        rounds = None if self.rounds is None else max(1, int(min(self.rounds, most_rounds(self.format, agents))))
        return make_format(self.format, rounds, agents, self.pairs, self.champion, self.known_seed)


def stored_conditions(values: Mapping[str, Any]) -> Conditions:
    """The conditions among the settings of records, also those of single games. Raises InputError for edited values."""
    try:
        infinite = {
            name: {limit: math.inf if value is None else value for limit, value in limits.items()}
            for name, limits in values.get("limits_of", {}).items()
        }
        conditions = msgspec.convert({**values, "limits_of": infinite}, Conditions)
        conditions = replace(conditions, limits=msgspec.convert(vars(Limits.from_json(values)), Limits))
        for name in infinite:
            conditions.limits_for(name)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{EDITED}: {error}") from error
    return conditions


def settings_from(
    values: Mapping[str, Any],
    game_options: Mapping[str, Any],
    own_limits: Mapping[str, Mapping[str, Any]],
    openings: tuple[Opening, ...] = (),
) -> TournamentSettings:
    """The settings for some values, by the keys of `fields.SETTINGS`; all others have their defaults.

    Args:
        own_limits: for players with limits of their own, by name: the values of these limits, by key.
        openings: openings from a file, instead of random ones.

    Whether the values fit together is not checked here, see `refuse_idle` and `settled`.
    """
    asked = {key.replace("-", "_"): value for key, value in values.items() if key != "openings"}
    conditions = replace(
        msgspec.convert(asked, Conditions),  # takes the values with the names of its fields
        game_options=dict(game_options),
        limits=Limits(**limits_from(values)),
        limits_of={name: limits_from({**values, **limits}) for name, limits in own_limits.items() if limits},
    )
    return replace(msgspec.convert(asked, TournamentSettings), conditions=conditions, openings=openings)


def refuse_idle(values: Mapping[str, Any]) -> None:
    """Raises InputError for a value that would have no effect because of the others."""
    if values.get("extend") and "records" not in values:
        raise InputError("--extend adds to records: name them with --records FILE")
    if "champion" in values and values.get("format") != "gauntlet":
        raise InputError("only a gauntlet has a champion: leave it out, or take the format gauntlet")
    for key in ("opening-plies", "opening-balance"):
        if "openings" in values and key in values:
            raise InputError(f"{key} is for random openings, but openings are given: leave one of them out")


def settled(settings: TournamentSettings, names: tuple[str, ...]) -> TournamentSettings:
    """The settings with the number of opening plies filled in. Raises InputError if these agents cannot play so."""
    if settings.sprt is not None and len(names) != 2:
        raise InputError(f"--sprt compares two agents, not {len(names)}")
    make_format(settings.format, settings.rounds, len(names), champion=settings.champion).check(names)
    next(replace(settings, seed=settings.seed or 0, opening_balance=0).all_openings())  # there is one
    if settings.openings:
        return settings
    if settings.opening_balance and not settings.plies:
        raise InputError("opening-balance chooses among random openings, and there are none: add opening-plies")
    return replace(settings, opening_plies=settings.plies)

"""What a tournament is: its settings and its agents, and whether a file of records is of just that one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from agents.agent import AgentSpec
from game import Game, load_game
from simulator.player.source_hashes import SourcesError, sources_of
from simulator.records.database import Store
from simulator.records.schema import AgentEntry
from simulator.referee.conditions import Conditions
from simulator.tournament.balance import balanced_openings
from simulator.tournament.formats import Format, make_format, most_rounds
from simulator.tournament.openings import Opening, plies_for, random_openings

SHOWN_CHARACTERS = 60  # of a setting's value


class TournamentError(Exception):
    """A tournament that cannot be played as asked; the message says why and what to do."""


@dataclass(frozen=True)
class TournamentSettings:
    """What is played.

    Attributes:
        conditions: of every game.
        format: one of `format_names.FORMATS`.
        rounds: see `formats.make_format`.
        pairs: of games in each pairing, each from an opening of its own.
        champion: of a gauntlet, by default the first agent.
        seed: openings, draws, agents and replacement moves follow from it.
        opening_plies: random moves before the agents take over; None for what the game says.
        opening_balance: simulations of a search that throws out openings that favour one side; 0 for none.
        openings: used in turn instead of random ones, if there are any.
    """

    conditions: Conditions = field(default_factory=Conditions)
    format: str = "round-robin"
    rounds: int | None = None
    pairs: int = 1
    champion: str = ""
    seed: int = 0
    opening_plies: int | None = None
    opening_balance: int = 0
    openings: tuple[Opening, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All settings by name, those of the conditions and limits among them, as JSON gives them back."""
        said: dict[str, Any] = asdict(self)
        conditions = said.pop("conditions")
        limits = conditions.pop("limits")
        return {**conditions, **limits, **said, "openings": [list(opening) for opening in self.openings]}

    def load_game(self) -> Game:
        """The game that is played."""
        return load_game(self.conditions.game, **self.conditions.game_options)

    def all_openings(self, game: Game) -> Iterator[Opening]:
        """The openings of every pairing, in order, without end."""
        while self.openings:
            yield from self.openings
        plies = plies_for(game) if self.opening_plies is None else self.opening_plies
        if self.opening_balance and plies:
            yield from balanced_openings(game, plies, self.seed, self.opening_balance)
        yield from random_openings(game, plies, self.seed)

    def make_format(self, agents: int) -> Format:
        """The format for that many agents; with no more rounds than they can be paired for."""
        rounds = None if self.rounds is None else max(1, int(min(self.rounds, most_rounds(self.format, agents))))
        return make_format(self.format, rounds, agents, self.pairs, self.champion, self.seed)


def entries_of(specs: Mapping[str, AgentSpec], game: Game) -> list[AgentEntry]:
    """The agents of these names as they are now; one whose files cannot be read is absent, with the reason."""
    return [_entry(name, spec, game) for name, spec in specs.items()]


def _entry(name: str, spec: AgentSpec, game: Game) -> AgentEntry:
    try:
        return AgentEntry(name, spec.text, sources_of(spec, game))
    except SourcesError as error:
        return AgentEntry(name, spec.text, {}, absence=str(error))


# --- Going on -------------------------------------------------------------------------------------------------------


def agree(store: Store, settings: TournamentSettings, entries: Sequence[AgentEntry]) -> None:
    """Write down what is played, by whom, or see that the records are of just that. Raises TournamentError."""
    if not store.settings():
        store.begin(settings.to_json(), entries)
        return
    differences = [*_settings_changed(store.settings(), settings.to_json()), *_agents_changed(store.agents(), entries)]
    if differences:
        listed = "\n".join(f"  {line}" for line in differences)
        raise TournamentError(
            f"{store.path} holds a tournament that is not this one:\n{listed}\n"
            "change it back to go on with that one, or name another file with --records"
        )


def _settings_changed(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted({*there, *here}):
        if there.get(name) != here.get(name):
            yield f"{name}: {_shown(there.get(name))} in the records, {_shown(here.get(name))} now"


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def _agents_changed(there: Sequence[AgentEntry], here: Sequence[AgentEntry]) -> Iterator[str]:
    then, now = {agent.name: agent for agent in there}, {agent.name: agent for agent in here}
    yield from (f"{name}: in the records, not among the agents now" for name in then if name not in now)
    yield from (f"{name}: not among the agents in the records" for name in now if name not in then)
    for name in (name for name in now if name in then):
        old, new = then[name], now[name]
        if old.text != new.text:
            yield f"{name}: {old.text} in the records, {new.text} now"
        if old.sources and new.absence is not None:
            yield f"{name}: {new.absence}"
            continue
        for file in sorted({*old.sources, *new.sources}):
            if old.sources.get(file) != new.sources.get(file):
                yield f"{name}: {file} {_what_changed(old.sources.get(file), new.sources.get(file))}"
    if list(then) != list(now) and set(then) == set(now):
        yield f"the agents stand in another order: {', '.join(then)} in the records"


def _what_changed(old: str | None, new: str | None) -> str:
    if old is None:
        return "is new"
    return "is gone" if new is None else f"was changed ({old[:8]} -> {new[:8]})"

"""Continuing with records: whether a file belongs to this very tournament, and how a finished tournament may grow.

A tournament that is run again has to be the same. With `extend` it may have more rounds (a match: more games), more
agents, and changed agents: a new version plays anew, and the games of the old one are kept. Then absent agents are also
tried again, and void pairs are played again unless a later round was paired by their results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.agent import AgentSpec
from game import Game
from options import Failure
from simulator.player.source_hashes import SourcesError, sources_of
from simulator.records.schema import AgentEntry
from simulator.records.store import Store
from simulator.referee.seeds import drawn_seed
from simulator.statistics.standings import FINAL
from simulator.tournament.fields import LIMITS
from simulator.tournament.formats import OLDER, Course, Format
from simulator.tournament.plan import Plan
from simulator.tournament.settings import TournamentSettings

SHOWN_CHARACTERS = 60  # of a setting's value

KEYS = {attribute: key for key, attribute in LIMITS.items()}  # settings that have another name in records
MAY_GROW = ("rounds", "pairs", "games", "limits_of")


class TournamentError(Failure):
    """A tournament that cannot be played as asked; the message says why and what to do."""


def entry_of(name: str, spec: AgentSpec, game: Game) -> AgentEntry:
    """The entry of an agent as it is now; it is absent if its spec says so, or if its files cannot be read."""
    sources, absence = {}, spec.absence or None
    try:
        sources = {} if absence else sources_of(spec, game)
    except SourcesError as error:
        absence = str(error)
    return AgentEntry(name, spec.text, sources, absence=absence, authors=spec.authors)


def agreed(store: Store, plan: Plan) -> tuple[TournamentSettings, dict[str, AgentEntry]]:
    """Write settings and agents into new records, or check that the records are of this tournament.

    Returns the settings in force, and the agents by name. The seed is the plan's, else that of the records, else a new
    one. If the plan extends the records, what may grow is written into them. Raises TournamentError if the records are
    of another tournament, or cannot be extended like this.
    """
    settings, game, known = plan.settings, plan.game, store.settings().get("seed")
    if settings.seed is None:
        settings = replace(settings, seed=drawn_seed() if known is None else known)
    agents = [entry_of(name, spec, game) for name, spec in plan.specs.items()]
    _agree(store, settings.to_json(), agents, plan.extend)
    return settings, {agent.name: agent for agent in agents}


def _agree(store: Store, now: dict[str, Any], agents: Sequence[AgentEntry], extend: bool) -> None:
    if not store.settings():
        store.extend(now, agents)
        return
    then = TournamentSettings.from_json(store.settings()).to_json() | store.settings()  # older records lack some
    known = [agent for agent in store.agents() if not agent.replaced]
    format_ = _format(then, len(agents))
    if _rounds(format_) == _rounds(_format(now, len(agents))):  # one may say the default that the other took
        now["rounds"] = then["rounds"]
    differences = [*_settings_changed(then, now), *_agents_changed(known, agents)]
    has_absent = format_.can_grow and any(agent.absence is not None for agent in known)
    if not differences and not (extend and (has_absent or store.void_pairs())):
        store.name_authors(agents)
        return
    if not extend:
        listed = "\n".join(f"  {line}" for line in differences)
        raise TournamentError(
            f"{store.path} holds another tournament:\n{listed}\n"
            "undo these changes to go on with it, add --extend to add rounds or agents, or name another file with "
            "--records"
        )
    if obstacles := list(_obstacles(then, now, known, agents)):
        raise TournamentError(f"{store.path} cannot be extended like this:\n" + "\n".join(f"  {o}" for o in obstacles))
    if isinstance(format_, Course):
        store.take_back(FINAL)  # it has to wait for the new pairs of the first round
    store.plan_again(_rounds_without_consequences(store, format_))
    store.extend(now, agents if format_.can_grow else [])


def _rounds_without_consequences(store: Store, format_: Format) -> list[int]:
    """The rounds whose results no later round was paired by: their void pairs can be played again."""
    rounds = sorted({pair.round for pair in store.pairs()})
    return [number for number in rounds if not any(map(format_.needs_results, filter(number.__lt__, rounds)))]


def _obstacles(
    then: Mapping[str, Any], now: Mapping[str, Any], known: Sequence[AgentEntry], agents: Sequence[AgentEntry]
) -> Iterator[str]:
    """Why a tournament cannot grow like this, a text for each change that is not allowed."""
    yield from _settings_changed(then, now, besides=MAY_GROW)
    format_ = _format(then, len(known))
    before, after = _rounds(format_), _rounds(_format(now, len(agents)))
    if after < before:
        yield f"rounds: {before} in the records, and {after} would be fewer"
    for name in ("pairs", "games"):
        if (now[name] or 0) < (then[name] or 0):
            yield f"{name}: {then[name]} in the records, and {now[name]} would be fewer"
    for agent in known:
        if then["limits_of"].get(agent.name) != now["limits_of"].get(agent.name):
            yield f"{agent.name}: its own limits cannot change, because it has played under them"
    if then["pairs"] != now["pairs"] and (format_.by_results or (now["rounds"] or 1) > 1):
        yield "pairs: in a tournament of several rounds, add rounds; the pairs of each have to stay"
    if then["games"] != now["games"] and (then["games"] or 0) % 2:
        yield f"games: {then['games']} is odd, so the last opening was played once; only an even number can grow"
    for agent in agents[len(known) :]:
        if OLDER.search(agent.name):
            yield f"{agent.name}: such names are for older versions of agents; give it another name"
    if [agent.name for agent in agents][: len(known)] != [agent.name for agent in known]:
        yield f"agents: name first those of the records, in their order: {', '.join(agent.name for agent in known)}"
    elif not format_.can_grow and list(_agents_changed(known, agents)):
        yield f"agents: in the format {then['format']} who meets whom depends on all agents, so they have to stay"


def _format(settings: Mapping[str, Any], agents: int) -> Format:
    return TournamentSettings.from_json({**settings, "seed": 0}).make_format(agents)  # edited records may lack a seed


def _rounds(format_: Format) -> int:
    """The number of rounds; in the course's format, of opponents in the first round."""
    return format_.opponents if isinstance(format_, Course) else format_.rounds


def _settings_changed(then: Mapping[str, Any], now: Mapping[str, Any], besides: Sequence[str] = ()) -> Iterator[str]:
    then, now = ({**values, "game": Path(values["game"]).name} for values in (then, now))  # wherever its file is
    for name in sorted({*then, *now} - {*besides}):
        if then.get(name) != now.get(name):
            shown = KEYS.get(name, name.replace("_", "-"))
            yield f"{shown}: {_shortened(then.get(name))} in the records, {_shortened(now.get(name))} now"


def _shortened(value: Any) -> str:
    text = "not given" if value is None else str(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def _agents_changed(known: Sequence[AgentEntry], agents: Sequence[AgentEntry]) -> Iterator[str]:
    then, now = {agent.name: agent for agent in known}, {agent.name: agent for agent in agents}
    yield from (f"{name}: in the records, not among the agents now" for name in then if name not in now)
    yield from (f"{name}: not among the agents in the records" for name in now if name not in then)
    for name in (name for name in now if name in then):
        yield from _agent_changed(then[name], now[name])
    if list(then) != list(now) and set(then) == set(now):
        yield f"the agents stand in another order: {', '.join(then)} in the records"


def _agent_changed(old: AgentEntry, new: AgentEntry) -> Iterator[str]:
    if old.text != new.text:
        yield f"{new.name}: {old.text} in the records, {new.text} now"
    if old.sources and new.absence is not None:
        yield f"{new.name}: {new.absence}"
        return
    for file in sorted({*old.sources, *new.sources}):
        before, after = old.sources.get(file), new.sources.get(file)
        if before is None or after is None:
            yield f"{new.name}: {file} is {'new' if before is None else 'gone'}"
        elif before != after:
            yield f"{new.name}: {file} was changed ({before[:8]} -> {after[:8]})"

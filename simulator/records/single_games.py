"""Keeps single games at the course's server in the same records as the games of a tournament.

Each game is a pair of one game, in a round of its own; who plays is known only when the game is over. Such records can
be read and reported on like others, but they cannot be continued as a tournament.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.records.provenance import session_now
from simulator.records.schema import AgentEntry, Pair
from simulator.records.store import Store, StoreError
from simulator.referee.game_record import GameRecord

FORMAT = "single games"  # the tournament's format, in the settings


def single_games(
    store: Store, settings: Mapping[str, Any], agents: Sequence[AgentEntry] = ()
) -> Callable[[GameRecord, int], None]:
    """A function that adds a game that is over to new records, or to records that hold only single games.

    Args:
        settings: the conditions of the games, by name, to be written down.
        agents: our own agents; others are added when they first play.

    Raises StoreError for the records of a tournament.
    """
    if store.settings().get("format", FORMAT) != FORMAT:
        raise StoreError(f"{store.path} holds a tournament: name another file for games at the course's server")
    settings, ours = {**settings, "format": FORMAT}, {agent.name: agent for agent in agents}
    store.extend(settings, [])
    store.begin_session(session_now())

    def add(record: GameRecord, number: int) -> None:
        """Add a game; in the records, its number is the next after those before it there."""
        known = {agent.name for agent in store.agents()}
        wanted = [name for name in record.agents if name in ours or name not in known]
        store.extend(settings, [ours.get(name, AgentEntry(name, name, {})) for name in wanted])
        for name in record.agents:
            store.check(name, None)
        round_ = len(store.pairs()) + 1
        (pair,) = store.plan([Pair(0, round_, 1, *record.agents, (), record.seed, games=1)])
        store.save_pair(pair.id, [record], game_id=1 + max((game.id for game in store.games()), default=0))

    return add

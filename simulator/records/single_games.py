"""Keeps single games at the course's server in the same records as the games of a tournament.

Each game is a pair of one game, in a round of its own; who plays is known only when the game is over. Such records can
be read and reported on like others, but they cannot be continued as a tournament.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.records.provenance import session_now
from simulator.records.schema import AgentEntry, Pair
from simulator.records.store import Store, StoreError
from simulator.referee.game_record import GameRecord

FORMAT = "single games"  # the tournament's format, in the settings


class SingleGames:
    """Adds games to new records, or to records that hold only single games.

    Args:
        settings: the conditions of the games, by name, to be written down.
        agents: our own agents; others are added when they first play.
    """

    def __init__(self, store: Store, settings: Mapping[str, Any], agents: Sequence[AgentEntry] = ()) -> None:
        """Raises StoreError for the records of a tournament."""
        if store.settings().get("format", FORMAT) != FORMAT:
            raise StoreError(f"{store.path} holds a tournament: name another file for games at the course's server")
        self._store, self._settings = store, {**settings, "format": FORMAT}
        self._ours = {agent.name: agent for agent in agents}
        store.extend(self._settings, [])
        store.begin_session(session_now())

    def add(self, record: GameRecord) -> None:
        """Add a game that is over."""
        known = {agent.name for agent in self._store.agents()}
        wanted = [name for name in record.agents if name in self._ours or name not in known]
        self._store.extend(self._settings, [self._ours.get(name, AgentEntry(name, name, {})) for name in wanted])
        for name in record.agents:
            self._store.check(name, None)
        round_ = len(self._store.pairs()) + 1
        (pair,) = self._store.plan([Pair(0, round_, 1, *record.agents, (), record.seed, games=1)])
        self._store.save_pair(pair.id, [record])

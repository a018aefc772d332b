"""The agents at the board: one thinker for each side that an agent plays, and one for advice."""

import threading
from collections.abc import Callable
from typing import Any

from game import FIRST, SECOND
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.play.thinker import Thinker
from simulator.player.lookup import find_agents

ADVISER = 2  # beside FIRST and SECOND


class Table:
    """Starts agents as they are needed and ends those that are not; `close` ends all.

    Attributes:
        settings: limits and handicap, seed, isolation, who gives advice.
    """

    def __init__(self, settings: PlaySettings, make: Callable[..., Thinker] = Thinker) -> None:
        self.settings = settings
        self._make = make
        self._seats: dict[int, Thinker] = {}
        self._closing: list[threading.Thread] = []

    def seat(self, played: GameInProgress) -> list[Thinker]:
        """Give every side its agent; the thinkers that are new, which have to be started.

        Raises AgentError, InputError for agents that there are not; then nothing has changed.
        """
        wanted = {side: played.players[side] for side in (FIRST, SECOND) if not played.is_person(side)}
        specs = dict(zip(wanted, find_agents(tuple(wanted.values()), played.game), strict=True))
        free = [self._seats.pop(side) for side in (FIRST, SECOND) if side in self._seats]
        if ADVISER in self._seats and self._seats[ADVISER].game is not played.game:
            self._close(self._seats.pop(ADVISER))
        new = []
        for side, text in wanted.items():
            known = next((one for one in free if one.text == text and one.game is played.game), None)
            if known is None:
                known = self._new(played.game, specs[side], self.settings.players_limits)
                new.append(known)
            else:
                free.remove(known)
            self._seats[side] = known
        for one in free:
            self._close(one)
        return new

    def player(self, side: int) -> Thinker:
        """The agent of a side."""
        return self._seats[side]

    def adviser(self, game: Any) -> Thinker:
        """Who gives hints, started when it is first asked. Raises AgentError, InputError."""
        if ADVISER not in self._seats:
            (spec,) = find_agents((self.settings.hints,), game)
            self._seats[ADVISER] = self._new(game, spec, self.settings.limits)
        return self._seats[ADVISER]

    def _new(self, game: Any, spec: Any, limits: Any) -> Thinker:
        return self._make(game, spec, limits, self.settings.seed, self.settings.isolation)

    def _close(self, thinker: Thinker) -> None:
        """End an agent without waiting for it."""
        thread = threading.Thread(target=thinker.close)
        thread.start()
        self._closing.append(thread)

    def close(self) -> None:
        """End all agents, and wait until they have ended."""
        for thinker in self._seats.values():
            self._close(thinker)
        self._seats.clear()
        for thread in self._closing:
            thread.join()

"""The agents of a game in progress: those that play, and the one that gives advice; each is made when it is wanted."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

from agents.agent import AgentSpec
from agents.limits import Limits
from game import FIRST, SECOND, Game
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.play.thinker import Thinker
from simulator.player.lookup import find_agent
from simulator.referee.seeds import derived_seed, drawn_seed


class Agents(AbstractContextManager["Agents"]):
    """A `Thinker` for each agent of a game, and for the adviser; used in a `with`, or closed.

    An agent that no longer plays is closed at the next change. If the game or its options change, all are closed.
    """

    def __init__(
        self,
        played: GameInProgress,
        settings: PlaySettings,
        on_new: Callable[[Game, AgentSpec], None] = lambda game, spec: None,
    ) -> None:
        """`on_new` is called before an agent is made."""
        self._played, self.settings, self._on_new = played, settings, on_new
        self._thinkers: dict[tuple[str, int] | None, Thinker] = {}  # the adviser at None
        self._game = played.game

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all agents; they are made again when they are wanted."""
        thinkers, self._thinkers = self._thinkers, {}
        with ExitStack() as closing:
            for thinker in thinkers.values():
                closing.callback(thinker.close)

    def player(self, side: int) -> Thinker:
        """The agent that plays that side. Raises AgentError."""
        text, number = key = self._key(side)
        return self._thinker(key, text, self.settings.handicap.of(self.settings.limits), number)

    @property
    def adviser(self) -> Thinker:
        """The agent that gives hints, and that the coach asks. Raises AgentError."""
        return self._thinker(None, self.settings.hints, self.settings.limits, FIRST)

    def _thinker(self, key: tuple[str, int] | None, text: str, limits: Limits, side: int) -> Thinker:
        self._tidy()
        if key not in self._thinkers:
            settings, spec = self.settings, find_agent(text, self._game)
            self._on_new(self._game, spec)
            # People should not wait longer for the first move than for others; in plain Python they never do.
            if spec.source == "uct_agent" and self._game.kernel is not None:
                spec = spec._replace(options={"first": "1", **spec.options})
            seed = drawn_seed() if settings.seed is None else derived_seed(settings.seed, f"player {side}")
            self._thinkers[key] = Thinker(self._game, spec, limits, seed, settings.isolation)
        return self._thinkers[key]

    def _key(self, side: int) -> tuple[str, int]:
        """The key of a side's agent: two keys if it plays both sides, and the same one after a change of sides."""
        text = self._played.players[side]
        return text, side if self._played.players[1 - side] == text else FIRST

    def _tidy(self) -> None:
        """Close the agents that are not needed any more."""
        before, self._game = self._game, self._played.game
        wanted: set[tuple[str, int] | None] = set()
        if (before.name, before.settled_options) == (self._game.name, self._game.settled_options):
            wanted = {None, *(self._key(side) for side in (FIRST, SECOND) if not self._played.is_person(side))}
        for key in [key for key in self._thinkers if key not in wanted]:
            self._thinkers.pop(key).close(waits=False)

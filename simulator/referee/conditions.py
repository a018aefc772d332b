"""The conditions of a game: its name and options, the limits and rules, and how agents are isolated."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents.agent import AgentSpec
from agents.limits import Limits
from game import Game, load_game
from simulator.player.launch import Launch, launch_for
from simulator.sandbox.isolation import IsolationLevel

Rules = Literal["course", "strict"]


@dataclass(frozen=True)
class Conditions:
    """What all games of a match or tournament have in common.

    Attributes:
        game_options: see `game.load_game`.
        limits_of: by a player's name, the fields of `Limits` in which that player's limits differ from `limits`.
        rules: under "course" a late answer within the cushion is replaced by a random move, under "strict" it loses.
        isolation: "best" enforces the limits with what the system has, "required" refuses to play if nothing enforces
            one of them, "none" is for debugging one's own agent.
        transcripts: whether records keep what went over the wire.
    """

    game: str = "pentago"
    game_options: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    limits_of: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules: Rules = "course"
    isolation: IsolationLevel = "best"
    transcripts: bool = False

    def load_game(self) -> Game:
        """The game that is played. Raises as `game.load_game`."""
        return load_game(self.game, **self.game_options)

    def limits_for(self, player: str) -> Limits:
        """What the player of that name may use."""
        return replace(self.limits, **self.limits_of.get(player, {}))

    def launch(self, spec: AgentSpec, name: str, **more: Any) -> Launch:
        """The launch of an agent under a name; `more` are other arguments of `launch_for`. Raises as `launch_for`."""
        how = {"isolation": self.isolation, "keeps_transcript": self.transcripts, **more}
        return launch_for(spec, self.load_game(), self.limits_for(name), name, **how)

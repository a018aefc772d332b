"""A GTP engine for any game of `game/`: a board, an agent, and the commands on them, see `commands/`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from game import Position, load_game
from simulator.gtp import syntax
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.server import Server
from simulator.gtp.syntax import GtpError
from simulator.gtp.time_control import moves_expected

CommandSet = Mapping[str, Callable[["Engine", list[str]], str | Iterator[str] | None]]
"""For the name of each command, the function of engine and arguments that answers it, see `syntax.Command`."""


class Engine(Server):
    """One board, one agent, and the commands on them; later ones of `command_sets` override earlier ones.

    If a game's positions have `with_to_move(player)`, as Go's have, either player may move at any time, also after the
    end.

    Attributes:
        game: a `Game` with the options in force; Go's commands use methods that only Go has.
        positions: all positions of the game so far, for undo.
        host: the host of the agent.
    """

    def __init__(
        self,
        game_name: str,
        host: AgentHost,
        command_sets: Sequence[CommandSet],
        game_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__({name: partial(run, self) for commands in command_sets for name, run in commands.items()})
        self.game_name, self.game_options = game_name, dict(game_options or {})
        self.game: Any = load_game(game_name, **self.game_options)
        self.positions: list[Any] = [self.game.initial()]
        self.host = host
        host.use(self.game)

    def pieces(self, line: str) -> Iterator[str]:
        """As `Server.pieces`; the time that a request takes is measured."""
        self.host.timer.start_request()
        try:
            yield from super().pieces(line)
        finally:
            self.host.timer.end_request()

    @property
    def position(self) -> Any:
        """The position on the board."""
        return self.positions[-1]

    def set_game(self, **options: Any) -> None:
        """Change options of the game (the board size, say); the position stays, and the agent is closed.

        Raises as `game.load_game`.
        """
        self.use(load_game(self.game_name, **self.game_options | options))
        self.game_options |= options

    def use(self, game: Any) -> None:
        """Play this game for now, such as the game of a file: the controller's options stay, the agent is closed."""
        self.game = game
        self.host.use(game)

    def new_game(self, positions: Sequence[Position] = ()) -> None:
        """Begin a game, with all time and an agent that has not moved; `positions` are those that it has already."""
        self.positions = list(positions) or [self.game.initial()]
        self.host.new_game()

    def player_of(self, colour: str) -> int:
        """The player of a colour. Raises GtpError if the game has no such colour."""
        words = {"white": "w", "black": "b"}
        if self.game.player_names:
            words |= {
                name.lower(): letter for name, letter in zip(self.game.player_names, self.game.players, strict=True)
            }
        letter = words.get(colour.lower(), colour.lower())
        if letter not in self.game.players:
            reason = f"{colour!r} is not a colour: {' or '.join(self.game.players)}"
            raise syntax.explained(syntax.SYNTAX_ERROR, reason)
        return int(self.game.players.index(letter))

    def turn_of(self, player: int) -> Any:
        """The position on the board with that player to move. Raises GtpError if the game does not allow it."""
        position = self.position
        if position.result is None and player == position.to_move:
            return position
        if hasattr(position, "with_to_move"):
            return position.with_to_move(player)
        if position.result is not None:
            raise GtpError("the game is over")
        raise GtpError(f"{syntax.ILLEGAL_MOVE}: {self.game.players[position.to_move]} is to move")

    def think(self, position: Any, **how: Any) -> tuple[str, Any]:
        """Ask the agent for a move in a position from `turn_of`; takes, returns and raises as `AgentHost.think`."""
        return self.host.think(position, self._moves_ahead(position.to_move), **how)

    def play(self, text: str, position: Any) -> str:
        """Play the agent's move if it is legal, and return its text; takes what `think` has returned."""
        if position is not None:
            self.positions.append(position)
        return text

    def thinking_seconds(self, player: int) -> float:
        """How long the agent may think at its next move, in seconds."""
        limits, seconds = self.host.timer.for_move(player, self._moves_ahead(player))
        return min(seconds, limits.move_seconds)

    def _moves_ahead(self, player: int) -> int:
        """How many moves the player is still expected to make; turns need not alternate."""
        before = self.positions[0].ply // len(self.game.players)  # a guess: who made these moves is not known
        played = before + sum(position.to_move == player for position in self.positions[:-1])
        return moves_expected(self.game.moves_ahead, played)

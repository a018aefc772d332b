"""A GTP engine for any game of `game.py`: a board, an agent, and the commands on them, see `commands/`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

from game import Position, load_game
from simulator.gtp import syntax
from simulator.gtp.agent_host import AgentHost, Proposal
from simulator.gtp.server import LineReader, Server
from simulator.gtp.syntax import GtpError
from simulator.gtp.time_control import MOVES_AHEAD, moves_expected

CommandSet = Mapping[str, Callable[["Engine", list[str]], str | Iterator[str]]]
"""Names of commands, and what answers each, given the engine and the arguments, see `syntax.Command`."""


class Engine:
    """One board, one agent, and the commands on them.

    A game whose positions have `with_to_move(player)`, as Go's have, takes moves of either player at any time, also
    after the end.

    Attributes:
        game: the game, with the options in force.
        positions: the game so far, for undo.
        host: the agent.
        server: answers requests from `command_sets`, in which later sets override earlier ones.
        wait_for_input: waits for so many seconds at most and returns whether the controller has written another line.
            Without a descriptor to read, it is always true, so that live answers end.
    """

    def __init__(
        self,
        game_name: str,
        host: AgentHost,
        command_sets: Sequence[CommandSet],
        game_options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game_name, self.game_options = game_name, dict(game_options or {})
        self.game = load_game(game_name, **self.game_options)
        self.positions = [self.game.initial()]
        self.host = host
        host.use(self.game)
        self.wait_for_input: Callable[[float], bool] = lambda seconds: True
        self.server = Server({name: partial(run, self) for commands in command_sets for name, run in commands.items()})

    # --- Requests ---

    def answer(self, line: str) -> str | None:
        """The whole answer to one line of GTP, None if it needs none."""
        return "".join(self.pieces(line)) or None

    def pieces(self, line: str) -> Iterator[str]:
        """The answer to one line in the pieces in which it is to be sent, see `Server.pieces`."""
        self.host.timer.start_request()
        try:
            yield from self.server.pieces(line)
        finally:
            self.host.timer.end_request()

    def serve(self, reader: BinaryIO, writer: BinaryIO) -> None:
        """Answer every line of `reader` on `writer` until `quit` or the end. Raises OSError when a pipe breaks.

        `reader` has a descriptor, and nothing was read from it.
        """
        lines = LineReader(reader.fileno())
        self.wait_for_input = lines.wait
        while not self.server.finished and (line := lines.read()):
            for piece in self.pieces(line.decode("utf-8", "replace")):
                writer.write(piece.encode("utf-8", "replace"))
                writer.flush()

    # --- The board ---

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.positions[-1]

    def set_game(self, **options: Any) -> None:
        """Take the same game with other options (another board size, say); the position stays, the agent is closed.

        Raises as `game.load_game`.
        """
        self.game = load_game(self.game_name, **self.game_options | options)
        self.game_options |= options
        self.host.use(self.game)

    def new_game(self, positions: Sequence[Position] = ()) -> None:
        """Begin a game, which may have these positions already, with all time and an agent that has not moved."""
        self.positions = list(positions) or [self.game.initial()]
        self.host.new_game()

    def player_of(self, colour: str) -> int:
        """The player of a colour. Raises GtpError."""
        letter = {"white": "w", "black": "b"}.get(colour.lower(), colour.lower())
        if letter not in self.game.players:
            reason = f"{colour!r} is not a colour: {' or '.join(self.game.players)}"
            raise syntax.explained(syntax.SYNTAX_ERROR, reason)
        return self.game.players.index(letter)

    def turn_of(self, player: int) -> Position:
        """The position on the board with that player to move. Raises GtpError where the game does not allow it."""
        position = self.position
        if position.result is None and player == position.to_move:
            return position
        if hasattr(position, "with_to_move"):
            turned: Position = position.with_to_move(player)
            return turned
        if position.result is not None:
            raise GtpError("the game is over")
        raise GtpError(f"{syntax.ILLEGAL_MOVE}: {self.game.players[position.to_move]} is to move")

    # --- The agent's moves ---

    def think(self, player: int, restrict: Callable[[Position], Position] = lambda position: position) -> Proposal:
        """Ask the agent for a move in `restrict` of the position. Raises GtpError if it fails, or cannot be asked."""
        return self.host.think(restrict(self.turn_of(player)), self._moves_ahead(player))

    def play(self, proposal: Proposal) -> str:
        """Play the agent's move if it is legal, and return its text."""
        if proposal.position is not None:
            self.positions.append(proposal.position)
        return proposal.text

    def thinking_seconds(self, player: int) -> float:
        """How long the agent may think at its next move."""
        limits, seconds = self.host.timer.for_move(player, self._moves_ahead(player))
        return min(seconds, limits.move_seconds)

    def _moves_ahead(self, player: int) -> int:
        """Own moves that the player is still expected to make; turns need not alternate."""
        before = self.positions[0].ply // len(self.game.players)  # whose they were is not known
        played = before + sum(position.to_move == player for position in self.positions[:-1])
        return moves_expected(getattr(self.game, "moves_ahead", MOVES_AHEAD), played)

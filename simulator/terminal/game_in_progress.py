"""The game that a person is playing: its positions, how it ended, and how it is saved."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from game import FIRST, Game, NotationError
from simulator.records.saved_game import (
    FORFEITS,
    SavedGame,
    forfeit_in,
    game_of,
    replay,
    save_game,
    saved_game,
    write_file,
)
from simulator.records.sgf_folder import GAMES
from simulator.records.sgf_writer import sgf_of_moves

PERSON = "a person"  # in SGF files


@dataclass(frozen=True)
class Forfeit:
    """The end of a game whose board is still open: somebody resigned or failed.

    Attributes:
        result: the winner and R or F, as SGF has it: "W+R".
        text: what happened, as part of a sentence.
    """

    result: str
    text: str


class GameInProgress:
    """A game between a person and an agent, as far as it was played.

    Attributes:
        positions: from the start to the present one; taking back moves drops the last ones.
        side: the player that the person is.
        forfeit: how it ended although its position is open, None if it did not.
    """

    def __init__(self, game: Game, positions: list[Any], side: int = FIRST, result: str = "none") -> None:
        self.game, self.positions, self.side = game, positions, side
        self.forfeit: Forfeit | None = None
        if self.position.result is None and (known := forfeit_in(game, result)):
            self.forfeit = Forfeit(known, f"the game ended by {FORFEITS[known[-1]]}: {known}")

    @classmethod
    def continued(cls, saved: SavedGame) -> "GameInProgress":
        """The game that was saved. Raises NotationError if it cannot be set up."""
        game = game_of(saved)
        if saved.side and saved.side not in game.players:
            raise NotationError(f"{game.name} has no side {saved.side!r}: choose {' or '.join(game.players)}")
        side = game.players.index(saved.side) if saved.side else FIRST
        return cls(game, replay(game, saved), side, saved.result)

    @property
    def position(self) -> Any:
        """The present position."""
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        """Whether it ended on the board, by resignation, or because the agent failed."""
        return self.forfeit is not None or self.position.result is not None

    def play(self, move: Any) -> None:
        """Play a legal move."""
        self.positions.append(self.position.play(move))

    def end(self, text: str, winner: int, letter: str) -> None:
        """End the game though its board is open; `letter` is R for a resignation, F for a fault."""
        self.forfeit = Forfeit(f"{self.game.players[winner].upper()}+{letter}", text)

    def turns_to_undo(self) -> list[int]:
        """Where the person was to move, as indices of `positions`; the present one only if the game ended there."""
        mine = [i for i, position in enumerate(self.positions) if position.to_move == self.side]
        if self.forfeit is None and mine[-1:] == [len(self.positions) - 1]:
            del mine[-1]
        return mine

    def undo(self, turns: int) -> None:
        """Go back by so many of the person's turns, of those in `turns_to_undo`."""
        del self.positions[self.turns_to_undo()[-turns] + 1 :]
        self.forfeit = None

    def ending(self, opponent: str) -> str:
        """How the game ended, for the person: "you win by 3.5"."""
        if self.forfeit is not None:
            return self.forfeit.text
        result = self.position.result
        if result.winner is None:
            return "a draw"
        who = "you win" if result.winner == self.side else f"{opponent} wins"
        return who if result.margin is None else f"{who} by {result.margin:g}"

    def saved(self, agent: str) -> SavedGame:
        """The game as it stands, against the agent of this text."""
        saved = saved_game(self.game, agent, self.side, self.positions)
        return replace(saved, result=self.forfeit.result) if self.forfeit else saved

    def save(self, path: Path, opponent: str, agent: str, over: bool) -> None:
        """Write it to a file, as SGF if the file is called so; with `over` in place of an existing file.

        Raises OSError if it cannot be written, ValueError if SGF cannot express it.
        """
        if is_sgf(path):
            write_file(path, self._sgf(opponent), over)
        else:
            save_game(path, self.saved(agent), over)

    def _sgf(self, opponent: str) -> bytes:
        if self.game.name not in GAMES:
            raise ValueError(f"there is no SGF for {self.game.name}; save as .json")
        names = (PERSON, opponent) if self.side == FIRST else (opponent, PERSON)
        result, comment = (self.forfeit.result, self.forfeit.text) if self.forfeit else ("", "")
        today = date.today().isoformat()
        return sgf_of_moves(self.game, self.positions, names, result=result, date=today, comment=comment)


def is_sgf(path: Path) -> bool:
    """Whether a file of this name is SGF."""
    return path.suffix.lower() == ".sgf"

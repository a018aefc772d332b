"""The game that is being played: its positions, who plays it, how it ended, and how it is saved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from agents.agent import AgentError
from game import FIRST, SECOND, Game, Result, format_result
from game_files.alarm import guarded
from options import InputError
from simulator.play.names import agent_name, plain_side_name, side_name
from simulator.player.lookup import PERSON, find_agent
from simulator.records.saved_game import (
    FORFEITS,
    SavedGame,
    forfeit_in,
    game_of,
    is_sgf,
    players_of,
    replay,
    save_game,
    saved_game,
    write_file,
)
from simulator.records.sgf_folder import GAMES
from simulator.records.sgf_writer import sgf_of_moves
from simulator.submission.named_agents import file_of

PERSON_IN_SGF = "a person"
KEEPS_PLAYERS = "the game is over, and keeps its players"  # other players have neither won nor lost it


@dataclass(frozen=True)
class Forfeit:
    """The end of a game whose board is still open: somebody resigned or failed.

    Attributes:
        result: the winner and R, T or F, as SGF has it: "W+R".
        text: what happened, as part of a sentence.
    """

    result: str
    text: str


class GameInProgress:
    """A game between people and agents, as far as it was played.

    Attributes:
        game: the game, with its options settled.
        line: every position from the start on; those after the present one were taken back.
        present: the index in `line` of the position from which play goes on.
        shown: the index in `line` of the position that is looked at, `present` at most.
        players: who plays each side: PERSON, or the text of an agent.
        forfeit: how the game ended although its board is open, None if it did not.
        seconds: how long FIRST and SECOND have thought; always the same list, in which the front end counts.
    """

    def __init__(
        self,
        game: Game,
        positions: Sequence[Any] = (),
        players: Sequence[str] = (PERSON, SavedGame.agent),
        result: str = "none",
        seconds: Sequence[float] = (0.0, 0.0),
    ) -> None:
        self.game = game
        self.line: list[Any] = list(positions) or [game.initial()]
        self.present = self.shown = len(self.line) - 1
        self.players = list(players)
        self.seconds = list(seconds)
        self.forfeit: Forfeit | None = None
        if self.position.result is None and (known := forfeit_in(game, result)):
            self.forfeit = Forfeit(known, f"the game ended by {FORFEITS[known[-1]]}: {known}")

    @classmethod
    def continued(cls, saved: SavedGame) -> "GameInProgress":
        """The game that was saved. Raises InputError if it cannot be set up, RulesError if a game's file fails."""
        with guarded(saved.game):
            game = game_of(saved)
        compile_rules(game)
        players = players_of(saved, game)
        return cls(game, replay(game, saved), players, saved.result, saved.seconds or (0.0, 0.0))

    # --- What there is ---

    @property
    def positions(self) -> list[Any]:
        """The positions from the start to the present one."""
        return self.line[: self.present + 1]

    @property
    def position(self) -> Any:
        """The present position."""
        return self.line[self.present]

    @property
    def shown_position(self) -> Any:
        """The position that is looked at."""
        return self.line[self.shown]

    @property
    def is_looking_back(self) -> bool:
        """Whether an earlier position than the present one is looked at."""
        return self.shown != self.present

    @property
    def is_over(self) -> bool:
        """Whether the game ended on the board, by resignation, or because an agent failed."""
        return self.forfeit is not None or self.result is not None

    @property
    def result(self) -> Result | None:
        """How the present position ends the game: on the board, or because no game may be longer; else None."""
        if self.position.result is None and self.position.ply >= self.game.longest_game:
            return self.game.adjudicate(self.position)
        found: Result | None = self.position.result
        return found

    @property
    def moves(self) -> list[str]:
        """The text of every move up to the present position."""
        return [self.game.format_move(position.last_move) for position in self.line[1 : self.present + 1]]

    @property
    def winner(self) -> int | None:
        """FIRST or SECOND if the game is over and somebody won it."""
        if self.forfeit is not None:
            return self.game.players.index(self.forfeit.result.partition("+")[0].lower())
        return None if self.result is None else self.result.winner

    # --- Who plays ---

    def is_person(self, side: int) -> bool:
        """Whether a person plays that side."""
        return self.players[side] == PERSON

    @property
    def persons(self) -> list[int]:
        """The sides that people play."""
        return [side for side in (FIRST, SECOND) if self.is_person(side)]

    @property
    def side(self) -> int | None:
        """The side of the one person who plays; None with two people or two agents."""
        return self.persons[0] if len(self.persons) == 1 else None

    @property
    def is_persons_turn(self) -> bool:
        """Whether the game goes on and a person is to move."""
        return not self.is_over and self.is_person(self.position.to_move)

    def name_of(self, side: int) -> str:
        """`you` if one person plays, the name of an agent, or with two people the name of the side."""
        if not self.is_person(side):
            return agent_name(self.players[side])
        return plain_side_name(self.game, side) if self.side is None else "you"

    def who_plays(self) -> str:
        """A sentence that says who plays which side."""
        first, second = (side_name(self.game, side) for side in (FIRST, SECOND))
        if self.side is not None:
            return f"You play {side_name(self.game, self.side)} against {self.name_of(1 - self.side)}."
        if self.persons:
            return f"Two people: {first} moves first, then {second}."
        return f"{self.name_of(FIRST)} as {first} against {self.name_of(SECOND)} as {second}."

    def why_absent(self, text: str) -> str:
        """Why an agent cannot play this game; empty if it can, as far as is known before it is started."""
        try:
            find_agent(file_of(text), self.game)
        except (AgentError, InputError, OSError) as error:  # OSError: a zip file is unpacked beside it
            return str(error)
        return ""

    def absent(self) -> dict[str, str]:
        """The agents of the game that cannot play it here, with the reasons; none once it is over (KEEPS_PLAYERS)."""
        agents = () if self.is_over else [text for text in self.players if text != PERSON]
        return {text: wrong for text in agents if (wrong := self.why_absent(text))}

    def let_play(self, players: Sequence[str]) -> None:
        """Let these players go on. Whether the game is over (see KEEPS_PLAYERS) is not checked."""
        self.players = list(players)

    # --- Playing ---

    def play(self, move: Any) -> None:
        """Play a legal move in the present position; moves that were taken back are kept if this is the first of them.

        Raises IllegalMove, and RulesError if a game's file fails in the position after it; nothing is changed then.
        """
        after = self.position.play(move)
        if after.result is None:
            after.legal_moves()
        following = self.line[self.present + 1 : self.present + 2]
        is_redone = following == [after] and following[0].last_move == after.last_move
        if not is_redone:
            self.line[self.present + 1 :] = [after]
        self.present += 1
        self.shown = self.present

    def lose(self, side: int, how: str = "", letter: str = "R") -> None:
        """End the game though its board is open: that side resigns, or lost as `how` says (then `letter` is F)."""
        who, other = self.name_of(side), self.name_of(1 - side)
        how = how or f"{who} {'resign' if who == 'you' else 'resigns'}"
        text = f"{how}; {other} {'win' if other == 'you' else 'wins'}"
        self.forfeit = Forfeit(f"{self.game.players[1 - side].upper()}+{letter}", text)

    def ending(self) -> str:
        """How the game ended, as part of a sentence: "you win by 3.5"."""
        if self.forfeit is not None:
            return self.forfeit.text
        result = self.result
        assert result is not None  # the game is over
        if result.winner is None:
            return "a draw"
        name = self.name_of(result.winner)
        who = "you win" if name == "you" else f"{name} wins"
        return who if result.margin is None else f"{who} by {result.margin:g}"

    def new_game(self, game: Game | None = None, start: Any = None, players: Sequence[str] = ()) -> None:
        """Begin again, perhaps with another game, from another position or with other players."""
        positions = [] if start is None else [start]
        self.take_over(GameInProgress(game or self.game, positions, players or self.players))

    def take_over(self, other: "GameInProgress", *, with_players: bool = True) -> None:
        """Become another game, with its players or with the present ones."""
        self.game, self.line, self.forfeit = other.game, other.line, other.forfeit
        self.present = self.shown = other.present
        self.seconds[:] = other.seconds
        if with_players:
            self.players = list(other.players)

    def set_up(self, text: str) -> None:
        """Begin from the position of this text. Raises NotationError."""
        start = self.game.parse_position(text)
        self.new_game(self.game.for_position(start), start)

    # --- Back and forth ---

    def turns_to_undo(self) -> list[int]:
        """The indices of `line` where a person was to move, so that play can go on from there.

        With two agents, the moves of both count. The present position is one of them only after a `forfeit`.
        """
        persons = self.persons or [FIRST, SECOND]
        turns = [i for i, position in enumerate(self.positions) if position.to_move in persons]
        if self.forfeit is None and turns[-1:] == [self.present]:
            del turns[-1]
        return turns

    def turns_to_redo(self) -> list[int]:
        """The indices of `line` where a person is to move in what was taken back, and the last index."""
        persons, last = self.persons or [FIRST, SECOND], len(self.line) - 1
        later = range(self.present + 1, last + 1)
        return [i for i in later if i == last or self.line[i].to_move in persons]

    def go_on_from(self, index: int) -> None:
        """Make another position of `line` the present one; what comes after it can be redone."""
        self.present = self.shown = index
        self.forfeit = None

    def look_at(self, index: int) -> None:
        """Look at the position of that index, or the nearest that there is; the game stays as it is."""
        self.shown = max(0, min(index, self.present))

    # --- Saving ---

    def saved(self) -> SavedGame:
        """The game as it stands, with who plays it."""
        agents = [player for player in self.players if player != PERSON]
        side = FIRST if self.side is None else self.side
        saved = saved_game(self.game, agents[0] if agents else SavedGame.agent, side, self.positions)
        if self.side is None:
            saved = replace(saved, players=(self.players[FIRST], self.players[SECOND]))
        if any(self.seconds):
            saved = replace(saved, seconds=tuple(round(seconds, 1) for seconds in self.seconds))
        return replace(saved, result=self.forfeit.result) if self.forfeit else saved

    def save(self, path: Path, over: bool = False) -> None:
        """Write the game to a file, as SGF if its name ends with .sgf; with `over`, replace an existing file.

        Raises OSError if it cannot be written (FileExistsError is one), ValueError if SGF cannot express it.
        """
        if is_sgf(path):
            write_file(path, self._sgf(), over)
        else:
            save_game(path, self.saved(), over)

    def _sgf(self) -> bytes:
        if self.game.name not in GAMES:
            raise ValueError(f"{self.game.title} cannot be written as SGF: save as .json")
        first, second = (PERSON_IN_SGF if self.is_person(side) else self.name_of(side) for side in (FIRST, SECOND))
        counted = "" if self.result is None else format_result(self.game, self.result)
        result, comment = (self.forfeit.result, self.forfeit.text) if self.forfeit else (counted, "")
        today = date.today().isoformat()
        return sgf_of_moves(self.game, self.positions, (first, second), result=result, date=today, comment=comment)


def compile_rules(game: Game) -> None:
    """Call the rules that a screen needs, so that they are compiled now and the screen does not freeze later.

    Raises RulesError if the rules of a game's file fail at the start, or do not end.
    """
    with guarded(game.name):
        position = game.initial()
        for move in position.legal_moves()[:1]:  # there is none if a game in a file is over at the start
            after = position.play(move)
            _ = after.result, after.board, after.legal_moves()

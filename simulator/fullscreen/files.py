"""Saving a game in a file, and loading one; an agent of a loaded game that is not here is told before the board."""

from functools import partial
from pathlib import Path

from agents.agent import AgentError
from game import Game, load_game
from options import InputError
from simulator.fullscreen.dialogs import Choice, Confirm, Pick, Type
from simulator.fullscreen.games import Games
from simulator.play.game_in_progress import GameInProgress
from simulator.player.lookup import PERSON, find_agents
from simulator.records.file_errors import check_is_file
from simulator.records.saved_game import SavedGame, is_sgf, load_game_file

FILE_ERRORS = (InputError, OSError, RuntimeError)  # RuntimeError: ~ of a person who is not known
LATER, ANOTHER = "later", "type"


class Files(Games):
    """Commands that save and load."""

    def action_save(self, name: str = "") -> None:
        """Save in a file; ask for its name, and before another is overwritten."""
        if name:
            self._save(name)
        else:
            note = "As JSON; a game of Go with .sgf at the end as SGF."
            self.push_screen(Type("Save the game as", f"{self.played.game.name}.json", note=note), self._save)

    def _save(self, name: str | None, over: bool = False) -> None:
        if name is None:
            return

        def answered(answer: bool | None) -> None:
            if answer:
                self._save(name, over=True)
            else:
                self.say("not saved")

        try:
            path = Path(name).expanduser()
            if path.is_file() and not over:
                self.push_screen(Confirm(f"{name} exists. Overwrite it?"), answered)
                return
            self.played.save(path, over)
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: ~ of a person who is not known
            self.say(f"not saved: {error}")
        else:
            self.say(f"saved as {name}")

    def action_load(self, name: str = "") -> None:
        """Load a file; ask for its name, and whether the game on the board may go."""
        if not name:
            self.push_screen(Type("Load which file?", "", self._check_file), self._ask_and_load)
        elif wrong := self._check_file(name):
            self.say(wrong)
        else:
            self._ask_and_load(name)

    def _check_file(self, name: str) -> str:
        """What is wrong with a file; who plays is looked at when it is loaded, moves too if no rules are compiled."""
        try:
            if self.has_rules(_game_in(name)):
                _loaded(name)
        except FILE_ERRORS as error:
            return str(error)
        return ""

    def _ask_and_load(self, name: str | None) -> None:
        if name is not None:
            self._ask_and_do(lambda: self._load_with_rules(name))

    def _load_with_rules(self, name: str) -> None:
        try:
            self.with_rules(_game_in(name), partial(self._load, name))
        except FILE_ERRORS as error:  # the file was changed since it was checked
            self.say(f"not loaded: {error}")

    def _load(self, name: str) -> None:
        try:
            loaded = _loaded(name)
        except FILE_ERRORS as error:  # the file was changed since it was checked
            self.say(f"not loaded: {error}")
            return
        with_players = not is_sgf(Path(name))  # SGF does not say who a person was
        gone = [text for text in loaded.players if text != PERSON and _why_absent(loaded, text)]
        if gone and with_players and not loaded.is_over:  # a finished game keeps its players
            self._ask_who_plays(loaded, gone)
        else:
            self._take_over(loaded, with_players)

    def _take_over(self, loaded: GameInProgress, with_players: bool = True) -> None:
        with self.changed():
            self.played.take_over(loaded, with_players=with_players)
            self._begin_again()

    def _ask_who_plays(self, loaded: GameInProgress, gone: list[str]) -> None:
        """Say which agents of a loaded game are not here, and ask who plays in their place; Escape loads nothing."""
        note = " ".join(f"{text} plays in this game: {_why_absent(loaded, text)}." for text in dict.fromkeys(gone))
        choices = [
            Choice(f"{SavedGame.agent} plays instead", SavedGame.agent),
            Choice("Another agent plays instead: type its name or file", ANOTHER),
            Choice("A person plays instead", PERSON),
            Choice("Load the game, and choose later who plays", LATER),
        ]

        def answered(choice: str | None) -> None:
            """Load the game with who was chosen, or not at all."""
            if choice is None:
                self.say("not loaded")
            elif choice == ANOTHER:
                check = Type("Which agent?", SavedGame.agent, lambda text: _why_absent(loaded, text))
                self.push_screen(check, answered)
            else:
                if choice != LATER:
                    loaded.let_play([choice if text in gone else text for text in loaded.players])
                self._take_over(loaded)

        self.push_screen(Pick("Not every agent of this game is here", choices, note), answered)


def _loaded(name: str) -> GameInProgress:
    """The game of a file. Raises FILE_ERRORS."""
    return GameInProgress.continued(load_game_file(Path(name).expanduser()))


def _game_in(name: str) -> Game:
    """Which game is in a file. Raises FILE_ERRORS."""
    path = Path(name).expanduser()
    check_is_file(path)
    if is_sgf(path):
        return load_game("go")
    saved = load_game_file(path)
    return load_game(saved.game, **saved.options)


def _why_absent(loaded: GameInProgress, text: str) -> str:
    """Why an agent cannot play this game; empty if it can, as far as is known before it is started."""
    try:
        find_agents((text,), loaded.game)
    except (AgentError, InputError) as error:
        return str(error)
    return ""

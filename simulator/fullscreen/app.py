"""The application: every command of `commands.py` is an `action_` here; typed lines are moves or commands' names."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.widgets import Input

from agents.agent import AgentError
from agents.human_agent import read_move
from agents.levels.table import LEVELS, level_text
from game import IllegalMove, NotationError, load_game
from options import InputError
from simulator.fullscreen.advice import Advice
from simulator.fullscreen.commands import COMMANDS, command_named
from simulator.fullscreen.dialogs import Choice, Confirm, Pick, Type
from simulator.fullscreen.flow import view_of
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, plain_side_name
from simulator.player.lookup import PERSON, find_agents
from simulator.records.saved_game import is_sgf, load_game_file

BOARDS = {  # what "new game" offers: the words, the game, its options
    "Pentago Twist": ("pentago", {}),
    "Go on 9x9": ("go", {"size": 9}),
    "Go on 13x13": ("go", {"size": 13}),
    "Go on 19x19": ("go", {"size": 19}),
    "Kalah": ("kalah", {}),
}


class PlayApp(Advice):
    """Play, and everything that can be asked for meanwhile."""

    # --- Typing ---

    def action_type(self, text: str = "") -> None:
        """Open the line where moves and commands are typed."""
        line = self.screen_stack[0].query_one("#line", Input)
        line.value = text
        line.placeholder = "a move, or a command: help lists them.   Enter: play   Esc: back to the board"
        self.part("notice").display = False
        line.display = True
        self.notice = ""
        self.update_lines()
        line.focus()

    def close_line(self) -> None:
        """Put the line away."""
        self.part("line").display = False
        self.part("notice").display = True
        self.board.focus()
        self.update_lines()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play what was typed, or obey."""
        if event.input.id != "line":
            return
        text = event.value.strip()
        word, _, argument = text.partition(" ")
        command = command_named(word) if word else None
        if not text:
            self.close_line()
        elif command is not None:
            self.close_line()
            self.obey(command.action, argument.strip())
        else:
            self._play_typed(text)

    def on_key(self, event: Any) -> None:
        """Escape leaves the line."""
        if event.key == "escape" and self.part("line").display:
            self.close_line()
            event.stop()

    def _play_typed(self, text: str) -> None:
        played = self.played
        if not played.is_persons_turn or self.is_paused or played.is_looking_back:
            self._wrong("it is not your turn to move")
            return
        try:
            move = read_move(played.game, played.position, text)
        except (NotationError, IllegalMove) as error:
            self._wrong(str(error))
            return
        self.close_line()
        self.notice = ""
        self.play(move)

    def _wrong(self, text: str) -> None:
        """Say what is wrong above the line, which stays."""
        self.notice = ""
        self.write("next", capitalized(text))

    def obey(self, action: str, argument: str) -> None:
        """Do what was typed."""
        method = getattr(self, f"action_{action}")
        if not argument:
            method()
        elif action in ("undo", "redo", "back", "forward"):
            if re.fullmatch("0*[1-9][0-9]{0,5}", argument):
                method(int(argument))
            else:
                self.say(f"type a number from 1 on, as in {action} 2, not {argument!r:.40}")
        elif action in ("save", "load"):
            method(argument)
        elif action == "players":
            self.choose_player(argument)
        else:
            self.say(f"type {action} alone, without {argument!r:.40}")

    # --- Back and forth ---

    def action_undo(self, turns: int = 1) -> None:
        """Take turns back."""
        there = len(self.played.turns_to_undo())
        if turns > there:
            found = f"only {there}" if there else "no"
            self.say(f"there {'is' if there < 2 else 'are'} {found} move{'s' if there > 1 else ''} to take back")
            return
        with self.changed():
            self._pause_watched()
            self.played.undo(turns)

    def action_redo(self, turns: int = 1) -> None:
        """Play turns again."""
        there = len(self.played.turns_to_redo())
        if turns > there:
            self.say(f"there {'is' if there < 2 else 'are'} {there or 'nothing'} to play again")
            return
        with self.changed():
            self._pause_watched()
            self.played.redo(turns)

    def _pause_watched(self) -> None:
        """Two agents would play on at once."""
        if not self.played.persons:
            self.is_paused = True

    def action_look_at(self, index: int) -> None:
        """Look at another position."""
        self.played.look_at(index)
        self.board.show(self.played.shown_position)
        self.next_turn()

    def action_back(self, moves: int = 1) -> None:  # type: ignore[override]
        """Look back."""
        self.action_look_at(self.played.shown - moves)

    def action_forward(self, moves: int = 1) -> None:
        """Look forward."""
        self.action_look_at(self.played.shown + moves)

    def action_first(self) -> None:
        """Look at the start."""
        self.action_look_at(0)

    def action_last(self) -> None:
        """Look at the game again."""
        self.notice = ""
        self.action_look_at(self.played.present)

    # --- Agents that think ---

    def action_now(self) -> None:
        """Let the agent move now."""
        if self._thinking is None:
            self.say("no agent is thinking")
        elif not self._thinking.move_now():
            self.say(f"{self._thinking.name} cannot be told to move: it answers when its time is over")

    def action_pause(self) -> None:
        """Stop or go on."""
        self.is_paused = not self.is_paused
        if self._thinking is not None:
            if self.is_paused:
                self._thinking.pause()
            else:
                self._thinking.resume()
        elif not self.is_paused:
            self.seat()
        self.notice = ""
        self.next_turn()

    def action_view(self) -> None:
        """Show what the agent thinks, or not."""
        self.shows_thoughts = not self.shows_thoughts
        self.update_all()

    def action_line(self) -> None:
        """Show the expected moves, or not."""
        board = self.board
        line = () if board.expected else self.expected_line()
        if not line and not board.expected:
            self.say("no agent has said what it expects here")
        board.expect(line)

    # --- Games and players ---

    def action_new(self) -> None:
        """Ask which game."""
        choices = [Choice("The same game, the same players", "same"), Choice("The same game, sides changed", "sides")]
        choices += [Choice(words, words) for words in BOARDS]
        note = "The game on the board is not over." if self._is_worth_asking() else ""
        self.push_screen(Pick("A new game", choices, note), self._new)

    def _is_worth_asking(self) -> bool:
        return not self.played.is_over and self.played.present > 0

    def _new(self, choice: Any) -> None:
        if choice is None:
            return
        played = self.played
        if choice == "sides":
            played.change_sides()
        name, options = BOARDS.get(choice, ("", {}))
        game = load_game(name, **options) if name else played.game
        with self.changed():
            played.new_game(game)
            self._begin_again()

    def _begin_again(self) -> None:
        """After another game, start or players."""
        self.thoughts = {}
        self.clocks.reset()
        self.is_paused = False
        self.show_coach("")
        self.board.show_game(self.played.game, view_of(self.played.game), self.played.position)
        self.seat()
        self.fit()

    def action_sides(self) -> None:
        """Change sides."""
        with self.changed():
            self.played.change_sides()
            self.seat()

    def action_players(self) -> None:
        """Ask who plays."""
        self.push_screen(Pick("Who plays?", self.player_choices()), self._chosen_players)

    def player_choices(self) -> list[Choice]:
        """Levels, agents, people."""
        choices = [Choice(f"Against level {one.number}: {one.name}", level_text(one.name)) for one in LEVELS]
        choices += [Choice("Against uct_agent, as it plays matches", "uct_agent")]
        choices += [Choice("Against another agent: type its name or file", "type")]
        choices += [Choice("Two people at this board", "people"), Choice("Watch two agents", "agents")]
        return choices

    def _chosen_players(self, choice: str | None) -> None:
        if choice == "type":
            self.push_screen(Type("Which agent?", "uct_agent", self._check_agent), self._chosen_players)
        elif choice == "people":
            self._set_players([PERSON, PERSON])
        elif choice == "agents":
            title = "Who plays against whom?"
            note = "Two agents with a space between, first who moves first."
            self.push_screen(Type(title, "uct_agent greedy_agent", self._check_two, note), self._chosen_two)
        elif choice is not None:
            self.choose_player(choice)

    def _check_agent(self, text: str) -> str:
        try:
            find_agents((text,), self.played.game)
        except (AgentError, InputError) as error:
            return str(error)
        return ""

    def _check_two(self, text: str) -> str:
        names = text.split()
        if len(names) != 2:
            return "two names, with a space between"
        return next((wrong for name in names if (wrong := self._check_agent(name))), "")

    def _chosen_two(self, text: str | None) -> None:
        if text is not None:
            self._set_players(text.split())

    def choose_player(self, text: str) -> None:
        """Play against that agent or level; the person keeps the side, or gets the first one."""
        with suppress(InputError):  # no level, but an agent
            text = level_text(text)
        if wrong := self._check_agent(text):
            self.say(wrong)
            return
        side = self.played.side or 0
        self._set_players([PERSON, text] if side == 0 else [text, PERSON])

    def _set_players(self, players: list[str]) -> None:
        with self.changed():
            self.played.players = players
            self.is_paused = False
            self.seat()

    def action_setup(self) -> None:
        """Ask for a position."""
        game, shown = self.played.game, self.played.shown_position

        def check(text: str) -> str:
            try:
                game.parse_position(text)
            except NotationError as error:
                return str(error)
            return ""

        note = "One line; what is on the board now is an example of it."
        self.push_screen(Type("Begin from this position", game.format_position(shown), check, note), self._set_up)

    def _set_up(self, text: str | None) -> None:
        if text is not None:
            with self.changed():
                self.played.set_up(text)
                self._begin_again()

    # --- Files, leaving ---

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
            self.push_screen(Type("Load which file?", "", lambda text: _check_file(text)), self._ask_and_load)
        elif wrong := _check_file(name):
            self.say(wrong)
        else:
            self._ask_and_load(name)

    def _ask_and_load(self, name: str | None) -> None:
        if name is None:
            return

        def answered(answer: bool | None) -> None:
            if answer:
                self._load(name)

        if self._is_worth_asking():
            self.push_screen(Confirm("The game on the board is not over. Put it away?"), answered)
        else:
            self._load(name)

    def _load(self, name: str) -> None:
        loaded = GameInProgress.continued(load_game_file(Path(name).expanduser()))
        with self.changed():
            self.played.take_over(loaded, with_players=not is_sgf(Path(name)))  # SGF does not say who a person was
            self._begin_again()

    def action_resign(self) -> None:
        """Resign, if that is meant."""
        played = self.played
        if played.is_over or not played.persons:
            self.say("the game is over" if played.is_over else "you do not play")
            return
        side = played.position.to_move if played.is_persons_turn else played.persons[0]

        def answered(answer: bool | None) -> None:
            if answer:
                with self.changed():
                    played.look_at_present()
                    played.resign(side)

        name = "you" if played.side is not None else plain_side_name(played.game, side)
        self.push_screen(Confirm(f"Resign? Then {name} {'lose' if name == 'you' else 'loses'} the game."), answered)

    def action_quit(self) -> None:  # type: ignore[override]  # not awaited: it may ask first
        """Leave; a game that is not over is asked about."""
        self._leave(ctrl_c=False)

    def action_interrupt(self) -> None:
        """Ctrl-C asks; pressed again, it leaves."""
        if isinstance(self.screen, Confirm) and self.screen.ctrl_c:
            self.exit()
        else:
            self._leave(ctrl_c=True)

    def _leave(self, ctrl_c: bool) -> None:
        if not self._is_worth_asking():
            self.exit()
            return

        def answered(answer: bool | None) -> None:
            if answer:
                self.exit()

        kept = "The game is kept: play --resume goes on with it."
        if self.autosave is None or self.autosave.problem:
            kept = "The game is not kept: save it (w) if you want to go on later."
        again = " Ctrl-C again leaves." if ctrl_c else ""
        self.push_screen(Confirm(f"Leave? {kept}{again}", ctrl_c=ctrl_c), answered)

    def action_theme(self) -> None:
        """The next colours."""
        order = ["dark", "light", "ansi"]
        following = order[(order.index(self.theme_name) + 1) % 3]
        self.look = replace(self.look, theme=following)  # type: ignore[arg-type]
        self.set_look(following)  # type: ignore[arg-type]

    def action_help(self) -> None:
        """The rules, and every command, which can be chosen."""
        choices = [Choice(f"{one.shown:>6}  {one.name:<8} {one.help}", one.action) for one in COMMANDS]
        rules = self.board.view.rules
        self.push_screen(Pick("How to play, and all commands", choices, rules), self._chosen_command)

    def _chosen_command(self, action: str | None) -> None:
        if action is not None:
            self.obey(action, "")


def _check_file(name: str) -> str:
    """What is wrong with a file of a game."""
    try:
        GameInProgress.continued(load_game_file(Path(name).expanduser()))
    except (InputError, OSError, RuntimeError) as error:
        return str(error)
    return ""

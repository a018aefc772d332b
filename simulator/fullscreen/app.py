"""The application: every command of `commands.py` is an `action_` here; typed lines are moves or commands' names."""

import re

from textual import events
from textual.widgets import Input

from agents.human_agent import read_move
from game import IllegalMove, NotationError
from options import InputError
from simulator.fullscreen.board_app import Look
from simulator.fullscreen.commands import command_named
from simulator.fullscreen.dialogs import Confirm
from simulator.fullscreen.files import Files
from simulator.fullscreen.help import Help
from simulator.fullscreen.theme import next_theme
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, plain_side_name


class PlayApp(Files):
    """Play, and everything that can be asked for meanwhile."""

    def __init__(
        self, played: GameInProgress, agents: Agents, autosave: Autosave | None = None, look: Look | None = None
    ) -> None:
        super().__init__(played, agents, autosave, look)
        self._help = Help()
        self.install_screen(self._help, "help")  # kept: Textual does not let go of all that a closed screen drew

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
        self.screen_stack[0].set_focus(line)  # at once: `focus` waits

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

    def on_key(self, event: events.Key) -> None:
        """Escape leaves the line; what was typed before it was open, and so came to the board, is written there."""
        line = self.focused
        if not isinstance(line, Input) or line.id != "line":
            return
        if event.key == "escape":
            self.close_line()
            event.stop()
        elif event.is_printable:
            line.insert_text_at_cursor(event.character or "")
            event.prevent_default()  # it is no command

    def on_board_clicked(self) -> None:
        """Enter opens the line where there is nothing to choose on the board."""
        if self.board.can_choose:
            self.action_type()

    def _play_typed(self, text: str) -> None:
        played = self.played
        if not played.is_persons_turn or self.is_paused or played.is_looking_back:
            self._wrong("the game is over" if played.is_over else "it is not your turn to move")
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
        """Say what is wrong below the line, which stays; where it does not fit, beside the board."""
        text = capitalized(text)
        fits = self.fits(text)
        self.notice = ""
        self.write("next", text if fits else "That move cannot be played; see beside the board.")
        self.write("long-notice", "" if fits else text)

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
        self.notice = ""
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
        self.action_look_at(self.played.present)

    # --- Agents that think ---

    def action_now(self) -> None:
        """Let the agent move now."""
        if self.thinking is None:
            self.say("no agent is thinking")
        elif not self.thinking.move_now():
            self.say(f"{self.thinking.name} cannot be told to move: it answers when its time is over")

    def action_pause(self) -> None:
        """Stop or go on."""
        self.is_paused = not self.is_paused
        self.notice = ""
        if self.thinking is not None:
            if self.is_paused:
                self.thinking.pause()
            else:
                self.thinking.resume()
        elif not self.is_paused:
            self.seat()  # pauses again, and says why, where an agent is missing
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

    # --- Leaving ---

    def action_resign(self) -> None:
        """Resign, if that is meant."""
        played = self.played
        if played.is_over or not played.persons:
            self.say("the game is over" if played.is_over else "you do not play")
            return
        side = played.position.to_move if played.is_persons_turn else played.persons[0]

        def answered(answer: bool | None) -> None:
            if answer and not played.is_over:  # an agent may have ended the game meanwhile
                with self.changed():
                    played.look_at_present()
                    played.resign(side)

        name = "you" if played.side is not None else plain_side_name(played.game, side)
        self.push_screen(Confirm(f"Resign? Then {name} {'lose' if name == 'you' else 'loses'} the game."), answered)

    def action_quit(self) -> None:  # type: ignore[override]  # not awaited: it may ask first
        """Leave; a game that is not over is asked about."""
        self._leave()

    def action_interrupt(self) -> None:
        """Ctrl-C asks; pressed while it is asked, also because of q, it leaves."""
        if isinstance(self.screen, Confirm) and self.screen.to_leave:
            self.exit()
        else:
            self._leave()

    def _leave(self) -> None:
        if not self.is_worth_asking():
            self.exit()
            return

        def answered(answer: bool | None) -> None:
            if answer:
                self.exit()

        kept = "The game is kept: play --resume goes on with it."
        if self.autosave is None or self.autosave.problem:
            kept = "The game is not kept: save it (w) if you want to go on later."
        self.push_screen(Confirm(f"Leave? {kept} Ctrl-C leaves.", to_leave=True), answered)

    def action_theme(self) -> None:
        """The next colours."""
        try:
            self.set_look(next_theme(self.theme_name))
        except InputError as error:
            self.say(str(error))

    def action_help(self) -> None:
        """The rules, and every command, which can be chosen."""
        self._help.begin(self.board.view.rules)
        self.push_screen(self._help, self._chosen_command)

    def _chosen_command(self, action: str | None) -> None:
        if action is not None:
            self.obey(action, "")

"""The application: keys, clicks and typed lines become commands of the game's controller, or moves."""

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.css.query import NoMatches
from textual.widgets import Input, Static

from game import FIRST, SECOND, RulesError
from simulator.fullscreen.asking import Asking
from simulator.fullscreen.board import Board
from simulator.fullscreen.board_app import BoardApp, Look
from simulator.fullscreen.dialogs import Confirm, ask
from simulator.fullscreen.front_end import ScreenFrontEnd
from simulator.fullscreen.help import Help
from simulator.fullscreen.keys import KEYS
from simulator.fullscreen.lines import Lines
from simulator.fullscreen.panels import Moves, Players, Thoughts, clock_text
from simulator.fullscreen.theme import next_theme
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.commands import COMMANDS, Command, named, obey
from simulator.play.controller import Controller
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import plain_side_name
from simulator.play.thinker import Request

TICK_SECONDS = 0.25
LONGEST_TICK_SECONDS = 1.0  # between two looks at the clock; a longer time was a stop: Ctrl-Z, a laptop's sleep
PLACEHOLDER = "a move or a command (help lists all).   Enter: play   Esc: back to the board"


class PlayApp(BoardApp):
    """The application in which people play, with all commands of a game.

    Attributes:
        lines: what is written below the board.
        commands: all commands by name, the screen's own included.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *KEYS.values(),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]
    advice = "make it larger. Or leave (q) and play with --plain, in lines."
    lower_parts = ("next", "keys", "notice-line")
    lower_lines = 3
    least_side = 20  # characters
    margin = 1

    def __init__(self, played: GameInProgress, agents: Agents, autosave: Autosave, look: Look) -> None:
        super().__init__(look)
        self.front_end = ScreenFrontEnd(self)
        self.controller = Controller(played, agents, self.front_end, autosave)
        self.lines = Lines(self, self.controller)
        self.commands = {
            "type": Command("type a move, or the name of a command", lambda *_: self._open_line()),
            "view": Command("show or hide what the agent thinks", lambda *_: self._turn_view()),
            "line": Command("show or hide the agent's expected moves on the board", lambda *_: self._turn_line()),
            "theme": Command(
                "change to dark, light or terminal colours", lambda *_: self.set_look(next_theme(self.theme_name))
            ),
            **COMMANDS,
        }
        asking = Asking(self)
        self._dialogs = {
            "new": asking.new,
            "agent": asking.players,
            "level": asking.players,
            "setup": asking.setup,
            "save": asking.save,
            "load": asking.load,
            "analyze": self.front_end.analyze,
            "quit": self._leave,
        }
        self.shows_thoughts = agents.settings.show_analysis
        self.now = time.monotonic
        self._ticked = self.now()
        self.help = Help(self.commands)
        self.install_screen(self.help, "help")  # installed once: Textual does not free all that a closed screen drew

    def compose(self) -> ComposeResult:
        """Board and panels, then three lines: news or what was wrong, what to do next, the keys."""
        played = self.controller.played
        with Horizontal(id="upper"):
            yield Board(played.game, played.shown_position, animated=self.look.animated)
            with Vertical(id="side"):
                yield Players(id="players")
                yield Thoughts(id="thoughts")
                yield Moves(id="moves")
                yield Static(id="score")
                yield Static(id="coach-text")
                yield Static(id="long-notice")
        with Horizontal(id="notice-line"):
            yield Static(id="notice")
            yield Input(id="line", placeholder=PLACEHOLDER, compact=True, select_on_focus=False)
        yield Static(id="next")
        yield Static(id="keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Start the agents, then begin. Textual also calls `on_mount` of the base class."""
        self.part("line").display = False
        self.set_interval(TICK_SECONDS, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.fit()
        self.board.focus()
        self.controller.seat()
        self.front_end.turn()

    # --- What is shown ---

    def update_all(self) -> None:
        """Draw everything that is not the board."""
        played = self.controller.played
        self._show_clocks()
        self.query_one(Moves).show(played, self.board.view.rules)
        thoughts = self.query_one(Thoughts)
        thoughts.display = self.shows_thoughts
        if self.shows_thoughts:
            thoughts.show(played, self.controller.thoughts)
        shown, ending = played.shown_position, self.lines.ending()
        score = self.board.view.score(shown) if shown.result is not None else ""
        self.write("score", score or ("" if self.lines.fits(ending) else ending))
        self.lines.update()

    def _show_clocks(self) -> None:
        played, thinking = self.controller.played, self.controller.thinking
        seconds = list(played.seconds)
        if thinking is not None:
            seconds[played.position.to_move] += thinking.seconds
        sides = [plain_side_name(played.game, side) for side in (FIRST, SECOND)]
        names = [side if (who := played.name_of(n)) == side else f"{side}: {who}" for n, side in enumerate(sides)]
        to_move = None if played.is_over else played.position.to_move
        for panel in self.query(Players):  # none while the program ends
            panel.show(played.game, names, [*map(clock_text, seconds)], to_move, played.winner)

    def _tick(self) -> None:
        """Count the time of the person who is to move, and of the agent that is waited for."""
        controller, played = self.controller, self.controller.played
        now = self.now()
        passed, self._ticked = now - self._ticked, now
        runs = played.is_persons_turn and not controller.is_paused and not controller.starting
        if runs and 0 <= passed <= LONGEST_TICK_SECONDS:
            played.seconds[played.position.to_move] += passed
        if not self.screen_stack:
            return
        with suppress(NoMatches):  # the lines are gone while the program ends
            self.lines.count()
        if not played.is_over:
            self._show_clocks()

    def enlarged(self) -> None:
        """Give the focus back to the line in which a person types, or to the board."""
        line = self.part("line")
        self.screen_stack[0].set_focus(line if line.display else self.board)

    # --- Commands ---

    def obey(self, line: str) -> None:
        """Do what a line says; if its argument is missing, ask for it in a dialog."""
        name, argument = named(line)
        if not argument and name in self._dialogs:
            self._dialogs[name]()
        else:
            obey(self.controller, line, self.commands)

    action_do = obey  # a key was pressed, or its name was clicked

    def action_look_at(self, index: int) -> None:
        """A move of the list was clicked."""
        self.controller.look_at(index)

    def answered(self, request: Request[Any], use: Callable[[Request[Any]], None]) -> None:
        """Give the answer of an agent to `use`."""
        was_starting = bool(self.controller.starting)
        self.lines.count()  # the agent that has answered is not waited for any more
        use(request)
        if was_starting and not self.controller.starting:
            keep_from_collection()

    def _turn_view(self) -> None:
        self.shows_thoughts = not self.shows_thoughts
        self.update_all()

    def _turn_line(self) -> None:
        """Show or hide the moves that the agent expects from the position that is looked at."""
        analysis = self.controller.thoughts.get(self.controller.played.shown)
        is_shown = bool(self.board.expected)
        self.front_end.expect(analysis.pv[1:] if analysis and analysis.pv and not is_shown else ())
        if not is_shown and not self.board.expected:
            self.lines.say("no agent has said what it expects here")

    def action_interrupt(self) -> None:
        """Ctrl-C asks whether to leave; pressed during that question (q asks it, too), it leaves."""
        if isinstance(self.screen, Confirm) and self.screen.to_leave:
            self.exit()
        else:
            self._leave()

    def _leave(self) -> None:
        kept = "The game is kept: play --resume goes on with it."
        if not self.controller.autosave.is_kept:
            kept = "The game is not kept: save it (w) if you want to go on later."
        if self.controller.is_worth_asking:
            ask(self, Confirm(f"Leave? {kept} Ctrl-C leaves.", to_leave=True), lambda _: self.exit())
        else:
            self.exit()

    # --- Typing ---

    def _open_line(self) -> None:
        line = self.query_one("#line", Input)
        line.value = ""
        self.part("notice").display = False
        line.display = True
        self.lines.say("")
        self.screen_stack[0].set_focus(line)  # at once: `focus` waits

    def _close_line(self) -> None:
        self.part("line").display = False
        self.part("notice").display = True
        self.board.focus()
        self.lines.update()

    def on_input_blurred(self, event: Input.Blurred) -> None:
        """Close the line when a person has gone to the board; it stays under a dialog, and in another window."""
        if event.input.id == "line" and event.input.display and self.screen_stack[0].focused is self.board:
            self._close_line()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Obey the command that was typed, or play the move; a wrong move stays in the line."""
        if event.input.id != "line":
            return
        text = event.value.strip()
        if not text or named(text)[0] in self.commands:
            self._close_line()
            self.obey(text)
            return
        wrong = "the game is paused" if self.controller.is_paused else self.controller.play_typed(text)
        if wrong:
            self._explain(self.controller.sentence(wrong))
        else:
            self._close_line()

    def _explain(self, wrong: str) -> None:
        """Say below the line what is wrong; if that does not fit, beside the board."""
        fits = self.lines.fits(wrong)
        self.lines.say("")
        self.write("next", wrong if fits else "That move cannot be played: see beside the board.")
        self.write("long-notice", "" if fits else wrong)

    def on_key(self, event: events.Key) -> None:
        """Escape leaves the line; a key that comes before the line takes the keys itself is written into it."""
        line = self.focused
        if not isinstance(line, Input) or line.id != "line":
            return
        if event.key == "escape":
            self._close_line()
            event.stop()
        elif event.is_printable:
            line.insert_text_at_cursor(event.character or "")
            event.prevent_default()  # the key is no command

    # --- The board's messages ---

    def on_board_move_chosen(self, message: Board.MoveChosen) -> None:
        """Play a person's move, unless it was chosen in an earlier position, as by the second click of a double one."""
        played = self.controller.played
        is_now = message.position is played.position
        if is_now and played.is_persons_turn and not self.controller.is_paused and not played.is_looking_back:
            self.lines.say("")
            try:
                self.controller.play(message.move)
            except RulesError as error:  # of a game's file
                self.lines.say(f"not played: {error}")

    def on_board_shown(self) -> None:
        """Go on after a move has been shown."""
        self.front_end.turn()

    def on_board_refused(self, message: Board.Refused) -> None:
        """Say what is wrong."""
        self.lines.say(f"{message.reason}.")

    def on_board_changed(self) -> None:
        """After another step, update the line that says what to do."""
        self.lines.say("")

    def on_board_clicked(self) -> None:
        """Say why the board is not open; if it is open but has nothing to choose, open the line for typing."""
        if self.board.can_choose:
            self._open_line()
        else:
            self.lines.update()


def keep_from_collection() -> None:
    """Exclude all present objects from garbage collection: a run took 0.1 to 0.2 s, in which keys had to wait."""
    gc.collect()
    gc.freeze()

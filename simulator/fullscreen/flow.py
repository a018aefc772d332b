"""The screen and the flow of a game: whose turn it is, agents that are asked and answer, clocks, what is shown.

Begin reading at `Flow.next_turn`. Agents answer in threads of their own; what they answer arrives as a message, and one
that nobody waits for any more is dropped.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from agents.agent import AgentError
from board_view import BoardView
from game import FIRST, SECOND, Game
from options import InputError
from simulator.fullscreen.board import Board
from simulator.fullscreen.clocks import Clocks
from simulator.fullscreen.commands import BY_NAME, COMMANDS
from simulator.fullscreen.panels import Moves, Players, Thoughts, position_texts
from simulator.fullscreen.plain_view import PlainView
from simulator.fullscreen.theme import TEXTUAL_THEMES, ThemeName, wanted_theme
from simulator.gtp.analysis import Analysis
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized
from simulator.play.thinker import AgentFailed, CalledOff, Task, Thinker

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
SIDE_WIDTH, WIDEST_SIDE = 34, 64  # characters beside the board
TICK_SECONDS = 0.25
ADVICE = "make it larger. Or leave (q) and play with --plain, in lines."


@dataclass(frozen=True)
class Look:
    """How the screen looks.

    Attributes:
        theme: of `theme.py`.
        ascii: boards of ASCII characters.
        animated: moves are shown in a few pictures.
    """

    theme: ThemeName = "auto"
    ascii: bool = False
    animated: bool = True


def view_of(game: Game) -> BoardView:
    """The game's view, or `Game.draw`'s picture."""
    return game.board_view() or PlainView(game)


class Flow(App[None]):
    """The game on the screen; `simulator.fullscreen.app.PlayApp` adds the commands.

    Attributes:
        played: the game.
        is_paused: clocks and agents stand still.
        thoughts: what agents said of their moves, by the ply after the move.
    """

    CSS_PATH = "screen.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Unforced"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(one.keys, one.action, one.short, show=False) for one in COMMANDS),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    class Answered(Message):
        """An agent has answered, or will not."""

        def __init__(self, task: Task[Any]) -> None:
            super().__init__()
            self.task = task

    class Started(Message):
        """An agent was started, or could not be."""

        def __init__(self, thinker: Thinker, task: Task[Any]) -> None:
            super().__init__()
            self.thinker, self.task = thinker, task

    def __init__(
        self, played: GameInProgress, agents: Agents, autosave: Autosave | None = None, look: Look | None = None
    ) -> None:
        super().__init__()
        self.played, self.agents, self.autosave, self.look = played, agents, autosave, look or Look()
        self.thoughts: dict[int, Analysis] = {}
        self.clocks = Clocks()
        self.is_paused = False
        self.shows_thoughts = agents.settings.show_analysis
        self.notice = ""
        self._started: set[Thinker] = set()  # or being started
        self._starting: set[Thinker] = set()
        self._thinking: Task[Any] | None = None  # who is asked for a move
        self._held: Task[Any] | None = None  # answered while a move is still being shown

    # --- The screen ---

    def compose(self) -> ComposeResult:
        """Board and panels, then three lines: what was wrong or is new, what to do next, the keys."""
        game, look = self.played.game, self.look
        with Horizontal(id="upper"):
            yield Board(game, view_of(game), self.played.shown_position, ascii=look.ascii, animated=look.animated)
            with Vertical(id="side"):
                yield Players(id="players")
                yield Thoughts(id="thoughts")
                yield Moves(id="moves")
                yield Static(id="coach-text")
                yield Static(id="long-notice")
        with Horizontal(id="notice-line"):
            yield Static(id="notice")
            yield Input(id="line", compact=True, select_on_focus=False)
        yield Static(id="next")
        yield Static(id="keys")
        yield Static(id="small")

    @property
    def board(self) -> Board:
        """The board."""
        return self.screen_stack[0].query_one(Board)

    def part(self, name: str) -> Widget:
        """A line or panel of the screen below all dialogs."""
        return self.screen_stack[0].query_one(f"#{name}")

    def write(self, name: str, text: str) -> None:
        """Write a line or panel."""
        self.screen_stack[0].query_one(f"#{name}", Static).update(Content(text))

    def on_mount(self) -> None:
        """Set the colours, start the agents, begin."""
        self.set_look(self.look.theme)
        self.part("line").display = False
        self.part("small").display = False
        self.set_interval(TICK_SECONDS, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.fit()
        self.board.focus()
        if self.seat():
            self.next_turn()

    def set_look(self, theme: ThemeName) -> None:
        """Choose the colours."""
        name = wanted_theme(theme, self.console.color_system)
        self.theme = TEXTUAL_THEMES[name]
        self.theme_name = name
        self.board.is_own = name == "ansi"
        self.board.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Draw as large as fits; below 80x24 say so."""
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Share the width between the board and the panels."""
        width, height = self.size
        is_small = width < LEAST_WIDTH or height < LEAST_HEIGHT
        self.part("small").display = is_small
        self.part("upper").display = not is_small
        for name in ("next", "keys", "notice-line"):
            self.part(name).display = not is_small
        if is_small:
            least = f"{LEAST_WIDTH}x{LEAST_HEIGHT}"
            self.write("small", f"This terminal has {width}x{height} characters, and the board needs {least}: {ADVICE}")
            return
        board = self.board.size_for(height - 3, width - SIDE_WIDTH - 2)
        side = min(WIDEST_SIDE, max(SIDE_WIDTH, width - board.width - 4))
        self.part("side").styles.width = side
        self.call_after_refresh(self.update_all)

    def update_all(self) -> None:
        """Draw everything that is not the board."""
        side = self.screen_stack[0]
        side.query_one(Players).show(self.played, self._seconds(), self.look.ascii)
        side.query_one(Moves).show(self.played, self.board.view.rules)
        thoughts = side.query_one(Thoughts)
        thoughts.display = self.shows_thoughts
        if self.shows_thoughts:
            thoughts.show(self.played, self.thoughts, self.look.ascii)
        self.update_lines()

    def update_lines(self) -> None:
        """Draw the lines below the board."""
        self.write("next", self.prompt())
        is_long = len(self.notice) > self.size.width - 2
        self.write("notice", "" if is_long else self.notice)
        self.write("long-notice", self.notice if is_long else "")
        self.screen_stack[0].query_one("#keys", Static).update(self._keys())

    def _keys(self) -> str:
        """The keys that mean something now, as many as fit, each of which can be clicked."""
        names = self._useful()
        room, shown = self.size.width - 2, []
        for name in names:
            command = BY_NAME[name]
            length = len(command.shown) + len(command.short) + 3
            if length > room:
                break
            room -= length
            shown.append(f"[@click=app.{command.action}][b]{command.shown}[/b] {command.short}[/]")
        return "  ".join(shown)

    def _useful(self) -> list[str]:
        if self.played.is_over:
            return ["new", "help", "summary", "undo", "back", "save", "sides", "players", "quit"]
        if self._thinking is not None:
            return ["now", "help", "undo", "pause", "resign", "quit", "view", "line", "back"]
        return ["help", "type", "undo", "hint", "quit", "new", "analyze", "coach", "view", "back", "players", "save"]

    def say(self, text: str) -> None:
        """Show a line until the next thing happens; a long one beside the board."""
        self.notice = (
            text if "_" in text.partition(" ")[0] else capitalized(text)
        )  # the name of an agent stays as it is
        if self.screen_stack:
            self.update_lines()

    # --- What to do next ---

    def prompt(self) -> str:
        """What the person has to do, always."""
        played = self.played
        if played.is_looking_back:
            return f"You look at move {played.shown} of {played.present}. PgUp, PgDn: back, forward. End: to the game."
        if played.is_over:
            return f"Game over: {played.ending()}. n: new game, u: take back, PgUp: look back, q: leave."
        if self.is_paused:
            return "Paused: nobody's clock runs. Press P to go on."
        if self._starting:
            names = " and ".join(sorted(one.name for one in self._starting))
            if not played.is_persons_turn:
                return f"Starting {names} ... (the first time this takes up to a minute)"
        if self._thinking is not None:
            return f"{self._thinking.name} is thinking ... Space: move now."
        if played.is_persons_turn:
            board = self.board
            text = board.view.prompt(board.position, board.chosen, board.pointed)
            who = played.name_of(played.position.to_move)
            return text if who == "you" else f"{who}: {text}"
        return ""

    # --- The flow of a game ---

    def seat(self) -> bool:
        """Start the agents that play and were not started; False, and why, if there is no such agent."""
        played = self.played
        try:
            playing = {self.agents.player(side) for side in (FIRST, SECOND) if not played.is_person(side)}
        except (AgentError, InputError) as error:
            self.say(f"{error}. Choose who plays: press o.")
            return False
        new = playing - self._started
        self._started, self._starting = playing, (self._starting & playing) | new
        for thinker in new:
            self.when_done(thinker.start(played.position), partial(self.Started, thinker))
        return True

    def on_flow_started(self, message: Started) -> None:
        """Let the agent play, or say why it cannot."""
        if message.thinker not in self._starting:
            return
        self._starting.discard(message.thinker)
        try:
            message.task.result()
        except CalledOff:
            return
        except AgentFailed as fault:
            self._failed_to_start(fault)
            return
        self.next_turn()

    def _failed_to_start(self, fault: AgentFailed) -> None:
        """Pause until somebody else is chosen."""
        self.is_paused = True
        last = fault.stderr[-1] if fault.stderr else ""
        self.say(f"{fault}{': ' + last if last else ''}. Choose who plays: press o.")

    def next_turn(self) -> None:
        """Let the next one play: a person at the board, or an agent that is asked."""
        played, board = self.played, self.board
        board.open(False)
        if played.is_looking_back or played.is_over or self.is_paused:
            pass
        elif played.is_persons_turn:
            if not board.is_animated:
                board.open(True)
        elif self._thinking is None and self._held is None and not self._starting:
            self._ask()
        self.update_all()

    def _ask(self) -> None:
        thinker = self.agents.player(self.played.position.to_move)
        task = thinker.move(self.played.positions)
        self._thinking = task
        self.when_done(task, self.Answered)

    def when_done(self, task: Task[Any], message: Callable[[Task[Any]], Message]) -> None:
        """Send a message when the answer is there."""

        def tell(done: Task[Any]) -> None:
            self.post_message(message(done))

        task.when_done(tell)

    def call_off(self) -> None:
        """Nobody waits any more for the agent that is thinking."""
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = self._held = None

    def on_flow_answered(self, message: Answered) -> None:
        """Play the agent's move, once the one before it has been shown."""
        if message.task is not self._thinking:
            return
        self._thinking = None
        if self.board.is_animated:
            self._held = message.task
        else:
            self._play_answer(message.task)

    def on_board_shown(self) -> None:
        """A move has been shown."""
        held, self._held = self._held, None
        if held is not None:
            self._play_answer(held)
        else:
            self.next_turn()

    def _play_answer(self, task: Task[Any]) -> None:
        side = self.played.position.to_move
        try:
            answer = task.result()
        except CalledOff:
            return
        except AgentFailed as fault:
            self.played.end(f"{fault}; {self.played.name_of(1 - side)} won", 1 - side, "F")
            self.say("\n".join(fault.quoted()[-1:]).strip())
            self._ended()
            return
        self.clocks.seconds[side] += answer.seconds
        if answer.move is None:
            self.played.resign(side)
            self._ended()
            return
        self.thoughts[self.played.present + 1] = answer.analysis
        self.play(answer.move)

    def _ended(self) -> None:
        self.keep()
        self.next_turn()

    def play(self, move: Any) -> None:
        """Play a legal move, and show it being made."""
        played, before = self.played, self.played.position
        looked_at = played.shown if played.is_looking_back else None
        self.thoughts = {ply: one for ply, one in self.thoughts.items() if ply <= played.present + 1}
        played.play(move)
        self.keep()
        if looked_at is None:
            self.board.show(played.position, before)
        else:
            played.look_at(looked_at)
            self.say(f"{played.game.format_move(move)} was played: End shows it.")
        self.played_move(before)
        self.next_turn()

    def played_move(self, before: Any) -> None:
        """What else happens after a move."""

    def keep(self) -> None:
        """Write the game to where `play --resume` finds it."""
        if self.autosave is not None:
            self.autosave.write(self.played.saved(), self.played.is_over)

    def show_present(self) -> None:
        """Show the position that is looked at, without a move being made, and go on."""
        self.board.show(self.played.shown_position)
        self.next_turn()

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Around a change of the game: whoever thinks is called off before, the board and the turn follow after."""
        self.call_off()
        self.notice = ""
        yield
        self.keep()
        self.show_present()

    # --- Clocks ---

    def _seconds(self) -> list[float]:
        seconds = list(self.clocks.seconds)
        if self._thinking is not None:
            seconds[self.played.position.to_move] += self._thinking.seconds
        return seconds

    def _tick(self) -> None:
        played = self.played
        runs = played.is_persons_turn and not self.is_paused and not self._starting
        self.clocks.tick(played.position.to_move if runs else None)
        if played.is_over or not self.screen_stack:
            return
        for panel in self.screen_stack[0].query(Players):  # none while the program ends
            panel.show(played, self._seconds(), self.look.ascii)

    # --- The board's messages ---

    def on_board_move_chosen(self, message: Board.MoveChosen) -> None:
        """A person moves."""
        if self.played.is_persons_turn and not self.is_paused and not self.played.is_looking_back:
            self.notice = ""
            self.play(message.move)

    def on_board_refused(self, message: Board.Refused) -> None:
        """Say what is wrong."""
        self.say(f"{message.reason}.")

    def on_board_changed(self) -> None:
        """Another step, another line of what to do."""
        self.notice = ""
        self.update_lines()

    def on_board_clicked(self) -> None:
        """The board is not open: say why not."""
        self.update_lines()

    def expected_line(self) -> tuple[Any, ...]:
        """The moves that the agent expects from the position that is looked at."""
        played = self.played
        analysis = self.thoughts.get(played.shown)
        if analysis is None or not analysis.pv:
            return ()
        return position_texts(played.game, played.shown_position, analysis.pv[1:])

"""The flow of a game on the screen: whose turn it is, agents that are asked and answer, clocks.

Begin reading at `Flow.next_turn`. Agents answer in threads of their own; what they answer arrives as a message, and one
that nobody waits for any more is dropped.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from textual.css.query import NoMatches
from textual.message import Message

from agents.agent import AgentError
from game import FIRST, SECOND
from options import InputError
from simulator.fullscreen.board import Board
from simulator.fullscreen.board_app import Look
from simulator.fullscreen.layout import Layout
from simulator.fullscreen.panels import Players, position_texts
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.thinker import AgentFailed, CalledOff, Task, Thinker

TICK_SECONDS = 0.25


class Flow(Layout):
    """The game that is played; `app.PlayApp` adds the commands.

    Attributes:
        autosave: where the running game is kept; None for nowhere.
    """

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
        super().__init__(played, agents, look)
        self.autosave = autosave
        self._started: set[Thinker] = set()  # or being started
        self._held: Task[Any] | None = None  # answered while a move is still being shown, or during a pause

    def on_mount(self) -> None:
        """Start the agents, begin."""
        self.part("line").display = False
        self.set_interval(TICK_SECONDS, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.fit()
        self.board.focus()
        self.seat()
        self.next_turn()

    # --- The flow of a game ---

    def seat(self) -> None:
        """Start the agents that play and were not started; if there is no such agent, pause and say why."""
        played = self.played
        try:
            playing = {self.agents.player(side) for side in (FIRST, SECOND) if not played.is_person(side)}
        except (AgentError, InputError) as error:
            self._pause_until_chosen(str(error))
            return
        new = playing - self._started
        self._started = playing
        self.starting = {thinker: task for thinker, task in self.starting.items() if thinker in playing}
        for thinker in new:
            self.starting[thinker] = thinker.start()
            self.when_done(self.starting[thinker], partial(self.Started, thinker))

    def on_flow_started(self, message: Started) -> None:
        """Let the agent play, or say why it cannot."""
        if message.thinker not in self.starting:
            return
        del self.starting[message.thinker]
        try:
            message.task.result()
        except CalledOff:
            return
        except AgentFailed as fault:
            last = fault.stderr[-1] if fault.stderr else ""
            self._pause_until_chosen(f"{fault}{': ' + last if last else ''}")
        except OSError as error:
            self._pause_until_chosen(f"{message.thinker.name} cannot be started: {error}")
        keep_from_collection()
        self.next_turn()

    def _pause_until_chosen(self, reason: str) -> None:
        """Pause until somebody else is chosen."""
        self.is_paused = True
        self.say(f"{reason}. Choose who plays: press o.")

    def next_turn(self) -> None:
        """Let the next one play: a person at the board, or an agent that is asked."""
        played, board = self.played, self.board
        if self._held is not None and not (board.is_animated or self.is_paused):
            held, self._held = self._held, None
            self._play_answer(held)
            return
        goes_on = not (played.is_looking_back or played.is_over or self.is_paused)
        board.open(goes_on and played.is_persons_turn and not board.is_animated)
        if not goes_on or played.is_persons_turn:
            pass
        elif self.thinking is None and self._held is None and not self.starting:
            self._ask()
        self.update_all()

    def _ask(self) -> None:
        thinker = self.agents.player(self.played.position.to_move)
        task = thinker.move(self.played.positions)
        self.thinking = task
        self.when_done(task, self.Answered)

    def when_done(self, task: Task[Any], message: Callable[[Task[Any]], Message]) -> None:
        """Send a message when the answer is there."""

        def tell(done: Task[Any]) -> None:
            self.post_message(message(done))

        task.when_done(tell)

    def call_off(self) -> None:
        """Nobody waits any more for the agent that is thinking."""
        if self.thinking is not None:
            self.thinking.cancel()
        self.thinking = self._held = None

    def on_flow_answered(self, message: Answered) -> None:
        """Play the agent's move, once the one before it has been shown and nobody pauses."""
        if message.task is self.thinking:
            self.thinking, self._held = None, message.task
            self.next_turn()

    def on_board_shown(self) -> None:
        """A move has been shown."""
        self.next_turn()

    def _play_answer(self, task: Task[Any]) -> None:
        """Play what an agent answered; where this machine failed, pause: that decides no game."""
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
        except OSError as error:
            self.is_paused = True
            self.say(f"{task.name} could not be asked: {error}")
            self.next_turn()
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
        self.write("coach-text", "")
        yield
        self.keep()
        self.show_present()

    # --- Clocks ---

    def _tick(self) -> None:
        played = self.played
        runs = played.is_persons_turn and not self.is_paused and not self.starting
        self.clocks.tick(played.position.to_move if runs else None)
        with suppress(NoMatches):  # the lines have gone while the program ends
            self._count_waiting()
        if played.is_over or not self.screen_stack:
            return
        for panel in self.screen_stack[0].query(Players):  # none while the program ends
            panel.show(played, self.seconds(), self.look.ascii)

    def _count_waiting(self) -> None:
        """Count the seconds of an agent that is still being started; what is drawn already is not drawn again."""
        is_waited_for = self.starting and not self.played.is_persons_turn
        if is_waited_for and self.screen_stack and not self.part("line").display:
            self.write("next", self.prompt())

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


def keep_from_collection() -> None:
    """Let the garbage collector pass over all that there is: it took 0.1 to 0.2 s each time, and keys waited for it."""
    gc.collect()
    gc.freeze()

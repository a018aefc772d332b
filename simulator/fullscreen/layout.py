"""The screen: board and panels, what is new, what to do next, the keys that mean something."""

import re
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from agents.levels.table import level_of
from simulator.fullscreen.board import Board
from simulator.fullscreen.board_app import BoardApp, Look, view_of
from simulator.fullscreen.clocks import Clocks
from simulator.fullscreen.commands import BY_NAME, COMMANDS
from simulator.fullscreen.panels import Moves, Players, Thoughts, move_number
from simulator.gtp.analysis import Analysis
from simulator.play.agents import Agents
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import agent_name, capitalized
from simulator.play.thinker import Task, Thinker
from simulator.player.lookup import PERSON

LEAST_SIDE = 20  # characters beside the board
ONE_LINE = ("next",)  # panels whose size is always the same


class Layout(BoardApp):
    """What is on the screen, and where; `flow.Flow` lets it happen.

    Attributes:
        played: the game.
        agents: who plays it, and who gives advice.
        thoughts: what agents said of their moves, by the ply after the move.
        is_paused: clocks and agents stand still.
        shows_thoughts: whether what agents think is shown.
        notice: a line that is shown until the next thing happens.
        thinking: the agent that was asked for a move, as a task; None if nobody is.
        starting: the agents that are being started, each with what it was asked for that.
    """

    advice = "make it larger. Or leave (q) and play with --plain, in lines."
    lower_parts = ("next", "keys", "notice-line")
    lower_lines = 3
    least_side = LEAST_SIDE
    margin = 1
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(one.keys, one.action, one.short, show=False) for one in COMMANDS),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, played: GameInProgress, agents: Agents, look: Look | None = None) -> None:
        super().__init__(look)
        self.played, self.agents = played, agents
        self.thoughts: dict[int, Analysis] = {}
        self.clocks = Clocks(played.seconds)
        self.is_paused = False
        self.shows_thoughts = agents.settings.show_analysis
        self.notice = ""
        self.starting: dict[Thinker, Task[None]] = {}
        self.thinking: Task[Any] | None = None

    def compose(self) -> ComposeResult:
        """Board and panels, then three lines: what was wrong or is new, what to do next, the keys."""
        game, look = self.played.game, self.look
        with Horizontal(id="upper"):
            yield Board(game, view_of(game), self.played.shown_position, ascii=look.ascii, animated=look.animated)
            with Vertical(id="side"):
                yield Players(id="players")
                yield Thoughts(id="thoughts")
                yield Moves(is_ascii=look.ascii, id="moves")
                yield Static(id="score")
                yield Static(id="coach-text")
                yield Static(id="long-notice")
        with Horizontal(id="notice-line"):
            yield Static(id="notice")
            yield Input(id="line", compact=True, select_on_focus=False)
        yield Static(id="next")
        yield Static(id="keys")
        yield Static(id="small")

    def write(self, name: str, text: str, *, layout: bool = True) -> None:
        """Write a line or panel."""
        super().write(name, text, layout=name not in ONE_LINE)

    def enlarged(self) -> None:
        """Give the focus back."""
        self.screen_stack[0].set_focus(self.part("line") if self.part("line").display else self.board)

    def update_all(self) -> None:
        """Draw everything that is not the board."""
        side = self.screen_stack[0]
        side.query_one(Players).show(self.played, self.seconds(), self.look.ascii)
        side.query_one(Moves).show(self.played, self.board.view.rules)
        thoughts = side.query_one(Thoughts)
        thoughts.display = self.shows_thoughts
        if self.shows_thoughts:
            thoughts.show(self.played, self.thoughts, self.look.ascii)
        shown = self.played.shown_position
        score = self.board.view.score(shown) if shown.result is not None else ""
        ending = self._ending() if self.played.is_over else ""
        self.write("score", score or ("" if self.fits(ending) else ending))
        self.update_lines()

    def update_lines(self) -> None:
        """Draw the lines below the board."""
        self.write("next", self.prompt())
        fits = self.fits(self.notice)
        self.write("notice", self.notice if fits else "")
        self.write("long-notice", "" if fits else self.notice)
        commands = (BY_NAME[name] for name in self._useful())
        self.write_keys((one.action, one.shown, one.short) for one in commands)

    def fits(self, text: str) -> bool:
        """Whether a text fits a line below the board."""
        return len(text) <= self.size.width - 2

    def _useful(self) -> list[str]:
        if self.played.is_looking_back:
            return ["last", "back", "forward", "first", "help", "analyze", "hint", "undo", "quit"]
        if self.played.is_over:
            return ["new", "help", "undo", "quit", "summary", "back", "save", "sides", "players"]
        if self.thinking is not None:
            return ["now", "help", "undo", "pause", "resign", "quit", "view", "line", "back"]
        return ["help", "type", "undo", "hint", "quit", "new", "analyze", "coach", "view", "back", "players", "save"]

    def say(self, text: str) -> None:
        """Show a line until the next thing happens; a long one beside the board."""
        self.notice = text if self._begins_with_agent(text) else capitalized(text)
        if self.screen_stack:
            self.update_lines()

    def _begins_with_agent(self, text: str) -> bool:
        """Whether a sentence begins with the name of an agent, which stays as it is; a level's is a usual word."""
        agents = [self.agents.settings.hints, *(text for text in self.played.players if text != PERSON)]
        names = [agent_name(agent) for agent in agents if level_of(agent) is None]
        return any(re.match(rf"{re.escape(name)}\b", text) for name in names)

    # --- What to do next ---

    def prompt(self) -> str:
        """What the person has to do, always."""
        played = self.played
        if played.is_looking_back:
            return f"You look at {self._shown_move()}. PgUp, PgDn: back, forward. End: to the game."
        if played.is_over:
            ending = self._ending()
            return ending if self.fits(ending) else "Game over: see beside the board."
        if self.is_paused:
            return "Paused: nobody's clock runs. Press P to go on."
        if self.starting:
            names = " and ".join(sorted(one.name for one in self.starting))
            if not played.is_persons_turn:
                seconds = max(task.seconds for task in self.starting.values())
                return f"Starting {names} ... {seconds:.0f} s (the first time this takes up to a minute)"
        if self.thinking is not None:
            return f"{self.thinking.name} is thinking ... Space: move now."
        if played.is_persons_turn:
            board = self.board
            text = board.view.prompt(board.position, board.chosen, board.pointed)
            who = played.name_of(played.position.to_move)
            return text if who == "you" else f"{who}: {text}"
        return ""

    def _ending(self) -> str:
        return f"Game over: {self.played.ending()}."

    def _shown_move(self) -> str:
        """What is looked at, as the list of moves numbers it."""
        played, ply = self.played, self.played.shown
        if ply == 0:
            return "the start"
        return f"{move_number(played, ply)} {played.game.format_move(played.line[ply].last_move)}"

    def seconds(self) -> list[float]:
        """How long both players have thought, whoever is thinking now included."""
        seconds = list(self.clocks.seconds)
        if self.thinking is not None:
            seconds[self.played.position.to_move] += self.thinking.seconds
        return seconds

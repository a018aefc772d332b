"""A game between people and agents in lines of text, in a terminal or over a pipe.

Every agent is a process of its own, held to its memory limit, and ended if it does not answer (`simulator/play`).
Unlike in a match, an answer that is only a little late is played as it is. One board is drawn a turn: after the agent's
answer, not before it.

Begin reading at `play`, then `Session.run`; `play_commands.py` has what can be typed besides moves.
"""

from pathlib import Path
from typing import Any

from agents.agent import AgentError
from agents.human_agent import read_move
from game import FIRST, SECOND, IllegalMove, NotationError
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave, NotKept
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, side_name
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, AgentMove, Task
from simulator.records.saved_game import SavedGame
from simulator.terminal import play_commands
from simulator.terminal.advice_commands import summary
from simulator.terminal.asking import Asking
from simulator.terminal.screen import Screen
from simulator.terminal.suspension import suspending
from simulator.terminal.texts import analysis_text, move_help, resume_command

AFTER_THE_GAME = "Type undo, new, summary, save FILE or quit."


def play(saved: SavedGame, settings: PlaySettings, keeps: bool = True, resumed: Path | None = None) -> None:
    """Play a game that is new or was saved, until the person leaves; with `keeps`, `--resume` can go on with it.

    `resumed` is the file of a game that `--resume` has found.

    Whether `settings.isolation` "required" can be met is not checked here.

    Raises AgentError and NotationError if the game cannot be set up as asked, AgentFailed if an agent cannot be
    started, and KeyboardInterrupt, after printing how to continue.
    """
    played = GameInProgress.continued(saved)
    screen = Screen()
    with Agents(played, settings) as agents, Autosave(settings, resumed=resumed) if keeps else NotKept() as kept:
        session = Session(played, agents, screen, kept)
        with suspending(lambda: session.tasks):
            session.start()
            session.keep()
            try:
                session.run()
            except KeyboardInterrupt:
                screen.say()
                raise
            finally:
                session.say_how_to_continue()


class Session(Asking):
    """People at the screen, the game in progress, and the agents that play and give hints.

    Attributes:
        kept: where the running game is written after each move.
        answers: what the agent of each side answered last.
        left: the person has gone.
    """

    def __init__(
        self,
        played: GameInProgress,
        agents: Agents,
        screen: Screen | None = None,
        kept: Autosave | NotKept | None = None,
    ) -> None:
        super().__init__(played, agents, screen or Screen())
        self.kept = kept or NotKept()
        self.answers: dict[int, AgentMove] = {}
        self.left = self._told_problem = False

    # --- From the start to the end ---

    def start(self) -> None:
        """Start the agents before anything is shown. Raises AgentError, AgentFailed if one cannot be."""
        for side in (FIRST, SECOND):
            if not self.played.is_person(side):
                self.compile(self.played.players[side])
        self._waited_for = self.agents.start()
        for task in list(self._waited_for):
            self.waited(task, f"starting {task.name} ...")

    def run(self) -> None:
        """Play until the person leaves."""
        self.screen.say_wrapped(self.who_plays())
        self.screen.say_wrapped(move_help(self.played.game), "  ")
        self.screen.say_wrapped(f"Or type a command: {' '.join(play_commands.COMMANDS)}", "  ")
        if not self._agent_is_next:
            self.show()
        while not self.left:
            try:
                self._turn()
            except KeyboardInterrupt:
                if not self._stays():
                    raise

    def _turn(self) -> None:
        if self._agent_is_next:
            self._agents_turn()
        else:
            self._persons_turn()

    @property
    def _agent_is_next(self) -> bool:
        played = self.played
        waits = self.is_paused or played.is_over or played.is_looking_back or played.is_persons_turn
        return not waits

    def _stays(self) -> bool:
        """After Ctrl-C, ask a person at a terminal; whether the game goes on."""
        if not self.screen.is_interactive:
            return False
        if self.task is not None:
            self.task.pause()
        self.screen.say()
        try:
            is_lost = "It is not kept: save FILE keeps it."
            kept = "play --resume goes on with it." if self.kept.is_kept else is_lost
            leaves = self.screen.ask(f"Leave the game? {kept} (y/n) ")
        except KeyboardInterrupt:
            leaves = "y"
        if self.task is not None and not self.is_paused:
            self.task.resume()
        return leaves is not None and leaves.lower() not in ("y", "yes")

    def who_plays(self) -> str:
        """A sentence that says who plays which side."""
        played = self.played
        if played.side is not None:
            other = played.name_of(1 - played.side)
            return f"You play {side_name(played.game, played.side)} against {other}."
        if not played.persons:
            return " against ".join(f"{played.name_of(s)} as {side_name(played.game, s)}" for s in (0, 1)) + "."
        return f"Two people: {side_name(played.game, FIRST)} moves first, then {side_name(played.game, SECOND)}."

    def show(self) -> None:
        """Draw the position that is looked at and, at the end of a game, how it ended."""
        played, colour = self.played, self.screen.colour
        self.screen.say("\n" + played.game.draw(played.shown_position, colour=colour) + "\n")
        if played.is_looking_back:
            self.screen.say(f"Position after move {played.shown} of {played.present}. Type forward, back or end.")
        elif played.is_over:
            draw_area = getattr(played.game, "draw_area", None)  # of games that are decided by points
            if draw_area is not None and played.position.result is not None:
                self.screen.say(draw_area(played.position, colour=colour) + "\n")
            self._say_ending()

    def say_how_to_continue(self) -> None:
        """Print the command that continues this game, unless it is over or has not begun."""
        if not self.played.is_over and self.played.present:
            command = resume_command(self.played.saved(), self.settings.flags())
            self.screen.say("To continue this game:\n  " + command)

    def keep(self) -> None:
        """Write the game to where `play --resume` finds it; say once if that fails."""
        self.kept.write(self.played.saved(), self.played.is_over)
        if self.kept.problem and not self._told_problem:
            self.screen.say_wrapped(f"play --resume will not find this game: {self.kept.problem}. save FILE keeps it.")
        self._told_problem = bool(self.kept.problem)

    def changed(self) -> None:
        """The game has changed: keep it, and draw it, unless an agent answers a person now, after which it is drawn.

        The coach sums up a game that has ended.
        """
        self.keep()
        if not self._agent_is_next or not self.played.persons:
            self.show()
        if self.played.is_over and self.has_coach and self.played.forfeit is None:
            summary(self)

    def _say_ending(self) -> None:
        self.screen.say_wrapped(f"Game over: {self.played.ending()}. {AFTER_THE_GAME}")

    # --- A person's turn ---

    def _persons_turn(self) -> None:
        """Read one line: a command or a move."""
        line = self.screen.ask(self._prompt())
        if line is None:
            self.left = True
        elif line and not play_commands.obey(self, line):
            self._play(line)

    def _prompt(self) -> str:
        played = self.played
        if played.is_looking_back:
            return f"move {played.shown} of {played.present}> "
        if played.is_over:
            return "over> "
        return "paused> " if self.is_paused else f"{played.game.players[played.position.to_move]}> "

    def _play(self, text: str) -> None:
        played = self.played
        if played.is_looking_back:
            self.screen.say_wrapped(
                f"Not played: you look at move {played.shown} of {played.present}. Type end to go on with the game, or "
                "here to play on from this position."
            )
        elif played.is_over:
            self.screen.say(f"The game is over. {AFTER_THE_GAME}")
        elif not played.is_persons_turn:
            self.screen.say("Not played: it is the agent's turn. Type go.")
        elif (move := self._move(text)) is not None:
            played.play(move)
            self.keep()  # before the coach looks at it: the program may be ended meanwhile
            self._coach_speaks()
            self.changed()

    def _move(self, text: str) -> Any:
        """The legal move that a person typed, None after saying what is wrong with it."""
        try:
            return read_move(self.played.game, self.played.position, text)
        except NotationError as error:
            self.screen.say_wrapped(f"{capitalized(str(error))}. Or type help.")
        except IllegalMove as error:
            self.screen.say_wrapped(f"Not legal: {error}. Type moves to see the legal moves.")
        return None

    def _coach_speaks(self) -> None:
        """Say what was wrong with the move that a person has just made, if that is wanted."""
        if not self.has_coach:
            return
        positions = self.played.positions
        judgement = self.advice(lambda coach: coach.judge_last(positions, self.coach_waits), "the coach")
        if judgement is not None and judgement.is_mistake:
            self.screen.say_wrapped(f"Coach: {judgement.sentence()} (undo takes it back)", "  ")

    def coach_waits(self, task: Task[Any]) -> None:
        """Wait for one of the coach's searches."""
        self.waited(task, "the coach looks at it ...")

    # --- An agent's turn ---

    def _agents_turn(self) -> None:
        played = self.played
        side = played.position.to_move
        try:
            thinker = self.agents.player(side)
            if self.task is None:
                self.task = thinker.move(played.positions)
            answer = self.answer(self.task, f"{thinker.name} is thinking ...")
        except (AgentFailed, AgentError) as fault:
            self.task = None
            self.say_failure(fault)
            name = "you win" if played.name_of(1 - side) == "you" else f"{played.name_of(1 - side)} wins"
            played.end(f"{fault}; {name}", 1 - side, "F")
            self.changed()
            return
        if answer is not None:
            self.task = None
            self._take(side, thinker.name, answer)

    def _take(self, side: int, name: str, answer: AgentMove) -> None:
        """Play what an agent answered."""
        played = self.played
        self.answers[side] = answer
        if answer.move is None:
            played.resign(side)
            self.changed()
            return
        self.screen.say(f"{name} plays {played.game.format_move(answer.move)}   ({answer.seconds:.1f} s)")
        played.play(answer.move)
        if self.settings.show_analysis:
            self.say_thoughts(side)
        self.changed()

    def say_thoughts(self, side: int) -> None:
        """Say what the agent of a side thought of its last move."""
        text = analysis_text(self.answers[side].analysis) or "it gives no analysis."
        self.screen.say_wrapped(f"{self.played.name_of(side)}: {text}", "  ")

    # --- Waiting ---

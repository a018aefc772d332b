"""A game between people and agents in lines of text, in a terminal or over a pipe.

Every agent is a process of its own, held to its memory limit, and ended if it does not answer (`simulator/play`).
Unlike in a match, an answer that is only a little late is played as it is. One board is drawn a turn: after the agent's
answer, not before it.

Begin reading at `play`, then `Session.run`; `play_commands.py` has what can be typed besides moves.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from agents.agent import AgentError
from agents.human_agent import read_move
from game import FIRST, SECOND, IllegalMove, NotationError
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave, NotKept
from simulator.play.coach import Coach
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, side_name
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, AgentMove, CalledOff, Task
from simulator.player.compile_ahead import compile_ahead
from simulator.records.saved_game import SavedGame
from simulator.terminal import play_commands
from simulator.terminal.advice_commands import summary
from simulator.terminal.screen import Screen
from simulator.terminal.suspension import suspending
from simulator.terminal.texts import analysis_text, move_help, resume_command

T = TypeVar("T")

AFTER_THE_GAME = "Type undo, new, summary, save FILE or quit."
WHILE_WAITING = ("now", "pause")  # what can be typed while an agent thinks


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


class Session:
    """People at the screen, the game in progress, and the agents that play and give hints.

    Attributes:
        played: the game.
        agents: who plays, and who gives hints.
        kept: where the running game is written after each move.
        has_coach: whether a coach judges each move of a person.
        answers: what the agent of each side answered last.
        left: the person has gone.
        task: what an agent was asked and has not answered; None if nobody thinks.
        is_paused: whether the person stopped the agents with `pause`.
    """

    def __init__(
        self,
        played: GameInProgress,
        agents: Agents,
        screen: Screen | None = None,
        kept: Autosave | NotKept | None = None,
    ) -> None:
        self.played, self.agents = played, agents
        self.settings: PlaySettings = agents.settings
        self.screen = screen or Screen()
        self.kept = kept or NotKept()
        self.has_coach = self.settings.coach
        self.answers: dict[int, AgentMove] = {}
        self.left = self.is_paused = False
        self.task: Task[AgentMove] | None = None
        self._waited_for: list[Task[Any]] = []  # agents that start or give advice
        self._told_problem = self._is_summed_up = False
        self._coach: Coach | None = None

    # --- From the start to the end ---

    def start(self) -> None:
        """Start the agents before anything is shown. Raises AgentError, AgentFailed if one cannot be."""
        for side in (FIRST, SECOND):
            if not self.played.is_person(side):
                self.compile(self.played.players[side])
        self._waited_for = self.agents.start()
        for task in list(self._waited_for):
            self.waited(task, f"starting {task.name} ...", quotes=False)

    def compile(self, text: str) -> None:
        """Compile what an agent needs, and say so if it takes long. Raises AgentError."""
        game, spec = self.played.game, self.agents.spec(text)
        compile_ahead(game.name, [spec], self.screen.say, game.settled_options, self.settings.limits)

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

        The coach sums up a game that has ended, once.
        """
        self.keep()
        if not self._agent_is_next or not self.played.persons:
            self.show()
        sums_up = self.played.is_over and not self._is_summed_up
        self._is_summed_up = self.played.is_over
        if sums_up and self.has_coach and self.played.forfeit is None:
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
            answer = self._answer(self.task, f"{thinker.name} is thinking ...")
        except (AgentFailed, AgentError) as fault:
            self.task = None
            self._say_failure(fault)
            name = "you win" if played.name_of(1 - side) == "you" else f"{played.name_of(1 - side)} wins"
            played.end(f"{fault}; {name}", 1 - side, "F")
            self.changed()
            return
        if answer is not None:
            self.task = None
            self._take(side, thinker.name, answer)

    def _answer(self, task: Task[AgentMove], text: str) -> AgentMove | None:
        """The answer, None if the person paused the game. Raises AgentFailed."""
        more = f" ({', '.join(WHILE_WAITING)}, Ctrl-C)" if self.screen.is_interactive else ""
        self.screen.wait(text + more, task.wait, lambda line: self._typed_while_waiting(task, line))
        return None if self.is_paused and not task.done else task.result()

    def _typed_while_waiting(self, task: Task[AgentMove], line: str) -> bool:
        """Obey what was typed while an agent thinks; whether the waiting ends."""
        if line.lower() == "now":
            if not task.move_now():
                self.screen.say(f"\n{task.name} cannot be told to hurry: it speaks GTP, which has no word for it.")
        elif line.lower() == "pause":
            task.pause()
            self.is_paused = True
            self.screen.say("\nPaused; the agent's clock stands still. Type go, now, or any command.")
            return True
        else:
            self.screen.say(f"\n(ignored while {task.name} thinks: {line.splitlines()[0]!r:.30})")
        return False

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

    def call_off(self) -> None:
        """The position will change: nobody needs to think about it any more."""
        task, self.task = self.task, None
        self.is_paused = False
        if task is not None:
            task.cancel()

    # --- Waiting ---

    def waited(self, task: Task[T], text: str, quotes: bool = True) -> T:
        """The answer to what an agent was asked. Raises AgentFailed, with `quotes` after showing what it wrote last."""
        self._waited_for = [*self._waited_for, task]
        try:
            self.screen.wait(f"{text} (Ctrl-C to leave)", task.wait, lambda line: False)
            return task.result()
        except KeyboardInterrupt:
            task.cancel()
            raise
        except AgentFailed as fault:
            if quotes:
                self._say_failure(fault)
            raise
        finally:
            self._waited_for = [other for other in self._waited_for if not other.done]

    @property
    def tasks(self) -> list[Task[Any]]:
        """What agents were asked and have not answered."""
        asked = [self.task] if self.task is not None else []
        return [task for task in (*asked, *self._waited_for) if not task.done]

    def advice(self, ask: Callable[[Coach], T], who: str) -> T | None:
        """What a coach finds, None after saying that there is nothing to be had."""
        try:
            self.compile(self.settings.hints)
            return ask(self.coach)
        except (AgentFailed, AgentError) as fault:
            self.has_coach = False
            self.screen.say_wrapped(f"{capitalized(who)} is silent from now on: {fault}.")
        except CalledOff:
            self.screen.say_wrapped(f"{capitalized(who)} was interrupted.")
        return None

    @property
    def coach(self) -> Coach:
        """A coach that has the adviser look at moves. Raises AgentError."""
        adviser = self.agents.adviser
        if self._coach is None or self._coach.adviser is not adviser:
            self._coach = Coach(self.played.game, adviser)
        return self._coach

    def _say_failure(self, fault: Exception) -> None:
        for line in fault.quoted() if isinstance(fault, AgentFailed) else ():
            self.screen.say(line)

"""Asking the agents of a game in lines of text, and waiting for what they answer, with what can be typed meanwhile."""

from collections.abc import Callable
from typing import Any, TypeVar

from agents.agent import AgentError
from simulator.play.agents import Agents
from simulator.play.coach import Coach
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, AgentMove, CalledOff, Task
from simulator.player.compile_ahead import compile_ahead
from simulator.terminal.screen import Screen

T = TypeVar("T")

WHILE_WAITING = ("now", "pause")  # what can be typed while an agent thinks


class Asking:
    """The agents of a game that are asked for moves and for advice; `play.Session` lets the game go on.

    Attributes:
        played: the game.
        agents: who plays, and who gives hints.
        screen: where it is said who is waited for.
        has_coach: whether a coach judges each move of a person.
        task: what an agent was asked and has not answered; None if nobody thinks.
        is_paused: whether the person stopped the agents with `pause`.
    """

    def __init__(self, played: GameInProgress, agents: Agents, screen: Screen) -> None:
        self.played, self.agents, self.screen = played, agents, screen
        self.settings: PlaySettings = agents.settings
        self.has_coach = self.settings.coach
        self.is_paused = False
        self.task: Task[AgentMove] | None = None
        self._waited_for: list[Task[Any]] = []  # agents that start or give advice
        self._coach: Coach | None = None

    def compile(self, text: str) -> None:
        """Compile what an agent needs, and say so if it takes long. Raises AgentError."""
        game, spec = self.played.game, self.agents.spec(text)
        with self.screen.counting() as progress:
            compile_ahead(game.name, [spec], progress.say, game.settled_options, self.settings.limits)

    def answer(self, task: Task[AgentMove], text: str) -> AgentMove | None:
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
            self._ignore(line, f"while {task.name} thinks")
        return False

    def _ignore(self, line: str, when: str) -> bool:
        """Say that what was typed while an agent is waited for is ignored; the waiting goes on."""
        self.screen.say(f"\n(ignored {when}: {line.splitlines()[0]!r:.30})")
        return False

    def call_off(self) -> None:
        """The position will change: nobody needs to think about it any more."""
        task, self.task = self.task, None
        self.is_paused = False
        if task is not None:
            task.cancel()

    def waited(self, task: Task[T], text: str) -> T:
        """The answer to what an agent was asked. Raises AgentFailed."""
        self._waited_for = [*self._waited_for, task]
        try:
            self.screen.wait(f"{text} (Ctrl-C to leave)", task.wait, lambda line: self._ignore(line, "meanwhile"))
            return task.result()
        except KeyboardInterrupt:
            task.cancel()
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

    def say_failure(self, fault: Exception) -> None:
        """Quote what an agent wrote last."""
        for line in fault.quoted() if isinstance(fault, AgentFailed) else ():
            self.screen.say(line)

"""Hints, all moves ranked, and the coach: what an agent that does not play says of the game."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from agents.agent import AgentError
from game import RulesError
from options import InputError
from simulator.play.agents import Agents
from simulator.play.coach import STUDY_SECONDS, SUMMARY_SECONDS, Coach
from simulator.play.front_end import FrontEnd
from simulator.play.game_in_progress import GameInProgress
from simulator.play.thinker import AgentFailed, CalledOff, Request, Thinker

ANALYZE_SECONDS = 3.0
NO_ANSWER = (AgentFailed, OSError, RulesError)  # RulesError: the rules of a game's file fail
THINKING = "{} is thinking about it ..."
LOOKED_THROUGH = "the coach has looked through the game: summary shows the turning points"


class Question(NamedTuple):
    """What the adviser is asked.

    Attributes:
        what: what is asked for, in words.
        position: the position that it is about.
        ask: puts the question to the adviser, given the game up to that position.
        use: is called with the adviser's name and the answer.
    """

    what: str
    position: Any
    ask: Callable[[Thinker, list[Any]], Request[Any]]
    use: Callable[[str, Any], None]


class Advice:
    """The adviser of a game. It answers one question at a time; of those that come meanwhile, it keeps the newest.

    Attributes:
        has_coach: whether the coach judges each move of a person.
    """

    def __init__(self, played: GameInProgress, agents: Agents, front_end: FrontEnd) -> None:
        self._played, self._agents, self._front_end = played, agents, front_end
        self.has_coach = agents.settings.coach
        self._coach: Coach | None = None
        self._asked: tuple[Question, Request[Any]] | None = None
        self._next: Question | None = None  # the newest question that came meanwhile
        self._looks_through: Any = None  # the last position of the game that the coach looks through

    def hint(self) -> None:
        """Let the adviser say what it would play in the position that is looked at."""
        self._ask("a hint", lambda adviser, line: adviser.move(line), self._front_end.show_hint)

    def analyze(self) -> None:
        """Let the adviser rank all moves of that position."""
        show = self._front_end.show_ranked
        self._ask("a ranking of all moves", lambda adviser, line: adviser.study(line, ANALYZE_SECONDS), show)

    def _adviser(self) -> Thinker | None:
        """The agent that gives advice; if there is none, say why and return None."""
        try:
            return self._agents.adviser
        except (AgentError, InputError) as error:
            self._front_end.say(f"no advice: {error}")
            return None

    def _ask(self, what: str, ask: Callable[..., Request[Any]], use: Callable[[str, Any], None]) -> None:
        question = Question(what, self._played.shown_position, ask, use)
        if question.position.result is not None:
            self._front_end.say("no advice: the game is over in this position")
        elif self._asked is None:
            self._put(question)
        elif what == self._asked[0].what and question.position is self._asked[0].position:
            self._next = None
            self._front_end.say(THINKING.format(self._asked[1].name))
        else:
            self._next = question
            before, request = self._asked
            if before.position is not question.position:
                request.move_now()  # nobody looks at its position any more
            self._front_end.say(f"{request.name} first answers the earlier question, then gives {what}")

    def _put(self, question: Question) -> None:
        if (adviser := self._adviser()) is not None:
            request = question.ask(adviser, self._played.line[: self._played.shown + 1])
            self._asked = question, request
            self._front_end.when_done(request, partial(self._answered, question), THINKING.format(adviser.name))

    def _answered(self, question: Question, request: Request[Any]) -> None:
        """Use the answer, unless another position is looked at by now; then put the question that came meanwhile."""
        following, self._asked, self._next = self._next, None, None
        try:
            answer = request.result()
        except CalledOff:
            pass
        except NO_ANSWER as fault:
            self._front_end.say(f"no advice: {fault}")
        else:
            if question.position is self._played.shown_position:
                question.use(request.name, answer)
        if following is not None and following.position is self._played.shown_position:
            self._put(following)

    def judge_last(self) -> None:
        """Let the coach say what was wrong with the last move, if the coach is on."""
        positions = self._played.positions

        def show(coach: Coach) -> None:
            """Show the judgement, unless another move has been played by now."""
            if self._is_played(positions[-1]):
                self._front_end.show_judgement(coach.judge_last(positions))

        if self.has_coach:
            self._study([positions[:-1], positions], STUDY_SECONDS, show, "the coach is looking at the move")

    def summary(self) -> None:
        """Let the coach look through the game for its turning points. Raises InputError before the first move."""
        positions = self._played.positions
        if len(positions) < 2:
            raise InputError("no move has been played")
        if self._looks_through is positions[-1]:
            return  # already

        def show(coach: Coach) -> None:
            """Show the turning points, or say that they are there if play has gone on."""
            self._looks_through = None
            if positions[-1] is self._played.position:
                self._front_end.show_summary(coach.summary(positions))
            elif self._is_played(positions[-1]):
                self._front_end.say(LOOKED_THROUGH)

        self._looks_through = positions[-1]
        games = [positions[:number] for number in range(1, len(positions) + 1)]
        self._study(games, SUMMARY_SECONDS, show, "looking through the game")

    def _is_played(self, position: Any) -> bool:
        """Whether a position is one of the game, and was not taken back."""
        return any(one is position for one in self._played.positions)

    def _study(
        self, games: Sequence[list[Any]], seconds: float, use: Callable[[Coach], None], text: str, goes_on: bool = False
    ) -> None:
        """Let the adviser study the last position of each game, unless the coach knows it; then call `use`."""
        adviser = self._adviser()
        if adviser is None:
            self._looks_through = None
            return
        if self._coach is None or self._coach.adviser is not adviser or self._coach.game is not self._played.game:
            self._coach = Coach(self._played.game, adviser)
        coach = self._coach
        number = next((i for i, game in enumerate(games) if not coach.knows(game[-1])), None)
        if number is None:
            use(coach)
            return

        def studied(request: Request[Any]) -> None:
            """Keep what was found, and go on."""
            try:
                coach.learn(games[number][-1], request.result())
            except CalledOff:
                self._looks_through = None
            except NO_ANSWER as fault:
                self.has_coach, self._looks_through = False, None
                self._front_end.say(f"the coach is off from now on: {fault}")
            else:
                if coach.game is self._played.game:
                    self._study(games, seconds, use, text, goes_on=True)
                else:  # the adviser of another game cannot go on with this one
                    self._looks_through = None

        progress = f"{text}: {number + 1} of {len(games)} positions" if len(games) > 2 else f"{text} ..."
        self._front_end.when_done(adviser.study(games[number], seconds), studied, progress, goes_on)

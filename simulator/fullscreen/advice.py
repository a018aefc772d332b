"""Hints, all moves ranked, and the coach: what an agent that does not play says of the game."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from textual.message import Message

from agents.agent import AgentError
from options import InputError
from simulator.fullscreen.dialogs import Choice, PickBeside
from simulator.fullscreen.flow import Flow
from simulator.fullscreen.panels import move_number, position_texts
from simulator.play.chances import chance_text, told_chance
from simulator.play.coach import Coach, Judgement
from simulator.play.names import capitalized
from simulator.play.thinker import AgentFailed, CalledOff, RankedMove, Task, Thinker

ANALYZE_SECONDS = 3.0
MOST_RANKED = 200  # lines of the list
THINKING = "is thinking about it ..."
LOOKING = "looking through the game"


Ask = Callable[[Thinker, list[Any]], Task[Any]]


class Question(NamedTuple):
    """What the adviser is asked.

    Attributes:
        what: it is to give, in words.
        position: that it is about.
        ask: asks the adviser, given the game up to that position.
        use: is called with the answer.
    """

    what: str
    position: Any
    ask: Ask
    use: Callable[[Any], None]

    def is_same(self, other: "Question") -> bool:
        """Whether both ask for the same thing of the same position."""
        return self.what == other.what and self.position is other.position


class Advice(Flow):
    """What the adviser is asked.

    Attributes:
        coaches: whether the coach speaks after a person's moves.
    """

    class Advised(Message):
        """The adviser has answered; `use` is called with the answer if the position is still looked at."""

        def __init__(self, task: Task[Any], position: Any, use: Callable[[Any], None]) -> None:
            super().__init__()
            self.task, self.position, self.use = task, position, use

    class Looked(Message):
        """The coach has looked at so many of the positions of the game that ends with `position`."""

        def __init__(self, position: Any, done: int, of: int) -> None:
            super().__init__()
            self.position, self.done, self.of = position, done, of

    class Judged(Message):
        """The coach has judged the last move of a game, or all of them; `position` is that game's last."""

        def __init__(self, position: Any, judgements: list[Judgement], error: str, is_summary: bool) -> None:
            super().__init__()
            self.position, self.judgements, self.error, self.is_summary = position, judgements, error, is_summary

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.coaches = self.agents.settings.coach
        self._coach: Coach | None = None
        self._asked: Task[Any] | None = None
        self._looks_through: Any = None  # the last position of the game that the coach looks through
        self._question: Question | None = None  # that `_asked` is to answer
        self._next: Question | None = None  # the newest one, asked meanwhile
        self._ranked: tuple[Any, list[RankedMove]] | None = None  # not shown yet: a position, and its moves

    def adviser(self) -> Thinker | None:
        """Who gives advice; None, and why, if there is nobody."""
        try:
            return self.agents.adviser
        except (AgentError, InputError) as error:
            self.say(f"no advice: {error}")
            return None

    def _ask_adviser(self, what: str, ask: Ask, use: Callable[[Any], None]) -> None:
        """Ask about the position that is looked at, once the question before is answered; of several, the newest."""
        played = self.played
        if played.shown_position.result is not None:
            self.say("the game is over here")
        elif (adviser := self.adviser()) is not None:
            question = Question(what, played.shown_position, ask, use)
            if self._asked is None:
                self._put(question, adviser)
            elif self._question is not None and self._question.is_same(question):
                self._next = None
            elif self._question is not None:
                self._next = question
                if self._question.position is not question.position:
                    self._asked.move_now()  # nobody looks at what that one is about
                self.say(f"{adviser.name} answers the question before, and then gives {what}")
                return
            self.say(f"{adviser.name} {THINKING}")

    def _count_waiting(self) -> None:
        """Count the seconds of the adviser too, unless something else was said meanwhile."""
        super()._count_waiting()
        asked = self._asked
        if asked is not None and self.notice.startswith(f"{asked.name} {THINKING}"):
            text = f"{asked.name} {THINKING} {asked.seconds:.0f} s"
            if text != self.notice:
                self.say(text)

    def _put(self, question: Question, adviser: Thinker) -> None:
        """Ask a question about the position that is looked at."""
        task = question.ask(adviser, self.played.line[: self.played.shown + 1])
        self._asked, self._question = task, question
        self.when_done(task, lambda task: self.Advised(task, question.position, question.use))

    def on_advice_advised(self, message: Advised) -> None:
        """Use what was answered, unless something else is looked at by now; then ask what was asked meanwhile."""
        if message.task is not self._asked:
            return
        following, self._asked, self._question, self._next = self._next, None, None, None
        try:
            answer = message.task.result()
        except CalledOff:
            pass
        except (AgentFailed, OSError) as fault:
            self.say(f"no advice: {fault}")
            return
        else:
            if message.position is self.played.shown_position:
                message.use(answer)
        if following is not None and following.position is self.played.shown_position and (one := self.adviser()):
            self._put(following, one)

    def action_hint(self) -> None:
        """Show what the adviser would play."""
        self._ask_adviser("a hint", lambda adviser, positions: adviser.move(positions), self._show_hint)

    def _show_hint(self, answer: Any) -> None:
        played, name = self.played, self.agents.adviser.name
        if answer.move is None:
            self.say(f"{name} would resign")
            return
        analysis, position = answer.analysis, played.shown_position
        line = position_texts(played.game, position, analysis.pv or ()) or (answer.move,)
        self.board.expect(line[:3])
        chance = told_chance(analysis)
        value = "" if chance is None else f", and expects to score {chance:.0%}"
        if analysis.proven:
            value = f", and has proved a {analysis.proven}"
        self.say(f"{name} would play {played.game.format_move(answer.move)}{value}. It is 1 on the board.")

    def action_analyze(self) -> None:
        """Rank all moves, or show those that were ranked while another dialog was open."""
        ranked, self._ranked = self._ranked, None
        if ranked is not None and ranked[0] is self.played.shown_position:
            self._show_ranked(ranked[1])
            return
        self._ask_adviser(
            "all moves", lambda adviser, positions: adviser.study(positions, ANALYZE_SECONDS), self._show_ranked
        )

    def _show_ranked(self, ranked: list[RankedMove]) -> None:
        """Offer the moves; over another dialog, say only that they are there."""
        if len(self.screen_stack) > 1:
            self._ranked = self.played.shown_position, ranked
            self.say("all moves are ranked: press a to see them")
            return
        choices = [Choice(_ranked_text(one), one) for one in ranked[:MOST_RANKED]]
        self.say("")
        title = f"Moves, the best first\n{'move':<6}{'chance':>6}{'visits':>10}"
        show = partial(self._show_line, self.played.shown_position)
        self.push_screen(PickBeside(title, choices, show), self._chosen_line)

    def _show_line(self, position: Any, one: RankedMove) -> None:
        """Show what is expected after a move in this position, while it is looked at."""
        if position is self.played.shown_position:
            self.board.expect((position_texts(self.played.game, position, one.pv) or (one.move,))[:5])

    def _chosen_line(self, chosen: RankedMove | None) -> None:
        if chosen is None:
            self.board.expect(())
        else:
            self.say(f"{chosen.text} is 1 on the board. Esc: without that.")

    # --- The coach ---

    def action_coach(self) -> None:
        """Let the coach speak, or not."""
        self.coaches = not self.coaches
        self.show_coach("")
        self.say("the coach speaks after your moves" if self.coaches else "the coach is silent")

    def show_coach(self, text: str) -> None:
        """What the coach says; nothing for an empty text."""
        self.write("coach-text", text)

    def played_move(self, before: Any) -> None:
        """Judge a person's move."""
        played = self.played
        self.show_coach("")
        if self.coaches and played.is_person(before.to_move):
            positions = played.positions
            self._judge(lambda coach: [coach.judge_last(positions)], positions[-1], False)

    def action_summary(self) -> None:
        """Judge the whole game."""
        if self.played.present == 0:
            self.say("there are no moves yet")
            return
        positions = self.played.positions
        if self._looks_through is positions[-1]:
            return  # already
        if self.adviser() is None:
            return
        self._looks_through = positions[-1]
        self.say(f"{LOOKING} ...")

        def tell(done: int, of: int) -> None:
            self.post_message(self.Looked(positions[-1], done, of))

        self._judge(lambda coach: coach.summary(positions, tell), positions[-1], True)

    def on_advice_looked(self, message: Looked) -> None:
        """Say how far the coach is, as long as it is about the game on the board and nothing else was said."""
        is_new = message.position is self._looks_through is self.played.position
        if is_new and self.notice.startswith(capitalized(LOOKING)):
            self.say(f"{LOOKING}: {message.done} of {message.of} positions")

    def _judge(self, work: Callable[[Coach], list[Judgement]], position: Any, is_summary: bool) -> None:
        """Judge a game, up to its last position, in a thread: each position is a search."""
        if (adviser := self.adviser()) is None:
            return
        if self._coach is None or self._coach.adviser is not adviser or self._coach.game is not self.played.game:
            self._coach = Coach(self.played.game, adviser)
        coach = self._coach

        def judge() -> None:
            """Do the work, and send what was found."""
            found, error = [], ""
            try:
                found = work(coach)
            except CalledOff:
                if is_summary and self._looks_through is position:
                    self._looks_through = None
                return
            except (AgentFailed, OSError) as fault:
                error = str(fault)
            self.post_message(self.Judged(position, found, error, is_summary))

        threading.Thread(target=judge, daemon=True).start()

    def on_advice_judged(self, message: Judged) -> None:
        """Say what was wrong, or offer the turning points, unless the game has been changed meanwhile."""
        if message.is_summary and message.position is self._looks_through:
            self._looks_through = None
        if not any(position is message.position for position in self.played.positions):
            return
        if message.error:
            self.say(f"the coach is silent: {message.error}")
        elif message.is_summary and (message.position is not self.played.position or len(self.screen_stack) > 1):
            self.say("the coach has looked through the game: press C for the turning points")  # it opens over nothing
        elif message.is_summary:
            self._show_summary(message.judgements)
        else:
            (judgement,) = message.judgements
            self.show_coach(f"Coach: {judgement.sentence()}" if judgement.is_mistake else "Coach: a good move.")

    def _show_summary(self, judgements: list[Judgement]) -> None:
        self.say("")
        turning = [one for one in judgements if one.is_mistake]
        if not turning:
            moves = "the only move was no mistake" if len(judgements) == 1 else ""
            self.say(moves or f"none of the {len(judgements)} moves was a mistake")
            return
        choices = [Choice(self._turning_text(one), one) for one in turning]
        leave = partial(self._leave_turning_points, self.played.shown)
        self.push_screen(PickBeside("Turning points; Enter goes there", choices, self._go_to), leave)

    def _turning_text(self, one: Judgement) -> str:
        return f"{move_number(self.played, one.ply + 1)} {one.sentence(self.played.name_of(one.player))}"

    def _go_to(self, one: Judgement) -> None:
        """Look at the position before a move, with what would have been better."""
        self.played.look_at(one.ply)
        self.show_present()
        self.board.expect(position_texts(self.played.game, self.played.shown_position, one.line)[:3])

    def _leave_turning_points(self, before: int, chosen: Judgement | None) -> None:
        """Stay at the one that was chosen; without one, look again at what was looked at."""
        if chosen is not None:
            self.say(self._turning_text(chosen))
        else:
            self.played.look_at(before)
            self.show_present()


def _ranked_text(one: RankedMove) -> str:
    return f"{one.text:<6}{one.proven or chance_text(one.value, one.visits):>6}{one.visits:>10,}"

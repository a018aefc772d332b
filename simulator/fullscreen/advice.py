"""Hints, all moves ranked, and the coach: what an agent that does not play says of the game."""

import threading
from collections.abc import Callable
from typing import Any

from textual.message import Message

from agents.agent import AgentError
from options import InputError
from simulator.fullscreen.dialogs import Choice, Pick
from simulator.fullscreen.flow import Flow
from simulator.fullscreen.panels import position_texts
from simulator.play.coach import Coach, Judgement
from simulator.play.thinker import AgentFailed, CalledOff, RankedMove, Task, Thinker

ANALYZE_SECONDS = 3.0
MOST_RANKED = 200  # lines of the list


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
        self._question: tuple[str, Any] | None = None  # that `_asked` is to answer: what, and of which position

    def adviser(self) -> Thinker | None:
        """Who gives advice; None, and why, if there is nobody."""
        try:
            return self.agents.adviser
        except (AgentError, InputError) as error:
            self.say(f"no advice: {error}")
            return None

    def _ask_adviser(
        self, what: str, ask: Callable[[Thinker, list[Any]], Task[Any]], use: Callable[[Any], None]
    ) -> None:
        """Ask about the position that is looked at; another question is called off, the same one goes on."""
        played = self.played
        if played.shown_position.result is not None:
            self.say("the game is over here")
        elif (adviser := self.adviser()) is not None:
            position, asked = played.shown_position, self._question
            self.say(f"{adviser.name} is thinking about it ...")
            if asked is not None and asked[0] == what and asked[1] is position:
                return
            if self._asked is not None:
                self._asked.cancel()
            task = self._asked = ask(adviser, played.line[: played.shown + 1])
            self._question = (what, position)
            self.when_done(task, lambda task: self.Advised(task, position, use))

    def on_advice_advised(self, message: Advised) -> None:
        """Use what was answered, unless something else is looked at by now."""
        if message.task is not self._asked:
            return
        self._asked = self._question = None
        try:
            answer = message.task.result()
        except CalledOff:
            return
        except (AgentFailed, OSError) as fault:
            self.say(f"no advice: {fault}")
            return
        if message.position is self.played.shown_position:
            message.use(answer)

    def action_hint(self) -> None:
        """Show what the adviser would play."""
        self._ask_adviser("hint", lambda adviser, positions: adviser.move(positions), self._show_hint)

    def _show_hint(self, answer: Any) -> None:
        played, name = self.played, self.agents.adviser.name
        if answer.move is None:
            self.say(f"{name} would resign")
            return
        analysis, position = answer.analysis, played.shown_position
        line = position_texts(played.game, position, analysis.pv or ()) or (answer.move,)
        self.board.expect(line[:3])
        value = "" if analysis.value is None else f", and expects to score {analysis.value:.0%}"
        if analysis.proven:
            value = f", and has proved a {analysis.proven}"
        self.say(
            f"{name} would play {played.game.format_move(answer.move)}{value}. On the board: 1, then what follows."
        )

    def action_analyze(self) -> None:
        """Rank all moves."""
        self._ask_adviser(
            "moves", lambda adviser, positions: adviser.study(positions, ANALYZE_SECONDS), self._show_ranked
        )

    def _show_ranked(self, ranked: list[RankedMove]) -> None:
        choices = [Choice(_ranked_text(number, one), one) for number, one in enumerate(ranked[:MOST_RANKED], 1)]
        self.say("")
        title = "All moves, best first; Enter shows one on the board"
        self.push_screen(Pick(title, choices), self._show_line)

    def _show_line(self, chosen: RankedMove | None) -> None:
        if chosen is not None:
            line = position_texts(self.played.game, self.played.shown_position, chosen.pv)
            self.board.expect((line or (chosen.move,))[:5])
            self.say(
                f"{chosen.text}: {chosen.value:.0%}; on the board: the moves that are expected. Esc: without them."
            )

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
        self.say("looking through the game ...")
        positions = self.played.positions
        self._judge(lambda coach: coach.summary(positions), positions[-1], True)

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
                return
            except (AgentFailed, OSError) as fault:
                error = str(fault)
            self.post_message(self.Judged(position, found, error, is_summary))

        threading.Thread(target=judge, daemon=True).start()

    def on_advice_judged(self, message: Judged) -> None:
        """Say what was wrong, or offer the turning points, unless the game has been changed meanwhile."""
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
            self.say(f"no move of the {len(judgements)} was a mistake")
            return
        choices = [Choice(f"{one.ply + 1}. {one.sentence(self.played.name_of(one.player))}", one) for one in turning]
        self.push_screen(Pick("Turning points; Enter goes there", choices), self._go_to)

    def _go_to(self, chosen: Judgement | None) -> None:
        if chosen is not None:
            self.played.look_at(chosen.ply)
            self.board.show(self.played.shown_position)
            self.next_turn()
            self.board.expect(position_texts(self.played.game, self.played.shown_position, chosen.line)[:3])
            self.say(chosen.sentence(self.played.name_of(chosen.player)))


def _ranked_text(number: int, one: RankedMove) -> str:
    proof = f" proved {one.proven}" if one.proven else ""
    return f"{number:3}. {one.text:<6} {one.value:6.1%}  {one.visits:>9,} visits{proof}  {' '.join(one.pv[1:4])}"

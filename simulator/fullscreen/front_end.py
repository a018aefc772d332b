"""The full screen as a front end: it shows what the controller wants, asks a person, and waits for an agent."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from game import Game
from simulator.fullscreen.dialogs import Confirm, PickBeside, Wait, ask
from simulator.fullscreen.panels import move_number, positions_after
from simulator.play.chances import chance_text, told_chance, visits_text
from simulator.play.coach import Judgement
from simulator.play.game_in_progress import GameInProgress, compile_rules
from simulator.play.thinker import AgentFailed, AgentMove, RankedMove, Request
from simulator.player.faults import last_words

if TYPE_CHECKING:
    from simulator.fullscreen.app import PlayApp

MOST_RANKED = 200  # lines of the list


class ScreenFrontEnd:
    """The full screen as a `simulator.play.front_end.FrontEnd`."""

    def __init__(self, app: "PlayApp") -> None:
        self._app = app
        self._ranked: tuple[Any, str, list[RankedMove]] | None = None  # not shown yet: a position, and its moves

    @property
    def _played(self) -> GameInProgress:
        return self._app.controller.played

    @property
    def _is_busy(self) -> bool:
        """Whether a person is in another dialog, or typing."""
        return len(self._app.screen_stack) > 1 or bool(self._app.part("line").display)

    def say(self, text: str) -> None:
        """Show a sentence until the next thing happens."""
        self._app.lines.say(text)

    def confirm(self, question: str, then: Callable[[], None], refusal: str = "") -> None:
        """Ask in a dialog."""

        def answered(answer: bool | None) -> None:
            if answer:
                then()
            elif refusal:
                self.say(refusal)

        self._app.push_screen(Confirm(question), answered)

    def when_done(
        self, request: Request[Any], use: Callable[[Request[Any]], None], text: str = "", goes_on: bool = False
    ) -> None:
        """Let the agent's thread call the application when the request is done."""
        if text:
            self._app.lines.wait(request, text, goes_on)

        def tell(done: Request[Any]) -> None:
            self._app.call_later(self._app.answered, done, use)

        request.when_done(tell)

    def prepare_rules(self, game: Game, begin: Callable[[], None]) -> None:
        """Compile the rules in a thread, then begin; after Escape the game stays as it is."""
        text = "Preparing the rules (compiling what they need, once; up to a minute) ..."
        ask(self._app, Wait(text, partial(compile_rules, game)), lambda _: begin())

    def turn(self) -> None:
        """Go on once the animation of the last move has ended; open the board to a person."""
        controller, board = self._app.controller, self._app.board
        controller.next_turn(may_play=not board.is_animated)
        goes_on = not (self._played.is_looking_back or controller.is_paused or board.is_animated)
        board.open(goes_on and self._played.is_persons_turn)
        if problem := controller.autosave.new_problem():
            self.say(problem)
        self._app.update_all()

    def show(self, before: Any = None) -> None:
        """Show the position on the board; with `before`, the move that led to it is animated."""
        self._app.board.show(self._played.shown_position, before)

    def begun(self) -> None:
        """Show the board of another game, or of a game that begins."""
        game, board = self._played.game, self._app.board
        if board.game is not game or not self._played.present:
            board.show_game(game, self._played.shown_position)
            self._app.fit()

    def answered(self, side: int, answer: AgentMove) -> None:
        """Count the agent's time."""
        self._played.seconds[side] += answer.seconds

    def failed(self, fault: AgentFailed) -> None:
        """Show the agent's last words."""
        self.say("".join(f"| {line}" for line in last_words(fault.stderr, 1)))

    def cannot_play(self, error: Exception) -> None:
        """Show why, with the agent's last words."""
        words = last_words(error.stderr, 1) if isinstance(error, AgentFailed) else ()
        last = [line for line in words if line not in str(error)]
        self.say(f"{': '.join((str(error), *last))}. Choose who plays: press o.")

    def saved(self, path: Path, name: str) -> None:
        """Say that the game is saved."""
        self.say(f"saved as {name}")

    def help(self) -> None:
        """Show the rules, and every command, which can be chosen."""
        self._app.help.begin(self._app.board.view.rules)
        ask(self._app, self._app.help, self._app.obey)

    def leave(self) -> None:
        """End the application."""
        self._app.exit()

    def expect(self, texts: tuple[str, ...], most: int | None = None, otherwise: tuple[Any, ...] = ()) -> None:
        """Show moves as ghosts on the position that is looked at, as far as they can be played there.

        At most `most` moves are shown; if none can be played, `otherwise` is shown.
        """
        after = positions_after(self._played.game, self._played.shown_position, texts)
        self._app.board.expect((tuple(position.last_move for position in after) or otherwise)[:most])

    def show_hint(self, name: str, answer: AgentMove) -> None:
        """Show the move on the board, and its worth."""
        if answer.resigns:
            self.say(f"{name} would resign")
            return
        analysis, chance = answer.analysis, told_chance(answer.analysis)
        self.expect(analysis.pv or (), 3, (answer.move,))
        value = "" if chance is None else f", and expects to score {chance:.0%}"
        if analysis.proven:
            value = f", and has proved a {analysis.proven}"
        marked = ". On the board it is marked 1." if self._app.board.shows_expected else ""
        self.say(f"{name} would play {self._played.game.format_move(answer.move)}{value}{marked}")

    def show_ranked(self, name: str, ranked: list[RankedMove]) -> None:
        """Offer the moves beside the board; over another dialog, say only that they are there."""
        position = self._played.shown_position
        if self._is_busy:
            self._ranked = position, name, ranked
            self.say("all moves are ranked: press a to see them")
            return

        def point(one: RankedMove) -> None:
            if position is self._played.shown_position:
                self.expect(one.pv, 5, (one.move,))

        def chosen(one: RankedMove | None) -> None:
            """Say what is marked; after Escape, nothing is."""
            board = self._app.board
            if one is None:
                board.expect(())
            elif position is self._played.shown_position and board.shows_expected:
                self.say(f"{one.text} is marked 1 on the board. Esc: hide that.")

        self.say("")
        shown, rows = ranked[:MOST_RANKED], [("move", "chance", "visits")]
        rows += [(one.text, one.proven or chance_text(one.value, one.visits), visits_text(one.visits)) for one in shown]
        width = max(len(text) for text, _, _ in rows) + 1
        head, *lines = [f"{text:<{width}}{chance:>6}{visits:>10}" for text, chance, visits in rows]
        choices = list(zip(lines, shown, strict=True))
        self._app.push_screen(PickBeside(f"Moves, the best first\n{head}", choices, point), chosen)

    def analyze(self) -> None:
        """Let all moves be ranked, or show the ranking that came while another dialog was open."""
        known, self._ranked = self._ranked, None
        if known is not None and known[0] is self._played.shown_position:
            self.show_ranked(*known[1:])
        else:
            self._app.controller.advice.analyze()

    def show_judgement(self, judgement: Judgement | None) -> None:
        """Show the judgement beside the board."""
        text = ""
        if judgement is not None:
            text = f"Coach: {judgement.sentence() if judgement.is_mistake else 'a good move.'}"
        self._app.write("coach-text", text)

    def show_summary(self, judgements: list[Judgement]) -> None:
        """Offer the turning points beside the board, which shows the one under the cursor."""
        turning = [one for one in judgements if one.is_mistake]
        before = self._played.shown if self._played.is_looking_back else None
        if self._is_busy:
            self.say("the coach has looked through the game: press C for the turning points")  # no list over a dialog
            return
        self.say("")
        if not turning:
            moves = "the only move was no mistake" if len(judgements) == 1 else ""
            self.say(moves or f"none of the {len(judgements)} moves was a mistake")
            return

        def point(one: Judgement) -> None:
            """Look at the position before a move, with what would have been better."""
            self._app.controller.look_at(one.ply)
            self.expect(one.line, 3)

        def chosen(one: Judgement | None) -> None:
            """Stay at the turning point that was chosen; after Escape, look again at the earlier position."""
            if one is None:
                self._app.controller.look_at(self._played.present if before is None else before)
            else:
                self.say(self._turning_text(one))

        choices = [(self._turning_text(one), one) for one in turning]
        self._app.push_screen(PickBeside("Turning points; Enter goes there", choices, point), chosen)

    def _turning_text(self, one: Judgement) -> str:
        return f"{move_number(self._played, one.ply + 1)} {one.sentence(self._played.name_of(one.player))}"

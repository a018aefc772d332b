"""A game between people and agents in lines of text, in a terminal or over a pipe.

Every agent is a process of its own, held to its memory limit, and ended if it does not answer (`simulator/play`).
Unlike in a match, an answer that is only a little late is played as it is. Each turn draws one board: after the agent's
answer, not before it.

Begin reading at `play`, then `LineFrontEnd.run`; `simulator/play/commands.py` has what can be typed besides moves.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from game import Game
from options import counted
from simulator import command_line
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.coach import Judgement
from simulator.play.commands import COMMANDS, Command, obey
from simulator.play.controller import Controller
from simulator.play.game_in_progress import GameInProgress, compile_rules
from simulator.play.names import side_name
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, AgentMove, RankedMove, Request
from simulator.records.saved_game import is_sgf
from simulator.terminal import texts
from simulator.terminal.elapsed import compile_agent, preparing_rules
from simulator.terminal.screen import Screen

AFTER_THE_GAME = "Type undo, new, summary, save FILE or quit."


def play(played: GameInProgress, settings: PlaySettings, resumed: Path | None = None) -> None:
    """Play a game that is new or was saved, until the person leaves; `resumed` is the file that `--resume` found.

    Whether `settings.isolation` "required" can be met is not checked here.

    Raises AgentError for an agent that does not exist, AgentFailed if one cannot be started, and KeyboardInterrupt,
    after printing how to continue.
    """
    screen = Screen()
    on_new = partial(compile_agent, screen.can_erase, settings.limits)
    with Agents(played, settings, on_new) as agents, Autosave(settings, resumed) as autosave:
        session = LineFrontEnd(played, agents, screen, autosave)
        session.start()
        try:
            session.run()
        except KeyboardInterrupt:
            screen.say()
            raise
        finally:
            if session.controller.is_worth_asking:
                screen.say(texts.how_to_continue(played.saved(), settings.flags()))


class LineFrontEnd:
    """Shows a game to people and reads what they type: a `simulator.play.front_end.FrontEnd`."""

    def __init__(self, played: GameInProgress, agents: Agents, screen: Screen, autosave: Autosave) -> None:
        self.played, self.screen = played, screen
        self.controller = Controller(played, agents, self, autosave)
        self.commands = COMMANDS | {
            "pause": COMMANDS["pause"]._replace(run=self._pause),
            "thoughts": Command("see what the agent thought at its last move", lambda *_: self._say_thoughts()),
            "moves": Command("list the legal moves", lambda *_: self._list_legal()),
            "list": Command("list the moves that were played", lambda *_: self._list_played()),
            "board": Command("draw the board again", lambda *_: self.show()),
        }
        self.left = self._is_begun = False
        # Requests, what is done with their answers, and the texts that are shown meanwhile.
        self._waits: list[tuple[Request[Any], Callable[[Request[Any]], None], str]] = []
        self._thoughts: dict[int, str] = {}  # what was said of moves, by the ply after the move
        self._known_players = list(played.players)

    # --- From the start to the end ---

    def start(self) -> None:
        """Start the agents before anything is shown. Raises AgentError, AgentFailed if one cannot be started."""
        self.controller.keep()
        self.controller.seat()
        while self._waits:
            self._wait()

    def run(self) -> None:
        """Play until the person leaves."""
        self._is_begun = True
        self.say(self.played.who_plays())
        self.say(texts.move_help(self.played.game))
        self.screen.say_wrapped(f"Or type a command: {' '.join(self.commands)}", "  ")
        self.turn()
        if not self.controller.is_agents_turn:
            self.show()
        while not self.left:
            try:
                self._go_on()
            except KeyboardInterrupt:
                if not self._stays():
                    raise

    def _go_on(self) -> None:
        """Wait for an agent, or read a line: agents are asked for moves when nobody waits for advice."""
        if not self._waits:
            self.controller.next_turn()
        if not self._wait() and not self.controller.is_agents_turn:
            self._read()

    def _wait(self) -> bool:
        """Wait for the first answer of an agent that is not paused, and use it; False if there is none to wait for."""
        still = self.controller.thinking if self.controller.is_paused else None
        first = next((one for one in self._waits if one[0] is not still or one[0].done), None)
        if first is None:
            return False
        request, use, text = first
        try:
            self.screen.wait(
                self._waiting_text(request, text), request.wait, partial(self._typed_while_waiting, request)
            )
        except KeyboardInterrupt:
            if request is not self.controller.thinking:
                request.cancel()
            raise
        if request.done:
            self._waits.remove(first)
            use(request)
        return True

    def _waiting_text(self, request: Request[Any], text: str) -> str:
        if request is not self.controller.thinking:
            return f"{text or f'starting {request.name} ...'} (Ctrl-C to leave)"
        return f"{request.name} is thinking ...{' (now, pause, Ctrl-C)' if self.screen.is_interactive else ''}"

    def _typed_while_waiting(self, request: Request[Any], line: str) -> bool:
        """Obey what was typed while an agent thinks; returns whether the waiting ends."""
        self.screen.say()
        if request is self.controller.thinking and line.lower() in ("now", "pause"):
            obey(self.controller, line, self.commands)
            return self.controller.is_paused
        self.screen.say(f"(ignored while waiting for {request.name}: {line.splitlines()[0]!r:.30})")
        return False

    def _stays(self) -> bool:
        """After Ctrl-C, ask a person at a terminal whether to leave an open game; returns whether the game goes on."""
        controller = self.controller
        if not (self.screen.is_interactive and controller.is_worth_asking):
            return False
        if controller.thinking is not None:
            controller.thinking.pause()
        self.screen.say()
        try:
            is_kept = controller.autosave.is_kept
            what = "play --resume goes on with it." if is_kept else "It is not kept: save FILE keeps it."
            leaves = self.screen.ask(f"Leave the game? {what} (y/n) ")
        except KeyboardInterrupt:
            leaves = "y"
        if controller.thinking is not None and not controller.is_paused:
            controller.thinking.resume()
        return leaves is not None and leaves.lower() not in ("y", "yes")

    # --- A person's turn ---

    def _read(self) -> None:
        line = self.screen.ask(self._prompt())
        if line is None:
            self.left = True
        elif line and not obey(self.controller, line, self.commands) and (wrong := self.controller.play_typed(line)):
            self.say(f"{wrong}. {AFTER_THE_GAME if self.played.is_over else 'Or type help.'}")

    def _prompt(self) -> str:
        played = self.played
        if played.is_looking_back:
            return f"move {played.shown} of {played.present}> "
        if played.is_over:
            return "over> "
        return "paused> " if self.controller.is_paused else f"{played.game.players[played.position.to_move]}> "

    def _pause(self, controller: Controller, argument: str) -> None:
        COMMANDS["pause"].run(controller, argument)
        if controller.is_paused:
            self.say("paused: the agents' clocks stand still. Type go, now, or any command")

    def _say_thoughts(self) -> None:
        """Say what each agent thought at its last move."""
        known = [ply for ply in self.controller.thoughts if ply <= self.played.present]
        last = {self.played.line[ply - 1].to_move: self._thoughts[ply] for ply in sorted(known)}
        for _, text in sorted(last.items()):
            self.screen.say_wrapped(text, "  ")
        if not last:
            self.screen.say("No agent has said what it thinks of its last move.")

    def _list_legal(self) -> None:
        legal = self.played.shown_position.legal_moves()
        self.screen.say(texts.moves_text([self.played.game.format_move(move) for move in legal]))

    def _list_played(self) -> None:
        self.screen.say(texts.played_text(self.played.moves) or "No move has been played.")

    # --- What the controller asks for ---

    def say(self, text: str) -> None:
        """Print a paragraph, and the lines below it as they are."""
        first, _, more = text.partition("\n")
        if first:
            self.screen.say_wrapped(self.controller.sentence(first) + ("" if first[-1] in ".:?" else "."), "  ")
        if more:
            self.screen.say(more)

    def confirm(self, question: str, then: Callable[[], None], refusal: str = "") -> None:
        """Ask a person at a terminal; over a pipe, go on unless there is a `refusal`."""
        if self.screen.confirms(question) if self.screen.is_interactive else not refusal:
            then()
        else:
            self.say(refusal)

    def when_done(
        self, request: Request[Any], use: Callable[[Request[Any]], None], text: str = "", goes_on: bool = False
    ) -> None:
        """Wait for the request before the next line is read."""
        self._waits.append((request, use, text))

    def prepare_rules(self, game: Game, begin: Callable[[], None]) -> None:
        """Compile the rules now, then begin."""
        with preparing_rules(self.screen.can_erase):
            compile_rules(game)
        begin()

    def turn(self) -> None:
        """Say once if the game cannot be kept; `run` itself looks whose turn it is."""
        if problem := self.controller.autosave.new_problem():
            self.say(problem)

    def show(self, before: Any = None) -> None:
        """Draw the position, unless an agent is about to answer a person; the coach sums up a game that has ended."""
        played, colour, controller = self.played, self.screen.colour, self.controller
        if controller.is_agents_turn and played.persons:
            return
        self.screen.say("\n" + played.game.draw(played.shown_position, colour=colour) + "\n")
        if played.is_looking_back:
            self.screen.say(f"Position after move {played.shown} of {played.present}. Type forward, back or end.")
        elif played.is_over:
            draw_area = getattr(played.game, "draw_area", None)  # only games that are decided by points have it
            if draw_area is not None and played.position.result is not None:
                self.screen.say(draw_area(played.position, colour=colour) + "\n")
            self.screen.say_wrapped(f"Game over: {played.ending()}. {AFTER_THE_GAME}")
            if before is not None and controller.advice.has_coach:
                controller.advice.summary()

    def begun(self) -> None:
        """Say who plays, if the players have changed."""
        if self._known_players != self.played.players:
            self.say(self.played.who_plays())
        self._known_players = list(self.played.players)

    def answered(self, side: int, answer: AgentMove) -> None:
        """Print the move, and what the agent thinks if that is wanted."""
        if answer.resigns:
            return
        name, text = self.played.name_of(side), texts.analysis_text(answer.analysis) or "it gives no analysis."
        self._thoughts[self.played.present + 1] = f"{name}: {text}"
        self.screen.say(f"{name} plays {self.played.game.format_move(answer.move)}   ({answer.seconds:.1f} s)")
        if self.controller.agents.settings.show_analysis:
            self.screen.say_wrapped(f"{name}: {text}", "  ")

    def failed(self, fault: AgentFailed) -> None:
        """Quote what the agent wrote last."""
        for line in fault.quoted():
            self.screen.say(line)

    def cannot_play(self, error: Exception) -> None:
        """Say that an agent cannot play; before the game begins, raise the error."""
        if not self._is_begun:
            raise error
        self.say(f"{error}. Choose who plays: level N or agent NAME")
        if isinstance(error, AgentFailed):
            self.failed(error)

    def show_hint(self, name: str, answer: AgentMove) -> None:
        """Print the move, and why."""
        what = "resign" if answer.resigns else f"play {self.played.game.format_move(answer.move)}"
        self.screen.say_wrapped(f"{name} would {what}. {texts.analysis_text(answer.analysis)}", "  ")

    def show_ranked(self, name: str, ranked: list[RankedMove]) -> None:
        """Print a table."""
        mover = side_name(self.played.game, self.played.shown_position.to_move)
        self.screen.say(f"{name}'s moves for {mover}, the best first:\n{texts.ranked_text(ranked)}")

    def show_judgement(self, judgement: Judgement | None) -> None:
        """Print what was wrong with a move, if it was a mistake."""
        if judgement is not None and judgement.is_mistake:
            self.screen.say_wrapped(f"Coach: {judgement.sentence()} (undo takes it back)", "  ")

    def show_summary(self, judgements: list[Judgement]) -> None:
        """Print a line for each turning point."""
        turning = [judgement for judgement in judgements if judgement.is_mistake]
        self.screen.say(f"{counted(len(judgements), 'move')}, {counted(len(turning), 'turning point')}.")
        for one in turning:
            who = self.played.name_of(one.player)
            self.screen.say_wrapped(f"{one.ply + 1:>4}.  {who}: {one.sentence(who)}", "       ")
        if turning:
            self.say(f"Type look and a number to see the board after that move, as in look {turning[0].ply + 1}")

    def saved(self, path: Path, name: str) -> None:
        """Print the command that continues the game."""
        # SGF cannot say which side a person had, and which agent the other.
        # A finished game keeps its players.
        more = texts.resume_options(self.played.saved()) if is_sgf(path) and not self.played.is_over else []
        flags = self.controller.agents.settings.flags()
        command = command_line("play", "--load", str(path), *more, *flags)
        self.screen.say(f"Saved as {'SGF' if is_sgf(path) else 'JSON'}. To continue: {command}")

    def help(self) -> None:
        """Show what can be typed."""
        self.say(texts.move_help(self.played.game))
        for name, command in self.commands.items():
            self.screen.say(f"  {name + command.argument:<22}{command.help}")

    def leave(self) -> None:
        """Read no more lines."""
        self.controller.call_off()
        self.left = True

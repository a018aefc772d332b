"""The controller of a game between people and agents: whose turn it is, who is asked, and what the answer does.

It shows nothing and waits for nobody: its `front_end.FrontEnd` does. What a person may ask of it is in
`commands.COMMANDS`.
Begin reading at `Controller.next_turn`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from agents.agent import AgentError
from agents.human_agent import read_move
from agents.levels import level_of
from game import FIRST, SECOND, Game, IllegalMove, RulesError
from options import InputError
from simulator.gtp.analysis import Analysis
from simulator.play.advice import Advice
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.front_end import FrontEnd
from simulator.play.game_in_progress import KEEPS_PLAYERS, GameInProgress
from simulator.play.names import agent_name, capitalized
from simulator.play.thinker import AgentFailed, AgentMove, CalledOff, Request, Thinker
from simulator.player.lookup import PERSON

LEAVE_IT = "The game on the board is not over. Leave it?"


class Controller:
    """A game that is played, and those who play it.

    Attributes:
        autosave: where the running game is kept.
        thinking: the request for a move that an agent thinks about; None if there is none.
        starting: the agents that are being started, each with the request.
        thoughts: what agents said of their moves, by the ply after the move.
    """

    def __init__(self, played: GameInProgress, agents: Agents, front_end: FrontEnd, autosave: Autosave) -> None:
        self.played, self.agents, self.front_end, self.autosave = played, agents, front_end, autosave
        self.advice = Advice(played, agents, front_end)
        self.is_paused = False
        self.thinking: Request[AgentMove] | None = None
        self.starting: dict[Thinker, Request[None]] = {}
        self.thoughts: dict[int, Analysis] = {}
        self._started: set[Thinker] = set()  # or being started
        self._before: list[str] | None = None  # who played before the agents that are being started were chosen
        self._held: Request[AgentMove] | None = None  # answered while a move is still being shown, or during a pause
        self._compiled = {type(played.game.kernel)}  # kinds of rules

    # --- Whose turn it is ---

    @property
    def is_agents_turn(self) -> bool:
        """Whether the game goes on, and an agent is to move."""
        played = self.played
        return not (played.is_looking_back or played.is_over or self.is_paused or played.is_persons_turn)

    def next_turn(self, may_play: bool = True) -> None:
        """Ask the agent whose turn it is; play an answer that is there already, if `may_play` and without a pause."""
        if self._held is not None:
            if may_play and not self.is_paused:
                held, self._held = self._held, None
                self._play_answer(held)
        elif self.is_agents_turn and self.thinking is None and not self.starting:
            thinker = self.agents.player(self.played.position.to_move)
            self.thinking = thinker.move(self.played.positions)
            self.front_end.when_done(self.thinking, self._hold)

    def _hold(self, request: Request[AgentMove]) -> None:
        """Keep an agent's answer until it can be played; drop it if the request was called off."""
        if request is self.thinking:
            self.thinking, self._held = None, request
            self.front_end.turn()

    def _play_answer(self, request: Request[AgentMove]) -> None:
        """Play what an agent answered; if this machine failed, pause, because that decides no game."""
        side = self.played.position.to_move
        try:
            answer = request.result()
        except CalledOff:
            return
        except AgentFailed as fault:
            self.front_end.failed(fault)
            self._ended(side, str(fault), "F")
        except OSError as error:
            self.pause(f"{request.name} could not be asked: {error}")
        except RulesError as error:  # of a game's file
            self.pause(str(error))
        else:
            self.front_end.answered(side, answer)
            if answer.resigns:
                self._ended(side)
            else:
                try:
                    self.play(answer.move, answer.analysis)
                except RulesError as error:
                    self.pause(str(error))

    def _ended(self, side: int, *how: str) -> None:
        self.played.lose(side, *how)
        self.keep()
        self.front_end.show()
        self.front_end.turn()

    def play(self, move: Any, thoughts: Analysis | None = None) -> None:
        """Play a legal move, with an agent's `thoughts`; whoever looks at an earlier position goes on looking at it.

        Raises IllegalMove, RulesError.
        """
        played, before = self.played, self.played.position
        looked_at = played.shown if played.is_looking_back else None
        played.play(move)
        self.thoughts = {ply: one for ply, one in self.thoughts.items() if ply < played.present}
        if thoughts is not None:
            self.thoughts[played.present] = thoughts
        self.keep()
        self.front_end.show_judgement(None)
        if looked_at is None:
            self.front_end.show(before)
        else:
            played.look_at(looked_at)
            self.front_end.say(f"{played.game.format_move(move)} was played: End shows it")
        if played.is_person(before.to_move):
            self.advice.judge_last()
        self.front_end.turn()

    def play_typed(self, text: str) -> str:
        """Play the move that a person typed. Returns what is wrong with it, empty if it was played."""
        played = self.played
        if played.is_looking_back:
            look = f"not played: you look at move {played.shown} of {played.present}"
            return f"{look}. Type end to go on with the game, or here to play on from this position"
        if not played.is_persons_turn:
            return "the game is over" if played.is_over else "it is not your turn to move"
        try:
            move = read_move(played.game, played.position, text)
            self.front_end.say("")
            self.play(move)
        except IllegalMove as error:
            return f"not legal: {error}"
        except (InputError, RulesError) as error:  # RulesError: the rules of a game's file fail
            return str(error)
        return ""

    # --- What changes the game ---

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Wrap a change of the game: first call off the agent that thinks; afterwards show the board and the turn."""
        self.call_off()
        self.front_end.say("")
        self.front_end.show_judgement(None)
        yield
        self.keep()
        self.front_end.show()
        self.front_end.turn()

    def call_off(self) -> None:
        """Stop waiting for the agent that is thinking."""
        if self.thinking is not None:
            self.thinking.cancel()
        self.thinking = self._held = None

    def keep(self) -> None:
        """Write the game to where `play --resume` finds it."""
        self.autosave.write(self.played.saved(), self.played.is_over)

    def look_at(self, index: int) -> None:
        """Look at another position."""
        self.played.look_at(index)
        self.front_end.say("")
        self.front_end.show()
        self.front_end.turn()

    def begin_with(self, exchange: Callable[[], None]) -> None:
        """Begin another game; `exchange` changes this game to it."""
        with self.changed():
            exchange()
            self.thoughts = {}
            self.is_paused, self._before = False, None
            self.front_end.begun()
            self.seat()

    @property
    def is_worth_asking(self) -> bool:
        """Whether the game on the board has begun and is not over."""
        return not self.played.is_over and self.played.present > 0

    def if_given_up(self, then: Callable[[], None]) -> None:
        """Call `then`, which ends the game on the board; ask first if the game is not over."""
        if self.is_worth_asking:
            self.front_end.confirm(LEAVE_IT, then)
        else:
            then()

    def has_rules(self, game: Game) -> bool:
        """Whether the rules of a game are compiled."""
        return type(game.kernel) in self._compiled

    def with_rules(self, game: Game, begin: Callable[[], None]) -> None:
        """Call `begin` once the rules of a game are compiled."""

        def prepared() -> None:
            self._compiled.add(type(game.kernel))
            begin()

        if self.has_rules(game):
            begin()
        else:
            self.front_end.prepare_rules(game, prepared)

    # --- Who plays ---

    def seat(self) -> None:
        """Start the agents that play and were not started yet; if one does not exist, pause and say why."""
        played = self.played
        if played.is_over:
            return
        try:
            playing = {self.agents.player(side) for side in (FIRST, SECOND) if not played.is_person(side)}
        except (AgentError, InputError) as error:
            self._cannot_play(error)
            return
        new, self._started = playing - self._started, playing
        self.starting = {thinker: request for thinker, request in self.starting.items() if thinker in playing}
        self.starting |= {thinker: thinker.start() for thinker in new}
        for thinker in new:
            self.front_end.when_done(self.starting[thinker], partial(self._is_started, thinker))

    def _is_started(self, thinker: Thinker, request: Request[None]) -> None:
        """Let an agent that was started play, or say why it cannot."""
        if self.starting.get(thinker) is not request:
            return
        del self.starting[thinker]
        try:
            request.result()
        except CalledOff:
            return
        except (AgentFailed, OSError) as fault:
            self._started.discard(thinker)
            self._cannot_play(fault)
        else:
            self._before = self._before if self.starting else None
        self.front_end.turn()

    def _cannot_play(self, error: Exception) -> None:
        """Go on with the players from before; at the beginning of a game, pause until somebody else is chosen."""
        before, self._before = self._before, None
        if before is None or self.played.is_over:
            self.is_paused = True
            self.front_end.cannot_play(error)
            return
        self.played.let_play(before)
        self.keep()
        self.front_end.begun()
        self.front_end.say(f"not done: {error}")
        self.seat()

    def check_agents(self, players: Sequence[str]) -> None:
        """Raise InputError if one of these agents does not exist; those that play already are not checked."""
        for text in players:
            if text != PERSON and text not in self.played.players and (wrong := self.played.why_absent(text)):
                raise InputError(f"not done: {wrong}")

    def let_play(self, players: Sequence[str], typed: str = "") -> None:
        """Let these players go on with the game; if it is over, ask whether to begin a new one with them.

        `typed` is the command that said who plays. Raises InputError if an agent does not exist.
        """
        self.check_agents(players)
        if self.played.is_over:
            begin = partial(self.begin_with, partial(self.played.new_game, players=players))
            refusal = f"not done: {KEEPS_PLAYERS}. To begin a new game with these: new {typed}" if typed else ""
            self.front_end.confirm(f"{capitalized(KEEPS_PLAYERS)}. Begin a new game with these?", begin, refusal)
            return
        with self.changed():
            before = list(self.played.players)
            self.played.let_play(players)
            self.is_paused = False
            self._before = before
            self.front_end.begun()
            self.seat()

    def sentence(self, text: str) -> str:
        """A sentence as it is shown: with a capital, unless the name of an agent or a move is its first word."""
        agents = [self.agents.settings.hints, *(text for text in self.played.players if text != PERSON)]
        names = [agent_name(agent) for agent in agents if level_of(agent) is None]  # a level's name is an ordinary word
        return text if any(re.match(rf"{re.escape(name)}\b", text) for name in names) else capitalized(text)

    # --- Agents that think ---

    def pause(self, why: str = "") -> None:
        """Stop clocks and agents, and say why if a person did not ask for it."""
        self.is_paused = True
        self.front_end.say(why)
        if self.thinking is not None:
            self.thinking.pause()
        self.front_end.turn()

    def go_on(self) -> None:
        """Go on after a pause; an agent that could not be started is tried again."""
        self.is_paused = False
        self.front_end.say("")
        if self.thinking is not None:
            self.thinking.resume()
        else:
            self.seat()
        self.front_end.turn()

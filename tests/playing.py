"""Games of people and agents without a process or a terminal: agents that answer at once, a front end that records."""

from types import SimpleNamespace

from agents.agent import parse_agent
from game import load_game
from simulator.gtp.analysis import Analysis
from simulator.play.commands import COMMANDS, obey
from simulator.play.controller import Controller
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentMove, RankedMove, Request
from simulator.records.saved_game import SavedGame, replay
from simulator.terminal.play import LineFrontEnd
from simulator.terminal.screen import Screen

PENTAGO = load_game("pentago")
ONE_SHORT = SavedGame(position="wwww../bbb.../....../....../....../b..... w")  # e1/3r wins
TWO_PEOPLE, TWO_AGENTS = ("human_agent", "human_agent"), ("first_agent", "first_agent")
FIRST, SECOND = ("human_agent", "first_agent"), ("first_agent", "human_agent")
ANSWERS = "(answers)"
# An `Autosave` that keeps nothing.
NOWHERE = SimpleNamespace(write=lambda *_: None, is_kept=False, new_problem=lambda: "")


class FirstMoveOpponent:
    """Plays the first legal move, or does `instead`: it resigns or raises an error; reports the given analysis.

    With an error in `fails_to_start`, its next start fails.
    """

    text = name = "first_agent"
    spec = parse_agent("first_agent")
    place = 0  # among the legal moves

    def __init__(self, instead=None, analysis=None, fails_to_start=None):
        self.instead, self.fails_to_start = instead, fails_to_start
        self.thoughts = analysis or Analysis()

    def start(self):
        error, self.fails_to_start = self.fails_to_start, None
        return self._task(lambda request: self._raise(error))

    def move(self, positions):
        return self._task(lambda request: self.answer(positions))

    def study(self, positions, seconds):
        return self._task(lambda request: self.ranked(positions))

    def answer(self, positions):
        self._raise(self.instead)
        resigns = self.instead == "resign"
        move = None if resigns else positions[-1].legal_moves()[self.place]
        return AgentMove(move, 0.1, self.thoughts, resigns)

    def ranked(self, positions):
        self._raise(self.instead)
        move = positions[-1].legal_moves()[0]
        return [RankedMove(move, str(move), 10, 0.6, None, (str(move),))]

    def _raise(self, error):
        if isinstance(error, Exception):
            raise error

    def _task(self, work):
        request = Request(self.name, True)
        request.run(work)
        return request


class Oracle(FirstMoveOpponent):
    """Knows that one move wins, and that every answer to any other loses."""

    best = "e1/3r"

    def ranked(self, positions):
        position = positions[-1]
        if position.ply % 2:
            move = position.legal_moves()[0]
            return [RankedMove(move, str(move), 5, 0.9, "win", (str(move),))]
        return [RankedMove(PENTAGO.parse_move(self.best), self.best, 5, 1.0, "win", (self.best, "a1/0r"))]


class FakeAgents:
    """One opponent for every side, which also gives advice."""

    def __init__(self, opponent, settings):
        self.opponent = self.adviser = opponent
        self.settings = settings

    def player(self, side):
        return self.opponent


class Listener:
    """A front end that records what it is told; answers come at once, or with `waits`, when `deliver` is called.

    Attributes:
        said: the sentences.
        told: every other call, as a name and arguments.
        questions: what it was asked to confirm; it says yes, or no after `agrees = False`.
    """

    def __init__(self, waits=False):
        self.said, self.told, self.questions, self.agrees = [], [], [], True
        self.waits, self.undelivered = waits, []

    def say(self, text):
        self.said += [text] if text else []

    def confirm(self, question, then, refusal=""):
        self.questions.append(question)
        if self.agrees:
            then()

    def when_done(self, request, use, text="", goes_on=False):
        self.undelivered.append((request, use))
        if not self.waits:
            self.deliver()

    def deliver(self):
        """Use the answers that have arrived so far."""
        undelivered, self.undelivered = self.undelivered, []
        for request, use in undelivered:
            use(request)

    def prepare_rules(self, game, begin):
        begin()

    def turn(self):
        self.controller.next_turn()

    def __getattr__(self, name):
        return lambda *arguments: self.told.append((name, arguments))

    def last(self, name):
        """The arguments of the last call of this name, None if there was none."""
        return next((arguments for told, arguments in reversed(self.told) if told == name), None)


def game_of(players=FIRST, saved=None, game=PENTAGO, positions=None, result="none"):
    return GameInProgress(game, positions or replay(game, saved or SavedGame()), players, result)


def controller_of(*lines, opponent=None, waits=False, settings=None, **more):
    """The controller of a game after these lines, each a command or a move."""
    front_end = Listener(waits)
    agents = FakeAgents(opponent or FirstMoveOpponent(), PlaySettings(**{"hints": "first_agent"} | (settings or {})))
    front_end.controller = controller = Controller(game_of(**more), agents, front_end, NOWHERE)
    controller.seat()
    controller.front_end.turn()
    type_in(controller, *lines)
    return controller


def type_in(controller, *lines):
    """Obey each line as a command or play it as a move, and say what is wrong with it; `ANSWERS` delivers answers."""
    for line in lines:
        if line == ANSWERS:
            controller.front_end.deliver()
        elif not obey(controller, line, COMMANDS):
            controller.front_end.say(controller.play_typed(line))


CTRL_C = "^C"  # as a line


class ScriptedScreen(Screen):
    """Types the given lines, then ends the input; keeps what is said."""

    def __init__(self, *lines, interactive=False):
        super().__init__()
        self.colour = self.can_erase = False
        self.is_interactive = interactive
        self.lines = list(lines)
        self.said = []

    def say(self, text=""):
        self.said.append(text)

    def _ignore_what_was_typed(self):
        """Ignore nothing: the lines of a test are not typed while an agent thinks."""

    def _typed_line(self):
        return ""

    def ask(self, prompt):
        self.said.append(prompt)
        line = self.lines.pop(0) if self.lines else None
        if line == CTRL_C:
            raise KeyboardInterrupt
        return line

    @property
    def text(self):
        return "\n".join(self.said)

    @property
    def words(self):
        """What is said, in one line."""
        return " ".join(self.text.split())


def play(*lines, opponent=None, interactive=False, settings=None, **more):
    """Run a session in lines of text that reads these lines; return it."""
    settings = PlaySettings(**{"hints": "first_agent"} | (settings or {}))
    agents = FakeAgents(opponent or FirstMoveOpponent(), settings)
    session = LineFrontEnd(game_of(**more), agents, ScriptedScreen(*lines, interactive=interactive), NOWHERE)
    session.start()
    session.run()
    return session

"""OpenSpiel's bots as agents: opponents that somebody else has written, `openspiel-bot:mcts` for example.

    python runner.py match uct_agent openspiel-bot:mcts --game go --games 10
    python runner.py match uct_agent openspiel-bot:mcts --game "openspiel:breakthrough(rows=6,columns=6)"

They play OpenSpiel's games, Go, and Kalah as OpenSpiel has it, with six pits of four stones. In OpenSpiel's Go a board
that comes again ends the game as a draw, but a referee with superko calls such a move illegal. The agent never answers
with such a move, but with the most visited of the others.
"""

from importlib import import_module
from typing import Any, ClassVar

from agents.agent import Agent, AgentError, register_agent
from agents.agent_options import declare
from agents.limits import Clock
from game import Game
from options import DeclaredOption

ENDLESS = 1 << 30  # simulations: more than any time allows
EXPLORATION = 2.0  # OpenSpiel's own default in its example; its values go from -1 to 1
RESERVE_SECONDS, RESERVE_SHARE = 0.1, 0.1  # of the time for a move, the smaller of the two is kept in reserve
MEMORY_SHARE = 0.6  # of the limit, for the tree
LONGEST_GAME = 8  # moves of Go, for each point of the board: longer than what a referee allows
MOST_PLIES = 8  # the longest opening of Kalah that is found without having seen its positions


@register_agent("openspiel_agent")
class OpenSpielAgent(Agent):
    """A bot of OpenSpiel: UCT in C++ with random rollouts and proved results, or random moves.

    Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019.
    """

    default_options: ClassVar = declare(
        DeclaredOption("bot", str, "mcts", choices=("mcts", "uniform_random"), help="Which one."),
        DeclaredOption("simulations", int, 0, 0, help="With bot=mcts: for a move; 0: as many as time allows."),
        DeclaredOption("exploration", float, EXPLORATION, 0, help="With bot=mcts: the constant of UCT."),
    )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._spiel: Any = None
        self._bridge: Any = None
        self._simulations = 0  # of the last move

    @classmethod
    def for_game(cls, game: Game) -> type[Agent]:
        """This class. Raises AgentError for a game that OpenSpiel does not have."""
        bridge_for(game)
        return cls

    def setup(self) -> None:
        """Import OpenSpiel, and load its game. Raises AgentError."""
        try:
            self._spiel = import_module("pyspiel")
        except ImportError as error:
            raise AgentError(f"OpenSpiel's bots need OpenSpiel ({error}): pip install open_spiel") from error
        self._bridge = bridge_for(self.game)(self.game, self._spiel)
        self._evaluator = self._spiel.RandomRolloutEvaluator(1, self.rng.randrange(1 << 30))

    def step(self, position: Any, clock: Clock) -> Any:
        """The bot's move."""
        if self._bridge is None:
            self.setup()
        state = self._bridge.state_of(position)
        actions = self._bridge.actions_of(position, state)
        action = self.rng.choice(actions) if self.options["bot"] == "uniform_random" else None
        if action is None:
            seconds = min(clock.remaining, self.limits.move_seconds)
            action = self._searched(state, seconds - min(RESERVE_SECONDS, RESERVE_SHARE * seconds), actions)
        return self._bridge.move_of(position, state, action)

    def see(self, position: Any) -> None:
        """Note a position, such as the end of an opening, so that the moves to later positions can be found from it.

        The agent need not be to move there. Only Kalah needs this, since OpenSpiel has to be told all moves. Raises
        AgentError.
        """
        if self._bridge is None:
            self.setup()
        self._bridge.state_of(position)

    def _searched(self, state: Any, seconds: float, actions: list[int]) -> int:
        """The best of these actions, by a search of the state."""
        simulations = int(self.options["simulations"])
        bot = self._spiel.MCTSBot(
            state.get_game(),
            self._evaluator,
            float(self.options["exploration"]),
            simulations or ENDLESS,
            int(MEMORY_SHARE * self.limits.memory_mb),
            True,  # solve
            self.rng.randrange(1 << 30),
            False,  # verbose
            self._spiel.ChildSelectionPolicy.UCT,
            -1.0 if simulations else max(0.001, seconds),
        )
        root = bot.mcts_search(state)
        self._simulations = int(root.explore_count)
        if not root.children:  # after a single simulation; `best_child` would then end the process
            return actions[0]
        by_visits = sorted(root.children, key=lambda child: -child.explore_count)
        found = [child.action for child in (root.best_child(), *by_visits) if child.action in actions]
        return int(found[0] if found else actions[0])

    def analysis(self) -> dict[str, Any]:
        """How many simulations the last move had."""
        return {"simulations": self._simulations} if self._simulations else {}


class Direct:
    """The bridge to OpenSpiel for a game of its own."""

    def __init__(self, game: Any, spiel: Any) -> None:
        pass

    def state_of(self, position: Any) -> Any:
        """OpenSpiel's state."""
        return position.words.state

    def move_of(self, position: Any, state: Any, action: int) -> Any:
        """The move that an action stands for."""
        return next(move for move, number in position.words.moves().items() if number == action)

    def actions_of(self, position: Any, state: Any) -> list[int]:
        """The actions that a referee accepts."""
        actions: list[int] = state.legal_actions()
        return actions


class OfGo(Direct):
    """The bridge for Go. OpenSpiel does not know what was on the board before a position, except for one pass."""

    def __init__(self, go: Any, spiel: Any) -> None:
        self._size = go.size
        options = {"board_size": go.size, "komi": float(go.komi), "max_game_length": LONGEST_GAME * go.size**2}
        self._game = spiel.load_game("go", options)

    def state_of(self, position: Any) -> Any:
        """A state with these stones, and with a pass before it if there was one."""
        if position.passes:
            state = self._with_stones(position, 1 - position.to_move)
            state.apply_action(self._size**2)
            if not state.is_terminal():  # as after two passes: some boards come about only by a pass
                return state
        return self._with_stones(position, position.to_move)

    def _with_stones(self, position: Any, to_move: int) -> Any:
        """A state with these stones, played one after the other, in which this player is to move.

        A player with fewer stones than turns passes in its first turns: so the last move is no pass if that player has
        a stone, and no two passes follow each other. A stone with a liberty in the end also has one when it is played.
        """
        rows = position.board[::-1].ravel()  # OpenSpiel counts from the lowest row
        stones = [[int(point) for point in (rows == owner).nonzero()[0]] for owner in (1, 2)]
        more = to_move  # how many turns more than the second player the first one has had
        turns = max(len(stones[0]) - more, len(stones[1]))  # of the second player
        passes = [turns + more - len(stones[0]), turns - len(stones[1])]
        state = self._game.new_initial_state()
        for turn in range(2 * turns + more):
            mover = turn % 2
            passes[mover] -= 1
            state.apply_action(self._size**2 if passes[mover] >= 0 else stones[mover].pop())
        return state

    def move_of(self, position: Any, state: Any, action: int) -> Any:
        """The point, or a pass."""
        name = state.action_to_string(action).split()[1].lower()
        return position.game.parse_move(name, position)

    def actions_of(self, position: Any, state: Any) -> list[int]:
        """The actions that do not repeat a board, neither one of the game so far nor one that ends OpenSpiel's game."""
        legal = set(position.legal_moves())
        return [
            action
            for action in state.legal_actions()
            if self.move_of(position, state, action) in legal
            and (action == self._size**2 or not state.child(action).is_terminal())
        ]


class OfKalah(Direct):
    """The bridge for Kalah, which finds the moves since the last position that it has seen by trying."""

    PITS, STONES = 6, 4

    def __init__(self, kalah: Any, spiel: Any) -> None:
        self._start = spiel.load_game("mancala").new_initial_state()
        self._seen = [self._start]  # in the order of their plies

    def state_of(self, position: Any) -> Any:
        """The state after the moves that lead to a position. Raises AgentError if they are not found."""
        first, second = position.board.tolist()
        goal = (second[-1], *first, *second[:-1], position.to_move, position.ply)
        seen = [state for state in self._seen if _numbers_of(state)[_PLY] <= position.ply]  # later ones were taken back
        for start, is_seen in (*((state, True) for state in reversed(seen)), (self._start, False)):
            if (state := _followed(start, goal, is_seen)) is not None:
                self._seen = [*seen, state]
                return state
        raise AgentError(f"OpenSpiel's bots play Kalah from its start on; how it came to {position} is not known")

    def move_of(self, position: Any, state: Any, action: int) -> int:
        """The pit."""
        return action % (self.PITS + 1)


# Places in a state of Kalah as OpenSpiel writes it: the board from the second player's store on, the mover, the ply.
_STORES = (0, OfKalah.PITS + 1)
_MOVER, _PLY = -2, -1


def _numbers_of(state: Any) -> tuple[float, ...]:
    """The numbers that OpenSpiel writes for a state of Kalah; they tell it from all others."""
    return tuple(state.observation_tensor(0))


def _followed(state: Any, goal: tuple[float, ...], is_seen: bool) -> Any:
    """The state after the moves from a state of Kalah to the one with the numbers `goal`; None if they are not found.

    If the agent has seen the first state (`is_seen`), only turns of the opponent lie between: these may be a long row
    of extra turns. Otherwise at most MOST_PLIES are tried.
    """
    plies = int(goal[_PLY] - _numbers_of(state)[_PLY])
    if plies < 0 or (plies > MOST_PLIES and not is_seen):
        return None
    reached = {_numbers_of(state): state}
    for left in reversed(range(plies)):
        reached = {
            key: child
            for before in reached.values()
            for action in before.legal_actions()
            if _may_lead_to(key := _numbers_of(child := before.child(action)), goal)
            and (key == goal if left == 0 else not is_seen or key[_MOVER] != goal[_MOVER])
        }
    return reached.get(goal)


def _may_lead_to(key: tuple[float, ...], goal: tuple[float, ...]) -> bool:
    """Whether neither store has more stones than in the goal: no stone ever leaves a store."""
    return all(key[store] <= goal[store] for store in _STORES)


def bridge_for(game: Any) -> type[Direct]:
    """The class that translates between a game here and OpenSpiel's. Raises AgentError if OpenSpiel lacks the game."""
    if game.name.startswith("openspiel:"):
        return Direct
    if game.name == "go":
        return OfGo
    if game.name == "kalah" and (game.pits, game.stones, game.empty_capture) == (OfKalah.PITS, OfKalah.STONES, False):
        return OfKalah
    raise AgentError(f"OpenSpiel's bots play openspiel: games, go, and kalah with six pits of four, not {game.title}")

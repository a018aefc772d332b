"""OpenSpiel's MCTSBot as a GTP engine for Go and Kalah, an opponent that somebody else wrote (pip install open_spiel).

    python runner.py match uct_agent "gtp:python benchmarks/open_spiel_bot.py --move-time 2" --game go --games 10
    python runner.py match uct_agent "gtp:python benchmarks/open_spiel_bot.py --game kalah --move-time 2" --game kalah

It is UCT in C++ with uniformly random rollouts, which fill eyes. It searches for as long as `--move-time` says, or
`time_settings` if that is less, less a reserve for the way of the answer.

Kalah is its `mancala`, with six pits of four stones.

In Go, a repetition of the board ends OpenSpiel's games as draws, where a referee with superko calls it illegal: such a
move is never answered, the most visited of the others is. What cannot be played on in OpenSpiel is answered with a
pass.
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from simulator.gtp import syntax as gtp
from simulator.gtp.server import Server
from simulator.gtp.syntax import Command, GtpError

EXPLORATION = 2.0  # OpenSpiel's own default in its example; its values go from -1 to 1
SIMULATIONS = 1 << 30  # more than any time allows
RESERVE_SECONDS, RESERVE_SHARE = 0.1, 0.1  # of the time for a move: the smaller of the two is not searched
LONGEST_GAME = 8  # in points of the board: longer than what a referee lets be played
KALAH_PITS = 6
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class OpenSpielBot:
    """One board of Go and the commands on it.

    Attributes:
        state: OpenSpiel's position.
        server: what answers lines.
    """

    def __init__(self, spiel: Any, move_seconds: float, memory_mb: int, seed: int, exploration: float) -> None:
        self._spiel = spiel
        self._move_seconds, self._told_seconds = move_seconds, move_seconds
        self._memory_mb, self._seed, self._exploration = memory_mb, seed, exploration
        self._evaluator = spiel.RandomRolloutEvaluator(1, seed)
        self._size, self._komi = 9, 7.0
        self.server = Server(self._commands())
        self._begin([])

    def _commands(self) -> dict[str, Command]:
        return {
            "name": lambda arguments: "OpenSpiel MCTSBot",
            "version": lambda arguments: "1",
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._set_komi,
            "play": self._play,
            "genmove": self._genmove,
            "showboard": lambda arguments: f"\n{self.state}",
            "time_settings": self._time_settings,
        }

    def _begin(self, actions: list[int]) -> None:
        """A game with the present options, in which these actions have been played."""
        options = {"board_size": self._size, "komi": self._komi, "max_game_length": LONGEST_GAME * self._size**2}
        self._game = self._spiel.load_game("go", options)
        self.state = self._game.new_initial_state()
        for action in actions:
            self.state.apply_action(action)

    @property
    def _pass(self) -> int:
        return self._size**2  # the points are numbered before it

    def _boardsize(self, arguments: list[str]) -> str:
        size = gtp.integer(gtp.one(arguments))
        if not 2 <= size <= 19:
            raise GtpError(gtp.UNACCEPTABLE_SIZE)
        self._size = size
        self._begin([])
        return ""

    def _clear_board(self, arguments: list[str]) -> str:
        self._begin([])
        return ""

    def _set_komi(self, arguments: list[str]) -> str:
        self._komi = gtp.number(gtp.one(arguments))
        self._begin(self.state.history())
        return ""

    def _time_settings(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise GtpError(gtp.SYNTAX_ERROR)
        _main, period, stones = (gtp.duration(text) for text in arguments)
        self._told_seconds = period / stones if stones > 0 else self._move_seconds
        return ""

    def _turn_of(self, colour: str) -> tuple[int, Any]:
        """The player of that colour, and the position with it to move, after a pass of the other if need be."""
        player = COLOURS.get(colour.lower())
        if player is None:
            raise GtpError(gtp.SYNTAX_ERROR)
        state = self.state.clone()
        if not state.is_terminal() and state.current_player() != player:
            state.apply_action(self._pass)
        return player, state

    def _play(self, arguments: list[str]) -> str:
        if len(arguments) != 2:
            raise GtpError(gtp.SYNTAX_ERROR)
        player, state = self._turn_of(arguments[0])
        action = self._action_of(state, player, arguments[1].lower())
        if action is None:
            raise GtpError(gtp.ILLEGAL_MOVE)
        state.apply_action(action)
        self.state = state
        return ""

    def _action_of(self, state: Any, player: int, text: str) -> int | None:
        """The action that a move is, None if it is not legal."""
        name = "PASS" if text == "pass" else text
        actions = {state.action_to_string(player, action): action for action in state.legal_actions()}
        return actions.get(f"{'BW'[player]} {name}")

    def _text_of(self, state: Any, player: int, action: int) -> str:
        """The move that an action is."""
        name = str(state.action_to_string(player, action)).split()[1]
        return "pass" if action == self._pass else name.upper()

    def _genmove(self, arguments: list[str]) -> str:
        player, state = self._turn_of(gtp.one(arguments))
        if state.is_terminal():
            print("the game is over for OpenSpiel: a pass", file=sys.stderr)
            return "pass"
        action = self._search(state)
        text = self._text_of(state, player, action)
        state.apply_action(action)
        self.state = state
        return text

    def _search(self, state: Any) -> int:
        """The best action that repeats no board."""
        time = min(self._move_seconds, self._told_seconds)
        bot = self._spiel.MCTSBot(
            self._game,
            self._evaluator,
            self._exploration,
            SIMULATIONS,
            self._memory_mb,
            True,  # solve
            self._seed + state.move_number(),
            False,  # verbose
            self._spiel.ChildSelectionPolicy.UCT,
            time - min(RESERVE_SECONDS, RESERVE_SHARE * time),
        )
        root = bot.mcts_search(state)
        print(f"{root.explore_count} simulations in {time:g} s", file=sys.stderr)
        by_visits = sorted(root.children, key=lambda child: -child.explore_count)
        for child in (root.best_child(), *by_visits):
            if not self._repeats(state, child.action):
                return int(child.action)
            print(f"{state.action_to_string(child.action)} would repeat an earlier board", file=sys.stderr)
        return self._pass

    def _repeats(self, state: Any, action: int) -> bool:
        """Whether a legal action brings an earlier board back, which ends OpenSpiel's games."""
        after = state.clone()
        after.apply_action(action)
        return action != self._pass and bool(after.is_terminal())


class KalahBot(OpenSpielBot):
    """One board of Kalah and the commands on it."""

    def _begin(self, actions: list[int]) -> None:
        self._game = self._spiel.load_game("mancala")
        self.state = self._game.new_initial_state()
        for action in actions:
            self.state.apply_action(action)

    def _boardsize(self, arguments: list[str]) -> str:
        if gtp.integer(gtp.one(arguments)) != KALAH_PITS:
            raise GtpError(gtp.UNACCEPTABLE_SIZE)
        self._begin([])
        return ""

    def _turn_of(self, colour: str) -> tuple[int, Any]:
        """The player of that colour, and the position. Raises GtpError where another player is to move, or nobody."""
        player = COLOURS.get(colour.lower())
        if player is None:
            raise GtpError(gtp.SYNTAX_ERROR)
        if self.state.is_terminal() or self.state.current_player() != player:
            raise GtpError(gtp.ILLEGAL_MOVE)
        return player, self.state.clone()

    def _action_of(self, state: Any, player: int, text: str) -> int | None:
        action = gtp.integer(text) + player * (KALAH_PITS + 1)
        return action if action in state.legal_actions() else None

    def _text_of(self, state: Any, player: int, action: int) -> str:
        return str(action - player * (KALAH_PITS + 1))

    def _repeats(self, state: Any, action: int) -> bool:
        return False


BOTS = {"go": OpenSpielBot, "kalah": KalahBot}


def main() -> None:
    """Parse and serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=BOTS, default="go")
    parser.add_argument("--move-time", type=float, default=2.0, help="seconds a move, a reserve included")
    parser.add_argument("--memory", type=int, default=300, help="MB for its tree")
    parser.add_argument("--exploration", type=float, default=EXPLORATION, help="the constant of UCT")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not arguments.move_time > 0 or arguments.memory < 1:
        parser.error("--move-time and --memory are numbers above 0")
    try:
        spiel = import_module("pyspiel")
    except ImportError as error:
        sys.exit(f"OpenSpiel cannot be imported ({error}): pip install open_spiel")
    bot = BOTS[arguments.game](spiel, arguments.move_time, arguments.memory, arguments.seed, arguments.exploration)
    bot.server.serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()

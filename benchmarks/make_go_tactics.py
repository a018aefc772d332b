"""Questions of Go, 9x9 and 13x13, with the moves that answer them, proved by `benchmarks/go_reading.py`.

    python benchmarks/make_go_tactics.py --output tests/data/go_tactics.jsonl

The positions come from games in which a short search plays both sides for a while, and heavy playouts go on from there.
For each chain whose fate depends on who moves, every legal move of the board is read, a pass included:

    capture, rescue   an open chain of one or two liberties: the moves that capture it by a ladder, or by a net and a
                      ladder; the moves after which neither is possible
    kill, live        a chain in a region surrounded by stones that live unconditionally (Benson): the moves that kill
                      it; the moves after which it is not captured any more
    race              like kill and live, but the opponent's chain beside it is captured otherwise

A question is kept only if every move is proved right or wrong, whoever wins the kos. Komi is chosen so that a right
answer wins, as far as the agent can tell: half way between the mean scores of playouts from two positions, one where
the chain was captured as proved and one where it was saved; short searches of both have to agree. So positions in which
something else decides are left out. The search that plays the games has to miss the answer in some of three tries
(`--misses`). Each wrong answer, of that search or of the longer one, has to lose if the opponent plays on as proved. A
game gives at most one question of each kind, and a question has at most three right moves.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import natural, positive, run_script
from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.agent import RESIGN, Agent
from agents.limits import Clock
from benchmarks.go_cases import CLOSED, Case, Readings, closed_cases, is_race, move_of, open_cases, sets_of
from benchmarks.go_reading import Shape, TooManyNodes, points_of
from game import Game, load_game
from go import estimate, playouts
from go.position import PASS, GoMove
from simulator.records.file_errors import replacing
from studies.matches import LIMITS, make_agent

SIZES = (9, 13)
SWITCHES = ("heavy", "escape", "pattern", "self_atari", "nakade")  # of playouts
KINDS = ("capture", "rescue", "kill", "live", "race")
PLAYOUTS = 300
JUDGED = 2000  # simulations
LEAST_SWING = 8  # points between success and failure
TRIES = 3  # of the search that plays the games
EVEN = 0.5
SURE = 0.6  # chance to win after success, and to lose after failure


# --- Games ----------------------------------------------------------------------------------------------------------


def game_positions(agent: Agent, kernel: Any, rng: random.Random) -> Iterator[Any]:
    """The positions of a game: the first moves by short searches, the rest by heavy playouts."""
    position, random_state = agent.game.initial(), new_rng(rng.getrandbits(32))
    size = agent.game.initial().size
    searched, longest = rng.randint(size, size * size // 2), 3 * size * size
    while position.result is None and position.ply < longest:
        if position.ply < searched and rng.random() > 0.1:
            move = agent.step(position, Clock(60))
            assert move != RESIGN
        else:
            move = agent.game.move_of(position, int(playouts.heavy_move(kernel, position.state, random_state)), 0)
        position = position.play(move if move in position.legal_moves() else PASS)
        yield position


# --- Questions ------------------------------------------------------------------------------------------------------


class Judge:
    """Says by playouts and searches whether the fate of a chain decides a game."""

    def __init__(self, the_game: Game, seed: int) -> None:
        self._agent = make_agent(f"uct_agent:simulations={JUDGED},resign=0,settle=no", the_game, LIMITS, seed)
        self.kernel = the_game.kernel_with(**{name: self._agent.options[name] for name in SWITCHES})
        self._seed = seed

    def deciding_komi(self, case: Case, position: Any, lines: tuple[list[GoMove], list[GoMove]]) -> float | None:
        """A komi with which the player to move wins after the first line and loses after the second, or None.

        It is half way between the mean scores of playouts from these two positions, and searches have to agree. In a
        closed region, where playouts may misjudge a chain that was saved, twice its stones are the difference.
        """
        ends = [end for end in (self._end(position, line) for line in lines) if end is not None]
        if len(ends) < 2:
            return None
        scores, sign, captured = [self._score(end) for end in ends], 1 - 2 * position.to_move, case.to_move
        if case.kind in CLOSED:
            scores[1 - captured] = scores[captured] + sign * (1 - 2 * captured) * -2 * case.stones
            ends[1 - captured] = None
        if (scores[0] - scores[1]) * sign < LEAST_SWING:
            return None
        komi = float(np.floor(sum(scores) / 2) + 0.5)
        chances = [None if end is None else self._chance(end.with_komi(komi), position.to_move) for end in ends]
        is_won = chances[0] is None or chances[0] >= SURE
        return komi if is_won and (chances[1] is None or chances[1] <= 1 - SURE) else None

    def answer(self, position: Any) -> GoMove:
        """The move of a search."""
        found: GoMove = self._agent.step(position, Clock(60))
        return found

    def is_lost(self, readings: Readings, position: Any, wrong: GoMove) -> bool:
        """Whether a wrong move loses after the opponent's proved reply, which saves or captures the target."""
        end = self._end(position, [wrong])
        line = readings.refutation(*sets_of(readings.shape, end)) if end and end.result is None else []
        end = self._end(position, [wrong, *(move_of(readings.shape, point) for point in line)])
        return end is not None and (end.result is not None or self._chance(end, position.to_move) < EVEN)

    def _end(self, position: Any, line: list[GoMove]) -> Any:
        """The position after a line, or None if it is not legal."""
        for move in line:
            if position.result is not None or move not in position.legal_moves():
                return None
            position = position.play(move)
        return position

    def _score(self, position: Any) -> float:
        """The mean of black's area less white's after playouts."""
        self._seed += 1
        return float(estimate.owners_by_point(position, PLAYOUTS, self._seed).sum())

    def _chance(self, position: Any, player: int) -> float:
        """A player's chance to win."""
        self._agent.step(position, Clock(60))
        value = float(self._agent.analysis()["value"])
        return value if player == position.to_move else 1 - value


def question(shape: Shape, position: Any, case: Case, agent: Agent, judge: Judge, misses: int) -> dict[str, Any] | None:
    """The line of the file for a case, or None if it is no question."""
    readings = Readings(shape, case)
    try:
        right = readings.right_moves()
        if right is None:
            return None
        moves = {move_of(shape, point) for point in points_of(right)}
        answers = [agent.step(position, Clock(60)) for _ in range(TRIES)]
        if sum(answer not in moves for answer in answers) < misses:
            return None
        race = case.kind in CLOSED and is_race(shape, case, right)
        good, bad = ([move_of(shape, point) for point in line] for line in readings.outcomes(right))
        komi = judge.deciding_komi(case, position, (good, bad))
        if komi is None:
            return None
        position = position.with_komi(komi)
        wrong = {*answers, judge.answer(position)} - moves
        if not all(judge.is_lost(readings, position, answer) for answer in wrong):
            return None
    except TooManyNodes:
        return None
    text = position.game.format_move
    return {
        "position": str(position),
        "kind": "race" if race else case.kind,
        "target": text(move_of(shape, case.target)),
        "moves": [text(move_of(shape, point)) for point in points_of(right)],
    }


def is_wanted(kind: str, wanted: Counter[str]) -> bool:
    """Whether a case of this kind can be a question that is wanted: where stones live, it may be a race."""
    return wanted[kind] > 0 or (kind in CLOSED and wanted["race"] > 0)


def questions(the_game: Game, arguments: Any, rng: random.Random, wanted: Counter[str]) -> Iterator[dict[str, Any]]:
    """As many questions of each kind as wanted."""
    size = the_game.initial().size
    text = f"uct_agent:simulations={arguments.simulations},resign=0,settle=no,reuse=no"
    agent = make_agent(text, the_game, LIMITS, arguments.seed)
    judge = Judge(the_game, arguments.seed)
    shape, known = Shape(size), set[tuple[Any, ...]]()
    while wanted.total() > 0:
        kinds = set[str]()
        for position in game_positions(agent, judge.kernel, rng):
            if position.ko or position.passes or rng.random() > arguments.share:
                continue
            sides = sets_of(shape, position)
            for case in (*closed_cases(shape, sides, position.to_move), *open_cases(shape, sides, position.to_move)):
                chain = shape.connected(case.target, case.defenders)
                liberties = shape.beside(chain) & ~(sides[0] | sides[1])
                key = (chain, liberties, *(case.area & side for side in sides if case.kind in CLOSED))
                if key in known or case.kind in kinds or not is_wanted(case.kind, wanted):
                    continue
                known.add(key)
                found = question(shape, position, case, agent, judge, arguments.misses)
                if found and wanted[found["kind"]] and found["kind"] not in kinds:
                    kinds.add(found["kind"])
                    wanted[found["kind"]] -= 1
                    yield found


def main() -> None:
    """Parse, and write one JSON line a question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=positive, default=15, help="questions of a kind and board size")
    parser.add_argument("--simulations", type=positive, default=60, help="a move")
    parser.add_argument(
        "--misses", type=natural, default=2, help=f"of that search, in {TRIES} tries of a question, at least"
    )
    parser.add_argument("--share", type=float, default=0.2, help="of the positions that are looked at")
    parser.add_argument("--sizes", type=positive, nargs="+", default=SIZES)
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--output", type=Path, required=True, help="written when all are found")
    arguments = parser.parse_args()
    with replacing(arguments.output) as file:
        for size in arguments.sizes:
            rng = random.Random(f"{arguments.seed} {size}")
            wanted = Counter(dict.fromkeys(KINDS, arguments.count))
            for found in questions(load_game("go", size=size), arguments, rng, wanted):
                file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    run_script(main)

"""Checks whether a game keeps the contract: plays it at random and says in words what is wrong; begin at `Check`.

Each kind of mistake is reported once, where it is first seen: with the moves that lead there, the position, and how to
correct it. In the first seconds every position is looked at closely, later some are: each function is asked twice, and
what it is given is compared before and after.
"""

import math
import pickle
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from game import Game, IllegalMove, NotationError, RulesError
from game_files.alarm import HANGS_SECONDS, Alarm
from game_files.compiled import CompiledGame
from game_files.findings import ADVICE, Finding, said, text_of

MOST_PLIES = 2000  # of random moves; a longer game is taken for one that does not end
CLOSELY_SECONDS = 2.0  # how much longer than the rules the close looks at positions may take
FEW_GAMES = 10  # so few that nothing is concluded about who wins
MOST_TRIED = 12  # legal moves of a position that are all tried
MOST_KNOWN = 100_000  # positions that are remembered, to compare the answers of equal positions
SLOW_MOVE = 0.005  # seconds a move, above which a search in two seconds sees too little


class Check:
    """A game that is played at random, and what was found so far.

    Args:
        command: what to type in a shell to check it.

    Attributes:
        faults: the mistakes, by kind.
        plies: the length of each game that ended.
        winners: how often each player has won, and None for draws.
        most_moves: the most legal moves of any position.
        seconds, moves: how long the rules took for how many moves.
    """

    def __init__(self, game: Game, command: str, seed: int = 0) -> None:
        self.game, self._command, self._rng = game, command, random.Random(seed)
        self.faults: dict[str, Finding] = {}
        self.plies: list[int] = []
        self.winners: Counter[int | None] = Counter()
        self.most_moves, self.seconds, self.moves = 0, 0.0, 0
        self._line: list[str] = []
        self._position: Any = None
        self._known: dict[Any, tuple[Any, ...]] = {}
        self._games, self._looked, self._end = 0, 0.0, math.inf
        self._alarm = Alarm(HANGS_SECONDS)

    def run(self, games: int, seconds: float = math.inf) -> Iterator[None]:
        """Play so many games, or as many as there is time for; yields after each."""
        self._end = time.monotonic() + seconds
        with self._alarm.works(self._hint()):
            self._check_start()
            while self._games < games and time.monotonic() < self._end and "end" not in self.faults:
                with self._mistakes():
                    self._play()
                self._alarm.set(0)
                self._games += 1
                yield

    def play_on(self) -> None:
        """Play one more game without a close look at positions, to see whether games end."""
        self._end, self._looked = time.monotonic() + HANGS_SECONDS, math.inf
        with self._alarm.works(self._hint()), self._mistakes():
            self._play()

    def require_an_end(self) -> None:
        """Note it as a mistake if no game came to an end, unless another mistake was found."""
        if not self.plies and not self.faults:
            advice = "give it more --seconds; if games may go on for ever, set longest_game"
            with self._alarm.works(self._hint()):  # `_fault` asks for the position's text
                self._fault("end", "no game of random moves came to an end in the time", advice)

    def _hint(self) -> str:
        """What to do about compiled code that does not end; empty where there is none."""
        if not isinstance(self.game, CompiledGame):
            return ""
        shows = f"This shows which, and in which position: NUMBA_DISABLE_JIT=1 {self._command}"
        return f"Error: a compiled function of {self.game.title} does not end. {shows}"

    def remarks(self) -> list[str]:
        """Remarks on what may be intended but is worth knowing; none if there are mistakes, which break games off."""
        found = list[str]()
        if self.faults:
            return found
        if self.moves and self.seconds / self.moves > SLOW_MOVE:
            found.append(
                f"slow rules: {1000 * self.seconds / self.moves:.1f} ms a move; a search of 2 s sees "
                f"{2 * self.moves / self.seconds:,.0f} positions. Three compiled functions are faster (docs/games.md)"
            )
        if len(self.plies) > FEW_GAMES and len(self.winners) == 1:
            (winner,) = self.winners
            ends = "are draws" if winner is None else f"are won by {self.game.players[winner]}"
            found.append(f"all games of random moves {ends}: is that intended?")
        return found

    def figures(self) -> Mapping[str, float]:
        """How long games are, how fast the rules, and who wins: shares of 1."""
        played = max(1, len(self.plies))
        shares = {f"won by {player}": self.winners[n] / played for n, player in enumerate(self.game.players)}
        return {
            "games": self._games,
            "ended": len(self.plies),
            "shortest": min(self.plies, default=0),
            "mean length": sum(self.plies) / played,
            "longest": max(self.plies, default=0),
            "most legal moves": self.most_moves,
            **shares,
            "draws": self.winners[None] / played,
            "seconds a move": self.seconds / max(1, self.moves),
            "games a second": len(self.plies) / self.seconds if self.seconds else 0.0,
        }

    # --- Games --------------------------------------------------------------------------------------------------

    def _check_start(self) -> None:
        with self._mistakes():
            self._alarm.set()
            start = self._position = self.game.initial()
            if not self._same(type(self.game)(**self.game.settled_options).initial(), start):
                self._fault("start", "initial() gives another state each time")
            if start.result is not None:
                self._fault(
                    "over",
                    f"the game is over at the start: {said(start.result)}",
                    f"let result return {-1 if isinstance(self.game, CompiledGame) else None}",
                )
            elif start.to_move != 0:
                self._fault("first", "the player to move at the start is 1")
            else:
                self._try(start, start.legal_moves()[0])  # compiled now, and not while moves are timed

    def _play(self) -> None:
        position, self._line = self.game.initial(), []
        while time.monotonic() < self._end:
            self._alarm.set()
            self._position, began = position, time.perf_counter()
            player, result, moves = position.to_move, position.result, position.legal_moves()
            self.seconds += time.perf_counter() - began
            self.most_moves = max(self.most_moves, len(moves))
            self._check_equal(position, player, result, moves)
            if self._looked < CLOSELY_SECONDS + self.seconds:
                self._look(position, player, result, moves)
                self._looked += time.perf_counter() - began
            if not self._end:  # the next move might not end either
                return
            if result is None and len(self._line) >= self.game.longest_game:
                result = self.game.adjudicate(position)
            if result is not None:
                self.plies.append(len(self._line))
                self.winners[result.winner] += 1
                return
            if len(self._line) >= MOST_PLIES and self.game.longest_game == math.inf:
                self._fault("end", f"a game of random moves is not over after {MOST_PLIES:,} moves")
                return
            move, name = (chosen := self._rng.choice(moves)), self.game.format_move(chosen)
            began = time.perf_counter()
            position = position.play(move)
            self.seconds += time.perf_counter() - began
            self.moves += 1
            self._line.append(name)

    @property
    def _is_random(self) -> bool:
        """Whether the same question got two different answers: then other differences say nothing new."""
        return any(kind.endswith(" twice") for kind in self.faults)

    def _check_equal(self, position: Any, player: int, result: Any, moves: tuple[Any, ...]) -> None:
        """Check that the answers are those of an equal position that was met before."""
        answers = (result, None if result is not None else (player, hash(frozenset(moves))))
        before = answers
        with self._comparing():  # a copy of the position: this one keeps its moves, which may be thousands
            before = self._known.setdefault(replace(position), answers)
        if before != answers and not self._is_random:
            what = "result" if before[0] != result else "legal_moves or to_move"
            self._fault("twin", f"{what} differs from what it was in an equal position")
        if len(self._known) > MOST_KNOWN:
            self._known.clear()

    def _same(self, first: Any, second: Any) -> bool:
        """Whether two positions are equal; those that cannot be compared count as equal."""
        same = True
        with self._comparing():
            same = bool(first == second)
        return same

    @contextmanager
    def _comparing(self) -> Iterator[None]:
        """In the `with`, note it as a mistake if states cannot be compared. Raises TimeoutError."""
        try:
            yield
        except TimeoutError:
            raise
        except Exception as error:  # somebody's class may raise anything
            self._fault("hash", f"states cannot be compared: {error}")

    # --- One position -------------------------------------------------------------------------------------------

    def _look(self, position: Any, player: int, result: Any, moves: tuple[Any, ...]) -> None:
        """Check all that can be checked of a position by itself."""
        again = replace(position)  # which knows no answers yet
        for what, first, ask in (
            ("to_move", player, lambda: again.to_move),
            ("result", result, lambda: again.result),
            ("legal_moves", moves, again.legal_moves),
        ):
            with self._unchanged(position, what):
                second = ask()
            if first != second:
                text = f"{what} is first {said(first)}, and then {said(second)} for the same state"
                self._fault(f"{what} twice", text)
        with self._unchanged(position, "draw"):
            self.game.draw(position)
        if result is None and isinstance(self.game, CompiledGame):
            self.game.check_evaluation(position.words)
        self._check_names(position, moves)
        self._check_text(position, player, result, moves)
        for move in self._rng.sample(moves, min(MOST_TRIED, len(moves))):
            if time.monotonic() < self._end:
                self._try(position, move)

    def _try(self, position: Any, move: Any) -> None:
        """Check that a legal move can be played, leaves the position as it is, and leads to the same one each time."""
        self._alarm.set()
        name = self.game.format_move(move)
        with self._mistakes(f"after the move {name}"):
            with self._unchanged(position, f"play with the move {name}"):
                after = position.play(move)
            if not (alike := self._same(again := position.play(move), after)):
                self._fault("random", f"the move {name} leads to another position each time")
            after.to_move, after.result, after.legal_moves()
            if alike and not self._same(again, after):  # `_look` cannot see it: it asks what was asked before
                text = "to_move, result or legal_moves changes the state that it is given"
                self._fault("changes", f"after the move {name}: {text}")

    def _check_names(self, position: Any, moves: tuple[Any, ...]) -> None:
        """Check that every move has a text of its own, which is read as that move (of many moves, some are tried)."""
        names = dict[str, Any]()
        for move in moves:
            name = self.game.format_move(move)
            if name.lower() in names:
                other = names[name.lower()]
                is_same = other == move
                text = f"the move {other!r} is listed twice" if is_same else f"{other!r} and {move!r} have one text"
                advice = "let legal_moves list every move once" if is_same else ""
                self._fault("names", f"among the legal moves, {text}: {name}", advice)
            names[name.lower()] = move
        named = list(names.items()) if len(names) == len(moves) else []
        for name, move in self._rng.sample(named, min(MOST_TRIED, len(named))):  # to read one writes all
            self._alarm.set()
            if self.game.parse_move(name, position) != move:
                self._fault("names", f"the text {name} of the move {move!r} is read as another move")

    def _check_text(self, position: Any, player: int, result: Any, moves: tuple[Any, ...]) -> None:
        """Check that the position's text is read as the same position."""
        with self._unchanged(position, "to_text"):
            text = str(position)
        try:
            read = self.game.parse_position(text)
            same = self._same(read, position) and str(read) == text
            same = same and (read.result, result or read.to_move) == (result, result or player)
            same = same and (self._is_random or set(read.legal_moves()) == set(moves))
            other = f"it is read as {read}" if str(read) != text else "another state has the same text"
            problem = "" if same else other
        except NotationError as error:
            if isinstance(error.__cause__, TimeoutError):
                raise error.__cause__ from None  # it would not end the next time
            problem = str(error.__cause__ or error)
        if problem:
            self._fault("text", f"the text of the position is not read back as the same one: {problem}")

    # --- Mistakes -----------------------------------------------------------------------------------------------

    def _fault(self, kind: str, text: str, advice: str = "") -> None:
        """Note the first mistake of a kind; without advice, that for its kind is given."""
        if kind not in self.faults:
            self._alarm.set()  # the position's text might not end either
            advice = advice or ADVICE.get(kind.rpartition(" ")[2], "")
            self.faults[kind] = Finding(text, text_of(self._position), tuple(self._line), advice)

    @contextmanager
    def _mistakes(self, where: str = "") -> Iterator[None]:
        """In the `with`, note an error of a file's functions as a mistake, with the place; the `with` ends there."""
        try:
            yield
        except RulesError as error:
            if isinstance(error.__cause__, TimeoutError):
                self._end = 0.0  # it would not end the next time
            text = str(error).removeprefix(f"{self.game.title}: ")
            self._fault(" ".join(text.split()[:2]), f"{where}: {text}" if where else text)  # result is ...
        except TimeoutError as error:
            self._end = 0.0
            self._fault("slow", f"one position: {error}")
        except (IllegalMove, NotationError) as error:
            self._fault("illegal", str(error))

    @contextmanager
    def _unchanged(self, position: Any, what: str) -> Iterator[None]:
        """Check that the state is the same after the `with` as before."""
        before = _bytes_of(position.words)
        yield
        if _bytes_of(position.words) != before:
            self._fault("changes", f"{what} changes the state that it is given")


def _bytes_of(state: Any) -> bytes:
    """The state as bytes; empty if it cannot be pickled."""
    try:
        return pickle.dumps(state)
    except Exception:  # somebody's class may raise anything
        return b""

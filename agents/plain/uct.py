"""UCT in plain Python, on nothing but what a position offers: the page to read first.

UCT (Kocsis & Szepesvari, "Bandit Based Monte-Carlo Planning", 2006) finds a good move by trying moves out. It grows a
tree of positions by *simulations*, of four steps each (Browne et al., "A Survey of MCTS", 2012):

    select      walk from the root to a leaf, at each node to the child that is most promising or least known
    expand      give the leaf a child for each legal move, and go to the first
    simulate    play random moves to the end of the game, a *playout*: who wins is a hint at what the position is worth
    back up     count that result at every node of the walk

In addition there are proofs (Winands, Bjornsson & Saito, "Monte-Carlo Tree Search Solver", 2008). If the game is over
at a node, its result is certain, and it climbs: a node is won for the player to move if one move wins, lost if every
move loses, drawn if every move is decided and a draw is the best of them. No simulation enters a decided node again,
and no move that loses for certain is played while there is another.

`agents/uct/` is the same search in compiled code; `tests/test_search.py` compares the two trees node by node.
"""

import math
from collections.abc import Callable
from typing import Any

from agents.outcomes import Candidate, best_of
from agents.plain.pcg32 import Pcg32
from agents.plain.ticker import OutOfTime
from game import Game, Result


def end_of(game: Game, position: Any) -> Result | None:
    """The result of a position by the rules, or because a game may not have more moves; None while it is open."""
    result: Result | None = position.result
    return game.adjudicate(position) if result is None and position.ply >= game.longest_game else result


class Node:
    """A position in the tree.

    Attributes:
        position: has `legal_moves()`, `play(move)`, `result`, `to_move` and `ply`.
        chooser: the player who moved here, whose results are counted; at the root, the player who is not to move.
        move: the move that led here; None at the root.
        result: who wins for certain, by the rules or by proof; None if that is not known.
        children: one for each legal move, in the order in which they are tried; none before it is expanded.
        visits: how many simulations have come through.
        score: the sum of their results for the chooser: a win counts 1, a draw 1/2, a loss 0.
    """

    __slots__ = ("children", "chooser", "move", "position", "result", "score", "visits")

    def __init__(self, position: Any, chooser: int, move: Any = None, result: Result | None = None) -> None:
        self.position, self.chooser, self.move, self.result = position, chooser, move, result
        self.children: list[Node] = []
        self.visits, self.score = 0, 0.0

    @property
    def mean(self) -> float:
        """The mean result of the simulations for the chooser, 1/2 before the first."""
        return self.score / self.visits if self.visits else 0.5

    @property
    def outcome(self) -> str | None:
        """What is certain for the chooser: "win", "loss", "draw" or None."""
        return None if self.result is None else OUTCOMES[self.result.value_for(self.chooser)]


OUTCOMES = {1.0: "win", 0.5: "draw", 0.0: "loss"}


def proof(node: Node) -> Result | None:
    """What the children of an expanded node prove of it, if both players choose their best moves; None if nothing."""
    results = [child.result for child in node.children]
    for result in results:
        if result is not None and result.winner == node.position.to_move:
            return result
    known = [result for result in results if result is not None]
    if len(known) < len(results):
        return None
    return next((result for result in known if result.winner is None), known[0])


class Search:
    """A tree, and the simulations by which it grows. Begin reading at `simulate`.

    Attributes:
        c: the weight of exploration.
        capacity: once the tree has so many nodes, no leaf is expanded any more.
        tick: called whenever a move is going to be tried; it may raise OutOfTime.
        root: where the search begins.
        nodes: how many nodes are in the tree.
        simulations, playouts, expanded: how many the last search made; if a result is certain, no playout is made.
    """

    root: Node

    def __init__(self, game: Game, seed: int = 0, c: float = 0.5, capacity: float = math.inf) -> None:
        self.game, self.rng, self.c, self.capacity = game, Pcg32(seed), c, capacity
        self.tick: Callable[[], None] = lambda: None
        self.nodes = self.simulations = self.playouts = self.expanded = 0

    def begin(self, position: Any) -> None:
        """Make an open position the root of a new tree."""
        self.root, self.nodes = Node(position, 1 - position.to_move), 1

    def run(self, simulations: float = math.inf, expansions: float = math.inf) -> None:
        """Simulate until so many simulations or expansions are made, the time is over, or the move is settled."""
        self.simulations = self.playouts = self.expanded = 0
        try:
            if not self.root.children:
                self.expand(self.root)
            while self.simulations < simulations and self.expanded < expansions and not self.is_settled:
                self.simulate()
        except OutOfTime:
            pass

    # --- A simulation -------------------------------------------------------------------------------------------

    def simulate(self) -> None:
        """Walk to a leaf and expand it, unless it is new; play on from there, and count the result on the path."""
        path = [self.root]
        while path[-1].children:
            path.append(self.select(path[-1]))
        leaf = path[-1]
        if self.is_ripe(leaf):
            self.expand(leaf)
            self.expanded += 1
            if leaf.result is None:
                path.append(self.select(leaf))
            else:
                self.prove(path)
        end = path[-1]
        self.back_up(path, self.playout(end.position) if end.result is None else end.result)

    def is_ripe(self, leaf: Node) -> bool:
        """Whether to expand a leaf: on its second visit, since the first is a playout from it."""
        return leaf.visits > 0 and self.nodes < self.capacity

    def select(self, node: Node) -> Node:
        """The child to go to: the first that was never tried, else the one with the largest bound, the last of equals.

        Decided children are left out.
        """
        children = [child for child in node.children if child.result is None]
        for child in children:
            if child.visits == 0:
                return child
        return max(reversed(children), key=lambda child: self.bound(child, node.visits))

    def bound(self, child: Node, parent_visits: int) -> float:
        """UCB1 (Auer, Cesa-Bianchi & Fischer 2002): the mean, plus a term that shrinks the more the child is tried."""
        return child.mean + self.c * math.sqrt(math.log(parent_visits) / child.visits)

    def expand(self, node: Node) -> None:
        """Give a node its children, and its result if they prove one.

        A won node keeps only one child that wins; but the root keeps all, since people want to see them.
        """
        player, children = node.position.to_move, []
        for move in node.position.legal_moves():
            self.tick()
            position = node.position.play(move)
            children.append(Node(position, player, move, end_of(self.game, position)))
        node.children = children
        node.result = proof(node)
        if node.result is None:
            self.shuffle(children)
        elif node.result.winner == player and node is not self.root:
            node.children = [next(child for child in children if child.outcome == "win")]
        self.nodes += len(node.children)

    def shuffle(self, children: list[Node]) -> None:
        """Put new children in the order in which they will be tried: those that are decided first, others at random."""
        decided = 0
        for i, child in enumerate(children):
            if child.result is not None:
                children[i], children[decided] = children[decided], child
                decided += 1
        for i in range(len(children) - 1, decided, -1):
            j = decided + self.rng.below(i - decided + 1)
            children[i], children[j] = children[j], children[i]

    def prove(self, path: list[Node]) -> None:
        """Given that the last node of a path has been decided, decide the nodes above it, as far as the proof goes."""
        for node in reversed(path[:-1]):
            node.result = proof(node)
            if node.result is None:
                return

    def playout(self, position: Any) -> Result:
        """The result of a random game from an open position."""
        while (result := end_of(self.game, position)) is None:
            self.tick()
            moves = position.legal_moves()
            position = position.play(moves[self.rng.below(len(moves))])
        self.playouts += 1
        return result

    def back_up(self, path: list[Node], result: Result) -> None:
        """Count a result at every node of a path."""
        for node in path:
            node.visits += 1
            node.score += result.value_for(node.chooser)
        self.simulations += 1

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def is_settled(self) -> bool:
        """Whether nothing can change the move any more: the root is decided, or all moves but one lose for certain."""
        return self.root.result is not None or sum(child.outcome != "loss" for child in self.root.children) == 1

    def best_child(self, node: Node) -> Node:
        """The child to play at an expanded node.

        It is one that wins, else the open one with most visits, but a proved draw if that one is worth no more. If all
        lose, it is the one that hides the loss best.
        """
        return node.children[best_of([self.candidate(child) for child in node.children])]

    def candidate(self, child: Node) -> Candidate:
        """What a move is judged by."""
        goes_on = child.position.result is None
        hiding = (goes_on, child.visits) if child.outcome == "loss" else ()
        return Candidate(child.outcome, child.mean, merit=child.visits, hiding=hiding)

    def best_line(self, node: Node) -> list[Node]:
        """The nodes of the moves that the search would play for both players below a node, as far as it has looked."""
        line: list[Node] = []
        while node.children:
            node = self.best_child(node)
            if node.visits == 0 and node.result is None:
                break
            line.append(node)
        return line

"""Looking at a finished search in plain Python, as `agents/uct/analysis.py` does for one in compiled code."""

from agents.plain.uct import Node
from agents.plain.uct_agent import Searcher, with_depths
from agents.uct.analysis import MoveView, SearchReport
from agents.uct.base import Shape


def analyse(searcher: Searcher) -> SearchReport:
    """The analysis of a searcher's last search; its capacity is given as the number of nodes, since it has no limit."""
    best = searcher.best_child(searcher.root)
    children = sorted(searcher.root.children, key=lambda child: (child is not best, -child.visits, -child.mean))
    figures = searcher.figures
    leaves = sum(not node.children for node, _ in with_depths(searcher.root))
    shape = [figures[name] for name in ("depth_mean", "depth_max", "branching_mean")]
    format_move = searcher.game.format_move
    return SearchReport(
        position=str(searcher.position),
        best=format_move(best.move),
        value=searcher.chance,
        proven=searcher.proven,
        settled=searcher.is_settled,
        moves=tuple(_view(format_move(child.move), child) for child in children),
        pv=tuple(map(format_move, searcher.line())),
        simulations=searcher.simulations,
        expanded=searcher.expanded,
        seconds=searcher.seconds,
        capacity=searcher.nodes,
        node_bytes=0,
        recyclings=0,
        was_full=False,
        shape=Shape(searcher.nodes, leaves, *shape),
    )


def _view(move: str, child: Node) -> MoveView:
    below = child.children
    resolved = sum(grandchild.result is not None for grandchild in below)
    is_implied = child.result is not None and child.position.result is None
    return MoveView(move, child.score, child.visits, child.mean, len(below), resolved, child.outcome, is_implied)

"""Looking at a finished search: the root's children, the principal variation, the shape of the tree."""

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

from agents.agent import MoveReport
from agents.uct.base import BaseSearcher, Shape
from agents.uct.tree import ROOT
from game import IllegalMove


@dataclass(frozen=True)
class MoveView:
    """A distinct move at the root.

    Attributes:
        move: canonical text; if several moves lead to the same position, one of them.
        wins: visits times value; if the value is a mean, that is the number of wins, a draw counting half.
        visits: simulations through it.
        value: for the player to move, 0 to 1: the mean, or what else the search backs up.
        children: children of its node.
        children_resolved: how many of those are resolved.
        resolved: "win", "loss" or "draw" for the player to move, None if open.
        implied: whether the outcome is proved by looking ahead, not by the board.
    """

    move: str
    wins: float
    visits: int
    value: float
    children: int
    children_resolved: int
    resolved: str | None
    implied: bool


@dataclass(frozen=True)
class SearchReport:
    """What a search has found.

    Attributes:
        position: the root as text.
        best: the move to play.
        value: the winning chance of the player to move at the root, 0 to 1: exact if proved, else the best child's.
        proven: "win", "loss", "draw" or None for the player to move.
        settled: whether nothing can change the move any more.
        moves: every distinct move, best first.
        pv: principal variation, canonical texts.
        simulations, expanded, seconds: of this search; see `BaseSearcher`.
        capacity, node_bytes: how many positions the arrays have room for, and the bytes of each.
        recyclings: how often the arrays were full and about half of their places were freed.
        was_full: whether the search ended early because the arrays were full.
        shape: see `Shape`.
    """

    position: str
    best: str
    value: float
    proven: str | None
    settled: bool
    moves: tuple[MoveView, ...]
    pv: tuple[str, ...]
    simulations: int
    expanded: int
    seconds: float
    capacity: int
    node_bytes: int
    recyclings: int
    was_full: bool
    shape: Shape

    def to_json(self, top: int | None = None) -> dict[str, Any]:
        """Plain dictionaries, lists, texts and numbers; of the moves, the best `top`."""
        found = asdict(self)
        return found | {"moves": list(found["moves"][:top])}


def _line(searcher: BaseSearcher, position: Any, node: int) -> list[Any]:
    """The moves that the search would play for both sides from a node; `position` is the node's."""
    moves = []
    while position.result is None and (children := searcher.children(node)):
        best = searcher.best_of(children)
        if best.visits == 0 and best.outcome is None:
            break
        move = searcher.move_to(position, best.node)
        try:
            position = position.play(move)
        except IllegalMove:  # by a rule about the whole game, which the tree does not know
            break
        moves.append(move)
        node = best.node
    return moves


def principal_variation(searcher: BaseSearcher) -> list[str]:
    """The moves that the search would play for both sides, until the tree ends or no child was visited or proved."""
    return [searcher.game.format_move(move) for move in _line(searcher, searcher.position, ROOT)]


def move_reports(searcher: BaseSearcher) -> list[MoveReport]:
    """Every move at the root that was visited or is proved, the one to play first, then the most visited."""
    best, children = searcher.best_child(), searcher.children()
    known = [child for child in children if child.visits or child.outcome or child.node == best.node]
    opinions = sum(child.prior for child in children)
    reports = []
    for child in sorted(known, key=lambda child: (child.node != best.node, -child.visits)):
        move = searcher.move_to(searcher.position, child.node)
        line = _line(searcher, searcher.position.play(move), child.node)
        prior = child.prior / opinions if opinions else 0.0
        reports.append(MoveReport(move, child.visits, child.chance, prior, (move, *line), child.outcome))
    return reports


_RANK = {"win": 0, None: 1, "draw": 1, "loss": 2}


def _views(searcher: BaseSearcher) -> list[MoveView]:
    best = searcher.best_child().node
    children = sorted(searcher.children(), key=lambda c: (c.node != best, _RANK[c.outcome], -c.visits, -c.value))
    views = []
    for child in children:
        below = searcher.children(child.node)
        views.append(
            MoveView(
                move=searcher.game.format_move(searcher.move_to(searcher.position, child.node)),
                wins=child.value * child.visits,
                visits=child.visits,
                value=child.value,
                children=len(below),
                children_resolved=sum(grandchild.outcome is not None for grandchild in below),
                resolved=child.outcome,
                implied=child.is_implied,
            )
        )
    return views


def analyse(searcher: BaseSearcher) -> SearchReport:
    """The analysis of a searcher's last search."""
    views = _views(searcher)
    return SearchReport(
        position=searcher.game.format_position(searcher.position),
        best=views[0].move,
        value=searcher.value,
        proven=searcher.proven,
        settled=searcher.is_settled,
        moves=tuple(views),
        pv=tuple(principal_variation(searcher)),
        simulations=searcher.simulations,
        expanded=searcher.expanded,
        seconds=searcher.seconds,
        capacity=searcher.capacity,
        node_bytes=searcher.settings.node_bytes(searcher.game),
        recyclings=searcher.recyclings,
        was_full=searcher.was_full,
        shape=searcher.shape(),
    )


def _why(view: MoveView) -> str:
    return "" if view.resolved is None else f"{view.resolved}, implied" if view.implied else view.resolved


def render(analysis: SearchReport, top: int | None = None) -> str:
    """The analysis for a terminal: a table of moves, then a summary of the search."""
    lines = [f"{'move':<10}{'wins':>12}{'visits':>11}{'value':>8}{'resolved':>12}  why"]
    shown = analysis.moves[:top]
    for view in shown:
        below = f"{view.children_resolved}/{view.children}" if view.children else "-"
        value = f"{view.value:.4f}" if view.visits else "-"
        row = f"{view.move:<10}{view.wins:>12,.1f}{view.visits:>11,}{value:>8}{below:>12}  {_why(view)}"
        lines.append(row.rstrip())
    if len(shown) < len(analysis.moves):
        lines.append(f"... and {len(analysis.moves) - len(shown)} more")
    shape = analysis.shape
    proven = f"a proved {analysis.proven} for the side to move" if analysis.proven else "not resolved"
    full = "; the search ended when they were full" if analysis.was_full else ""
    speed = analysis.simulations / max(1e-9, analysis.seconds)
    lines += [
        "",
        f"best       {analysis.best} with value {analysis.value:.4f}; the position is {proven}",
        textwrap.fill(" ".join(analysis.pv), 100, initial_indent="variation  ", subsequent_indent=" " * 11),
        f"search     {analysis.simulations:,} simulations in {analysis.seconds:.2f} s ({speed:,.0f}/s), "
        f"{analysis.expanded:,} nodes expanded",
        f"tree       {shape.nodes:,} of {analysis.capacity:,} nodes, {shape.leaves:,} leaves, "
        f"recycled {analysis.recyclings} times{full}",
        f"shape      leaves at depth {shape.depth_mean:.2f} on average, {shape.depth_max} at most; "
        f"variation {len(analysis.pv)}; mean branching {shape.branching_mean:.1f}",
    ]
    return "\n".join(lines)

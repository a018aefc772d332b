"""For tests of the search on a graph: positions, views of a graph's nodes and moves, and checks of its arrays."""

from typing import Any, NamedTuple

import numpy as np

from agents.uct.graph import (
    COUNT_MASK,
    EDGE_BYTES,
    EDGES,
    EDGES_A_NODE,
    MOVE_BYTES,
    NOBODY,
    NODES,
    ONE,
    TRUNCATED,
    Graph,
    find_slot,
    moves_of,
)
from agents.uct.tree import MAX_VISITS
from game import Game, apply, load_game
from jit import U64

PENTAGO = load_game("pentago")
NO_ODDS = np.zeros(int(ONE) + 1, np.float32)  # for tests that priors do not concern
BUSY = PENTAGO.parse_position("ww.bwb/ww.b.b/wbb.w./bb.b.w/b..wbw/.b.ww. w")  # twelve cells left, many transpositions
ATTACK = PENTAGO.parse_position(".w..../bbbbw./ww..../bw...w/bbbwww/...... b")  # a win in five plies or more
DEFENCE = PENTAGO.parse_position("....b./w..b.w/..w.b./bwbwww/bwb.w./.bwbwb b")  # every move loses


class EdgeView(NamedTuple):
    """A move in a graph; `child` is the index of the node that it leads to, 0 if there is none."""

    number: int
    flags: int
    visits: int
    prior: float
    mean: int
    minimax: int
    child: int


class NodeView(NamedTuple):
    """A position in a graph; `edges` is None if it is not expanded."""

    state: tuple[int, int]
    flags: int
    visits: int
    mean: int
    edges: tuple[EdgeView, ...] | None
    tried: int
    truncated: bool


def index_of(graph: Graph, state: Any) -> int:
    """The node of a state, 0 if there is none."""
    return int(graph.slots[find_slot(graph, U64(state[0]), U64(state[1]))])


def edge_view(number: int, edge: Any) -> EdgeView:
    """A view of a move: its number, and the fields of its edge's record."""
    child, stats, prior, mean, minimax = edge.item()
    return EdgeView(int(number), stats & ~MAX_VISITS, stats & MAX_VISITS, prior, mean, minimax, child)


def node_view(graph: Graph, index: int, odds: Any = NO_ODDS) -> NodeView:
    """A view of a node: the fields of its record, and its moves."""
    node = graph.nodes[index]
    stats = int(node["stats"])
    return NodeView(
        state=(int(node["payload0"]), int(node["payload1"])),
        flags=stats & ~MAX_VISITS,
        visits=stats & MAX_VISITS,
        mean=int(node["mean"]),
        edges=tuple(map(edge_view, *moves_of(graph, odds, index))) if node["place"] else None,
        tried=int(node["tried"]),
        truncated=bool(int(node["count"]) & TRUNCATED),
    )


def all_nodes(graph: Graph) -> list[NodeView]:
    """The nodes of a graph in the order of their indices, from 1."""
    return [node_view(graph, index) for index in range(1, int(graph.used[NODES]))]


def units_in_use(graph: Graph) -> int:
    """How many units of memory nodes, lists and blocks use, in edges."""
    return int(graph.used[EDGES] + EDGES_A_NODE * graph.used[NODES])


def used_arrays(graph: Graph) -> list[Any]:
    """Copies of the used parts of a graph's arrays."""
    nodes, edges = graph.nodes[: graph.used[NODES]], graph.edges[: graph.used[EDGES]]
    return [array.copy() for array in (nodes, edges, graph.slots, graph.used, graph.free, graph.root)]


def assert_consistent(graph: Graph, game: Game) -> None:
    """Check what has to hold after every operation: places, children and counts agree with each other."""
    nodes, root = all_nodes(graph), int(graph.root[0])
    assert 1 <= root <= len(nodes)
    owners, state = owners_of(graph), game.state(game.initial())
    for index, view in enumerate(nodes, 1):
        for place, bytes_needed in lists_and_blocks(graph, index):
            owner, units = owners[place]
            assert owner == index and bytes_needed <= (units - 1) * EDGE_BYTES
        for i, edge in enumerate(view.edges or ()):
            assert edge.visits == 0 or edge.child != NOBODY
            assert edge.child <= len(nodes)
            assert i < view.tried or edge.child == NOBODY
            if edge.child != NOBODY:
                state[:] = view.state
                apply(game.kernel, state, edge.number)
                assert nodes[edge.child - 1].state == (int(state[0]), int(state[1]))
        untried = [edge.minimax for edge in (view.edges or ())[view.tried :]]
        assert not untried or untried[0] == max(untried)
        if view.tried:
            assert graph.edges[int(graph.nodes[index]["place"])]["minimax"] == max(untried, default=0)


def lists_and_blocks(graph: Graph, index: int) -> list[tuple[int, int]]:
    """The places of a node's block and list, as far as it has them, and how many bytes each needs."""
    place, tried, count = (int(graph.nodes[index][name]) for name in ("place", "tried", "count"))
    if not place:
        return []
    moves = (count & COUNT_MASK) * MOVE_BYTES
    return [(place, tried * EDGE_BYTES), (int(graph.edges[place]["stats"]), moves)] if tried else [(place, moves)]


def owners_of(graph: Graph) -> dict[int, tuple[int, int]]:
    """By the place of each header, the node that owns it and its units; together they must fill the memory in use."""
    place, found = 1, {}
    while place < graph.used[EDGES]:
        found[place] = int(graph.edges[place]["child"]), int(graph.edges[place]["mean"])
        place += found[place][1]
    assert place == graph.used[EDGES]
    return found


def assert_every_node_is_found(graph: Graph) -> None:
    """Check that the hash table holds every node and nothing else."""
    nodes = all_nodes(graph)
    assert [index_of(graph, view.state) for view in nodes] == list(range(1, len(nodes) + 1))
    assert int((graph.slots != NOBODY).sum()) == len(nodes)

"""What several tests of the search on a graph want: positions, and a graph as a person would write it down."""

from dataclasses import dataclass
from typing import Any

from agents.uct.graph import COUNT_MASK, EDGES, NOBODY, NODES, TRUNCATED, Graph, find_slot
from agents.uct.tree import MAX_VISITS
from game import RESOLVED, Game, load_game
from jit import U64
from tests import contract

PENTAGO = load_game("pentago")
BUSY = PENTAGO.parse_position("ww.bwb/ww.b.b/wbb.w./bb.b.w/b..wbw/.b.ww. w")  # twelve cells left, many ways to the same
ATTACK = PENTAGO.parse_position(".w..../bbbbw./ww..../bw...w/bbbwww/...... b")  # a win in five plies or more
DEFENCE = PENTAGO.parse_position("....b./w..b.w/..w.b./bwbwww/bwb.w./.bwbwb b")  # nothing holds


@dataclass(frozen=True)
class EdgeView:
    """A move of a graph; `child` is the index of its node, 0 if there is none."""

    payload: tuple[int, int]
    flags: int
    visits: int
    prior: float
    mean: int
    minimax: int
    child: int


@dataclass(frozen=True)
class NodeView:
    """A position of a graph; `edges` is None where it was not expanded."""

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


def edge_view(edge: Any) -> EdgeView:
    """The fields of an edge's record."""
    stats = int(edge["stats"])
    return EdgeView(
        payload=(int(edge["payload0"]), int(edge["payload1"])),
        flags=stats & ~MAX_VISITS,
        visits=stats & MAX_VISITS,
        prior=float(edge["prior"]),
        mean=int(edge["mean"]),
        minimax=int(edge["minimax"]),
        child=int(edge["child"]),
    )


def node_view(graph: Graph, index: int) -> NodeView:
    """The fields of a node's record, and its edges."""
    node = graph.nodes[index]
    stats, first, count = int(node["stats"]), int(node["first"]), int(node["count"])
    return NodeView(
        state=(int(node["payload0"]), int(node["payload1"])),
        flags=stats & ~MAX_VISITS,
        visits=stats & MAX_VISITS,
        mean=int(node["mean"]),
        edges=tuple(map(edge_view, graph.edges[first : first + (count & COUNT_MASK)])) if first else None,
        tried=int(node["tried"]),
        truncated=bool(count & TRUNCATED),
    )


def all_nodes(graph: Graph) -> list[NodeView]:
    """The nodes of a graph in their order, the one of index 1 first."""
    return [node_view(graph, index) for index in range(1, int(graph.used[NODES]))]


def used_arrays(graph: Graph) -> list[Any]:
    """Copies of all that a graph holds."""
    nodes, edges = graph.nodes[: graph.used[NODES]], graph.edges[: graph.used[EDGES]]
    return [array.copy() for array in (nodes, edges, graph.slots, graph.used, graph.root)]


def assert_consistent(graph: Graph, game: Game) -> None:
    """Places lead where they should, and counts say what is there: what has to hold after everything that is done."""
    nodes, root = all_nodes(graph), int(graph.root[0])
    assert 1 <= root <= len(nodes)
    owners = header_owners(graph)
    for index, view in enumerate(nodes, 1):
        first = int(graph.nodes[index]["first"])
        assert view.edges is None or owners[first - 1] == (index, len(view.edges))
        for i, edge in enumerate(view.edges or ()):
            assert edge.visits == 0 or edge.child != NOBODY
            assert edge.child <= len(nodes)
            assert i >= view.tried or edge.visits or edge.flags & int(RESOLVED) or edge.child == NOBODY
            if edge.child != NOBODY:
                state = game.state(game.initial())
                state[:] = view.state
                contract.step(game.kernel, state, *map(U64, edge.payload))
                assert nodes[edge.child - 1].state == (int(state[0]), int(state[1]))
        untried = [edge.minimax for edge in (view.edges or ())[view.tried :]]
        assert not untried or untried[0] == max(untried)


def header_owners(graph: Graph) -> dict[int, tuple[int, int]]:
    """Every header by its place: the node whose edges follow, and how many they are; they fill the array."""
    place, found = 1, {}
    while place < graph.used[EDGES]:
        header = edge_view(graph.edges[place])
        assert header.payload == (0, 0)
        found[place] = header.child, header.visits
        place += 1 + header.visits
    assert place == graph.used[EDGES]
    return found


def assert_every_node_is_found(graph: Graph) -> None:
    """The hash table knows every node, and nothing else."""
    nodes = all_nodes(graph)
    assert [index_of(graph, view.state) for view in nodes] == list(range(1, len(nodes) + 1))
    assert int((graph.slots != NOBODY).sum()) == len(nodes)

"""The speed of the agent, and of a C++ twin of the same algorithms that runs alternately in the same minutes.

`python runner.py bench` prints them. Absolute speeds, in processor time, depend on the machine; the ratios and the
signature do not. The signature is a hash of the trees and graphs of some fixed searches: it changes only if the search
itself is changed.
"""

import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import game
from agents.limits import Clock, Limits
from agents.uct.base import BaseSearcher
from agents.uct.graph_searcher import GraphSearcher
from agents.uct.searcher import Searcher
from agents.uct.settings import GraphSettings, TreeSettings
from agents.uct.tree import NODES, ROOT
from agents.uct_agent import UctAgent
from benchmarks import twin
from game import load_game
from jit import jit, new_rng  # first: it decides where compiled code is kept

PROJECT = Path(__file__).resolve().parents[1]
PLAYOUTS = 2_000_000
SIMULATIONS = 1_000_000
CAPACITY = 10_000_000
C = TreeSettings.c
PLAIN = TreeSettings(memory="stop", switches={"foresight": False})  # the twin has no more than this
GRAPH_SHARE = 8  # a simulation on the graph, which evaluates all children, takes so many times as long
SIGNED_SIMULATIONS = 20_000
SIGNED_CAPACITY = 8_000  # of a graph, which has to recycle nodes
SIGNED_POSITIONS = (
    "....../....../....../....../....../...... w",
    "...b../.w..../...w../..b.../.w..b./...... w",
    "bw..b./.wbw../w.b..w/..wb../b.w.bw/...b.w b",
)

Measurement = Callable[[int], float]  # from the number of a round to a rate


@jit(allocates=True)
def sum_of_playouts(kernel, root, rng, count):
    """The sum of the values of so many playouts from a root."""
    state = root.copy()
    total = 0.0
    for _ in range(count):
        game.begin(kernel, state, root)
        total += game.playout(kernel, state, rng)
    return total


def playout_rate(the_game: game.Game, count: int, seed: int) -> float:
    """Playouts a second of processor time from the start of a game."""
    root, rng = the_game.state(the_game.initial()), new_rng(seed)
    start = time.process_time()
    sum_of_playouts(the_game.kernel, root, rng, count)
    return count / (time.process_time() - start)


def search_rate(searcher: BaseSearcher, simulations: int) -> float:
    """Simulations a second of processor time from the start of its game, with an empty tree."""
    searcher.begin(searcher.game.initial())
    start = time.process_time()
    searcher.search(simulations=simulations)
    return searcher.simulations / (time.process_time() - start)


class Paced(Searcher):
    """A search that expands nodes later the fuller its array is, so that the signature depends on `threshold` too."""

    STEP = 1.1

    def _run(self, chunk: int) -> bool:
        used, capacity = int(self.tree.used[NODES]), self.capacity
        if self.simulations == 0:
            self._at_start, self._exact = used, 1.0
        planned = self._at_start + (capacity - self._at_start) * (self.simulations / SIGNED_SIMULATIONS)
        self._exact = max(1.0, self._exact * (self.STEP if used > planned else 1 / self.STEP))
        self.threshold = int(self._exact)
        return super()._run(chunk)


def signature() -> str:
    """A hash of the trees and graphs of fixed searches."""
    digest = hashlib.sha256()
    pentago = load_game("pentago")
    for seed, text in enumerate(SIGNED_POSITIONS):
        for kind, memory in ((Searcher, "stop"), (Paced, "stop"), (Searcher, "recycle")):
            searcher = kind(pentago, 60_000, seed, TreeSettings(memory=memory))
            searcher.begin(pentago.parse_position(text))
            searcher.search(simulations=SIGNED_SIMULATIONS)
            for word in searcher.tree[:4]:
                digest.update(word[ROOT : int(searcher.tree.used[0])].tobytes())
    for text in SIGNED_POSITIONS:
        found = GraphSearcher(pentago, SIGNED_CAPACITY, 0, GraphSettings.for_game(pentago))
        found.begin(pentago.parse_position(text))
        found.search(simulations=SIGNED_SIMULATIONS)
        nodes, edges = map(int, found.graph.used)
        digest.update(found.graph.nodes[:nodes].tobytes() + found.graph.edges[:edges].tobytes())
    return digest.hexdigest()[:16]


def alternately(rounds: int, **measurements: Measurement) -> dict[str, float]:
    """The median of each measurement, taken in turns, so that a busy minute hits all of them."""
    found: dict[str, list[float]] = {name: [] for name in measurements}
    for number in range(rounds):
        for name, measure in measurements.items():
            found[name].append(measure(number + 1))
    return {name: statistics.median(rates) for name, rates in found.items()}


def bench_playouts(rounds: int) -> dict[str, float]:
    """Playouts a second in both languages."""
    pentago = load_game("pentago")
    playout_rate(pentago, 10, 1)

    def of_twin(seed: int) -> float:
        return PLAYOUTS / float(twin.playouts(PLAYOUTS, seed)["cpu_seconds"])

    return alternately(rounds, unforced=lambda seed: playout_rate(pentago, PLAYOUTS, seed), cpp=of_twin)


def bench_search(rounds: int) -> dict[str, float]:
    """Simulations a second from the empty board: ours and the twin's, and ours with the agent's further features."""
    pentago = load_game("pentago")
    plain = Searcher(pentago, CAPACITY, 1, PLAIN)
    seeing = Searcher(pentago, CAPACITY, 1, TreeSettings(memory="stop"))
    playing = Searcher(pentago, CAPACITY, 1, TreeSettings())
    graph = GraphSearcher(pentago, SIMULATIONS // GRAPH_SHARE, 1, GraphSettings.for_game(pentago))
    for searcher in (plain, seeing, playing, graph):
        search_rate(searcher, 100)

    def of_twin(cached: bool) -> Measurement:
        return lambda seed: SIMULATIONS / float(twin.search(SIMULATIONS, seed, C, CAPACITY, cached)["cpu_seconds"])

    return alternately(
        rounds,
        unforced=lambda _: search_rate(plain, SIMULATIONS),
        cpp=of_twin(False),
        cpp_cached=of_twin(True),
        foresight=lambda _: search_rate(seeing, SIMULATIONS),
        recycling=lambda _: search_rate(playing, SIMULATIONS),
        graph=lambda _: search_rate(graph, SIMULATIONS // GRAPH_SHARE),
    )


def probe() -> None:
    """In a fresh process: print seconds until the agent is ready, and the nodes and memory of one move of 2 s."""
    agent = UctAgent(load_game("pentago"), Limits(), seed=1)
    agent.setup()
    ready = time.time() - float(os.environ["BENCH_START"])
    position = agent.game.initial()
    agent.step(position, Clock(2.0))
    found = agent.analysis()
    measured = {
        "ready_seconds": ready,
        "capacity": found["capacity"],
        "peak_million_bytes": found["peak_rss_mb"] * 2**20 / 1e6,
        "simulations": found["simulations"],
    }
    print(json.dumps(measured))


def run_probe(cache: str | None = None) -> dict[str, float]:
    """Run `probe` in a process of its own; `cache` is an empty folder for compiled code, None for the usual one."""
    environment = dict(os.environ, BENCH_START=str(time.time()))
    if cache is not None:
        environment["UNFORCED_CACHE"] = cache
    command = [sys.executable, "-c", "from benchmarks.bench import probe; probe()"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, cwd=PROJECT)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def run(rounds: int = 5) -> dict[str, Any]:
    """All measurements. Raises TwinError without a C++ compiler."""
    twin.build()
    run_probe()  # after this, the code is compiled
    warm = run_probe()
    with tempfile.TemporaryDirectory() as empty:
        cold = run_probe(empty)
    playouts = bench_playouts(rounds)
    search = bench_search(rounds)
    return {
        "signature": signature(),
        "playouts": playouts | {"ratio": playouts["unforced"] / playouts["cpp"]},
        "search": search
        | {"ratio": search["unforced"] / search["cpp"], "ratio_cached": search["unforced"] / search["cpp_cached"]},
        "warm_start": warm,
        "cold_start": cold,
    }


def render(found: dict[str, Any]) -> str:
    """The measurements as text."""
    playouts, search = found["playouts"], found["search"]
    rows = [
        ("playouts from the empty board", playouts["unforced"], playouts["cpp"], playouts["ratio"]),
        ("simulations, terms computed in C++", search["unforced"], search["cpp"], search["ratio"]),
        ("simulations, terms cached in C++", search["unforced"], search["cpp_cached"], search["ratio_cached"]),
    ]
    lines = [f"{'a second of one core':<36}{'unforced':>12}{'C++':>12}{'ratio':>8}"]
    lines += [f"{name:<36}{ours:>12,.0f}{theirs:>12,.0f}{ratio:>8.2f}" for name, ours, theirs, ratio in rows]
    lines.append(f"{'simulations with foresight':<36}{search['foresight']:>12,.0f}")
    lines.append(f"{'simulations with recycling':<36}{search['recycling']:>12,.0f}")
    lines.append(f"{'as it plays: graph and evaluation':<36}{search['graph']:>12,.0f}")
    lines.append("")
    for name in ("warm", "cold"):
        start = found[f"{name}_start"]
        lines.append(
            f"{name} start: ready to move after {start['ready_seconds']:.2f} s; {start['capacity']:,.0f} nodes; "
            f"{start['peak_million_bytes']:.1f} million bytes resident at most"
        )
    lines.append(f"signature of fixed searches: {found['signature']}")
    return "\n".join(lines)

"""The C++ twin does the same work as the compiled Python code, so that comparing their speeds means something."""

import os
import shutil
import subprocess
import time
from functools import partial

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

import game
from benchmarks import evaluation, twin
from benchmarks.bench import sum_of_playouts
from go.game import Go
from go.playouts import play_out
from go.scoring import eye_score, komi_of
from mancala.game import Kalah
from pentago.evaluation import make_network
from pentago.game import Pentago
from pentago.rules import TWIST
from studies.random_play import count_results
from tests import contract
from tests.searches import new_searcher

PENTAGO = Pentago(TWIST._replace(foresight=False))  # the twin has no foresight
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ to build the twin with")


@pytest.mark.parametrize("seed", [1, 42, 2**40 + 7])
def test_the_same_seed_gives_the_same_playouts_in_both_languages(seed):
    root, counts = PENTAGO.state(PENTAGO.initial()), np.zeros(3, np.int64)
    count_results(PENTAGO.kernel, root, np.empty_like(root), new_rng(seed), 20_000, counts)
    assert twin.playouts(20_000, seed)["total"] == counts[1] / 2 + counts[2]  # draws and wins


def test_both_languages_write_the_same_successors_in_the_same_order():
    codes = {int(game.OPEN): 0, int(game.WON): 1, int(game.LOST): 2, int(game.DRAWN): 3}
    seen = set()
    for position in contract.open_sample(PENTAGO):
        mine, theirs = map(int, PENTAGO.state(position))
        children = contract.children_of(PENTAGO, position)
        expected = [(int(child.word0), int(child.word1), codes[int(child.flags)]) for child in children]
        assert twin.successors(mine, theirs) == expected
        seen |= {outcome for _, _, outcome in expected}
    assert {0, 2} <= seen


@pytest.mark.parametrize("cached", [False, True])
def test_the_search_of_the_twin_prefers_the_middle_of_a_quadrant_and_does_not_grow_a_full_tree(cached):
    done = twin.search(50_000, 1, 1.0, 1_000_000, cached=cached)
    assert done["simulations"] == 50_000
    assert done["node_bytes"] == 32
    assert 50_000 < done["nodes"] <= 1_000_000
    best = next(move for move in PENTAGO.initial().legal_moves() if move.code == done["move"])
    assert (best.row % 3, best.column % 3) == (1, 1)
    assert 0.5 < done["value"] < 0.7
    full = twin.search(20_000, 1, 1.0, 1_000, cached=cached)
    assert full["simulations"] == 20_000
    assert full["nodes"] <= 1_000


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (lambda: twin.search(1, 1, 1.0, 288), "usage: twin playouts"),
        *(
            (partial(twin.go_playouts, size, 7.0, 1, 1, uf), "SIZE is 5, 9, 13 or 19")
            for size in (2, 10)
            for uf in (0, 1)
        ),
        (lambda: twin.kalah_playouts(10, 12, 1, 1), "whose sides fit into 64 bits"),
    ],
)
def test_what_the_twin_has_not_is_an_error_with_its_text(asked, words):
    with pytest.raises(twin.TwinError, match=words):
        asked()


def test_a_broken_source_is_an_error_with_its_text_and_a_missing_compiler_is_named(tmp_path, monkeypatch):
    (tmp_path / "twin.cpp").write_text("int main() { return nothing; }\n")
    with pytest.raises(twin.TwinError, match="nothing"):
        twin.build(tmp_path / "twin.cpp", tmp_path / "build")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(twin.TwinError, match="g\\+\\+"):
        twin.build(tmp_path / "twin.cpp", tmp_path / "build")


@pytest.mark.slow
@pytest.mark.parametrize("width", [32, 64, 128, 256])
def test_both_languages_come_to_the_same_values_of_positions_and_of_all_children(width, tmp_path):
    network = make_network(evaluation.random_weights(width))
    kernel = Pentago().kernel_with(evaluation=network)
    states = np.concatenate([evaluation.positions_after(Pentago(), ply, 30) for ply in evaluation.PLIES])
    twin.write_network(tmp_path / "network", network, states)
    assert twin.evaluations(tmp_path / "network", 2)["total"] == pytest.approx(evaluation.evaluate(kernel, states, 2))
    number, total = evaluation.expanded(kernel, states, 2)
    done = twin.expansions(tmp_path / "network", 2)
    assert (done["values"], done["total"]) == (number, pytest.approx(total))


def test_a_twin_is_built_again_when_a_header_is_newer(tmp_path):
    (tmp_path / "twin.cpp").write_text('#include "number.hpp"\nint main() { return NUMBER; }\n')
    for number in (0, 3):
        (tmp_path / "number.hpp").write_text(f"#define NUMBER {number}\n")
        in_future = time.time() + 10 * number
        os.utime(tmp_path / "number.hpp", (in_future, in_future))
        program = twin.build(tmp_path / "twin.cpp", tmp_path / "build")
        assert subprocess.run([program], check=False).returncode == number


# --- Go -------------------------------------------------------------------------------------------------------------


def sums_of_playouts(kernel, root, state, rng, count):
    """Moves, black's points less white's, black's wins, draws."""
    moves, points, wins, draws = 0, 0, 0, 0
    for _ in range(count):
        game.begin(kernel, state, root)
        moves += play_out(kernel, state, rng, kernel.spare)
        score = eye_score(kernel, state)
        points += score
        wins += score > komi_of(root)
        draws += score == komi_of(root)
    return moves, points, wins, draws


@pytest.mark.parametrize(("size", "komi"), [(5, 7.0), (9, 7.5), (13, 0.5), (19, 7.0)])
def test_the_same_seed_gives_the_same_playouts_of_go_in_both_languages_however_chains_are_found(size, komi):
    go = Go(size, komi)
    root = go.state(go.initial())
    expected = sums_of_playouts(go.kernel, root, np.empty_like(root), new_rng(42), 2_000)
    for union_find in (False, True):
        found = twin.go_playouts(size, komi, 2_000, 42, union_find)
        assert tuple(found[name] for name in ("moves", "points", "wins", "draws")) == expected
        assert found["playouts"] == 2_000


# --- Kalah ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pits", "stones"), [(1, 1), (6, 4), (7, 12), (9, 3)])
def test_the_same_seed_gives_the_same_playouts_of_kalah_in_both_languages(pits, stones):
    kalah = Kalah(pits, stones)
    expected = sum_of_playouts(kalah.kernel, kalah.state(kalah.initial()), new_rng(42), 2_000)
    assert twin.kalah_playouts(pits, stones, 2_000, 42)["total"] == expected


def test_the_search_of_kalah_by_the_twin_finds_what_ours_finds():
    kalah = Kalah(3, 2)
    searcher = new_searcher("tree", kalah, 200_000)
    searcher.begin(kalah.initial())
    searcher.search(simulations=100_000)
    done = twin.kalah_search(3, 2, 100_000, 1, 0.5, 200_000)
    assert searcher.proven == "win"
    assert done["simulations"] < 100_000  # the twin proved it, too
    assert done["node_bytes"] == 32

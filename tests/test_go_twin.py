"""The C++ twin of Go's light playouts plays the same games as the compiled Python code, move for move."""

import json
import shutil

from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

import game
from benchmarks import twin
from go.game import Go
from go.playouts import play_out
from go.rules import eye_score, komi_of

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ to build the twin with")


@jit
def sums_of_playouts(kernel, root, state, rng, count):
    """Moves, black's points less white's, black's wins, draws."""
    moves, points, wins, draws = 0, 0, 0, 0
    for _ in range(count):
        game.begin(kernel, state, root)
        moves += np.int64(play_out(kernel, state, rng, kernel.no_trace))
        score = eye_score(kernel, state)
        points += score
        wins += score > komi_of(root)
        draws += score == komi_of(root)
    return moves, points, wins, draws


@needs_compiler
@pytest.mark.parametrize("union_find", [False, True])
@pytest.mark.parametrize("seed", [1, 42, 2**40 + 7])
@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_the_same_seed_gives_the_same_playouts_in_both_languages_however_chains_are_found(size, seed, union_find):
    go = Go(size, komi=7.0)
    root = go.state(go.initial())
    expected = sums_of_playouts(go.kernel, root, np.empty_like(root), new_rng(seed), 2_000)
    found = twin.go_playouts(size, 7.0, 2_000, seed, union_find)
    assert tuple(found[name] for name in ("moves", "points", "wins", "draws")) == expected
    assert found["playouts"] == 2_000


@needs_compiler
def test_the_komi_of_the_twin_decides_who_wins_and_nothing_else():
    small, large = (twin.go_playouts(9, komi, 2_000, 1) for komi in (0.5, 7.5))
    assert (small["moves"], small["points"]) == (large["moves"], large["points"])
    assert small["wins"] > large["wins"]
    assert small["draws"] == large["draws"] == 0


@needs_compiler
@pytest.mark.parametrize("union_find", [False, True])
@pytest.mark.parametrize("size", [2, 10])
def test_a_size_that_the_twin_has_not_is_an_error_with_its_text(size, union_find):
    with pytest.raises(twin.TwinError, match="SIZE is 5, 9, 13 or 19"):
        twin.go_playouts(size, 7.0, 1, 1, union_find)


@needs_compiler
@pytest.mark.parametrize("command", ["go", "go-union-find"])
def test_the_command_line_of_the_twin_plays_go_either_way(command, capsys):
    twin.main([command, "5", "7", "100", "1"])
    printed = json.loads(capsys.readouterr().out)
    direct = twin.go_playouts(5, 7.0, 100, 1)
    assert {**printed, "seconds": 0} == {**direct, "seconds": 0}

"""Tuning: its methods find the best of a made-up landscape; a stopped tuning goes on as if nothing had happened."""

import json
import math
import os
import random
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest

from agents.agent import AgentSpec, parse_agent
from agents.uct_agent import UctAgent
from commands.tune import chosen_method, declared_number
from game import load_game
from learning.files import FileError
from learning.parameters import Parameter
from learning.spsa import RATE, Spsa
from learning.tuning import Tuner, Tuning, opened, read_tuning
from options import Failure
from simulator.referee.game_record import Reason
from simulator.tournament.settings import TournamentSettings
from simulator.tournament.workers.protocol import TaskDied, TaskDone, TaskGivenUp
from tests.command_line import said, typed
from tests.leagues import record_of

PARAMETERS = (Parameter("c", 0.5, 0, 4, 0.2), Parameter("depth", 3, 1, 20, 1, is_whole=True))
BEST = {"c": 2.0, "depth": 12}
BOTH = pytest.mark.parametrize("method", ["spsa", "tpe"])


def strength(options):
    """A number that is higher, the nearer the options are to BEST."""
    return -sum(((float(options[name]) - best) / (best + 1)) ** 2 for name, best in BEST.items())


class Landscape:
    """An executor in whose games the agent that is nearer to BEST wins three times in four."""

    def __init__(self, stops_after=None, died=(), void=()):
        self.left, self.died, self.void = stops_after, set(died), set(void)

    def run(self, tasks):
        for task in random.Random(len(tasks)).sample(tasks, len(tasks)):
            if self.left == 0:
                raise KeyboardInterrupt
            self.left = None if self.left is None else self.left - 1
            number, names = task.pair.number, task.pair.agents
            plus, minus = (strength(spec.options) for spec in task.specs)
            if number in self.died:
                yield task, record_of(names, 0)
                yield task, TaskDied("killed")
            if number in self.void:
                yield task, TaskGivenUp("killed three times")
                continue
            for game, agents in enumerate((names, names[::-1])):
                better = "plus" if plus > minus else "minus"
                is_upset = random.Random(f"{task.pair.seed} {game}").random() < 0.25
                yield task, record_of(agents, agents.index(better) ^ is_upset)
            yield task, TaskDone("")


def plan(**changes):
    settings = TournamentSettings(seed=1, opening_plies=0).to_json()
    values = {"agent": "uct_agent", "parameters": PARAMETERS, "settings": settings, "pairs": 400, "final": 20}
    return Tuning(**values | {"batch": 4, "rate": RATE} | changes)


def method_named(name, pairs=400):
    if name == "tpe":
        pytest.importorskip("optuna", reason="Optuna is not installed")
    return chosen_method(name, PARAMETERS, pairs, 1, RATE)


def tuned(path, executor, method="spsa", **changes):
    tuning = plan(**changes)
    learner = method_named(method, tuning.pairs)
    with opened(path, replace(tuning, method=learner.name)):
        tuner = Tuner(path, parse_agent("uct_agent"), executor, learner, lambda tuner: None)
        tuner.run()
    return tuner


@BOTH
def test_the_values_move_to_the_best_and_the_match_says_so(method, tmp_path):
    tuner = tuned(tmp_path / "pairs.jsonl", Landscape(), method)
    assert strength(tuner.tuned) > strength(tuner.start) / 3
    assert tuner.final_counts[3] + tuner.final_counts[4] > tuner.final_counts[0] + tuner.final_counts[1]
    assert tuner.start == {"c": "0.5", "depth": "3"} and tuner.tuned["depth"].isdigit()


def two_hills(options):
    """A number that is higher on two hills: a low one at the start, and a higher one elsewhere."""
    c, depth = float(options["c"]) / 4, int(options["depth"]) / 20
    low, high = (math.hypot(c - x, depth - y) ** 2 for x, y in ((0.125, 0.15), (0.7, 0.7)))
    return max(0.5 * math.exp(-low / 0.02), math.exp(-high / 0.05))


def test_tpe_finds_a_higher_hill_far_from_the_start_and_spsa_does_not(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "strength", two_hills)
    spsa, tpe = (two_hills(tuned(tmp_path / name, Landscape(), name).tuned) for name in ("spsa", "tpe"))
    assert spsa < 0.55 and tpe > 0.75


@BOTH
def test_what_was_stopped_anywhere_ends_as_it_would_have_ended(method, tmp_path):
    whole = tuned(tmp_path / "whole.jsonl", Landscape(void={7}, died={9}), method, pairs=30, final=5)
    path = tmp_path / "pieces.jsonl"
    for _ in range(11):
        with pytest.raises(KeyboardInterrupt):
            tuned(path, Landscape(stops_after=3, void={7}), method, pairs=30, final=5)
    pieces = tuned(path, Landscape(), method, pairs=30, final=5)
    assert pieces.curve == whole.curve and pieces.final_counts == whole.final_counts
    assert sum(pieces.final_counts) == 5 and len(pieces.curve) == 9
    assert '{"pair": 7, "points": null}' in path.read_text().splitlines()


def test_a_crash_ends_the_tuning_in_words(tmp_path):
    class Crashing(Landscape):
        def run(self, tasks):
            yield tasks[0], record_of(tasks[0].pair.agents, 1, Reason.CRASH)

    with pytest.raises(Failure, match="an agent crashed"):
        tuned(tmp_path / "pairs.jsonl", Crashing())


class Failing(Landscape):
    """An executor whose machine fails in the first game of every pair, in this many runs."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    def run(self, tasks):
        if self.times and tasks:
            self.times -= 1
            for task in tasks:
                yield task, record_of(task.pair.agents, None, Reason.VOID)
                yield task, TaskDone("")
        else:
            yield from super().run(tasks)


def test_an_agent_that_was_unpacked_is_played_from_there(tmp_path):
    spec = AgentSpec("ann.zip:c=0.5", str(tmp_path / "ann.py"), {"c": "0.5"})
    with opened(tmp_path / "pairs.jsonl", plan(agent=spec.text)):
        tuner = Tuner(tmp_path / "pairs.jsonl", spec, Landscape(), method_named("spsa"), lambda tuner: None)
    assert tuner.agent_with({"c": "0.3"})[1:3] == (spec.source, {"c": "0.3"})


def test_a_pair_whose_game_is_void_is_played_again_and_never_counts_as_nothing(tmp_path):
    path, whole = tmp_path / "pairs.jsonl", tuned(tmp_path / "whole.jsonl", Landscape(), pairs=8, final=2)
    with pytest.raises(Failure, match="pair 1 was tried 3 times"):
        tuned(path, Failing(3), pairs=8, final=2)
    assert len(path.read_text().splitlines()) == 1
    assert tuned(path, Failing(2), pairs=8, final=2).curve == whole.curve
    assert '"points": null' not in path.read_text()


def test_files_that_change_during_a_pair_stop_the_tuning_and_nothing_is_kept_of_it(tmp_path):
    class Changed(Landscape):
        def run(self, tasks):
            yield tasks[0], TaskDone("plus was changed while it played: agent.py")

    path = tmp_path / "pairs.jsonl"
    with pytest.raises(Failure, match=r"plus was changed while it played: agent\.py"):
        tuned(path, Changed())
    assert len(path.read_text().splitlines()) == 1


def test_a_changed_agent_is_not_tuned_further(tmp_path):
    path = tmp_path / "pairs.jsonl"
    tuned(path, Landscape(), pairs=4, final=1, sources={"a.py": "1", "b.py": "1"})
    with pytest.raises(FileError, match=r"the agent has changed since \(b\.py\)"):
        tuned(path, Landscape(), pairs=4, final=1, sources={"a.py": "1", "b.py": "2"})


def test_half_a_line_is_played_again(tmp_path):
    path = tmp_path / "pairs.jsonl"
    whole = tuned(path, Landscape(), pairs=8, final=2)
    text = path.read_text()
    path.write_text(text[:-9])
    assert tuned(path, Landscape(), pairs=8, final=2).final_counts == whole.final_counts
    assert path.read_text() == text
    path.write_text("somebody's notes\nwithout an end")
    with pytest.raises(FileError, match="line 1, is not one JSON value"):
        tuned(path, Landscape())
    assert path.read_text() == "somebody's notes\nwithout an end"


def test_a_whole_number_is_moved_up_and_down_to_two_others():
    assert Parameter("equivalence", 12345, 100, 20000, 10).text(12345) == "12345"  # in full, not as 1.234e+04
    depth = Parameter("depth", 2, 2, 4, 0.2, is_whole=True)
    for start in (2, 3, 4):
        spsa = Spsa((depth._replace(start=start),), 100, seed=1)
        assert all(first != second for first, second in map(spsa.compared, range(1, 100)))


def test_values_stay_within_their_bounds():
    spsa = Spsa(PARAMETERS, 100, seed=1, rate=5)
    for number in range(1, 101):
        spsa.learn({number: 2.0})
    assert all(least <= value <= most for (_, _, least, most, *_), value in zip(PARAMETERS, spsa.values, strict=True))
    for options in spsa.compared(1):
        assert 0 <= float(options["c"]) <= 4 and 1 <= int(options["depth"]) <= 20


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "pairs.jsonl"
    with pytest.raises(Failure):
        tuned(path, Failing(3), pairs=2, final=1)  # no pair yet: what was wrong may be mended
    tuned(path, Landscape(), pairs=4, final=1)
    others = (
        ({"pairs": 8}, "pairs=4, not 8"),
        ({"rate": 9.0}, "gain=.*, not 9"),
        ({"method": "tpe"}, "method=spsa, not"),
    )
    for changed, words in others:
        tuning = plan(**{"pairs": 4, "final": 1} | changed)
        with pytest.raises(FileError, match=f"another tuning, with {words}"), opened(path, tuning):
            pass
    path.write_bytes(path.read_bytes()[:40])  # the disk was full, for example
    tuned(path, Landscape(), pairs=4, final=1)
    whole, header = path.read_text(), json.loads(path.read_bytes().partition(b"\n")[0])
    for pair in ({"pair": 5}, {"pair": 0}, {"final": 2}, {"round": 1}):
        path.write_text(f"{whole}{json.dumps(pair | {'points': 1})}\n")
        with pytest.raises(FileError, match="is no pair of this tuning: "):
            read_tuning(path)
    path.write_text('{"number": 1, "round": 1}\n')
    with pytest.raises(FileError, match="it was not written by `tune`; name another file"):
        read_tuning(path)
    for first in ({"round": 1}, header | {"settings": None}, header | {"sources": None}):
        path.write_text(json.dumps(first) + "\n")
        with pytest.raises(FileError, match="holds no tuning"), opened(path, plan()):
            pass
    path.unlink()
    os.mkfifo(path)  # who opens it to write waits for a reader
    with pytest.raises(OSError, match="is a pipe or a device, not a file"), opened(path, plan()):
        pass


REFUSED = {
    "--parameter c=0..1": "c=0.5 is for search=tree, not for search=graph",
    "--parameter luck": "uct_agent has no such option",
    "--parameter puct": "the agent declares no bounds for it: write puct=LEAST..MOST",
    "--parameter puct=1..2": "1 to 2 has to be a range around 0.3",
    "--parameter search=0..1": "its value is 'graph', not a number",
    "--parameter puct=0..1/0": "the step has to be above 0 and at most 1, not 0",
    "--parameter puct=0..1e999": "write NAME, NAME=LEAST..MOST",
    f"--parameter expand_at=1..{'9' * 400}": "its bounds are too far apart",
    "--parameter expand_at=1.5..2.5": "2 to 2 has to be a range around 1",
    "--parameter puct=0..1/0.1 --method tpe": "--gain and a parameter's /STEP are for --method spsa",
    "--parameter puct=0..1 --gain 1 --method tpe": "--gain and a parameter's /STEP are for --method spsa",
    "--parameter puct=0..1 --parameter puct=0..2": "a --parameter is named twice",
    "--parameter minimax=0.3..1.2": "minimax must be 0 to 1, not 1.2",
    "--parameter puct=0,1": "write NAME, NAME=LEAST..MOST or NAME=LEAST..MOST/STEP",
}


@pytest.mark.parametrize("parameter", REFUSED)
def test_what_cannot_be_tuned_is_refused_in_words(parameter, tmp_path):
    result = typed(f"tune uct_agent {parameter} --records", tmp_path / "pairs.jsonl")
    assert result.exit_code == 2 and REFUSED[parameter] in said(result)
    assert not (tmp_path / "pairs.jsonl").exists()


def test_without_optuna_there_is_a_word_on_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "learning.tpe", raising=False)
    monkeypatch.setitem(sys.modules, "optuna", None)
    result = typed("tune uct_agent --parameter puct=0..1 --method tpe --records", tmp_path / "pairs.jsonl")
    assert result.exit_code == 2
    assert "--method tpe needs Optuna" in said(result) and 'pip install -e ".[tuning]"' in said(result)


def test_all_pairs_of_a_trial_have_the_same_proposed_values_within_bounds():
    tpe = method_named("tpe")
    for first in range(1, 81, 4):
        numbers = range(first, first + 4)
        (proposed, start), *others = map(tpe.compared, numbers)
        assert others == [(proposed, start)] * 3 and start == {"c": "0.5", "depth": "3"}
        assert 0 <= float(proposed["c"]) <= 4 and 1 <= int(proposed["depth"]) <= 20
        tpe.learn(dict.fromkeys(numbers))


def test_the_command_shows_values_and_match_and_says_the_same_again(tmp_path, monkeypatch):
    monkeypatch.setattr("commands.tune.executor_for", lambda plan, say: nullcontext(Landscape()))
    line = "tune uct_agent:puct=0.5 --parameter puct=0..4 --pairs 40 --final 4 --json --records"
    monkeypatch.setitem(BEST, "puct", BEST.pop("c"))
    monkeypatch.delitem(BEST, "depth")
    first, again = (typed(line, tmp_path / "pairs.jsonl") for _ in range(2))
    found = json.loads(first.stdout)
    assert found["start"] == {"puct": "0.5"} and float(found["tuned"]["puct"]) > 0.5
    assert sum(found["final_pairs"]) == 4 and f"play it as: uct_agent:puct={found['tuned']['puct']}" in said(first)
    assert again.output == first.output


def test_a_number_begins_at_that_of_the_preset():
    go = load_game("go")
    start, _, _ = declared_number("c", parse_agent("uct_agent:preset=playouts"), go)
    assert start == UctAgent(go, options={"preset": "playouts"}).options["c"] > 0


@pytest.mark.parametrize(("text", "is_whole"), [("3", True), ("3.0", False)])
def test_a_number_of_an_agent_of_ones_own_is_whole_if_it_is_written_so(text, is_whole):
    assert declared_number("depth", parse_agent(f"ann/agent.py:depth={text}"), None) == (3, (None, None), is_whole)

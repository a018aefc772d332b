"""Seeds: nobody can foresee a seed that was not given, and an agent's own seed reveals no other."""

import json
import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import click
import pytest

from agents.agent import Agent, parse_agent
from agents.random_agent import RandomAgent
from commands.connect import connect
from commands.course_server import course_server
from commands.course_simulator import course_simulator
from commands.match import match
from commands.play import play
from commands.tournament import tournament
from game import load_game
from simulator.player.contract import SEED_VARIABLE
from simulator.player.launch import Launch
from simulator.records.database import files_of, read_store
from simulator.referee.seeds import derived_seed, drawn_seed, game_seed
from simulator.sandbox.confine import Confinement
from tests.command_line import invoke
from tests.pretender import SETTINGS, pretend
from tests.programs import RESIGNER

TOO_MANY_TO_TRY = 1 << 40


def seeds_of_match(folder: Path, *more: str) -> list[int]:
    """The match's seed, then its games'."""
    file = folder / "games.jsonl"
    file.unlink(missing_ok=True)
    done = invoke("match", RESIGNER, RESIGNER, "--json", "--save", file, *more)
    assert done.exit_code == 0, done.output
    played = json.loads(done.stdout.splitlines()[-1])
    return [played["settings"]["seed"], *(json.loads(line)["seed"] for line in file.read_text().splitlines())]


@pytest.mark.usefixtures("played_here")
def test_each_match_has_a_new_seed_unless_one_is_given(tmp_path: Path) -> None:
    first, second = seeds_of_match(tmp_path), seeds_of_match(tmp_path)
    assert len({*first, *second}) == 6 and min(*first, *second) > TOO_MANY_TO_TRY
    assert seeds_of_match(tmp_path, "--seed", str(first[0])) == first


@pytest.mark.parametrize("command", [course_simulator, connect, course_server, play, match, tournament])
def test_no_command_that_plays_against_others_has_a_seed_by_itself(command: click.Command) -> None:
    (seed,) = (parameter for parameter in command.params if parameter.name == "seed")
    assert seed.default is None


def test_a_seed_is_derived_for_one_use_only() -> None:
    seeds = [1, drawn_seed(), *(derived_seed(1, use) for use in ("player 0", "player 1", "replacement", "game 1"))]
    assert len(set(seeds)) == len(seeds)
    for one, other in combinations(seeds[2:], 2):
        assert all(other != derived_seed(one, use) for use in ("player 0", "player 1", "replacement", "game 1"))
    assert game_seed(None, 1) != game_seed(None, 1) and game_seed(1, 1) == derived_seed(1, "game 1") > TOO_MANY_TO_TRY


def test_an_agents_seed_stands_where_its_opponent_cannot_look_and_is_more_than_can_be_tried() -> None:
    """Command lines of other processes can be seen where there are no namespaces."""
    seed = derived_seed(1, "player 0")
    launch = Launch(parse_agent("random_agent"), load_game("pentago"), seed=seed)
    assert launch.environment("token")[SEED_VARIABLE] == str(seed)
    assert not any(str(seed) in word for word in launch.command(0.0, Confinement()))
    agents: list[Agent] = [RandomAgent(load_game("pentago"), seed=each) for each in (seed, seed + (1 << 31), 5)]
    assert agents[0].seed == agents[1].seed < 1 << 31 and agents[2].seed == 5
    assert agents[0].rng.random() == random.Random(seed).random() != agents[1].rng.random()


def test_a_tournament_keeps_the_seed_that_was_drawn_when_it_goes_on_and_grows(tmp_path: Path) -> None:
    path, drawn = tmp_path / "league.db", replace(SETTINGS, seed=None)
    tasks = pretend(path, drawn, pairs=1).tasks + pretend(path, drawn).tasks
    grown = replace(drawn, rounds=3)
    tasks += pretend(path, grown, extend=True).tasks
    with read_store(path) as store:
        seed = store.settings()["seed"]
    assert seed > TOO_MANY_TO_TRY
    assert tasks == pretend(tmp_path / "again.db", replace(grown, seed=seed)).tasks
    assert pretend(path, replace(grown, seed=seed)).tasks == []
    assert {task.hidden for task in tasks} == {files_of(path)}

"""`runner.py agents` describes every agent and option from their declarations."""

import json
from functools import partial

from agents.agent import Agent, agent_names
from agents.agent_options import declare, default_of
from agents.describe import describe, listed
from agents.loading import load_agent
from game import load_game
from options import DeclaredOption, option_text
from tests import command_line
from tests.submissions import agent

invoke = partial(command_line.invoke, "agents")


def test_every_agent_and_every_option_is_described_with_its_default():
    found = {entry["name"]: entry for entry in json.loads(invoke("--json", "--game", "go").output)}
    assert sorted(found) == agent_names()
    the_game = load_game("go")
    for name, entry in found.items():
        defaults = load_agent(name).option_defaults(the_game)
        assert {one["name"]: one["default"] for one in entry["options"]} == {
            option: option_text(default_of(default)) for option, default in defaults.items()
        }
        assert entry["summary"].endswith(".")
        assert [one["name"] for one in entry["options"] if len(one["help"]) < 10] == [], name


def test_the_list_for_a_game_in_plain_python_has_those_who_play_it():
    game = ("--game", "examples/games/connect_four.py")
    found = {entry["name"]: entry for entry in json.loads(invoke("--json", *game).output)}
    refused = {"alphabeta_agent", "gobble_agent", "mcts_basic_agent", "openspiel_agent"}
    assert sorted(found) == [name for name in agent_names() if name not in refused]
    assert [option["name"] for option in found["uct_agent"]["options"]] == ["c", "simulations", "nodes", "capacity"]
    assert "gobble_agent needs compiled rules" in invoke("gobble_agent", *game).output


def test_the_list_names_every_option_and_preset():
    output = invoke("--game", "go").output
    for name in agent_names():
        assert f"\n{name}\n" in f"\n{output}"
        for option in load_agent(name).option_defaults(load_game("go")):
            assert f"    {option}=" in output
    for preset in load_agent("uct_agent").presets:
        assert f"    {preset}: " in output
    assert max(map(len, output.splitlines())) <= 79


def test_one_agent_is_described_with_its_source_and_what_its_options_may_be():
    output = " ".join(invoke("montecarlo_agent").output.split())
    assert "MCS_UCB(x, y) gives each move x" in output
    assert "policy=ucb (ucb or pure): " in output
    assert "x=10 (a whole number from 1 on): " in output
    assert "uct_agent" not in output


def test_defaults_are_those_of_the_game():
    of_pentago, of_go = (invoke("uct_agent", "--game", name).output for name in ("pentago", "go"))
    assert "search=graph" in of_pentago
    assert "mixture=0.5 (0 to 1): The weight of the playout in a mixture." in " ".join(of_pentago.split())
    assert "search=tree" in of_go
    of_13x13 = " ".join(invoke("uct_agent", "--game", "go", "--size", "13").output.split())
    assert "mixture=1 (0 to 1): With formula=rave and leaf=auto: the weight of the playout" in of_13x13
    assert "keep_eyes=yes: " in " ".join(of_go.split()).replace(" (yes or no)", "")


def test_a_file_is_described_like_any_agent(tmp_path):
    path = tmp_path / "mine.py"
    says = '"""Plays what it likes.\n\n    Options:\n        depth: how far,\n            in plies.\n    """'
    path.write_text(agent(name="my_own_agent", before=f'{says}\n    default_options = {{"depth": 3}}'))
    output = " ".join(invoke(path).output.split())
    assert output == "my_own_agent Plays what it likes. depth=3 (a whole number): how far, in plies."


def test_what_a_file_prints_is_no_part_of_the_json(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("print('hello')\n" + agent(name="my_own_agent"))
    assert json.loads(invoke(path, "--json").stdout)[0]["name"] == "my_own_agent"


class Documented:
    """A class.

    Attributes:
        first, second: two of them,
            on two lines.
        third: one: with a colon.

    Another paragraph: not an entry.
    """


def test_lists_of_docstrings_are_read():
    assert listed(Documented) == {
        "first": "two of them, on two lines.",
        "second": "two of them, on two lines.",
        "third": "one: with a colon.",
    }


def test_a_declaration_goes_before_a_docstring():
    class Both(Agent):
        """One.

        Options:
            a: from the docstring.
            b: from the docstring.
        """

        default_options = declare(DeclaredOption("a", int, 1, help="From the declaration.")) | {"b": 2}

    options = {one.name: one.help for one in describe(Both, load_game("tictactoe")).options}
    assert options == {"a": "From the declaration.", "b": "from the docstring."}

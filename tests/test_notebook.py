"""What a notebook shows: positions as boards, games to step through; and `unforced.play`."""

import html
import re
from contextlib import nullcontext
from html.parser import HTMLParser

import pytest

import unforced
from game import Game, load_game
from options import Failure, InputError
from simulator.referee import in_process
from tests.leagues import random_game
from tests.programs import AGENTS, RESIGNER
from tests.test_game_files import NIM

VOID = {"input", "br"}


class Checked(HTMLParser):
    """Reads HTML: every element is closed, and nothing in it is a script, has an id, or asks for a file."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count = [], {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        assert tag != "script" and not {"id", "src", "href"} & names.keys()
        self.count[names.get("class")] = self.count.get(names.get("class"), 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize(("name", "options"), [("pentago", {}), ("go", {"size": 9}), ("kalah", {})])
def test_a_game_is_one_board_for_each_ply_beside_others_on_the_page(name, options):
    record = random_game(("<b>ann", "bob"), game=name, options=options, plies=8)
    found = Checked(record._repr_html_() * 2)
    assert found.count["unforced-ply"] == found.count["unforced-board"] == found.count["unforced-lines"] == 2
    lines, plies = (
        html.unescape(re.search(rf'<pre class="unforced-{kind}" hidden>(.*?)</pre>', record.steps_html(), re.DOTALL)[1])
        for kind in ("lines", "plies")
    )
    written = lines.split("\n")
    boards = ["\n".join(written[int(line)] for line in ply.split()).split("\n", 1)[1] for ply in plies.split("\n")]
    assert boards == [position.game.board_html(position) for position in record.positions]
    assert "&lt;b&gt;ann (" in lines and str(record.positions[-1]) == record.final_position


def test_a_position_is_its_board_also_of_a_game_without_a_view(monkeypatch):
    position = load_game("pentago").parse_position("wb..../....../....../....../....../...... w")
    shown = position._repr_html_()
    Checked(shown)
    assert '<i class="first">○</i>' in shown and '<i class="second">●</i>' in shown
    monkeypatch.setattr(type(position.game), "board_view", Game.board_view)
    assert "| W   B " in position._repr_html_()


class Resigns(unforced.Agent):
    def step(self, position, clock):
        return "resign" if position.ply > 2 else position.legal_moves()[0]


class Cheats(unforced.Agent):
    def step(self, position, clock):
        return "z9"


def test_a_game_is_played_in_this_process_between_classes_and_names():
    played = unforced.play(Resigns, "random_agent", "kalah", pits=3, referee=False, opening=["1"], seed=1)
    assert played.agents == ("Resigns", "random_agent") and played.opening == ("1",)
    assert played.verdict.text.startswith("Resigns (b) resigned") and played.options["pits"] == 3
    games = [unforced.play("random_agent", "random_agent", referee=False, seed=2) for _ in range(2)]
    assert games[0].agents == ("random_agent", "random_agent#2")
    assert games[0].final_position == games[1].final_position
    assert unforced.play(AGENTS / "resigns.py", Resigns, referee=False).verdict.loser == 0
    with pytest.raises(Exception, match="Cheats returned z9"):
        unforced.play(Cheats, Cheats, referee=False)


@pytest.mark.parametrize("agent", [Resigns(unforced.load_game("pentago")), dict, len])
def test_what_is_no_class_of_an_agent_is_refused_in_words(agent):
    with pytest.raises(InputError, match="give its name, or a class that inherits from Agent"):
        unforced.play(agent, "random_agent", referee=False)


def test_the_file_of_a_game_is_checked_again_when_it_was_edited(tmp_path):
    path = tmp_path / "nim.py"
    for rules, found in (("", nullcontext()), ("def draw(state): return 1", pytest.raises(Failure, match="draw is 1"))):
        path.write_text(NIM + rules)
        with found:
            unforced.play("random_agent", "random_agent", path, referee=False)


def test_limits_are_checked():
    with pytest.raises(ValueError, match="move_seconds must be a number from 0 on, not -1"):
        unforced.Limits(move_seconds=-1)
    with pytest.raises(InputError, match=r"limits must be unforced.Limits\(.*\), not 3"):
        unforced.play("random_agent", "random_agent", limits=3)


def test_what_the_process_holds_is_no_agents_memory(monkeypatch):
    monkeypatch.setattr(in_process, "held_bytes", lambda: 3000 << 20)
    assert in_process.agent_here("random_agent", unforced.load_game("pentago")).limits.memory_mb == 3500


def test_the_referee_plays_what_has_a_file_under_its_limits():
    limits = unforced.Limits(memory_mb=300)
    played = unforced.play(RESIGNER, RESIGNER, limits=limits)
    assert played.verdict.reason == "resignation" and played.enforcement and played.limits == (limits, limits)
    assert played.verdict.text in repr(played) and len(repr(played)) < 200
    with pytest.raises(InputError, match="name the file of Resigns"):
        unforced.play(Resigns, "random_agent")

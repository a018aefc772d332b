"""The agent plays Go: captures, eyes, passes, resignation, superko, what it keeps, and what it says."""

import numpy as np
import pytest

from agents import uct_agent
from agents.limits import Clock
from agents.uct.tree import ROOT, visits_of
from agents.uct_agent import RESIGN, RESIGN_AFTER
from game import load_game
from go.game import Go
from go.position import PASS, GoMove
from tests.searches import agent_of, played, searched

# Two chains in atari beside each other: who moves captures and lives; A5 for black, A2 for white.
RACE = ".wb../wwbbb/bbwww/.bw../bbw.. {} - 0.5"
RACE_7 = ".wb..../wwb..../wwbbbbb/bbwwwww/bbw..../.bw..../bbw.... {} - 0.5"  # A7 and A2
# Nothing is left to be decided: one player has all but a dead stone, so that the points around it are nobody's.
BLACK_HAS_ALL = ".b.b.b./bbbbbbb/b.b.b.b/bbbbbbb/bbbbbbb/......./.w..... {} - 40.5"
WHITE_HAS_ALL = ".w.w.w./wwwwwww/w.w.w.w/wwwwwww/wwwwwww/......./.b..... {} - 40.5"
HALVES = "..b.w../..b.w../..b.w../..b.w../..b.w../..b.w../..b.w.. {} - {}"  # 21 points each, and 7 between them
SETTLED = ".bb.ww./bbb.www/b.b.w.w/bbb.www/.bb.ww./bbb.www/b.b.w.w {} - {}"  # all but who fills the middle
SUPERKO = "b.w../bbw../bww../bww../.b.w. b - 0.5"  # C1 A1 B1 would bring this board back


SHORT, LONG = "simulations=500,capacity=30000", "simulations=3000,capacity=200000"


def agent_for(game, options=SHORT, seed=1):
    """An agent with these options, ready to play."""
    agent = agent_of(f"uct_agent:{options}", game, seed)
    agent.setup()
    return agent


def position_of(text):
    """A position, and a game of its size and komi."""
    game = Go(text.index("/"), float(text.split()[3]))
    return game, game.parse_position(text)


def answer(text, options=SHORT, seed=1):
    """What the agent plays in a position, as text."""
    game, position = position_of(text)
    move = agent_for(game, options, seed).step(position, Clock(2.0))
    return move if move == RESIGN else game.format_move(move)


def test_what_settles_a_game_is_compiled_before_the_memory_for_the_tree_is_measured(monkeypatch):
    done = []
    monkeypatch.setattr(Go, "settling_move", lambda *_: done.append("compiled"))
    monkeypatch.setattr(uct_agent, "capacity_within", lambda *_: done.append("measured") or 2000)
    agent_for(Go(5, 0.5), "simulations=0")
    assert done == ["compiled", "measured"]


# --- Moves -----------------------------------------------------------------------------------------------------------


WITHOUT = ("heavy=no", "priors=no", "heavy=no,priors=no,formula=ucb1,c=0.5")  # options that switch knowledge off


@pytest.mark.parametrize(
    ("text", "move", "options"),
    [
        (RACE.format("b"), "A5", SHORT),
        (RACE.format("w"), "A2", SHORT),
        (RACE_7.format("b"), "A7", SHORT),
        (RACE_7.format("w"), "A2", SHORT),
        *(pytest.param(RACE.format("b"), "A5", f"{LONG},{known}", marks=pytest.mark.slow) for known in WITHOUT),
    ],
)
def test_the_capture_that_decides_the_game_is_found(text, move, options):
    for seed in (1, 2, 3) if options == SHORT else (1,):
        assert answer(text, options, seed) == move


@pytest.mark.parametrize(("keep_eyes", "expected"), [("yes", False), ("no", True)])
def test_a_switch_says_whether_the_search_looks_at_own_eyes(keep_eyes, expected):
    game, position = position_of(BLACK_HAS_ALL.format("b"))
    agent = agent_for(game, f"simulations=100,capacity=20000,keep_eyes={keep_eyes}")
    agent.step(position, Clock(2.0))
    searcher = agent._searcher
    moves = {searcher.move_to(position, child) for child in searcher.children_of(ROOT)}
    assert (GoMove(0, 0) in moves) == expected
    assert GoMove(6, 6) in moves


# --- Passing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settle", ["yes", "no"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_pass_that_loses_is_not_answered_by_one_while_a_move_wins(seed, settle):
    """White, ahead as the board stands, has passed, and black can still capture."""
    text = RACE.format("b") + " 1"
    assert position_of(text)[1].score() < 0
    assert answer(text, f"{SHORT},settle={settle}", seed) == "A5"


@pytest.mark.parametrize(
    ("text", "settle", "passes"),
    [
        *((HALVES.format("b", -0.5) + " 1", settle, True) for settle in ("yes", "no")),  # the count wins
        *((HALVES.format("w", 0.5) + " 1", settle, True) for settle in ("yes", "no")),
        (SETTLED.format("b", -8.5), "yes", True),  # the game is won as it stands
        (SETTLED.format("b", -8.5), "no", False),
        (BLACK_HAS_ALL.format("b"), "yes", False),  # dead stones would count against black
    ],
)
def test_a_game_is_ended_by_a_pass_where_that_wins_and_is_wanted(text, settle, passes):
    assert (answer(text, f"{SHORT},settle={settle}") == "pass") == passes


def test_a_proved_win_is_not_given_up_for_a_pass_that_only_seems_to_win(monkeypatch):
    game, position = position_of(SETTLED.format("b", -8.5))
    agent = agent_for(game)
    for value, passes in ((1.0, True), (0.99, False)):
        monkeypatch.setattr(type(agent._ready_searcher()), "value_of_move", lambda *_, value=value: value)
        assert (agent.step(position, Clock(2.0)) == PASS) == passes
        assert agent._searcher.proven == "win"


# --- Resigning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("resign", ["0.03", "0"])
def test_a_hopeless_game_is_resigned_after_some_moves_like_that_unless_that_is_switched_off(resign):
    game, position = position_of(WHITE_HAS_ALL.format("b"))
    agent = agent_for(game, f"{SHORT},resign={resign}")
    for _ in range(RESIGN_AFTER - 1):
        move = agent.step(position, Clock(2.0))
        assert move in position.legal_moves()
        position = position.play(move)
        position = position.play(next(reply for reply in position.legal_moves() if reply != PASS))
    assert (agent.step(position, Clock(2.0)) == RESIGN) == (resign != "0")


# --- What is kept from move to move ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_move_that_superko_forbids_is_not_played_although_the_kept_tree_has_it(seed):
    game, position = position_of(SUPERKO)
    agent = agent_for(game, f"{LONG},reuse=yes,resign=0", seed)
    agent.step(position, Clock(2.0))
    searcher, node = agent._searcher, ROOT
    for vertex in ("C1", "A1", "B1"):
        children = {game.format_move(searcher.move_to(position, child)): child for child in searcher.children_of(node)}
        assert vertex in children, f"the search did not look at {vertex}: this test needs more simulations"
        node = children[vertex]
    later = played(game, "C1 A1", position)
    forbidden = game.parse_move("B1")
    assert forbidden not in later.legal_moves()
    move = agent.step(later, Clock(2.0))
    assert move in later.legal_moves()
    assert forbidden not in {searcher.move_to(later, child) for child in searcher.children_of(ROOT)}


# --- How long it searches, and what it says --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (RACE_7.format("b"), ""),
        (RACE_7.format("w"), ""),
        (BLACK_HAS_ALL.format("b"), ",c=0"),  # all moves win: with exploration none of them would get ahead
    ],
)
def test_a_safe_lead_ends_the_search_earlier_with_the_same_move(text, more):
    game, position = position_of(text)
    moves, simulations = [], []
    for stop in ("proof", "lead"):
        agent = agent_for(game, f"simulations=6000,capacity=300000,resign=0,settle=no,stop={stop}{more}")
        moves.append(agent.step(position, Clock(2.0)))
        simulations.append(agent.analysis()["simulations"])
    assert moves[0] == moves[1]
    assert simulations[1] < simulations[0] == 6000


def test_study_goes_on_with_the_same_tree_and_reports_legal_moves_best_first():
    game, position = position_of("......./......./......./...b.../......./......./....... w - 7")
    agent = agent_for(game, "capacity=200000")
    visits = []
    for _ in range(2):
        reports = agent.study(position, 0.3)
        visits.append(int(visits_of(agent._searcher.tree.stats[ROOT])))
    assert visits[1] > visits[0] > 0
    assert reports[0].move == agent._searcher.best_move()
    assert [report.visits for report in reports[1:]] == sorted((report.visits for report in reports[1:]), reverse=True)
    for report in reports:
        assert report.move in position.legal_moves()
        assert report.pv[0] == report.move
        assert 0 <= report.value <= 1
        played(game, " ".join(map(game.format_move, report.pv)), position)  # raises for a move that is not legal
    assert len(reports[0].pv) > 1


def test_study_of_another_position_begins_anew():
    game, position = position_of(RACE.format("b"))
    agent = agent_for(game, "capacity=50000")
    agent.study(position, 0.05)
    reports = agent.study(position.with_to_move(1), 0.05)
    assert {report.move for report in reports} <= set(position.with_to_move(1).legal_moves())
    assert game.format_move(reports[0].move) == "A2"


def test_ownership_of_a_settled_position_has_the_signs_of_its_owners():
    game, position = position_of(HALVES.format("w", 0.5))
    agent = agent_for(game)
    assert agent.ownership() is None
    agent.step(position, Clock(2.0))
    owners = agent.ownership()
    assert owners.shape == (7, 7)
    assert np.abs(owners).max() <= 1
    assert (owners[:, :3] > 0.3).all()
    assert (owners[:, 4:] < -0.3).all()


# --- Options ----------------------------------------------------------------------------------------------------------


def test_the_switches_of_the_game_are_options():
    agent = agent_for(load_game("go", size=5), "heavy=no,escape=100,c=0.2,capacity=1000")
    kernel = agent._searcher.kernel
    assert (kernel.heavy, kernel.priors, kernel.escape, kernel.pattern) == (False, True, 100, 230)
    assert agent._settings.c == pytest.approx(0.2)


def test_the_komi_of_a_position_counts_whatever_the_games_is():
    """White has passed; black wins by passing with the komi of the line, and would lose with the game's."""
    game = load_game("go", size=7, komi=30.0)
    position = game.parse_position("...bw../...bw../...bw../...bw../...bw../...bw../...bw.. b - -0.5 1")
    agent = agent_for(game, "simulations=50,capacity=20000")
    assert agent.step(position, Clock(60.0)) == PASS
    assert agent.analysis()["proven"] == "win"


def test_a_root_made_while_moves_were_forbidden_is_not_kept_when_they_are_not():
    game, position = position_of("...../...../...../...../..... b - 0.5")
    searcher = agent_for(game, "simulations=100,capacity=20000")._searcher
    searcher.begin(position.forbidding(position.legal_moves()[1:]))
    searcher.search(simulations=100)
    assert len(searcher.children()) == 1
    assert not searcher.advance(position)
    assert len(searcher.children()) == len(position.legal_moves())
    assert searcher.value_of_move(PASS, 10) < 0.9


def test_a_lead_of_a_move_that_is_proved_to_lose_is_no_lead():
    game = load_game("pentago")
    position = game.parse_position("...b../....../.b.wwb/....w./.w..ww/.b...b b")
    searcher = searched(position, 15_000, search="tree", capacity=800_000, stop="lead", c=0.1)
    assert searcher.is_settled or searcher.simulations == 15_000 or searcher.best_child().visits > 2000


# --- First opinions --------------------------------------------------------------------------------------------------


ROWS = [".......", "..b.w..", ".wb....", "..bw...", "...w...", "..b....", "......."]
TURNED = ["".join(row[column] for row in reversed(ROWS)) for column in range(7)]


def first_opinions(rows, side, move, **switches):
    """The prior value, 0 to 1, of each reply to a move in a position."""
    game, position = position_of(f"{'/'.join(rows)} {side} - 0.5")
    searcher = searched(position.play(move), simulations=1, search="tree", game=game, **switches)
    return {searcher.move_to(searcher.position, child.node): child.prior for child in searcher.children()}


def test_first_opinions_do_not_depend_on_the_colour():
    exchanged = [row.translate(str.maketrans("bw", "wb")) for row in ROWS]
    here = first_opinions(ROWS, "b", GoMove(2, 4))
    assert here == first_opinions(exchanged, "w", GoMove(2, 4))
    assert here.pop(PASS) < min(here.values())
    assert len(set(here.values())) > 10


def test_first_opinions_turn_with_the_board():
    for surroundings in (False, True):
        here = first_opinions(ROWS, "b", GoMove(2, 4), surroundings=surroundings)
        there = first_opinions(TURNED, "b", GoMove(4, 4), surroundings=surroundings)
        assert here.pop(PASS) == there.pop(PASS)
        differences = [abs(opinion - there[GoMove(move.column, 6 - move.row)]) for move, opinion in here.items()]
        assert len(differences) == len(there)
        # The network has no symmetry by its form: it learned it from positions in all rotations and reflections.
        assert max(differences) == 0 if not surroundings else np.mean(differences) < 0.05

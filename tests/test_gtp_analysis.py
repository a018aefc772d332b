"""Live analysis as Leela Zero and KataGo give it, and the commands for GoGui."""

import json
import re

import pytest

from agents.agent import Agent, MoveReport
from agents.limits import Limits
from agents.uct_agent import UctAgent
from go.position import PASS
from simulator.gtp.commands import analysis as analysis_commands
from simulator.gtp.commands.analysis import GOGUI_COMMANDS, STEP_SHARE, kata_figures, lower_bound, lz_figures
from tests.gtp_engines import Scholar, Silent, board, engine_of, go_engine, run, say


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch):
    monkeypatch.setattr(analysis_commands, "SEARCH_SECONDS", 0.01)


@pytest.fixture
def engine():
    return go_engine()


# --- Analysis -------------------------------------------------------------------------------------------------------


def test_figures_of_a_report_as_both_programs_write_them():
    report = MoveReport(None, 100, 0.5, 0.012, ())
    assert lz_figures(report) == "winrate 5000 prior 120 lcb 4020"
    assert kata_figures(report) == "winrate 0.500000 prior 0.012000 lcb 0.402000"
    assert lower_bound(0.01, 1) == 0 == lower_bound(0.9, 0) and lower_bound(1.0, 10) == 1.0
    won = MoveReport(None, 0, 1.0, 0.012, (), "win")
    assert lz_figures(won) == "winrate 10000 prior 120 lcb 10000" and kata_figures(won).endswith("lcb 1.000000")


def test_analysis_that_nobody_can_interrupt_is_one_report(engine):
    answer = say(engine, "7 lz-analyze w 5")
    lines = answer.split("\n")
    assert lines[0] == "=7" and len(lines) == 2
    assert re.fullmatch(
        r"info move A5 visits \d+ winrate 6250 prior 2500 lcb \d+ order 0 pv A5 pass "
        r"info move B5 visits 50 winrate 5000 prior 1250 lcb 3614 order 1 pv B5",
        lines[1],
    )
    assert {text.split()[1] for text, _ in Scholar.made[0].studied} == {"w"}


@pytest.mark.parametrize(("colour", "sign"), [("b", 1), ("w", -1)])
def test_ownership_is_for_the_player_to_move_row_by_row(engine, colour, sign):
    line = say(engine, f"kata-analyze {colour} interval 5 ownership true").split("\n")[1]
    moves, _, owners = line.partition(" ownership ")
    assert "winrate 0.625000 prior 0.250000" in moves
    figures = [float(word) for word in owners.split()]
    assert len(figures) == 25 and figures[0] == sign and figures[24] == -0.5 * sign and not any(figures[1:24])


def test_options_of_an_analysis(engine):
    assert say(engine, "lz-analyze interval 5 maxmoves 1 minmoves 3").count("info move") == 1
    assert "ownership" not in say(engine, "kata-analyze 5 ownership false rootInfo true")


def test_agent_that_does_not_analyse_says_so(capsys):
    engine = engine_of(Silent, "go", {"size": 5}, name="silent")
    for command in ("lz-analyze 5", "kata-genmove_analyze b 5", "unforced-pv b", "unforced-winrate_map b"):
        assert say(engine, command) == "? silent does not analyse"
    assert "Traceback" not in capsys.readouterr().err and board(engine).startswith("...../")


def test_genmove_with_analysis_ends_with_the_move_and_plays_it(engine):
    run(engine, "time_settings 0 1 1")
    lines = say(engine, "kata-genmove_analyze w 20").split("\n")
    assert lines[0] == "=" and lines[-1] == "play E5" and len(lines) >= 3
    assert all(line.startswith("info move A5 visits") for line in lines[1:-1])
    assert board(engine).startswith("....w/")
    agent = Scholar.made[0]
    assert sum(seconds for _, seconds in agent.studied) < 1 and agent.clocks[0] < 0.5


def test_a_first_move_is_reported_on_until_it_comes():
    engine = engine_of(Scholar, "go", {"size": 5, "komi": 0.5}, limits=Limits(30, 0.4))
    run(engine, "lz-genmove_analyze b 5")
    assert Scholar.made[0].clocks[0] < 0.4 * STEP_SHARE + 0.01


@pytest.mark.parametrize("report", [(), MoveReport("A1", 1, 0.5, 0.5, ()), MoveReport(None, "many", 0.5, 0.5, ())])
def test_a_report_that_is_none_is_the_agents_failure(engine, monkeypatch, report):
    monkeypatch.setattr(Scholar, "study", lambda self, position, seconds: [report])
    for command in ("unforced-study 0.1", "lz-analyze 5", "unforced-pv b"):
        assert say(engine, command).startswith("? agent failed: "), command


def counting_agent(game, limits, seed):
    return UctAgent(game, limits, seed, {"simulations": "300", "capacity": "20000"})


def counting_engine():
    return engine_of(counting_agent, "go", {"size": 5}, seed=3)


def stats_of(engine):
    stats = json.loads(say(engine, "unforced-search_stats").removeprefix("= "))
    return {key: value for key, value in stats.items() if key not in ("seconds", "peak_rss_mb")}


def test_fixed_simulations_give_the_same_move_and_figures_with_a_report():
    plain, live = counting_engine(), counting_engine()
    for colour in "bwb":
        move = say(plain, f"genmove {colour}").removeprefix("= ")
        lines = say(live, f"lz-genmove_analyze {colour} 10").split("\n")
        assert [lines[0], lines[2]] == ["=", f"play {move}"] and len(lines) == 3
        assert lines[1].startswith(f"info move {move} visits ")
        assert stats_of(live) == stats_of(plain)
    assert board(live) == board(plain)


def test_figures_of_a_move_outlast_an_analysis():
    engine = counting_engine()
    run(engine, "genmove b")
    before = stats_of(engine)
    assert before["simulations"] > 0
    run(engine, "lz-analyze w 5")
    assert stats_of(engine) == before


def test_fixed_simulations_without_reports_play_no_move(engine, monkeypatch):
    monkeypatch.setattr(Scholar, "default_options", {"simulations": 5})
    monkeypatch.setattr(Scholar, "study", Agent.study)
    before = board(engine)
    assert say(engine, "lz-genmove_analyze b") == "? scholar does not analyse" and board(engine) == before


def test_analysis_does_not_count_as_thinking(engine):
    engine.host.prepare()
    for line in ("lz-analyze 100", "unforced-pv b", "genmove b"):
        say(engine, line)
    assert Scholar.made[0].clocks[0] > 29.2


# --- GoGui ----------------------------------------------------------------------------------------------------------


def test_every_analyze_command_of_gogui_is_served(engine):
    assert say(engine, "gogui-analyze_commands") == "= " + "\n".join(GOGUI_COMMANDS)
    types = {"gfx", "varc", "dboard", "pstring", "plist", "string", "hstring"}
    run(engine, "genmove b")
    for entry in GOGUI_COMMANDS:
        kind, _, command = entry.split("/")
        assert kind in types
        assert say(engine, command.replace("%c", "w").replace("%m", "w")).startswith("="), command


def test_win_rates_are_labels_and_colours(engine):
    assert say(engine, "unforced-winrate_map").split("\n") == [
        "= COLOR #00ff00 A5",
        "COLOR #ffbf00 B5",
        "LABEL A5 62 B5 50",
        "TEXT A5 wins 62.5% in 100 visits",
    ]


def test_win_rates_without_a_point_have_no_labels(engine, monkeypatch):
    monkeypatch.setattr(
        Scholar, "study", lambda self, position, seconds: [MoveReport(PASS, 5, 1.0, 1.0, (PASS,), "win")]
    )
    assert say(engine, "unforced-winrate_map") == "= TEXT pass wins 100.0% in 5 visits"


def test_variation_is_a_list_of_moves(engine):
    assert say(engine, "unforced-pv w") == "= A5 pass"


def test_ownership_is_a_board_of_numbers_of_the_agents_or_else_of_playouts(engine):
    rows = say(engine, "unforced-ownership").removeprefix("= ").split("\n")
    assert rows[0].split() == ["1.000", *["0.000"] * 4] and len(rows) == 5
    silent = engine_of(Silent, "go", {"size": 5})
    run(silent, "play b C3", "play b C2", "play b C4", "play b D3", "play b B3")
    figures = [float(word) for word in say(silent, "unforced-ownership")[2:].split()]
    assert len(figures) == 25 and min(figures) > 0.5

"""The figures of REPORT.md: each stands there as it was measured, and figures older than their code are named."""

import json
import subprocess
import sys

import pytest

from experiments import figures, report

MATCH = {
    "settings": {"limits": {"move_seconds": 0.5}},
    "agents": {
        "uct_agent:c=1": {
            "games": 4,
            "as_first": {"wins": 2, "draws": 0, "losses": 0},
            "as_second": {"wins": 0, "draws": 1, "losses": 1},
            "score": 0.625,
            "max_move_seconds": 0.461,
            "peak_memory_mb": 382.6,
            "pairs": {"score_interval": [0.25, 0.875], "elo": 88.7, "elo_interval": [-190.8, 338.0]},
        }
    },
}


def test_report_has_each_figure_as_it_was_measured():
    for name, figure in figures.FIGURES_OF_REPORT.items():
        text = (figures.PROJECT / figure.document).read_text()
        assert figures.with_figures(text, figure.document) == text
        assert f"<!-- figure {name} -->" in text


def test_a_figure_without_its_place_is_refused():
    with pytest.raises(ValueError, match="no place for "):
        figures.with_figures("# Nothing\n")


@pytest.mark.parametrize("name", figures.FIGURES_OF_REPORT)
def test_what_a_figure_measures_is_there(name):
    assert len(figures.fingerprint(figures.FIGURES_OF_REPORT[name].sources)) == 12
    for command in figures.FIGURES_OF_REPORT[name].commands:
        assert (figures.PROJECT / command.split()[0]).exists()


def test_a_figure_is_old_when_what_it_measures_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FIGURES", tmp_path)
    name = "go_reference"
    assert figures.state_of(name) == "not measured"
    mark = figures.fingerprint(figures.FIGURES_OF_REPORT[name].sources)
    command = f"`python {figures.FIGURES_OF_REPORT[name].commands[0]}`"
    for noted, state in (
        (f"{command} <!-- sources {mark} -->", "current"),
        (f"{command} <!-- sources {'0' * 12} -->", "older than its code"),
        (command, "older than its code"),
        (f"`python one.py` <!-- sources {mark} -->", "of other commands"),
    ):
        (tmp_path / f"{name}.md").write_text(f"9x9\n\nVersion 1. {noted}\n")
        assert figures.state_of(name) == state


def test_a_fingerprint_is_that_of_names_and_contents_of_code(tmp_path):
    (tmp_path / "go").mkdir()
    (tmp_path / "go" / "a.py").write_text("1\n")
    first = figures.fingerprint(("go",), tmp_path)
    (tmp_path / "go" / "a.txt").write_text("no code\n")
    assert figures.fingerprint(("go",), tmp_path) == first == figures.fingerprint(("go/a.py",), tmp_path)
    (tmp_path / "go" / "a.py").write_text("2\n")
    assert figures.fingerprint(("go",), tmp_path) != first
    (tmp_path / "go" / "b_1.py").write_text("3\n")
    assert figures.fingerprint(("go", "!go/b*.py"), tmp_path) == figures.fingerprint(("go/a.py",), tmp_path)
    assert figures.fingerprint(("go",), tmp_path) != figures.fingerprint(("go/a.py",), tmp_path)
    with pytest.raises(FileNotFoundError):
        figures.fingerprint(("chess",), tmp_path)


def test_words_are_no_code(tmp_path):
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    first = figures.fingerprint(("a.py",), tmp_path)
    file.write_text('"""What x is.\n\n# One.\n"""\n\n# The number.\nx = 1  # one\n')
    assert figures.fingerprint(("a.py",), tmp_path) == first
    file.write_text('x = 1\ny = """\n# No comment."""\n')
    assert figures.fingerprint(("a.py",), tmp_path) != first


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("sys.meta_path.insert(0, Mock(find_spec=lambda name, *_: stopped() if name == 'experiments' else None))", ""),
        (
            "import experiments.figures; experiments.figures.state_of = stopped",
            "\nstopped; the same command goes on from here\n",
        ),
    ],
)
def test_ctrl_c_ends_the_command_with_130_also_while_it_starts(where, words):
    code = f"""import runpy, sys
from unittest.mock import Mock
stopped = Mock(side_effect=KeyboardInterrupt)
sys.argv[1:] = ["--list"]
{where}
runpy.run_path("experiments/report.py", run_name="__main__")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=figures.PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", words)


def test_a_match_is_a_row_with_its_interval_from_pairs():
    command = "runner.py match uct_agent:c=1 greedy_agent --games 4 --move-time 0.5"
    assert report.row_of(command, MATCH) == (
        "| `uct_agent:c=1` | `greedy_agent` | 0.5 | 4 | 2-0-0; 0-1-1 | 62.5 % | 25.0 .. 87.5 | +89, -191 .. +338 "
        "| 0.46 s | 383 MB |"
    )


def test_a_tournament_is_a_table_of_its_standings(tmp_path, monkeypatch):
    row = {"agent": "uct_agent", "points": 23.0, "games": 24, "wins": 22, "draws": 2, "losses": 0}
    ended = {"event": "ended", "standings": [{**row, "rating": [668.2, 326.9, 1009.5], "violations": 0}]}
    monkeypatch.setattr(report, "WORK", tmp_path)
    monkeypatch.setattr(report, "output_of", lambda command: f'{{"event": "started"}}\n{json.dumps(ended)}')
    figure = figures.Figure(("go",), ("runner.py tournament experiments/ladder.toml",))
    (written,) = report.results_of("ladder", figure, "mark")
    assert written.startswith("`python runner.py tournament experiments/ladder.toml`\n\n| agent | points |")
    assert written.endswith("\n| `uct_agent` | 23 | 24 | 22-2-0 | +668 | +327 .. +1010 |")


def test_what_is_measured_is_written_with_its_command_version_and_sources(tmp_path, monkeypatch):
    figure = figures.Figure(("go",), ("benchmarks/one.py", "runner.py match uct_agent:c=1 greedy_agent --games 4"))
    asked = []

    def output_of(command):
        asked.append(command)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return "9x9  1.55" if command == "benchmarks/one.py" else f"sandbox: yes\n{json.dumps(MATCH)}"

    monkeypatch.setattr(figures, "FIGURES", tmp_path)
    monkeypatch.setattr(report, "WORK", tmp_path / "work")
    monkeypatch.setitem(figures.FIGURES_OF_REPORT, "new", figure)
    monkeypatch.setattr(report, "output_of", output_of)
    with pytest.raises(KeyboardInterrupt):
        report.measure("new")
    report.measure("new")  # only what was not finished
    assert len(asked) == 3 and asked[1] == asked[2]
    assert not [*(tmp_path / "work").iterdir()]
    written = (tmp_path / "new.md").read_text()
    assert written.startswith("`python benchmarks/one.py`\n\n```\n9x9  1.55\n```\n\n`python runner.py match")
    assert "| 62.5 % |" in written and report.commit() in written and figures.state_of("new") == "current"
    assert "--records" in asked[1]  # so a stopped match goes on
    text = figures.with_figures("# R\n<!-- figure new -->\nold\n<!-- end of new -->\nrest\n")
    assert "9x9  1.55" in text and "old" not in text and text.endswith("<!-- end of new -->\nrest\n")
    assert figures.with_figures(text) == text


def test_what_a_command_printed_before_it_failed_is_shown(capsys):
    with pytest.raises(subprocess.CalledProcessError):
        report.output_of("-c 'print(\"3 late\"); exit(1)'")
    assert "3 late" in capsys.readouterr().err

"""`--isolation`, and `runner.py doctor`, on systems that have more and less."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import runner
from agents.limits import Limits
from commands.course_simulator import course_simulator
from simulator.play.settings import PlaySettings
from simulator.player.enforcement import enforced_limits
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, Reason, Verdict
from simulator.sandbox import bubblewrap
from simulator.sandbox import isolation as isolation_module
from simulator.sandbox.isolation import IsolationLevel, Mechanisms, available_mechanisms
from simulator.terminal.match_summary import match_json, print_summary
from simulator.tournament.events import Ended
from simulator.tournament.settings import TournamentSettings
from tests.scoundrels.games import HONEST, PATIENT, PLAYS_ON, play, quiet_opening

MISSING = "bubblewrap is not installed"
BARE = Mechanisms()  # nothing enforces network, files and privileges
WELL = Mechanisms(bubblewrap=True, filter=True)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that offers no mechanism."""
    monkeypatch.setattr(bubblewrap, "missing", lambda: MISSING)
    monkeypatch.setattr(isolation_module, "available_mechanisms", lambda isolation="best": BARE)


@pytest.fixture
def well(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system on which everything is enforced."""
    monkeypatch.setattr(isolation_module, "available_mechanisms", lambda isolation="best": WELL)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(runner.main, list(arguments))


# --- Required -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", HONEST, HONEST],
        ["play", "--agent", HONEST, "--hints", HONEST],
    ],
    ids=["match", "play"],
)
def test_required_refuses_before_anything_starts_where_a_limit_is_not_enforced(
    bare: None, arguments: list[str]
) -> None:
    assert_refused(invoke(*arguments, "--isolation", "required"))


@pytest.mark.parametrize("more", [[], ["--autoplay"], ["--player_1", "human_agent"]], ids=["one", "many", "a person"])
def test_the_courses_simulator_refuses_too(bare: None, more: list[str]) -> None:
    players = ["--player_1", HONEST, "--player_2", HONEST]
    assert_refused(CliRunner().invoke(course_simulator, [*players, *more, "--isolation", "required"]))


def assert_refused(result: Result) -> None:
    """Exit code 1 and nothing but the error: the rows, and what to do."""
    assert result.exit_code == 1
    (line,) = result.output.splitlines()
    assert line.startswith(
        "Error: isolation is required, but nothing enforces network: bubblewrap is not installed; files: "
    )
    assert "privileges" in line
    assert "memory" not in line


def test_other_levels_are_wrong_input() -> None:
    result = invoke("match", HONEST, HONEST, "--isolation", "some")
    assert result.exit_code == 2
    assert "'best', 'required', 'none'" in result.output


# --- What a match says ----------------------------------------------------------------------------------------------


def summary_of(system: Mechanisms, isolation: IsolationLevel) -> list[str]:
    from io import StringIO

    from rich.console import Console

    names = ("Ann", "Bob")
    record = GameRecord(
        "pentago",
        names,
        0,
        (),
        (),
        "W+",
        "",
        Verdict(0, Reason.FILES, "it read", 0, loser=1),
        (1.0, 1.0),
        {row.limit: row.mechanism for row in enforced_limits(system, Limits(), (0,))},
    )
    settings = TournamentSettings(Conditions(isolation=isolation), games=1)
    match = Ended(names, settings, records=[record])
    assert match_json(match)["settings"]["isolation"] == isolation
    assert match_json(match)["agents"]["Bob"]["files"] == 1
    console = Console(file=StringIO(), width=120)
    print_summary(console, match)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined, no-any-return]


def test_a_match_says_what_was_not_enforced() -> None:
    assert "not enforced: network, files, privileges (see python runner.py doctor)" in summary_of(BARE, "best")


def test_a_match_says_that_isolation_was_switched_off() -> None:
    lines = summary_of(Mechanisms(is_off=True), "none")
    assert "not enforced: network, files, privileges (isolation is off)" in lines


def test_a_match_is_silent_where_everything_was_enforced() -> None:
    assert not [line for line in summary_of(WELL, "best") if "not enforced" in line]


def test_games_lost_by_files_are_counted() -> None:
    (row,) = (line.split() for line in summary_of(WELL, "best") if "lost by open files" in line)
    assert row[-2:] == ["0", "1"]


def test_the_command_to_go_on_with_a_game_keeps_the_isolation() -> None:
    assert PlaySettings(isolation="none").flags() == ("--isolation=none",)


def test_an_honest_game_is_played_without_isolation() -> None:
    record = play(HONEST, PLAYS_ON, opening=quiet_opening(30), isolation="none")
    assert record.verdict.reason == Reason.NORMAL
    assert {name for name, held in record.enforcement.items() if held.startswith("none")} == {
        "network",
        "files",
        "privileges",
    }


# --- doctor ---------------------------------------------------------------------------------------------------------


def test_doctor_succeeds_where_everything_is_enforced(well: None) -> None:
    result = invoke("doctor")
    assert result.exit_code == 0
    assert result.output.endswith("8 of 8 limits are enforced.\n")  # not followed by why agents are not prepared


def test_doctor_names_what_is_missing_once_and_fails(bare: None) -> None:
    result = invoke("doctor")
    assert result.exit_code == 1
    assert "5 of 8 limits are enforced." in result.output
    text = " ".join(result.output.split())
    assert text.count(MISSING) == 1
    assert f"Better for processes, network, files, privileges: {MISSING}" in text
    assert "Agents that compile code of their own do so in every game: to do it once, namespaces" in text


def test_doctor_prints_json(bare: None) -> None:
    result = invoke("doctor", "--json", "--memory", "300")
    rows = json.loads(result.output)
    assert result.exit_code == 1
    assert [row["limit"] for row in rows if not row["enforced"]] == ["network", "files", "privileges"]
    assert "300 MB" in rows[0]["mechanism"]
    assert {row["advice"] for row in rows if not row["enforced"]} == {MISSING}


# --- Without bubblewrap, for real -----------------------------------------------------------------------------------


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(bubblewrap, "missing", lambda: MISSING)
    available_mechanisms.cache_clear()
    if not available_mechanisms().filter:
        pytest.skip("no filter of system calls on this system")
    yield
    available_mechanisms.cache_clear()


TRIES = """
import errno
import os
import socket
from pathlib import Path

from agents.agent import Agent, register_agent

HERE = Path(__file__).parent
BESIDE = HERE.parent / "beside.txt"


def write():
    (HERE / "new.txt").write_text("new")


DEEDS = {
    "socket": socket.socket,
    "fork": os.fork,
    "write": write,
    "write-memory": lambda: Path("/dev/shm/unforced-test").write_text("new"),
    "read-beside": BESIDE.read_text,
    "list-beside": lambda: os.listdir(HERE.parent),
    "read-opponent": (HERE / "other.py").read_text,
    "read-own": (HERE / "notes.txt").read_text,
    "read-shared": lambda: os.listdir("/usr"),
}


def tried(deed):
    try:
        deed()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"


@register_agent("trying_agent")
class TryingAgent(Agent):
    first = None

    def step(self, position, clock):
        found = {name: tried(deed) for name, deed in DEEDS.items()}
        if self.first:
            lines = [f"found {name} {self.first[name]} {found[name]}" for name in DEEDS]
            raise RuntimeError("\\n".join(["", *lines]))
        self.first = found
        return position.legal_moves()[0]
"""


def test_the_filter_refuses_all_but_reading(no_bubblewrap: None, tmp_path: Path) -> None:
    (tmp_path / "beside.txt").write_text("not a secret here")
    folder = tmp_path / "agent"
    folder.mkdir()
    for name, text in (("trying.py", TRIES), ("other.py", TRIES), ("notes.txt", "notes")):
        (folder / name).write_text(text)
    record = play(str(folder / "trying.py"), str(folder / "other.py"), PATIENT)
    assert record.enforcement["files"].startswith("none for reading")
    assert record.enforcement["network"] == "no sockets (system call filter)"
    assert record.enforcement["processes"].startswith("threads only")
    told = [line.split()[1:] for line in record.verdict.stderr if line.startswith("found ")]
    for which in (1, 2):
        found = {words[0]: words[which] for words in told}
        refused = {name for name, result in found.items() if result != "done"}
        assert refused == {"socket", "write", "write-memory", "fork"}
        assert {found[name] for name in refused} == {"EPERM"}
    assert {path.name for path in folder.iterdir()} == {"trying.py", "other.py", "notes.txt"}


@pytest.mark.parametrize("agent", [HONEST, "uct_agent:simulations=50", "alphabeta_agent:depth=1", "student_agent"])
def test_our_own_agents_play_with_the_filter_alone(no_bubblewrap: None, agent: str) -> None:
    record = play(agent, PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason is Reason.NORMAL, record.verdict
    assert record.enforcement["files"].startswith("none for reading")

"""A tournament's file: its settings, its mistakes with their lines, and limits for one agent."""

import os
from pathlib import Path

import pytest

from agents.limits import Limits
from game import NotationError, load_game
from options import InputError
from simulator.tournament.fields import BY_KEY, LIMITS, split_limits
from simulator.tournament.openings import read_openings
from simulator.tournament.settings import settings_from
from simulator.tournament.toml_file import known_keys, read_toml


@pytest.fixture
def league(tmp_path):
    """A function that writes a league's file beside a folder of submissions and returns the file's path."""
    folder = tmp_path / "submissions"
    (folder / ".unpacked").mkdir(parents=True)
    for name in ("b.py", "a.py", "ann@mail.zip", "._a.py"):
        (folder / name).touch()

    def write(text):
        (tmp_path / "league.toml").write_text(text)
        return tmp_path / "league.toml"

    return write


@pytest.mark.parametrize(
    ("entry", "texts"),
    [
        ("submissions", ["./submissions"]),
        ("submissions@move_time=1", ["./submissions@move_time=1"]),
        ("ann@mail.mcgill.ca.zip", ["./ann@mail.mcgill.ca.zip"]),
        ("ann.py:depth=3", ["./ann.py:depth=3"]),
        ("../other/agent.py", ["./../other/agent.py"]),
        ("submissions/*.py", ["./submissions/a.py", "./submissions/b.py"]),
        ("submissions/*.py:c=1,name=[x]", ["./submissions/a.py:c=1,name=[x]", "./submissions/b.py:c=1,name=[x]"]),
        ("submissions/*", [f"./submissions/{name}" for name in ("a.py", "ann@mail.zip", "b.py")]),
        ("submissions/*@mail.zip@memory=9", ["./submissions/ann@mail.zip@memory=9"]),
        ("~/submissions/a*.py", ["./submissions/a.py"]),
        ("uct_agent:name=*", ["uct_agent:name=*"]),
        ("gtp:gnugo --mode gtp", ["gtp:gnugo --mode gtp"]),
    ],
)
def test_folders_files_and_patterns_are_looked_for_beside_the_league(league, tmp_path, monkeypatch, entry, texts):
    monkeypatch.setenv("HOME", str(tmp_path))
    file = read_toml(league(f"agents = ['{entry}']"))
    assert file.agents == [text.replace("./", f"{tmp_path}/", 1) for text in texts]
    assert not any(file.names) and len(file.names) == len(texts)


def test_keys_are_read_and_openings_looked_for_beside_the_league(league, tmp_path):
    text = "# a comment\nagents = [\n    'uct_agent:c=0.5',\n]\nformat = 'swiss'\nmove-time = 0.5\ncushion = 0\n"
    file = read_toml(league(f"{text}openings = 'lines.txt'\nrecords = '~/league.db'"))
    assert file.agents == ["uct_agent:c=0.5"]
    files = {"openings": str(tmp_path / "lines.txt"), "records": str(Path.home() / "league.db")}
    assert file.values == {"format": "swiss", "move-time": 0.5, "cushion": 0, **files}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed = 1\n\nfromat = 'swiss'", "line 3: there is no key fromat; did you mean format?"),
        ("zzz = 1", "there is no key zzz; there are: agents, records"),
        ("format = 'knockout'", "line 1: format must be round-robin, gauntlet, swiss or course, not 'knockout'"),
        ("seed = 1\nrounds = 0", "line 2: rounds must be a whole number from 1 on, not 0"),
        ("move-time = 0", "move-time must be a number above 0, not 0"),
        ("cushion = -1", "cushion must be a number from 0 on, not -1"),
        ("move-time = inf", "move-time must be a number above 0, not inf"),
        ("clock = '5m'", 'clock must be a game clock in seconds, as "300+2" or "300", not \'5m\''),
        ("transcripts = 1", "transcripts must be true or false, not 1"),
        (
            "[agents.fast]\nlimit = {}",
            'line 1: [agents.fast] may have agent = "..." and limits = {...}: Object contains unknown field `limit`',
        ),
        (
            "[agents.slow]\n[agents.fast.limits]\nsize = 9",
            "line 2: [agents.fast]: there is no limit size; there are: move-time",
        ),
        (
            "[agents.fast.limits]\nmemory = 0",
            "[agents.fast]: memory must be a whole number from 1 to 1,000,000,000, not 0",
        ),
        ("agents = 'uct_agent'", "agents must be a list of texts"),
        ("agents = []", "agents must be a list of texts"),
        ("agents = ['uct_agent', 1]", "agents must be a list of texts"),
        ("game = ''", "game must be one character or more, without NUL, not ''"),
        ("[limits]\nmemory = 1", "line 1: there is no key limits"),
        ("seed = 1\npairs = \n", "line 2"),
        (f"seed = {'9' * 5000}", "is not TOML: Exceeds the limit"),
        (f"agents = {'[' * 5000}", "is not TOML: maximum recursion depth exceeded"),
        ("seed = 1\nagents = ['none/*.py']", "line 2: no file matches none/"),
        (r'records = "a\u0000.db"', r"line 1: records must be one character or more, without NUL, not 'a\x00.db'"),
        (r'openings = "a\u0000"', "openings must be one character or more, without NUL"),
        (r'game = "a\u0000.py"', "game must be one character or more, without NUL"),
        (
            'agents = [\n"random_agent",\n"some\\u0000/*.py"]',
            r"line 1: the agent 'some\x00/*.py' has a NUL in its name",
        ),
        (r'agents = ["a\u0000.zip"]', "has a NUL in its name"),
        ('[agents.one]\nagent = "gtp:a\\u0000"', r"line 1: the agent 'gtp:a\x00' has a NUL in its name"),
    ],
)
def test_a_mistake_is_shown_with_its_line_and_what_is_allowed(league, text, words):
    with pytest.raises(InputError) as caught:
        read_toml(league(text))
    assert words in str(caught.value)
    assert "league.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no file {path}; name a TOML file with the tournament's settings"),
        (lambda path: path.mkdir(), "{path} is a folder; name a TOML file"),
        (os.mkfifo, "{path} is a pipe or a device, not a file; name a TOML file"),
        (lambda path: path.symlink_to(path), "cannot read {path}: Too many levels of symbolic links; name"),
        (lambda path: path.symlink_to("/proc/self/mem"), "cannot read {path}: Input/output error; name a TOML file"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), "{path} is a binary file; name a TOML file"),
        (lambda path: path.write_bytes(b"seed = 1\n# \xe9"), "{path}, line 2: this is not UTF-8: save it as UTF-8\n"),
    ],
)
def test_a_file_that_is_none_is_explained_and_what_to_do(tmp_path, make, words):
    path = tmp_path / "league.toml"
    make(path)
    with pytest.raises(InputError) as caught:
        read_toml(path)
    assert f"{caught.value}\n".startswith(words.format(path=path))


def test_a_file_that_may_not_be_read_is_explained(league, monkeypatch):
    def denied(path, mode):
        raise PermissionError(13, "Permission denied", str(path))

    path = league("seed = 1")
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(InputError, match=r"cannot read .*: that is not permitted; name a TOML file"):
        read_toml(path)


def test_a_seed_that_was_drawn_can_be_given(league):
    assert read_toml(league(f"seed = {1 << 127}")).values["seed"] == 1 << 127


def test_agents_may_have_names_and_limits_of_their_own(league):
    file = league(
        'seed = 1\n[agents.fast]\nagent = "uct_agent:c=0.5"\nlimits = { move-time = 0.5, memory = 900 }\n'
        "[agents.greedy_agent]\n"
    )
    agents, names, _ = read_toml(file)
    assert agents == ["uct_agent:c=0.5@move-time=0.5,memory=900", "greedy_agent"]
    assert names == ["fast", "greedy_agent"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("uct_agent@memory=0", "memory must be a whole number from 1 to 1,000,000,000, not 0"),
        ("uct_agent@memory=1,size=9", "there is no limit size; there are: move-time"),
        ("uct_agent@clock=x", "clock must be a game clock in seconds"),
        ("uct_agent@clock=0", "clock must be a game clock in seconds"),
        ("uct_agent@clock=0+3", "clock must be a game clock in seconds"),
        ("uct_agent@clock=1234567", "clock must be a game clock in seconds"),
    ],
)
def test_a_wrong_limit_of_an_agent_is_explained(text, words):
    with pytest.raises(InputError) as caught:
        split_limits(text)
    assert words in str(caught.value)


def test_every_key_is_an_option_of_the_command_and_every_option_a_key():
    from commands.tournament import tournament

    context = tournament.make_context("tournament", ["random_agent"], resilient_parsing=True)
    options = {
        max(option.opts, key=len).removeprefix("--").replace("_", "-") for option in tournament.get_params(context)[1:]
    }
    without_key = {"force", "json", "extend", "sprt", "alpha", "beta", "help"}
    assert options - without_key == {key.replace("_", "-") for key in known_keys()} - {"agents"}


def test_defaults_in_the_help_are_those_in_force():
    """The table repeats them, because every `--help` reads the table, and games and agents take long to import."""
    in_force = {name.replace("_", "-"): value for name, value in settings_from({}, {}, {}).to_json().items()}
    in_force |= {key: Limits().to_json()[name] for key, name in LIMITS.items()}
    elsewhere = {"records", "workers", "cluster", "openings", "clock"}
    assert {key: each.default or None for key, each in BY_KEY.items() if key not in elsewhere} == {
        key: in_force[key] or None for key in BY_KEY.keys() - elsewhere
    }


def test_openings_are_read_from_a_file(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# centre first\nc3/0r  d4/1f\n\n B2/0R # another\n", "utf-8-sig")  # as Windows does
    assert read_openings(path, load_game("pentago")) == (("c3/0r", "d4/1f"), ("b2/0r",))


def test_openings_may_come_through_a_pipe_that_is_open_already(tmp_path):
    reading, writing = os.pipe()
    os.write(writing, b"c3/0r d4/1f\n")
    os.close(writing)
    assert read_openings(Path(f"/dev/fd/{reading}"), load_game("pentago")) == (("c3/0r", "d4/1f"),)
    os.close(reading)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is a pipe or a device"):
        read_openings(tmp_path / "pipe", load_game("pentago"))


@pytest.mark.parametrize(
    ("text", "words"),
    [("b2/0r\nb2/0r b2/0r", "line 2: move 2, b2/0r: "), ("# nothing", "has no opening"), ("x", "line 1: move 1, x: ")],
)
def test_an_opening_that_cannot_be_played_is_shown_with_its_line(tmp_path, text, words):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(NotationError, match=words):
        read_openings(path, load_game("pentago"))


def test_an_opening_after_which_nothing_is_left_to_play_is_refused(tmp_path):
    tictactoe = load_game("tictactoe")
    moves = [tictactoe.format_move(cell) for cell in (0, 3, 1, 4, 2)]
    path = tmp_path / "openings.txt"
    path.write_text(" ".join(moves))
    with pytest.raises(NotationError, match="the game is over"):
        read_openings(path, tictactoe)

"""A tournament's file: what it says, and what is wrong with it, by line."""

from pathlib import Path

import pytest

from game import NotationError, load_game
from simulator.tournament.openings import read_openings
from simulator.tournament.toml_file import KEYS, LeagueFileError, merged, read_league

WHOLE = """\
# a comment
agents = [
    "uct_agent:c=0.5",
    "submissions/*.py",
    "gtp:gnugo --mode gtp",
    "../other/agent.py",
]
format = "swiss"
move-time = 0.5
cushion = 0
openings = "lines.txt"
"""


@pytest.fixture
def league(tmp_path):
    """Writes a league's file beside two submissions, and gives its path."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("b.py", "a.py", "notes.txt"):
        (folder / name).touch()

    def write(text):
        (tmp_path / "league.toml").write_text(text)
        return tmp_path / "league.toml"

    return write


def test_keys_are_read_patterns_filled_in_and_files_looked_for_beside_the_league(league, tmp_path):
    assert read_league(league(WHOLE)) == {
        "agents": [
            "uct_agent:c=0.5",
            str(tmp_path / "submissions" / "a.py"),
            str(tmp_path / "submissions" / "b.py"),
            "gtp:gnugo --mode gtp",
            str(tmp_path / "../other/agent.py"),
        ],
        "format": "swiss",
        "move-time": 0.5,
        "cushion": 0,
        "openings": str(tmp_path / "lines.txt"),
    }


def test_every_file_of_a_pattern_gets_its_options(league, tmp_path):
    files = [tmp_path / "submissions" / name for name in ("a.py", "b.py")]
    path = league("agents = ['submissions/*.py:c=1,name=[x]', 'uct_agent:name=*']")
    assert read_league(path)["agents"] == [*(f"{file}:c=1,name=[x]" for file in files), "uct_agent:name=*"]


def test_a_pattern_may_begin_at_home(league, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    path = league("agents = ['~/submissions/a*.py']")
    assert read_league(path)["agents"] == [str(tmp_path / "submissions" / "a.py")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed = 1\n\nfromat = 'swiss'", "line 3: there is no key fromat; did you mean format?"),
        ("zzz = 1", "there is no key zzz; there are: agents, records"),
        (
            "format = 'knockout'",
            'line 1: format is one of "round-robin", "gauntlet", "swiss", "course", not "knockout"',
        ),
        ("seed = 1\nrounds = 0", "line 2: rounds is a whole number, 1 or more, not 0"),
        ("rounds = true", "rounds is a whole number, 1 or more, not true"),
        ("rounds = 2.0", "not 2.0"),
        ("move-time = 0", "move-time is a number, more than 0, not 0"),
        ("cushion = -1", "cushion is a number, 0 or more, not -1"),
        ("komi = inf", "komi is a number, not inf"),
        ("agents = 'uct_agent'", "agents is a list of texts"),
        ("agents = []", "agents is a list of texts"),
        ("agents = ['uct_agent', 1]", "agents is a list of texts"),
        ("game = ''", "game is a text in quotes"),
        ("[limits]\nmemory = 1", "line 1: there is no key limits"),
        ("seed = 1\npairs = \n", "line 2"),
        ("seed = 1\nagents = ['none/*.py']", "line 2: no file fits none/"),
        ("agents = ['some**.py']", "line 1: some**.py is no pattern of files"),
    ],
)
def test_a_mistake_is_shown_with_its_line_and_what_is_allowed(league, text, words):
    with pytest.raises(LeagueFileError) as caught:
        read_league(league(text))
    assert words in str(caught.value)
    assert "league.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no file {path}; name a TOML file with the tournament's settings"),
        (lambda path: path.mkdir(), "cannot read {path}: it is a folder; name a TOML file"),
        (lambda path: path.symlink_to(path), "cannot read {path}: Too many levels of symbolic links; name"),
        (lambda path: path.symlink_to("/proc/self/mem"), "cannot read {path}: Input/output error; name a TOML file"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), "{path} is a binary file; name a TOML file"),
        (lambda path: path.write_bytes(b"seed = 1\n# pr\xe9lude"), "{path}, line 2: this is not UTF-8"),
    ],
)
def test_a_file_that_is_none_is_explained_and_what_to_do(tmp_path, make, words):
    path = tmp_path / "league.toml"
    make(path)
    with pytest.raises(LeagueFileError) as caught:
        read_league(path)
    assert str(caught.value).startswith(words.format(path=path))


def test_a_file_that_may_not_be_read_is_explained(league, monkeypatch):
    def denied(path):
        raise PermissionError(13, "Permission denied", str(path))

    path = league("seed = 1")
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(LeagueFileError, match=r"cannot read .*: that is not permitted; name a TOML file"):
        read_league(path)


def test_flags_go_before_the_file():
    assert merged({"seed": 1, "pairs": 2}, {"seed": 3, "pairs": None, "rounds": 4}) == {
        "seed": 3,
        "pairs": 2,
        "rounds": 4,
    }


def test_every_key_is_an_option_of_the_command_and_every_option_a_key():
    from commands.tournament import tournament

    options = {option.opts[0].removeprefix("--") for option in tournament.params[1:]}
    assert options - {"force", "json"} == set(KEYS) - {"agents"}


def test_openings_are_read_from_a_file(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# centre first\nc3/0r  d4/1f\n\n B2/0R # another\n")
    assert read_openings(path, load_game("pentago")) == (("c3/0r", "d4/1f"), ("b2/0r",))


@pytest.mark.parametrize(
    ("text", "words"),
    [("b2/0r\nb2/0r b2/0r", "line 2: 'b2/0r'"), ("# nothing", "has no opening"), ("x", "line 1: 'x' cannot be played")],
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

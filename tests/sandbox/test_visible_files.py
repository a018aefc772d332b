"""Which files an agent may read: its own folder unless others use it too, and never its opponent's file."""

import sys
from pathlib import Path

import pytest

from agents.agent import AgentSpec, parse_agent
from agents.limits import Limits
from game import load_game
from jit import CACHE_FOLDER, PROJECT
from simulator.player.launch import launch_for
from simulator.sandbox import visible_files
from simulator.sandbox.visible_files import files_visible_to, named_path

NAMED = parse_agent("random_agent")


@pytest.fixture
def agent(tmp_path):
    """An agent's file in a folder of its own, with another file beside it."""
    (tmp_path / "agent.py").write_text("")
    (tmp_path / "weights.bin").write_text("")
    return parse_agent(str(tmp_path / "agent.py"))


def covers(folders, path):
    return any(path.is_relative_to(folder) for folder in folders)


# --- What all agents see --------------------------------------------------------------------------------------------


def test_agents_of_this_project_see_the_code_and_python_and_nothing_of_their_own():
    visible = files_visible_to(NAMED)
    assert visible.own == visible.hidden == ()
    for path in (
        PROJECT / "agents",
        PROJECT / "studies",
        PROJECT / "game",
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path("/usr"),
    ):
        assert covers(visible.shared, path)
    assert CACHE_FOLDER is None or not CACHE_FOLDER.exists() or covers(visible.shared, CACHE_FOLDER)


@pytest.mark.parametrize("name", ["", "tests", "commands", ".git", "docs"])
def test_the_rest_of_the_project_is_not_files_visible_to(name):
    assert not covers(files_visible_to(NAMED).shared, PROJECT / name)


@pytest.mark.parametrize(
    "path", ["/etc/shadow", "/var", "/root/.ssh", "/home/somebody", "/tmp", "/run", "/dev", "/proc"]
)
def test_the_systems_other_files_are_not_files_visible_to(path):
    assert not covers(files_visible_to(NAMED).shared, Path(path))


def test_what_is_named_through_a_link_is_seen_where_it_lies(tmp_path):
    """For instance where `.venv` is a link: nothing can be bound below a link."""
    inner = tmp_path / "venv" / "lib"
    inner.mkdir(parents=True)
    link = tmp_path / "linked"
    link.symlink_to("venv")
    assert visible_files._existing([link, link / "lib"]) == (link, tmp_path / "venv", inner)


def test_paths_exist_and_outer_folders_come_first():
    shared = files_visible_to(NAMED).shared
    assert all(path.exists() for path in shared)
    assert [len(path.parts) for path in shared] == sorted(len(path.parts) for path in shared)


def made(path):
    """Make an empty program and the folders above it; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)
    return path


# --- A file ---------------------------------------------------------------------------------------------------------


def test_a_file_brings_its_folder_and_a_link_the_one_that_it_leads_to(agent, tmp_path):
    assert files_visible_to(agent).own == (tmp_path,)
    link = tmp_path / "elsewhere" / "link.py"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "agent.py")
    assert files_visible_to(parse_agent(str(link))).own == (tmp_path,)


@pytest.mark.parametrize("common", ["the project's", "a home", "that of Python"])
def test_a_file_in_a_common_folder_comes_alone(common, agent, tmp_path, monkeypatch):
    if common == "the project's":
        monkeypatch.setattr(visible_files, "PROJECT", tmp_path)
    elif common == "a home":
        monkeypatch.setenv("HOME", str(tmp_path))
    else:
        (tmp_path / "venv").mkdir()
        monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    assert files_visible_to(agent).own == (tmp_path / "agent.py",)


def test_a_file_among_the_shared_ones_brings_nothing():
    assert files_visible_to(parse_agent(str(PROJECT / "agents" / "student_agent.py"))).own == ()


# --- The opponent ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "is_hidden"), [("other.py", True), ("deep/other.py", True), ("../elsewhere/other.py", False)]
)
def test_the_opponents_file_is_hidden_where_it_would_be_seen(tmp_path, file, is_hidden):
    agent, other = made(tmp_path / "mine" / "agent.py"), made((tmp_path / "mine" / file).resolve())
    hidden = files_visible_to(parse_agent(str(agent)), parse_agent(str(other))).hidden
    assert hidden == ((other,) if is_hidden else ())


def test_what_the_command_of_an_opponents_program_names_is_hidden_too(tmp_path):
    agent, engine, book = made(tmp_path / "agent.py"), made(tmp_path / "engine"), made(tmp_path / "book.txt")
    opponent = parse_agent(f"gtp:python3 {engine} {book} {tmp_path}")
    assert set(files_visible_to(parse_agent(str(agent)), opponent).hidden) == {engine, book}
    assert files_visible_to(opponent, opponent).hidden == ()


def test_a_zip_file_whose_name_looks_like_a_home_folder_is_hidden_too(agent, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    zip_file, file = made(tmp_path / "~bob.zip"), made(tmp_path / ".unpacked" / "0123" / "bob" / "agent.py")
    assert zip_file in files_visible_to(agent, AgentSpec("~bob.zip", str(file), {})).hidden


def test_nothing_is_hidden_from_an_agent_that_meets_itself_or_one_of_the_projects(agent):
    assert files_visible_to(agent, agent).hidden == ()
    assert files_visible_to(agent, NAMED).hidden == ()


def test_all_of_what_was_in_an_opponents_zip_file_is_hidden_and_nothing_of_oneself(tmp_path):
    agent, zip_file, unpacked = made(tmp_path / "eve.py"), made(tmp_path / "bob.zip"), tmp_path / ".unpacked" / "0123"
    opponent = AgentSpec(f"{zip_file}:book=x.zip", str(made(unpacked / "bob" / "agent.py")), {"book": "x.zip"})
    hidden = files_visible_to(parse_agent(str(agent)), opponent).hidden
    assert set(hidden) == {Path(opponent.source), zip_file, unpacked / "bob"}
    (tmp_path / "linked.zip").symlink_to(made(tmp_path / "store" / "bob.zip"))  # unpacked beside the link
    linked = files_visible_to(parse_agent(str(agent)), opponent._replace(text=str(tmp_path / "linked.zip"))).hidden
    assert set(linked) == {Path(opponent.source), tmp_path / "store" / "bob.zip", unpacked / "bob"}
    in_game = files_visible_to(parse_agent(str(agent)), opponent, (tmp_path,)).hidden
    assert set(in_game) == set(hidden)
    assert (
        files_visible_to(parse_agent(str(agent)), parse_agent(str(made(tmp_path / "ann.py"))), (tmp_path,)).hidden == ()
    )
    assert files_visible_to(opponent, opponent).hidden == ()


def test_an_opponents_file_and_records_are_hidden_among_what_was_installed_too(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(made(tmp_path / "opt" / "bin" / "engine").parent))
    other, records = made(tmp_path / "opt" / "other.py"), made(tmp_path / "opt" / "games.db")
    engine, opponent = parse_agent("gtp:engine"), parse_agent(str(other))
    assert launch_for(engine, load_game("go"), Limits(), opponent=opponent, hidden=(records,)).files.hidden == (
        other,
        records,
    )


# --- Programs -------------------------------------------------------------------------------------------------------


def test_a_program_brings_its_folder_and_files_and_folders_among_its_arguments(tmp_path):
    engine, book, data = made(tmp_path / "build" / "engine"), made(tmp_path / "books" / "book.txt"), tmp_path / "data"
    data.mkdir()
    assert files_visible_to(parse_agent(f"gtp:{engine} --fast")).own == (engine.parent,)
    own = files_visible_to(parse_agent(f"gtp:{engine} --book {book} {data}")).own
    assert set(own) == {engine.parent, book.parent, data}


def test_a_program_of_the_systems_brings_nothing():
    assert files_visible_to(parse_agent("gtp:sh -c true")).own == ()


def test_an_installed_program_is_seen_throughout_with_what_was_installed_with_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(made(tmp_path / "opt" / "bin" / "engine").parent))
    visible = files_visible_to(parse_agent("gtp:engine"))
    assert tmp_path / "opt" in visible.shared
    assert visible.own == ()


def test_a_word_names_a_file_only_where_there_is_one(tmp_path, monkeypatch):
    (tmp_path / "pentago").mkdir()
    made(tmp_path / "book.txt")
    monkeypatch.chdir(tmp_path)
    assert named_path("pentago") is None
    assert named_path("--level") is None
    assert named_path("book.txt") == tmp_path / "book.txt"
    assert named_path("./pentago") == tmp_path / "pentago"

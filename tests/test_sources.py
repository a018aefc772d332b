"""The files that an agent consists of: a change in one of them is noticed, a change in any other file is not."""

import hashlib
import os
import re
import sys
import time
from pathlib import Path

import pytest

from agents.agent import AgentError, parse_agent
from game import load_game
from simulator.player import source_hashes as sources
from simulator.player.lookup import check_agent
from simulator.player.source_hashes import SourcesError, can_be_read, sources_of
from simulator.records.provenance import describe_machine
from simulator.referee.conditions import Conditions
from simulator.tournament.workers.fingerprint import Handshake

PENTAGO = load_game("pentago")
MB = 1 << 20

# Each entry makes something at a path that cannot be read as a file, and has the words of the refusal.
NO_FILES = {
    "fifo": (os.mkfifo, "it is not a plain file"),
    "folder": (os.mkdir, "it is a folder"),
    "device": (lambda path: os.symlink("/dev/zero", path), "it is not a plain file"),
    "loop": (lambda path: os.symlink(path, path), "Symlink loop|Too many levels"),  # depends on Python's version
    "nothing": (lambda path: os.symlink(path.parent / "gone.py", path), "No such file or directory"),
    "memory": (lambda path: os.symlink("/proc/self/mem", path), "Input/output error"),  # not even for root
}


@pytest.fixture
def agent(tmp_path):
    """A submission of several files, beside one that belongs to somebody else."""
    (tmp_path / "book").mkdir()
    (tmp_path / "my_agent.py").write_text("import numpy\nfrom book import lines\nimport helper as h")
    (tmp_path / "helper.py").write_text("from deeper import x")
    (tmp_path / "deeper.py").write_text("import helper")
    (tmp_path / "book" / "__init__.py").write_text("")
    (tmp_path / "book" / "lines.py").write_text("def broken(:")
    (tmp_path / "somebody_else.py").write_text("")
    return tmp_path / "my_agent.py"


def test_a_file_counts_with_what_it_imports_from_its_folder(agent):
    found = sources_of(parse_agent(str(agent)), PENTAGO)
    assert list(found) == ["book/__init__.py", "book/lines.py", "deeper.py", "helper.py", "my_agent.py"]


def test_this_projects_own_code_beside_a_file_does_not_count(agent, monkeypatch):
    monkeypatch.setattr(sources, "project_code", lambda: [agent.parent / "book", agent.parent / "deeper.py"])
    assert list(sources_of(parse_agent(str(agent)), PENTAGO)) == ["helper.py", "my_agent.py"]


def test_only_what_is_changed_has_another_hash(agent):
    before = sources_of(parse_agent(str(agent)), PENTAGO)
    (agent.parent / "deeper.py").write_text("x = 1")
    (agent.parent / "somebody_else.py").write_text("x = 1")
    after = sources_of(parse_agent(str(agent)), PENTAGO)
    assert {file for file in before if before[file] != after[file]} == {"deeper.py"}


def test_imports_within_a_package_lead_to_its_modules_and_to_nothing_outside(agent):
    (agent.parent / "book" / "__init__.py").write_text(
        "from .pages import page\nfrom . import cover\nfrom .. import helper"
    )
    (agent.parent / "book" / "pages.py").write_text("from ...outside import x")
    (agent.parent / "book" / "cover.py").write_text("")
    (agent.parent.parent / "outside.py").write_text("")
    found = set(sources_of(parse_agent(str(agent)), PENTAGO))
    assert {"book/pages.py", "book/cover.py"} <= found
    assert all("outside" not in file for file in found)


def test_a_link_to_a_folder_is_followed_within_the_agents_own(agent):
    os.symlink("book", agent.parent / "alias")
    os.symlink(".", agent.parent / "book" / "alias")
    os.symlink(agent.parent.parent, agent.parent / "above")
    (agent.parent.parent / "outside.py").write_text("")
    agent.write_text("from alias import lines\nfrom above import outside")
    found = list(sources_of(parse_agent(str(agent)), PENTAGO))
    assert found == ["alias/__init__.py", "alias/lines.py", "my_agent.py"]


@pytest.mark.parametrize(
    ("source", "modules"),
    [
        ("import a.b as c, d # , e", ["a/__init__.py", "a/b.py", "d.py"]),
        ("if x: import d; import e", ["d.py", "e.py"]),
        ("from a import (b,  # why\n    f as g,\n)", ["a/__init__.py", "a/b.py", "a/f.py"]),
        ("from a \\\n import b", ["a/__init__.py", "a/b.py"]),
        ("from a import *", ["a/__init__.py"]),
        ("from important import d", ["d.py"]),
        ("from a import (  # ours (fast)\n    b,\n    f,\n)", ["a/__init__.py", "a/b.py", "a/f.py"]),
        ("\ufeffimport d\r\nimport e", ["d.py", "e.py"]),
        ("import d\rimport e, \\\r\n a", ["a/__init__.py", "d.py", "e.py"]),
        ("x = d\n# import e\nreimport = important = e", []),
        ("def broken(:\n import d", ["d.py"]),
        ("x = 1" + "+1" * 100_000 + "\nimport d", ["d.py"]),  # too deep for Python's own parser
        ("from a import ../../etc/passwd", ["a/__init__.py"]),
    ],
)
def test_each_form_of_an_import_is_followed(tmp_path, source, modules):
    (tmp_path / "a").mkdir()
    for name in ("a/__init__.py", "a/b.py", "a/f.py", "d.py", "e.py"):
        (tmp_path / name).touch()
    (tmp_path / "my_agent.py").write_bytes(source.encode())
    assert set(sources_of(parse_agent(str(tmp_path / "my_agent.py")), PENTAGO)) == {"my_agent.py", *modules}


@pytest.mark.parametrize(
    "source",
    [
        "import " + "a." * MB,
        "from x import (" * MB,
        "from a import " + " " * MB + "b",
        "\\\n" * MB,
        ";" * MB,
        "\t\n" * MB,
    ],
)
def test_what_is_written_against_parsers_takes_time_by_its_length_only(source):
    """Quadratic time would be 64 times as much; there is room for a machine that does other things meanwhile."""

    def seconds(length):
        times = []
        for _ in range(3):
            started = time.process_time()
            sources._IMPORT.findall(source[:length])
            times.append(time.process_time() - started)
        return min(times)

    assert seconds(MB) < 32 * max(seconds(MB // 8), 0.002)


# --- What cannot be read --------------------------------------------------------------------------------------------


def refusal(path):
    spec = parse_agent(str(path))
    assert not can_be_read(spec, PENTAGO)
    with pytest.raises(SourcesError) as caught:
        sources_of(spec, PENTAGO)
    return str(caught.value)


@pytest.mark.parametrize("kind", NO_FILES)
def test_an_agent_that_is_no_plain_file_is_refused_without_waiting_and_may_be_absent(tmp_path, kind):
    """A match refuses it in words; a tournament lets it through to be absent."""
    make, reason = NO_FILES[kind]
    path = tmp_path / "my_agent.py"
    make(path)
    assert re.fullmatch(rf"its file /.* cannot be (read|found): .*({reason}).*", refusal(path))
    check_agent(parse_agent(str(path)), PENTAGO, may_be_absent=True)
    if kind != "memory":  # this one can be opened
        with pytest.raises(AgentError, match=r"my_agent cannot play: its file .* cannot be"):
            check_agent(parse_agent(str(path)), PENTAGO)


@pytest.mark.parametrize("kind", ["fifo", "folder", "device", "loop", "nothing"])
def test_a_module_that_python_would_not_import_does_not_count(agent, kind):
    (agent.parent / "deeper.py").unlink()
    NO_FILES[kind][0](agent.parent / "deeper.py")
    assert "deeper.py" not in sources_of(parse_agent(str(agent)), PENTAGO)


def test_a_module_that_cannot_be_read_is_named(agent):
    (agent.parent / "deeper.py").unlink()
    os.symlink("/proc/self/mem", agent.parent / "deeper.py")
    assert refusal(agent) == f"its file {agent.parent / 'deeper.py'} cannot be read: Input/output error"


def test_a_module_that_is_not_for_us_is_named(agent, monkeypatch):
    def for_nobody(path, flags):
        assert flags & os.O_NONBLOCK
        if path.name == "deeper.py":
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    opened = os.open
    monkeypatch.setattr(sources.os, "open", for_nobody)
    assert refusal(agent).endswith("deeper.py cannot be read: Permission denied")


def test_a_file_that_becomes_a_pipe_before_it_is_opened_is_refused(agent, monkeypatch):
    def swapped(path, flags):
        if path.name == "deeper.py":
            path.unlink()
            os.mkfifo(path)
        return opened(path, flags)

    opened = os.open
    monkeypatch.setattr(sources.os, "open", swapped)
    with pytest.raises(SourcesError, match=r"deeper\.py cannot be read: it is not a plain file"):
        sources_of(parse_agent(str(agent)), PENTAGO)


def test_holes_of_gigabytes_are_not_read(agent):
    os.truncate(agent.parent / "helper.py", 4 << 30)
    assert refusal(agent) == "its files have more than 100 MB together"


def test_large_files_are_too_large_together(agent, monkeypatch):
    monkeypatch.setattr(sources, "MOST_BYTES", 3 * sources.MB)
    for name in ("helper.py", "deeper.py"):
        with (agent.parent / name).open("r+b") as file:
            file.truncate(2 * sources.SEARCHED_BYTES)
    assert len(sources_of(parse_agent(str(agent)), PENTAGO)) == 4  # so long a file is not searched for imports
    agent.write_text("import helper, deeper")
    assert refusal(agent) == "its files have more than 3 MB together"


def test_a_file_that_says_that_it_is_empty_counts_as_it_is_read(agent, monkeypatch):
    os.symlink("/proc/self/maps", agent.parent / "maps.py")
    agent.write_text("import maps")
    assert (agent.parent / "maps.py").stat().st_size == 0
    monkeypatch.setattr(sources, "MOST_BYTES", 1000)
    assert "its files have more than" in refusal(agent)


def test_files_in_thousands_are_refused(agent):
    for number in range(sources.MOST_FILES):
        (agent.parent / f"part_{number}.py").touch()
    agent.write_text("\n".join(f"import part_{number}" for number in range(sources.MOST_FILES)))
    assert refusal(agent) == "it has more than 1000 files"


def test_links_that_lead_nowhere_are_no_modules(agent):
    (agent.parent / "aid.py").symlink_to("a" * 300)
    (agent.parent / "kit").symlink_to("b" * 300)
    agent.write_text("import aid, kit")
    assert list(sources_of(parse_agent(str(agent)), PENTAGO)) == ["my_agent.py"]


def test_folders_in_thousands_are_refused_and_each_is_read_once_however_long_the_way_to_a_module(agent, monkeypatch):
    read, names = [], "abcdefgh"
    monkeypatch.setattr(sources.os, "listdir", lambda folder, ask=os.listdir: read.append(folder) or ask(folder))
    for number in range(len(names)):
        place = agent.parent.joinpath(*(names[(number + i) % len(names)] for i in range(10)))
        place.mkdir(parents=True)
        (agent.parent / f"part_{number}.py").write_text(f"import part_{number + 1}")
    agent.write_text(f"import part_0, {', '.join(names)}")
    assert len(sources_of(parse_agent(str(agent)), PENTAGO)) == 9
    assert len(read) == len(set(read)) > 70
    monkeypatch.setattr(sources, "MOST_FOLDERS", 70)
    assert refusal(agent) == "its modules lie in more than 70 folders"


def test_imports_in_ten_thousands_are_refused(agent):
    agent.write_text("import " + ", ".join(f"part_{number}" for number in range(sources.MOST_NAMES + 1)))
    assert refusal(agent) == "its files import more than 10000 names"


@pytest.mark.parametrize("name", ["a." * 500_000 + "a", "a" * 500_000])
def test_a_name_that_is_too_long_for_a_path_leads_nowhere(agent, name):
    agent.write_text(f"import {name}")
    assert list(sources_of(parse_agent(str(agent)), PENTAGO)) == ["my_agent.py"]


def test_a_hash_is_that_of_the_whole_file(agent):
    content = bytes(range(256)) * 20_000
    (agent.parent / "deeper.py").write_bytes(content)
    found = sources_of(parse_agent(str(agent)), PENTAGO)
    assert found["deeper.py"] == hashlib.sha256(content).hexdigest()


def test_names_of_files_can_be_shown_and_kept(tmp_path):
    path = tmp_path / "odd\x1b\u202e\udcff.py"
    path.write_text("")
    os.symlink(path, tmp_path / "my_agent.py")
    (name,) = sources_of(parse_agent(str(tmp_path / "my_agent.py")), PENTAGO)
    assert name.isprintable() and name.startswith("odd")


@pytest.mark.parametrize("text", ["~nobody_of_this_name/my_agent.py", "gone.py", "a" * 5000 + ".py"])
def test_a_file_that_is_not_there_is_refused_everywhere(text):
    with pytest.raises(AgentError, match="there is no file"):
        check_agent(parse_agent(text), PENTAGO, may_be_absent=True)


@pytest.mark.parametrize("text", ["odd\udcff/my_agent.py", "\u202e/my_agent.py", "gtp:engine --name \x1b[2J"])
def test_a_text_that_cannot_be_shown_is_refused(text):
    with pytest.raises(AgentError, match="cannot be printed"):
        check_agent(parse_agent(text), PENTAGO)


def test_a_machine_on_which_an_agent_cannot_be_read_does_not_play(agent):
    handshake = Handshake.of(Conditions(), {"my_agent": parse_agent(str(agent))})
    assert handshake.objection((0,)) == ""
    os.truncate(agent.parent / "helper.py", 4 << 30)
    assert "its files have more than 100 MB together" in handshake.objection((0,))


# --- Other agents ---------------------------------------------------------------------------------------------------


def test_an_agent_of_this_project_counts_with_its_search_and_the_game():
    found = set(sources_of(parse_agent("uct_agent:c=0.5"), PENTAGO))
    assert {
        "agents/uct_agent.py",
        "agents/uct/search.py",
        "game/contract.py",
        "jit/bits.py",
        "pentago/rules.py",
    } <= found
    assert not any(file.startswith(("go/", "simulator/", "agents/alphabeta", "agents/greedy")) for file in found)
    plain = set(sources_of(parse_agent("uct_agent"), load_game("examples/games/tic_tac_toe.py")))
    assert {"agents/plain/uct_agent.py", "agents/plain/uct.py", "game_files/plain.py"} <= plain
    assert not {"agents/greedy_agent.py", "agents/plain/greedy.py"} & plain


def test_another_program_counts_with_its_file_and_the_files_that_its_command_names(tmp_path):
    script = tmp_path / "engine.py"
    script.write_text("")
    found = sources_of(parse_agent(f"gtp:{sys.executable} {script} --level 3 {'x' * 5000}"), PENTAGO)
    assert set(found) == {str(script), str(Path(sys.executable).resolve())}


def test_a_machine_is_described_without_gaps():
    machine = describe_machine()
    assert all(machine[name] for name in ("host", "processor", "cores", "memory", "system", "python", "numpy", "numba"))
    assert "commit" in machine

"""The zip file of a submission: it unpacks to what was packed, and a bad zip file is refused."""

import errno
import json
import os
import random
import stat
import struct
import zipfile
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

from agents.agent import AgentError
from game import load_game
from options import InputError
from simulator.player.source_hashes import MANIFEST, sources_of
from simulator.submission import archive
from simulator.submission.archive import contents_of, unpack_beside, unpacked, write_zip
from simulator.submission.check import given_up
from simulator.submission.files import MOST_FILES, SubmissionError, find_submission
from simulator.submission.findings import CheckReport
from simulator.submission.manifest import manifest_of
from simulator.submission.named_agents import file_of, find_named, looked_into

AGENT = b"print('never run here')\n"
PENTAGO = load_game("pentago")


def find(*texts, **how):
    """Find the agents that these texts name: by name, their specs and their own limits."""
    return find_named([str(text) for text in texts], PENTAGO, **how)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "ann"
    for name, content in {
        "agent.py": AGENT,
        "weights.npz": random.Random(1).randbytes(1000),
        "tools/book.py": b"BOOK = {}\n",
        "__pycache__/agent.cpython-311.pyc": b"x",
        ".git/config": b"x",
        "mine/pyvenv.cfg": b"x",
        "mine/lib/big.py": b"x",
    }.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(content)
    return made


def packed(folder, **changes):
    submission = find_submission(folder)
    contents = contents_of(submission)
    target = folder.parent / "ann.zip"
    write_zip(contents, manifest_of(submission, ["Ann"], "pentago", contents, CheckReport("ann")) | changes, target)
    return target


def zipped(tmp_path, entries):
    target = tmp_path / "bad.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, content in entries:
            file.writestr(entry, content)
    return target


def entry(name, mode=0o644 | stat.S_IFREG):
    info = zipfile.ZipInfo(name)
    info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
    return info


def test_what_is_packed_is_what_is_unpacked(folder):
    with unpacked(packed(folder)) as submission:
        assert contents_of(submission) == contents_of(find_submission(folder))
        assert submission.agent == PurePosixPath("agent.py")
        assert submission.name == "ann"


def test_caches_hidden_files_environments_and_a_manifest_of_an_unpacked_submission_are_not_packed(folder):
    (folder / MANIFEST).write_text('{"agent": "other.py", "files": {}}')
    with unpacked(packed(folder)) as submission:
        assert list(map(str, submission.files)) == ["agent.py", "tools/book.py", "weights.npz"]


def test_an_unpacked_zip_file_has_the_agent_that_was_packed(tmp_path):
    for name in ("mine.py", "helper.py", "env/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / MANIFEST).write_text('{"agent": "mine.py", "files": {}}')
    found = find_submission(tmp_path)
    assert str(found.agent) == "mine.py" and PurePosixPath("env/__init__.py") in found.files


def test_the_manifest_is_not_among_the_files_that_a_student_may_have(tmp_path):
    (tmp_path / "ann").mkdir()
    for number in range(MOST_FILES - 1):
        (tmp_path / "ann" / f"{number}.txt").touch()
    (tmp_path / "ann" / "agent.py").touch()
    with unpacked(packed(tmp_path / "ann")) as submission:
        assert len(submission.files) == MOST_FILES


def test_the_same_files_give_the_same_zip_file(folder):
    when = {"packed": "now"}
    first = packed(folder, **when).read_bytes()
    assert packed(folder, **when).read_bytes() == first


def test_a_file_comes_with_the_modules_that_it_imports_and_without_the_rest(tmp_path):
    (tmp_path / "bot.py").write_text("import helper\n")
    (tmp_path / "helper.py").write_text("")
    (tmp_path / "diary.py").write_text("")
    found = find_submission(tmp_path / "bot.py")
    assert list(map(str, found.files)) == ["bot.py", "helper.py"]
    assert (found.name, str(found.agent)) == ("bot", "bot.py")


def test_a_zip_file_is_unpacked_once_and_gives_the_agent_its_name(folder):
    zip_file = packed(folder)
    specs, limits = find(f"{zip_file}@move_time=1")
    assert limits == {"ann": {"move-time": 1}}
    assert specs["ann"].text == str(zip_file) and specs["ann"].source.endswith("/ann/agent.py")
    before = {path: path.stat().st_mtime_ns for path in folder.parent.rglob("*")}
    assert list(find(zip_file, "random_agent")[0]) == ["ann", "random_agent"]
    assert {path: path.stat().st_mtime_ns for path in folder.parent.rglob("*")} == before


def test_bytecode_that_debug_leaves_is_no_change_of_an_unpacked_agent(folder):
    spec = find(packed(folder))[0]["ann"]
    before = sources_of(spec, PENTAGO)
    bytecode = Path(spec.source).parent / "__pycache__"
    bytecode.mkdir()
    (bytecode / "agent.cpython-311.pyc").write_bytes(b"code")
    assert sources_of(spec, PENTAGO) == before != {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann", "ann/agent.py"),
        ("./ann/", "ann/agent.py"),
        ("ann@move_time=1", "ann/agent.py@move_time=1"),
        ("ann:depth=3", "ann/agent.py:depth=3"),
        ("~/ann:depth=3", "/*/ann/agent.py:depth=3"),
        ("~/ann.zip", "/*/.unpacked/*/ann/agent.py"),
        ("ann@mail.mcgill.ca.zip", ".unpacked/*/ann@mail.mcgill.ca/agent.py"),
        ("ann@mail.mcgill.ca.zip@move_time=1", ".unpacked/*/ann@mail.mcgill.ca/agent.py@move_time=1"),
        ("ann.zip:book=x.zip", ".unpacked/*/ann/agent.py:book=x.zip"),
        ("random_agent", "random_agent"),
        ("gtp:ann", "gtp:ann"),
        ("ann.py", "ann.py"),
        ("./~ann.py:depth=3", "/*/~ann.py:depth=3"),
        ("./~ann", "/*/~ann/agent.py"),
    ],
)
def test_an_agent_is_named_by_its_folder_or_zip_file_with_options_and_limits(folder, monkeypatch, text, found):
    packed(folder).with_name("ann@mail.mcgill.ca.zip").write_bytes(packed(folder).read_bytes())
    (folder.parent / "random_agent").mkdir()
    (folder.parent / "~ann").symlink_to(folder)
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("HOME", str(folder.parent))
    assert fnmatch(file_of(text), found)


def test_a_file_whose_name_begins_with_a_tilde_plays_and_is_checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("~ann.py").write_bytes(AGENT)
    assert find("./~ann.py")[0]["~ann"].source == str(tmp_path / "~ann.py")
    assert find_submission(Path("~ann.py")).folder == tmp_path


CHEATING = "agent.py@move_time=600,memory=16000"


@pytest.mark.parametrize("name", ["my:agent.py", "a@memory=x.py", "ab:c=1.py"])
def test_what_the_only_file_of_a_submission_is_called_is_no_option_and_no_limit(tmp_path, name):
    specs, limits = find(zipped(tmp_path, [(entry(name), AGENT)]), may_be_absent=True)
    assert (specs["bad"].options, specs["bad"].absence, limits) == ({}, "", {"bad": {}})
    assert specs["bad"].source.endswith(name)


def test_a_submission_gives_itself_no_limits(folder):
    (folder / CHEATING).write_bytes(AGENT)
    specs, limits = find(packed(folder, agent=CHEATING), "random_agent", may_be_absent=True)
    assert "is no .py file" in specs["ann"].absence
    assert limits == {"ann": {}, "random_agent": {}}


@pytest.mark.parametrize(("name", "called"), [("ann:2.zip", "ann:2"), ("ann@memory=1.zip", "ann@memory=1")])
def test_what_a_zip_file_is_called_is_no_option_and_no_limit(folder, name, called):
    specs, limits = find(packed(folder).rename(folder.parent / name), may_be_absent=True)
    assert limits == {called: {}} and not specs[called].options


@pytest.mark.parametrize("name", [b"M\xfcller.zip", b"c\x1b.zip", "\u202ec.zip".encode()])
def test_a_submission_whose_name_cannot_be_printed_is_absent_under_one_that_can(folder, name):
    good, broken = packed(folder).rename(folder.parent / os.fsdecode(name)), folder.parent / os.fsdecode(b"b" + name)
    broken.write_bytes(b"no zip")
    specs, _ = find(good, broken, "random_agent", may_be_absent=True)
    *absent, other = specs.values()
    assert "cannot be printed; rename the file" in absent[0].absence and "is not a zip file" in absent[1].absence
    assert all(f"{called}{spec.text}".isprintable() for called, spec in specs.items()) and not other.absence
    with pytest.raises(AgentError, match="that cannot be printed: rename the file"):
        find(good)
    assert given_up(good, "why").path.isprintable()


def test_a_manifest_that_packing_did_not_write_is_no_file_to_be_lost(folder):
    (folder / MANIFEST).write_text('{"of": "mine"}')
    with pytest.raises(SubmissionError, match="packing adds a manifest"):
        contents_of(find_submission(folder))


def test_a_zip_file_is_looked_into_without_a_trace(folder):
    with looked_into(f"{packed(folder)}:depth=3") as text:
        assert fnmatch(text, "*/ann/agent.py:depth=3")
    assert not (folder.parent / archive.UNPACKED).exists()


def test_files_may_be_unpacked_to_another_disk(folder, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / archive.UNPACKED).symlink_to(tmp_path / "disk")
    assert not find(packed(folder))[0]["ann"].absence


def test_two_programs_may_unpack_the_same_zip_file_at_once(folder, monkeypatch):
    zip_file, unpack = packed(folder), archive._unpack

    def slow(content, path, place):
        monkeypatch.setattr(archive, "_unpack", unpack)
        archive.unpack_beside(path)  # by the other program, which is faster
        return unpack(content, path, place)

    monkeypatch.setattr(archive, "_unpack", slow)
    assert archive.unpack_beside(zip_file) == archive.unpack_beside(zip_file)
    assert len(list((folder.parent / archive.UNPACKED).glob("*/*"))) == 1


def test_all_that_are_refused_are_named_at_once(tmp_path):
    for name in ("bob.zip", "eve.zip"):
        (tmp_path / name).write_bytes(b"no zip")
    with pytest.raises(InputError, match=r"(?s)bob\.zip: .*eve\.zip: ") as error:
        find(tmp_path / "bob.zip", tmp_path / "eve.zip")
    assert "it is not a zip file that can be read" in str(error.value)


@pytest.mark.parametrize(
    ("place", "call", "number", "words"),
    [
        *((archive, "_write", n, "cannot write") for n in (errno.ENOSPC, errno.EROFS, errno.EMFILE, errno.EACCES)),
        (Path, "open", errno.EIO, r"cannot read .*ann\.zip: Input/output error"),
    ],
)
def test_nobody_is_absent_because_this_machine_cannot_write_or_read(folder, monkeypatch, place, call, number, words):
    def fails(*arguments):
        raise OSError(number, os.strerror(number))

    zip_file = packed(folder)
    monkeypatch.setattr(place, call, fails)
    with pytest.raises(OSError, match=words):
        find(zip_file, may_be_absent=True)


def test_a_zip_file_that_may_not_be_read_is_refused_and_no_failure_of_this_machine(folder, monkeypatch):
    zip_file = packed(folder)
    monkeypatch.setattr("os.access", lambda path, mode: path != zip_file)  # root may read every file
    with pytest.raises(SubmissionError, match=r"ann\.zip cannot be read"):
        unpack_beside(zip_file)


def test_what_a_check_leaves_out_is_not_unpacked(tmp_path):
    hidden = ["__pycache__/tools.cpython-311.pyc", "tools.pyc", "a/.x", "my/pyvenv.cfg", "my/lib/x.py", "Icon\r"]
    hidden += [f".git/{number}" for number in range(1100)]
    entries = [(entry(name), AGENT) for name in ("agent.py", "env", *hidden)]
    entries += [(entry(f"{name}/bin/python", stat.S_IFLNK | 0o777), b"/usr/bin/python") for name in (".venv", "my")]
    with unpacked(zipped(tmp_path, entries)) as submission:
        written = [path.relative_to(submission.folder) for path in submission.folder.rglob("*") if path.is_file()]
        assert sorted(map(str, written)) == ["agent.py", "env"] == list(map(str, submission.files))


@pytest.mark.parametrize(
    "entries",
    [
        [(entry("./", stat.S_IFDIR | 0o755), b""), (entry("./agent.py"), AGENT)],
        [(entry("ann/agent.py"), AGENT), (entry("__MACOSX/._x"), b"x")],
        [(entry("ann/agent.py"), AGENT), (entry(".gitattributes"), b"x")],
    ],
    ids=["itself", "around all files", "around all that are not hidden"],
)
def test_a_folder_that_is_listed_is_taken_off(tmp_path, entries):
    with unpacked(zipped(tmp_path, entries)) as submission:
        assert list(map(str, submission.files)) == ["agent.py"]


def manifest(files):
    """The entries of an agent's file and of a manifest that lists these files."""
    return [(entry("agent.py"), AGENT), (entry(MANIFEST), json.dumps({"agent": "agent.py", "files": files}))]


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [
        ([(entry("../agent.py"), AGENT)], r"\.\./agent\.py leads out of its folder"),
        ([(entry("/etc/agent.py"), AGENT)], "leads out of its folder"),
        ([(entry("a/../../agent.py"), AGENT)], "leads out of its folder"),
        ([(entry("a\\agent.py"), AGENT)], "has a backslash, where zip files have a slash"),
        ([(entry("C:agent.py"), AGENT)], "C:agent.py would lead to another folder on Windows"),
        ([(entry("agent.py"), AGENT), (entry("pyvenv.cfg"), b"")], "its folder is a virtual environment"),
        (
            [
                (entry("ann/", stat.S_IFDIR | 0o755), b""),
                (entry("ann/agent.py"), AGENT),
                (entry("ann/pyvenv.cfg"), b""),
            ],
            "its folder is a virtual environment",
        ),
        ([(entry("agent.py"), AGENT), (entry("a/" * 30_000), b"")], "has more than 200 characters"),
        ([(entry("."), AGENT)], "names no file"),
        ([(entry("agent.py", stat.S_IFLNK | 0o777), b"/etc/passwd")], "agent.py is a symbolic link"),
        ([(entry("agent.py"), AGENT), (entry("pipe", stat.S_IFIFO), b"")], "pipe is a device, pipe or socket"),
        ([(entry("agent.py"), AGENT), (entry("x" * 300), b"")], "has more than 200 characters"),
        ([(entry("agent.py"), AGENT), (entry("a\x1b[2Jb"), b"")], "cannot be printed"),
        ([(entry("agent.py"), AGENT), (entry("agent.py/x"), b"")], "agent.py is in it as a file and as a folder"),
        ([(entry("agent.py"), AGENT), (entry("zeros"), bytes(12 << 20))], "unpacked it has more than 10 MB"),
        ([(entry("agent.py"), AGENT), (entry("z"), bytes(10 << 20)), (entry("y"), bytes(1 << 20))], "more than 10 MB"),
        ([(entry("agent.py"), AGENT), *((entry(f"{n}.txt"), b"") for n in range(599))], "600 files, the limit is 500"),
        ([(entry(f"{n}.txt"), b"") for n in range(1100)], "it has 1100 entries"),
        ([(entry("readme.txt"), b"")], r"there is no agent\.py"),
        ([(entry("ann/src/agent.py"), AGENT)], r"no agent\.py in the folder, but src/agent\.py"),
        ([(entry("agent.py"), AGENT), (entry("é" * 150), b"")], "cannot be written under their names: File name too l"),
        (manifest({"agent.py": "0" * 64}), r"agent\.py is not the file that its manifest\.json lists"),
        (manifest({"\x1b[2Jx": "0"}), r"^ \[2Jx is not the file that its manifest\.json lists"),
        ([(entry("agent.py"), AGENT), (entry(MANIFEST), b"{")], "manifest.json is not JSON"),
        ([(entry("agent.py"), AGENT), (entry(MANIFEST), b"[" * 100_000)], "manifest.json is not JSON"),
        ([(entry("agent.py"), AGENT), (entry(MANIFEST), b"{}")], "does not name its agent and files"),
        ([(entry("agent.py"), AGENT), (entry(MANIFEST), bytes(1 << 19))], "has more than 256 KB"),
    ],
)
def test_what_is_not_fit_is_refused_in_words_and_leaves_nothing(tmp_path, entries, complaint):
    zip_file = zipped(tmp_path, entries)
    with pytest.raises(SubmissionError, match=complaint) as error:
        unpack_beside(zip_file)
    assert error.value.advice
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [zip_file]


def test_an_entry_that_is_there_twice_is_refused(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        zip_file = zipped(tmp_path, [(entry("agent.py"), AGENT), (entry("agent.py"), b"import this")])
    with pytest.raises(SubmissionError, match=r"agent\.py is in it twice"):
        unpack_beside(zip_file)


def test_sizes_are_counted_and_not_believed(tmp_path):
    zip_file = zipped(tmp_path, [(entry("agent.py"), AGENT), (entry("zeros"), bytes(12 << 20))])
    content = zip_file.read_bytes()
    lie = content.replace((12 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lie != content
    zip_file.write_bytes(lie)
    with pytest.raises(SubmissionError):
        unpack_beside(zip_file)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [zip_file]


def test_a_place_of_a_file_that_cannot_be_is_refused(tmp_path):
    zip_file = zipped(tmp_path, [(entry("agent.py"), AGENT)])
    content = zip_file.read_bytes()
    at, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    more = struct.pack("<HHQ", 1, 8, (1 << 64) - 1)  # the place, in the extension for files of 4 GB and more
    listed = bytearray(content[at:end] + more)
    listed[30:32], listed[42:46] = struct.pack("<H", len(more)), b"\xff" * 4
    last = bytearray(content[end:])
    last[12:16] = struct.pack("<I", len(listed))
    zip_file.write_bytes(content[:at] + listed + last)
    with pytest.raises(SubmissionError, match="not a zip file that can be read"):
        unpack_beside(zip_file)


def test_an_encrypted_or_truncated_file_is_refused(folder):
    zip_file = packed(folder)
    content = zip_file.read_bytes()
    zip_file.write_bytes(content[:-40])
    with pytest.raises(SubmissionError, match="not a zip file that can be read"):
        unpack_beside(zip_file)
    at = content.index(b"PK\x01\x02") + 8
    zip_file.write_bytes(content[:at] + b"\x01" + content[at + 1 :])
    with pytest.raises(SubmissionError, match="is encrypted"):
        unpack_beside(zip_file)


def test_a_zip_file_that_is_too_large_is_not_even_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_ZIP_BYTES", 100)
    (tmp_path / "big.zip").write_bytes(bytes(101))
    with pytest.raises(SubmissionError, match="it has more than"):
        unpack_beside(tmp_path / "big.zip")


def test_the_manifest_says_who_what_and_how_it_was_checked(folder):
    with zipfile.ZipFile(packed(folder)) as file:
        manifest = json.loads(file.read(MANIFEST))
    assert manifest["name"] == "ann" and manifest["authors"] == ["Ann"] and manifest["game"] == "pentago"
    assert set(manifest["files"]) == {"agent.py", "tools/book.py", "weights.npz"}
    assert manifest["check"]["passed"] is False
    assert set(manifest["versions"]) == {"python", "numpy", "numba"}


def test_of_several_files_without_agent_py_the_agent_is_the_only_one_that_is_no_test(tmp_path):
    (tmp_path / "bot.py").touch()
    (tmp_path / "test_bot.py").touch()
    assert str(find_submission(tmp_path).agent) == "bot.py"


def test_of_a_folder_that_may_be_a_whole_disk_only_the_beginning_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr("simulator.submission.files.MOST_WALKED", 3)
    for number in range(4):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(SubmissionError, match="its folder has more than 3 files, the limit is 500"):
        find_submission(tmp_path)

"""Code that an agent compiles is compiled once and kept, and an agent can neither leave nor learn anything by it."""

import os
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from commands.playing import executor_for, planned
from game import load_game
from jit import PROJECT
from simulator.player import kept_code
from simulator.player import prepare as preparing
from simulator.player.agent_cache import is_own
from simulator.player.faults import no_answer, not_loaded
from simulator.player.kept_code import cache_of, compiles, forget, of_others, place_of
from simulator.player.prepare import prepare
from simulator.player.source_hashes import imported_by
from simulator.referee.conditions import Conditions
from simulator.referee.referee import play_game
from simulator.sandbox.isolation import available_mechanisms
from tests.programs import AGENTS, run
from tests.scoundrels import environments
from tests.scoundrels.games import QUICK

GAME = load_game("pentago")
LIMITS = Limits(first_move_seconds=120, move_seconds=20, cushion_seconds=10)

pytestmark = pytest.mark.skipif(not available_mechanisms().bubblewrap, reason="there are no namespaces here")


@pytest.fixture
def named():
    """A function that parses an agent's text; that agent's compiled code is removed after the test."""
    made = []

    def parse(text):
        made.append(parse_agent(str(text)))
        return made[-1]

    yield parse
    for spec in made:
        forget(spec, GAME)


@pytest.fixture
def agent(tmp_path, named):
    """A function that puts an agent of tests/agents into a folder of its own."""

    def copy(name, more=""):
        (tmp_path / name).mkdir(exist_ok=True)
        file = Path(shutil.copy(AGENTS / f"{name}.py", tmp_path / name / "agent.py"))
        file.write_text(file.read_text() + more)
        return named(file)

    return copy


def log_of(spec):
    """What an agent prints in a game of a few moves."""
    record = play_game((spec, parse_agent(QUICK)), Conditions(limits=LIMITS))
    return record.logs[0].splitlines()


def test_what_is_compiled_once_is_found_in_games(agent):
    spec = agent("compiles")
    assert cache_of(spec, GAME) is None
    said = []
    prepare(spec, GAME, said.append)
    assert len(said) == 1 and "preparing" in said[0]
    assert log_of(spec) == ["found 1, compiled 0"]
    prepare(spec, GAME, said.append)
    assert len(said) == 1


def test_who_has_left_does_not_wait_until_it_is_compiled(agent):
    spec = agent("compiles")

    def leave():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        prepare(spec, GAME, on_look=leave)
    assert cache_of(spec, GAME) is None
    parent = place_of(spec, GAME).parent
    with preparing.alone(parent.with_suffix(".lock")):
        assert not [*parent.glob("preparing-*")]
        with pytest.raises(InterruptedError):  # another program prepares agents
            prepare(spec, GAME, on_look=leave)


@pytest.fixture
def mode(request):
    """A mode of the sandbox, if there is one here."""
    with environments.forced(request.param):
        yield request.param


@pytest.mark.slow
@pytest.mark.parametrize("mode", environments.ALL, indirect=True)
def test_in_each_mode_of_the_sandbox_it_is_found_or_compiled_in_the_game(agent, mode):
    spec = agent("compiles")
    prepare(spec, GAME)
    has_namespaces = mode != environments.PLAIN
    assert (cache_of(spec, GAME) is not None) == has_namespaces
    assert log_of(spec) == ["found 1, compiled 0" if has_namespaces else "found 0, compiled 1"]


def test_changed_source_other_data_other_options_and_another_board_have_compiled_code_of_their_own(agent):
    spec = agent("compiles")
    folder = Path(spec.source).parent

    def place(spec=spec, game=GAME):
        return place_of(spec, game)

    weights, records = folder / "weights.npy", folder / "games.db"
    places = [place()]
    for content in (b"1", b"12", b"21"):
        weights.write_bytes(content)
        os.utime(weights, ns=(0, 0))  # an author can set mtime, but not ctime
        places.append(place())
    places.append(place(spec._replace(options={"size": "2"})))
    places += [place(game=load_game("kalah", pits=pits)) for pits in (4, 6)]
    assert len(set(places)) == len(places)
    records.write_bytes(b"what a match keeps")
    os.symlink("a" * 300, folder / "leads_nowhere.npy")  # the system refuses to look
    assert place() == places[3]
    assert place(agent("compiles", "# changed\n")) not in places
    alone = parse_agent(str(Path(spec.source).rename(folder / "agent.py")))  # now all in the folder is the agent's
    places = [place(alone)]
    for name in ("weights.csv", "weights.zip", "loaded_by_name.py"):
        (folder / name).write_text("1")
        places.append(place(alone))
    for kept in (records, folder / "001-ann-bob.sgf"):
        kept.write_bytes(b"what a match keeps in addition")
    assert len(set(places)) == 4 and place(alone) == places[3]


def test_files_to_which_this_program_or_the_coordinator_adds_are_no_data(agent):
    spec = agent("compiles")
    output, before, stderr = Path(spec.source).with_name("games.json"), place_of(spec, GAME), os.dup(2)
    with output.open("a"):
        assert place_of(spec, GAME) == before
        imports = "from agents.agent import parse_agent; import game; from simulator.player import kept_code"
        found = f"kept_code.place_of(parse_agent({spec.source!r}), game.load_game({GAME.name!r}))"
        assert run(f"{imports}; print({found})") == str(before)  # as a worker does
    with output.open("w") as file:
        assert place_of(spec, GAME) != before  # an agent's author may be writing it
        os.dup2(file.fileno(), 2)
        printed_into = place_of(spec, GAME)
        os.dup2(stderr, 2)
        os.close(stderr)
    assert printed_into == before != place_of(spec, GAME)


def test_code_of_rivals_in_the_same_folder_is_not_seen_while_an_agent_is_prepared(tmp_path, named):
    (tmp_path / "tools.py").write_text("NUMBER = 1\n")
    (tmp_path / "rival.py").write_text("SECRET = 1\n")
    thief = "import numba\nimport tools\n" + (AGENTS / "plays_first_move_always.py").read_text()
    loot = (
        "import sys\nfrom pathlib import Path\n"
        "try:\n"
        "    rival = Path(__file__).with_name('rival.py').read_text()\n"
        "except OSError as error:\n"
        "    rival = error.strerror\n"
        "if sys.dont_write_bytecode is False:\n"
        "    (Path(sys.pycache_prefix).parent / 'loot.nbc').write_text(f'{tools.NUMBER} {rival}')\n"
    )
    (tmp_path / "thief.py").write_text(f"{thief}\n{loot}")
    spec = named(tmp_path / "thief.py")
    prepare(spec, GAME)
    assert (cache_of(spec, GAME) / "loot.nbc").read_text() == "1 Permission denied"


def test_zip_files_and_what_is_unpacked_of_them_are_rivals(tmp_path, named):
    for path in ("mine.py", "rival.py", "bob.zip", "data.npz", ".unpacked/0123/bob/agent.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    rivals = {tmp_path / name for name in ("rival.py", "bob.zip", ".unpacked")}
    assert set(of_others(named(tmp_path / "mine.py"))) == rivals


def test_only_compiled_code_is_kept_games_cannot_change_it_nor_read_it_after_the_first_move(agent):
    spec = agent("leaves_files")
    prepare(spec, GAME)
    folder = cache_of(spec, GAME)
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    assert Path("mark.nbc") in files
    assert {path.suffix for path in files} <= {".nbc", ".nbi", ".pyc"}
    assert not {"diary.txt", "code.py", "late.pyc", "pipe.nbc"} & {path.name for path in files}
    for _ in range(2):
        lines = log_of(spec)
        assert lines[0] == "begins with ['mark.nbc']"
        assert lines[1].startswith("first refused")
        assert lines[2] == "first reads later"  # what the preparing run wrote last, and no game since
        assert [line for line in lines[3:] if line.startswith("later") and "written" in line] == []
        late = [line for line in lines if line.startswith("later ") and "read" in line]
        assert late[0] == "later reads later"  # in the first move
        assert len(late) > 1
        assert all(line.startswith("later cannot read") for line in late[1:])
    assert (folder / "mark.nbc").read_text() == "later"


@pytest.mark.parametrize("deed", ["files", "folders"])
def test_who_writes_too_much_keeps_nothing(agent, named, monkeypatch, deed):
    monkeypatch.setattr(preparing, "MOST_FILES", 200)
    spec, said = named(f"{agent('fills_the_disk').text}:deed={deed}"), []
    folder = place_of(spec, GAME).parent
    stale = folder / "preparing-stale"
    stale.mkdir(parents=True)
    (folder / "preparing-half.failed").touch()
    prepare(spec, GAME, said.append)
    assert cache_of(spec, GAME) is None
    with preparing.alone(folder.with_suffix(".lock")):  # else tests in other processes may have some
        assert not list(folder.glob("preparing-*"))
    assert "was not prepared" in said[-1] and "more than 200 files" in said[-1]


@pytest.mark.parametrize(
    "mode", [environments.FULL, pytest.param(environments.NAMESPACES, marks=pytest.mark.slow)], indirect=True
)
def test_files_that_are_in_no_folder_any_more_take_no_more_room_than_others(agent, named, mode):
    spec, told = named(f"{agent('fills_the_disk').text}:deed=deleted"), []
    prepare(spec, GAME, told.append)
    (took,) = [line for line in log_of(spec) if line.startswith("took ")]
    assert 0 < int(took.split()[1]) <= preparing.MOST_BYTES // preparing.MB, told


def test_a_folder_whose_files_have_more_names_than_a_command_line_takes_is_not_prepared(tmp_path):
    deep = tmp_path.joinpath(*["d" * 200] * 16)
    deep.mkdir(parents=True)
    for number in range(1000):
        (deep / f"{number}.py").touch()
    spec = parse_agent(shutil.copy(AGENTS / "compiles.py", tmp_path))
    prepare(spec, GAME)
    assert cache_of(spec, GAME) is None
    assert log_of(spec) == ["found 0, compiled 1"]


def test_with_a_bubblewrap_that_limits_no_folder_nothing_is_prepared(agent, monkeypatch):
    spec = agent("compiles")
    monkeypatch.setattr(kept_code, "limits_folders", lambda: False)
    prepare(spec, GAME)
    assert cache_of(spec, GAME) is None
    assert "newer bubblewrap" in kept_code.why_not_here(available_mechanisms())


def test_a_path_that_is_too_long_is_the_agents_fault(tmp_path):
    place = tmp_path / "written"
    place.mkdir()
    deep = os.open(place, os.O_RDONLY)
    try:
        for _ in range(20):  # 5000 characters: more than a path may have
            os.mkdir("d" * 250, dir_fd=deep)
            above, deep = deep, os.open("d" * 250, os.O_RDONLY, dir_fd=deep)
            os.close(above)
        with pytest.raises(preparing._Overfull):
            preparing._see_that_it_fits(place)
        with pytest.raises(preparing._Overfull):
            preparing._keep(place, tmp_path / "kept")
    finally:
        os.close(deep)
        shutil.rmtree(place)


@pytest.mark.parametrize("call", ["lstat", "scandir"])
@pytest.mark.parametrize(("error", "is_refused"), [(PermissionError, True), (FileNotFoundError, False)])
def test_what_cannot_be_looked_at_does_not_fit_and_what_has_gone_does(tmp_path, monkeypatch, call, error, is_refused):
    (tmp_path / "x.nbc").write_bytes(b"x")

    def fail(*arguments):
        raise error

    monkeypatch.setattr(preparing.os, call, fail)
    with pytest.raises(preparing._Overfull) if is_refused else nullcontext():
        preparing._see_that_it_fits(tmp_path)


@pytest.mark.parametrize("own", [PROJECT.parent, PROJECT, PROJECT / "agents"])
def test_compiled_code_of_the_project_is_its_own_wherever_an_agent_lies(own):
    ours = [PROJECT / "agents" / "uct" / "search.py", PROJECT / "jit" / "bits.py", PROJECT / "pentago" / "rules.py"]
    assert not any(is_own(file, own) for file in ours)
    assert is_own(own / "my_agent.py", own) and is_own(own / "my_tools.py", own)
    assert is_own(PROJECT / "agents" / "random_agent.py", own) == (own == PROJECT / "agents")
    shipped = PROJECT / "agents" / "ann"
    assert is_own(shipped / "agent.py", shipped)


def test_an_agent_of_several_modules_is_prepared_without_a_move_and_without_the_games_limits(agent, monkeypatch):
    monkeypatch.setattr(preparing.Player, "ask", lambda *arguments: pytest.fail("a move was asked for"))
    spec = agent("plays_first_move_always", "import tools\n")
    Path(spec.source).with_name("tools.py").write_text("import time\ntime.sleep(0.2)\n")
    prepare(spec, GAME, limits=Limits(first_move_seconds=0.1, cushion_seconds=0.0))
    kept = cache_of(spec, GAME)
    assert kept is not None
    assert {path.name.partition(".")[0] for path in kept.rglob("*.pyc")} >= {"tools"}


@pytest.mark.usefixtures("played_here")
def test_an_agent_is_prepared_under_its_own_limits(tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        "simulator.tournament.tasks.compile_ahead",
        lambda game, specs, say, limits, *_, **more: asked.update({spec.name: limits.memory_mb for spec in specs}),
    )
    file = shutil.copy(AGENTS / "compiles.py", tmp_path)
    with executor_for(planned([f"{file}@memory=900", "random_agent"], {}), print):
        assert asked == {"compiles": 900, "random_agent": 500}


@pytest.mark.usefixtures("played_here")
def test_nothing_is_prepared_if_the_records_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr("simulator.tournament.tasks.compile_ahead", lambda *_, **more: pytest.fail("it was prepared"))
    plan = planned(["random_agent", "greedy_agent"], {"records": tmp_path / "none" / "league.db"})
    with pytest.raises(OSError, match="no such folder"), executor_for(plan, print):
        pass


def test_who_could_not_be_prepared_is_not_tried_again_at_once(agent, monkeypatch):
    spec, said = agent("compiles", "raise ValueError('no')\n"), []
    prepare(spec, GAME, said.append)
    assert ["was not prepared" in line for line in said] == [False, True]
    with monkeypatch.context() as patch:
        patch.setattr(preparing, "_fill", lambda launch: pytest.fail("it was tried again"))
        prepare(spec, GAME, said.append)
    assert said[2:] == said[1:2]

    def fails(launch, kept, on_look):
        raise not_loaded("no")

    monkeypatch.setattr(preparing, "_fill", fails)
    prepare(spec, GAME, said.append, Limits(memory_mb=900))
    monkeypatch.setattr(preparing, "FAILED_SECONDS", -1.0)
    prepare(spec, GAME, said.append)
    assert ["preparing" in line for line in said[3:]] == [True, False, True, False]


def test_who_was_too_slow_to_be_prepared_is_tried_again(agent, monkeypatch):
    spec, tried = agent("compiles"), []

    def fills(launch, kept, on_look):
        tried.append(launch.limits)
        raise no_answer("90 s", 90.0, 90.0, printed_mb=0, has_stacks=False)

    monkeypatch.setattr(preparing, "_fill", fills)
    for _ in range(2):
        prepare(spec, GAME)
    assert len(tried) == 2


def test_why_nothing_was_prepared_is_written_whole_in_utf_8(tmp_path):
    failed = tmp_path / "0123.500-1.failed"
    preparing._write_failed(failed, "crashed: größer \ud800")
    assert failed.read_bytes() == b"crashed: gr\xc3\xb6\xc3\x9fer \\ud800"
    assert list(tmp_path.iterdir()) == [failed]


def test_what_was_not_used_for_the_longest_time_is_removed_and_never_what_this_run_uses(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_code, "MOST_AGENTS", 2)
    monkeypatch.setattr(kept_code, "_used", set())
    monkeypatch.setattr(kept_code, "place_of", lambda spec, game: tmp_path / spec.name)
    for age, name in enumerate(("new", "old", "older", "oldest")):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))
    for name in ("older", "oldest"):
        assert cache_of(parse_agent(f"{name}.py"), GAME) == tmp_path / name
    kept_code._used.discard(tmp_path / "older")  # another program has used it
    kept_code.remove_unused(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"older", "oldest"}
    for name in ("newer", "newest"):
        (tmp_path / name).mkdir()
    os.utime(tmp_path / "older", (1e9, 1e9))  # folders that are made at once may have the same time
    os.utime(tmp_path / "oldest", (0, 0))
    kept_code.remove_unused(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"oldest", "newer", "newest"}


def test_a_compiler_is_found_in_a_module_of_any_name(agent):
    spec = agent("plays_first_move_always", "import gr\u00f6\u00dfer\n")
    Path(spec.source).with_name("gr\u00f6\u00dfer.py").write_text("import numba\n")
    assert compiles(imported_by(Path(spec.source)).names)


def test_who_imports_no_compiler_and_no_module_is_not_started(agent, monkeypatch):
    monkeypatch.setattr(preparing, "_fill", lambda *arguments: pytest.fail("it was started"))
    prepare(agent("plays_first_move_always"), GAME)
    prepare(parse_agent("random_agent"), GAME)

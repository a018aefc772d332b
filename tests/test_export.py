"""Played games for other programs: JSON lines lose nothing, and tables answer frequent questions."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from functools import partial

import pytest

from options import InputError
from simulator.records.csv_table import row_of, write_csv
from simulator.records.database import read_store, write_store
from simulator.records.json_lines import write_jsonl
from simulator.records.reader import PlayedGame, read_games
from simulator.records.schema import AgentEntry
from simulator.records.sgf_folder import write_sgf
from simulator.records.sgf_reader import read_sgf
from simulator.records.store import StoreError
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.statistics.standings import format_tables, league_of
from tests import command_line
from tests.leagues import random_game, write_games, write_league
from tests.programs import RUNNER, finished

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    path = tmp_path_factory.mktemp("league") / "league.db"
    return write_league(path, NAMES, faults={2: Reason.CRASH}, stderr=("last words",), plies=12)


@pytest.fixture(scope="module")
def go_league(tmp_path_factory):
    path = tmp_path_factory.mktemp("go") / "go.db"
    return write_league(path, NAMES[:2], game="go", options={"size": 5}, plies=10)


def exported(path, write):
    stream = io.StringIO()
    with read_games(path) as games:
        write(games, stream)
    return stream.getvalue()


invoke = partial(command_line.invoke, "export")


# --- Reading games --------------------------------------------------------------------------------------------------


def test_games_are_read_from_records_with_their_place(league):
    with read_games(league) as games, read_store(league) as store:
        assert games.numbers == [game.id for game in store.games()] == [1, 2, 3, 4, 5, 6]
        assert games.game(3) == PlayedGame(3, store.record(3), 1, 2)


def test_games_are_read_from_lines_by_the_number_of_the_line(tmp_path):
    path = tmp_path / "games.jsonl"
    records = [random_game(NAMES[:2], seed=seed, plies=4) for seed in (1, 2)]
    lines = [json.dumps(records[0].to_json()), "", json.dumps(records[1].to_json()), "nonsense", ""]
    path.write_text("\n".join(lines))
    with read_games(path) as games:
        assert games.numbers == [1, 3, 4]
        assert games.game(3) == PlayedGame(3, records[1])
        with pytest.raises(InputError, match="no game 2: there are 1, 3, 4"):
            games.game(2)
        with pytest.raises(InputError, match=r"games\.jsonl, line 4, is not a game"):
            games.game(4)


def test_games_of_a_match_have_their_own_numbers_in_whatever_order_they_ended(tmp_path):
    path = tmp_path / "games.jsonl"
    records = {number: random_game(NAMES[:2], seed=number, plies=4) for number in (3, 1, 2)}
    lines = [json.dumps({"number": number} | record.to_json()) + "\n" for number, record in records.items()]
    path.write_text("".join(lines))
    with read_games(path) as games:
        assert list(games) == [PlayedGame(number, records[number]) for number in (1, 2, 3)]
    path.write_text("".join(lines * 2))  # two matches, one after the other
    with read_games(path) as games:
        assert games.numbers == [1, 2, 3, 4, 5, 6] and games.game(4).record == records[3]


def test_files_without_games_are_refused_in_words(tmp_path):
    empty = tmp_path / "empty"
    empty.touch()
    for path, words in ((tmp_path / "nothing", "there is no file"), (empty, "it is empty")):
        with pytest.raises(InputError, match=words), read_games(path):
            pytest.fail(words)
    other = tmp_path / "other.db"
    other.write_bytes(b"SQLite format 3\0 and then nothing of the kind" * 20)
    with pytest.raises(StoreError), read_games(other):
        pytest.fail("it is no database")


# --- JSON lines -----------------------------------------------------------------------------------------------------


def test_json_lines_hold_records_in_order_with_their_places_and_can_be_read_like_them(league, tmp_path):
    path = tmp_path / "league.jsonl"
    path.write_text(exported(league, write_jsonl))
    assert [json.loads(line)["number"] for line in path.read_text().splitlines()] == [1, 2, 3, 4, 5, 6]
    with read_games(path) as lines, read_games(league) as records:
        assert [lines.game(n) for n in lines.numbers] == [records.game(n) for n in records.numbers]


def test_a_game_that_was_taken_back_meanwhile_is_there_no_more(tmp_path):
    path = write_league(tmp_path / "league.db", NAMES[:2], faults={1: Reason.VOID}, plies=4)
    with read_games(path) as games:
        with write_store(path) as store:
            store.plan_again([1])
        with pytest.raises(InputError, match="has no game 1 any more"):
            games.game(1)


def test_games_of_a_void_pair_count_in_no_table(tmp_path):
    league = write_league(tmp_path / "void.db", NAMES, faults={2: Reason.VOID}, plies=4)
    lines = tmp_path / "void.jsonl"
    lines.write_text(exported(league, write_jsonl))
    for path in (league, lines):
        rows = csv.DictReader(io.StringIO(exported(path, write_csv)))
        assert [row["counts"] for row in rows] == ["1", "1", "0", "0", "1", "1"]


def test_an_agent_that_has_played_is_taken_out_by_calling_it_absent_and_its_pairs_void(tmp_path):
    league = write_league(tmp_path / "league.db", NAMES, plies=4)
    with write_store(league) as store:
        store.check("beta", "disqualified")
    done = invoke(league, "--format", "csv", "--standings")
    assert done.exit_code == 2 and "'beta' has played, so it cannot be absent unless its pairs are void" in done.output
    with write_store(league) as store:
        store._db.execute(
            "UPDATE pairs SET state = 'void' WHERE (SELECT id FROM agents WHERE name = 'beta') IN (first, second)"
        )
    for form in ("round-robin", "swiss"):
        with write_store(league) as store:
            store.extend(store.settings() | {"format": form}, [])
        rows = list(csv.DictReader(io.StringIO(invoke(league, "--format", "csv", "--standings").stdout)))
        assert [(row["games"], row["absent"]) for row in rows] == [("2", ""), ("2", ""), ("0", "disqualified")]
    command_line.invoke("report", league, "--for", "beta", "-o", tmp_path / "beta.txt")
    page = " ".join((tmp_path / "beta.txt").read_text().split())
    assert "It was taken out; its games count for nobody: | disqualified" in page and "took no part" not in page


# --- A table --------------------------------------------------------------------------------------------------------


def test_a_table_has_a_row_for_each_game_under_the_names_of_the_columns(league):
    rows = list(csv.DictReader(io.StringIO(exported(league, write_csv))))
    assert [row["number"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    crashed = rows[2]
    assert (crashed["reason"], crashed["loser"], crashed["winner"]) == ("crash", "gamma", "alpha")
    assert "SIGSEGV" in crashed["verdict"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")', "\uff1d1"])
def test_no_text_is_a_formula_to_a_spreadsheet_and_numbers_stay_numbers(tmp_path, name):
    record = random_game((name, "beta"), plies=12, opening=("a1/0r",), fault=Reason.CRASH)
    record = replace(record, verdict=replace(record.verdict, text=f"{name} loses", measured=-1.0), seed=-7)
    stream = io.StringIO(exported(write_games(tmp_path / "games.jsonl", record), write_csv), newline="")
    (row,) = csv.DictReader(stream)
    on_a_line = name.replace("\r", " ")
    assert (row["first"], row["verdict"], row["second"]) == (f"'{on_a_line}", f"'{on_a_line} loses", "beta")
    assert f"'{on_a_line}" in (row["winner"], row["loser"])
    assert (row["seed"], float(row["first_memory_mb"]), row["opening"]) == ("-7", 480.0, "a1/0r")


VOIDED = Verdict(None, Reason.VOID, "why", 6)


@pytest.mark.parametrize(
    ("times", "verdict", "figures"),
    [
        (((0, 9.0), (1, 8.0), (0, 0.5), (1, 0.25), (0, 1.0), (0, 0.75)), VOIDED, (9.0, 1.0, 0.75, 8.0, 0.25, 0.25)),
        (((0, 9.0), (1, 8.0)), Verdict(0, Reason.TIMEOUT, "", 2, 1, 3.5, 2.0), (9.0, None, None, 8.0, 3.5, 3.5)),
        ((), VOIDED, (None,) * 6),
    ],
    ids=["the first move apart", "an answer that came too late", "no moves"],
)
def test_times_of_a_row_come_from_each_agents_moves(times, verdict, figures):
    moves = tuple(MoveRecord(i, player, f"m{i}", seconds, 90.0) for i, (player, seconds) in enumerate(times))
    row = row_of(PlayedGame(4, GameRecord("pentago", ("a", "b"), 7, (), moves, "none", "", verdict, (100, 200))))
    names = [f"{player}_{name}_seconds" for player in ("first", "second") for name in ("start", "max", "median")]
    assert tuple(row[name] for name in names) == figures


def test_other_figures_of_a_row_are_those_of_the_record():
    moves = tuple(MoveRecord(2 + i, i % 2, f"m{i}", 1.0, 90.0, replaced=i == 4) for i in range(6))
    record = GameRecord("pentago", ("a", "b"), 7, ("x", "y"), moves, "none", "", VOIDED, (100, 200.04))
    row = row_of(PlayedGame(4, record))
    assert (row["first_memory_mb"], row["second_memory_mb"]) == (100, 200.0)
    assert (row["first_late_moves"], row["second_late_moves"]) == (1, 0)
    assert (row["moves"], row["opening"], row["winner"], row["loser"], row["round"]) == (8, "x y", None, None, None)


# --- Standings ------------------------------------------------------------------------------------------------------


def grades(path):
    result = invoke(path, "--format", "csv", "--standings")
    assert result.exit_code == 0
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_standings_have_a_row_for_each_agent_best_first_and_absent_ones_last(tmp_path):
    names = ("=alpha", "beta", "gamma", "lost")
    faults, absent = {2: Reason.CRASH, 3: Reason.VOID}, {"lost": "it fails\nImportError"}
    path = write_league(tmp_path / "league.db", names, faults=faults, absent=absent, plies=20)
    rows = grades(path)
    with read_store(path) as store:
        table = league_of(store).standings().rows
        records = [store.record(game.id) for game in store.games()]
    assert [row["agent"].removeprefix("'") for row in rows] == [*(row.name for row in table), "lost"]
    assert [row["place"] for row in rows] == ["1", "2", "3", ""]
    for row, there in zip(rows, table, strict=False):
        results = there.results
        assert [float(row[name]) for name in ("points", "games", "wins", "draws", "losses")] == [
            results.points, results.games, results.wins, results.draws, results.losses,
        ]  # fmt: skip
        rating = [round(figure, 1) for figure in there.rating]
        assert [float(row[name]) for name in ("rating", "rating_low", "rating_high")] == rating
        late = [
            move.replaced for record in records if there.name in record.agents
            for move in record.moves if record.agents[move.player] == there.name
        ]  # fmt: skip
        assert int(row["late_moves"]) == sum(late)
    assert [(row["violations"], row["violated"]) for row in rows if row["agent"] == "gamma"] == [("1", "1 crash")]
    assert sum(int(row["late_moves"]) for row in rows) > 0
    assert (rows[-1]["absent"], rows[-1]["points"], rows[-1]["rating"]) == ("it fails", "0.0", "")
    assert "'=alpha" in {row["agent"] for row in rows}


def test_standings_of_a_swiss_tournament_say_what_decides_it(tmp_path):
    path = write_league(tmp_path / "league.db", (*NAMES, "delta"), plies=5)
    with write_store(path) as store:
        store.extend(store.settings() | {"format": "swiss"}, [])
        (swiss,) = format_tables(store)
    found = {row["agent"]: (row["format_place"], row["format_points"], row["buchholz"]) for row in grades(path)}
    better = {row.agent: [other for other in swiss.rows if other[1:4:2] > row[1:4:2]] for row in swiss.rows}
    assert found == {
        row.agent: (f"{len(better[row.agent]) + 1}", f"{row.points}", f"{row.buchholz}") for row in swiss.rows
    }
    assert {row["format_place"] for row in grades(write_league(tmp_path / "other.db", NAMES, plies=2))} == {""}


def test_an_agent_that_was_replaced_has_no_place(tmp_path):
    path = write_league(tmp_path / "league.db", NAMES, faults={1: Reason.CRASH, 2: Reason.CRASH}, plies=1)
    with write_store(path) as store:
        store.extend(store.settings(), [AgentEntry("alpha", "alpha.py", {"alpha.py": "3f" * 32})])
        assert "alpha (v1)" in {agent.name for agent in store.agents()}
    assert {row["agent"]: row["place"] for row in grades(path)} == {"beta": "1", "gamma": "1", "alpha": ""}


# --- SGF ------------------------------------------------------------------------------------------------------------


def test_sgf_has_a_file_for_each_game_with_all_its_moves(go_league, tmp_path):
    with read_games(go_league) as games:
        write_sgf(games, tmp_path / "new" / "sgf")
        for number, name in ((1, "001-alpha-beta.sgf"), (2, "002-beta-alpha.sgf")):
            path = tmp_path / "new" / "sgf" / name
            moves = [text for _, text in read_sgf(path).moves]
            assert [text.upper() for text in moves] == [move.move.upper() for move in games.game(number).record.moves]
            assert b"2 s a move" in path.read_bytes()


def test_a_game_that_cannot_be_written_whole_leaves_an_older_one_as_it_was(go_league, tmp_path):
    (tmp_path / "001-alpha-beta.sgf").write_text("an older one")
    code = """
import resource, signal, sys
from pathlib import Path
from simulator.records.reader import read_games
from simulator.records.sgf_folder import write_sgf
with read_games(Path(sys.argv[1])) as games:
    games.game(1)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))
    write_sgf(games, Path(sys.argv[2]))
"""
    assert "File too large" in finished("-c", code, go_league, tmp_path).stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["an older one"]


def test_edited_games_that_cannot_be_written_are_named(tmp_path):
    record = random_game(NAMES[:2], game="go", options={"size": 5}, plies=4)
    moves = (replace(record.moves[0], move="Z99"), *record.moves[1:])
    for edited in (replace(record, moves=moves), replace(record, agents=("\ud800", "beta"))):
        file, named = write_games(tmp_path / "games.jsonl", record, edited), r"games\.jsonl: game 2 cannot be written"
        with read_games(file) as games, pytest.raises(InputError, match=named):
            write_sgf(games, tmp_path)
    invoke(tmp_path / "games.jsonl", "--format", "csv", "-o", tmp_path / "games.csv")
    assert "\\ud800" in (tmp_path / "games.csv").read_text()
    moves = (replace(record.moves[0], player=2), *record.moves[1:])
    file = write_games(tmp_path / "games.jsonl", replace(record, moves=moves))
    with read_games(file) as games, pytest.raises(InputError, match="line 1, is not a game"):
        games.game(1)


# --- The command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "counted"), [((), "6 games"), (("--standings",), "3 agents")])
def test_the_command_writes_to_stdout_or_to_a_file(league, tmp_path, more, counted):
    there = tmp_path / "league.csv"
    there.write_text("an older one")
    printed, written, dash = (
        invoke(league, "--format", "csv", *more, *out) for out in ((), ("-o", there), ("-o", "-"))
    )
    assert printed.stdout == there.read_text() == dash.stdout
    assert (printed.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert f"{counted}: {there}" in written.stderr


def test_what_cannot_be_read_to_its_end_leaves_an_older_table_as_it_was(league, tmp_path):
    games, there = tmp_path / "league.jsonl", tmp_path / "league.csv"
    games.write_text(exported(league, write_jsonl)[:-100])
    there.write_text("an older one")
    assert invoke(games, "--format", "csv", "-o", there).exit_code == 2
    assert there.read_text() == "an older one" and len(list(tmp_path.iterdir())) == 2


def test_a_reader_that_goes_away_ends_it_without_a_word(league):
    command = f"{sys.executable} {RUNNER} export {league} --format jsonl | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("{", "")
    command = f"{sys.executable} {RUNNER} debug random_agent | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("r", "")

"""A tournament as a page: what its JSON object contains, and that an agent's words never get out of that object."""

import errno
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from agents.limits import Limits
from game import RulesError, load_game
from options import InputError
from simulator.gtp.analysis import Analysis
from simulator.records.database import read_store, write_store
from simulator.records.file_errors import locked
from simulator.records.schema import Decision, Pair
from simulator.referee.game_record import Reason
from simulator.report.boards import board_json, positions_json
from simulator.report.downloads import write_downloads
from simulator.report.page import FOLDER, SCRIPTS, embedded, page_of
from simulator.report.page_data import replay_json, report_json
from simulator.report.tables import strength_json
from simulator.statistics.standings import Meeting, Pairing, tables_of
from tests.command_line import invoke
from tests.leagues import ENFORCEMENT, random_game, write_league

NASTY = "<b>&\"'</b><script>alert(1)</script><!--"
NAMES = ("alpha", NASTY, "gamma", "lost")
LAST_WORDS = ("Traceback", "</script><script>alert(2)</script>", "\u2028 ]]> \\u003c")


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    path = tmp_path_factory.mktemp("league") / "league.db"
    faults = {2: Reason.CRASH, 3: Reason.VOID}
    return write_league(
        path, NAMES, faults=faults, stderr=LAST_WORDS, absent={"lost": "it fails\nImportError"}, plies=20
    )


@pytest.fixture(scope="module")
def made(league):
    """The report, and the replays by the numbers of their games."""
    with read_store(league) as store:
        replays = {}
        return report_json(store, replays.__setitem__), replays


@pytest.fixture(scope="module")
def report(made):
    return made[0]


@pytest.fixture(scope="module")
def replays(made):
    return made[1]


# --- The tournament -------------------------------------------------------------------------------------------------


def test_agents_are_there_with_what_they_are_and_why_they_are_absent(report):
    assert [agent["name"] for agent in report["agents"]] == list(NAMES)
    assert [agent["absence"] for agent in report["agents"]] == [None, None, None, "it fails\nImportError"]
    assert report["agents"][0]["sources"] == {"alpha.py": "1f" * 6}


def test_nothing_is_left_to_play_of_a_decided_test_or_for_an_absent_agent(tmp_path):
    path = write_league(tmp_path / "league.db", ("alpha", "beta", "lost"), absent={"lost": "it fails"}, plies=5)
    with write_store(path) as store:
        store.plan([Pair(0, 2, 1, "alpha", other, (), 7) for other in ("beta", "lost")])
        assert report_json(store)["progress"] == {"planned": 1, "void": 0, "accepted": None}
        store.decide(Decision("H1", (0, 0, 0, 0, 2)))
        assert report_json(store)["progress"] == {"planned": 0, "void": 0, "accepted": "H1"}


def test_games_are_rows_under_the_names_of_their_columns(report, league):
    games = [dict(zip(report["columns"], row, strict=True)) for row in report["games"]]
    with read_store(league) as store:
        stored, store_void = list(store.games()), store.void_pairs()
    assert [(g["number"], g["result"], g["reason"], g["moves"]) for g in games] == [
        (g.id, g.result, g.reason.value, g.moves) for g in stored
    ]
    assert [NAMES[g["first"]] for g in games] == [g.first for g in stored]
    assert [None if g["winner"] is None else NAMES[g["winner"]] for g in games] == [g.winner for g in stored]
    assert [g["late"] for g in games] == [2, 2, 0, 2, 0, 2]
    assert [g["counts"] for g in games] == [g.pair not in store_void for g in stored]


def test_standings_the_cross_table_and_ratings_agree_on_the_points(report):
    rows = report["tables"][-1]["rows"]
    points = {row["agent"]: row["points"] for row in rows}
    assert points == {agent: sum(won for one, _, won, _ in report["cross"] if one == agent) for agent in points}
    assert all(row["wins"] + row["draws"] / 2 == row["points"] for row in rows)
    assert {NAMES[row["agent"]]: row["faults"] for row in rows} == {"alpha": 0, NASTY: 0, "gamma": 1}
    assert set(report["ratings"]["agents"]) == set(points) == {0, 1, 2}
    assert all(low < value < high for value, low, high in report["ratings"]["agents"].values())
    assert all(0 <= low <= value <= high <= 1 for value, low, high in report["shares"].values())


def test_settings_isolation_and_machine_are_there(report):
    assert report["settings"]["format"] == "round-robin"
    assert report["settings"]["champion"] == "none"
    assert report["settings"]["opening_plies"] == "2"
    assert report["enforcement"] == [{"games": 6, "held": ENFORCEMENT}]
    assert report["sessions"][0]["machine"]["processor"] == "abacus"
    assert [agent["limits"]["memory_mb"] for agent in report["agents"]] == [500] * 4
    assert report["machines"] == [{"machine": "", "pairs": "1-3"}]
    assert report["progress"] == {"planned": 0, "void": 1, "accepted": None}
    assert "void" in report["faults"] and "resignation" not in report["faults"]


def test_records_of_a_game_that_is_not_known_here_are_refused(tmp_path):
    with write_store(tmp_path / "league.db") as store:
        store.extend({"game": "chess"}, [])
        with pytest.raises(InputError, match="no game is called 'chess'"):
            report_json(store)


def test_times_are_measured_ones(report, league):
    with read_store(league) as store:
        moves = [
            [move.seconds for move in store.record(game.id).moves if game_agents[move.player] == "alpha"]
            for game in store.games()
            if "alpha" in (game.first, game.second)
            for game_agents in [(game.first, game.second)]
        ]
    later = [seconds for game in moves for seconds in game[1:]]
    usage = report["agents"][0]["usage"]
    assert usage["later"]["max"] == round(max(later), 3)
    assert usage["later"]["p50"] in {round(seconds, 3) for seconds in later}
    assert usage["first"]["max"] == round(max(game[0] for game in moves), 3)
    assert usage["moves"] == sum(map(len, moves))
    assert report["agents"][3]["usage"]["later"] is None


def test_agents_that_no_games_connect_have_no_ratings_and_the_reason_is_said(tmp_path):
    path = write_league(tmp_path / "league.db", ("a", "b", "c", "d"), plies=2)
    with write_store(path) as store:
        store._db.execute("DELETE FROM games WHERE pair NOT IN (1, 6)")
        said = report_json(store)
    assert "no games connect" in said["ratings"]["problem"]
    assert set(said["shares"]) == {0, 1, 2, 3}


def test_a_tournament_without_games_is_a_page_too(tmp_path):
    with write_store(tmp_path / "new.db"):
        refused = invoke("report", tmp_path / "new.db", "-o", tmp_path / "report")
    assert (refused.exit_code, (tmp_path / "report").exists()) == (2, False)
    assert "holds no tournament yet" in refused.output
    path = write_league(tmp_path / "league.db", ("a", "b"), plies=2)
    with write_store(path) as store:
        store._db.execute("DELETE FROM games")
        said = report_json(store)
    assert said["ratings"] == {"problem": "nobody has played yet"}
    assert "<h1" in page_of(said)


def test_the_page_has_the_tables_of_the_format_with_agents_by_number(tmp_path):
    path = write_league(
        tmp_path / "league.db", ("alpha", "beta", "gamma", "delta"), absent={"alpha": "it fails"}, plies=5
    )
    with write_store(path) as store:
        store.extend(store.settings() | {"format": "swiss"}, [])
        store._db.execute("DELETE FROM games WHERE pair > 1")
        store._db.execute("DELETE FROM pairs WHERE id > 1")
        swiss, standings = strength_json(store)["tables"]
    assert (swiss["title"], standings["title"]) == ("Swiss table", "Standings")
    assert {row["agent"] for row in swiss["rows"]} == {1, 2, 3}
    assert sorted((row["points"], row["byes"]) for row in swiss["rows"]) == [(1, 0), (1, 0), (2, 1)]


def test_the_course_has_a_table_of_its_final():
    played = [Meeting(1, Pairing("a", "b"), (2.0, 0.0), 2), Meeting(1, Pairing("b", "c"), (2.0, 0.0), 2)]
    before = [Meeting(2, Pairing("a (v1)", "b"), (0.0, 2.0), 2), Meeting(2, Pairing("b", "c"), (0.0, 2.0), 2)]
    course, names = {"format": "course"}, ("a (v1)", "b", "a", "c")
    (final,) = tables_of(course, names, "abc", [*played, *before, Meeting(2, Pairing("b", "a"), (1.5, 0.5), 2)])
    assert (final.title, [(row.agent, row.points) for row in final.rows]) == ("Final", [("b", 1.5), ("a", 0.5)])
    assert tables_of(course, names, "abc", [*played, *before]) == []


def test_what_is_read_at_one_instant_fits_together(tmp_path):
    path = write_league(tmp_path / "league.db", ("a", "b"), plies=2)
    with read_store(path) as reader, reader.at_one_instant():
        assert len(list(reader.games())) == 2
        with write_store(path) as writer:
            writer.plan([Pair(0, 2, 1, "a", "b", (), 1)])
            writer.save_pair(2, [random_game(("a", "b"), plies=2), random_game(("b", "a"), plies=2)])
        assert len(list(reader.games())) == 2
        assert len(reader.pairs()) == 1
    with read_store(path) as reader:
        assert len(list(reader.games())) == 4


# --- Boards ---------------------------------------------------------------------------------------------------------


def boards_of(said):
    """Every board as the page makes it, from the first one and the changes by each move."""
    board = list(said["start"])
    yield list(board)
    for changes in said["changes"]:
        for cell, entry in zip(changes[::2], changes[1::2], strict=True):
            board[cell] = entry
        yield list(board)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("pentago", {}),
        ("go", {"size": 5}),
        ("go", {"size": 9}),
        ("go", {"size": 19}),
        ("kalah", {}),
        ("kalah", {"pits": 10, "stones": 12}),
    ],
)
def test_the_boards_of_a_page_are_those_of_the_game(game, options):
    record = random_game(("a", "b"), game=game, options=options, plies=60, seed=2)
    said = positions_json(record)
    positions = record.positions
    assert list(boards_of(said)) == [position.board.ravel().tolist() for position in positions]
    assert said["moves"] == [move.move for move in record.moves]
    assert said["players"] == "".join(str(move.player) for move in record.moves)


WON = ("a1/3f", "a2/3f", "b1/3f", "b2/3f", "c1/3f", "c2/3f", "d1/3f", "d2/3f", "e1/3f")


@pytest.mark.parametrize(
    ("game", "opening", "expected"),
    [
        ("pentago", ("c3/0r", "d4/1f"), {"marks": [[14, 12, 0, 0], [21, 21, 1, 1]], "won": []}),  # c3 turns to a3
        ("pentago", WON, {"won": [0, 1, 2, 3, 4]}),
        ("pentago", WON[:-1], {"won": []}),
        ("go", ("B1", "A1", "A2"), {"marks": [[21], [20], [15]], "captures": [[0, 0]] * 3 + [[1, 0]], "won": []}),
        ("go", ("B1", "pass"), {"marks": [[21], [-1]]}),
        ("kalah", ("3", "6", "1", "2"), {"marks": [[2], [5], [7], [1]], "players": "0010"}),
    ],
)
def test_what_is_marked_of_a_move_is_named(game, opening, expected):
    record = random_game(("a", "b"), game=game, options={"size": 5} if game == "go" else {}, opening=opening, plies=0)
    assert positions_json(record).items() >= expected.items()


def test_drawn_boards_have_names_of_lines_and_players_and_star_points():
    assert board_json(load_game("kalah")) == {"kind": "kalah", "pits": 6, "names": ("South", "North")}
    pentago, go = board_json(load_game("pentago")), board_json(load_game("go", size=9))
    assert (pentago["columns"], pentago["rows"]) == (list("ABCDEF"), list("123456"))
    assert (go["columns"], go["rows"]) == (list("ABCDEFGHJ"), list("987654321"))
    assert (go["stars"], pentago["stars"]) == ([20, 22, 24, 38, 40, 42, 56, 58, 60], [])
    wide = board_json(load_game("go", size=19))
    assert (wide["columns"][-1], wide["rows"][0], len(wide["stars"])) == ("T", "19", 9)
    assert board_json(load_game("go", size=5))["stars"] == []


def test_other_games_are_shown_as_they_are_drawn_for_a_terminal():
    record = random_game(("a", "b"), game="tictactoe")
    game, positions = record.load_game(), record.positions
    assert board_json(game) == {"kind": "text"}
    assert positions_json(record)["drawings"] == [game.draw(position) for position in positions]


def test_a_game_that_cannot_be_played_again_says_why_and_spoils_no_other(tmp_path):
    path = write_league(tmp_path / "league.db", ("a", "b"), plies=2)
    with write_store(path) as store:
        record = store.record(1)
        broken = replace(record, moves=(replace(record.moves[0], move="z9"),))
        store._db.execute("UPDATE games SET record = ? WHERE id = 1", (json.dumps(broken.to_json()),))
        replays = {}
        report_json(store, replays.__setitem__)
    assert replays[1]["problem"].startswith("move 1, z9: ")
    assert replays[1]["moves"] == ["z9"]
    assert "problem" not in replays[2]


def test_a_game_whose_rules_fail_says_so(tmp_path, monkeypatch):
    def fail(*_):
        raise RulesError("nim: result fails")

    with write_store(write_league(tmp_path / "league.db", ("a", "b"), plies=2)) as store:
        record = store.record(1)
    monkeypatch.setattr("simulator.report.boards.Replay", fail)
    assert positions_json(record) == {"problem": "nim: result fails", "moves": [*record.line]}


# --- Replays --------------------------------------------------------------------------------------------------------


def test_a_replay_has_clock_memory_and_value_of_each_move(replays, league):
    with read_store(league) as store:
        record = store.record(2)
    said = replays[2]
    assert said["seconds"] == [round(move.seconds, 3) for move in record.moves]
    assert said["memory"] == [round(move.peak_memory_mb) for move in record.moves]
    assert said["values"] == [None if move.player else round(move.analysis.value, 3) for move in record.moves]
    assert said["late"] == {9: "late move", 19: "late move"}


def test_what_was_said_of_a_move_and_written_in_a_game_is_there_as_it_is():
    record = random_game(("a", "b"), plies=2)
    said = (Analysis(), Analysis(value=0.25))
    moves = tuple(replace(move, analysis=one) for move, one in zip(record.moves, said, strict=True))
    logs = ("depth 4\n\tvalue 0.5", "  x =")
    told = replay_json(replace(record, moves=moves, logs=logs, transcripts=("genmove w", "")))
    assert told["values"] == [None, 0.25]
    assert told["logs"] == list(logs)
    assert list(told["transcripts"]) == ["genmove w", ""]


def test_a_fault_has_the_last_words_of_its_agent(report, replays):
    assert sorted(replays[3]["logs"]) == ["", "\n".join(LAST_WORDS)]
    assert report["violations"]["3"].items() >= {"loser": 1, "lines": 3}.items()


def test_each_agents_limits_are_those_that_its_games_were_played_under(tmp_path):
    path = write_league(tmp_path / "league.db", ("a", "b", "lost"), absent={"lost": "it fails"}, plies=2)
    with write_store(path) as store:
        store.extend(store.settings() | {"limits_of": {"lost": {"move_seconds": 5}, "b": {"move_seconds": 9}}}, [])
        longer = replace(random_game(("b", "a"), plies=2), limits=(Limits(move_seconds=math.inf), Limits()))
        store.plan([Pair(0, 2, 1, "b", "a", (), 1, games=1)])
        store.save_pair(2, [longer])
        agents = report_json(store)["agents"]
    assert [agent["limits"]["move_seconds"] for agent in agents] == [2, None, 5]


def test_the_page_says_which_machine_played_which_pair(tmp_path):
    path = write_league(tmp_path / "league.db", ("a", "b", "c", "d"), plies=2)
    with write_store(path) as store:
        store._db.execute("UPDATE pairs SET machine = 'host-2' WHERE id IN (2, 3, 5)")
        assert report_json(store)["machines"] == [
            {"machine": "", "pairs": "1, 4, 6"}, {"machine": "host-2", "pairs": "2-3, 5"}
        ]  # fmt: skip


# --- The page -------------------------------------------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a page, with their attributes, and the text in each script."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.scripts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] == "script":
            self.scripts[-1] += data


def test_whatever_agents_say_stays_in_the_data(report):
    page = Elements(page_of(report))
    data = [attributes["id"] for tag, attributes in page.elements if tag == "script" and "id" in attributes]
    assert data == ["report"]
    assert len(page.scripts) == 2  # and the page's own
    assert json.loads(page.scripts[0])["agents"][1]["name"] == NASTY
    assert not any(tag == "b" for tag, _ in page.elements)


def test_nothing_in_embedded_data_ends_a_script():
    for text in ("</script>", "<!--", "<script", "]]>", "\u2028"):
        assert "<" not in embedded([text])
        assert json.loads(embedded([text])) == [text]
    with pytest.raises(ValueError, match="JSON"):
        embedded(float("nan"))


def test_a_page_asks_for_nothing_and_allows_and_does_nothing_risky(report):
    text = page_of(report)
    page = Elements(text)
    links = [value for _, said in page.elements for name, value in said.items() if name in ("src", "href", "action")]
    assert sorted(links) == ["#main", "data:,"]
    style, script = text.partition("<style>")[2].partition("</style>")[0], page.scripts[-1]
    assert [risky for risky in ("url(", "@import") if risky in style] == []
    assert re.findall(r"https?://[^\s\"']+", script) == ["http://www.w3.org/2000/svg"]
    policy = next(said["content"] for tag, said in page.elements if "http-equiv" in said)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert {path.stem for path in (FOLDER / "script").iterdir()} == set(SCRIPTS)
    markup = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
    assert [risky for risky in markup if risky in script] == []


# --- The command ----------------------------------------------------------------------------------------------------


def test_the_command_makes_the_page_and_writes_over_an_older_one(league, tmp_path):
    folder = tmp_path / "new" / "report"
    for _ in range(2):
        result = invoke("report", league, "-o", folder)
        assert result.exit_code == 0
        assert re.search(rf"6 games of 4 agents, [0-9.]+ MB: {folder / 'index.html'}\n", result.output)
    assert sorted(path.name for path in folder.iterdir()) == ["downloads", "games", "index.html"]
    report = json.loads(Elements((folder / "index.html").read_text()).scripts[0])
    assert [(folder / download["href"]).stat().st_size for download in report["downloads"]] == [
        download["bytes"] for download in report["downloads"]
    ]


def test_a_page_has_a_file_for_each_game_and_none_for_others_whatever_agents_write(league, tmp_path):
    def lengths():
        return {path.name: path.stat().st_size for path in (tmp_path / "games").iterdir()}

    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "99.js").touch()
    (tmp_path / "games" / "pong.js").touch()  # the site in which the page is put has this
    page = [invoke("report", league, "-o", tmp_path), lengths()]
    assert sorted(page[1]) == [*(f"{number}.js" for number in range(1, 7)), "pong.js"]
    size = (tmp_path / "index.html").stat().st_size
    script = (tmp_path / "games" / "3.js").read_text()
    replay = json.loads(script.removeprefix("gameLoaded(3, ").removesuffix(");\n"))
    assert "\n".join(LAST_WORDS) in replay["logs"]
    with write_store(write_league(tmp_path / "long.db", NAMES, faults={2: Reason.CRASH}, plies=20)) as store:
        for game in store.games():
            long = replace(store.record(game.id), logs=("x" * 50_000, ""), transcripts=("y" * 50_000, ""))
            store._db.execute("UPDATE games SET record = ? WHERE id = ?", (json.dumps(long.to_json()), game.id))
    invoke("report", tmp_path / "long.db", "-o", tmp_path)
    assert (tmp_path / "index.html").stat().st_size < size + 5_000
    assert min(length for name, length in lengths().items() if name != "pong.js") > 100_000


def test_an_older_page_and_its_files_stay_until_the_new_ones_are_written(league, tmp_path, monkeypatch):
    with read_store(league) as store:
        write_downloads(store, tmp_path)
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

        def fails(games, stream):
            stream.write("half of it")
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("simulator.report.downloads.write_csv", fails)
        with pytest.raises(OSError, match=r"cannot write .*games\.csv: the disk is full"):
            write_downloads(store, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_two_reports_are_not_written_into_one_folder_at_the_same_time(league, tmp_path):
    (tmp_path / "index.html").write_text("of the other")
    with locked(tmp_path, AssertionError("left locked"), tmp_path / ".lock"):
        refused = invoke("report", league, "-o", tmp_path)
    assert refused.exit_code == 1 and f"{tmp_path} is in use: another report" in refused.output
    assert (tmp_path / "index.html").read_text() == "of the other"


def test_the_line_of_progress_is_erased_before_an_error_is_printed(league, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr("commands.report.show_progress", shown.append)
    (tmp_path / "games").touch()  # where the folder of the games should be
    assert invoke("report", league, "-o", tmp_path).exit_code == 1
    assert shown[-1] == ""


def test_downloads_are_what_export_writes(league, tmp_path):
    assert invoke("report", league, "-o", tmp_path).exit_code == 0
    for name, form in (
        ("games.jsonl", ["jsonl"]), ("games.csv", ["csv"]), ("standings.csv", ["csv", "--standings"])
    ):  # fmt: skip
        exported = invoke("export", league, "--format", *form)
        assert (tmp_path / "downloads" / name).read_text() == exported.stdout

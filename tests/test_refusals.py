"""What commands refuse, in words and before anything is done: exit code 2 for wrong input, 1 for a failure."""

import os
import subprocess
import sys

import numpy as np
import pytest

from simulator.records.database import write_store
from simulator.records.saved_game import SavedGame, save_game
from simulator.sandbox.cores import available_cores
from simulator.sandbox.isolation import Mechanisms
from tests.command_line import said, typed
from tests.leagues import write_league
from tests.programs import PROJECT, RUNNER
from tests.submissions import write_submission

pytestmark = pytest.mark.usefixtures("games_of_the_user_are_left_alone")

WORKERS = len(available_cores()) + 1
BOTH = "random_agent random_agent"
TOO_LONG = 300 * "n"
NO_TURN = "/".join(["wbwbw.", "wbwbw.", "wbwbw.", "wbwbw.", "wbwbw.", "......"])
WON = "wwwww./bbbb../....../....../....../...... b"
EMPTY = "....../....../....../....../....../...... w"
SGF = "analyze --game go --sgf game.sgf"
FOUR, ATAXX = (PROJECT / "examples" / "games" / f"{name}.py" for name in ("connect_four", "ataxx"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the lines below name."""
    place = tmp_path_factory.mktemp("here")
    (place / "latin.txt").write_bytes(b"# pr\xe9lude")
    (place / "utf16.csv").write_bytes("0,1\n1,0\n".encode("utf-16"))
    np.save(place / "no_archive.npy", np.zeros(1))
    (place / "no_archive.npy").rename(place / "no_archive.npz")
    (place / "game.json").write_text("{}")
    (place / "blank_line.txt").write_text("\nnotes\n")
    (place / "game.sgf").write_text("(;GM[1]SZ[5]KM[3.5];B[cc];W[bd];B[tt];W[dc])")
    (place / "mistake.toml").write_text("agents = ['random_agent']\nfromat = 'swiss'")
    (place / "agents.toml").write_text("agents = ['random_agent', 'nobody']")
    (place / "size.toml").write_text("agents = ['random_agent']\ngame = 'go'\nsize = 50")
    (place / "champion.toml").write_text("agents = ['random_agent']\nchampion = 'ann'")
    (place / "board.csv").write_text("1,0,2\n0,0,0\n2,0,1")
    (place / "broken.py").write_text("rows = 1 / 0\n")
    (place / "ann").mkdir()
    (place / "ann" / "agent.py").write_text("mine")
    write_submission("two_files", place)
    save_game(place / "gone.json", SavedGame(agent="gone/agent.py", moves=("c3/0r",)))
    save_game(place / "gone_over.json", SavedGame(agent="gone/agent.py", moves=("c3/0r",), side="w", result="W+R"))
    save_game(place / "cannot.json", SavedGame(agent="random_agent", moves=("c3/0r", "z9")))
    os.mkfifo(place / "pipe")
    save_game(place / "over.json", SavedGame(moves=("d4/1r",), side="w", result="W+R"))
    with write_store(place / "empty.db"):
        pass
    write_league(place / "played.db", ("alpha", "beta"), plies=4)
    (place / "played.jsonl").write_text("{}")
    return place


def state(folder):
    """A folder's folders and files, these with contents, without what SQLite and Python leave beside them."""
    kept = (path for path in folder.rglob("*") if "db-" not in path.name and "__pycache__" not in path.parts)
    return {path: path.is_file() and path.read_bytes() for path in kept}


def refused(folder, line, words, code):
    before = state(folder)
    result = typed(line)
    assert words in said(result)
    assert (result.exit_code, "Usage: " in said(result)) == (code, code == 2)
    assert state(folder) == before


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("frob", "there is no command 'frob'; there are: agents, analyze"),
        ("plya", "there is no command 'plya'; did you mean play?"),
        # Agents, the game and its options
        ("match uct_agnt random_agent", "did you mean uct_agent?"),
        ("match uct_agent@move_tme=1 random_agent", "there is no limit move-tme; did you mean move-time?"),
        ("match latin.txt random_agent", "latin.txt is no agent: name a folder, a .py or .zip file"),
        (f"match {BOTH} --games two", "'two' is not a valid whole number"),
        (f"match {BOTH} --move-time soon", "'soon' is not a valid number"),
        ("match chess_agent random_agent", '.py or .zip file ("gtp:COMMAND" is a program); there are: alphabeta_agent'),
        ("match ~nobodyx/x.py random_agent", "there is no file ~nobodyx/x.py"),
        ("match runner.txt/ random_agent", "there is no file"),
        ("match gtp:no-such-program random_agent", "there is no program 'no-such-program'"),
        ("match random_agent:c=1 random_agent", "random_agent has no option 'c'"),
        ("match random_agent: random_agent", "is no option"),
        ("match human_agent random_agent", "runner.py play`"),
        (f"match {BOTH} --game chess", "no game is called 'chess'; there are: "),
        (f"match {BOTH} --games 0", "not in the range"),
        (f"match {BOTH} --move-time nan", "not a finite number"),
        (f"match {BOTH} --rules kind", "'course', 'strict'"),
        (f"match {BOTH} --clock 5m", "'--clock': must be a game clock in seconds, as \"300+2\" or \"300\", not '5m'"),
        (f"match {BOTH} --size 9", "--size is no option of pentago, but of go"),
        (f"match {BOTH} --opening-plies 40", "open after 40 random moves (200 tries): take fewer"),
        (
            f"match {BOTH} --game go --opening-plies 324",
            "a game of go is stopped after 324 moves, so no opening can have 324: take fewer",
        ),
        (f"match {BOTH} --game go --size 20", "--size must be 2 to 19, not 20"),
        (f"match {BOTH} --sgf games", "pentago is not written as SGF"),
        (f"match {BOTH} --game {FOUR} --rows x", "--rows must be a whole number, not 'x'"),
        (f"match {BOTH} --game {FOUR} --columns 0", "columns cannot be 0: rows and columns must be at least 1"),
        (f"match {BOTH} --game {FOUR} --komi 7", "--komi is no option of connect_four, but of go"),
        (f"match {BOTH} --game {FOUR} --heights 7", "No such option '--heights'"),
        ("match a b --rows 7 --game broken.py", "rows = 1 / 0"),  # before what is wrong with its options
        (f"match {BOTH} --opening-plies 0 --opening-balance 9", "and there are none: add opening-plies"),
        (f"match {BOTH} --extend", "--extend adds to records: name them with --records FILE"),
        (f"match {BOTH} --transcripts", "--transcripts has no effect without --records or --save"),
        ("connect --transcripts", "--transcripts has no effect without --records or --save"),
        # play
        ("play --side x", "choose w, b or none"),
        ("play --agent random_agent --hints nobody", "--hints: no agent is called 'nobody'"),
        ("play --position c3", "six rows of six"),
        ("play --moves c3", "move 1, c3: can't read 'c3'"),
        ("play --load missing.json", "does not exist"),
        ("play --load game.json --moves c3/0r", "--load has its own position and moves"),
        ("play --load gone.json", "there is no file gone/agent.py. Add --agent NAME or --level N"),
        ("play --load over.json --game kalah", "--load has its own game: leave --game out"),
        ("play --load over.json --side b", "the game is over, and keeps its players: leave --side"),
        ("play --load over.json --level 2", "the game is over, and keeps its players"),
        (f"play --load {sys.executable}", "is not a saved game: it is neither JSON nor SGF"),
        ("play --game go --komi inf", "--komi must be -1000 to 1000, not inf"),
        ("play --game go --side x", "choose b, w or none"),
        ("play --game go --komi 3 --position x", "--komi is in the --position"),
        ("play --level 3 --agent random_agent", "--level and --agent both name the opponent"),
        ("play --against random_agent", "--against is the second of two agents"),
        ("play --resume --moves c3/1r", "--resume has its own game"),
        ("play --level ten", "there is no level 'ten'"),
        ("play --handicap 0", "is no handicap"),
        # analyze, gtp, debug
        (f"analyze --position {NO_TURN}", "side to move"),
        ("analyze --position 'wwww../bbb.../....../....../....../b..... w' --moves e1/3r", "the game is over"),
        ("analyze --simulations 100 --move-time 3", "--move-time has no effect with --simulations"),
        ("analyze --ownership", "--ownership is not for pentago"),
        ("analyze --move 3", "--move needs --sgf"),
        ("analyze --log game00001.log --moves c3/0r", "--moves has no effect with --log, which has its own moves"),
        (f"analyze --game go --sgf {PROJECT}", "is a directory"),
        (f"{SGF} --size 5", "leave their options out"),
        (f"{SGF} --moves A1", "leave their options out"),
        (f"{SGF} --move 7", "there is no position before move 7"),
        (f"{SGF} --game pentago", "pentago has no SGF files: add --game go"),
        ("gtp --agent random_agent --simulations 5", "random_agent has no option 'simulations'"),
        ("debug nowhere_agent", "no agent is called 'nowhere_agent'"),
        ("debug gtp:cat", "it cannot run in this process"),
        ("tune gtp:cat --parameter level=1..10 --records new.jsonl", "has no options to tune"),
        ("debug random_agent --position x", "six rows"),
        (f"debug random_agent --position '{WON}'", "the game is over"),
        (f"debug random_agent --position '{EMPTY}' --moves 2", "--moves has no effect beside --position"),
        (f"debug random_agent --position '{EMPTY}' --opponent ann", "--opponent has no effect beside --position"),
        (f"match {BOTH} --game go --sgf out --no-sgf", "--sgf has no effect with --no-sgf"),
        ("analyze --log latin.txt --game go", "--game has no effect with --log"),
        ("bench --signature --rounds 2", "--rounds has no effect with --signature"),
        (f"analyze --game {PROJECT}/examples/games/othello.py --move-time 1e-6", "no time to try each move once"),
        ("agents nobody", "no agent is called 'nobody'"),
        ("agents gtp:gnugo", "only agents written in Python"),
        # tournament
        ("tournament random_agent", "a tournament needs 2 agents that can play; there is 1"),
        ("tournament random_agent random_agent eve.zip", "there is no file eve.zip"),
        ("tournament random_agent not_unicode\udcff.py", "cannot be printed: rename the file"),
        (f"tournament {BOTH} --format swiss --rounds 2", "at most 1 round"),
        (f"tournament {BOTH} --format gauntlet --champion me", "the champion me is not among"),
        (f"tournament {BOTH} --champion random_agent", "only a gauntlet has a champion"),
        (f"tournament {BOTH} --openings latin.txt --opening-plies 2", "opening-plies is for random"),
        (f"tournament {BOTH} --openings latin.txt --opening-balance 9", "opening-balance is for"),
        (f"tournament {BOTH} --openings latin.txt", "latin.txt, line 1: this is not UTF-8"),
        (f"tournament {BOTH} --records ''", "'--records': must be one character or more, without NUL, not ''"),
        (f"tournament {BOTH} --workers {WORKERS}", f"{WORKERS} workers need {WORKERS} cores"),
        ("tournament none.toml", "there is no file none.toml; name a TOML file with the tournament's settings"),
        ("tournament mistake.toml", "mistake.toml, line 2: there is no key fromat; did you mean format?"),
        ("tournament agents.toml", "Error: agents.toml: no agent is called 'nobody'"),
        ("tournament size.toml", "Error: size.toml: --size must be 2 to 19, not 50"),
        ("tournament champion.toml", "Error: champion.toml: only a gauntlet has a champion"),
        ("tournament empty.db", "empty.db holds no tournament yet"),
        ("tournament empty.db --move-time=1", "leave --move-time out"),
        ("tournament empty.db --size=9", "leave --size out"),
        ("tournament empty.db --sprt 0 9", "leave --sprt out"),
        # Submissions
        ("check ann nofile no.zip", "there is no nofile, no.zip: name"),
        ("pack two_files", "which of one.py, two.py has the agent"),
        ("pack nowhere", "there is no nowhere"),
        ("pack ann.zip", "ann.zip is packed already"),
        ("pack ann -o ann/x.zip", "would lie in the folder that is packed"),
        ("new uct", "there is an agent uct_agent already"),
        ("new my-bot", "letters, digits and _"),
        ("new ann", "nothing is overwritten"),
        ("new bob --style course2024 --game go", "leave --game out"),
        ("new bob --style course2019", "no style is called 'course2019'; there are course2022, course2024, course2025"),
        # Learning
        ("learn --report --folder nowhere", "there is no folder nowhere: nothing was learned there yet"),
        ("learn --report --hours 2", "--hours has no effect beside --report and --export"),
        ("learn --report --game go --size 9", "--size has no effect beside --report and --export"),
        ("check-game pentago", "pentago is not a game in a file"),
        ("learn --game kalah", "has no features to learn from"),
        *(
            (f"{learns} --hours 1 --game {FOUR}", "needs compiled rules, and those of connect_four are plain")
            for learns in ("learn", "book")
        ),
        ("learn --folder new --from ann", "ann"),
        ("learn --folder ann --report", "is not a folder of `learn`"),
        ("learn --export w.npz --from weights.npz", "--from"),
        ("learn --from no_archive.npz", "no_archive.npz is not an archive"),
        ("book --export book.npz --seconds 2", "--seconds has no effect beside --report and --export"),
        ("book --game kalah", "agents read no opening book of kalah: it is no BookGame"),
        # The course's server and simulator
        ("connect --game go", "the course's server plays Pentago Twist only, not go"),
        ("connect host:x", "'host:x' is not an address: expected HOST or HOST:PORT"),
        (f"connect host:{5000 * '9'}", "is not an address: expected HOST or HOST:PORT"),
        ("connect --name a,b", "expected a printable name of at most 100 characters without a comma"),
        ("connect --name opponent", "that is what records call the other player"),
        ("connect --agent nobody", "no agent is called 'nobody'"),
        ("connect --move-time 0", "0.0 is not in the range x>0"),
        ("course-server --game go", "Pentago Twist only"),
        ("simulator --player_1 nobody", "no agent is called 'nobody', and no folder, .py or .zip file"),
        ("simulator --game chess", "no game is called 'chess'"),
        ("simulator --board_size 9", "--board_size is no option of pentago, but of go"),
        ("simulator --display_delay -1", "not in the range"),
        *(
            (f"simulator --game {ATAXX} --board_path board.csv {size} 5", "has no effect beside --board_path")
            for size in ("--board_size", "--autoplay --board_size_min")
        ),
        ("simulator --autoplay --game go --board_roster_dir ann --board_size_min 3", "--board_size_min has no effect"),
        ("simulator --autoplay --game go --board_size_max 1000000000", "1<=x<=100"),
        (f"simulator --game {PROJECT}/examples/games/ataxx.py --board_path utf16.csv", "utf16.csv is not a board"),
        ("simulator --autoplay --autoplay_runs 0", "not in the range"),
        ("simulator --move_time nan", "not a finite number"),
        ("simulator --player_1 human_agent --autoplay", "human_agent cannot autoplay"),
        ("simulator --player_1 human_agent --player_2 human_agent", "can be only one of the players"),
        # Files of games
        ("export played.db --format sgf -o sgf", "pentago is not written as SGF, which is for go"),
        ("export played.db --format sgf -o latin.txt", "latin.txt is a file: name a folder for the SGF files with -o"),
        ("export played.db --format sgf -o -", "SGF files are written into a folder"),
        ("export played.db --format csv -o played.db", "is the file to read from"),
        ("export played.db --format jsonl --standings", "--standings is written as csv, not as jsonl"),
        ("export played.jsonl --format csv --standings", "cannot be used as a tournament's records"),
        ("export over.json --format jsonl", "is a game that was saved in `play`"),
        ("replay cannot.json", "cannot be shown: move 2, z9"),
        ("replay pipe", "is a pipe or a device"),
        ("replay played.db --game 99", "no game 99: they are numbered from 1 to 2"),
        ("report none.db", "there is no file"),
        ("report /dev/null", "is a pipe or a device"),
        ("replay utf16.csv", "is a binary file"),
        ("report played.db -o played.db", "is a file"),
        # Compiled code
        ("kernels --export a.zip --compile", "give one of them"),
        ("kernels --export a.zip --processor abacus", "no portable processor"),
        ("kernels --export a.zip --agent uct_agen", "did you mean uct_agent?"),
        ("kernels --compile --game chess", "there is no game 'chess' to compile for"),
        ("kernels --agent uct_agent", "--agent has no effect without --export or --compile"),
        ("kernels --compile --processor x86-64-v2", "--processor has no effect without --export"),
        ("export empty.db --format csv -o latin.txt", "no game has been played yet"),
    ],
)
def test_wrong_input_is_explained_and_exits_with_2(folder, monkeypatch, line, words):
    monkeypatch.chdir(folder)
    refused(folder, line, words, code=2)


def test_a_game_that_is_over_is_shown_though_its_agent_is_gone(folder, monkeypatch):
    monkeypatch.chdir(folder)
    result = typed("play --load gone_over.json")
    assert result.exit_code == 0 and "Game over" in said(result)


@pytest.mark.parametrize(
    "line",
    [
        "agents",
        "kernels",
        *(pytest.param(line, marks=pytest.mark.slow) for line in ("doctor", "debug random_agent --moves 1")),
    ],
)
def test_output_on_a_full_disk_is_explained_in_words(line):
    with open("/dev/full", "w") as full:
        command, pipe = [sys.executable, RUNNER, *line.split()], subprocess.PIPE
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(command, stdout=full, stderr=pipe, env=environment, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.startswith("Error: "), "the disk is full" in done.stderr) == (1, True, True)


@pytest.mark.usefixtures("played_here")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"export played.db --format csv -o {TOO_LONG}", f"cannot write {TOO_LONG}: the name is too long"),
        (f"tournament {BOTH} --records {TOO_LONG}", f"cannot write {TOO_LONG}: the name is too long"),
        (f"check ann -o {TOO_LONG}", f"cannot write {TOO_LONG}: the name is too long"),
        ("check ann -o none/table.csv", "cannot write none/table.csv: no such folder: none"),
        ("pack ann -o none/ann.zip", "cannot write none/ann.zip: no such folder: none"),
        ("new none/bob", "cannot write none/bob: no such folder: none"),
        (f"match {BOTH} --save none/games.jsonl", "cannot write none/games.jsonl: no such folder"),
        (f"tournament {BOTH} --openings none.txt", "there is no file none.txt"),
        (f"match {BOTH} --game go --sgf game.json/games", "is a file, not a folder; name another folder with --sgf"),
        (f"match {BOTH} --save played.db", "played.db holds the records of a tournament"),
        (f"match {BOTH} --save latin.txt", "latin.txt is no file of games"),
        (f"match {BOTH} --save game.json", "game.json is no file of games"),
        (f"match {BOTH} --save blank_line.txt", "blank_line.txt is no file of games"),
        (f"match {BOTH} --records latin.txt", "latin.txt cannot be used as a tournament's records"),
        (f"match {BOTH} --save new.db --records new.db", "new.db holds the records of a tournament"),
        ("kernels --import pipe", "pipe is a pipe or a device, not a file"),
        ("kernels --export none/kernels.zip", "cannot write none/kernels.zip: no such folder: none"),
        (f"course-server --host {TOO_LONG} --logs ann", "cannot listen on"),
        ("analyze --memory 10", "leave no room for a tree"),
        (f"simulator --game {ATAXX} --board_path pipe", "pipe is a pipe or a device, not a file"),
        (f"tournament {BOTH} --records no/league.db", "no such folder: no"),
        ("export played.db --format csv -o no/such/folder.csv", "no such folder"),
        ("report played.db -o played.db/report", "is a file"),
        (f"tournament {BOTH} --isolation required", "isolation is required, but nothing enforces"),
    ],
)
def test_a_failure_is_explained_and_exits_with_1(folder, monkeypatch, line, words):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("simulator.sandbox.isolation.available_mechanisms", lambda *_: Mechanisms())
    refused(folder, line, words, code=1)

"""The figures of REPORT.md and docs/clocks.md: what each measures, by which commands, and whether it is current.

`report.py` measures them. Each is a file of docs/figures, which is copied into its document.
"""

import ast
import functools
import hashlib
import io
import re
import tokenize
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[1]
REPORT, CLOCKS = "REPORT.md", "docs/clocks.md"
FIGURES = PROJECT / "docs" / "figures"
MEASURED = (".py", ".npz", ".cpp", ".hpp", ".toml", ".jsonl")  # files whose change makes a figure old
WEIGHTS = "!pentago/weights.npz"  # of what depends on their number, not on their values
GO_ITSELF = ("go", "!go/learning.py")  # which no agent imports
COMPILED = ("agents/uct", "agents/uct_agent.py", "jit", *GO_ITSELF, "mancala", "pentago", WEIGHTS)
# Without the code that compiles, keeps and loads code, since it runs before a game.
JIT = ("jit", *(f"!jit/{name}.py" for name in ("cache", "folder", "numba_import")))
SEARCH = (
    *("agents/uct", "agents/uct_agent.py", "agents/time_control.py", "agents/outcomes.py", "game", *JIT),
    *("!agents/uct/compiling.py", "!agents/uct/searchers.py"),
)
REFEREE = (
    *(f"simulator/{name}" for name in ("referee", "player", "sandbox", "gtp")),
    # What runs before a game, in checks only, and in games without a referee.
    *("!simulator/player/lookup.py", "!simulator/player/self_report.py", "!simulator/referee/in_process.py"),
    *(f"benchmarks/{name}.py" for name in ("margin", "clocks", "referee")),
)
PENTAGO, KALAH = ((*SEARCH, "!agents/uct/rave.py", rules) for rules in ("pentago", "mancala"))  # rave is for Go
GO = (*SEARCH, "!agents/uct/graph*.py", *GO_ITSELF)  # Go is not searched on a graph
ALPHABETA = ("agents/alphabeta", "agents/alphabeta_agent.py", "agents/baseline.py", "agents/time_control.py")
NOT_IN_LADDER = tuple(
    f"!agents/{name}.py" for name in ("student_agent", "level*", "human_agent", "course/*", "loading")
)
TWINS = ("benchmarks/twin.cpp", "benchmarks/uct_twin.hpp", "benchmarks/pentago_twin.hpp")
MATCH, TOURNAMENT = "runner.py match", "runner.py tournament"
EVEN = "--opening-plies 4 --opening-balance 3000"
DUEL = "experiments/duel.py uct_agent:{} uct_agent --games {} --move-time 0.2"
GNU_GO = '"gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko --capture-all-dead --never-resign"'
PACHI = '"gtp:pachi -d 0 -r chinese -t 4.5 threads=1,pondering=0,max_tree_size=300,pass_all_alive@move_time=6"'


class Figure(NamedTuple):
    """A figure, and how it is measured.

    Attributes:
        sources: files and folders of the project; if they change, the figure is old. A pattern after ! names files
            among them that do not count.
        commands: without the name of the interpreter. `runner.py match` makes a row of a table of matches, and
            `runner.py tournament` a table of standings; the output of other commands is shown as it is.
        programs: other programs that the commands need.
        document: the document with the figure.
    """

    sources: tuple[str, ...]
    commands: tuple[str, ...]
    programs: tuple[str, ...] = ()
    document: str = REPORT


FIGURES_OF_REPORT = {
    "bench": Figure((*PENTAGO, "benchmarks/bench.py", *TWINS), ("runner.py bench",), ("g++",)),
    "cold": Figure((*COMPILED, "benchmarks/cold.py"), ("benchmarks/cold.py --rounds 1",), ("g++",)),
    "foresight": Figure((*PENTAGO, "benchmarks/foresight.py"), ("benchmarks/foresight.py",)),
    "evaluation": Figure(
        ("pentago", WEIGHTS, *JIT, "benchmarks/evaluation.py", "benchmarks/evaluation_twin.cpp"),
        ("benchmarks/evaluation.py --width 256",),
        ("g++",),
    ),
    "tactics": Figure((*PENTAGO, "benchmarks/tactics.py"), ("benchmarks/tactics.py --move-time 1",)),
    "pentago_matches": Figure(
        (*PENTAGO, *ALPHABETA),
        (
            f"runner.py match uct_agent alphabeta_agent:evaluation=lines --games 20 --seed 1 {EVEN}",
            f"runner.py match uct_agent uct_agent:preset=playouts --games 12 --move-time 0.5 --seed 1 {EVEN}",
            f"runner.py match uct_agent alphabeta_agent:evaluation=learned --games 200 --move-time 1 --seed 1 {EVEN}",
        ),
    ),
    "pentago_parts": Figure(
        (*PENTAGO, "experiments/duel.py", "studies/matches.py"),
        tuple(
            DUEL.format(part, games)
            for games, parts in (
                (100, "minimax=0 temperature=1 solve=0 foresight=no transpositions=no reuse=no"),
                (40, "evaluation=lines preset=playouts"),
            )
            for part in parts.split()
        ),
    ),
    "ladder": Figure(
        ("agents", *NOT_IN_LADDER, *PENTAGO, "experiments/ladder.toml"),
        ("runner.py tournament experiments/ladder.toml",),
    ),
    "clocks": Figure(
        (*PENTAGO, WEIGHTS, *ALPHABETA, *REFEREE),
        (
            "benchmarks/margin.py --moves 60 --beside 2",
            "benchmarks/margin.py --moves 60 --beside 1",
            "benchmarks/clocks.py --moves 2000 --busy 6",
            "benchmarks/referee.py --games 10",
            "benchmarks/referee.py --games 10 --isolation none",
        ),
        document=CLOCKS,
    ),
    "go_speed": Figure(
        (*GO_ITSELF, *JIT, "benchmarks/go_playouts.py", "benchmarks/go_twin.cpp"),
        ("benchmarks/go_playouts.py --speed",),
        ("g++",),
    ),
    "go_reference": Figure((*GO_ITSELF, *JIT, "benchmarks/go_playouts.py"), ("benchmarks/go_playouts.py",)),
    "go_tactics": Figure(
        (*GO, "benchmarks/tactics.py", "tests/data/go_tactics.jsonl"),
        (
            "benchmarks/tactics.py --game go --move-time 60 --agent uct_agent:simulations=300",
            "benchmarks/tactics.py --game go --move-time 60 --agent uct_agent:simulations=2000",
            "benchmarks/tactics.py --game go --move-time 60 --agent uct_agent:simulations=10000",
        ),
    ),
    "go_matches": Figure(
        GO, (f"runner.py match uct_agent {GNU_GO} --game go --size 9 --komi 7 --games 100 --seed 0",), ("gnugo",)
    ),
    "go_pachi": Figure(
        GO, (f"runner.py match uct_agent {PACHI} --game go --size 9 --komi 7 --games 60 --seed 1",), ("pachi",)
    ),
    "go_parts": Figure(
        (*GO, "experiments/ablation.py"), ("experiments/ablation.py --games 400 --simulations 300 --workers 2",)
    ),
    "go_parts_by_time": Figure(
        (*GO, "experiments/ablation.py", "experiments/equal_time.py"),
        ("experiments/equal_time.py --games 400 --simulations 300 --workers 2",),
    ),
    "kalah": Figure(
        (*KALAH, "agents/openspiel_agent.py", "benchmarks/kalah.py", "benchmarks/kalah_twin.cpp", *TWINS),
        ("benchmarks/kalah.py", "benchmarks/kalah.py --games 100 --move-time 0.03"),
        ("g++",),
    ),
}


@functools.cache
def code_of(text: str) -> bytes:
    """Python text without docstrings, comments and blank lines, as bytes: these do not make a figure old."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for row in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[row - 1] = ""
    return "\n".join(filter(None, lines)).encode()


def fingerprint(sources: tuple[str, ...], project: Path = PROJECT) -> str:
    """A hash of the code that a figure measures."""
    found = hashlib.sha256()
    left_out = {file for source in sources if source[0] == "!" for file in project.glob(source[1:])}
    for source in (source for source in sources if source[0] != "!"):
        path = project / source
        files = [path] if path.is_file() else sorted(x for x in path.rglob("*") if x.suffix in MEASURED)
        if not files:
            raise FileNotFoundError(f"{path} has no file that is measured")
        for file in (file for file in files if file not in left_out):
            measured = code_of(file.read_text()) if file.suffix == ".py" else file.read_bytes()
            found.update(f"{file.relative_to(project)}\0".encode() + measured)
    return found.hexdigest()[:12]


def state_of(name: str) -> str:
    """Whether a figure is current, older than its code, of other commands, or not measured, as text."""
    path = file_of(name)
    if not path.exists():
        return "not measured"
    figure, text = FIGURES_OF_REPORT[name], path.read_text()
    if not all(re.search(rf"`python {re.escape(command)}( --workers 2)?`", text) for command in figure.commands):
        return "of other commands"
    return "current" if note_of(fingerprint(figure.sources)) in text else "older than its code"


def note_of(mark: str) -> str:
    """The comment in a figure's file that holds the hash of its sources."""
    return f"<!-- sources {mark} -->"


def file_of(name: str) -> Path:
    """The file of a figure, which need not be there."""
    return FIGURES / f"{name}.md"


def with_figures(report: str, document: str = REPORT) -> str:
    """The text of a document with its figures as docs/figures has them.

    Each is between two comments, `figure NAME` and `end of NAME`. Raises ValueError if a figure has no such place.
    """
    for name, figure in FIGURES_OF_REPORT.items():
        path = file_of(name)
        if figure.document != document or not path.exists():
            continue
        begin, end = f"<!-- figure {name} -->\n", f"<!-- end of {name} -->"
        if report.count(begin) != 1 or report.count(end) != 1:
            raise ValueError(f"{document} has no place for {name}: write {begin.strip()} and {end}")
        before, _, rest = report.partition(begin)
        after = rest.partition(end)[2]
        report = f"{before}{begin}\n{path.read_text()}\n{end}{after}"
    return report


def insert() -> None:
    """Write all figures into their documents."""
    for document in dict.fromkeys(figure.document for figure in FIGURES_OF_REPORT.values()):
        path = PROJECT / document
        path.write_text(with_figures(path.read_text(), document))

"""The names that a file imports are found as Python finds them, in any file, without taking long."""

import ast
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.player.imports import Import, imports_of

MB = 1 << 20
PROJECT = Path(__file__).resolve().parents[1]
OURS = sorted(path for folder in ("agents", "simulator", "tests", "go") for path in (PROJECT / folder).rglob("*.py"))
THEIRS = sorted(Path(ast.__file__).parent.glob("*.py"))[::3]

AGAINST_PARSERS = {
    "names": b"import " + b"a." * MB,
    "strings": b'x = f"' + b"{1}" * MB + b'"',
    "quotes": b"'" + b"\\'" * MB,
    "brackets": b"from x import (" * MB,
    "blanks": b"from a import " + b" " * MB + b"b",
    "statements": b";" * MB,
    "words": b"import " * MB,
    "dots": b"from " + b"." * MB + b" import x",
    "lines": b"\\\n" * MB,
    "comments": b"#\n" * MB,
}


def by_parsing(source: bytes) -> set[Import]:
    """What `imports_of` says, from Python's own parser."""
    found = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes in the library's own files
        tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {Import(0, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module or ''}.{alias.name}".strip(".") for alias in node.names)]
            found |= {Import(node.level, name) for name in names if name and not name.endswith("*")}
    return found


def test_of_real_files_just_what_a_parser_finds():
    assert len(OURS) > 100 and len(THEIRS) > 30
    for path in (*OURS, *THEIRS):
        assert set(imports_of(path.read_bytes())) == by_parsing(path.read_bytes()), path


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import a.b as c, d # , e", ["a.b", "d"]),
        ("if x: import a; import b", ["a", "b"]),
        ("from a import (b,  # why\n    c as d,\n)", ["a", "a.b", "a.c"]),
        ("from important import x", ["important", "important.x"]),
        ("from a import *", ["a"]),
        ("from a \\\n import b", ["a", "a.b"]),
        ("x = 'import a'\n'''\nimport b\n'''\n# import c", []),
        ("x = 'it\\'s'; import a", ["a"]),
        ("import a\rimport b\r\nimport c", ["a", "b", "c"]),
        ("\ufeffimport a", ["a"]),
        ("def broken(:\n import a", ["a"]),
        ("from a import ../../etc/passwd", ["a"]),
        ("reimport = important = 1", []),
    ],
)
def test_statements_in_all_their_forms_and_nothing_else(source, names):
    assert [found.name for found in imports_of(source.encode())] == names


@given(st.binary() | st.text("imports from.abc,()'\"\\#\n;:*").map(str.encode))
def test_anything_at_all_has_names_that_lead_nowhere_else(source):
    for level, name in imports_of(source):
        assert level >= 0
        assert all(part.isidentifier() or part.isalnum() or "_" in part for part in name.split("."))
        assert not set(name) & set("/\\\0")


@pytest.mark.parametrize("case", AGAINST_PARSERS)
def test_time_grows_with_the_length_of_a_file_only(case):
    """Quadratic time would be 64 times as much; there is room for a machine that does other things meanwhile."""

    def seconds(length: int) -> float:
        times = []
        for _ in range(3):
            started = time.process_time()
            assert sum(1 for _ in imports_of(AGAINST_PARSERS[case][:length])) < length
            times.append(time.process_time() - started)
        return min(times)

    assert seconds(MB) < 32 * max(seconds(MB // 8), 0.002)

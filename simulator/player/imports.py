"""What a Python file of somebody else imports, found in time and memory proportional to its length.

Not by `ast`, which a file can be written against: of `f"{1}{1}..."`, 1 MB long, Python 3.11 makes a tree in 100 s, and
`import a.a.a...` takes all memory of the machine. What is no Python at all is searched as well as it goes.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

# Strings, comments and joined lines: in them nothing is a statement. All repetitions are possessive, and what is not
# closed ends with its line or the file, so that no character is looked at twice.
_OPAQUE = re.compile(
    r'''
    \#[^\n]*+
    | """ (?: [^"\\]++ | \\. | "(?!"") )*+ (?: """ )?
    | \'{3} (?: [^'\\]++ | \\. | '(?!'') )*+ (?: \'{3} )?
    | " (?: [^"\\\n]++ | \\. )*+ "?
    | ' (?: [^'\\\n]++ | \\. )*+ '?
    | \\\n
    ''',
    re.VERBOSE | re.DOTALL,
)
_STATEMENT = re.compile(r"(?:^|[;:])[ \t\f]*+(import|from)\b([^\n;(]*+)(?:\(([^)]*+))?", re.MULTILINE)
_IMPORT = re.compile(r"\bimport\b")
_DOTTED_NAME = re.compile(r"\w++(?:\.\w++)*+")


class Import(NamedTuple):
    """A dotted name that a file may import; `level` is the number of dots before a relative one, else 0."""

    level: int
    name: str


def imports_of(source: bytes) -> Iterator[Import]:
    """The names that a file may import: of `from a import b`, both `a` and `a.b`.

    >>> list(imports_of(b"import os, my.book as book; from .. import x"))
    [Import(level=0, name='os'), Import(level=0, name='my.book'), Import(level=2, name='x')]
    """
    text = source.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    for statement in _STATEMENT.finditer(_OPAQUE.sub(" ", text)):
        keyword, listed, in_brackets = statement.groups()
        if keyword == "import":
            yield from (Import(0, name) for name in _names(listed))
        else:
            module, *names = _IMPORT.split(listed, 1)
            yield from _from("".join(module.split()), _names(" ".join(names) + (in_brackets or "")))


def _from(module: str, names: list[str]) -> Iterator[Import]:
    base = module.lstrip(".")
    level = len(module) - len(base)
    for name in [base, *(f"{base}.{name}" if base else name for name in names)]:
        if _DOTTED_NAME.fullmatch(name):
            yield Import(level, name)


def _names(listed: str) -> list[str]:
    """The names of a list, without what they are called in the file."""
    words = (part.split() for part in listed.split(","))
    return [found[0] for found in words if found and _DOTTED_NAME.fullmatch(found[0])]

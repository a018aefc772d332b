"""A page for one person: headings, sentences, lines of a log, games to be stepped through; as HTML or as plain text."""

import html
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Literal, NamedTuple

from simulator.gtp.syntax import printable
from simulator.records.file_errors import replacing

HTML = ".html"
SUFFIXES = (HTML, ".txt")  # of files that can be written, each in its own format
_PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>$title</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
body { overflow-wrap: anywhere; }
.lines { background: #f2f1ec; color: #1c1d21; padding: .6rem; overflow-x: auto; }</style>
</head><body>
$body
</body></html>
""")


class Block(NamedTuple):
    """A part of a page.

    Attributes:
        kind: a heading (h1, h2), a sentence (p), lines as somebody wrote them (lines), or HTML, which plain text omits.
    """

    kind: Literal["h1", "h2", "p", "lines", "html"]
    text: str


def as_text(blocks: Iterable[Block]) -> str:
    """The page as plain text; control characters, which agents may have written, become spaces."""
    signs = {"h1": "\n", "h2": "\n", "lines": "  | "}
    shown = ((signs.get(block.kind, "  "), block.text) for block in blocks if block.kind != "html")
    lines = (sign + printable(line) for sign, text in shown for line in text.splitlines())
    return "\n".join(lines).strip("\n") + "\n"


def as_html(blocks: Iterable[Block]) -> str:
    """The page as HTML that loads no other file; texts are never read as markup."""
    shown = list(blocks)
    title = next((html.escape(block.text) for block in shown if block.kind == "h1"), "")
    return _PAGE.substitute(title=title, body="\n".join(map(_element, shown)))


def _element(block: Block) -> str:
    if block.kind == "html":
        return block.text
    if block.kind == "lines":
        return f'<pre class="lines">{html.escape(block.text)}</pre>'
    return f"<{block.kind}>{html.escape(block.text)}</{block.kind}>"


def write_document(blocks: Iterable[Block], path: Path) -> None:
    """Write the page in the format of the file's suffix; an older file is replaced. Raises OSError."""
    text = as_html(blocks) if path.suffix == HTML else as_text(blocks)
    with replacing(path) as stream:
        stream.write(text)

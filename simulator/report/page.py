"""A report's JSON object as a web page, which loads nothing but the files of games beside it.

The data are JSON in a script element that browsers do not run. `<` is escaped there, so that no text of an agent can
end the element. A policy in the page allows its own script and style, by their hashes, and script files from where the
page is; it allows no other request.
"""

import base64
import hashlib
import html
import json
from pathlib import Path
from string import Template
from typing import Any

from simulator.records.file_errors import replacing

FOLDER = Path(__file__).resolve().parent
SCRIPTS = ("dom", "theme", "address", "sorting", "boards", "plots", "tables", "games", "replayer", "main")
PAGE = "index.html"


def write_page(report: dict[str, Any], folder: Path) -> Path:
    """Write the page into a folder, which is made if it is not there; an older page is replaced. Raises OSError."""
    page = folder / PAGE
    with replacing(page) as stream:
        stream.write(page_of(report))
    return page


def page_of(report: dict[str, Any]) -> str:
    """The page for what `page_data.report_json` returned."""
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    scripts = ((FOLDER / "script" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    script = '"use strict";\n{\n' + "\n".join(scripts) + "}\n"
    return Template((FOLDER / "template.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(f"{report['game']['name'].capitalize()}: {Path(report['file']).stem}"),
        policy=_policy(script, style),
        style=style,
        report=embedded(report),
        script=script,
    )


def embedded(content: Any) -> str:
    r"""JSON that can stand in a script element, whatever the texts in it.

    >>> embedded(["</script>"])
    '["\\u003c/script>"]'
    """
    return json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", r"\u003c")


def _policy(script: str, style: str) -> str:
    """What the browser allows: the page's script and style, pictures that are in the page, and the files of games.

    `'self'` is the server of the page; a page that was opened from a disk has no server and needs `file:`.
    """
    scripts = f"{_hash(script)} 'self' file:"
    return f"default-src 'none'; script-src {scripts}; style-src {_hash(style)}; img-src data:; base-uri 'none'"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"

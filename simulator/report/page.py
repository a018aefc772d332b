"""A report's JSON object as a web page, which asks for nothing but the files of games beside it.

Data stand in the page as JSON in a script element that browsers do not run. `<` is written as an escape in it, so that
nothing that an agent says can end the element. A policy in the page allows no request but for scripts from where the
page is, and no other script or style than the page's own, by their hashes.
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
    """Write the page, over an older one, into a folder that is made if it is not there. Raises OSError."""
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
    """What the browser is to allow: the page's script and style, pictures that are in it, and the files of games.

    `'self'` is the server that the page comes from; a page that was opened from a disk has none, but `file:`.
    """
    scripts = f"{_hash(script)} 'self' file:"
    return f"default-src 'none'; script-src {scripts}; style-src {_hash(style)}; img-src data:; base-uri 'none'"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"

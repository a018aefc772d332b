"""A report's JSON object as one web page, which asks for nothing from anywhere.

Data stand in the page as JSON in script elements that browsers do not run: one for the tables, and one for each game,
read when it is opened. `<` is written as an escape in them, so that nothing that an agent says can end such an
element. A policy in the page allows no request, and no script or style but the page's own, by their hashes.
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
    replays = "\n".join(_data(f"game-{number}", replay) for number, replay in report["replays"].items())
    rest = {name: value for name, value in report.items() if name != "replays"}
    return Template((FOLDER / "template.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(f"{report['game']['name'].capitalize()}: {Path(report['file']).stem}"),
        policy=_policy(script, style),
        style=style,
        report=embedded(rest),
        replays=replays,
        script=script,
    )


def _data(name: str, content: Any) -> str:
    return f'<script type="application/json" id="{name}">{embedded(content)}</script>'


def embedded(content: Any) -> str:
    r"""JSON that can stand in a script element, whatever the texts in it.

    >>> embedded(["</script>"])
    '["\\u003c/script>"]'
    """
    return json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", r"\u003c")


def _policy(script: str, style: str) -> str:
    """What the browser is to allow: the page's script and style, and pictures that are in it."""
    return f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; base-uri 'none'"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"

"""A game as HTML in which one can step from move to move, without other files: for notebooks and students' pages.

Event handlers are attributes of the elements, so that several games in one page do not disturb each other.
"""

import html
from collections.abc import Sequence

from board_view import PAGE_STYLE
from game import Position

_SLIDER = "this.parentNode.querySelector('input')"
_SHOW = (
    "const game = this.closest('.unforced-game'), rows = (name) => game.querySelector(name).textContent.split('\\n'),"
    " lines = rows('.unforced-lines'), ply = rows('.unforced-plies')[this.value].split(' ');"
    " game.querySelector('.unforced-ply').innerHTML = ply.map((line) => lines[line]).join('\\n')"
)
_HTML = """<div class="unforced-game"><p>
<button type="button" aria-label="One move back" onclick="{slider}.stepDown();{slider}.oninput()">&#9664;</button>
<input type="range" min="0" max="{last}" value="{last}" aria-label="Move" oninput="{show}">
<button type="button" aria-label="One move on" onclick="{slider}.stepUp();{slider}.oninput()">&#9654;</button></p>
<div class="unforced-ply">{shown}</div>
<pre class="unforced-lines" hidden>{lines}</pre><pre class="unforced-plies" hidden>{plies}</pre></div>"""


def stepper(positions: Sequence[Position], agents: Sequence[str], opening: int) -> str:
    """All positions of a game as HTML with a slider; the last position is shown first.

    A board is written as numbers of lines of HTML, each line once, because a move changes few lines.

    Args:
        positions: all of them, in the order of the game.
        agents: names of the players 0 and 1.
        opening: how many moves were played before the agents took over.
    """
    last = len(positions) - 1
    numbers: dict[str, int] = {}
    plies, shown = [], ""
    for number, position in enumerate(positions):
        game, caption = position.game, f"Move {number} of {last}"
        if number:
            mover = positions[number - 1].to_move
            who = f"{agents[mover]} ({game.players[mover]})" if number > opening else "the opening"
            caption += f": {who} played {game.format_move(position.last_move)}"
        shown = f"<p>{html.escape(caption)}</p>\n{game.board_html(position)}"
        plies.append(" ".join(str(numbers.setdefault(line, len(numbers))) for line in shown.split("\n")))
    lines = html.escape("\n".join(numbers), quote=False)
    content = {"last": last, "shown": shown, "lines": lines, "plies": "\n".join(plies)}
    return PAGE_STYLE + _HTML.format(slider=_SLIDER, show=_SHOW, **content)

"""A game to be stepped through, as HTML that asks for no other file: for notebooks, and for pages of one student.

Handlers stand in the elements themselves, so that several games in a page do not know of each other.
"""

import html
from collections.abc import Sequence

from board_view import PAGE_STYLE
from game import Position

_SLIDER = "this.parentNode.querySelector('input')"
_HTML = """<div class="unforced-game"><p>
<button type="button" onclick="{slider}.stepDown();{slider}.oninput()">&#9664;</button>
<input type="range" min="0" max="{last}" value="{last}" aria-label="Move" oninput="[...this.closest('.unforced-game')
 .querySelectorAll('.unforced-ply')].forEach((ply, i) => ply.style.display = i == this.value ? '' : 'none')">
<button type="button" onclick="{slider}.stepUp();{slider}.oninput()">&#9654;</button></p>
{plies}</div>"""


def stepper(positions: Sequence[Position], agents: Sequence[str], opening: int) -> str:
    """All positions of a game, the last one shown, with a slider.

    Args:
        positions: the one at the start first.
        agents: names of the players 0 and 1.
        opening: how many moves were played before the agents took over.
    """
    last, plies = len(positions) - 1, []
    for number, position in enumerate(positions):
        game, caption = position.game, f"Move {number} of {last}"
        if number:
            mover = positions[number - 1].to_move
            who = f"{agents[mover]} ({game.players[mover]})" if number > opening else "the opening"
            caption += f": {who} played {game.format_move(position.last_move)}"
        hidden = "" if number == last else ' style="display:none"'
        board = game.board_html(position)
        plies.append(f'<div class="unforced-ply"{hidden}><p>{html.escape(caption)}</p>{board}</div>')
    return PAGE_STYLE + _HTML.format(slider=_SLIDER, last=last, plies="\n".join(plies))

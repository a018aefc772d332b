"""A report of an opening book as text: the first moves by value, positions and proofs by ply."""

from collections import Counter
from collections.abc import Iterator

from agents.book import Key
from learning.book import MARGIN, Judged, OpeningBook

LINE_SHOWN = 6  # moves


def render(book: OpeningBook, margin: float = MARGIN) -> str:
    """The whole report."""
    judged = book.judged()
    if book.start not in judged:
        return "The initial position was not searched yet."
    return "\n".join([*_summary(book, judged), "", *_first_moves(book, judged, margin), "", *_plies(book, judged)])


def _summary(book: OpeningBook, judged: dict[Key, Judged]) -> Iterator[str]:
    start, searched = judged[book.start], book.searched.values()
    simulations, seconds = (
        sum(numbers) for numbers in zip(*((s.simulations, s.seconds) for s in searched), strict=True)
    )
    proved = f", a proved {start.proven}" if start.proven else ""
    yield f"{len(searched):,} positions, {simulations:,} simulations in {seconds / 3600:.2f} hours of one core"
    yield f"The initial position is worth {start.value:.3f} for the player to move{proved}."


def _first_moves(book: OpeningBook, judged: dict[Key, Judged], margin: float) -> Iterator[str]:
    """A table of the first moves, one row for moves that are mirror images; a star marks those that the book plays."""
    played = {opinion.reply.key for opinion in judged[book.start].choices(margin)}
    first = {opinion.reply.key: opinion for opinion in reversed(judged[book.start].opinions)}
    seconds = book.seconds()
    yield "first move    value  searched before  seconds  proved  line"
    for opinion in sorted(first.values(), key=lambda opinion: opinion.rank, reverse=True):
        reply = opinion.reply
        line = " ".join(book.line(reply.key, judged)[:LINE_SHOWN])
        yield (
            f"{reply.move + ('*' if reply.key in played else ''):<11}{opinion.value:>8.3f}{reply.value:>17.3f}"
            f"{seconds.get(reply.key, 0):>9.1f}{opinion.outcome or '-':>8}  {line}".rstrip()
        )


def _plies(book: OpeningBook, judged: dict[Key, Judged]) -> Iterator[str]:
    """How many positions of each ply there are, and how many of them are proved won, drawn and lost for the mover."""
    plies = Counter(found.ply for found in book.searched.values())
    proved = Counter((found.ply, judged[found.key].proven) for found in book.searched.values())
    yield "ply  positions  won  drawn  lost"
    for ply, count in sorted(plies.items()):
        won, drawn, lost = (proved[ply, outcome] for outcome in ("win", "draw", "loss"))
        yield f"{ply:>3}{count:>11,}{won:>5}{drawn:>7}{lost:>6}"

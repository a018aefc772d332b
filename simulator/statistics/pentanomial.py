"""Pairs of games: one opening, played from both sides. Two games count together, or not at all."""

from collections.abc import Iterator, Sequence

from simulator.referee.game_record import GameRecord, Reason


def points_of(record: GameRecord, player: int) -> float:
    """1, 0.5 or 0."""
    winner = record.verdict.winner
    return 0.5 if winner is None else float(winner == player)


def pairs_of(records: Sequence[GameRecord]) -> Iterator[tuple[GameRecord, GameRecord]]:
    """The finished pairs of a match, whose games lie in the order in which they were scheduled.

    A pair in which a game is void is none.
    """
    for first, second in zip(records[::2], records[1::2], strict=False):
        sides_swapped = first.agents == second.agents[::-1] and first.opening == second.opening
        if sides_swapped and Reason.VOID not in (first.verdict.reason, second.verdict.reason):
            yield first, second


def pair_counts(name: str, records: Sequence[GameRecord]) -> list[int]:
    """How many pairs brought an agent 0, 0.5, 1, 1.5 and 2 points."""
    counts = [0] * 5
    for pair in pairs_of(records):
        counts[round(2 * sum(points_of(record, record.agents.index(name)) for record in pair))] += 1
    return counts


def all_in_pairs(records: Sequence[GameRecord]) -> bool:
    """Whether there are games, and each is half of a finished pair."""
    return bool(records) and 2 * sum(1 for _ in pairs_of(records)) == len(records)

"""Seeds: the system or a person gives that of a match, and all others follow from it and cannot lead back."""

import hmac
import secrets

DRAWN_BITS = 128  # of a match's seed
DERIVED_BITS = 63  # of a pair's, a game's and an agent's: more than can be tried, and it fits a column of SQLite


def drawn_seed() -> int:
    """A seed that nobody can foresee."""
    return secrets.randbits(DRAWN_BITS)


def derived_seed(seed: int, use: str) -> int:
    """The seed for a use of a match, a pair or a game with a seed: HMAC-SHA-256 with that as the key.

    From it neither the key nor the seed for another use can be computed, unless the key can be guessed.
    """
    digest = hmac.digest(str(seed).encode(), use.encode(), "sha256")
    return int.from_bytes(digest) & (1 << DERIVED_BITS) - 1


def game_seed(seed: int | None, number: int) -> int:
    """The seed of the game of a number (from 1) of a pair or series with a seed; a new one where that has none."""
    return derived_seed(drawn_seed() if seed is None else seed, f"game {number}")

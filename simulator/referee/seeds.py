"""Seeds: a person or the system gives the seed of a match. All others follow from it, and none of them reveals it."""

import hmac
import secrets

DRAWN_BITS = 128  # of a match's seed
DERIVED_BITS = 63  # of the seed of a pair, a game or an agent: too many to try all, and they fit a column of SQLite


def drawn_seed() -> int:
    """A random seed of DRAWN_BITS bits, which nobody can foresee."""
    return secrets.randbits(DRAWN_BITS)


def derived_seed(seed: int, use: str) -> int:
    """The seed for one use within a match, pair or game: HMAC-SHA-256 of `use` with `seed` as the key.

    From it, neither `seed` nor the seed for another use can be computed, unless `seed` can be guessed.
    """
    digest = hmac.digest(str(seed).encode(), use.encode(), "sha256")
    return int.from_bytes(digest) & (1 << DERIVED_BITS) - 1


def game_seed(seed: int | None, number: int) -> int:
    """The seed of game `number` (from 1) in a pair or series with `seed`; a random one if `seed` is None."""
    return derived_seed(drawn_seed() if seed is None else seed, f"game {number}")

"""The memory of a search that makes an object for each node: what is garbage, and how much there is in all.

Python's collector looks through all objects whenever there are a quarter more of them, which takes most of the time of
a search that makes hundreds of thousands, and up to half a second at once, on the clock. Here it looks often, and each
time through those only that were made since the last time: the others are frozen. Frozen ones that nobody refers to
are freed as ever, unless they refer to each other; for those there is `begin`.
"""

import gc

from agents.process_memory import held_bytes, resident_bytes

SHARE = 0.75  # of the memory limit: what a process may hold when its tree ends growing, for the rest is not counted
TIDY_SHARE = 0.5  # of what there is room for: with more than that, a search begins with a look through all objects
LOOKS = 20  # at the clock, for one at the memory, which takes a tenth of a millisecond


class Heap:
    """The objects of this process under a limit in bytes."""

    def __init__(self, limit: int) -> None:
        self._most = SHARE * limit
        self._much = (1 - TIDY_SHARE) * resident_bytes() + TIDY_SHARE * self._most
        self._looks = 0

    def begin(self) -> None:
        """Let what there is be, but for garbage where much memory is held."""
        if resident_bytes() > self._much:
            gc.unfreeze()
            held_bytes()
        gc.freeze()

    def is_full(self) -> bool:
        """Free what has become garbage lately; whether as much is held as may be."""
        gc.collect()
        gc.freeze()
        self._looks += 1
        return self._looks % LOOKS == 0 and resident_bytes() > self._most

    def close(self) -> None:
        """Leave objects to Python's collector again."""
        gc.unfreeze()

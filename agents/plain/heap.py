"""The memory of a search that makes an object for each node: collecting garbage, and how much memory there is.

Python's collector looks through all objects whenever there are a quarter more of them. If a search makes hundreds of
thousands, this takes most of its time, and up to half a second at once, on the clock. Here the collector looks often,
but only through the objects that were made since the last time: the others are frozen. Frozen objects that nobody
refers to are freed as ever, unless they refer to each other; `begin` is there for those.
"""

import gc

from agents.process_memory import held_bytes, resident_bytes

SHARE = 0.75  # of the memory limit: if the process holds more, the tree stops growing; the rest is a margin
TIDY_SHARE = 0.5  # of the room for a tree: if more is used, a search begins with a look through all objects
LOOKS = 20  # looks at the clock for one look at the memory, which takes a tenth of a millisecond


class Heap:
    """The objects of this process under a limit in bytes."""

    def __init__(self, limit: int) -> None:
        self._most = SHARE * limit
        self._much = (1 - TIDY_SHARE) * resident_bytes() + TIDY_SHARE * self._most
        self._looks = 0

    def begin(self) -> None:
        """Freeze all objects; if the process holds much memory, collect the garbage among them first."""
        if resident_bytes() > self._much:
            gc.unfreeze()
            held_bytes()
        gc.freeze()

    def is_full(self) -> bool:
        """Free what has become garbage lately; at every LOOKS-th call, returns whether the memory is used up."""
        gc.collect()
        gc.freeze()
        self._looks += 1
        return self._looks % LOOKS == 0 and resident_bytes() > self._most

    def close(self) -> None:
        """Leave objects to Python's collector again."""
        gc.unfreeze()

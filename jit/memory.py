"""Arrays for compiled code."""

from typing import Any

import numpy as np

CACHE_LINE = 64  # bytes


def aligned_zeros(count: int, dtype: Any) -> np.ndarray:
    """An array of `count` zeros that begins at a cache line; every page of its memory has been touched.

    numpy's own arrays begin at any multiple of 16 bytes: then a record of 32 bytes lies in two lines half the time, and
    a row of 256 bytes in five instead of four.
    """
    size = count * np.dtype(dtype).itemsize
    memory = np.empty(size + CACHE_LINE, np.uint8)
    memory.fill(0)
    first = -memory.ctypes.data % CACHE_LINE
    return memory[first : first + size].view(dtype)

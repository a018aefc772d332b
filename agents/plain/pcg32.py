"""Random numbers in plain Python: PCG32, the same as `jit/random_numbers.py` has for compiled code."""

_MULTIPLIER = 6364136223846793005
_MASK = (1 << 64) - 1


class Pcg32:
    """PCG32, XSH-RR 64/32 (O'Neill 2014), begun as `jit.new_rng` begins it."""

    def __init__(self, seed: int, sequence: int = 54) -> None:
        self._increment = (sequence << 1 | 1) & _MASK
        self._state = ((self._increment + seed) * _MULTIPLIER + self._increment) & _MASK

    def bits(self) -> int:
        """32 random bits."""
        state = self._state
        self._state = (state * _MULTIPLIER + self._increment) & _MASK
        word, turn = (state >> 18 ^ state) >> 27 & 0xFFFFFFFF, state >> 59
        return (word >> turn | word << (-turn & 31)) & 0xFFFFFFFF

    def below(self, n: int) -> int:
        """A random number below n <= 2^32."""
        return self.bits() * n >> 32

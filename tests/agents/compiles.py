"""Compiles a function of its own with numba in `setup`, and prints whether the cache already held it."""

from numba import njit

from agents import Agent, register_agent


@njit(cache=True)
def double(number):
    return 2 * number


@register_agent("compiling_agent")
class Compiling(Agent):
    def setup(self):
        double(21)
        print(f"found {sum(double.stats.cache_hits.values())}, compiled {sum(double.stats.cache_misses.values())}")

    def step(self, position, clock):
        return position.legal_moves()[0]

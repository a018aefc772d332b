"""The sandbox around an agent's processes, which enforces its limits; each mechanism has a module of its own.

Begin reading at `sandbox.py`, which has all of it around one agent, then at `isolation.py`: what this system has, and
so which mechanism enforces which limit.
"""

"""The commands of `runner.py`, one module each: a module parses, calls and prints, and is imported when it is named.

What they share is in `parameters.py` and `errors.py`. What is heavy to import is imported inside functions, so that
`--help`, which asks every module for its first sentence, answers at once.
"""

"""The commands of `runner.py`, one module each: a module parses, calls and prints, and is imported when it is named.

`parameters.py` and `errors.py` have what they share. Heavy modules are imported inside functions: `--help` asks every
command for its first sentence, and has to answer at once.
"""

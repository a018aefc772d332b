"""The commands of `runner.py`, one module each: it reads the command line, calls functions and prints the result.

`parameters.py` and `errors.py` have what the commands share. Heavy modules are imported inside functions, because
`--help` imports every command and has to answer at once.
"""

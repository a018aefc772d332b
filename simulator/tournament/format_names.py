"""The names of formats, apart from `formats.py`: a command line that lists them should not wait for more."""

FORMATS = ("round-robin", "gauntlet", "swiss", "course")

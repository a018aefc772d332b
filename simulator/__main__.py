"""`python -m simulator`: a command line, as `runner.py` is, so it may import from `commands/`, above this package."""

from commands.course import course

if __name__ == "__main__":
    course()

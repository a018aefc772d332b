"""`python -m simulator`: a command line, as `runner.py` is, so it may import from `commands/`, above this package."""

from commands.course_simulator import course_simulator

if __name__ == "__main__":
    course_simulator()

"""`python -m simulator`: a door of the house, as `runner.py` is, so it may import from the floor above this package."""

from commands.course import course

if __name__ == "__main__":
    course()

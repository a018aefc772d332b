"""What the command lines of benchmarks and experiments refuse, and how."""

import argparse

import pytest

from benchmarks.command_line import duration, natural, positive, run_script
from options import InputError


def test_numbers_in_bounds_are_read():
    assert (natural("0"), positive("1"), duration("0.5")) == (0, 1, 0.5)


@pytest.mark.parametrize(
    ("read", "text"), [(natural, "-1"), (positive, "0"), (duration, "0"), (duration, "nan"), (duration, "inf")]
)
def test_others_are_refused(read, text):
    with pytest.raises(argparse.ArgumentTypeError, match=text):
        read(text)


def test_a_mistake_of_the_user_ends_a_script_in_one_line():
    def main():
        raise InputError("no game is called 'chess'")

    with pytest.raises(SystemExit, match=r"^error: no game is called 'chess'$"):
        run_script(main)

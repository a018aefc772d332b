"""What the command lines of benchmarks and experiments refuse, and how."""

import argparse
import signal
import subprocess
import sys

import pytest

from benchmarks.command_line import duration, natural, positive, run_script
from game import load_game
from options import Failure, InputError
from studies.gtp_engine import GtpEngine
from tests.programs import PROJECT, interrupted, read_until

POOL = """
import time
from benchmarks.command_line import run_script
from learning.workers import Workers

def main():
    with Workers(2) as workers:
        for _ in workers.results(time.sleep, ((seconds,) for seconds in (0, *[5] * 40))):
            print("played", flush=True)

run_script(main)
"""


def test_numbers_in_bounds_are_read():
    assert (natural("0"), positive("1"), duration("0.5")) == (0, 1, 0.5)


@pytest.mark.parametrize(
    ("read", "text"), [(natural, "-1"), (positive, "0"), (duration, "0"), (duration, "nan"), (duration, "inf")]
)
def test_others_are_refused(read, text):
    with pytest.raises(argparse.ArgumentTypeError, match=text):
        read(text)


def test_an_engine_that_ends_is_named_with_what_it_was_asked():
    with pytest.raises(Failure, match="'true' did not answer boardsize 9, clear_board, komi 7: EngineClosed"):
        GtpEngine("true", load_game("go", size=9, komi=7))


def test_a_mistake_of_the_user_ends_a_script_in_one_line():
    def main():
        raise InputError("no game is called 'chess'")

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit, match=r"^error: no game is called 'chess'$"):
        run_script(main)
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_script_and_its_workers_at_once(sent):
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", POOL], cwd=PROJECT, stdout=pipe, stderr=pipe, text=True) as script:
        read_until(script, "stdout", "played")
        assert interrupted(script, sent) == ("", "")

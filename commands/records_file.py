"""What the commands that read finished games have in common: the file, and what is wrong with it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from commands.errors import FAILURE, errors_for_people

RECORDS = click.argument("records", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))


@contextmanager
def records_errors() -> Iterator[None]:
    """As `errors_for_people`; a file without the games that are wanted becomes a message and exit code 2, too.

    A reader of stdout that has gone, as `head` does, ends the program without a word.
    """
    from simulator.records.database import StoreError
    from simulator.records.reader import GamesError

    with errors_for_people():
        try:
            yield
        except (GamesError, StoreError) as error:
            raise click.UsageError(str(error)) from error
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to be flushed goes there
            sys.exit(FAILURE)

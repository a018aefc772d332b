"""Commands in this process, as a person types them."""

import shlex

from click.testing import CliRunner, Result

import runner
from commands.course_simulator import course_simulator


def invoke(*arguments: object, text: str | None = None) -> Result:
    """Run `runner.py` with these arguments; if the first is `simulator`, run `python -m simulator` instead."""
    words = list(map(str, arguments))
    if words[0] == "simulator":
        return CliRunner().invoke(course_simulator, words[1:], input=text, prog_name="python -m simulator")
    return CliRunner().invoke(runner.main, words, input=text)


def typed(line: str, *more: object) -> Result:
    """Run a line, split into words as a shell does."""
    return invoke(*shlex.split(line), *more)


def said(result: Result) -> str:
    """All that was printed, on one line."""
    return " ".join(result.output.split())

"""Printing texts as they are, whoever wrote them: nothing that an agent says is read as markup or an emoji."""

from rich.console import Console
from rich.text import Text


def plain_console(*, stderr: bool = False) -> Console:
    """The terminal, or the pipe in its place; texts that are printed on it have no markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def print_line(console: Console, line: str | Text) -> None:
    """A line as it is: wrapped between words on a terminal, whole for programs that read lines."""
    console.print(Text(line) if isinstance(line, str) else line, soft_wrap=not console.is_terminal)

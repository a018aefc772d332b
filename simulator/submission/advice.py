"""Advice on how to correct a fault, from what the referee or an agent's traceback says about it."""

import os
import re
from collections import Counter
from collections.abc import Sequence

from simulator import command_line
from simulator.player.faults import AGENT_FAILED, Reason
from simulator.submission.environment import is_of_course, own_modules
from simulator.submission.files import Submission
from simulator.submission.findings import Finding, fault

LAST_LINES = 8  # so many are quoted of a log without a traceback
MOST_QUOTED = 20  # lines

DEFINE_STEP = f"define `def step(self, position, clock)` in your class; docs/api.md and `{command_line('new')}` show it"
DEBUG = f"play it with `{command_line('debug')}`, where print, breakpoint() and --pdb work"
IN_THIS_PROCESS = "do it in this process, perhaps in threads: most systems refuse an agent other processes"
WRITE_NOTHING = "write nothing: keep what you need in attributes (self.table = ...)"
MOST_FRAMES = 8  # if a stack has so many frames of one line of code, that line calls itself
FEWER_THREADS = "begin fewer threads and processes: there is one processor"
IN_SETUP = "at the top of the file or in `setup`: after the first move files can no longer be read"
RETURN_LEGAL = "return one of position.legal_moves() itself, of the position that `step` was given"


# Regular expressions for the texts of errors, and advice for each. The first that matches counts; {0} is its group.
_ERRORS = (
    (r"IndentationError|TabError", "indent the line that the caret points at with spaces, as its neighbours are"),
    (r"null bytes|Non-UTF-8 code|invalid utf-8|can't decode byte", "save the file as plain text in UTF-8"),
    (r"SyntaxError", "correct the line that the caret points at"),
    (r"is no name for an agent", 'register a name such as @register_agent("ann_agent")'),
    (r"the name '(\w+)' is taken", "register another name than {0}: that one is an agent of the project"),
    (r"registers no agent", 'write @register_agent("ann_agent") above your class, which is a subclass of Agent'),
    (r"registers \d+ agents", "leave @register_agent above one class only"),
    (r"is not a subclass of", "write `class AnnAgent(Agent):` with `from agents import Agent`"),
    (r"is that of another game|is written for the course's frameworks", "check it with the --game it is written for"),
    (r"has no method `step`|lacks `self`", DEFINE_STEP),
    (r"step\(\) (?:takes|missing|got)", f"the course's other simulators call `step` differently: {DEFINE_STEP}"),
    (r"setup\(\) (?:takes|missing|got)", "define `def setup(self)`: it gets nothing else"),
    (
        r"__init__\(\) (?:takes|missing|got)|no attribute '(?:limits|options|rng)'",
        "leave `__init__` out, and do in `setup(self)` what it did",
    ),
    (r"breakpoint\(\) cannot stop", f"take breakpoint() out; `{command_line('debug')}` is the place for it"),
    (r"EOFError: EOF when reading a line", "take input() out: nobody sits at a keyboard"),
    (
        r"Ran out of input|No data left in file|end-of-stream marker",
        "a file of yours is empty or cut off: write it anew",
    ),
    (r"EOFError(?!:)", IN_THIS_PROCESS),  # from multiprocessing
    (r"writable cache directory", "leave the package out: it wants a folder to write to, and no agent has one"),
    (r"attempted relative import", "import the modules of your folder without a dot: `import table`"),
    (r"No module named '(\w+)'", "put {0} into your folder, or do without: a tournament installs nothing for an agent"),
    (
        r"cannot import name '(\w+)'",
        "look whether the other file has {0}, spelled like this, and whether two files import each other",
    ),
    (
        r"No such device or address: '/dev/std",
        "use sys.stdin, sys.stdout and sys.stderr: files of these names cannot be opened",
    ),
    (r"No such file or directory: '(?!/)", 'build the path from your file: Path(__file__).parent / "weights.npz"'),
    (r"No such file or directory: '/(?:psm_|dev/shm)", IN_THIS_PROCESS),
    (r"No such file or directory: '(/[^']+)'", "put {0} into your folder, and build the path from Path(__file__)"),
    (r"not start other processes|multiprocessing's pools", IN_THIS_PROCESS),
    (r"Read-only file system|File too large|usable temporary directory|unable to open database", WRITE_NOTHING),
    (r"PermissionError", "do without the network, other processes and files to write: a game is played alone"),
    (r"MemoryError", "use less memory: arrays of smaller types, fewer nodes"),
    (r"RecursionError", "use a loop in place of the recursion, or bound its depth"),
    (r"can't start new thread|BlockingIOError", FEWER_THREADS),
    (
        r"a must be 1-dimensional",  # from np.random.choice
        "write self.rng.choice(moves) or random.choice(moves): numpy takes a list of tuples for a table",
    ),
    (r"SystemExit", "take exit() out: return a move, or raise an error that says what is wrong"),
    (
        r"KeyError|IndexError|AttributeError|TypeError|ValueError|NameError|ZeroDivisionError",
        f"correct the line; {DEBUG}",
    ),
)

_BY_REASON: dict[Reason, str] = {
    Reason.TIMEOUT: "look at clock.remaining inside your loops, and return the best move so far before it is 0",
    Reason.ILLEGAL: RETURN_LEGAL,
    Reason.MEMORY: "free what is no longer needed, bound tables and trees, and use small types (np.float32, np.int8)",
    Reason.FILES: "close files in `setup`, by `with open(...)`; load arrays whole, without mmap_mode",
    Reason.PROCESSOR: "let no thread work after `step` has returned, and begin no other processes",
    Reason.CRASH: DEBUG,
}

_IN_COURSE_WORDS = (  # a file of the course's frameworks has no `setup`, no clock and no position
    (
        _BY_REASON[Reason.TIMEOUT],
        "look at time.time() inside your loops, and return the best move so far within the limit",
    ),
    (RETURN_LEGAL, "return a legal move on the board that `step` was given, as helpers.get_valid_moves lists them"),
    (DEFINE_STEP, "define `step` as the framework's student_agent.py does"),
    ("leave `__init__` out, and do in `setup(self)` what it did", "define `def __init__(self)`: it gets nothing else"),
    ("in `setup`", "in `__init__`"),
    ("clock.remaining is still 0.1 or more", "0.1 s or more are left by time.time()"),
)

_VERDICTS = (
    (r"^it lost on time", "load and compute less at the top of the file and in `setup`: the first move waits for them"),
    (r"^it used too much memory", _BY_REASON[Reason.MEMORY]),
    (r"made an illegal move.*'None'", "return a move on every path through `step`: without `return` it gives None"),
    (r"made an illegal move.*is taken", f"that cell is not free: {RETURN_LEGAL}"),
    (r"made an illegal move.*can't read", f"that is no move at all: {RETURN_LEGAL}"),
    (
        r"SIGSEGV|SIGABRT|SIGBUS",
        "compiled code went outside an array: check its indices, in numba with boundscheck=True",
    ),
    (r"stayed in its own folder", "leave os.chdir() out, or end `setup` with os.chdir('/')"),
    (r"still ran a program", IN_THIS_PROCESS),
    (r"raised between its moves", "switch timers off before `step` returns: signal.setitimer(signal.ITIMER_REAL, 0)"),
    (r"had too many processes and threads", FEWER_THREADS),
    (r"ended with exit status", "take os._exit() and sys.exit() out"),
    (r"it printed \d+ MB", "print less: an agent waits until what it prints was taken"),
    (r"closed its output|broke the protocol", "leave the descriptors 0, 1 and 2 alone; print() is fine"),
)


def finding_of(reason: Reason, text: str, log: Sequence[str], submission: Submission) -> Finding:
    """A fault of a submission, with advice on it and the lines of the log that show it."""
    quoted = _traceback_in(log, submission)
    advice = in_words_of(submission, advice_for(reason, text, log, submission))
    return fault(submission.shown(text), advice, quoted)


def in_words_of(submission: Submission, advice: str) -> str:
    """Advice in the terms of a submission: for the course's frameworks, in those of the course."""
    return in_course_words(advice) if is_of_course(submission) else advice


def in_course_words(advice: str) -> str:
    """Advice in the terms of the course's frameworks."""
    for ours, theirs in _IN_COURSE_WORDS:
        advice = advice.replace(ours, theirs)
    return advice


def advice_for(reason: Reason, text: str, log: Sequence[str], submission: Submission) -> str:
    """Advice on a fault, from its sentence, the agent's log, and the submission's files."""
    if reason is Reason.CRASH:
        frames = Counter(line for line in log if line.startswith("  File "))
        recursion = "RecursionError" if "SIGSEGV" in text and max(frames.values(), default=0) >= MOST_FRAMES else ""
        error = "\n".join([text, *log[-3:], recursion])
        if found := _about_own_files(error, submission) or _first(_ERRORS, error):
            return found
    return _first(_VERDICTS, text) or _BY_REASON[reason]


def _about_own_files(error: str, submission: Submission) -> str:
    """Advice on a module or file of the submission's folder that was not found; empty for other errors."""
    module = re.search(r"No module named '((\w++)[\w.]*+)'", error)
    if module and module[2] in own_modules(submission.files):
        return f"import {module[1]} {IN_SETUP}"
    if module and module[2] == submission.name:
        return "import the modules of your folder without the folder's name: `import table`"
    file = re.search(rf"No such file or directory: '{re.escape(str(submission.folder))}/([^']+)'", error)
    if file is None:
        return ""
    name = file[1]
    if any(own.is_relative_to(name) for own in submission.files):
        return f"load {name} {IN_SETUP}"
    if submission.path.suffix == ".py" and os.path.exists(submission.path.parent / name):
        return f"submit the folder: of a single file, only the modules that it imports come along, not {name}"
    return f"put {name} into your folder, and load it {IN_SETUP}"


def _first(rules: Sequence[tuple[str, str]], text: str) -> str:
    for pattern, advice in rules:
        if match := re.search(pattern, text):
            return advice.replace("{0}", match[match.lastindex or 0])
    return ""


def _traceback_in(log: Sequence[str], submission: Submission) -> tuple[str, ...]:
    """The last traceback of a log, with only the frames in the agent's own files; without one, the log's last lines."""
    starts = [i for i, line in enumerate(log) if line.startswith(("Traceback (most", "Current thread", "Thread 0x"))]
    begin = starts[-1] if starts else max(0, len(log) - LAST_LINES)
    if starts and not log[begin].startswith("Traceback"):
        begin = next(i for i in starts if not log[i].startswith("Traceback"))  # stacks of all threads
    kept, is_own = list[str](), True
    for line in log[begin:]:
        if line.startswith("  File "):
            is_own = str(submission.folder) in line
        elif not line.startswith("    "):
            is_own = True
        if is_own and not (starts and line.startswith(AGENT_FAILED)):  # which repeats the last line of the traceback
            kept.append(submission.shown(line))
    return tuple(kept[-MOST_QUOTED:])

"""Submissions with the mistakes that students make, written into a folder when a test asks for one."""

from pathlib import Path

FIRST = "return position.legal_moves()[0]"
AGENT = """\
import ctypes, os, signal, socket, subprocess, sys, time
from contextlib import suppress
from pathlib import Path

import numpy as np
from agents import Agent, register_agent

@register_agent("{name}")
class Mine(Agent):
    {before}
    def step(self, position, clock):
        {step}
"""


def agent(step: str = FIRST, name: str = "my_agent", before: str = "", after: str = "") -> str:
    """An agent's file with this body of `step`, these methods before it, and this code after the class."""
    return AGENT.format(name=name, before=before, step=step) + after


def setup(deed: str) -> str:
    """An agent's file whose `setup` does this."""
    return agent(before=f"def setup(self):\n        {deed}\n")


def later(deed: str) -> str:
    """The body of a `step` that does this from the agent's second move on, and plays the first legal move."""
    return f"if position.ply >= 2:\n            {deed}\n        {FIRST}"


TIMER = (
    "def setup(self): signal.signal(signal.SIGALRM, self.end)\n"
    "    def end(self, number, frame): raise TimeoutError('time is over')"
)
# By name: the files of a submission, or the text of its agent.py alone.
SUBMISSIONS: dict[str, str | dict[str, str]] = {
    "asks_the_keyboard": agent("return self.game.parse_move(input('Your move: '), position)"),
    "bad_name": agent(name="superbot"),
    "begins_programs": agent(f"with suppress(OSError): subprocess.run(['/bin/true'], check=False)\n        {FIRST}"),
    "breaks_python": agent(later("ctypes.string_at(0)")),
    "calls_home": agent(
        f"with suppress(OSError): socket.create_connection(('192.0.2.1', 80), timeout=0.1)\n        {FIRST}"
    ),
    "changes_folder": setup("os.chdir(Path(__file__).parent)"),
    "constructor_alone": agent("return self.rng.choice(position.legal_moves())", before="def __init__(self, *_): pass"),
    "constructor_of_its_own": agent(before="def __init__(self): self.name = 'mine'"),
    "ends_its_process": agent(later("os._exit(0)")),
    "exits_in_import": agent(after="sys.exit('this machine has no GPU')\n"),
    "folder_too_high": {"src/agent.py": agent()},
    "hangs": agent(later("while True: time.sleep(0.01)")),
    "hangs_in_import": agent(after="while True: time.sleep(0.01)\n"),
    "hides_a_module": {"agent.py": agent(), "game.py": ""},
    "imports_late": {"agent.py": agent(later("import opening_book")), "opening_book.py": ""},
    "imports_by_its_folder": {"agent.py": f"from imports_by_its_folder import table\n{agent()}", "table.py": ""},
    "indentation": "from agents import Agent\n\nclass Mine(Agent):\npass\n",
    "keeps_a_file_open": setup("self.file = Path(__file__).open()"),
    "late": agent(later("time.sleep(clock.remaining + 0.3)")),
    "leaves_a_timer_on": agent(f"signal.setitimer(signal.ITIMER_REAL, 0.2)\n        {FIRST}", before=TIMER),
    "missing_package": f"import deep_thought\n{agent()}",
    "no_agent_file": {"notes.txt": ""},
    "no_agent_but_zips": {"ann.zip": "", "bob.zip": ""},
    "no_step": agent().replace("def step", "def move"),
    "no_subclass": agent().replace("(Agent)", ""),
    "opens_late": {
        "agent.py": agent(later("self.book = (Path(__file__).parent / 'book.txt').read_text()")), "book.txt": "",
    },
    "numpy_chooses": agent("return np.random.choice(position.legal_moves())"),
    "other_signature": agent().replace("position, clock", "chess_board, my_pos, adv_pos, max_step"),
    "path_of_its_author": setup("self.weights = Path('/home/ann/weights.npz').read_bytes()"),
    "plays_on_a_stone": agent(
        "self.move = getattr(self, 'move', position.legal_moves()[0])  # free once\n        return self.move"
    ),
    "raises": agent("return position.legal_moves()[0 if position.ply < 2 else 10_000]"),
    "reads_late": {
        "agent.py": agent(
            f"with suppress(OSError): Path(__file__).with_name('book.txt').read_text()\n        {FIRST}"
        ),
        "book.txt": "",
    },
    "recurses": agent(later("self.search()"), before="def search(self): self.search()"),
    "registers_none": agent().replace("@register", "# @register"),
    "registers_two": agent() + agent(name="second_try_agent"),
    "relative_import": {"agent.py": f"from .table import book\n{agent()}", "table.py": "book = {}"},
    "relative_path": setup('self.weights = Path("weights.npz").read_bytes()'),
    "returns_nothing": agent("return position.legal_moves()[0] if position.ply < 2 else print('no idea')"),
    "returns_text": agent("return 'the middle'"),
    "setup_raises": setup("self.table = dict(size=8)['width']"),
    "stops_for_a_debugger": agent(later("breakpoint()")),
    "syntax": "from agents import Agent\n\nclass Mine(Agent)\n    pass\n",
    "taken_name": agent(name="uct_agent"),
    "too_much_memory": setup("self.table = np.ones(100_000_000)"),
    "two_files": {"one.py": agent(), "two.py": agent()},
    "writes": agent(f"with suppress(OSError): open('/tmp/my.log', 'a')\n        {FIRST}"),
    "writes_and_fails": agent("Path('/tmp/learned.txt').write_text('much')"),
}  # fmt: skip


def write_submission(name: str, folder: Path) -> Path:
    """Write a submission into a folder of its name; return that folder."""
    files = SUBMISSIONS[name]
    for file, text in (files if isinstance(files, dict) else {"agent.py": files}).items():
        (folder / name / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / name / file).write_text(text)
    return folder / name

"""Students' files as they are written for the frameworks of COMP 424, a folder for each year."""

from pathlib import Path

GAMES = Path(__file__).resolve().parents[1] / "examples" / "games"

_COLOSSEUM = """\
# Student agent: Add your own agent here
from agents.agent import Agent
from store import register_agent
import sys
import numpy as np
from copy import deepcopy
import time

@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super(StudentAgent, self).__init__()
        self.name = "StudentAgent"
        self.autoplay = True
        self.dir_map = {"u": 0, "r": 1, "d": 2, "l": 3}
        self.moves = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def step(self, chess_board, my_pos, adv_pos, max_step):
        start_time = time.time()
        assert chess_board.shape[0] in (2 * max_step, 2 * max_step - 1)
        pos = np.asarray(my_pos)
        for _ in range(np.random.randint(0, max_step + 1)):
            dir = np.random.randint(0, 4)
            r, c = pos
            if not chess_board[r, c, dir] and not np.array_equal(pos + self.moves[dir], adv_pos):
                pos = pos + self.moves[dir]
        r, c = pos
        allowed = [d for d in range(4) if not chess_board[r, c, d]]
        if not allowed:
            r, c = my_pos
            allowed = [d for d in range(4) if not chess_board[r, c, d]]
        print("My AI's turn took ", time.time() - start_time, "seconds.")
        return (r, c), allowed[np.random.randint(len(allowed))]
"""
_OTHELLO = """\
# Student agent: Add your own agent here
from agents.agent import Agent
from store import register_agent
import sys
import numpy as np
from copy import deepcopy
import time
from helpers import random_move, count_capture, execute_move, check_endgame, get_valid_moves
from agents.corners import is_corner
from agents.random_agent import RandomAgent
from . import corners
sys.path.append("..")

@register_agent("student_agent")
class StudentAgent(Agent):
  def __init__(self):
    super(StudentAgent, self).__init__()
    self.name = "StudentAgent"

  def step(self, chess_board, player, opponent):
    best, best_score = None, -np.inf
    for move in get_valid_moves(chess_board, player):
      board = deepcopy(chess_board)
      execute_move(board, move, player)
      is_end, p1, p2 = check_endgame(board, player, opponent)
      score = count_capture(chess_board, move, player) + 20 * is_corner(move, len(board)) + 100 * is_end
      if score > best_score:
        best, best_score = move, score
    return best or RandomAgent().step(chess_board, player, opponent)
"""
_RANDOM = """\
from agents.agent import Agent
from store import register_agent
from helpers import random_move

@register_agent("random_agent")
class RandomAgent(Agent):
  def step(self, chess_board, player, opponent):
    return random_move(chess_board, player)
"""
_ATAXX = """\
from agents.agent import Agent
from store import register_agent
import numpy as np
from helpers import random_move, execute_move, check_endgame, get_valid_moves, MoveCoordinates

@register_agent("student_agent")
class StudentAgent(Agent):
  def step(self, chess_board, player, opponent):
    from helpers import get_directions
    def score(move):
      board = chess_board.copy()
      execute_move(board, move, player)
      is_end, p1, p2 = check_endgame(board)
      return p1 - p2 if player == 1 else p2 - p1
    best = max(get_valid_moves(chess_board, player), key=score)
    return MoveCoordinates(best.get_src(), best.get_dest())
"""
FILES = {  # by game: the paths in a folder
    "colosseum": {"student_agent.py": _COLOSSEUM, "authors.yaml": "authors: [Ann]\n"},
    "othello": {
        "agents/student_agent.py": _OTHELLO,
        "agents/random_agent.py": _RANDOM,
        "agents/corners.py": "def is_corner(move, size):\n    return {*move} <= {0, size - 1}\n",
        "simulator.py": "from world import World\n",
    },
    "ataxx": {"student_agent.py": _ATAXX},
}


def write_course_folder(game: str, folder: Path) -> Path:
    """Write the files for a game into a folder; return the path of the agent's file."""
    for name, text in FILES[game].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return next(folder.rglob("student_agent.py"))


def one_answer(folder: Path, answer: str, parameters: str = "chess_board, player, opponent") -> str:
    """Write the file of an agent that always returns this expression; return its path."""
    file = folder / "student_agent.py"
    imports = "from agents.agent import Agent\nfrom store import register_agent\nimport helpers, numpy as np\n"
    step = f"    def step(self, {parameters}):\n        return {answer}\n"
    file.write_text(f'{imports}\n@register_agent("answers")\nclass Answers(Agent):\n{step}')
    return str(file)

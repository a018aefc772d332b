"""The contract of a game: what a game offers to people, what it offers to a search, and where games are found.

The rules of a game are compiled functions, its *verbs*, on an array, its *state*: `moves`, `apply` and `outcome` are a
whole game. *For people*, a `Position` is immutable and asks the verbs; a `Game` makes, draws, reads and writes
positions and moves, and declares the game's options. *For search*, `children`, `step` and `playout` follow from these
three verbs, unless a game has faster ones. A search is written once and calls verbs; each game gives them their bodies
with `implement`. The *type* of the game's kernel, a `NamedTuple` of its tables, selects the bodies: numba compiles the
search specially for each game, which looks nothing up at run time. CONTRIBUTING.md has a whole game; `pentago/rules.py`
ends with an example of a fast one.

    position.py   `Position` and `Result`
    contract.py   `Game`: what every game offers; most of it follows from the rules
    optional.py   what only some games have: AMAF, learning, a solver, a book
    playing.py    playing a list of moves, counting move sequences, writing a result
    registry.py   `load_game`, and the options of games
    errors.py     what goes wrong
    network.py    the network that values positions, for any game with features
    weights.py    learned weights in files
    verbs/        all that is compiled, see there

Begin reading at `position.py` and `contract.py`; then `children` in `verbs/search.py`, the one verb whose contract is
difficult.
"""

import jit as _jit  # noqa: F401  (first: it decides where compiled code is kept)
from game.contract import Game as Game
from game.contract import file_and_hash as file_and_hash
from game.contract import game_title as game_title
from game.errors import GameFileError as GameFileError
from game.errors import IllegalMove as IllegalMove
from game.errors import NotationError as NotationError
from game.errors import RulesError as RulesError
from game.errors import UnknownGame as UnknownGame
from game.optional import AmafGame as AmafGame
from game.optional import BookGame as BookGame
from game.optional import LearnedGame as LearnedGame
from game.optional import SolvedGame as SolvedGame
from game.optional import solver_of as solver_of
from game.playing import format_result as format_result
from game.playing import perft as perft
from game.playing import play_moves as play_moves
from game.position import DRAW as DRAW
from game.position import Position as Position
from game.position import Result as Result
from game.position import result_of as result_of
from game.registry import game_class as game_class
from game.registry import game_names as game_names
from game.registry import load_game as load_game
from game.registry import options_by_name as options_by_name
from game.registry import read_options as read_options
from game.registry import register_game as register_game
from game.verbs.amaf import AMAF_MOVE_BITS as AMAF_MOVE_BITS
from game.verbs.amaf import PRIOR_BITS as PRIOR_BITS
from game.verbs.amaf import move_number as move_number
from game.verbs.amaf import tally as tally
from game.verbs.amaf import traced_playout as traced_playout
from game.verbs.bodies import implement as implement
from game.verbs.bodies import offers as offers
from game.verbs.flags import DRAWN as DRAWN
from game.verbs.flags import FIRST as FIRST
from game.verbs.flags import IMPLIED as IMPLIED
from game.verbs.flags import LOST as LOST
from game.verbs.flags import OPEN as OPEN
from game.verbs.flags import RESOLVED as RESOLVED
from game.verbs.flags import SAME_MOVER as SAME_MOVER
from game.verbs.flags import SECOND as SECOND
from game.verbs.flags import VISIT_BITS as VISIT_BITS
from game.verbs.flags import WON as WON
from game.verbs.flags import value_for_chooser as value_for_chooser
from game.verbs.flags import value_of_outcome as value_of_outcome
from game.verbs.learning import features as features
from game.verbs.learning import mirror as mirror
from game.verbs.search import apply as apply
from game.verbs.search import begin as begin
from game.verbs.search import child_move as child_move
from game.verbs.search import children as children
from game.verbs.search import evaluate as evaluate
from game.verbs.search import implied_plies as implied_plies
from game.verbs.search import max_children as max_children
from game.verbs.search import moves as moves
from game.verbs.search import outcome as outcome
from game.verbs.search import payload_is_position as payload_is_position
from game.verbs.search import playout as playout
from game.verbs.search import step as step
from game.verbs.search import to_move as to_move
from game.verbs.search import values as values
from game.verbs.solver import NO_SOLVER as NO_SOLVER
from game.verbs.solver import NoSolver as NoSolver
from game.verbs.solver import begin_forced_win as begin_forced_win
from game.verbs.solver import forced_win as forced_win
from game.verbs.solver import go_on_with_forced_win as go_on_with_forced_win

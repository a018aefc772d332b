"""What all compiled code stands on: the compiler and its cache, verbs, bit intrinsics, random numbers.

Importing this package decides where numba keeps compiled code, so every module that compiles something imports it
first. Nothing here knows a game or a search.

Begin reading at `folder.py` (where compiled code is kept), `cache.py` (what is kept) and `processors.py` (for which
processor), then `whole_program.py` (how code is compiled), `shortcuts.py` (what is faster in it) and `compiled.py`
(`jit`). `dispatch.py` has the verbs; `bits.py`, `hashing.py` and `random_numbers.py` have functions that kernels call,
`memory.py` arrays for them.
"""

from jit import numba_import as numba_import  # first: it decides how numba is imported
from jit.bits import HAS_BIT_DEPOSIT as HAS_BIT_DEPOSIT
from jit.bits import U64 as U64
from jit.bits import lowest_bit as lowest_bit
from jit.bits import popcount as popcount
from jit.bits import prefetch as prefetch
from jit.bits import rotate_right as rotate_right
from jit.bits import select_bit as select_bit
from jit.bits import select_bit_portable as select_bit_portable
from jit.cache import NotKept as NotKept
from jit.cache import ReadOnlyLocator as ReadOnlyLocator
from jit.cache import keep_code_of as keep_code_of
from jit.cache import kept_code_only as kept_code_only
from jit.cache import wait_for_others as wait_for_others
from jit.compiled import jit as jit
from jit.dispatch import dispatched as dispatched
from jit.dispatch import give_body as give_body
from jit.folder import CACHE_FOLDER as CACHE_FOLDER
from jit.folder import CACHE_IS_READ_ONLY as CACHE_IS_READ_ONLY
from jit.folder import PROJECT as PROJECT
from jit.folder import game_folders as game_folders
from jit.folder import jitted_sources as jitted_sources
from jit.folder import project_environment as project_environment
from jit.hashing import HASH_SEED as HASH_SEED
from jit.hashing import mix as mix
from jit.memory import aligned_zeros as aligned_zeros
from jit.processors import has_feature as has_feature
from jit.random_numbers import PCG_MULTIPLIER as PCG_MULTIPLIER
from jit.random_numbers import new_rng as new_rng
from jit.random_numbers import pcg32 as pcg32
from jit.random_numbers import pcg_output as pcg_output
from jit.random_numbers import pcg_step as pcg_step
from jit.random_numbers import random_below as random_below

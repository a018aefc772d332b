"""The searches of the literature, as extensions of the plain search on a tree (`agents/uct`).

A *method* (`method.py`) has a formula of selection (`bounds.py`), says what a leaf is worth (`leaves.py`) and what a
node is worth by those below it (`backups.py`). It runs on a tree with more arrays (`wide_tree.py`), through the
functions to which `agents/uct/search.py` gives bodies by the types of method and tree. `settings.py` says how to
search, `searcher.py` does it, `presets.py` has the names of the literature; `studies/literature_agent.py` plays like
that. Begin reading at `method.py`.
"""

from agents.uct.searchers import SEARCHERS
from studies.literature.searcher import LiteratureSearcher as LiteratureSearcher
from studies.literature.settings import LiteratureSettings as LiteratureSettings

SEARCHERS[LiteratureSettings] = LiteratureSearcher

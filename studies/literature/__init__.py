"""The searches of the literature, as extensions of the plain search on a tree (`agents/uct`).

A *method* (`method.py`) consists of a formula of selection (`bounds.py`), the value of a leaf (`leaves.py`) and the
value of a node by its children (`backups.py`). It runs on a tree with more arrays (`wide_tree.py`).
`agents/uct/search.py` calls functions whose bodies are selected by the types of method and tree, and this package gives
them bodies. `settings.py` says how to search, `searcher.py` searches, `presets.py` has the names of the literature, and
`studies/literature_agent.py` is the agent. Begin reading at `method.py`.
"""

from agents.uct.searchers import SEARCHERS
from studies.literature.searcher import LiteratureSearcher as LiteratureSearcher
from studies.literature.settings import LiteratureSettings as LiteratureSettings

SEARCHERS[LiteratureSettings] = LiteratureSearcher

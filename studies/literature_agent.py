"""UCT by methods of the literature, chosen by name: `studies/literature_agent.py:preset=uctmax_h`."""

from typing import ClassVar

from agents.agent import register_agent
from agents.uct_agent import UctAgent, declared_options
from studies.literature import LiteratureSettings
from studies.literature.presets import PRESETS

_SEARCHES = {LiteratureSettings.search: LiteratureSettings}


@register_agent("literature_agent")
class LiteratureAgent(UctAgent):
    """UCT on a tree with the formulas, leaves and backups of the literature; a preset for each paper.

    The switches of the game's kernel are options too. Values that a game recommends are the defaults.
    """

    searches: ClassVar = _SEARCHES
    preset_options: ClassVar = PRESETS
    default_options: ClassVar = declared_options(_SEARCHES, PRESETS)
    presets: ClassVar = {name: preset.meaning for name, preset in PRESETS.items()}

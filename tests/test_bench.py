"""The signature of the search, a hash of the trees that some fixed searches leave.

It changes only when the search is meant to change; whoever means it to puts the new one here in the same commit
(`python benchmarks/bench.py --signature` prints it). A change that should only make the search faster or its code
clearer leaves it alone.
"""

from benchmarks.bench import signature

SIGNATURE = "71ccf1792b0c05df"


def test_the_search_has_not_changed_unawares():
    assert signature() == SIGNATURE

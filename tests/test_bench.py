"""The signature of the search, a hash of the trees that some fixed searches leave.

The signature changes only when somebody means to change the search; the same commit then puts the new signature here
(`python benchmarks/bench.py --signature` prints it). A change that should only make the search faster or its code
clearer must keep the signature.
"""

from benchmarks.bench import signature

SIGNATURE = "a09b6e9d15397d25"


def test_the_search_has_not_changed_unawares():
    assert signature() == SIGNATURE

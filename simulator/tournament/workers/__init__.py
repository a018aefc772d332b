"""Who plays the pairs of a tournament: processes of this machine, or of several machines by Dask.

A pair is a pickled task that an executor runs in another process (`child.py`); what happens there comes back as events.
Begin reading at `protocol.py`; `local.py` is one machine, `dask.py` and `dask_child.py` are both ends of a cluster.
"""

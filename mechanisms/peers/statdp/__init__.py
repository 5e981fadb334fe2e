"""The eleven algorithms on which StatDP was evaluated (arXiv 1805.10277).

Their epsilon is 0.7, one of the three values of that evaluation. Each has the
input pair on which its odds are worst.
"""

from mechanisms.peers.statdp import answers, sparse_vector

ENTRIES = (*answers.ENTRIES, *sparse_vector.ENTRIES)

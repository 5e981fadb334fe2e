"""The twenty mechanisms on which dp-sniper was evaluated (Bichsel et al., S&P 2021).

Their epsilon is 0.1. Each has the input pair on which its odds are worst.
"""

from mechanisms.peers.sniper import noise, selection, sparse_vector

ENTRIES = (*noise.ENTRIES, *selection.ENTRIES, *sparse_vector.ENTRIES)

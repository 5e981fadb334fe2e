"""Contribution of a delta to the probability of crossing a boundary.

Fix an output y, and let g be the posterior of the m fair coins given y. Flipping
coin i leads from s to s^i; guess i is right at one of the two. Under (epsilon,
delta)-DP, g(s) <= e^epsilon g(s^i) + x_i(s) with x_i(s) >= 0 and, averaged over
the outputs, sum_s x_i(s) <= delta for those s where guess i is right (half of it
when only "in" is ever guessed). Without the x, g is at best the law b of
independent guesses that are right with probability q = e^epsilon / (1 + e^epsilon).

**Theorem 1.** Let C be an event that depends on the numbers n_1, ..., n_L of right
guesses in consecutive blocks of k_1, ..., k_L guesses, and that more right guesses
never undo. Then P[C] <= b(C) + kappa·m·delta·max_l u(k_l) with

    u(k) = max_(1 <= j <= k) P[B >= j] P[B < j] / (j P[B = j]),   B ~ Bin(k, q),

kappa = 1, or the probability of "in" when only "in" is ever guessed.

*Proof.* Write 1_C - b(C) = sum_l D_l with D_l = E_b[1_C | n_1..n_l] - E_b[1_C |
n_1..n_(l-1)]. For given n_1..n_(l-1), D_l = phi(n_l) - E phi(B) with phi monotone
in [0, 1] and B ~ Bin(k_l, q). Let w(j) = sum_(i >= j) P[B = i] (phi(i) - E phi(B))
/ (j P[B = j]), w(k_l + 1) = 0. Since (j + 1) P[B = j + 1] = e^epsilon (k_l - j) P[B = j],

    phi(j) - E phi(B) = j w(j) - e^epsilon (k_l - j) w(j + 1)   for j = 0, ..., k_l.

At s, j of the block's guesses are right, and flipping one of the k_l - j others
makes them j + 1. Hence sum_s g(s) D_l(s) = sum_i sum_(s: i right) w(n_l(s)) (g(s) -
e^epsilon g(s^i)) <= max w · sum_i sum_(s: i right) x_i(s). As phi is monotone,
w >= 0; as a mixture of steps 1[n >= c], for which w(j) is largest at c = j, it is at
most u(k_l). Blocks share no guess, so the sums over them add up to at most
kappa·m·delta on average over y. QED

**Theorem 2.** u(k) does not grow with k, so that the shortest block decides.

*Proof.* Since j P[B = j] = (1 - q)^-1 Cov(B, 1[B >= j]) for B ~ Bin(k, q), u(k) =
(1 - q) / G_k with G_k the smallest Cov(B, f) / Var(f) over steps f = 1[B >= j]; and
Cov(B, f) / Var(f) = E[B | B >= j] - E[B | B < j]. Add one more guess X. Given X = x, f
is a step in B, so E Cov(B, f | X) >= G_k E Var(f | X); and with t_x = P[B >= j - x],
the means add q (1 - q) (t_1 - t_0) to Cov(B + X, f) and q (1 - q) (t_1 - t_0)² to
Var(f). So G_(k+1) >= G_k if G_k (t_1 - t_0) <= 1, where t_1 - t_0 = P[B = j - 1] is at
most P[B = i] for the mode i >= 1. To see this, use the step at i: B is log-concave,
so that B - i given B >= i, and i - 1 - B given B < i, are at most geometric, with means
at most P[B >= i] / P[B = i] - 1 and P[B < i] / P[B = i - 1] - 1. Hence G_k P[B = i] <=
P[B >= i] + P[B < i] P[B = i] / P[B = i - 1] - P[B = i], which is at most 1 because P[B < i]
(1 / P[B = i - 1] - 1 / P[B = i]) <= 1: to the left of i - 1, probabilities fall at least
as fast as from i to i - 1. QED

So the lengths of the blocks may even depend on the output, as long as none is
shorter than k: then u(k) bounds them all. Theorem 1 is sharper than arXiv 2305.08846,
Theorem 5.2, whose factor is 2 max_i (P[B >= v - i] - P[B >= v]) / i, and it holds for
several prefixes at once. Where the coins are not fair, blocks are not exchangeable;
then 1 - q = u(1) does in place of u(k), opening one guess at a time: each is right
with probability at most q + (1 - q) f_j, with f_j at most kappa·m·delta in sum.
"""

from __future__ import annotations

import numpy as np

from audit.canary.law import Floats, Law, law_of


def gain(size: int, low: float, high: float) -> float:
    """At least u(k) for every rate q from `low` to `high`, exact where the two are one.

    u(k) is the largest 1 / (j/A_j + j/B_j) with A_j = P[B >= j] / P[B = j], which
    grows with q, and B_j = P[B < j] / P[B = j], which falls; so A at `high` and B
    at `low` bound all in between. Laws of B are log-concave, so j/A_j grows and
    j/B_j falls with j: beyond a window, its ends are the largest.

    Args:
        size: k, at least 1.
        low: in [1/2, 1).
        high: at least `low`, below 1.
    """
    below, above = law_of(size, 0, low, low), law_of(size, 0, high, high)
    first, last = max(1, below.low), above.high
    falling = np.zeros(last - first + 1)  # j/B_j, 0 where only B_j <= infinity is known
    growing = np.zeros(last - first + 1)  # j/A_j
    _fill(falling, first, below, _sums_below(below, size, low))
    _fill(growing, first, above, _sums_above(above, size, high))
    with np.errstate(divide="ignore"):
        inside = float(np.max(1.0 / (growing + falling)))
    ends = [1.0 / float(growing[-1])] * (last < size) + [1.0 / float(falling[0])] * (first > 1)
    return min(1.0 - low, max([inside, *ends]))


def _sums_above(law: Law, size: int, rate: float) -> Floats:
    """P[B >= j] over the window; what lies beyond it falls faster than geometrically."""
    ratio = rate / (1.0 - rate) * (size - law.high) / (law.high + 1.0)
    beyond = law.mass[-1] * ratio / (1.0 - ratio)
    sums: Floats = law.mass[::-1].cumsum()[::-1] + beyond
    return sums


def _sums_below(law: Law, size: int, rate: float) -> Floats:
    """P[B < j] over the window."""
    ratio = (1.0 - rate) / rate * law.low / (size - law.low + 1.0)
    beyond = law.mass[0] * ratio / (1.0 - ratio)
    sums: Floats = np.append(0.0, law.mass.cumsum()[:-1]) + beyond
    return sums


def _fill(ratios: Floats, first: int, law: Law, sums: Floats) -> None:
    """Write j P[B = j] / sums[j] where the window of the law and the ratios overlap."""
    start, end = max(first, law.low), min(first + len(ratios), law.high + 1)
    if start < end:
        inside = slice(start - law.low, end - law.low)
        counts = np.arange(start, end)
        ratios[start - first : end - first] = counts * law.mass[inside] / sums[inside]

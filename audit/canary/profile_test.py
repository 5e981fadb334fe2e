"""The test of zCDP, Rényi and Gaussian claims: the recursion at a few prefixes that share alpha.

Any claim at a fixed number of guesses: the recursion of arXiv 2410.22235, proved anew.

m canaries are put in by fair coins, and an adversary who sees the output makes
at most r guesses, of which N are right. Let F be the claim's curve: P[M(D) in E]
<= F(P[M(D') in E]) for neighbors, with F concave and growing, and let phi(y) =
m·F^-1(y/m), convex and growing, phi(y) <= y.

**Lemma.** For every set A of numbers, phi(E[N; N in A]) <= E[r - N; N + 1 in A].

*Proof.* For canary i and the other coins s, let E_i(s) be the outputs at which i
is guessed "in" and, with i's coin at "in", N lies in A. With i's coin at "out",
guess i is wrong at the same outputs, and N is less by one. So P[E_i(s) | in] <=
F(P[E_i(s) | out]) compares "i right, N in A" with "i wrong, N + 1 in A", and the
same with "in" and "out" exchanged. Averaged over the m canaries, both sides of the
coin and all s, F being concave, E[N; N in A] / m <= F(E[wrong; N + 1 in A] / m),
and at most r - N guesses are wrong. QED (The average is over all m canaries: which
of them are guessed may depend on the output, so to divide by r instead, as if the
others were not there, would not be valid: an output that gives away one canary
drawn at random is (0, 1/m)-DP, and one guess is then always right.)

**Theorem.** Let a_n = P[N = n], tau_k = P[N >= k], R_k = E[N; N >= k] and W_k =
E[r - N; N >= k]. Start with tau_v = p, R_v = v p, W_v = (r - v) p, and for k = v - 1,
..., 0 let a_k = max(0, phi(R_(k+1)) - W_(k+1)) / (r - k). If these masses add up to
more than 1, then P[N >= v] < p.

*Proof.* By the Lemma with A = {k + 1, ...}, W_k >= phi(R_(k+1)). Write a' etc. for the
sequence above, and suppose P[N >= v] >= p. Let D = tau_k - tau'_k and E = R_k - R'_k.
By induction from k = v down, D >= 0 and E >= k D; so tau_0 >= tau'_0 > 1, which
cannot be. For k = v, R_v >= v tau_v. From k + 1 to k: if a_k >= a'_k, D and E grow by
a_k - a'_k and k times that. Otherwise let y = a'_k - a_k > 0; then a'_k > 0, so W'_k =
phi(R'_(k+1)) <= phi(R_(k+1)) <= W_k, as E >= 0 before. This says W_(k+1) - W'_(k+1) >=
(r - k) y, where W_(k+1) - W'_(k+1) = r D - E <= (r - k - 1) D with D and E those of
k + 1; hence y <= D. The new D is D - y >= 0, and the new E is E - k y >= (k + 1) D - k y
>= k (D - y). QED

Where coins are not fair, F takes E[wrong; ...] / m times the larger odds.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.canary.design import Design
from audit.canary.prefixes import Guesses, Prefix, sparse_prefixes_of
from audit.canary.trade_off import SmallestOther, smallest_other
from audit.claims import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTest:
    """Tests of one kind of claim for every level, on the same guesses.

    Each prefix has an equal part of alpha. Their sizes follow from the number
    of canaries; where fewer are guessed, the last prefixes hold fewer.

    Attributes:
        guesses: opened.
        design: of the coins.
        canaries: coins in all, also of those that nobody guessed.
        claim: whose level is tested.
        alpha: level of all prefixes together.
    """

    guesses: Guesses
    design: Design
    canaries: int
    claim: Claim
    alpha: float

    def refutes(self, low: float, high: float) -> bool:
        """True if every level of an interval is refuted: each is, if the weakest claim is.

        Args:
            low: smallest level.
            high: largest level, above 0.
        """
        return any(
            self.prefix_refutes(prefix, self.guesses.right(prefix), high)
            for prefix in self.prefixes()
        )

    def prefix_refutes(self, prefix: Prefix, right: int, level: float) -> bool:
        """True if one prefix refutes a level with so many right guesses, at its part of alpha."""
        return refuted(
            right=right,
            guesses=prefix.size,
            canaries=self.canaries,
            smallest=smallest_other(self.claim.at(level), self.design.steps),
            level=self.alpha / len(self.prefixes()),
            odds=self.design.larger_odds,
        )

    def prefixes(self) -> tuple[Prefix, ...]:
        """The prefixes among which alpha is divided."""
        if not self.guesses.sided:
            return sparse_prefixes_of(self.canaries, 0)
        ins = round(self.canaries * self.design.probability)
        return sparse_prefixes_of(ins, self.canaries - ins)


_NOTHING_MORE = 1e-18
"""Masses this small no longer decide; to stop there can only leave a claim standing."""


def refuted(
    *,
    right: int,
    guesses: int,
    canaries: int,
    smallest: SmallestOther,
    level: float,
    odds: float = 1.0,
) -> bool:
    """True if P[N >= right] is below the level under every mechanism that keeps the claim.

    Args:
        right: v, the right guesses.
        guesses: r, all guesses at most.
        canaries: m, at least r.
        smallest: F^-1, the claim's curve turned around.
        level: p.
        odds: p/(1 - p) of the coin, or its inverse if that is larger.
    """
    mass, gained, lost = level, right * level, (guesses - right) * level
    for count in range(right - 1, -1, -1):
        missing = canaries / odds * smallest(gained / canaries) - lost
        if missing <= _NOTHING_MORE:
            return False
        added = missing / (guesses - count)
        mass, gained, lost = mass + added, gained + count * added, lost + missing
        if mass > 1.0:
            return True
    return False

"""Mechanisms that break their claim: negative controls, each with its worst neighbors."""

from __future__ import annotations

import math
from math import inf, log

import numpy as np

from mechanisms.families.inputs import (
    BUDGET_SESSION,
    COUNT_ADDED,
    COUNT_REMOVED,
    FAVORITE,
    FIVE_ROWS,
    GROUP_SESSION,
    HUNDRED_REMOVED,
    LOUD_AGAINST_NINE,
    LOUD_REMOVED,
    NEW_KEY,
    NO_COUNT,
    NONE,
    ONE_ADDED,
    ONE_REMOVED,
    OPPOSITE,
    OTHER_ANSWER,
    OTHER_BIN,
    OTHER_BIT,
    TEN_KEYS,
)
from mechanisms.parts.counts.histogram import NoisyHistogram, TreeCounts
from mechanisms.parts.counts.keys import KeySelection
from mechanisms.parts.counts.name_and_shame import NameAndShame
from mechanisms.parts.counts.shared_teachers import SharedTeachers
from mechanisms.parts.counts.synthetic_rows import SyntheticRows
from mechanisms.parts.counts.total import HistogramOfTotal
from mechanisms.parts.local.response import RandomizedResponse
from mechanisms.parts.local.unary import UnaryEncoding
from mechanisms.parts.selection.exponential import ExponentialMechanism
from mechanisms.parts.selection.noisy_max import NoisyMax
from mechanisms.parts.selection.quantile import ExponentialQuantile
from mechanisms.parts.selection.sparse_vector import SparseVector
from mechanisms.parts.sessions.budget import BudgetedCounts
from mechanisms.parts.sessions.odometer import GroupCounts
from mechanisms.parts.sessions.threshold import LargeGroups
from mechanisms.parts.sums.additive import NoisySum
from mechanisms.parts.sums.composition import CountAndSum, RepeatedSum
from mechanisms.parts.sums.gaussian import GaussianReleases
from mechanisms.parts.sums.mean import NoisyMean
from mechanisms.parts.sums.subsampling import SampledSum
from mechanisms.parts.sums.truncated_geometric import RenormalizedGeometric
from mechanisms.parts.sums.users import RowCount
from mechanisms.parts.sums.wishart import WishartMoments
from mechanisms.parts.training import DpSgd, DpSgdByItsCurve
from mechanisms.table import add_remove, breaks, declared, keeps, substitute, table

_NOISE = table("Wrong: noise", (
    ("laplace-with-hole", NoisySum(noise="laplace-with-hole"), ONE_ADDED,
     breaks("A01; code of a published primer", inf, pairs=30.3),
     "scale·(1 - ln U) for -scale·ln(1 - U): no noise smaller than the scale"),
    ("geometric-from-one", NoisySum(noise="geometric-from-one"), COUNT_REMOVED,
     breaks("A06; private-attribution/ipa #898", inf, pairs=30.3),
     "a sign times a geometric that starts at 1: the true count never comes out"),
    ("renormalized-geometric", RenormalizedGeometric(), COUNT_ADDED,
     breaks("A07; arXiv 1808.10410", 1.209060321070666, pairs=622),
     "geometric noise rejected until in range: the normaliser depends on the count"),
    ("uniform-noise", NoisySum(noise="uniform", sensitivity=5.0), ONE_REMOVED,
     breaks("A10; calculation", inf, pairs=95.6),
     "uniform noise of half-width 5 claimed as pure differential privacy"),
    ("histogram-noise-taken-back", HistogramOfTotal(noisy_total=False),
     add_remove(np.array([1]), NO_COUNT, "int:0:3"), breaks("calculation", inf, pairs=9.56),
     "a noisy histogram moved until its bins add up to the true number of records"),
    ("gaussian-variance-as-deviation", NoisySum(1.0, 1e-5, "gaussian", "classic-variance"),
     ONE_REMOVED,
     breaks("A11; opendp/smartnoise-core #315, greenelab/SPRINT_gan #5", 1.7912019983031986,
            pairs=28533),
     "the textbook sigma passed as a variance"),
    ("analytic-gaussian-sign-slip", NoisySum(1.0, 1e-5, "gaussian", "analytic-sign-slip"),
     ONE_REMOVED, breaks("A12; opendp/smartnoise-core #315, #316", 58.86749915371916, pairs=9.57),
     "the analytic Gaussian with a minus in its last formula: a 28th of the noise"),
    ("classic-gaussian-epsilon-10", NoisySum(10.0, 0.1, "gaussian", "classic"), ONE_REMOVED,
     breaks("A13; opendp/smartnoise-sdk #462, arXiv 1805.06530, Theorem 4", 14.729285770123681,
            pairs=3.8e5, reachable=False),
     "textbook Gaussian far beyond its proof, at (10, 0.1)"),
    ("gaussian-as-pure", NoisySum(noise="gaussian"), ONE_REMOVED,
     breaks("A14; calculation", inf, pairs=249),
     "Gaussian noise of sigma 1/epsilon claimed as pure differential privacy"),
    ("gaussian-mu-understated", GaussianReleases(sensitivity=0.5), ONE_REMOVED,
     breaks("twice the claimed mu"),
     "Gaussian differential privacy claimed for half of the true sensitivity"),
    ("gaussian-zcdp-understated", GaussianReleases(notion="zcdp", sensitivity=1.0 / 3.0),
     ONE_REMOVED, breaks("nine times the claimed rho"),
     "zero-concentrated differential privacy claimed for a third of the sensitivity"),
    ("gaussian-renyi-understated",
     GaussianReleases(notion="renyi", order=8.0, sensitivity=1.0 / 3.0), ONE_REMOVED,
     breaks("nine times the claimed divergence"),
     "Rényi differential privacy of order 8 claimed for a third of the sensitivity"),
    ("wishart-moments", WishartMoments(), add_remove(NONE, np.array([1.0]), "float:-1:1"),
     breaks("A04; IBM/differential-privacy-library #23, #42", inf, pairs=11.1),
     "second moments plus a Wishart matrix: the noise only ever adds"),
))  # fmt: skip
_FLOATING_POINT = table("Wrong: floating point", (
    ("laplace-low-bits", NoisySum(), ONE_ADDED,
     keeps("A15; arXiv 2207.13793; IBM/differential-privacy-library #94", 1.0,
           pairs=35.2, leaks=True),
     "a double plus numpy's Laplace noise: near 1 the last bits are always 0"),
    ("laplace-four-uniforms", NoisySum(noise="laplace-four-uniforms"), ONE_ADDED,
     keeps("A16; arXiv 2107.10138; IBM/differential-privacy-library #94", 1.0,
           pairs=46, leaks=True),
     "Laplace noise from four uniforms, meant to be secure, with the same leak"),
    ("laplace-porous", NoisySum(noise="laplace-porous"), ONE_ADDED,
     keeps("A17; Mironov 2012; IBM/differential-privacy-library #19", 1.0, pairs=14.3, leaks=True),
     "Laplace noise as the logarithm of a 53-bit uniform: most doubles never come"),
))  # fmt: skip
_SENSITIVITY = table("Wrong: sensitivity", (
    ("histogram-replace-one", NoisyHistogram(), OTHER_BIN,
     breaks("B01; divviup/libprio-rs #1072", 2.0, pairs=143),
     "histogram noise for a record that comes or goes; here it changes bins"),
    ("gaussian-sum-replace-one", NoisySum(1.0, 1e-5, "gaussian", "analytic", lower=-1.0), OPPOSITE,
     breaks("B02; google/differential-privacy #464, tensorflow/privacy #620", 2.1546766576780096,
            pairs=7534),
     "Gaussian noise for the clipping bound, while a replaced record moves twice that"),
    ("range-for-magnitude", NoisySum(lower=90.0, upper=100.0, sensitivity=10.0), HUNDRED_REMOVED,
     breaks("B03; calculation", 10.0, pairs=19.1),
     "sum of records in [90, 100] with noise for their range of 10"),
    ("sum-wraps-around", NoisySum(accumulator="int8"),
     add_remove(np.ones(127, dtype=np.int64), np.ones(128, dtype=np.int64), "int:0:1"),
     breaks("B13; opendp/opendp #178, google/differential-privacy #40", 255.0, pairs=9.56),
     "a sum of zeros and ones kept in 8 bits: 127 + 1 is -128"),
    ("quantile-range-from-data", ExponentialQuantile(bounds="data"),
     substitute(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0]), "float:0:1"),
     breaks("B15; calculation", inf, pairs=9.56),
     "a median drawn between the smallest and the largest record"),
    ("clip-result-dropped", NoisySum(clamp=False),
     add_remove(np.array([1e6]), NONE, "float:0:1000000"),
     breaks("B17; opendp/smartnoise-sdk #622, #624", inf, pairs=9.56),
     "records are clipped and the sum is taken over the unclipped ones"),
    ("mean-range-over-size", NoisyMean(method="range-over-size"),
     add_remove(np.array([1.0]), np.array([1.0, 0.0]), "float:0:1"),
     breaks("B19; opendp/smartnoise-core #356", inf, pairs=193),
     "mean whose noise shrinks with the number of records, which is private"),
    ("score-sensitivity-halved", ExponentialMechanism(sensitivity=2.0),
     declared(4.0 * FAVORITE, 4.0 - 4.0 * FAVORITE),
     breaks("B21; ryan112358/mbi #65", 2.0, pairs=226),
     "scores that move by 4, drawn as if they moved by 2"),
    ("count-noised-as-probability", NoisySum(sensitivity=0.001), ONE_REMOVED,
     breaks("B22; DataResponsibly/DataSynthesizer #34", 1000.0, pairs=9.56),
     "noise for a probability over 1,000 records, added to a count"),
    ("scale-over-dimensions", NoisySum(sensitivity=0.25), ONE_REMOVED,
     breaks("B23; opendp/smartnoise-sdk #472", 4.0, pairs=14.2),
     "Laplace scale divided by four dimensions"),
    ("clip-norm-ignored", NoisySum(1.0, 1e-5, "gaussian", "analytic", sensitivity=0.2),
     ONE_REMOVED, breaks("F07; pytorch/opacus #664", 6.166941181014972, pairs=84.8),
     "gradients clipped at 1, noise for a clipping norm of 0.2"),
    ("laplace-claimed-0.9", NoisySum(epsilon=0.9, sensitivity=0.9), ONE_REMOVED,
     breaks("H02; calculation", 1.0, pairs=3.2e3),
     "Laplace noise of true epsilon 1 claimed as 0.9"),
    ("laplace-claimed-0.95", NoisySum(epsilon=0.95, sensitivity=0.95), ONE_REMOVED,
     breaks("H02; calculation", 1.0, pairs=1.3e4),
     "Laplace noise of true epsilon 1 claimed as 0.95"),
))  # fmt: skip
_COMPOSITION = table("Wrong: composition", (
    ("two-statistics-full-budget", CountAndSum(split=False), ONE_REMOVED,
     breaks("C01; opendp/smartnoise-sdk #200, #202, #385", 2.0, pairs=105),
     "count and sum for an average, all of epsilon for each"),
    ("ten-gaussians-one-budget", RepeatedSum(1.0, 1e-5, "gaussian", "analytic", split=False),
     ONE_REMOVED, breaks("C03; calculation", 3.618591574343675, pairs=516),
     "the sigma of one release used for ten"),
    ("record-noise-user-claim", RowCount(bound=False), FIVE_ROWS,
     breaks("C05; google/differential-privacy #84", 5.0, pairs=11.8),
     "noise for one row, claimed for users who own five"),
    ("amplification-without-sampling", SampledSum(sampling="head"),
     substitute(FAVORITE, np.zeros(10), "float:0:1"), breaks("C06; calculation", 1.0, pairs=39.4),
     "the first tenth of the rows, claimed as a random tenth"),
    ("tree-one-level-short", TreeCounts(levels=3), add_remove(np.array([0]), NO_COUNT, "int:0:7"),
     breaks("C09; calculation", 4 / 3, pairs=3181),
     "budget split among three levels of a tree that has four"),
    ("tree-without-split", TreeCounts(leaves=16, levels=1),
     add_remove(np.array([0]), NO_COUNT, "int:0:15"), breaks("C10; calculation", 5.0, pairs=29.2),
     "all of epsilon at each of the five levels of a tree"),
    ("pate-shared-teachers", SharedTeachers(), COUNT_REMOVED,
     breaks("F05; vanderschaarlab/mlforhealthlabpub #29, synthcity #275", 10.0, pairs=9.7),
     "all ten teachers see every record; the vote's noise hides one of them"),
))  # fmt: skip
_TRAINING = table("Wrong: training", (
    ("dp-sgd-not-clipped", DpSgd(flaw="not clipped"), LOUD_REMOVED,
     breaks("sensitivity without a bound", inf),
     "DP-SGD whose gradients keep their norm, so that no noise is enough"),
    ("dp-sgd-scale-of-the-average", DpSgd(flaw="scale of the average"), LOUD_REMOVED,
     breaks("dp_accounting: noise 0.07 in place of 0.7", 284.458),
     "DP-SGD whose batches get the noise of an average over all records"),
    ("dp-sgd-batch-twice", DpSgd(flaw="batch twice"), LOUD_REMOVED,
     breaks("dp_accounting: five batches with noise 0.7/sqrt(2)", 1.7468),
     "DP-SGD that takes every batch twice, accounted for as ten batches"),
    ("dp-sgd-batch-twice-curve", DpSgdByItsCurve(flaw="batch twice"), LOUD_REMOVED,
     breaks("dp_accounting: five batches with noise 0.7/sqrt(2)"),
     "DP-SGD that takes every batch twice, claimed by the curve of ten batches"),
    ("dp-sgd-shuffled", DpSgd(2.0, 0.2045, noise=0.4, flaw="shuffled"), LOUD_AGAINST_NINE,
     breaks("likelihood ratio of this pair, averaged over draws; arXiv 2403.17673", 4.343),
     "DP-SGD with shuffled batches, accounted for as Poisson batches"),
))  # fmt: skip
_SELECTION = table("Wrong: selection", (
    ("noisy-max-value", NoisyMax(output="value"), declared(np.zeros(5), np.ones(5)),
     breaks("D01; arXiv 1805.10277", 2.5, pairs=312),
     "noisy max that releases the winning noisy value"),
    ("noisy-max-exponential-value", NoisyMax(noise="exponential", output="value"),
     declared(np.zeros(2), np.ones(2)), breaks("D02; arXiv 1805.10277", inf, pairs=61.8),
     "the winning noisy value, with noise that only adds"),
    ("noisy-max-half-noise", NoisyMax(factor=1.0),
     declared(np.zeros(5), np.array([-1.0, 1.0, 1.0, 1.0, 1.0])),
     breaks("D03; calculation", 2.0, pairs=188),
     "noisy max at scale 1/epsilon, while answers move in opposite directions"),
    ("sparse-vector-3", SparseVector(query_factor=2.0, release_value="compared"),
     declared(np.array([0.0] * 5 + [1.0]), np.array([1.0] * 5 + [0.0])),
     breaks("D05; arXiv 1603.01699, Algorithm 3", inf, pairs=2700),
     "sparse vector, Algorithm 3: releases the noisy answer it compared"),
    ("sparse-vector-4", SparseVector(cutoff=2, threshold_factor=4.0, query_factor=4.0 / 3.0),
     declared(np.zeros(4), np.array([1.0, 1.0, -1.0, -1.0])),
     breaks("D06; arXiv 1603.01699, Algorithm 4", 3.25, pairs=1488),
     "sparse vector, Algorithm 4: query noise that does not grow with the cutoff"),
    ("sparse-vector-5", SparseVector(cutoff=0, query_factor=0.0),
     declared(np.array([0.0, 1.0]), np.array([1.0, 0.0])),
     breaks("D07; arXiv 1603.01699, Algorithm 5", inf, pairs=48.6),
     "sparse vector, Algorithm 5: no noise on queries, no cutoff"),
    ("sparse-vector-3-long", SparseVector(query_factor=2.0, release_value="compared"),
     declared(np.array([0.0] * 10 + [1.0]), np.array([1.0] * 10 + [0.0])),
     breaks("H05; arXiv 1603.01699, Algorithm 3", inf, pairs=6674),
     "Algorithm 3 on eleven queries, where one pattern of answers is very rare"),
    ("sparse-vector-6-long", SparseVector(cutoff=0, query_factor=2.0),
     declared(np.zeros(20), np.array([1.0] * 10 + [-1.0] * 10)),
     breaks("H05; arXiv 1603.01699, Algorithm 6", inf, pairs=79),
     "Algorithm 6, no cutoff: no pattern of twenty answers is likely, their counts are"),
))  # fmt: skip
_KEYS = table("Wrong: keys", (
    ("keys-delta-not-split", KeySelection(delta=0.01, keys_per_user=10, split_delta=False),
     TEN_KEYS, breaks("C08; opendp/smartnoise-sdk #568, #200", inf, pairs=114),
     "a user adds ten keys, each of which may be released with probability delta"),
    ("keys-threshold-zero", KeySelection(threshold="zero"), NEW_KEY,
     breaks("D12; calculation", inf, pairs=11.7),
     "keys are released when their noisy count is positive"),
    ("keys-threshold-for-other-noise", KeySelection(noise="gaussian", calibration="classic"),
     NEW_KEY, breaks("D13; opendp/smartnoise-sdk #204", inf, pairs=750),
     "a threshold for Laplace noise used with Gaussian noise"),
    ("keys-threshold-truncated",
     KeySelection(delta=0.0364, noise="geometric", threshold="geometric-truncated"), NEW_KEY,
     breaks("D15; google/differential-privacy #101", inf, pairs=169),
     "a threshold of 3.99992 cut to 3"),
))  # fmt: skip
_FAILURES = table("Wrong: failures and lengths", (
    ("underflow-crash", ExponentialQuantile(quantile=0.0, arithmetic="naive"),
     add_remove(np.array([0.0] * 1492 + [1.0]), np.array([0.0] * 1491 + [1.0]), "float:0:1"),
     breaks("E03; opendp/smartnoise-sdk #572, IBM/differential-privacy-library #107", inf,
            pairs=9.56),
     "all weights of an exponential mechanism underflow, and it raises"),
    ("synthetic-rows", SyntheticRows(),
     add_remove(np.array([0, 1, 1]), np.array([0, 1]), "int:0:1"),
     breaks("E05; calculation", inf, pairs=9.56),
     "synthetic data of exactly as many rows as came in"),
))  # fmt: skip
_LOCAL = table("Wrong: local", (
    ("randomized-response-true-lies", RandomizedResponse(epsilon=math.log(3.0), lie="any"),
     OTHER_BIT, breaks("F01; opendp/opendp #480", log(7.0), pairs=40.8),
     "the truth three times out of four, else a fair coin that may be the truth"),
    ("unary-encoding-per-bit", UnaryEncoding(encoding="per-bit"), OTHER_ANSWER,
     breaks("F04; Wang et al. 2017", 2.0, pairs=59.2),
     "each bit of a unary encoding flipped at all of epsilon; two bits differ"),
))  # fmt: skip
_SESSIONS = table("Wrong: sessions", (
    ("privacy-filter-one-more", BudgetedCounts(checked="spent"), BUDGET_SESSION,
     breaks("calculation: the whole budget, twice", 2.0),
     "a filter that compares what was spent before, and lets one answer too many pass"),
    ("budget-session-reset", BudgetedCounts(refusal="exception", afterwards="new"), BUDGET_SESSION,
     breaks("calculation: grows with the session, 4 for eight questions", inf),
     "a budget that is reset by the exception for a refused question"),
    ("odometer-free-repeats", GroupCounts(repeated="fresh"), GROUP_SESSION,
     breaks("calculation: grows with the session, 4 for eight questions", inf),
     "an odometer that charges nothing for a fresh answer about the same group"),
    ("sparse-vector-session-same-noise", LargeGroups(kept="noise"), GROUP_SESSION,
     breaks("calculation: below and then above tells which group is larger", inf),
     "a sparse vector that draws the noise of its answers once in a session"),
))  # fmt: skip
OUT_OF_REACH = table("Out of reach", (
    ("name-and-shame", NameAndShame(), ONE_REMOVED,
     breaks("H01; calculation", inf, pairs=9.6e6, reachable=False),
     "publishes a record once in a million runs"),
    ("laplace-claimed-0.99", NoisySum(epsilon=0.99, sensitivity=0.99), ONE_REMOVED,
     breaks("H02; calculation", 1.0, pairs=3.2e5, reachable=False),
     "Laplace noise of true epsilon 1 claimed as 0.99"),
    ("keys-delta-not-split-small", KeySelection(keys_per_user=10, split_delta=False), TEN_KEYS,
     breaks("H04; as keys-delta-not-split", inf, pairs=1.1e5, reachable=False),
     "ten keys of one user at a delta of 0.00001 each"),
))  # fmt: skip
"""Violations that no black-box audit of ordinary size can find."""

ENTRIES = (
    _NOISE
    + _FLOATING_POINT
    + _SENSITIVITY
    + _COMPOSITION
    + _TRAINING
    + _SELECTION
    + _KEYS
    + _FAILURES
    + _LOCAL
    + _SESSIONS
)

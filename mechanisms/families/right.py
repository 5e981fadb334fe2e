"""Mechanisms that keep their claim: positive controls, with the neighbors that attain it."""

from __future__ import annotations

from math import expm1, log, log1p

import numpy as np

from mechanisms.families.inputs import (
    BUDGET_SESSION,
    COUNT_REMOVED,
    FAVORITE,
    FIVE_ROWS,
    FURTHER_BEHIND,
    GROUP_SESSION,
    HUNDRED_REMOVED,
    LOUD_REMOVED,
    NEW_KEY,
    NO_COUNT,
    ONE_REMOVED,
    OPPOSITE,
    OTHER_ANSWER,
    OTHER_BIN,
    OTHER_BIT,
)
from mechanisms.parts.counts.histogram import NoisyHistogram, TreeCounts
from mechanisms.parts.counts.keys import KeySelection
from mechanisms.parts.counts.total import HistogramOfTotal
from mechanisms.parts.local.mean import OneBitMean, PiecewiseMean
from mechanisms.parts.local.rappor import Rappor
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
from mechanisms.parts.sums.users import RowCount
from mechanisms.parts.training import DpSgd, DpSgdByItsCurve
from mechanisms.table import add_remove, declared, keeps, substitute, table

_ANSWERS = table("Right", (
    ("laplace", NoisySum(), ONE_REMOVED, keeps("K01; Dwork et al. 2006", 1.0),
     "sum of records in [0, 1] plus Laplace noise of scale 1/epsilon"),
    ("geometric", NoisySum(noise="geometric"), COUNT_REMOVED, keeps("K02; arXiv 0811.2841", 1.0),
     "count plus two-sided geometric noise"),
    ("staircase", NoisySum(noise="staircase"), ONE_REMOVED, keeps("arXiv 1212.1186", 1.0),
     "sum of records in [0, 1] plus staircase noise"),
    ("gaussian", NoisySum(delta=0.01, noise="gaussian", calibration="analytic"), ONE_REMOVED,
     keeps("K03; arXiv 1805.06530, Theorem 8", 1.0),
     "sum of records in [0, 1] plus the smallest Gaussian noise for (epsilon, delta)"),
    ("gaussian-small-delta", NoisySum(delta=1e-5, noise="gaussian", calibration="analytic"),
     ONE_REMOVED, keeps("K03; arXiv 1805.06530, Theorem 8", 1.0),
     "sum of records in [0, 1] plus Gaussian noise at delta 0.00001"),
    ("gaussian-mu", GaussianReleases(), ONE_REMOVED, keeps("K03; arXiv 1905.02383, Theorem 2.7"),
     "Gaussian noise with the claim it fits exactly: Gaussian differential privacy"),
    ("gaussian-zcdp", GaussianReleases(notion="zcdp"), ONE_REMOVED,
     keeps("K03; arXiv 1605.02065, Proposition 6"),
     "Gaussian noise claimed as zero-concentrated differential privacy"),
    ("discrete-gaussian-zcdp", GaussianReleases(discrete=True, notion="zcdp"), COUNT_REMOVED,
     keeps("arXiv 2004.00010, Theorem 4"),
     "count plus discrete Gaussian noise, zero-concentrated"),
    ("gaussian-renyi", GaussianReleases(notion="renyi"), ONE_REMOVED,
     keeps("K03; arXiv 1702.07476, Proposition 7"),
     "Gaussian noise claimed as Rényi differential privacy of order 2"),
    ("sum-by-magnitude", NoisySum(lower=90.0, upper=100.0, sensitivity=100.0), HUNDRED_REMOVED,
     keeps("K24; calculation", 1.0),
     "sum of records in [90, 100], noise for the largest magnitude"),
    ("mean-as-ratio", NoisyMean(), ONE_REMOVED, keeps("K24; sequential composition"),
     "noisy sum over noisy count, half of epsilon each"),
    ("histogram", NoisyHistogram(), add_remove(np.array([0]), NO_COUNT, "int:0:1"),
     keeps("K16; parallel composition", 1.0),
     "Laplace noise of scale 1/epsilon on each bin; records come and go"),
    ("histogram-substitute", NoisyHistogram(sensitivity=2.0), OTHER_BIN,
     keeps("K16; calculation", 1.0),
     "Laplace noise of scale 2/epsilon on each bin; records move between bins"),
    ("histogram-noise-kept", HistogramOfTotal(), add_remove(np.array([0]), NO_COUNT, "int:0:3"),
     keeps("calculation; half for bins, half for total", 1.0),
     "a noisy histogram moved until its bins add up to a noisy number of records"),
    ("tree-counts", TreeCounts(), add_remove(np.array([0]), NO_COUNT, "int:0:7"),
     keeps("K17; arXiv 0904.0942", 1.0),
     "counts at all nodes of a binary tree, epsilon split among its levels"),
    ("prefix-sums", NoisyHistogram(bins=5, cumulative=True),
     add_remove(np.array([2]), NO_COUNT, "int:0:4"), keeps("K18; post-processing", 1.0),
     "running totals of a noisy histogram"),
    ("poisson-subsampled-laplace", SampledSum(), ONE_REMOVED,
     keeps("K19; arXiv 1807.01647, Theorem 8", log1p(0.1 * expm1(1.0))),
     "Laplace sum of a tenth of the records, each drawn by itself"),
    ("laplace-ten-times", RepeatedSum(), ONE_REMOVED, keeps("K20; sequential composition", 1.0),
     "a Laplace sum ten times at epsilon/10"),
    ("gaussian-ten-times", GaussianReleases(sigma=3.0, repeats=10), ONE_REMOVED,
     keeps("K21; arXiv 1905.02383, Corollary 3.3"),
     "ten Gaussian releases, composed exactly"),
    ("count-and-sum", CountAndSum(), ONE_REMOVED, keeps("sequential composition", 1.0),
     "count and sum at half of epsilon each"),
    ("user-row-count", RowCount(rows_per_user=5), FIVE_ROWS, keeps("contribution bounding", 1.0),
     "number of rows, at most five of each user, noise for five"),
    ("exponential-mechanism", ExponentialMechanism(), declared(FAVORITE, 1.0 - FAVORITE),
     keeps("K09; McSherry and Talwar 2007", 1.0),
     "one of ten candidates with probability proportional to exp(epsilon·score/2)"),
    ("noisy-max-index", NoisyMax(), FURTHER_BEHIND,
     keeps("K10; Dwork and Roth 2014, Claim 3.9", 1.0),
     "index of the largest answer with Laplace noise of scale 2/epsilon"),
    ("permute-and-flip", NoisyMax(noise="exponential"),
     declared(np.array([0.0, 0.0]), np.array([1.0, -1.0])),
     keeps("K11; arXiv 2010.12603, 2105.07260", 1.0),
     "index of the largest answer with exponential noise of scale 2/epsilon"),
    ("noisy-max-gumbel", NoisyMax(noise="gumbel"), declared(FAVORITE, 1.0 - FAVORITE),
     keeps("K12; arXiv 2105.07260", 1.0),
     "index of the largest answer with Gumbel noise of scale 2/epsilon"),
    ("noisy-max-gap", NoisyMax(output="gap"), FURTHER_BEHIND, keeps("K25; arXiv 1904.12773", 1.0),
     "index of the largest noisy answer and its lead over the runner-up"),
    ("sparse-vector-1", SparseVector(), declared(np.zeros(6), np.array([1.0] * 5 + [-1.0])),
     keeps("K13; arXiv 1603.01699, Algorithm 1", 1.0),
     "sparse vector, Algorithm 1: stops at the first query above"),
    ("sparse-vector-2", SparseVector(cutoff=2, threshold_factor=4.0, query_factor=8.0, redraw=True),
     declared(np.zeros(6), np.array([1.0] * 4 + [-1.0] * 2)),
     keeps("K14; arXiv 1603.01699, Algorithm 2"),
     "sparse vector, Algorithm 2: a new threshold after each query above"),
    ("key-selection", KeySelection(delta=0.0364, noise="geometric", threshold="geometric"), NEW_KEY,
     keeps("K23; arXiv 2006.03684", 1.0),
     "counts of unlisted keys, released when their discrete Laplace count is large"),
    ("median", ExponentialQuantile(),
     substitute(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), "float:0:1"),
     keeps("Smith 2011"),
     "median by the exponential mechanism, on declared bounds"),
    ("randomized-response", RandomizedResponse(), OTHER_BIT, keeps("K05; Warner 1965", 1.0),
     "the truth with probability e^epsilon/(1 + e^epsilon), else the other answer"),
    ("randomized-response-four", RandomizedResponse(choices=4),
     substitute(np.array([1]), np.array([0]), "int:0:3"), keeps("K06; arXiv 1407.1338", 1.0),
     "randomized response among four answers"),
    ("optimized-unary-encoding", UnaryEncoding(), OTHER_ANSWER, keeps("K07; Wang et al. 2017", 1.0),
     "one bit per answer: the one is kept half of the time, zeros rarely flip"),
    ("symmetric-unary-encoding", UnaryEncoding(encoding="symmetric"), OTHER_ANSWER,
     keeps("K08; Wang et al. 2017", 1.0),
     "one bit per answer, each flipped as if it had half of epsilon"),
    ("rappor-permanent", Rappor(hashes=1, bits=8, lie=0.5, responses="permanent"),
     substitute(np.array([1]), np.array([0]), "int:0:9"),
     keeps("K08; arXiv 1407.6981", 2.0 * log(3.0)),
     "one-time RAPPOR with one hash: a noisy Bloom filter"),
    ("one-bit-mean", OneBitMean(), OPPOSITE, keeps("K26; Duchi et al. 2018", 1.0),
     "a number in [-1, 1] as one of two opposite numbers"),
    ("piecewise-mean", PiecewiseMean(), OPPOSITE, keeps("K26; arXiv 1907.00782", 1.0),
     "a number in [-1, 1] from a density that is high around it"),
    ("dp-sgd", DpSgd(), LOUD_REMOVED,
     keeps("privacy loss distribution of the Poisson-subsampled Gaussian, dp_accounting", 0.9969),
     "logistic regression by DP-SGD: ten Poisson batches, gradients clipped to 1"),
    ("dp-sgd-curve", DpSgdByItsCurve(), LOUD_REMOVED,
     keeps("twelve points of the same curve, delta rounded up"),
     "DP-SGD claimed by the curve of (epsilon, delta) that its accountant gives"),
))  # fmt: skip
_SESSIONS = table("Right: sessions", (
    ("privacy-filter", BudgetedCounts(), BUDGET_SESSION,
     keeps("arXiv 1605.08294, Theorem 3.1; calculation", 1.0),
     "counts at the price of a share of the budget; refused when too little is left"),
    ("budget-session", BudgetedCounts(refusal="exception"), BUDGET_SESSION,
     keeps("arXiv 1605.08294, Theorem 3.1; calculation", 1.0),
     "counts at the price of a share of the budget; an exception when too little is left"),
    ("odometer", GroupCounts(), GROUP_SESSION,
     keeps("calculation: two Laplace counts of epsilon/2", 1.0),
     "counts of groups with what they cost; a group asked about again has its answer"),
    ("sparse-vector-session", LargeGroups(), GROUP_SESSION,
     keeps("Dwork and Roth 2014, Theorems 3.16 and 3.23"),
     "is a group large? two rounds of AboveThreshold, with fresh noise throughout"),
))  # fmt: skip

ENTRIES = _ANSWERS + _SESSIONS

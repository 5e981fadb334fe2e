"""The page reports/studies/canaries.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import audit
from audit.canary.design import Design
from tests.calibration.outcome import interval
from tests.canaries.bounds import ALPHA, CANARIES, DELTA, GAUSSIAN_ONLY, Bounds, above, best_of
from tests.canaries.levels import LEVELS, Counted
from tests.canaries.speed import Timed
from tests.canaries.trainings import CANARIES as TRAINED
from tests.canaries.trainings import EPSILON, TRUTHS, Shown

FIGURE = "canaries.svg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """All that was measured.

    Attributes:
        levels: false alarms.
        bounds: on known mechanisms.
        times: of large audits.
        trainings: DP-SGD by pairs and by canaries.
        command: what makes it.
    """

    levels: Sequence[Counted]
    bounds: Sequence[Bounds]
    times: Sequence[Timed]
    trainings: Sequence[Shown]
    command: str


def page(study: Study) -> str:
    """Markdown: a section for each question."""
    sections = (_head(study), _levels(study.levels), _bounds(study.bounds), _speed(study.times))
    return "\n".join(line for part in (*sections, _trainings(study.trainings)) for line in part)


def _head(study: Study) -> list[str]:
    made = f"dp-audit {audit.__version__}. Reproduce: `{study.command}`."
    return [
        "# Canaries",
        "",
        "Audits of what is trained once, by guesses about canaries: how often they are wrong, how",
        "much they show, how long they take, and what pairs show of the same training.",
        "",
        f"{made} All numbers but seconds follow from seeds.",
        "",
    ]


def _levels(counted: Sequence[Counted]) -> Iterator[str]:
    total = sum(one.audits for one in counted)
    yield "## False alarms"
    yield ""
    yield (
        f"{len(counted)} families that keep their claim, {total:,} draws, each audited at both "
        "levels. An alarm is a refutation of the claim at its own level, which every violation "
        "and every bound above the truth needs. Intervals are exact (Clopper-Pearson) at 95%."
    )
    yield ""
    yield "| α | audits | false alarms | rate | 95% interval |"
    yield "|--:|--:|--:|--:|---|"
    for place, alpha in enumerate(LEVELS):
        alarms = sum(one.alarms[place] for one in counted)
        yield f"| {alpha:g} | {total:,} | {alarms} | {interval(alarms, total)} |"
    yield ""
    yield (
        f"The last column is the other arm: how many of the same draws refute half the claim at "
        f"α = {LEVELS[0]:g}. It is small where canaries can show little, however wrong a claim is."
    )
    yield ""
    names = [f"alarms at {alpha:g}" for alpha in LEVELS]
    yield (
        f"| family | who is put in | claim | draws | {names[0]} | 95% interval | {names[1]} | "
        "half the claim refuted |"
    )
    yield "|---|---|---|--:|--:|---|--:|--:|"
    for one in counted:
        rate = interval(one.alarms[0], one.audits).split(" | ")[1]
        yield (
            f"| {one.family.name} | {_design(one.family.design)} | {one.family.claim} | "
            f"{one.audits} | {one.alarms[0]} | {rate} | {one.alarms[1]} | "
            f"{_caught(one)} |"
        )
    yield ""


def _caught(one: Counted) -> str:
    return f"{one.caught / one.audits:.0%}" if one.family.claim.level > 0.0 else "–"


def _design(design: Design) -> str:
    return f"{design.assignment}, {design.relation}"


def _bounds(found: Sequence[Bounds]) -> Iterator[str]:
    yield "## Lower bounds"
    yield ""
    yield (
        f"{CANARIES:,} canaries, α = {ALPHA:g}, δ = {DELTA:g}; medians over {len(found[0].own)} "
        "draws. Canaries share no noise here, so that nothing but the number of guesses keeps a "
        "bound from the true ε."
    )
    yield ""
    yield f"![Bounds beside the true ε of each mechanism]({FIGURE})"
    yield ""
    if found[0].others:
        yield from _beside(found)
        return
    yield "| mechanism | true ε | median bound | wanted | above the truth |"
    yield "|---|--:|--:|--:|--:|"
    for one in found:
        yield f"| {one.row.name} | {one.row.epsilon:g} | {_own(one)} |"
    yield ""


def _own(one: Bounds) -> str:
    wanted = "–" if one.row.wanted is None else f"{one.row.wanted:.2f}"
    return f"{median(one.own):.2f} | {wanted} | {above(one.own, one.row.epsilon)} of {len(one.own)}"


def _beside(found: Sequence[Bounds]) -> Iterator[str]:
    slow = len(found[0].others[GAUSSIAN_ONLY])
    yield (
        "jax_privacy 2.3.0.dev0 on the same draws: `epsilon_one_run` (arXiv 2305.08846) with the "
        "choice of threshold that has the largest median of three (all thresholds with a "
        "correction, half of the canaries choose it, ½ given beforehand), and "
        f"`epsilon_one_run_fdp` (arXiv 2410.22235) at ½ on the first {slow} draws, which reads ε "
        "off the curve of a Gaussian mechanism and is no bound for others."
    )
    yield ""
    yield (
        "| mechanism | true ε | median bound | wanted | above the truth | jax_privacy, its best | "
        "above the truth | as if Gaussian | above the truth |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for one in found:
        (name, best), truth = best_of(one), one.row.epsilon
        reading = one.others[GAUSSIAN_ONLY]
        yield (
            f"| {one.row.name} | {truth:g} | {_own(one)} | {best:.2f} ({name}) | "
            f"{above(one.others[name], truth)} of {len(one.others[name])} | "
            f"{median(reading):.2f} | {above(reading, truth)} of {len(reading)} |"
        )
    yield ""


def _speed(times: Sequence[Timed]) -> Iterator[str]:
    yield "## Time"
    yield ""
    yield f"One audit of {times[0].canaries:,} canaries with Gaussian noise of μ = 1, on one core."
    yield ""
    yield "| claim | seconds | lower bound |"
    yield "|---|--:|--:|"
    for one in times:
        yield f"| {one.claim} | {one.seconds:.1f} | {one.bound:.3f} |"
    yield ""


def _trainings(shown: Sequence[Shown]) -> Iterator[str]:
    yield "## Pairs or canaries"
    yield ""
    yield (
        f"Logistic regression by DP-SGD (`mechanisms/parts/training.py`) with ten batches, rate "
        f".1 and noise 1, accounted for as Poisson batches: ({EPSILON:.3f}, {DELTA:g}), which is "
        f"what all five claim. Each training with canaries has {TRAINED} of them along "
        "coordinates of their own, fresh coins and fresh noise; their score is the likelihood "
        "ratio of the sums that training releases. Pairs compare such sums with one record and "
        "without it; for shuffled batches, nine others point away. A column is a number of "
        f"trainings, which cost the same both ways. α = {ALPHA:g}; ε at least, in bold where the "
        "claim is refuted, in brackets where so few trainings could not refute it whatever they "
        "are."
    )
    yield ""
    columns = list(dict.fromkeys((one.way, one.trainings) for one in shown))
    heads = (f"{trainings:,} with {way}" for way, trainings in columns)
    yield f"| training | true ε | {' | '.join(heads)} |"
    yield "|---|--:|" + "--:|" * len(columns)
    for flaw, truth in TRUTHS.items():
        mine = {(one.way, one.trainings): one for one in shown if one.flaw == flaw}
        cells = (_shown(mine[column]) for column in columns)
        yield f"| {'right' if flaw == 'none' else flaw} | {_truth(truth)} | {' | '.join(cells)} |"
    yield ""
    yield from _lessons()


def _truth(truth: float | None) -> str:
    if truth is None:
        return "unknown"
    return "∞" if truth == float("inf") else f"{truth:.4g}"


def _shown(one: Shown) -> str:
    bound = f"{one.bound:.2f}"
    return {"violation": f"**{bound}**", "inconclusive": f"({bound})"}.get(one.verdict, bound)


def _lessons() -> Iterable[str]:
    return (
        "Where clipping or noise is missing, one training with canaries is enough, and pairs take",
        "thousands. Batches that are taken twice and shuffled ones are seen by neither at so small",
        "a δ: of the loss that is spread over many outputs of a training, guesses show a part that",
        "hardly grows with their number (as of Gaussian noise above), and pairs one that grows",
        "with the trainings. At a larger δ pairs refute both, in the runs that `audit",
        "dp-sgd-batch-twice` (δ = 0.053) and `audit dp-sgd-shuffled` (δ = 0.2045) take by default;",
        "canaries cannot, because the number of canaries times δ is far above the level there.",
        "",
    )

"""PipelineDP's selection of partitions, alone and with metrics, and its noise alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from audit.claims import ApproxDP, PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.pipeline_dp import WORDS, Asked, Row, extractors, people, pipeline
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.pipeline_dp.asking import asking, refused
from mechanisms.external.walks.steps import shown, step

_STRATEGIES = (
    "Truncated Geometric",
    "Laplace Thresholding",
    "Gaussian Thresholding",
    "Weighted Gaussian",
)
_DELTA = 0.05


def entries(shelf: Shelf) -> Iterator[Entry]:
    """Partitions that one id makes, or brings nearer to the threshold."""
    for strategy in _STRATEGIES:
        for partitions in (1, 3):
            for before in (None, 4):
                given: dict[str, Any] = {
                    "max_partitions_contributed": partitions,
                    "pre_threshold": before,
                }
                yield from _selected(shelf, strategy, given)
        yield from _beside(shelf, {"partition_selection_strategy": strategy})
    for noise in ("laplace", "gaussian"):
        given = {"noise_kind": noise, "post_aggregation_thresholding": True}
        yield from _beside(shelf, given, ("COUNT", "PRIVACY_ID_COUNT"))
    yield from _noise(shelf)


def _selected(shelf: Shelf, strategy: str, given: Mapping[str, Any]) -> Iterator[Entry]:
    keys = "abc"[: given["max_partitions_contributed"]]
    does = _selection(strategy, given)
    for others in (0, 4):
        rest: list[Row] = [(i, key, 0.0) for i in range(others) for key in keys] + [(8, "z", 0.0)]
        pair = [*rest, *((9, key, 0.0) for key in keys)], rest
        if not refused(does, pair):
            call = f"select_partitions({strategy}, {shown(given)}), {others} others"
            yield step(shelf, call, does, pair, claims=ApproxDP(1.0, _DELTA), documented=WORDS)


def _selection(strategy: str, given: Mapping[str, Any]) -> Release:
    def release(data: Any) -> Any:
        library = pipeline()
        accountant = library.NaiveBudgetAccountant(1.0, _DELTA)
        engine = library.DPEngine(accountant, library.LocalBackend())
        kind = library.PartitionSelectionStrategy(strategy)
        params = library.SelectPartitionsParams(partition_selection_strategy=kind, **given)
        found = engine.select_partitions([*data], params, extractors())
        accountant.compute_budgets()
        return "".join(sorted(found)) or "none"

    return release


def _beside(
    shelf: Shelf, given: Mapping[str, Any], metrics: tuple[str, ...] = ("COUNT",)
) -> Iterator[Entry]:
    for rows in (1, 3):
        options = {"max_contributions_per_partition": rows, **given}
        asked = Asked(metrics, options, None, delta=_DELTA)
        for others in (0, 4):
            rest = [(88, "z", 0.0), *people(*[0.0] * others)]
            told = f"{others} others"
            yield from asking(shelf, asked, rest, [(99, "a", 0.0)] * rows, told)


def _noise(shelf: Shelf) -> Iterator[Entry]:
    """Two values that one id has moved, by as much as the sensitivities say."""
    ways: tuple[dict[str, Any], ...] = (
        {"l0_sensitivity": 2, "linf_sensitivity": 3},
        {"l1_sensitivity": 6},
        {"l2_sensitivity": 18**0.5},
    )
    for noise, delta in (("laplace", 0.0), ("gaussian", _DELTA)):
        for given in ways:
            does, pair = _noisy(noise, delta, given), ([3, 3], [0, 0])
            if not refused(does, pair):
                claims = ApproxDP(1.0, delta) if delta else PureDP(1.0)
                call = f"add_dp_noise({noise}, {shown(given)})"
                yield step(shelf, call, does, pair, claims=claims, documented=WORDS)


def _noisy(noise: str, delta: float, given: Mapping[str, Any]) -> Release:
    def release(data: Any) -> Any:
        library = pipeline()
        accountant = library.NaiveBudgetAccountant(1.0, delta)
        engine = library.DPEngine(accountant, library.LocalBackend())
        params = library.AddDPNoiseParams(noise_kind=library.NoiseKind(noise), **given)
        found = engine.add_dp_noise([*zip("ab", data, strict=True)], params)
        accountant.compute_budgets()
        return dict(found)

    return release

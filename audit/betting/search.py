"""The search for worse neighbors, with small bets as what it asks."""

from __future__ import annotations

from audit.betting.probe import Probe
from audit.blackbox.code_constants import constants_in
from audit.case import Case, Settings
from audit.neighbors.search.find import search_derived, search_neighbors, search_pairs
from audit.neighbors.search.search_result import Appetite, Found
from audit.neighbors.search.sessions import search_sessions
from audit.progress import Deadline
from audit.sampling.draws import Draws


def find_pairs(case: Case, draws: Draws, settings: Settings, deadline: Deadline) -> Found:
    """Find the pairs to bet on: of questions, of neighbors in the domain, or of the data.

    Args:
        case: what is audited.
        draws: of the audit; calls made here have addresses of their own.
        settings: budget, level and seed of the audit.
        deadline: when it has to be done.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    sampler, domain, seed = draws.sampler, case.domain, settings.seed
    claim, alpha, samples = case.claim, settings.alpha, sampler.samples
    probe = Probe(claim, alpha, sampler, samples, deadline, settings.on_event)
    if case.questions is not None:
        few, constants = Appetite.of_sessions(settings.max_samples), constants_in(sampler.box)
        return search_sessions(
            probe, case.questions, domain, case.relation, case.known, few, seed, constants
        )
    cheap = sampler.box.many and not getattr(sampler.box, "starts", False)
    appetite = Appetite.of(settings.max_samples, cheap)
    if domain is None or case.built:
        probe.known, probe.asked = list(case.pairs), "if the dataset is wrong, check `data`,"
    if domain is None:
        return search_neighbors(probe, case.pairs, appetite)
    constants = constants_in(sampler.box)
    if case.built:
        return search_derived(probe, case.pairs, domain, appetite, seed, constants)
    return search_pairs(probe, domain, case.relation, appetite, seed, constants)

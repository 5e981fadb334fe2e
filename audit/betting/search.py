"""The search for worse neighbors, with small bets as what it asks."""

from __future__ import annotations

from audit.betting.probe import Probe
from audit.blackbox.code_constants import constants_in
from audit.case import Case, Settings
from audit.claims import Claim
from audit.neighbors.domain import Domain
from audit.neighbors.search.find import search_derived, search_neighbors, search_pairs
from audit.neighbors.search.search_result import Appetite, Found
from audit.neighbors.search.sessions import search_sessions
from audit.progress import Deadline
from audit.relation import AnyRelation
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
    if case.questions is not None:
        return search_sessions(
            _probe(case.claim, draws, settings, deadline)[0],
            case.questions,
            case.domain,
            case.relation,
            case.known,
            Appetite.of_sessions(settings.max_samples),
            settings.seed,
            constants_in(draws.sampler.box),
        )
    if case.domain is None or case.built:
        probe, appetite = _probe(case.claim, draws, settings, deadline)
        probe.known, probe.asked = list(case.pairs), "if the dataset is wrong, check `data`,"
        if case.domain is None:
            return search_neighbors(probe, case.pairs, appetite)
        constants = constants_in(draws.sampler.box)
        return search_derived(probe, case.pairs, case.domain, appetite, settings.seed, constants)
    return find_worst(case.claim, case.domain, case.relation, draws, settings, deadline)


def find_worst(
    claim: Claim,
    domain: Domain,
    relation: AnyRelation,
    draws: Draws,
    settings: Settings,
    deadline: Deadline | None = None,
) -> Found:
    """The pairs of this domain on which a claim is most likely to fall, found by small bets.

    Args:
        claim: what is bet against.
        domain: what a record may be.
        relation: what makes datasets neighbors.
        draws: of the audit; calls made here have addresses of their own.
        settings: budget, level and seed of the audit.
        deadline: when it has to be done; None for never.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    probe, appetite = _probe(claim, draws, settings, deadline)
    constants = constants_in(draws.sampler.box)
    return search_pairs(probe, domain, relation, appetite, settings.seed, constants)


def _probe(
    claim: Claim, draws: Draws, settings: Settings, deadline: Deadline | None
) -> tuple[Probe, Appetite]:
    sampler = draws.sampler
    probe = Probe(
        claim,
        settings.alpha,
        sampler,
        sampler.samples,
        deadline or Deadline(),
        settings.on_event,
    )
    cheap = sampler.box.many and not getattr(sampler.box, "starts", False)
    return probe, Appetite.of(settings.max_samples, cheap)

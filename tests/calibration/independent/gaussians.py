"""Gaussian noise under every claim, from tiny to huge parameters, tightly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.stats import norm

from tests.calibration.kind import Kind, always
from tests.calibration.truth import gaussian_sigma, laplace_rho, renyi_of_response

KEEP = math.exp(1.0) / (1.0 + math.exp(1.0))


def gaussian(sigma: float) -> Any:
    def release(data: Any, rng: Generator, size: int) -> Any:
        return data[0] + rng.normal(0.0, sigma, size)

    return release


def many_coordinates(data: Any, rng: Generator, size: int) -> Any:
    """Each of 20 coordinates moves by 1/sqrt(20)."""
    return data[0] / math.sqrt(20.0) + rng.normal(0.0, 1.0, (size, 20))


def laplace(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 1.0, size)


def response(data: Any, rng: Generator, size: int) -> Any:
    return (rng.random(size) < KEEP) == bool(data[0])


_GRID = np.arange(-40, 41)
_WEIGHTS = np.exp(-(_GRID**2) / 2.0) / np.exp(-(_GRID**2) / 2.0).sum()


def discrete(data: Any, rng: Generator, size: int) -> Any:
    return int(data[0]) + rng.choice(_GRID, size, p=_WEIGHTS)


def approximate(epsilon: float, delta: float, samples: int = 3000) -> Kind:
    return Kind(
        name=f"Gaussian, ({epsilon:g}, {delta:g})",
        make=always(gaussian(gaussian_sigma(epsilon, delta))),
        claim={"epsilon": epsilon, "delta": delta},
        truth={"epsilon_lower": epsilon},
        samples=samples,
    )


def concentrated(
    name: str, release: Any, rho: float, samples: int = 3000, rounds: float = 0.5
) -> Kind:
    return Kind(
        name=name,
        make=always(release),
        claim={"rho": rho},
        truth={"rho_lower": rho},
        samples=samples,
        rounds=rounds,
    )


def mu(name: str, release: Any, value: float, samples: int = 3000) -> Kind:
    truth = {"mu_lower": value}
    return Kind(name=name, make=always(release), claim={"mu": value}, truth=truth, samples=samples)


def renyi(name: str, release: Any, order: float, value: float) -> Kind:
    truth = {"renyi_lower": value}
    return Kind(name=name, make=always(release), claim={"renyi": (order, value)}, truth=truth)


GAUSSIANS: tuple[Kind, ...] = (
    approximate(1.0, 0.01, 8_000),
    approximate(0.1, 1e-3),
    approximate(4.0, 1e-5),
    approximate(1.0, 1e-6),
    approximate(0.01, 0.05),
    concentrated("Gaussian, zCDP 0.5", gaussian(1.0), 0.5, 8_000),
    concentrated("Gaussian, zCDP 0.005", gaussian(10.0), 0.005),
    concentrated("Gaussian, zCDP 8", gaussian(0.25), 8.0),
    concentrated("20 Gaussians, zCDP 0.5", many_coordinates, 0.5, 3000, 0.1),
    concentrated("discrete Gaussian, zCDP 0.5", discrete, 0.5),
    concentrated("Laplace, zCDP", laplace, laplace_rho()),
    mu("Gaussian, mu 1", gaussian(1.0), 1.0, 8_000),
    mu("Gaussian, mu 0.1", gaussian(10.0), 0.1),
    mu("Gaussian, mu 4", gaussian(0.25), 4.0),
    mu("Gaussian, mu 8", gaussian(0.125), 8.0),
    mu("randomized response, mu", response, 2.0 * float(norm.ppf(KEEP))),
    renyi("Gaussian, Rényi order 2", gaussian(1.0), 2.0, 1.0),
    renyi("Gaussian, Rényi order 1.5", gaussian(1.0), 1.5, 0.75),
    renyi("Gaussian, Rényi order 8", gaussian(1.0), 8.0, 4.0),
    renyi("Gaussian, Rényi order 32", gaussian(4.0), 32.0, 1.0),
    renyi("randomized response, Rényi order 2", response, 2.0, renyi_of_response(2.0, KEEP)),
)

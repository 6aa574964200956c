"""Waiting times of stations, and how they spread."""

from __future__ import annotations

import math
from typing import NamedTuple


class Wait(NamedTuple):
    """Seconds of waiting: mean and variance."""

    mean: float
    variance: float


NONE = Wait(0.0, 0.0)
FULL = Wait(math.inf, math.inf)


def blocked(offered: float, servers: int) -> float:
    """The probability that a visit waits in M/M/c (Erlang C). ``offered``: busy servers in the mean, less than all."""
    lost = 1.0  # Erlang B, by its recursion
    for count in range(1, servers + 1):
        lost = offered * lost / (count + offered * lost)
    return lost / (1 - offered / servers * (1 - lost))


def wait(arrivals: float, service: float, variation: float, servers: int = 1) -> Wait:
    """M/G/c: exact in the mean for one server (Pollaczek and Khinchine), and for exponential times; else Allen and
    Cunneen. ``arrivals`` per second, ``service`` in seconds with its squared coefficient of variation."""
    offered = arrivals * service
    if offered >= servers:
        return FULL
    if offered <= 0:
        return NONE
    probability = blocked(offered, servers)
    if probability <= 0:  # too small for a number: many processors, almost all idle
        return NONE
    mean = probability * service / (servers - offered) * (1 + variation) / 2
    return Wait(mean, mean * mean * (2 / probability - 1))  # exponential for those who wait


def gamma_cdf(shape: float, x: float) -> float:
    """The regularised incomplete gamma function P(shape, x): by its series, else by its continued fraction."""
    if x <= 0:
        return 0.0
    scale = math.exp(shape * math.log(x) - x - _log_gamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        for step in range(1, 1000):
            term *= x / (shape + step)
            total += term
            if term < total * 1e-14:
                break
        return min(1.0, total * scale)
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    fraction = d
    for step in range(1, 1000):
        factor = -step * (step - shape)
        b += 2
        d = factor * d + b
        d = tiny if abs(d) < tiny else d
        c = b + factor / c
        c = tiny if abs(c) < tiny else c
        d = 1 / d
        fraction *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return max(0.0, 1 - scale * fraction)


def _log_gamma(x: float) -> float:
    """By Stirling's series, far enough up: the same in every language, unlike those of their libraries."""
    shift = 0.0
    while x < 12:
        shift -= math.log(x)
        x += 1
    series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x * x)) / (x * x)) / (x * x)) / x
    return shift + (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + series

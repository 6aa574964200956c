"""How long a plan is simulated, and how much work that is (SI24)."""

from __future__ import annotations

from wavescope_lab.planning.response import predict
from wavescope_lab.planning.situation import THINK_SECONDS, Equipment, Situation
from wavescope_lab.workload import markov

REQUESTS = 100_000
"""Requests of a trial that are aimed at: fewer clients are simulated for longer."""
LEAST_SECONDS, MOST_SECONDS = 150.0, 3600.0
TRIALS = 4
WINDOW, CLIENTS = 50, 200
"""What a window of the model takes: as long as so many requests, and one more for so many clients (measured)."""
SHORTEST_THINK = min(low for bins in markov.THINK_SECONDS for low, _ in bins)


def simulated_seconds(given: Situation, bought: Equipment) -> float:
    """Of each trial, in simulated time."""
    return min(MOST_SECONDS, max(LEAST_SECONDS, REQUESTS / predict(given, bought).throughput))


def simulated_work(given: Situation, bought: Equipment) -> float:
    """What all trials take, known before: about so many requests. Each client makes one, and time goes on in windows of
    the shortest think time, each of which looks at all clients.
    """
    seconds = simulated_seconds(given, bought)
    windows = seconds / (SHORTEST_THINK * given.think_seconds / THINK_SECONDS)
    requests = given.clients + predict(given, bought).throughput * seconds
    return TRIALS * (requests + windows * (WINDOW + given.clients / CLIENTS))

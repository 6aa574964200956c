"""How long a plan is simulated, and how much work that is (SI24)."""

from __future__ import annotations

from wavescope_lab.planning.response import predict
from wavescope_lab.planning.situation import THINK_SECONDS, Equipment, Situation
from wavescope_lab.workload import markov

REQUESTS = 100_000
"""Requests of a trial that are aimed at: fewer clients are simulated for longer."""
MIN_SECONDS, MAX_SECONDS = 150.0, 3600.0
TRIALS = 4
WINDOW, CLIENTS = 50, 200
"""What a window of the model takes: as long as so many requests, and one more for so many clients (measured)."""
SHORTEST_THINK = min(low for bins in markov.THINK_SECONDS for low, _ in bins)


def simulated_seconds(situation: Situation, equipment: Equipment) -> float:
    """Of each trial, in simulated time."""
    return min(MAX_SECONDS, max(MIN_SECONDS, REQUESTS / predict(situation, equipment).throughput))


def simulated_work(situation: Situation, equipment: Equipment) -> float:
    """What all trials take, known before: about so many requests. Each client makes one, and time goes on in windows of
    the shortest think time, each of which looks at all clients.
    """
    seconds = simulated_seconds(situation, equipment)
    windows = seconds / (SHORTEST_THINK * situation.think_seconds / THINK_SECONDS)
    requests = situation.clients + predict(situation, equipment).throughput * seconds
    return TRIALS * (requests + windows * (WINDOW + situation.clients / CLIENTS))

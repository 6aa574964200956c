"""What is counted of the answers: in bounded memory, however many there are."""

from __future__ import annotations

import numpy as np

from wavescope_lab.simulator.sites.draws import Floats

STEP = 1.005
"""Each bin of the histogram of response times is this much longer than the one before."""
MIN_SECONDS = 1e-5
BINS = 6000
PERCENTS = (50, 95, 99)


class Measures:
    """Response times: their sum and a histogram with bins of 0.5 %."""

    def __init__(self) -> None:
        self.count, self.sum, self.hits = 0, 0.0, 0
        self._bins = np.zeros(BINS, dtype=np.int64)

    def add(self, seconds: Floats, hits: np.ndarray) -> None:
        """Some answers. ``hits``: which of them came from the edge."""
        if not len(seconds):
            return
        self.count += len(seconds)
        self.sum += float(seconds.sum())
        self.hits += int(hits.sum())
        places = np.log(np.maximum(seconds, MIN_SECONDS) / MIN_SECONDS) / np.log(STEP)
        self._bins += np.bincount(np.minimum(places.astype(np.int64), BINS - 1), minlength=BINS)

    def figures(self) -> dict[str, float]:
        """Mean and percentiles in seconds, and the hit ratio of the edges; nothing if there was no answer."""
        if not self.count:
            return {}
        found = {"response": self.sum / self.count, "hit_ratio": self.hits / self.count}
        reached = np.cumsum(self._bins)
        for percent in PERCENTS:
            place = int(np.searchsorted(reached, self.count * percent / 100))
            found[f"response_p{percent}"] = MIN_SECONDS * STEP ** (place + 0.5)
        return found

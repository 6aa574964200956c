"""The way of blocks from an origin to an edge: hosts and links that others share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import simpy

from wavescope_lab.simulator.components import Station, Steps


class Shared:
    """A host or a link that serves one block after another at so many bytes per second."""

    def __init__(self, env: simpy.Environment, bandwidth: float) -> None:
        self._station, self._bandwidth = Station(env), bandwidth

    def take(self, size: int) -> float:
        """Seconds until a block has passed."""
        return self._station.take(size / self._bandwidth)


class Way:
    """From an origin to an edge: through ``stages`` one after the other, then ``delay``."""

    def __init__(self, env: simpy.Environment, stages: Sequence[Shared], delay: float) -> None:
        self.env, self._stages, self.delay = env, stages, delay

    def request(self, sizes: Sequence[int], arrived: Callable[[int], None]) -> None:
        """Asks for blocks; ``arrived`` is called with the number of each one when it is here."""
        for number, size in enumerate(sizes):
            self.env.process(self._block(number, size, arrived))

    def _block(self, number: int, size: int, arrived: Callable[[int], None]) -> Steps:
        yield self.env.timeout(self.delay)
        for stage in self._stages:
            yield self.env.timeout(stage.take(size))
        yield self.env.timeout(self.delay)
        arrived(number)

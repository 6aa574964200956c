"""One origin at run time: its source, and the plain states that are folded over what happens to it."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace

from wavescope.blocks.base import BlockSource
from wavescope.blocks.replicated import breaker as breakers
from wavescope.blocks.replicated.breaker import Breaker
from wavescope.blocks.replicated.measures import Event, Measures, fold
from wavescope.blocks.replicated.problem import Path
from wavescope.blocks.replicated.status import OriginCounts, OriginStatus

Probe = Callable[[], Awaitable[object]]
"""One small request to the origin. Raises or returns False if it is not well."""

MISSING = 4096  # versions that an origin does not have, remembered at most
PLAIN_BLOCK = 4096  # bytes of a block, for the score


class Origin:
    """An origin that has joined."""

    def __init__(self, name: str, source: BlockSource, probe: Probe | None) -> None:
        self.name, self.source, self.probe = name, source, probe
        self.measures, self.breaker = Measures(), Breaker()
        self.counts = OriginCounts()
        self.leaving = self.probing = False
        self.progressed = self.probed = 0.0  # when it last answered, or became busy; when it was last probed
        self._missing: OrderedDict[str, float] = OrderedDict()
        self._errors: Counter[str] = Counter()
        self._opened: Counter[str] = Counter()

    def note(self, event: Event) -> None:
        """Folds an event into the measures."""
        self.measures = fold(self.measures, event)

    def update(self, breaker: Breaker) -> bool:
        """The breaker after something happened. True if it has just opened."""
        opened = breaker.state == "open" and self.breaker.state != "open"
        self.breaker = breaker
        if opened:
            self._opened[breaker.reason] += 1
        return opened

    def count_error(self, kind: str) -> None:
        self._errors[kind] += 1

    def state(self, now: float) -> breakers.State:
        """The state of the breaker; an open one may become half-open here."""
        self.breaker = breakers.at(self.breaker, now)
        return self.breaker.state

    def lacks(self, slide: str, now: float) -> bool:
        """Whether it is known not to have a version."""
        until = self._missing.get(slide)
        if until is not None and until <= now:
            self._missing.pop(slide, None)
        return until is not None and until > now

    def note_missing(self, slide: str, until: float) -> None:
        self._missing[slide] = until
        self._missing.move_to_end(slide)
        if len(self._missing) > MISSING:
            self._missing.popitem(last=False)

    def forget(self, slide: str) -> None:
        self._missing.pop(slide, None)
        self.source.forget(slide)

    @property
    def tried_by_probe(self) -> bool:
        """Whether a probe decides on a half-open breaker. Of corruption it would show nothing."""
        return self.probe is not None and self.breaker.reason != "corrupt"

    def path(self, limit: int | None = None) -> Path:
        """As the assignment sees it."""
        return Path(self.measures.latency, self.measures.bandwidth, self.measures.in_flight, limit)

    def trial_limit(self, now: float) -> int | None:
        """The blocks that it may get while it is half-open: one as its trial. None if nothing limits it."""
        if self.state(now) != "half-open":
            return None
        return 0 if self.tried_by_probe or self.measures.requests else 1

    def status(self, now: float) -> OriginStatus:
        """A copy for metrics."""
        state, path = self.state(now), self.path()
        return OriginStatus(
            name=self.name,
            state=state,
            reason=self.breaker.reason,
            leaving=self.leaving,
            score=0.0 if state == "open" else PLAIN_BLOCK / (path.ready + PLAIN_BLOCK / path.bandwidth),
            latency=path.latency,
            slow=self.measures.slow(),
            bandwidth=path.bandwidth,
            in_flight=path.in_flight,
            window=self.measures.window(PLAIN_BLOCK),
            missing=len(self._missing),
            samples=self.measures.samples,
            counts=replace(self.counts, errors=dict(self._errors), opened=dict(self._opened)),
        )

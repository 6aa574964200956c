"""Which read goes to which origin, and when: the policy decides, the windows of the origins pace."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from time import thread_time

from wavescope.blocks.base import BlockRequest
from wavescope.blocks.replicated.error_kinds import error_for_caller
from wavescope.blocks.replicated.limits import ReplicationLimits
from wavescope.blocks.replicated.origin import Origin
from wavescope.blocks.replicated.plan import Plan
from wavescope.blocks.replicated.problem import Counts, Demand, Policy, Problem, costs, spread
from wavescope.blocks.replicated.reads import BLOCK, PendingRead
from wavescope.blocks.replicated.requests import Requests
from wavescope.blocks.replicated.status import SolverCounts

REFILL = 4  # a request is sent when this share of the window is free
MAX_ENTRIES = 1024  # blocks of one request

ReadQueue = deque[PendingRead]


class Dispatcher:
    """Reads that wait, in the order of their use, and the origins that they may go to. ``clock``: seconds."""

    def __init__(self, policy: Policy, limits: ReplicationLimits, clock: Callable[[], float]) -> None:
        self.policy, self.clock = policy, clock
        self.origins: dict[str, Origin] = {}
        self.requests = Requests(limits, self)
        self.solver = SolverCounts()
        self._queues: list[ReadQueue] = []
        self._retries: ReadQueue = deque()
        self._bound: dict[str, ReadQueue] = {}
        self._plan: Plan | None = None

    @property
    def waiting(self) -> int:
        """Blocks that are not sent yet."""
        queues = [*self._queues, *self._bound.values(), self._retries]
        return sum(not read.done for queue in queues for read in queue)

    @property
    def idle(self) -> bool:
        """Whether nothing waits."""
        return not (self._queues or self._retries or any(self._bound.values()))

    def submit(self, reads: Sequence[PendingRead]) -> None:
        """Blocks of one slide version, in the order of their use."""
        for read in reads:
            read.expected = self.requests.sizes.expected(read.key)
        if self.policy.binding:
            self._bind(reads)
        else:
            self._queues.append(deque(reads))
            self._plan = None
        self.pump()

    def send(self, read: PendingRead) -> None:
        """Sends one read at once, whatever else is in flight. Resolves it with an error if no origin is left for it."""
        read.expected = self.requests.sizes.expected(read.key)
        holders = self._healthy(read)
        if not holders:
            read.resolve(error_for_caller(list(read.failures.values())))
            return
        self.requests.start(self._one_of(holders, read), [read])

    def holders(self, slide: str, tried: Iterable[str]) -> list[Origin]:
        """The origins to ask for a version, without those that were ``tried``: the ones that work and may have it.

        Where there are none, those that are out; then those that did not have it when they were asked last.
        """
        now = self.clock()
        left = [origin for origin in self.origins.values() if not origin.leaving and origin.name not in tried]
        having = [origin for origin in left if not origin.lacks(slide, now)]
        return [origin for origin in having if origin.state(now) != "open"] or having or left

    def _healthy(self, read: PendingRead) -> list[Origin]:
        """The origins to ask, no half-open one among them if there are others."""
        holders, now = self.holders(read.slide, read.failures), self.clock()
        return [origin for origin in holders if origin.state(now) == "closed"] or holders

    def _trial(self, read: PendingRead) -> Origin | None:
        """A half-open origin that waits for its trial, if it may answer the read."""
        now = self.clock()
        trials = (origin for origin in self.holders(read.slide, read.failures) if origin.trial_limit(now) == 1)
        return None if read.done else next(trials, None)

    def _one_of(self, holders: Sequence[Origin], read: PendingRead) -> Origin:
        """The origin for one read. The minimum-cost flow of a single block is the cheapest path, without a solver."""
        if not self.policy.binding or len(holders) == 1:
            return self.cheapest(holders, read.expected)
        demand = Demand((1 << len(holders)) - 1, 1)
        problem = Problem(tuple(origin.path() for origin in holders), (demand,), read.expected, self.solver.count)
        return holders[self._assign(problem)[0].index(1)]

    def cheapest(self, origins: Sequence[Origin], size: int) -> Origin:
        """The origin from which ``size`` bytes arrive first."""
        price = costs(Problem(tuple(origin.path() for origin in origins), (), size))
        return origins[price.index(min(price))]

    def release(self, origin: Origin) -> None:
        """Takes back what was bound to an origin that is out or leaves."""
        queue = self._bound.pop(origin.name, None)
        if queue:
            self._bind(queue)

    def pump(self) -> None:
        """Sends what the windows allow."""
        free = {origin.name: space for origin in self.origins.values() if (space := self._space(origin)) > 0}
        if not free and self.origins:
            return
        if self.policy.binding:
            self._retries, reads = deque(), self._retries
            self._bind(reads)
            for name, space in free.items():
                queue = self._bound.get(name)
                if queue:
                    self._send_all(self.origins[name], _taken([queue], len(queue), space))
        elif self._queues or self._retries:
            self._assign_waiting(free)

    def _space(self, origin: Origin) -> int:
        """The free bytes of the window, 0 if they are too few for a request."""
        window = origin.measures.window(self.requests.sizes.expected(BLOCK))
        space = window - origin.measures.in_flight
        return space if space * REFILL >= window else 0

    def _assign_waiting(self, free: dict[str, int]) -> None:
        """Sends what the plan and the windows allow; the rest waits."""
        origins, now = list(self.origins.values()), self.clock()
        groups = self._groups(origins)
        if groups:
            plan = self._plan
            if plan is None or not plan.serves(list(self.origins), groups, free, now):
                plan = self._plan = self._new_plan(origins, groups, now)
            for n in plan.order:
                taken: list[PendingRead] = []
                space = free.get(plan.names[n], 0)
                for holders, queues in groups.items():
                    more = _taken(queues, plan.rows[holders][n], space)
                    plan.rows[holders][n] -= len(more)
                    space -= sum(read.expected for read in more)
                    taken += more
                self._send_all(origins[n], taken)
        self._queues = [queue for queue in self._queues if queue]
        self._retries = deque(read for read in self._retries if not (read.done or read.requests))

    def _new_plan(self, origins: Sequence[Origin], groups: dict[int, list[ReadQueue]], now: float) -> Plan:
        """Assigns all that waits."""
        well = any(origin.state(now) == "closed" for origin in origins)
        paths = tuple(origin.path(origin.trial_limit(now) if well else None) for origin in origins)
        demands = tuple(Demand(holders, sum(map(len, queues))) for holders, queues in groups.items())
        problem = Problem(paths, demands, _mean_size(groups), self.solver.count)
        return Plan(list(self.origins), problem, self._assign(problem), now)

    def _groups(self, origins: Sequence[Origin]) -> dict[int, list[ReadQueue]]:
        """The queues by their holders; bit n is the origin n. Reads without an origin are resolved with an error."""
        bits = {origin.name: 1 << n for n, origin in enumerate(origins)}
        groups: dict[int, list[ReadQueue]] = {}
        by_holders: dict[int, ReadQueue] = {}
        for read in list(self._retries):
            holders = sum(bits[origin.name] for origin in self.holders(read.slide, read.failures))
            if read.done:
                continue
            if holders:
                by_holders.setdefault(holders, deque()).append(read)
            else:
                read.resolve(error_for_caller(list(read.failures.values())))
        for holders, queue in by_holders.items():
            groups[holders] = [queue]
        for queue in self._queues:
            while queue and queue[0].done:
                queue.popleft()
            holders = sum(bits[origin.name] for origin in self.holders(queue[0].slide, ())) if queue else 0
            if holders:
                groups.setdefault(holders, []).append(queue)
            while queue and not holders:
                queue.popleft().resolve(error_for_caller([]))
        return groups

    def _bind(self, reads: Iterable[PendingRead]) -> None:
        """Gives each read its origin for good (baselines only)."""
        names = list(self.origins)
        groups: dict[int, list[PendingRead]] = {}
        for read in reads:
            if trial := self._trial(read):
                self.requests.start(trial, [read])
                continue
            holders = sum(1 << names.index(origin.name) for origin in self._healthy(read))
            if holders:
                groups.setdefault(holders, []).append(read)
            elif not read.done:
                read.resolve(error_for_caller(list(read.failures.values())))
        if not groups:
            return
        paths = tuple(origin.path() for origin in self.origins.values())
        demands = tuple(Demand(holders, len(group)) for holders, group in groups.items())
        counts = self._assign(
            Problem(paths, demands, _mean_size({0: list(map(deque, groups.values()))}), self.solver.count)
        )
        for row, group in zip(counts, groups.values(), strict=True):
            for read, path in zip(group, spread(row), strict=True):
                self._bound.setdefault(names[path], deque()).append(read)

    def _assign(self, problem: Problem) -> Counts:
        started = thread_time()
        counts = self.policy.assign(problem)
        self.solver.add(thread_time() - started)
        return counts

    def _send_all(self, origin: Origin, reads: Sequence[PendingRead]) -> None:
        """One request per slide version."""
        by_slide: dict[str, list[PendingRead]] = {}
        for read in reads:
            by_slide.setdefault(read.slide, []).append(read)
        for group in by_slide.values():
            for begin in range(0, len(group), MAX_ENTRIES):
                self.requests.start(origin, group[begin : begin + MAX_ENTRIES])

    def retry(self, read: PendingRead) -> None:
        """A read that an origin could not answer."""
        if not self.holders(read.slide, read.failures):
            read.allow_retry()
        if isinstance(read.what, BlockRequest) and self.holders(read.slide, read.failures):
            self._retries.append(read)
            self._plan = None
        else:
            self.send(read)

    def give_up(self, slide: str, origin: Origin, error: Exception) -> None:
        """See Owner: what waits for this origin alone fails with it, and does not wait as long once more."""
        for queue in self._queues:
            if queue and queue[0].slide == slide and self.holders(slide, ()) == [origin]:
                for read in list(queue):
                    read.failures[origin.name] = error
                    self.retry(read)
                queue.clear()

    def progressed(self, origin: Origin) -> None:
        if self.policy.binding and origin.breaker.state == "open":
            self.release(origin)
        if not self.idle and (self._space(origin) > 0 or origin.breaker.state != "closed"):
            self.pump()


def _taken(queues: Sequence[ReadQueue], count: int, space: int) -> list[PendingRead]:
    """At most ``count`` reads of the queues in turn, until ``space`` bytes are used."""
    taken: list[PendingRead] = []
    left = deque(queue for queue in queues if queue)
    while left and len(taken) < count and space > 0:
        read = left[0].popleft()
        if not read.done:
            taken.append(read)
            space -= read.expected
        if left[0]:
            left.rotate(-1)
        else:
            left.popleft()
    return taken


def _mean_size(groups: dict[int, list[ReadQueue]]) -> int:
    """The mean bytes of the blocks that wait, of the first one of each queue."""
    queues = [queue for group in groups.values() for queue in group if queue]
    return max(1, sum(queue[0].expected * len(queue) for queue in queues) // max(1, sum(map(len, queues))))

"""Which node owns a live session, over all interleavings of signs of life, pauses, claims and writes (CL20 to CL24)."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from wavescope.service.nodes.liveness import HEARTBEAT_SECONDS, SILENT_SECONDS, Liveness, Sign
from wavescope.sessions.ownership import NOBODY, Lease, decide

NODES = ("a", "b", "c")
SESSION = "s" * 32


def test_what_nobody_owns_is_claimed_cl20() -> None:
    assert decide(None, "a", {"a"}, ()) == "claim"
    assert decide(Lease(SESSION, "b", NOBODY, 3), "a", {"a", "b"}, ()) == "claim"


def test_a_session_of_a_living_node_is_elsewhere_cl21() -> None:
    assert decide(Lease(SESSION, "b", "b", 1), "a", {"a", "b"}, ()) == "elsewhere"


def test_a_session_of_a_dead_node_is_claimed_and_one_of_an_unknown_node_is_not_yet_cl24() -> None:
    assert decide(Lease(SESSION, "b", "b", 1), "a", {"a"}, {"b"}) == "claim"
    assert decide(Lease(SESSION, "b", "b", 1), "a", {"a"}, ()) == "unsure"


@dataclass
class Machine:
    """A node: what it has seen, and the lease that it believes to hold."""

    liveness: Liveness = field(default_factory=Liveness)
    alive: frozenset[str] = frozenset()
    dead: frozenset[str] = frozenset()
    paused: bool = False
    looked: float = float("-inf")
    held: Lease | None = None


class Leases(RuleBasedStateMachine):
    """Three nodes and one session on a database that is always right about its rows, never about who is alive."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.nodes = {name: Machine() for name in NODES}
        self.seen = dict.fromkeys(NODES, 1000.0)
        self.lease: Lease | None = None
        self.written: list[int] = []  # the term of each write that was accepted
        self.owners: dict[int, str] = {}

    @rule(seconds=st.floats(0.05, 4.0))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds
        for name, node in self.nodes.items():
            if not node.paused:
                self.look(name)

    @rule(name=st.sampled_from(NODES))
    def pause(self, name: str) -> None:
        self.nodes[name].paused = True

    @rule(name=st.sampled_from(NODES))
    def go_on(self, name: str) -> None:
        self.nodes[name].paused = False  # with what it believed before

    def look(self, name: str) -> None:
        node = self.nodes[name]
        self.seen[name] = self.now
        signs = [Sign(one, seen, self.now - seen, True) for one, seen in self.seen.items()]
        node.dead = node.liveness.look(self.now, signs) - {name}
        node.alive = frozenset(NODES) - node.dead
        node.looked = self.now

    @rule(name=st.sampled_from(NODES))
    def claim(self, name: str) -> None:
        node = self.nodes[name]
        if node.paused or self.now - node.looked >= SILENT_SECONDS:
            return
        decision = decide(self.lease, name, node.alive, node.dead)
        if decision == "claim":
            term = 1 if self.lease is None else self.lease.term + 1
            before, self.lease = self.lease, Lease(SESSION, name, name, term)
            node.held = self.lease
            if before is not None and before.instance not in (
                NOBODY,
                name,
            ):  # never from a node that gives signs of life
                assert (
                    self.now - self.seen[before.instance] >= SILENT_SECONDS - 1e-6 or self.nodes[before.instance].paused
                )
            assert term not in self.owners
            self.owners[term] = name

    @rule(name=st.sampled_from(NODES))
    def write(self, name: str) -> None:
        node = self.nodes[name]
        if not node.paused and node.held is not None and node.held == self.lease:  # the fence
            self.written.append(node.held.term)

    @rule(name=st.sampled_from(NODES))
    def compare(self, name: str) -> None:
        node = self.nodes[name]
        if not node.paused and node.held is not None and node.held != self.lease:
            node.held = None

    @rule(name=st.sampled_from(NODES))
    def stop_in_order(self, name: str) -> None:
        node = self.nodes[name]
        if not node.paused and node.held is not None and node.held == self.lease:
            self.lease = self.lease._replace(instance=NOBODY)
            node.held = None

    @invariant()
    def writes_never_go_back_to_a_former_owner(self) -> None:
        assert self.written == sorted(self.written)

    @invariant()
    def no_two_nodes_hold_the_lease(self) -> None:
        assert sum(node.held is not None and node.held == self.lease for node in self.nodes.values()) <= 1

    @rule(name=st.sampled_from(NODES))
    def a_dead_owner_is_replaced(self, name: str) -> None:
        """Liveness: a node that looks regularly may claim from an owner that stays silent."""
        if self.lease is None or self.lease.instance in (NOBODY, name) or not self.nodes[self.lease.instance].paused:
            return
        if self.nodes[name].paused:
            return
        for _ in range(int(2 * SILENT_SECONDS / HEARTBEAT_SECONDS) + 2):
            self.now += HEARTBEAT_SECONDS
            self.look(name)
        assert decide(self.lease, name, self.nodes[name].alive, self.nodes[name].dead) == "claim"


TestLeases = Leases.TestCase

"""The simulation of the performance evaluation of 1998: clients, one proxy (an edge), one server (decision 0022).

Every request goes over the LAN to the proxy. What misses comes in blocks over the WAN from the server. The answer goes
back over the LAN once all its blocks are at the proxy. Without a proxy, the blocks pass a gateway that takes no time.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import fmean

import simpy

from wavescope_lab.simulator.components import Station, Steps
from wavescope_lab.simulator.distributions import Distribution
from wavescope_lab.simulator.tables import Table
from wavescope_lab.workload import markov

ZOOM = (8, 4, 2, 1)
"""Of the states of the matrix: the server reads its square times the data of the answer."""
WRITERS = ("path", "separate", "single")
SERVICE_SIZES = ("answer", "block")
ONE_WAY = 0.5
"""The report measured the time of data that went and came back."""


@dataclass(frozen=True)
class Network:
    """Seconds there and back of a request, of a small and of a large answer on the LAN, and of a block on the WAN."""

    lan_request: Distribution
    lan_small: Distribution
    lan_large: Distribution
    wan_request: Distribution
    wan_block: Distribution
    writer: str
    """``path``: one writer of the WAN, and of what came over it on the LAN; answers from the cache wait for nothing.
    ``separate``: one writer for each network. ``single``: one for both."""


@dataclass(frozen=True)
class Proxy:
    """Seconds of its processor per request, block that hits, block that misses, block received, message sent."""

    request: Distribution
    hit: Distribution
    miss: Distribution
    receive: Distribution
    send: Distribution
    send_blocks: int
    """Blocks of a message to the client."""


@dataclass(frozen=True)
class Server:
    """Seconds of a request: ``(zoom ** 2 * per_zoom + base)``, a tenth of it for a small one."""

    per_zoom: float
    base: float
    service_size: str
    """Each block takes the time of the whole ``answer``, or its own part of it (``block``)."""


@dataclass(frozen=True)
class Report:
    """``arrivals``: seconds from client to client; ``display``: of an answer, before the thought about it begins.
    ``hit_rate``: of each block, None without a proxy."""

    clients: int
    requests: int
    arrivals: Distribution
    display: Distribution
    hit_rate: float | None
    think_factor: float
    large_blocks: int
    small_blocks: int
    network: Network
    proxy: Proxy
    server: Server


def read_report(table: Table) -> Report:
    """The model of a table of parameters. Raises InvalidExperiment."""
    network = Network(
        lan_request=table.distribution("lan_request"),
        lan_small=table.distribution("lan_small"),
        lan_large=table.distribution("lan_large"),
        wan_request=table.distribution("wan_request"),
        wan_block=table.distribution("wan_block"),
        writer=table.choice("writer", WRITERS, "path"),
    )
    proxy = Proxy(
        request=table.distribution("proxy_request"),
        hit=table.distribution("proxy_hit"),
        miss=table.distribution("proxy_miss"),
        receive=table.distribution("proxy_receive"),
        send=table.distribution("proxy_send"),
        send_blocks=table.integer("send_blocks", 1, 1000, 2),
    )
    server = Server(
        table.number("server_per_zoom", 0, 1e3),
        table.number("server_base", 0, 1e3),
        table.choice("service_size", SERVICE_SIZES, "answer"),
    )
    return Report(
        clients=table.integer("clients", 1, 1000),
        requests=table.integer("requests", 1, 100_000, 200),
        arrivals=table.distribution("arrivals"),
        display=table.distribution("display"),
        hit_rate=table.number("hit_rate", 0, 1) if table.has("hit_rate") else None,
        think_factor=table.number("think_factor", 0, 100, 1.0),
        large_blocks=table.integer("large_blocks", 1, 1000, 12),
        small_blocks=table.integer("small_blocks", 1, 1000, 2),
        network=network,
        proxy=proxy,
        server=server,
    )


def simulate_report(report: Report, seed: str) -> dict[str, float]:
    """Mean seconds from request to the last byte, as the mean of the clients' means; utilisations of the stations."""
    trial = _Trial(report, seed)
    env = trial.env
    arrivals = random.Random(f"{seed}/arrivals")
    start = 0.0
    for client in range(report.clients):
        env.process(trial.client(random.Random(f"{seed}/client/{client}"), start))
        start += report.arrivals.draw(arrivals)
    env.run()
    figures = {name: fmean(means) for name, means in trial.means.items() if means}
    figures["server_utilisation"] = trial.server.utilisation()
    figures["wan_utilisation"] = trial.wan.utilisation()
    if report.hit_rate is not None:
        figures["proxy_utilisation"] = trial.processor.utilisation()
    return figures


class _Trial:
    """The stations of one trial and what passes through them. ``means``: of the clients, by metric."""

    def __init__(self, report: Report, seed: str) -> None:
        self.report, self.env = report, simpy.Environment()
        self.server, self.processor = Station(self.env), Station(self.env)
        self.wan = Station(self.env)
        self.lan = self.wan if report.network.writer == "single" else Station(self.env)
        self.rng = random.Random(f"{seed}/components")
        self.means: dict[str, list[float]] = {"response": [], "response_small": [], "response_large": []}

    def client(self, rng: random.Random, start: float) -> Steps:
        """One client: as if its last request had been in the first state."""
        yield self.env.timeout(start)
        state, times = markov.FIRST_STATE, {False: list[float](), True: list[float]()}
        for _ in range(self.report.requests):
            state = markov.next_state(state, rng)
            large = markov.is_full_view(state, rng)
            began = self.env.now
            yield from self._request(large, state)
            times[large].append(self.env.now - began)
            thought = markov.think_seconds(state, rng) * self.report.think_factor
            yield self.env.timeout(self.report.display.draw(rng) + thought)
        self.means["response"].append(fmean(times[False] + times[True]))
        for large, name in ((False, "response_small"), (True, "response_large")):
            if times[large]:
                self.means[name].append(fmean(times[large]))

    def _request(self, large: bool, state: int) -> Steps:
        report, network = self.report, self.report.network
        blocks = report.large_blocks if large else report.small_blocks
        misses = blocks
        yield self.env.timeout(self._one_way(network.lan_request))
        if report.hit_rate is not None:
            misses = sum(self.rng.random() >= report.hit_rate for _ in range(blocks))
            yield self.processor.visit(self._look_up(blocks - misses, misses))
        if misses:
            yield self.wan.visit(self._one_way(network.wan_request))
            yield self._blocks(misses, self._service(large, state, blocks))
        if report.hit_rate is not None:
            messages = -(-blocks // report.proxy.send_blocks)
            yield self.processor.visit(sum(report.proxy.send.draw(self.rng) for _ in range(messages)))
        seconds = self._one_way(network.lan_large if large else network.lan_small)
        if network.writer != "path":
            yield self.lan.visit(seconds)
        elif misses:
            yield self.wan.visit(seconds)
        else:
            yield self.env.timeout(seconds)

    def _blocks(self, count: int, service: float) -> simpy.Event:
        """An event when all of ``count`` blocks were read, written to the WAN and received."""
        done, left = self.env.event(), count

        def read(_: simpy.Event) -> None:
            _then(self.wan.visit(self._one_way(self.report.network.wan_block)), written)

        def written(event: simpy.Event) -> None:
            if self.report.hit_rate is None:
                received(event)
            else:
                _then(self.processor.visit(self.report.proxy.receive.draw(self.rng)), received)

        def received(_: simpy.Event) -> None:
            nonlocal left
            left -= 1
            if not left:
                done.succeed()

        for _ in range(count):
            _then(self.server.visit(service), read)
        return done

    def _look_up(self, hits: int, misses: int) -> float:
        proxy, rng = self.report.proxy, self.rng
        return (
            proxy.request.draw(rng)
            + sum(proxy.hit.draw(rng) for _ in range(hits))
            + sum(proxy.miss.draw(rng) for _ in range(misses))
        )

    def _service(self, large: bool, state: int, blocks: int) -> float:
        server = self.report.server
        whole = (ZOOM[state] ** 2 * server.per_zoom + server.base) * (1.0 if large else markov.FINE_PART)
        return whole if server.service_size == "answer" else whole / blocks

    def _one_way(self, both_ways: Distribution) -> float:
        return both_ways.draw(self.rng) * ONE_WAY


def _then(event: simpy.Event, step: object) -> None:
    assert event.callbacks is not None
    event.callbacks.append(step)  # type: ignore[arg-type]

"""npm run bench predictions: what the simulator predicts beside what the real parts do (decision 0024).

Parts: `classroom` (students on one slide over a slow link, with an edge and without) and `cluster` (nodes with a share
of a core each behind HAProxy, by policy and by number). Predictions come from ``--times``, which `npm run bench --
profiles` wrote, and the sizes of the blocks; nothing is fitted to what is measured here. Fails if a mean response or a
hit ratio is off by more than 20 %.

    npm run bench -- predictions --parts classroom --clients 1,8
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from cluster.load import Work
from cluster.measuring import Times, measure
from cluster.parts import cluster, data
from cluster.shares import PERIOD_US, share
from components.slides import Parameters, slide_parameters
from edge.rows import Lesson, Row, rows, run
from setting import ROOT, WAVESCOPE, bench_slide, ingest, table, work_folder

from wavescope_lab.simulator.models import trial_of, unread

TIMES = ROOT / "shared" / "experiments" / "times" / "measured.toml"
MAX_OFF = 0.2
NEAR_ZERO = 0.02
"""Hit ratios below this are compared by their difference."""
TRIALS = 5
THINK = 0.05
SIZE = (3000, 2000)
LIMITED = ("batch", "block", "page", "manifest", "connection")
"""Times that were measured of a limited node, which has colder caches."""


@dataclass(frozen=True)
class Compared:
    """One configuration: mean seconds of a view and hit ratio, predicted and measured (None: there is no cache)."""

    name: str
    response: tuple[float, float]
    hits: tuple[float, float] | None

    def missed(self) -> bool:
        """Whether one of both is off by more than MAX_OFF."""
        return abs(_off(*self.response)) > MAX_OFF or (self.hits is not None and abs(_off(*self.hits)) > MAX_OFF)

    def line(self) -> tuple[str, ...]:
        """A row of the table."""
        hits = ("", "", "") if self.hits is None else (*map("{:.3f}".format, self.hits), f"{_off(*self.hits):+.0%}")
        return self.name, *map("{:.3f}".format, self.response), f"{_off(*self.response):+.0%}", *hits


def _off(predicted: float, measured: float) -> float:
    return predicted - measured if measured < NEAR_ZERO else predicted / measured - 1


def options() -> argparse.Namespace:
    """The command line; the slide comes first, as in all benches."""
    parser = argparse.ArgumentParser("predictions")
    parser.add_argument("slide", nargs="?")
    parser.add_argument("--parts", default="classroom,cluster")
    parser.add_argument("--times", type=Path, default=TIMES)
    parser.add_argument("--store", type=Path, help="where the slide is already, with quality visual")
    parser.add_argument("--clients", default="1,4,8")
    parser.add_argument("--mbit", type=float, default=10.0, help="of the link of the classroom, each way")
    parser.add_argument("--delay-ms", type=float, default=25.0, help="of this link, one way")
    parser.add_argument("--edges", default="none,lru 64,sieve 8")
    parser.add_argument("--nodes", default="1,2,4")
    parser.add_argument("--policies", default="round-robin,file,client,lard,least-time")
    parser.add_argument("--slides", type=int, default=12)
    parser.add_argument("--cores", type=float, default=0.2, help="share of each node, as in the profile")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--out", type=Path, help="folder for predictions.json")
    return parser.parse_args()


def predicted(parameters: Parameters, trials: int) -> dict[str, float]:
    """The means of some trials of the model `system`."""
    unused = unread("system", "parameters", parameters)
    trial = trial_of("system", "parameters", {name: v for name, v in parameters.items() if name not in unused})
    found = [trial(str(seed)) for seed in range(trials)]
    return {name: sum(each[name] for each in found) / trials for name in found[0]}


def classroom(chosen: argparse.Namespace, times: Parameters, work: Path) -> Iterator[Compared]:
    """Every edge with every number of students."""
    store = chosen.store or work / "store"
    if chosen.store is None:
        ingest(bench_slide(work), store)
    slide = slide_parameters(store)
    trace = work / "trace.jsonl"
    size = f"{slide['slide_width']}x{slide['slide_height']}"
    subprocess.run([str(WAVESCOPE), "workload", "trace", trace, "--slide", "bench", "--size", size], check=True)
    lesson = Lesson(work, store, trace, f"{chosen.mbit}mbit", f"{chosen.delay_ms}ms", THINK)
    common: Parameters = {"visits": 1, "think_factor": THINK, "trace_seed": 1998, "client_block": 0.0}
    common |= {"wan_bandwidth": chosen.mbit * 1e6 / 8, "wan_delay": chosen.delay_ms / 1e3}
    for edge in chosen.edges.split(","):
        policy, _, megabytes = edge.partition(" ")
        for clients in map(int, chosen.clients.split(",")):
            changed: Parameters = {"clients": clients, "edge": policy, "edge_memory_mb": float(megabytes or 0)}
            ours = predicted({**times, **slide, **common, **changed}, 1)
            real = run(_row(policy, megabytes), lesson, clients, work / f"run-{policy}{megabytes}-{clients}")
            hits = None if policy == "none" else (ours["hit_ratio"], real["edge_hit_ratio"])
            yield Compared(f"{edge}, {clients}", (ours["response"], real["response_seconds"]["mean"]), hits)


def _row(policy: str, megabytes: str) -> Row:
    if policy == "none":
        return Row("no edge, batches", "blocks", "batch", "store", None)
    return next(
        row for row in rows([int(megabytes) * 1_000_000], []) if row.name.startswith(f"edge {policy}, {megabytes}")
    )


def clusters(chosen: argparse.Namespace, times: Parameters, work: Path) -> Iterator[Compared]:
    """Every number of nodes with every policy; a memory of 2 MiB, which a quarter of the slides fit."""
    limited = {f"node_{name}": times[f"limited_{name}"] for name in LIMITED if f"limited_{name}" in times}
    slower = _seconds(times, "limited_batch") / _seconds(times, "full_batch")
    limited |= {name: slower * _seconds(times, name) for name in ("cold_request", "cold_block")}
    memory = 2 << 20
    with ExitStack() as stack:
        rest = stack.enter_context(share("rest", None))
        rest.hold(os.getpid())
        shared = stack.enter_context(data(work, chosen.slides, SIZE, rest))
        slide = slide_parameters(work / "ingest", next((work / "ingest" / "slides").iterdir()).name)
        common: Parameters = {"slides": chosen.slides, "requests": 6, "view_height": 700, "think_factor": 0}
        common |= {
            "node_memory_mb": memory / 1e6,
            "share": chosen.cores,
            "period": PERIOD_US / 1e6,
            "client_block": 0.0,
        }
        common |= {"seconds": 3 * chosen.seconds, "warm_up": chosen.seconds, **limited, **slide}
        for count in map(int, chosen.nodes.split(",")):
            with cluster(work / f"nodes-{count}", shared, count, [chosen.cores], {"SLIDE_STORE_MEMORY": memory}) as one:
                for policy in chosen.policies.split(",") if count > 1 else ["round-robin"]:
                    changed: Parameters = {"clients": 6 * count, "nodes": count, "distribution": policy}
                    ours = predicted({**times, **common, **changed}, TRIALS)
                    one.use(policy)
                    seconds = Times(chosen.seconds / 2, 1.0, chosen.seconds)
                    real = measure(one, Work(shared.slides, shared.size, clients=6 * count), seconds)
                    print(
                        f"  CPU of an answer: {ours['node_seconds']:.5f} {real.node_cpu:.5f}; used {real.used:.2f}",
                        flush=True,
                    )
                    hits = (ours["node_hit_ratio"], real.hits)
                    yield Compared(f"{policy}, {count} nodes", (ours["response"], real.mean), hits)


def _seconds(times: Parameters, name: str) -> float:
    value = times[name]
    assert isinstance(value, float)
    return value


COLUMNS = ("", "mean s: predicted", "measured", "off", "hit ratio: predicted", "measured", "off")


def main() -> int:
    chosen = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that it ends its servers
    sys.argv[1:] = [chosen.slide] if chosen.slide else []
    times: Parameters = tomllib.loads(chosen.times.read_text())
    found: dict[str, list[Compared]] = {}
    with work_folder() as work:
        for name, part in (("classroom", classroom), ("cluster", clusters)):
            if name in chosen.parts.split(","):
                found[name] = []
                for one in part(chosen, times, work):
                    found[name].append(one)
                    print("  ".join(one.line()), flush=True)
    for name, compared in found.items():
        table(name, COLUMNS, [one.line() for one in compared])
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        values = {name: [vars(one) for one in compared] for name, compared in found.items()}
        (chosen.out / "predictions.json").write_text(json.dumps(values, indent=1) + "\n")
    missed = [one.name for compared in found.values() for one in compared if one.missed()]
    print(f"off by more than {MAX_OFF:.0%}: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""npm run bench cluster: request distribution over real nodes behind HAProxy, each with a fixed share of a core.

Parts: `scaling` (1, 2 and 4 nodes against one), `comparison` (each policy with a working set below and above the
memory of a node, 1 to 8 nodes), `mixed` (blocks and regions together, nodes of unequal speed). The slides are in an S3
store (versitygw) on loopback; what a node does not have in memory it reads from there. Writes distribution.json to the
folder of `--out`. Needs root for control groups, HAProxy, PostgreSQL and versitygw.

    npm run bench cluster -- --parts scaling --cores 0.2 --seconds 8
    npm run bench cluster -- --parts mixed --policies round-robin,least-time --pairs 12
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cluster.comparison import Compared, comparison, mixed
from cluster.measuring import Times
from cluster.parts import data
from cluster.plots import write_comparison, write_mixed
from cluster.scaling import Scaled, scaling
from cluster.shares import share
from setting import work_folder

POLICIES = "round-robin,least-connections,weighted,file,client,lard,least-time"
SIZE = (3000, 2000)


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("cluster")
    parser.add_argument("--parts", default="scaling,comparison,mixed")
    parser.add_argument("--nodes", default="1,2,4,8", help="of the comparison; scaling has 1, 2 and 4")
    parser.add_argument("--policies", default=POLICIES)
    parser.add_argument("--scaling-policy", default="least-connections")
    parser.add_argument("--layouts", default="mirrored,striped")
    parser.add_argument("--slides", type=int, default=16)
    parser.add_argument("--cores", type=float, default=0.15, help="of each node (comparison: a third less)")
    parser.add_argument("--rounds", type=int, default=3, help="of scaling: rows with 1, 2, 4, 4, 2, 1 nodes")
    parser.add_argument("--pairs", type=int, default=6, help="of mixed: rows of each policy, which take turns")
    parser.add_argument("--ballast", action="store_true", help="of scaling: no processor is ever idle")
    parser.add_argument("--at-once", action="store_true", help="of scaling: 1, 2 and 4 nodes at the same time")
    parser.add_argument("--seconds", type=float, default=10.0, help="measured, of each row")
    parser.add_argument("--warm", type=float, default=4.0, help="before it, with nodes that are not limited")
    parser.add_argument("--out", type=Path, help="folder for distribution.json")
    return parser.parse_args()


def main() -> int:
    """All parts; 1 if a target is missed."""
    chosen = options()
    for program in ("haproxy", "openssl"):
        if shutil.which(program) is None:
            raise SystemExit(f"{program} is not installed")
    times = Times(chosen.warm, 1.0, chosen.seconds)
    counts = [int(count) for count in chosen.nodes.split(",")]
    policies, parts = chosen.policies.split(","), chosen.parts.split(",")
    rows = Compared(chosen.layouts.split(","), counts, policies)
    found: dict[str, list[dict[str, object]]] = {}
    complaints: list[str] = []
    with ExitStack() as stack:
        unlimited = stack.enter_context(share("rest", None))
        unlimited.hold(os.getpid())
        folder = stack.enter_context(work_folder())
        shared = stack.enter_context(data(folder, chosen.slides, SIZE, unlimited))
        print(f"{len(shared.slides)} slides, {shared.bytes / 1e6:.1f} MB", flush=True)
        if "scaling" in parts:
            scaled = Scaled(chosen.rounds, chosen.cores, times, chosen.scaling_policy, chosen.ballast, chosen.at_once)
            found["scaling"], complaints = scaling(folder, shared, scaled)
        if "comparison" in parts:
            found["comparison"] = comparison(folder, shared, rows, chosen.cores * 2 / 3, times)
        if "mixed" in parts:
            unequal = [chosen.cores, chosen.cores, chosen.cores, chosen.cores / 2]
            found["mixed"] = mixed(folder, shared, policies, unequal, times, chosen.pairs)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        (chosen.out / "distribution.json").write_text(json.dumps(found, indent=1) + "\n")
        if "comparison" in found:
            write_comparison(chosen.out / "comparison.svg", found["comparison"])
        if "mixed" in found:
            write_mixed(chosen.out / "mixed.svg", found["mixed"])
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""npm run bench profiles: times of the single parts on this machine, for the models of the simulator (SI13).

Each part is measured alone: a service, an edge, the object store, the catalog, the balancer, a client's kernel. Writes
the TOML to ``--out``; shared/experiments/times/measured.toml is one. Without root, HAProxy, PostgreSQL or versitygw,
the parts of a cluster are left out.

    npm run bench -- profiles --out shared/experiments/times/measured.toml
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from components.samples import Samples, toml
from components.services import Requests, edge_times, node_times
from components.stores import disk_times, store_times
from setting import bench_slide, ingest, missing, work_folder

from kernel import MEGAPIXELS, middle_tile, node_rate
from service import part_of

VIEW_BLOCKS = 32
"""Of a full view and its ancestors that a client does not have, in the mean of the classroom (decision 0017)."""
FINE_BLOCKS = 4


def options() -> argparse.Namespace:
    """The command line; the slide comes first, as in all benches."""
    parser = argparse.ArgumentParser("profiles")
    parser.add_argument("slide", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=float, default=0.2, help="of the node whose share is limited")
    parser.add_argument("--without-cluster", action="store_true")
    parser.add_argument("--out", type=Path, help="the TOML file; else it is printed")
    return parser.parse_args()


def facts_of(samples: Samples, requests: Requests) -> Mapping[str, float]:
    """Numbers of the model `sites`, whose unit is a whole view."""
    cold = {}
    if "cold_batch" in samples.rounds:
        cold = {"cold_request": max(0.0, samples.median("cold_batch") - samples.median("full_batch"))}
    return cold | {
        "full_bytes": VIEW_BLOCKS * requests.block_bytes,
        "fine_bytes": FINE_BLOCKS * requests.block_bytes,
        "node_cpu": samples.median("node_batch") + VIEW_BLOCKS * samples.median("node_block"),
        "edge_cpu": samples.median("edge_batch") + VIEW_BLOCKS * samples.median("edge_hit"),
        "block_bytes": requests.block_bytes,
    }


def main() -> None:
    parsed = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that it ends its servers
    sys.argv[1:] = [parsed.slide] if parsed.slide else []
    samples, absent = Samples(), missing("haproxy", "openssl", "psql")
    with work_folder() as work:
        slide = bench_slide(work)
        if not missing("node"):
            for _ in range(parsed.rounds):
                samples.add("client_block", MEGAPIXELS / node_rate(work, middle_tile(slide).blocks()))
        ingest(part_of(slide, work), work / "store")
        requests = node_times(work / "store", samples, parsed.rounds)
        disk_times(work / "store", samples)
        edge_times(work / "store", work, requests, samples, parsed.rounds)
        if absent or os.geteuid() != 0 or parsed.without_cluster:
            print(f"without the parts of a cluster; missing: {', '.join(absent) or 'nothing'}", flush=True)
        else:
            store_times(work, samples, parsed.rounds, parsed.cores)
    store = sorted(samples.distributions.get("cold_many_latency", []))
    text = toml(samples, facts_of(samples, requests), {"store": f"{{ mean = {fmean(store):.4g} }}"} if store else {})
    if parsed.out:
        parsed.out.write_text(text)
    print(text)


if __name__ == "__main__":
    main()

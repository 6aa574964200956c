"""Keys that nodes have in common (CL12)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import ClusterKeys


def test_nodes_that_start_together_have_one_key_cl12(tmp_path: Path) -> None:
    together = Barrier(4)

    def start(_: int) -> bytes:
        catalog = Catalog.open(tmp_path)
        together.wait(60)
        key = ClusterKeys(catalog).hop()
        catalog.close()
        return key

    with ThreadPoolExecutor(4) as nodes:
        keys = list(nodes.map(start, range(4)))
    assert len(set(keys)) == 1
    assert len(keys[0]) == 32

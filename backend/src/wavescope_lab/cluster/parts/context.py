"""What every part is made from: the description, its secrets and the programs of this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wavescope_lab.cluster.description import Cluster

HOST = "127.0.0.1"
BUCKET, PREFIX, KEY, REGION = "slides", "cluster", "wavescope", "us-east-1"
DATABASE = ACCOUNT = "wavescope"
FOREIGN = ("WAVESCOPE_", "AWS_", "PG", "DASK_")  # what starts the cluster passes no settings on


@dataclass(frozen=True)
class Context:
    """``programs``: paths by name; ``secrets``: passwords by part."""

    cluster: Cluster
    secrets: Mapping[str, str]
    programs: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """Of the whole cluster."""
        return self.cluster.folder

    def port(self, name: str) -> int:
        """Of a part."""
        return self.cluster.ports[name]

    def address(self, name: str) -> str:
        """``host:port`` of a part."""
        return f"{HOST}:{self.port(name)}"

    @property
    def certificate(self) -> Path:
        """The file with certificate and key of the balancer."""
        given = self.cluster.certificate
        return Path(given) if given else self.folder / "balancer" / "certificate.pem"

    @property
    def token(self) -> Path:
        """The file with the token of Prometheus; it exists where there are accounts."""
        return self.folder / "prometheus" / "token"

    @property
    def database_url(self) -> str:
        """The catalog."""
        password = self.secrets["database"]
        return f"postgresql+psycopg://{ACCOUNT}:{password}@{self.address('postgresql')}/{DATABASE}"


def plain_environment() -> dict[str, str]:
    """That of this process without settings of Wavescope and of what it uses."""
    return {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}

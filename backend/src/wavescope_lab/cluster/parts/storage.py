"""The database, the object store and the counters of rates."""

from __future__ import annotations

import os
import signal

from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.context import HOST, KEY, Context, plain_environment
from wavescope_lab.cluster.probes import HttpProbe, PostgresqlProbe, RedisProbe

SYSTEM_ACCOUNT = "postgres"  # of Debian's package: PostgreSQL refuses to run as root
CONNECTIONS = 400


def database_account() -> str:
    """The account that runs PostgreSQL; empty: the present one."""
    return SYSTEM_ACCOUNT if os.getuid() == 0 else ""


def postgresql(context: Context) -> Part:
    """The catalog's database. ``fast``: when it stops, it ends connections and writes everything."""
    folder, port = context.folder / "postgresql", context.port("postgresql")
    options = {
        "listen_addresses": HOST,
        "unix_socket_directories": "",
        "max_connections": CONNECTIONS,
        "log_min_messages": "warning",
        "log_min_error_statement": "panic",  # statements have data
    }
    settings = (part for name, value in options.items() for part in ("-c", f"{name}={value}"))
    return Part(
        name="postgresql",
        kind="database",
        command=(context.programs["postgres"], "-D", str(folder / "data"), "-p", str(port), *settings),
        address=context.address("postgresql"),
        probe=PostgresqlProbe(port, context.secrets["database"]),
        folder=folder,
        environment=plain_environment(),
        after=("database folder",),
        user=database_account(),
        stop=signal.SIGINT,
    )


def object_store(context: Context) -> Part:
    """The slides: versitygw over a folder."""
    folder, address = context.folder / "objects", context.address("object-store")
    return Part(
        name="object-store",
        kind="object store",
        command=(
            *(context.programs["versitygw"], "--port", address, "--keep-alive", "--quiet", "--health", "/health"),
            *("posix", "--sidecar", str(folder / "meta"), str(folder / "buckets")),
        ),
        address=address,
        probe=HttpProbe(context.port("object-store"), "/health"),
        folder=folder,
        environment={
            **plain_environment(),
            "ROOT_ACCESS_KEY": KEY,
            "ROOT_SECRET_KEY": context.secrets["object-store"],
        },
        after=("bucket",),
    )


def rates(context: Context) -> Part:
    """The counters that all nodes share; nothing of them is stored."""
    folder, port, password = context.folder / "rates", context.port("rates"), context.secrets["rates"]
    file = folder / "redis.conf"
    text = f'bind {HOST}\nport {port}\nrequirepass {password}\nsave ""\nappendonly no\ndir {folder}\nmaxmemory 256mb\n'
    return Part(
        name="rates",
        kind="rates",
        command=(context.programs["redis-server"], str(file)),
        address=context.address("rates"),
        probe=RedisProbe(port, password),
        folder=folder,
        environment=plain_environment(),
        files={file: f"{text}maxmemory-policy volatile-ttl\n"},
    )

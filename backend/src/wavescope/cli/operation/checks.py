"""The checks of ``wavescope doctor`` that concern operation: disk, database, access, proxy, permissions."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.nodes import living_nodes
from wavescope.catalog.health import server_state
from wavescope.cli.output import quantity
from wavescope.config import Config, Resolved
from wavescope.errors import ProviderRefused
from wavescope.main import is_loopback
from wavescope.service.access.grants import verifier_of
from wavescope.service.opening import url_of
from wavescope.service.storage import object_backend
from wavescope.store.private import exposed, reachable
from wavescope.store.space import StoreSpace, existing

EVERYONE = 0o007  # what accounts outside of the file's group may do
SECRETS = ("oidc_client_secret", "catalog", "rate_storage")


class Note(str):
    """A finding that is no fault, and that an administrator should know."""


def object_store(config: Config) -> str:
    """Whether the slide versions in an object store can be read. Raises InvalidParameter, Unavailable."""
    backend = object_backend(config)
    return "none" if backend is None else f"{config.slide_store} answers, {len(backend.digests())} version(s)"


def disk(config: Config) -> str:
    """Raises RuntimeError if uploads are refused."""
    space = StoreSpace(config.store, config.limits.free_bytes, config.limits.low_bytes)
    now = space.now()
    stored = f", {quantity(space.measure())} stored" if config.store.is_dir() else ""
    said = f"{quantity(now.free)} of {quantity(now.total)} free{stored}"
    if now.state == "full":
        raise RuntimeError(f"{said}; uploads are refused below {quantity(space.reserve)} (free_bytes)")
    return Note(f"{said}, less than {quantity(space.low)} (low_bytes)") if now.state == "low" else said


def database(config: Config) -> str:
    """Raises the errors of a database that does not answer, or is unsuitable."""
    return server_state(url_of(config)) or "SQLite in the store"


def cluster(config: Config) -> str:
    """Raises RuntimeError if jobs could run twice: on two services that do not know of each other."""
    nodes = [name for name in living_nodes(url_of(config)) if name != config.node_name]
    beside = f"other nodes that run: {', '.join(nodes)}" if nodes else "no other node runs"
    if config.node_name and config.run_jobs and not config.slide_store:
        raise RuntimeError(
            f"node_name is {config.node_name} and slide_store is empty: nodes share jobs by an object store alone; "
            "set slide_store, or run_jobs = false on all nodes but one"
        )
    if not config.node_name and config.run_jobs and nodes:
        raise RuntimeError(f"{beside}, and this service has no node_name: their jobs would run twice; give it a name")
    return f"node {config.node_name}; {beside}" if config.node_name else "none: one service"


def access(config: Config, catalog: Catalog | None) -> str:
    """``catalog``: None if there is none yet. Raises RuntimeError if nobody can administer the service."""
    if config.access == "grants":
        if config.grant_keys is None:
            raise RuntimeError("access is grants, and grant_keys names no file")
        verifier_of(config.grant_keys)
        return "a node: signed grants only"
    if config.access == "local":
        if config.open_to_all:
            return Note("without accounts, open to all: anyone who reaches the service may do everything")
        return "without accounts, for this machine only"
    users = () if catalog is None else Accounts(catalog).list()
    admins = [one for one in users if one.role == "admin" and not one.disabled]
    if not admins and not config.oidc_issuer:
        raise RuntimeError("there is no admin; add one with: wavescope user add NAME --role admin")
    return f"accounts: {len(users)}, of which {len(admins)} can administer" + (
        f"; single sign-on at {config.oidc_issuer}" if config.oidc_issuer else ""
    )


def proxy(config: Config) -> str:
    """How the service is reached. Raises RuntimeError for a configuration with which it does not start."""
    direct, named = is_loopback(config.listen_host), ", ".join(config.allowed_hosts)
    if config.access == "local" and not config.open_to_all:
        if not direct:
            raise RuntimeError(f"without accounts it does not listen on {config.listen_host}, only on loopback")
        return "none: requests that a proxy passed on are refused"
    if "*" in config.trusted_proxies:
        return Note("every client is trusted as a proxy: anyone can pretend any address (trusted_proxies)")
    if not config.trusted_proxies:
        return Note(
            "no trusted proxies: if there is a proxy in front, set trusted_proxies to its address, else all clients "
            "share the limits of one and have one address in the audit log"
        )
    if not config.allowed_hosts:
        names = "only to names of loopback" if direct else "to every name"
        return Note(f"behind {', '.join(config.trusted_proxies)}; answers {names}: set allowed_hosts")
    return f"behind {', '.join(config.trusted_proxies)}, answers to {named}"


def single_sign_on(config: Config) -> str:
    """Asks the provider for its metadata and keys. Raises RuntimeError with what is wrong."""
    if config.access != "accounts" or not config.oidc_issuer:
        return "none"
    from wavescope.service.access.oidc import provider_of

    try:
        metadata, keys = asyncio.run(provider_of(config.oidc_issuer, config.oidc_seconds))
    except ProviderRefused as error:
        advice = "; it names another issuer: oidc_issuer must be equal to it, letter by letter"
        said = advice if error.cause == "metadata: issuer" else ""
        raise RuntimeError(f"{config.oidc_issuer}: {error.reason} ({error.cause}){said}") from error
    return f"{metadata['issuer']} answers, {len(keys.keys)} key(s)"


def secrets(config: Config) -> str:
    """Raises RuntimeError with what other accounts of this machine may read or change (PR47)."""
    store = config.store
    found = [path for path in exposed(store) if reachable(path, store)]
    if found:
        names = ", ".join(path.relative_to(store).as_posix() for path in found[:5])
        more = f" and {len(found) - 5} more" if found[5:] else ""
        foreign = [path for path in found if path.lstat().st_uid != os.geteuid() != 0]
        mend = (
            "they belong to another account: give them to this one (chown)"
            if foreign
            else "wavescope serve closes them when it starts"
        )
        raise RuntimeError(f"other accounts of this machine can reach {names}{more}; {mend}")
    elsewhere = (
        f"; those of slides in {config.slide_store} are there, closed as its bucket is" if config.slide_store else ""
    )
    return f"accounts, keys, identifying data, originals, uploads and exports are closed to other accounts{elsewhere}"


def permissions(resolved: Resolved) -> str:
    """Raises RuntimeError for files that this account cannot use, or that others should not."""
    store = resolved.config.store
    folder = existing(store)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise RuntimeError(f"this account cannot write to {folder}")
    if store.is_dir():
        _check_owner(store)
    file = resolved.file
    secrets = [name for name in SECRETS if resolved.found[name].source == "file"]
    if file is not None and secrets and file.stat().st_mode & EVERYONE:
        raise RuntimeError(f"other accounts can read {file}, which has {', '.join(secrets)}; chmod o= {file}")
    return "this account can write to the store" + ("" if file is None else f"; settings in {file}")


def _check_owner(store: Path) -> None:
    """Raises RuntimeError for a part of the store that belongs to another account, as after a command run as root."""
    strange = [path for path in (store, *store.iterdir()) if path.lstat().st_uid != os.geteuid()]
    if strange and os.geteuid() != 0:
        raise RuntimeError(f"{strange[0]} belongs to another account, as after a command that was run as root")

"""What must be there before parts start: made at the first start, found at later ones."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope.store.private import KEYS
from wavescope_lab.cluster.description import write_private
from wavescope_lab.cluster.parts.context import ACCOUNT, BUCKET, DATABASE, HOST, Context, plain_environment
from wavescope_lab.cluster.parts.nodes import SETTINGS, command_environment
from wavescope_lab.cluster.parts.storage import database_account
from wavescope_lab.cluster.process import account
from wavescope_lab.errors import PartFailed

ADMIN, FIRST_PASSWORD = "admin", "first-password"
NOT_AFTER_DAYS = 3650


@dataclass(frozen=True)
class Step:
    """Work that is done once before some parts start, in a thread. ``after``: as of a part."""

    run: Callable[[], None]
    after: tuple[str, ...] = ()


class Preparation:
    """The steps of a cluster."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.steps: Mapping[str, Step] = {
            "database folder": Step(self._database_folder),
            "bucket": Step(self._bucket),
            "certificate": Step(self._certificate),
            "first content": Step(self._first_content, ("postgresql", "object-store")),
            "catalog": Step(self._catalog, ("first content",)),
        }

    async def run(self, name: str) -> None:
        """Raises PartFailed."""
        try:
            await asyncio.to_thread(self.steps[name].run)
        except (OSError, subprocess.SubprocessError) as error:
            raise PartFailed(name, str(error)) from error

    def _database_folder(self) -> None:
        """A cluster of PostgreSQL whose only account has a password."""
        folder, user = self._context.folder / "postgresql", database_account()
        folder.mkdir(exist_ok=True)
        if user:
            require_reachable(folder)
            shutil.chown(folder, user)
        folder.chmod(0o700)
        if (folder / "data").exists():
            return
        made = folder / "data.new"
        shutil.rmtree(made, ignore_errors=True)
        password = folder / "password"
        write_private(password, self._context.secrets["database"])
        if user:
            shutil.chown(password, user)
        options = ("-U", ACCOUNT, "-A", "scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--locale=C.UTF-8")
        done = subprocess.run(
            (self._context.programs["initdb"], "-D", str(made), *options),
            cwd=folder, env=plain_environment(), capture_output=True, text=True, check=False, **account(user),
        )  # fmt: skip
        password.unlink()
        if done.returncode:
            raise PartFailed("initdb", done.stderr.strip())
        made.rename(folder / "data")

    def _bucket(self) -> None:
        for name in ("meta", f"buckets/{BUCKET}"):
            (self._context.folder / "objects" / name).mkdir(parents=True, exist_ok=True)

    def _certificate(self) -> None:
        """A self-signed certificate for the names of this machine, unless one is given or made."""
        path = self._context.certificate
        if self._context.cluster.certificate:
            if not path.is_file():
                raise PartFailed("balancer", f"there is no certificate {path}")
            return
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            write_private(path, self_signed(("localhost", socket.gethostname())))

    def _first_content(self) -> None:
        """What the store of one node had: its catalog with accounts and annotations, and its slides (CL72)."""
        context, done = self._context, self._context.folder / "first-content"
        self._database()
        settings = context.folder / SETTINGS
        if not settings.exists():
            write_private(settings, "# Settings of all nodes of this cluster: wavescope config --reference\n")
        if not context.cluster.source or done.exists():
            return
        source, backup = context.cluster.source, context.folder / "first-content.zip"
        plain, own = plain_environment(), command_environment(context)
        self._command(plain, "backup", str(backup), "--store", source, "--replace")
        self._command(own, "copy", source, own["WAVESCOPE_SLIDE_STORE"], "--originals", "--overlays", "--identity")
        self._command(own, "restore-backup", str(backup), "--replace")
        backup.unlink()
        first = context.folder / "nodes" / context.cluster.nodes[0]
        first.mkdir(parents=True, exist_ok=True)
        for name in KEYS:  # the first node moves them to the catalog (CL12)
            if (Path(source) / name).exists():
                shutil.copy(Path(source) / name, first / name)
        done.touch()

    def _command(self, environment: Mapping[str, str], verb: str, *arguments: str) -> None:
        command = [sys.executable, "-m", "wavescope.cli", verb, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PartFailed(f"wavescope {verb}", done.stderr.strip())

    def _catalog(self) -> None:
        """The tables, the first admin, and the token with which Prometheus reads measurements."""
        context = self._context
        from wavescope.access.principal import TokenScope
        from wavescope.catalog.access.accounts import Accounts
        from wavescope.catalog.access.tokens import Tokens
        from wavescope.catalog.catalog import Catalog
        from wavescope.service.access.passwords import hash_password

        catalog = Catalog.open(context.database_url)
        try:
            accounts = Accounts(catalog)
            admins = [one for one in accounts.list() if one.role == "admin" and not one.disabled]
            if context.cluster.access == "accounts" and not admins:
                password = secrets.token_urlsafe(12)
                write_private(context.folder / FIRST_PASSWORD, password)
                admins = [accounts.add(ADMIN, "", "admin", hash_password(password))]
            if admins and "prometheus" not in context.cluster.without and not context.token.exists():
                context.token.parent.mkdir(exist_ok=True)
                scopes: tuple[TokenScope, ...] = ("metrics",)
                secret, _ = Tokens(catalog).personal(admins[0].id, "Prometheus", None, scopes)
                write_private(context.token, secret)
        finally:
            catalog.close()

    def _database(self) -> None:
        import psycopg

        where = f"host={HOST} port={self._context.port('postgresql')} dbname=postgres user={ACCOUNT}"
        with psycopg.connect(where, password=self._context.secrets["database"], autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")


def require_reachable(folder: Path) -> None:
    """Raises InvalidParameter if another account cannot enter a folder on the way."""
    for parent in folder.parents:
        if not parent.stat().st_mode & 0o001:
            raise InvalidParameter(
                "--dir", str(folder.parent), f"a folder that the account postgres can enter: chmod o+x {parent}"
            )


def self_signed(names: tuple[str, ...]) -> str:
    """A certificate for these names and loopback, and its key, as HAProxy reads them (PEM)."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Wavescope cluster")])
    now = datetime.datetime.now(datetime.UTC)
    alternatives = [x509.DNSName(name) for name in dict.fromkeys(names)]
    addresses = [x509.IPAddress(ipaddress.ip_address(one)) for one in (HOST, "::1")]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=NOT_AFTER_DAYS))
        .add_extension(x509.SubjectAlternativeName([*alternatives, *addresses]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return pem.decode()


def take_password(folder: Path) -> str:
    """The password of the first admin, once; later empty."""
    path = folder / FIRST_PASSWORD
    try:
        found = path.read_text()
    except FileNotFoundError:
        return ""
    path.unlink()
    return found


def make_folder(folder: Path) -> None:
    """The folder of a cluster: others can pass through it, and see nothing. Raises InvalidParameter."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.chmod(folder, 0o711)
        for name in ("logs", "balancer"):
            (folder / name).mkdir(exist_ok=True)
            (folder / name).chmod(0o700)
    except OSError as error:
        raise InvalidParameter("--dir", str(folder), f"a folder that can be written ({error.strerror})") from error

"""The slides of a store and of a service."""

from client.conftest import service, world  # noqa: F401

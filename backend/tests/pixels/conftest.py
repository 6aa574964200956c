"""The world of the service's tests."""

from service.conftest import damaged, world

__all__ = ["damaged", "world"]

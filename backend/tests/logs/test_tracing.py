"""Request ids."""

from __future__ import annotations

import pytest

from wavescope.logs.tracing import TRACE, current_id, outgoing_headers, request_trace

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_a_valid_id_is_taken_over_op51() -> None:
    assert request_trace("edge-7.node_1", PARENT).id == "edge-7.node_1"


@pytest.mark.parametrize(
    "given", ["", "short", "x" * 65, "-leading", "two words", 'a"quote"', "line\nbreak", "ünïcödë-id"]
)
def test_any_other_is_replaced_op51(given: str) -> None:
    made = request_trace(given, "")
    assert (len(made.id), made.trace) == (32, "")
    assert made.id != request_trace(given, "").id


def test_without_an_id_it_is_the_trace_id_op51() -> None:
    made = request_trace("", PARENT)
    assert (made.id, made.trace, made.flags) == ("4bf92f3577b34da6a3ce929d0e0e4736",) * 2 + ("01",)


@pytest.mark.parametrize(
    "given",
    [
        "ff" + PARENT[2:],
        PARENT + "-more",
        PARENT.upper(),
        PARENT[:-1],
        PARENT.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32),
        PARENT.replace("00f067aa0ba902b7", "0" * 16),
    ],
)
def test_an_invalid_traceparent_is_ignored_op51(given: str) -> None:
    assert request_trace("", given).trace == ""


def test_a_later_version_of_traceparent_is_read_op51() -> None:
    assert request_trace("", "01" + PARENT[2:] + "-more").trace == "4bf92f3577b34da6a3ce929d0e0e4736"


def test_requests_to_other_nodes_belong_to_the_request_op51() -> None:
    assert (current_id(), outgoing_headers()) == ("", {})
    token = TRACE.set(request_trace("edge-node-1", PARENT))
    try:
        headers = outgoing_headers()
    finally:
        TRACE.reset(token)
    assert headers["x-request-id"] == "edge-node-1"
    version, trace, parent, flags = headers["traceparent"].split("-")
    assert (version, trace, flags) == ("00", "4bf92f3577b34da6a3ce929d0e0e4736", "01")
    assert parent != "00f067aa0ba902b7"
    assert len(parent) == 16

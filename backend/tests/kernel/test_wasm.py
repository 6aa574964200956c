"""Calls into the kernel: the number of arguments, and faults of the kernel itself."""

from __future__ import annotations

import struct

import pytest
import wasmtime

from wavescope.kernel.wasm import instance


def test_a_result_is_that_of_the_function_and_arguments_are_counted() -> None:
    kernel = instance()
    size = kernel.write("bytes", b"123456789")
    assert kernel.call("ws_crc32c", kernel.address["bytes"], size) & 0xFFFFFFFF == 0xE3069283
    for arguments in ((), (kernel.address["bytes"],), (kernel.address["bytes"], size, 0)):
        with pytest.raises(struct.error):
            kernel.call("ws_crc32c", *arguments)


def test_an_access_outside_the_memory_is_a_trap_and_the_instance_works_afterwards() -> None:
    kernel = instance()
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        kernel.call("ws_crc32c", 0x7FFFFFF0, 1000)
    assert kernel.call("ws_crc32c", kernel.address["bytes"], 0) == 0

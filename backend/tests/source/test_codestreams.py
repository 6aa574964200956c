import imagecodecs
import numpy as np
import pytest

from source.worlds import decoded, jpeg_of, tissue
from wavescope.source.codestreams import DamagedTile, check_jpeg2000, decode_jpeg


def test_a_jpeg_tile_decodes_to_what_another_decoder_gives() -> None:
    jpeg = jpeg_of(tissue(48, 64))
    assert np.array_equal(decode_jpeg(jpeg, None, True, 64, 48, 3), decoded(jpeg))


def test_a_grey_jpeg_tile_has_one_channel() -> None:
    jpeg = jpeg_of(tissue(48, 64, 1))
    assert np.array_equal(decode_jpeg(jpeg, None, False, 64, 48, 1)[..., 0], decoded(jpeg))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("tail", [b"", b"\xff\xd9", bytes(4000)], ids=["nothing", "end marker", "zeros"])
def test_a_jpeg_tile_cut_short_is_an_error_never_a_half_grey_picture(share: float, tail: bytes) -> None:
    jpeg = jpeg_of(tissue(256, 256))
    with pytest.raises(DamagedTile):
        decode_jpeg(jpeg[: int(len(jpeg) * share)] + tail, None, True, 256, 256, 3)


def test_a_jpeg_of_another_size_than_its_tile_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(DamagedTile, match="80 x 64"):
        decode_jpeg(jpeg_of(tissue(64, 80)), None, True, 64, 64, 3)


def test_a_jpeg2000_image_larger_than_its_tile_is_refused() -> None:
    stream = bytes(imagecodecs.jpeg2k_encode(tissue(64, 80)))
    check_jpeg2000(stream, 80, 64)
    with pytest.raises(DamagedTile, match="80 x 64"):
        check_jpeg2000(stream, 64, 64)


@pytest.mark.parametrize("data", [b"", b"\xff\x4f\xff\x51", b"nothing of the kind" * 10])
def test_what_is_no_jpeg2000_codestream_is_refused(data: bytes) -> None:
    with pytest.raises(DamagedTile):
        check_jpeg2000(data, 64, 64)

"""One channel of 8 to 16 bits: lossless in every type, and steps in units of noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope import kernel, rd
from wavescope.errors import CodecError, InvalidParameter
from wavescope.kernel import tiles as kernel_tiles
from wavescope.kernel.native import library
from wavescope.kernel.noise import SAFE_RANGE, stabilised

BLACK, GAIN, READ = 100, 2.5, 6.0


def light(shape: tuple[int, int], most: float, seed: int = 1) -> NDArray[np.float64]:
    """Quanta of light of spots on a ground, without noise."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    random, picture = np.random.default_rng(seed), np.full(shape, most / 50)
    for _ in range(40):
        cy, cx, size = random.uniform(0, shape[0]), random.uniform(0, shape[1]), random.uniform(4, 30)
        picture += most * random.uniform(0.1, 1) * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / size**2)
    return np.minimum(picture, most)


def detected(quanta: NDArray[np.float64], seed: int = 2) -> NDArray[np.uint16]:
    """What a detector of BLACK, GAIN and READ makes of light."""
    random = np.random.default_rng(seed)
    values = BLACK + GAIN * random.poisson(quanta) + random.normal(0, READ, quanta.shape)
    return np.clip(np.rint(values), 0, 65535).astype(np.uint16)[..., None]


def decoded(image: NDArray[Any], codec: kernel.Codec) -> NDArray[Any]:
    return dict(rd.decode_image(rd.encode_image(image, codec), codec.layers))[0]


@pytest.mark.parametrize("bits", range(8, 17))
@pytest.mark.parametrize("signed", [False, True])
def test_every_depth_comes_back_in_its_type_cs49_cs51(bits: int, signed: bool) -> None:
    random = np.random.default_rng(bits)
    noise = random.integers(0, 1 << bits, (130, 270))
    noise[:, 100:] = (noise[:, 100:] >> 3) + (np.arange(170) << bits - 8)  # a slope with less noise
    values = (noise - (1 << bits - 1) * signed).astype(f"{'i' if signed else 'u'}{2 if bits > 8 else 1}")[..., None]
    codec = kernel.choose_channel_codec("lossless", values, bits)
    back = decoded(values, codec)
    assert back.dtype == values.dtype
    assert np.array_equal(back, values)
    assert codec.parameter_set(0)[3] == (bits != 8 or signed)  # CS13: the oldest version that has it
    assert kernel.Codec.from_json(codec.to_json()) == codec


def test_edges_between_the_ends_of_16_bits_come_back_cs51() -> None:
    y, x = np.mgrid[:300, :520]
    values = (((x // 3 + y // 11) % 2) * 65535).astype(np.uint16)[..., None]
    assert np.array_equal(decoded(values, kernel.choose_channel_codec("lossless", values)), values)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("range_", [1, 2, 3, 17, 256, 3999, 4001])
def test_noise_at_the_ends_of_16_bits_comes_back_cs51(range_: int, signed: bool) -> None:
    """Also small sums are clamped there."""
    limits = np.iinfo(np.int16 if signed else np.uint16)
    rng = np.random.default_rng(range_)
    for low in (limits.min, limits.max - range_):
        values = rng.integers(low, low + range_, (256, 256, 1), limits.dtype, endpoint=True)
        assert np.array_equal(decoded(values, kernel.choose_channel_codec("lossless", values)), values)


def test_8_unsigned_bits_are_what_they_were() -> None:
    values = np.random.default_rng(1).integers(0, 256, (100, 90, 1), np.uint8)
    codec = kernel.choose_codec("lossless", values)
    assert kernel.choose_channel_codec("lossless", values).layers == 2  # as its steps in units of noise have
    assert not {"bits", "signed", "groups", "group"} & set(codec.to_json())  # the key of a slide stays (ST78)


def test_a_group_says_which_it_is_cs9() -> None:
    values = detected(light((64, 64), 900))
    codec = replace(kernel.choose_channel_codec("lossless", values, 16), groups=40, group=39)
    parameters = kernel.read_parameters(codec.parameter_set(0, approximation=True))
    assert (parameters.groups, parameters.group, parameters.bit_depth, parameters.signed) == (40, 39, 16, False)
    samples = kernel.samples_from_pixels(values, codec)
    layers = kernel.encode_approximation(samples, codec, 0)
    assert np.array_equal(kernel.decode_approximation(layers, parameters), samples)
    other = replace(codec, group=38).parameter_set(0, approximation=True)
    with pytest.raises(CodecError):
        kernel.decode_approximation(layers, kernel.read_parameters(other))


@pytest.mark.parametrize(
    ("values", "bits"),
    [
        (np.zeros((8, 8, 1), np.uint8), 12),
        (np.zeros((8, 8, 1), np.uint16), 8),
        (np.zeros((8, 8, 1), np.uint16), 17),
        (np.zeros((8, 8, 3), np.uint16), 16),
        (np.zeros((8, 8, 1), np.uint32), None),
        (np.zeros((8, 8, 1), np.float32), None),
    ],
)
def test_other_types_are_refused(values: NDArray[Any], bits: int | None) -> None:
    with pytest.raises(InvalidParameter):
        kernel.choose_channel_codec("lossless", values, bits)


def test_a_value_of_too_many_bits_is_refused() -> None:
    codec = kernel.choose_channel_codec("lossless", np.zeros((9, 9, 1), np.uint16), 12)
    with pytest.raises(CodecError, match="argument"):
        kernel.samples_from_pixels(np.full((9, 9, 1), 4096, np.uint16), codec)
    with pytest.raises(ValueError, match="uint16"):
        kernel.samples_from_pixels(np.zeros((9, 9, 1), np.int16), codec)


@pytest.mark.parametrize("most", [100, 20000])
def test_gain_and_read_noise_are_estimated_from_one_picture(most: float) -> None:
    quanta = light((512, 512), most)
    found = kernel.estimate_noise(detected(quanta)[..., 0])
    truth = np.sqrt(READ**2 + GAIN**2 * quanta)
    ratio = found.deviation(BLACK + GAIN * quanta) / truth
    assert np.abs(np.quantile(ratio, [0.05, 0.5, 0.95]) - 1).max() < 0.15


def test_a_picture_without_noise_or_pixels_has_an_estimate() -> None:
    for picture in (np.zeros((40, 40), np.uint16), np.zeros((1, 1), np.int16), np.zeros((300, 300), np.int16)):
        assert 0 < kernel.estimate_noise(picture).read < 2


@pytest.mark.parametrize("deviations", [0.3, 1.0, 3.0])
def test_errors_are_as_large_as_the_noise_says_on_bright_and_dim_parts_cs52(deviations: float) -> None:
    quanta = light((300, 400), 8000)
    values = detected(quanta)
    codec = kernel.choose_channel_codec("visual", values, deviations=deviations)
    error = (decoded(values, codec).astype(float) - values)[..., 0] / np.sqrt(READ**2 + GAIN**2 * quanta)
    for part in (quanta < 500, (quanta >= 500) & (quanta < 3000), quanta >= 3000):
        assert 0.15 * deviations < np.sqrt(np.mean(error[part] ** 2)) < 0.5 * deviations


def test_the_samples_of_a_noise_model_rise_inside_their_range_cs52() -> None:
    for bits in range(9, 17):
        for gain, read in ((0.5, 2.0), (5.0, 1.0), (0.0, 8.0), (100.0, 0.0)):
            model, fraction_bits = kernel.Noise(30, gain, read).integers(0, (1 << bits) - 1)
            found = [stabilised(value, model) for value in range(0, 1 << bits, 7)]
            assert found == sorted(found)
            assert -SAFE_RANGE // 2 - 1 <= found[0] <= found[-1] <= SAFE_RANGE // 2 + 1 or fraction_bits == 0
    with pytest.raises(InvalidParameter, match="more noise"):
        kernel.Noise(0, 0.0, 0.3).integers(0, 65535)


@pytest.mark.skipif(library() is None, reason="no library is built for this machine")
@pytest.mark.parametrize("profile", ["lossless", "visual"])
def test_the_library_encodes_the_bytes_of_the_module(monkeypatch: pytest.MonkeyPatch, profile: kernel.Profile) -> None:
    values = detected(light((200, 300), 8000))
    values[:50, :50] = np.random.default_rng(2).integers(0, 65536, (50, 50, 1))
    codec = kernel.choose_channel_codec(profile, values)
    native = rd.encode_image(values, codec)
    monkeypatch.setattr(kernel_tiles, "native_kernel", lambda: None)
    assert rd.encode_image(values, codec) == native

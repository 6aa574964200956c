import numpy as np

from wavescope.source.specimen.noise import Texture, noise_at, noise_grid, upsample


def test_noise_on_a_grid_and_at_points_is_the_same() -> None:
    xs, ys = np.arange(-40.0, 60.0, 7.0), np.arange(90.0, 180.0, 11.0)
    x, y = np.meshgrid(xs, ys)
    assert np.allclose(
        noise_grid(xs, ys, 23.0, 4), noise_at(x.ravel(), y.ravel(), 23.0, 4).reshape(x.shape), atol=1e-12
    )


def test_noise_at_a_node_does_not_depend_on_the_area_it_is_painted_with() -> None:
    wide = noise_grid(np.arange(0.0, 400.0, 8.0), np.arange(0.0, 400.0, 8.0), 90.0, 1)
    part = noise_grid(np.arange(160.0, 240.0, 8.0), np.arange(80.0, 160.0, 8.0), 90.0, 1)
    assert np.array_equal(wide[10:20, 20:30], part)


def test_upsampling_meets_the_nodes_and_is_linear_between_them() -> None:
    nodes = np.random.default_rng(0).random((4, 5)).astype(np.float32)
    pixels = upsample(nodes, 8)
    assert pixels.shape == (24, 32)
    assert np.allclose(pixels[::8, ::8], nodes[:-1, :-1], atol=1e-6)
    assert np.allclose(pixels[4, 12], nodes[0:2, 1:3].mean(), atol=1e-6)


def test_a_texture_repeats_after_its_period_without_a_seam() -> None:
    texture = Texture(101, 9.0, 3, 64)
    assert np.array_equal(texture.window(90, 30, 40, 20), texture.window(90 + 101, 30 + 5 * 101, 40, 20))
    assert np.array_equal(texture.window(90, 30, 40, 20)[:, 11:], texture.window(101, 30, 29, 20))
    whole = texture.window(0, 0, 64, 64)
    assert abs(float(whole.std()) - 1.0) < 0.2

"""A data set in a loader of torch, where torch is installed (it is not among the packages of development)."""

from __future__ import annotations

import numpy as np
import pytest

from service.world import World
from wavescope.client import open_slide

torch = pytest.importorskip("torch")


@pytest.mark.parametrize(("workers", "start"), [(0, None), (2, "fork"), (2, "spawn")])
@pytest.mark.parametrize("remote", [False, True])
def test_pc22_a_data_loader_of_torch_reads_the_data_set(
    world: World, slide_url: str, remote: bool, workers: int, start: str | None
) -> None:
    with open_slide(slide_url if remote else world.store / "lossless") as slide:
        data = slide.dataset(200, 0)
        loader = torch.utils.data.DataLoader(
            data, batch_size=4, num_workers=workers, multiprocessing_context=start, shuffle=True
        )
        found = 0
        for batch in loader:
            images = batch["image"]
            assert (images.dtype, images.shape[1:]) == (torch.uint8, (3, 200, 200))
            for image, x, y in zip(images, batch["x"].tolist(), batch["y"].tolist(), strict=True):
                assert np.array_equal(image.numpy().transpose(1, 2, 0), world.picture[y : y + 200, x : x + 200])
                found += 1
        assert found == len(data) > 20

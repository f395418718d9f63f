"""The weights give what the trainer gave, on whatever OpenCV is installed."""

from pathlib import Path

import numpy as np
import pytest

from companion.vision.geometry import as_image
from companion.vision.index_reader.classes import FACES, HIGH, WIDE
from companion.vision.index_reader.network import WEIGHTS, IndexNet

STORED = Path(__file__).parent / "index_patches.npz"
"""Patches drawn by the project, and both outputs of the trained network as torch computed them."""


def test_outputs_are_those_of_the_trainer() -> None:
    with np.load(STORED) as stored:
        patches = [as_image(patch) for patch in stored["patches"]]
        ranks, suits = IndexNet().outputs(patches)
        assert np.abs(ranks - stored["ranks"]).max() < 1e-4
        assert np.abs(suits - stored["suits"]).max() < 1e-4


def test_a_batch_says_what_single_patches_say() -> None:
    with np.load(STORED) as stored:
        patches = [as_image(patch) for patch in stored["patches"]]
    net = IndexNet()
    together = net.look(patches).faces
    alone = np.concatenate([net.look([patch]).faces for patch in patches])
    assert np.abs(together - alone).max() < 1e-4


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_bare_paper_is_no_index(grey: int) -> None:
    patch = np.full((HIGH, WIDE, 3), grey, np.uint8)
    assert IndexNet().look([patch]).faces.max() < 0.2


def test_nothing_to_look_at() -> None:
    assert IndexNet().look([]).faces.shape == (0, len(FACES))


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 2_000_000

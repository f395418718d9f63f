"""What a flat card looks like: without shadows, on white paper, its ink by colour and amount."""

import cv2
import numpy as np
import pytest

from companion.vision.album import Album, Reference, Views, quick_look
from companion.vision.geometry import Floats, Image
from companion.vision.looks import HEIGHT, Look, evenly_lit, local, look_at, paper_white, width_for
from tests.vision.scene import ASPECT, NAMES, flat

SIZE = (width_for(ASPECT), HEIGHT)


def small(name: str) -> Image:
    return np.asarray(cv2.resize(flat(name), SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def correlation(one: Floats, other: Floats) -> float:
    a, b = one.reshape(-1) - one.mean(), other.reshape(-1) - other.mean()
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def shadowed(image: Image, dark: float = 0.45) -> Image:
    """A hard shadow over the lower left half."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    light = np.where(y > 1.5 * x, dark, 1.0)[..., None]
    return np.clip(image * light, 0, 255).astype(np.uint8)


def views(look: Look) -> Views:
    return Views.of(*(part[None] for part in (look.local, look.paper, look.ink, look.tint)))


@pytest.mark.parametrize("name", ["eagle", "wigwam", "totem", "horse-a", "chief:red"])
def test_a_shadow_changes_little(name: str) -> None:
    plain, dark = look_at(small(name)), look_at(shadowed(small(name)))
    assert correlation(plain.local, dark.local) > 0.9
    assert correlation(plain.paper, dark.paper) > 0.9
    raw = correlation(small(name).astype(np.float32), shadowed(small(name)).astype(np.float32))
    assert raw < correlation(plain.paper, dark.paper)


def test_evenly_lit_paper_is_of_one_brightness() -> None:
    paper = np.full((HEIGHT, SIZE[0], 3), 240, np.uint8)
    fall = np.linspace(1.0, 0.4, SIZE[0])[None, :, None]
    even = evenly_lit(np.asarray(paper * fall, np.uint8)).max(axis=2)[:, 22:-22]  # its reach
    assert float(even.std()) < 2
    assert abs(float(even.mean()) - 230) < 4


def test_evenly_lit_keeps_colours() -> None:
    red = np.full((HEIGHT, SIZE[0], 3), (40, 40, 200), np.uint8)
    even = evenly_lit(red).astype(float)
    assert np.allclose(even[..., 0] / even[..., 2], 0.2, atol=0.02)


def test_paper_white_in_warm_light() -> None:
    warm = np.clip(small("bow") * np.array([0.62, 0.8, 1.0]), 0, 255).astype(np.uint8)
    white = paper_white(np.full((60, 40, 3), (150, 200, 240), np.uint8))
    assert np.abs(white.astype(int) - 250).max() <= 1
    before, after = (
        correlation(look_at(small("bow")).paper, look_at(p).paper) for p in (small("eagle"), warm)
    )
    assert after > max(before, 0.9)


def test_local_takes_out_mean_and_contrast() -> None:
    """The same drawing, paler and brighter, has the same local look; flat areas have none."""
    image = small("eagle")
    paler = np.clip(image * 0.6 + 70, 0, 255).astype(np.uint8)
    assert correlation(local(image), local(paler)) > 0.97
    assert np.abs(local(np.full_like(image, 90))).max() < 1e-3


def test_amount_and_hue_of_ink() -> None:
    """A square of ink on a quarter of white paper; CIE Lab: black has lightness 0, red a > 0, blue b < 0."""
    seen = {}
    for name, colour in {"black": (0, 0, 0), "red": (40, 40, 210), "blue": (210, 60, 40)}.items():
        card = np.full((HEIGHT, SIZE[0], 3), 250, np.uint8)
        cv2.rectangle(card, (0, 0), (SIZE[0] - 1, HEIGHT // 4 - 1), colour, -1)
        flat_views = views(look_at(card))
        seen[name] = flat_views.hue[0], float(flat_views.amount[0])
    assert seen["black"][1] == pytest.approx(0.9 / 4, abs=0.03)
    assert np.abs(seen["black"][0]).max() < 6
    assert seen["red"][0][0] > 40
    assert seen["blue"][0][1] < -30
    assert np.linalg.norm(seen["red"][0] - seen["blue"][0]) > 60


def test_an_empty_card_has_no_ink() -> None:
    blank = views(look_at(np.full((HEIGHT, SIZE[0], 3), 245, np.uint8)))
    assert float(blank.amount[0]) < 0.03
    assert np.abs(blank.hue).max() < 3


# Albums


def test_views_are_unit_vectors_so_that_products_are_correlations(album: Album) -> None:
    whole = album.stack.whole
    for part in (whole.local, whole.paper, whole.ink):
        assert np.allclose(np.linalg.norm(part, axis=1), 1, atol=1e-4)
    for part in (whole.local, whole.paper):
        alike = part @ part.T
        assert np.array_equal(alike.argmax(axis=1), np.arange(len(NAMES)))


def test_seen_through_a_mask_is_the_rest_alone(album: Album) -> None:
    width, height = album.size
    visible = np.zeros((height, width), bool)
    visible[:, : width // 2] = True
    part = album.stack.seen_through(visible.reshape(-1))
    assert part.local.shape == (len(NAMES), int(visible.sum()) * 3)
    assert np.allclose(np.linalg.norm(part.local, axis=1), 1, atol=1e-4)


def test_an_album_knows_faces_aspect_and_doubts() -> None:
    wide = flat("eagle")
    tall = cv2.resize(wide, (100, 180))
    references = [
        Reference("eagle", wide),
        Reference("furs", flat("furs"), doubts=("is blurred",)),
        Reference("eagle", np.asarray(tall, np.uint8)),
    ]
    album = Album("x", references)
    assert album.faces == ("eagle", "furs")
    assert album.face_of.tolist() == [0, 1, 0]
    assert album.doubtful.tolist() == [False, True, False]
    assert album.aspect == pytest.approx(wide.shape[0] / wide.shape[1])  # the median
    assert album.size == (round(HEIGHT / album.aspect), HEIGHT)
    assert Album("x", references, 1.5).aspect == 1.5


def test_a_quick_look_tells_cards_from_a_table(album: Album) -> None:
    scores = [float((album.quick @ quick_look(small(name), album.aspect)).max()) for name in NAMES]
    assert min(scores) > 0.99
    cloth = np.random.default_rng(2).integers(60, 120, (HEIGHT, SIZE[0], 3)).astype(np.uint8)
    assert float((album.quick @ quick_look(cloth, album.aspect)).max()) < 0.45

"""`companion deck print`: what is printed, how often, where on the page, and what cannot be."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from card_catalog.faces import faces, picture
from card_catalog.loader import deck_from, shipped_deck
from card_catalog.model import Deck
from companion.core.errors import UnusableInput
from companion.interchange.print_plan import Plan, plan, read_numbers, sets_of
from companion.interchange.print_sheets import PAPERS, notes, pages_of, write_pdf
from tests.cli.test_commands import companion

UTC, GOLD = shipped_deck("up-the-creek"), shipped_deck("gold-up")


def counts(planned: Plan) -> dict[str, tuple[int, str]]:
    return {p.face.name: (p.copies, p.source) for p in planned.printed}


def few(deck: Deck, *words: str) -> Plan:
    """A plan of nothing but these."""
    none = [f"{f.name}=0" for f in faces(deck) if f.card.colour] + [
        f"{k.id}=0" for k in deck.kinds.values() if not k.coloured
    ]
    names = {word.split("=")[0] for word in words}
    return plan(deck, copies=[w for w in none if w.split("=")[0] not in names] + list(words))


def faults(error: pytest.ExceptionInfo[UnusableInput]) -> str:
    return "\n".join(map(str, error.value.faults))


def test_counts_of_the_rulebook() -> None:
    """Its card table: 8 bows, lookouts 4 + 4, 1 Paddlers 5 + 5; the rest is cut off."""
    found = counts(plan(UTC))
    assert found["bow"] == found["stern"] == (8, "rulebook")
    assert found["middle"] == (0, "rulebook")
    for name, each in (("paddler-bow", 4), ("paddler-stern", 4), ("paddler-1", 5)):
        assert found[f"{name}:red"] == found[f"{name}:black"] == (each, "rulebook")
    known = {"bow", "stern", "middle", "paddler-bow", "paddler-stern", "paddler-1"}
    others = {n: c for n, c in found.items() if n.split(":")[0] not in known}
    assert set(others.values()) == {(1, "unknown")}
    assert len(others) == 37


def test_the_expanded_set_and_the_box_of_gold_up() -> None:
    found = counts(plan(UTC, "expanded"))
    assert (found["bow"], found["middle"]) == ((10, "rulebook"), (4, "rulebook"))
    assert found["paddler-bow:black"] == (6, "rulebook")
    gold = plan(GOLD)
    assert (gold.set_name, len(gold.cards), pages_of(gold)) == ("box", 110, 13)
    assert {p.source for p in gold.printed} == {"rulebook"}
    assert (sets_of(UTC), sets_of(GOLD)) == (("basic", "expanded"), ("box",))


def test_copies_that_were_told() -> None:
    """Half red, half black and the odd one red; what is told of a colour goes before its kind."""
    found = counts(plan(UTC, copies=["chief=3", "shaman=4", "shaman:black=0", "Eagle=2", "bow=1"]))
    assert (found["chief:red"], found["chief:black"]) == ((2, "told"), (1, "told"))
    assert (found["shaman:red"], found["shaman:black"]) == ((2, "told"), (0, "told"))
    assert (found["eagle"], found["bow"]) == ((2, "told"), (1, "told"))


def test_all_that_is_wrong_with_copies() -> None:
    with pytest.raises(UnusableInput) as error:
        plan(
            UTC,
            "box",
            ["cheif=2", "chief", "eagle=-1", "eagle=1.5", "furs=100", "totem=1", "totem=2"],
        )
    said = faults(error)
    assert len(error.value.faults) == 7
    assert "no set 'box'; use basic or expanded" in said
    assert "did you mean chief?" in said
    assert "totem was told before" in said
    assert said.count("write KIND=N with N from 0 to 99") == 4


def test_numbers() -> None:
    """By face, by kind, by another name, as in a deck file; a deck file's other keys are let be."""
    assert read_numbers({"paddlers-2:red": 2, "Chief": 3, "archer:black": 0}, UTC) == {
        "paddlers-2:red": 2,
        "chief": 3,
        "bow-and-arrows:black": 0,
    }
    own = {"extends": "gold-up", "title": "Ours", "values": {"white": 2, "yellow": 12}}
    assert read_numbers(own, GOLD) == {"chest-white": 2, "chest-yellow": 12}
    assert read_numbers({"strengths": {"chief": 3}}, UTC) == {"chief": 3}
    printed = {
        p.face.name: p.face.card.value
        for p in plan(UTC, numbers={"chief": 3, "lasso:red": 2}).printed
    }
    assert [printed[n] for n in ("chief:red", "chief:black", "lasso:red", "lasso:black")] == [3, 3, 2, None]  # fmt: skip


def test_all_that_is_wrong_with_numbers() -> None:
    raw = {
        "cheif": 3,
        "chief": "x",
        "lasso": True,
        "shaman:red": -1,
        "shaman:green": 1,
        "eagle": 10,
        "chief=3": 3,
        "values": {"white": 2},
        "strengths": 3,
        "paddlers-2": 2,
        "two-paddlers": 3,
    }
    with pytest.raises(UnusableInput) as error:
        read_numbers(raw, UTC)
    said = faults(error)
    assert len(error.value.faults) == 10
    assert "cheif: unknown card cheif; did you mean chief?" in said
    assert "eagle has no ring for a number" in said
    assert "two-paddlers: paddlers-2 was told before" in said
    with pytest.raises(UnusableInput) as error:
        read_numbers({"values": {"wite": 2, "mauve": [1]}}, GOLD)
    assert "did you mean white?" in faults(error)


def test_notes_tell_what_is_known() -> None:
    said = dict(notes(plan(UTC, copies=["eagle=2"], numbers={"chief:red": 3})))
    text = "\n".join(f"{head}: {body}" for head, body in said.items())
    assert "Counts of the rulebook (basic): Bow (front): 8; Middle: 0; Stern (back): 8" in text
    assert "Lookout (bow): 4 red + 4 black" in text
    assert "Counts you gave: Eagle: 2" in text
    assert "Chief: 1 red + 1 black" in text
    assert text.endswith("2 Paddlers; Chief (black); Shaman; Lasso; Bow & Arrows")
    assert "squaw" not in text.lower()


@pytest.mark.parametrize("paper", PAPERS)
def test_pages(paper: str) -> None:
    """Nine cards a page and one page of counts; a face is held once; the same at every writing."""
    planned = few(GOLD, "key-red=8", "chest-white=2")
    data = write_pdf(planned, paper)
    assert data == write_pdf(planned, paper)
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", data)) == pages_of(planned) + 1 == 3
    assert data.count(b"/Subtype /Image") == 2
    width, height = (float(n) for n in re.findall(rb"MediaBox \[ 0 0 ([\d.]+) ([\d.]+)", data)[0])
    assert (width / 72 * 25.4, height / 72 * 25.4) == pytest.approx(PAPERS[paper], abs=0.01)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) not there")
@pytest.mark.parametrize("paper", PAPERS)
def test_true_size_and_cutting_marks(paper: str, tmp_path: Path) -> None:
    """Cards of 63 x 88 mm in the middle of the page; marks at each cut, none over a card."""
    (tmp_path / "x.pdf").write_bytes(write_pdf(few(GOLD, "key-joker=5"), paper))
    dots = 4  # a millimetre
    subprocess.run(
        ["pdftoppm", "-r", str(25.4 * dots), "-f", "1", "-l", "1", "-gray", "x.pdf", "x"],
        cwd=tmp_path,
        check=True,
    )
    page = np.asarray(Image.open(next(tmp_path.glob("x-*.pgm")))).astype(int)
    width, height = PAPERS[paper]
    left, top = (width - 189) / 2, (height - 264) / 2

    def darkest(x: float, y: float) -> int:
        i, j = round(y * dots), round(x * dots)
        return int(page[i - 2 : i + 3, j - 2 : j + 3].min())

    for column in range(4):
        for y in (top - 3, top + 264 + 3):
            assert darkest(left + 63 * column, y) < 160
            assert darkest(left + 63 * column + 10, y) > 240
    for row in range(4):
        for x in (left - 3, left + 189 + 3):
            assert darkest(x, top + 88 * row) < 160
            assert darkest(x, top + 88 * row + 5) > 240
    joker = next(f for f in faces(GOLD) if f.name == "key-joker")
    drawn = np.asarray(picture(joker, 88 * dots).convert("L")).astype(int)
    for n in range(6):
        y, x = round((top + 88 * (n // 3)) * dots), round((left + 63 * (n % 3)) * dots)
        card = page[y : y + 88 * dots, x : x + 63 * dots]
        assert (np.abs(card - drawn).mean() < 12) == (n < 5)


def test_the_command(tmp_path: Path) -> None:
    """Writes the file, over one that is there, and says what is known."""
    (tmp_path / "n.toml").write_text("chest-white = 2\n[values]\nred = 4\n", "utf-8")
    zero = [w for k in GOLD.kinds for w in ("--copies", f"{k}=0") if not k.startswith("chest-")]
    words = ("deck", "print", "gold-up", "--pdf", "x.pdf", "--numbers", "n.toml", "--titles", *zero)
    (tmp_path / "x.pdf").write_text("old", "utf-8")
    run = companion(tmp_path, *words)
    assert (run.code, run.err) == (0, "")
    # 16 + 11 + 8 + 7 + 4 + 2 chests, 6 chest thieves
    assert run.out.startswith("x.pdf: 54 cards on 6 pages, and a page of counts.\n")
    assert "White chest: 16" in run.out
    plain = " ".join(run.out.split())
    assert "the ring is empty (read your own cards; --numbers FILE): Blue chest; Green" in plain
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")


def test_a_household_deck(tmp_path: Path) -> None:
    """By its path or its name; a card without a drawing is left out, and that is said."""
    (tmp_path / "ours.toml").write_text(
        'extends = "gold-up"\nkinds = [{ id = "key-rust", name = "Rusty", group = "key" }]\n',
        "utf-8",
    )
    for name in ("ours.toml", "ours"):
        run = companion(tmp_path, "deck", "print", name, "--pdf", "x.pdf")
        assert run.code == 0, run.err
        assert "Left out, since nobody has drawn it: Rusty" in " ".join(run.out.split())
        assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    own = deck_from({"extends": "gold-up", "values": {"white": 2}}, "ours", "ours")
    assert "White chest" not in dict(notes(plan(own)))[notes(plan(own))[-1][0]]


def test_what_cannot_be_printed(tmp_path: Path) -> None:
    """Status 2 and words; nothing is written."""
    (tmp_path / "bad.toml").write_text('cheif = 3\nchief = "x"\n', "utf-8")
    (tmp_path / "folder").mkdir()
    for words, said in (
        (("standard-52", "--pdf", "x.pdf"), "has no drawings; drawn are gold-up, up-the-creek"),
        (("up-the-crek", "--pdf", "x.pdf"), "did you mean up-the-creek?"),
        (("none.toml", "--pdf", "x.pdf"), "there is no such file"),
        (("gold-up",), "--pdf"),
        (("gold-up", "--pdf", "x.pdf", "--paper", "a5"), "use a4 or letter"),
        (("gold-up", "--pdf", "x.pdf", "--set", "basic"), "no set 'basic'; use box"),
        (("gold-up", "--pdf", "folder"), "is a folder"),
        (("gold-up", "--pdf", "none/x.pdf"), "there is no folder none"),
        (("gold-up", "--pdf", "x\udcff/x.pdf"), "there is no folder"),
        (("gold-up", "--pdf", "x.pdf", "--numbers", "none.toml"), "no such file"),
        (("up-the-creek", "--pdf", "x.pdf", "--numbers", "bad.toml"), "bad.toml: 2 faults"),
        (("up-the-creek", "--pdf", "x.pdf", "--copies", "cheif=2"), "did you mean chief?"),
    ):
        run = companion(tmp_path, "deck", "print", *words)
        assert (run.code, run.out) == (2, ""), words
        assert said in run.err, words
    assert not (tmp_path / "x.pdf").exists()


def test_a_plan_prints_each_card_as_often_as_it_says() -> None:
    planned = few(UTC, "chief:red=2", "eagle=3")
    assert Counter(f.name for f in planned.cards) == {"chief:red": 2, "eagle": 3}

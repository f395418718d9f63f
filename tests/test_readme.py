"""The README cannot rot: its commands print what it shows."""

import pytest

from tests.readme import BLOCK, README, output

BLOCKS = [(m["arguments"], m[0]) for m in BLOCK.finditer(README.read_text("utf-8"))]


@pytest.mark.parametrize(("arguments", "block"), BLOCKS, ids=[b[0] for b in BLOCKS])
def test_block(arguments: str, block: str) -> None:
    """What stands in the README is what the command prints now."""
    shown = block.removeprefix(f"```console\n$ companion {arguments}\n").removesuffix("```")
    assert shown == output(arguments)


def test_there_are_blocks() -> None:
    """The pattern still finds them."""
    assert len(BLOCKS) >= 10

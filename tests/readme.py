"""The README shows what the program prints: `make readme` writes it in, a test holds it there."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ companion (?P<arguments>[^\n]*)\n.*?```", re.DOTALL)


def output(arguments: str) -> str:
    """What the command prints, standard output and error."""
    command = [sys.executable, "-m", "companion.cli.main", *arguments.split()]
    run = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, check=False
    )
    return run.stdout


def filled(text: str) -> str:
    """The README with every console block holding the output of its command."""

    def block(found: re.Match[str]) -> str:
        arguments = found["arguments"]
        return f"```console\n$ companion {arguments}\n{output(arguments)}```"

    return BLOCK.sub(block, text)


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")

"""A real process is killed at random moments: every entry that it acknowledged is there.

`COMPANION_SOAK=200` kills it more often than 20 times.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from companion.session import MatchSession, open_store
from tests.storage.old import make_old
from tests.storage.script import begin, expected

ROOT = Path(__file__).parents[2]
TIMES = int(os.environ.get("COMPANION_SOAK") or 20)
A_MATCH = 20
"""Rounds of one match."""
SEED = int(os.environ.get("COMPANION_SEED") or 7)


def killed(command: list[str], lines: int, after: float) -> list[str]:
    """Starts the program, and kills it so many seconds after its line of that number; its lines."""
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None and program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
        said = [program.stdout.readline() for _ in range(lines)]
        end = time.perf_counter() + after
        while time.perf_counter() < end and program.poll() is None:
            pass
        program.send_signal(signal.SIGKILL)
        said += program.stdout.readlines()
        program.wait()
    assert program.returncode in (-signal.SIGKILL, 0)
    return [line.strip() for line in said]


def test_every_acknowledged_entry_is_there(tmp_path: Path) -> None:
    """And the match goes on exactly where it was: the next round writes behind it."""
    random = Random(SEED)
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    for round_ in range(TIMES):
        if round_ % A_MATCH == 0:  # another match, before this one becomes longer than any real one
            store = open_store(url)
            match = begin(store).match_id
            store.close()
            same, there = expected(0), 0
        command = ["-m", "tests.storage.script", url, str(match), "100000"]
        said = killed(command, 1 + random.randint(1, 12), random.random() * 0.004)
        assert said[0] == "ready"
        acknowledged = int(said[-1])
        store = open_store(url)
        session = MatchSession.open(store, match)
        entries = store.entries(match)
        assert there < acknowledged <= len(entries) <= acknowledged + 1, f"round {round_}"
        there = len(entries)
        expected(there, same)
        assert [e.entry for e in entries] == [e.entry for e in same.store.entries(same.match_id)], (
            f"round {round_}"
        )
        assert session.state == same.state
        assert session.export() == same.export()
        assert (session.next_undo, session.next_redo) == (same.next_undo, same.next_redo)
        store.close()


def test_killed_while_a_store_is_brought_up_to_date(tmp_path: Path) -> None:
    """The old store is whole, or the new one is: nothing between, whatever the moment."""
    random = Random(SEED)
    opening = (
        "import sys, companion.storage.sql, alembic.command, alembic.autogenerate\n"
        "print('ready', flush=True)\n"
        "from companion.session import open_store\n"
        "open_store(sys.argv[1])\n"
        "print('done', flush=True)\n"
        "sys.stdin.read()\n"
    )
    for round_ in range(max(4, TIMES // 5)):
        path = tmp_path / f"{round_}.sqlite3"
        make_old(f"sqlite:///{path}", entries=400)
        said = killed(["-c", opening, f"sqlite:///{path}"], 1, random.random() * 0.12)
        assert said[0] == "ready"
        store = open_store(f"sqlite:///{path}")
        assert len(store.entries(7)) == 3, f"round {round_}"
        assert len(store.entries(8)) == 400, f"round {round_}"
        store.facts.tell("deck", "key", 1)
        store.close()

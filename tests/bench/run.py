"""`make bench`: prints each figure beside its limit and writes RESULTS.md. Never part of the tests."""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from card_catalog.lookup import lookup_in
from card_catalog.model import Card
from companion import library
from companion.interchange.match_file import replay, words_of
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document
from tests.bench.terminal import Terminal
from tests.bench.timing import ROOT, in_turn, machine, process, ratio, timed, write_section

PYTHON = sys.executable
COMPANION = str(Path(PYTHON).with_name("companion"))


def row(what: str, figure: str, limit: str, met: bool) -> str:
    """One line of a table."""
    return f"| {what} | {figure} | {limit} | {'met' if met else '**missed**'} |"


HEAD = ["| what | measured | limit | |", "|---|---|---|---|"]


def scoring() -> None:
    """`companion score` as a whole process; 600 files in one call."""
    sample = "samples/family-of-four.toml"
    one, base = in_turn(
        15,
        lambda: process([COMPANION, "score", sample]),
        lambda: process([PYTHON, "-c", "import typer, pydantic"]),
    )
    with tempfile.TemporaryDirectory() as folder:
        names = []
        text = (ROOT / sample).read_text("utf-8")
        for i in range(600):
            path = Path(folder) / f"{i:03}.toml"
            path.write_text(text, "utf-8")
            names.append(str(path))
        many, single = in_turn(
            5,
            lambda: process([COMPANION, "score", "--json", *names]),
            lambda: process([COMPANION, "score", "--json", names[0]]),
        )
    start, batch = ratio(one, base), ratio(many, single)
    write_section(
        "Scoring",
        [
            f"{machine()}; `make bench`",
            "",
            *HEAD,
            row(
                "`companion score FILE` : `import typer, pydantic`, whole processes",
                f"{start:.2f} ({statistics.median(one):.3f} s : {statistics.median(base):.3f} s)",
                "1.5",
                start <= 1.5,
            ),
            row("600 files in one call : one file", f"{batch:.2f}", "4", batch <= 4),
        ],
    )


def _table() -> Document:
    """A full table: four players, three rows of 13 each."""
    kinds = list(library.deck_of("up-the-creek", None, None).kinds)
    inner = [
        k
        for k in kinds
        if k not in ("bow", "stern", "paddler-bow", "paddler-stern", "wild-axe", "eagle")
    ]
    rows = [" ".join(["bow", *inner[i : i + 11], "stern"]) for i in (0, 6, 12)]
    raw = {
        "game": "up-the-creek",
        "players": [{"name": n, "rows": rows} for n in ("Ana", "Ben", "Cleo", "Dan")],
    }
    return Document("-", raw, "")


def _match(acts: int) -> tuple[object, str, tuple[str, ...]]:
    """A match file of so many acts: placing along the rows, discarding, sweeping by observation."""
    names = ("Ana", "Ben")
    lines: list[str] = []
    kinds = [
        "eagle",
        "furs",
        "tobacco",
        "firewater",
        "dynamite",
        "wigwam",
        "squaw",
        "chief",
        "totem",
    ]
    while len(lines) < acts:
        for row_number in (1, 2, 3):
            for column, kind in enumerate(kinds, 1):
                lines.append(f"Ana place {kind} {row_number} {column}")
        lines += [f'Ana observe {r} "eagle"' for r in (1, 2, 3)]
        lines += [f'Ana observe {r} ""' for r in (1, 2, 3)]
    return names, "\n".join(lines[:acts]), names


def rulings() -> None:
    """Places of a full table, replay, random acts."""
    from companion.games.up_the_creek.options import Options
    from companion.games.up_the_creek.placement import places

    sheet = load_sheet(_table())
    board = sheet.position.boards["Ana"]
    card = Card(sheet.deck["eagle"])
    options = Options()
    found = places(board, card, options)
    assert found, "a full table with a free rim"
    table = dict.fromkeys(range(3 * 16), 0)

    def look_up() -> int:
        return sum(table[i] for i in range(3 * 16))

    seconds = timed(lambda: places(board, card, options), 200) / 200
    loop = timed(look_up, 2000) / 2000
    limit = max(0.002, 200 * loop)

    game = sheet.game
    head = game.head(players=("Ana", "Ben"))
    lookup_in(sheet.deck)

    def replayed(acts: int) -> float:
        _, text, names = _match(acts)
        return timed(lambda: replay(game, game.start(head, options, sheet.deck), text, names))

    long, short = in_turn(5, lambda: replayed(600), lambda: replayed(10))
    times = ratio(long, short)
    write_section(
        "Play and rulings",
        [
            f"{machine()}; `make bench`",
            "",
            *HEAD,
            row(
                "`places` on a full table",
                f"{seconds * 1000:.2f} ms",
                f"{limit * 1000:.2f} ms",
                seconds <= limit,
            ),
            row("replay of 600 acts : 10 acts", f"{times:.1f}", "70", times <= 70),
            *[acts_row(name) for name in library.SHIPPED],
        ],
    )


def acts_row(name: str) -> str:
    """How many acts of the sample match are checked and applied in a second."""
    raw_path = ROOT / "samples" / f"{name}-match.toml"
    import tomllib

    raw = tomllib.loads(raw_path.read_text("utf-8"))
    sheet = load_sheet(Document("-", raw, ""))
    game = sheet.game
    names = tuple(raw["players"])
    body = {k: v for k, v in raw.items() if k not in ("game", "actions", "options", "deck")}
    body["players"] = names
    start = game.start(game.head(**body), sheet.options, sheet.deck)
    state = start
    acts = []
    for line in raw["actions"].splitlines():
        words, _ = words_of(line)
        if not words:
            continue
        words = words[:-1] if words[-1] == "!" else words
        act = game.parse(words[0], words[1:], state)
        acts.append(act)
        state = game.apply(state, act)

    def run() -> None:
        now = start
        for act in acts:
            game.check(now, act)
            now = game.apply(now, act)

    rate = len(acts) / timed(run)
    return row(f"acts a second, {name} (check and apply)", f"{rate:,.0f}", "10,000", rate >= 10_000)


BARE = """
from textual.app import App
from textual.widgets import Label
class Bare(App):
    def compose(self): yield Label("one label")
Bare().run()
"""


def screens() -> None:
    """First frame of home, key to painted frame, an entry on the disk."""
    with tempfile.TemporaryDirectory() as folder:
        home, bare = in_turn(9, lambda: _first_frame(folder), _bare_frame)
        long, short = _key_times(folder, 600), _key_times(folder, 10)
        append, play, insert = in_turn(
            9, lambda: _appends(folder), lambda: _plays(folder), lambda: _inserts(folder)
        )
    start, keys, writes = ratio(home, bare), _median(long) / _median(short), ratio(append, insert)
    p95 = sorted(long)[int(len(long) * 0.95)] * 1000
    write_section(
        "At the table",
        [
            f"{machine()}; `make bench`",
            "",
            *HEAD,
            row(
                "first frame of home : a bare Textual app with one label",
                f"{start:.2f} ({_median(home):.2f} s : {_median(bare):.2f} s)",
                "1.5",
                start <= 1.5,
            ),
            row(
                "key to painted frame, 600 entries : 10 entries", f"{keys:.2f}", "1.5", keys <= 1.5
            ),
            row(
                "key to painted frame at 600 entries, 95 of 100",
                f"{p95:.0f} ms",
                "50 ms",
                p95 <= 50,
            ),
            row("an entry appended : a bare synchronous insert", f"{writes:.2f}", "2", writes <= 2),
            f"| an act judged, stored and applied : a bare synchronous insert | {ratio(play, insert):.2f} | | |",
        ],
    )


_median = statistics.median


def _first_frame(folder: str) -> float:
    with Terminal([COMPANION], {"COMPANION_DB": f"sqlite:///{folder}/home.db"}) as terminal:
        return terminal.wait_for("New match") - terminal.started


def _bare_frame() -> float:
    with Terminal([PYTHON, "-c", BARE]) as terminal:
        return terminal.wait_for("one label") - terminal.started


def _long_session(folder: str, entries: int) -> str:
    from companion.session import MatchSession, open_store

    url = f"sqlite:///{folder}/{entries}.db"
    if not Path(f"{folder}/{entries}.db").exists():
        session = MatchSession.create(open_store(url), "up-the-creek", ("Ana", "Ben"))
        _, text, _ = _match(entries)
        for line in text.splitlines():
            session.play(session.parse(line), anyway=True)
    return url


def _key_times(folder: str, entries: int) -> list[float]:
    """Seconds from a key to the list that it brings, often."""
    url = _long_session(folder, entries)
    times = []
    with Terminal([COMPANION], {"COMPANION_DB": url}) as terminal:
        terminal.wait_for("Continue")
        terminal.send("\r")
        terminal.wait_for("which card")
        for _ in range(40):
            before = time.perf_counter()
            terminal.send("q")
            times.append(terminal.wait_for("no card begins") - before)
            before = time.perf_counter()
            terminal.send("\x7f")
            times.append(terminal.wait_for("Lookout") - before)
    return times


def _appends(folder: str) -> float:
    """Seconds for 40 entries appended to the store, each on the disk before the next."""
    from companion.core.log import Played
    from companion.session import MatchSession, open_store
    from companion.storage.port import NewEntry

    store = open_store(f"sqlite:///{tempfile.mkdtemp(dir=folder)}/a.db")
    match = MatchSession.create(store, "up-the-creek", ("Ana", "Ben")).match_id
    entries = [NewEntry(Played("Ana", f"place eagle 1 {i}", False)) for i in range(40)]
    start = time.perf_counter()
    for i, entry in enumerate(entries):
        store.append(match, i, [entry])
    seconds = time.perf_counter() - start
    store.close()
    return seconds


def _plays(folder: str) -> float:
    """Seconds for 40 acts judged, stored and applied by a session."""
    from companion.session import MatchSession, open_store

    store = open_store(f"sqlite:///{tempfile.mkdtemp(dir=folder)}/p.db")
    session = MatchSession.create(store, "up-the-creek", ("Ana", "Ben"))
    acts = [session.parse(f'Ana observe 1 "eagle"{" from 2" if i % 2 else ""}') for i in range(40)]
    start = time.perf_counter()
    for act in acts:
        session.play(act)
    seconds = time.perf_counter() - start
    store.close()
    return seconds


def _inserts(folder: str) -> float:
    """Seconds for 40 rows of a bare table, each on the disk before the next."""
    import sqlite3

    connection = sqlite3.connect(f"{tempfile.mkdtemp(dir=folder)}/b.db")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE entries (match INTEGER, seq INTEGER, payload TEXT)")
    start = time.perf_counter()
    for i in range(40):
        connection.execute("INSERT INTO entries VALUES (1, ?, ?)", (i, "x" * 120))
        connection.commit()
    connection.close()
    return time.perf_counter() - start


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for section in (scoring, rulings, screens):
        if not wanted or section.__name__ in wanted:
            section()
    print(json.dumps({"written": "tests/bench/RESULTS.md"}))

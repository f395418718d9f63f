"""A program that writes into a match, for tests that kill it or run two of it.

`python -m tests.storage.script URL MATCH STEPS` does so many steps of a fixed script, each one entry of
the log, and prints the number of entries after each: once it is printed, it must be there for good.
"""

import sys
from itertools import islice
from typing import Any

from companion.session import MatchSession, open_store

PLAYERS = ("Ana", "Ben")
KINDS = ("eagle", "furs", "tobacco", "firewater", "dynamite", "wigwam", "squaw", "chief", "totem")


def begin(store: Any) -> MatchSession:
    """The match before its first entry."""
    return MatchSession.create(store, "up-the-creek", PLAYERS)


def step(session: MatchSession) -> None:
    """The next entry; which one hangs only on how many there are."""
    number = len(session.store.entries(session.match_id))
    standing = [view for view in session.entries() if view.in_force]
    if number % 9 == 5:
        session.undo()
    elif number % 9 == 6:
        session.redo()
    elif number % 17 == 16:
        seq = standing[number % len(standing)].seq
        session.amend(seq, _observed(session, number), anyway=True)
    elif number % 5 == 4:
        session.play(_observed(session, number))
    else:
        player = PLAYERS[number % 2]
        kind = KINDS[number % len(KINDS)]
        act = session.parse(f"{player} place {kind} {number % 3 + 1} {number}")
        session.play(act, anyway=True)


def _observed(session: MatchSession, number: int) -> Any:
    kinds = " ".join(islice(KINDS * 2, number % 7, number % 7 + 3))
    return session.parse(f'{PLAYERS[number % 2]} observe {number % 3 + 1} "{kinds}" from {number}')


def expected(entries: int, session: MatchSession | None = None) -> MatchSession:
    """What the script comes to after so many entries, from memory, going on from there if given."""
    session = session or begin(open_store("sqlite://"))
    for _ in range(len(session.store.entries(session.match_id)), entries):
        step(session)
    return session


def write_own(session: MatchSession, player: str, count: int) -> None:
    """Acts that only this player enters, among those of another program."""
    for number in range(1, count + 1):
        session.play(session.parse(f'{player} observe 1 "eagle" from {number}'))
        mine = [v for v in session.entries() if v.player == player]
        print(len(mine), flush=True)


def main() -> None:
    """See above; with a player's name at the end: only acts of that player."""
    url, match, count, *player = sys.argv[1:]
    store = open_store(url)
    session = MatchSession.open(store, int(match))
    print("ready", flush=True)
    sys.stdin.readline()
    if player:
        write_own(session, player[0], int(count))
        return
    for _ in range(int(count)):
        step(session)
        print(len(session.store.entries(session.match_id)), flush=True)


if __name__ == "__main__":
    main()

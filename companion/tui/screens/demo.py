"""A demo: a sample match that is kept nowhere, with a word on what to try next."""

from companion.tui.screens.table import TableScreen

_HINTS = (
    "Ana's turn: type be, go Down to Bear Hunter, Enter; then type 1 5 (row, column), Enter.",
    "Placed. Now type stern 1 6 and Enter: the canoe is completed, and its points stand below it.",
    "F2 says why something is allowed or not, and how clear the rulebook is about it.",
    "Try a place that touches nothing, furs 3 9: the rule is told before you press Enter.",
    "Ctrl+Z takes the last entry back, Ctrl+Y does it again; F9 shows the log.",
    "F8 is the score sheet: Enter on a line opens its rule, w asks what another house rule would do.",
    "Tab looks at the other player. Esc goes home; nothing of the demo is kept.",
)
_ACTS = """\
Ana place bow 1 1
Ana place 1-paddler:red 1 2
Ana place bear-a 1 3
Ben place lookout 1 1
Ben place eagle 1 2
Ben place stern 1 3
Ana place bear-b 1 4
Ana place totem 2 2
"""


def demo_screen() -> TableScreen:
    """The table of the sample match, with its hints."""
    from companion.session import MatchSession, open_store

    session = MatchSession.create(open_store("sqlite://"), "up-the-creek", ("Ana", "Ben"))
    for line in _ACTS.splitlines():
        session.play(session.parse(line), anyway=True)
    return TableScreen(session, _HINTS)

"""What can be wrong with a store, in words: what happened, and what to do."""

from collections.abc import Sequence


class StoreTrouble(Exception):
    """The store cannot be used as wanted; nothing in it was changed."""

    def __init__(self, what: str, todo: str = "") -> None:
        self.what = what
        self.todo = todo
        super().__init__(f"{what}; {todo}" if todo else what)

    def __reduce__(self) -> tuple[type["StoreTrouble"], tuple[str, str]]:
        return (type(self), (self.what, self.todo))


class NoSuchMatch(StoreTrouble):
    """No match of that number is in the store."""


class MatchIsFinished(Exception):
    """Nothing is added to a finished match; `resume` opens it again."""

    def __init__(self) -> None:
        super().__init__("the match is finished; resume it to change it")


class SomebodyElseWrote(Exception):
    """Another program has added entries to the match first; `added` tells them, where known."""

    def __init__(self, added: Sequence[str] = ()) -> None:
        self.added = tuple(added)
        told = "; ".join(self.added) or "somebody else"
        super().__init__(f"meanwhile, in another program: {told}")

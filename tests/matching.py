"""Expected answers as subsets: what a case does not mention may be anything.

Objects match by their keys, lists in order and of equal length; `{"set"}` matches in any order,
`{"includes"}`, `{"excludes"}`, `{"min"}`, `{"max"}` say what a list holds and how long it is.
"""

from typing import Any

MATCHERS = {"set", "includes", "excludes", "min", "max"}


def mismatches(expected: Any, got: Any, path: str = "answer") -> list[str]:
    """Every way in which the answer is not as expected; empty when it is."""
    if isinstance(expected, dict) and expected and set(expected) <= MATCHERS:
        return _list_mismatches(expected, got, path)
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return [f"{path}: {got!r} is no object"]
        found = []
        for key, value in expected.items():
            found += (
                mismatches(value, got[key], f"{path}.{key}")
                if key in got
                else [f"{path}: no {key}"]
            )
        return found
    if isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            return [f"{path}: {got!r} instead of {expected!r}"]
        return [
            m
            for i, (e, g) in enumerate(zip(expected, got, strict=True))
            for m in mismatches(e, g, f"{path}[{i}]")
        ]
    same = got is expected if expected is None or isinstance(expected, bool) else got == expected
    return [] if same else [f"{path}: {got!r} instead of {expected!r}"]


def _list_mismatches(expected: dict[str, Any], got: Any, path: str) -> list[str]:
    if not isinstance(got, list):
        return [f"{path}: {got!r} is no list"]
    found = []
    if "set" in expected and not _same_set(expected["set"], got):
        found.append(f"{path}: {got!r} is not the set {expected['set']!r}")
    for one in expected.get("includes", ()):
        if all(mismatches(one, g) for g in got):
            found.append(f"{path}: {got!r} does not include {one!r}")
    for one in expected.get("excludes", ()):
        if not all(mismatches(one, g) for g in got):
            found.append(f"{path}: {got!r} includes {one!r}")
    if len(got) < expected.get("min", 0):
        found.append(f"{path}: {len(got)} items, at least {expected['min']} expected")
    if len(got) > expected.get("max", len(got)):
        found.append(f"{path}: {len(got)} items, at most {expected['max']} expected: {got!r}")
    return found


def _same_set(expected: list[Any], got: list[Any]) -> bool:
    left = list(got)
    for one in expected:
        hit = next((g for g in left if not mismatches(one, g)), None)
        if hit is None:
            return False
        left.remove(hit)
    return not left


def prepared(
    expect: dict[str, Any], answer: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both sides with `totals` by name and `winners` in alphabetical order."""
    expect, answer = dict(expect), dict(answer)
    if "totals" in expect:
        answer["totals"] = {p["name"]: p["total"] for p in answer.get("players", ())}
    if "winners" in expect:
        expect["winners"] = sorted(expect["winners"])
        answer["winners"] = sorted(answer.get("winners", ()))
    return expect, answer

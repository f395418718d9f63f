"""Which bids the rules allow, for questions and matches alike (wap:bid.range, wap:bid.hook)."""

from collections.abc import Mapping
from dataclasses import replace

from companion.core.verdict import Clarity, Objection, Unknown, Verdict
from companion.games.without_a_paddle.deal import Deal
from companion.games.without_a_paddle.options import Options


def restricted(deal: Deal, options: Options) -> bool:
    """Whether the dealer of this round has a number to avoid under these house rules."""
    if options.hook == "off":
        return False
    return not (options.hook == "not-last" and deal.last)


def forbidden(
    deal: Deal, player: str, bids: Mapping[str, int], options: Options
) -> tuple[int, ...] | None:
    """The numbers that this player may not bid because of the sum, none or one.

    `bids` are those of the others. None: it hangs on a bid that is missing.
    """
    if player != deal.dealer or not restricted(deal, options):
        return ()
    left = deal.cards - sum(bids.values())
    if left < 0:
        return ()
    if len(bids) < len(deal.order) - 1:
        return None
    return (left,)


def judge_bid(
    deal: Deal, player: str, number: int, bids: Mapping[str, int], options: Options
) -> Verdict:
    """Whether `player` may bid `number` when the others have bid `bids`; value as contract.md."""
    others = {name: bid for name, bid in bids.items() if name != player}
    barred = forbidden(deal, player, others, options)
    objections: list[Objection] = []
    unknowns: list[Unknown] = []
    place = (player, deal.round)
    if number > deal.cards:
        but = f" but not {barred[0]}" if barred else ""
        objections.append(
            Objection(
                "wap:bid.range",
                f"{player} cannot bid {number}: in round {deal.round} everybody holds "
                f"{_cards(deal.cards)}.",
                (f"a bid from 0 to {deal.cards}{but}",),
                place=place,
            )
        )
    elif barred is None:
        # A missing bid is 0 or more: it matters only if the sum has not passed the cards already.
        if sum(others.values()) + number <= deal.cards:
            missing = [name for name in deal.order if name != player and name not in others]
            unknowns.append(
                Unknown(
                    "wap:bid.hook",
                    f"the bid of {' and '.join(missing)} is missing, and {player} deals: the bids "
                    f"may not add up to {deal.cards}",
                )
            )
    elif number in barred:
        total = sum(others.values())
        objections.append(
            Objection(
                "wap:bid.hook",
                f"{player} deals and may not bid {number}: the others have bid {total}, and "
                f"{total} + {number} = {deal.cards}, the tricks of round {deal.round}, so that "
                "every bid could come true.",
                (_allowed(deal.cards, number),),
                place=place,
            )
        )
    needs = ("wap:bid.range", "wap:bid.hook") if player == deal.dealer else ("wap:bid.range",)
    return Verdict(
        tuple(objections),
        tuple(unknowns),
        value={"forbidden": None if barred is None else list(barred)},
        needs=needs,
        reasons=(_reason(deal, player, number, barred, others),),
    )


def changed_bid(
    verdict: Verdict, deal: Deal, player: str, bids: Mapping[str, int], started: bool = False
) -> Verdict:
    """The verdict on a bid, where it takes the place of an earlier one (wap:bid.stands).

    `bids` holds all bids, the player's earlier one too; `started`: a card has been played.
    """
    objections = verdict.objections
    after = "the first card was played" if started else ""
    if player != deal.dealer:
        following = deal.order[deal.order.index(player) + 1]
        if following in bids:
            after = f"{following} bid"
    if after:
        stands = Objection(
            "wap:bid.stands",
            f"{player} bid {bids[player]} in round {deal.round} before {after}; the rulebook does "
            "not say whether a bid may be changed, and by default it stands from then on.",
            (f"keep the bid of {bids[player]}",),
            Clarity.SILENT,
            place=(player, deal.round),
        )
        objections = (*objections, stands)
    return replace(verdict, objections=objections, points=(("wap:bid.stands", Clarity.SILENT),))


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _allowed(cards: int, barred: int) -> str:
    allowed = [str(n) for n in range(cards + 1) if n != barred]
    if len(allowed) == 1:
        return f"a bid of {allowed[0]}"
    return f"a bid of {', '.join(allowed[:-1])} or {allowed[-1]}"


def _reason(
    deal: Deal,
    player: str,
    number: int,
    barred: tuple[int, ...] | None,
    others: Mapping[str, int],
) -> str:
    if player != deal.dealer:
        return f"{player} does not deal round {deal.round} and may bid from 0 to {deal.cards}."
    total = sum(others.values())
    if barred is None:
        return (
            f"{player} deals; with {number} the bids come to {total + number} already, more than "
            f"the {deal.cards} tricks, whatever is still missing."
        )
    if barred:
        return (
            f"{player} deals; the others have bid {total}, so only {barred[0]} is barred of 0 to "
            f"{deal.cards}."
        )
    return f"{player} deals; no number from 0 to {deal.cards} is barred."

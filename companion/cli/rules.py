"""`companion rules`: the rule books, the house rules, the cards, the questions."""

import json as json_module
from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(rules)


def rules(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game, or the id of a rule.")
    ] = "",
    rule_id: Annotated[
        str, typer.Argument(metavar="[RULE-ID]", help="A rule, like utc:score.pair.")
    ] = "",
    options: Annotated[bool, typer.Option("--options", help="List its house rules.")] = False,
    cards: Annotated[bool, typer.Option("--cards", help="List its cards and their names.")] = False,
    questions: Annotated[
        bool, typer.Option("--questions", help="List the questions `check` answers.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the rule books, show one game's rules, or one rule with its section and clarity."""
    from companion import library
    from companion.cli import rule_text as text
    from companion.cli.ink import complain

    if ":" in game and not rule_id:
        game, rule_id = text.game_of_rule(game), game
    if not game and (options or cards or questions):
        complain("name the game: companion rules up-the-creek --cards")
        raise typer.Exit(2)
    if not game:
        found: Any = text.games_json() if json else text.games_text()
    else:
        try:
            installed = library.load(game)
        except library.UnknownGame:
            complain(text.unknown_game(game))
            raise typer.Exit(2) from None
        if rule_id:
            if rule_id not in installed.rules:
                complain(text.unknown_rule(rule_id, installed.rules))
                raise typer.Exit(2)
            rule = installed.rules[rule_id]
            found = text.rule_json(rule) if json else text.rule_full(rule)
        elif options:
            found = text.options_json(installed) if json else text.options_text(installed)
        elif cards:
            found = text.cards_json(installed) if json else text.cards_text(installed)
        elif questions:
            found = text.questions_json(installed) if json else text.questions_text(installed)
        else:
            found = text.rules_json(installed) if json else text.rules_list(installed)
    print(json_module.dumps(found, ensure_ascii=False) if json else found)

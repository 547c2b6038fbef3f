"""Where the rules of the games stand, for those who were refused something."""

from engines.rules import Clause


def address(clause: Clause, language: str) -> str:
    """The clause on the pages, in a language.

    >>> address(Clause("comon", "4.2"), "fr")
    '/fr/games/comon/#4.2'
    """
    return f"/{language}/games/{clause.page}/#{clause.number}"

"""Words that several games say: phases, verbs, suits and facts, by their names in records and sheets."""

from collections.abc import Mapping

from .phrases import Phrase

WORDS = {
    "auction": Phrase("auction"),
    "exchange": Phrase("exchange"),
    "play": Phrase("play"),
    "over": Phrase("over"),
    "dog": Phrase("dog"),
    "stock": Phrase("stock"),
    "pass": Phrase("passes"),
    "bid": Phrase("bids"),
    "discard": Phrase("lays aside"),
    "contre": Phrase("contre"),
    "trump:S": Phrase("names spades"),
    "trump:H": Phrase("names hearts"),
    "trump:D": Phrase("names diamonds"),
    "trump:C": Phrase("names clubs"),
    "S": Phrase("spades"),
    "H": Phrase("hearts"),
    "D": Phrase("diamonds"),
    "C": Phrase("clubs"),
    "passed-out": Phrase("passed out"),
    "made": Phrase("contract made"),
    "lost": Phrase("contract lost"),
    "tricks": Phrase("tricks"),
    "fault": Phrase("fault"),
    "annulled": Phrase("annulled by another player's fault"),
}
SUIT_NAMES = "S H D C"
TRUMP_NAMINGS = "trump:S trump:H trump:D trump:C"


def words(names: str) -> dict[str, Phrase]:
    """The words of these names.

    >>> {name: str(word) for name, word in words("pass S").items()}
    {'pass': 'passes', 'S': 'spades'}
    """
    return {name: WORDS[name] for name in names.split()}


def contracts(feats: Mapping[str, Phrase]) -> dict[str, Phrase]:
    """The names of contracts: made, failed by the player who declared it, and by another."""
    lost = {f"{name}-lost": Phrase("contract failed: {feat}", feat=feat) for name, feat in feats.items()}
    failed = {
        f"{name}-failed": Phrase("another player's contract failed: {feat}", feat=feat)
        for name, feat in feats.items()
    }
    return {**feats, **lost, **failed}

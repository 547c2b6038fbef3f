"""The rules of the games: deals, records, result sheets and their outcomes. No Django, no I/O.

>>> from engines import registry
>>> game = registry.game("comon")
>>> game.score({"outcome": "normal", "tricks": [5, 3, 2]}).scores
(1, -2, 0)
"""

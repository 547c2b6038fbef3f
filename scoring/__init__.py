"""Comparison of the lines of a board, and rankings. Exact numbers: int and Fraction; rounding is for pages.

>>> from scoring.lines import awards
>>> from scoring.methods import method
>>> [str(award.points) for award in awards([1, -2, 1, 0], method("matchpoints"))]
['5', '0', '5', '2']
"""

RULES = 1
"""The version of the rules of this library. It becomes another one whenever the same results would give
another list: a list that was made by other rules says so."""

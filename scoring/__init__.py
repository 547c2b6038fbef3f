"""Comparison of the lines of a board, and rankings. Exact numbers: int and Fraction; rounding is for pages.

>>> from scoring.matchpoints import matchpoints
>>> [str(points) for points in matchpoints([1, -2, 1, 0])]
['5', '0', '5', '2']
"""

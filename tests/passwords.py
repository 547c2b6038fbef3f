"""Passwords of tests: stored as the service stores them, in a thousandth of the time."""

from frontend.accounts.passwords import Argon2


class Cheap(Argon2):
    time_cost, memory_cost = 1, 8

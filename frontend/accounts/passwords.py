"""How passwords are stored."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes, one lane: what OWASP asks for at least. Django's own 100 MiB for each
    of eight threads would be more than a club's small machine has."""

    time_cost, memory_cost, parallelism = 2, 19_456, 1

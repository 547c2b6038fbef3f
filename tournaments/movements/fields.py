"""Finite fields, small and by tables: what rainbows and planes are made of."""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class FiniteField:
    """Numbers from 0 to order − 1 with their sums and products, among which 0 and 1 are as usual."""

    order: int
    sums: tuple[tuple[int, ...], ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def circle(cls, order: int) -> "FiniteField":
        """The numbers modulo an order: a field if that is a prime."""
        numbers = range(order)
        return cls(
            order,
            tuple(tuple((a + b) % order for b in numbers) for a in numbers),
            tuple(tuple(a * b % order for b in numbers) for a in numbers),
        )

    def plus(self, a: int, b: int) -> int:
        return self.sums[a][b]

    def minus(self, a: int, b: int) -> int:
        return self.sums[b].index(a)

    def times(self, a: int, b: int) -> int:
        return self.products[a][b]


def prime_power(order: int) -> tuple[int, int] | None:
    """The prime and the power that an order is, if there is a field of it; much less work than the field."""
    if order < 2:
        return None
    prime = next(d for d in range(2, order + 1) if order % d == 0)
    power, rest = 0, order
    while rest % prime == 0:
        power, rest = power + 1, rest // prime
    return (prime, power) if rest == 1 else None


@cache
def field_of(order: int) -> FiniteField | None:
    """The field of that order; None unless it is a power of a prime.

    >>> [order for order in range(2, 30) if field_of(order)]
    [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29]
    """
    found = prime_power(order)
    if found is None:
        return None
    prime, power = found
    if power == 1:
        return FiniteField.circle(prime)
    digits = [tuple(reversed(d)) for d in product(range(prime), repeat=power)]  # least significant first
    number = {d: n for n, d in enumerate(digits)}
    modulus = irreducible(prime, power)
    return FiniteField(
        order,
        tuple(
            tuple(number[tuple((x + y) % prime for x, y in zip(a, b, strict=True))] for b in digits)
            for a in digits
        ),
        tuple(tuple(number[_product(a, b, modulus, prime)] for b in digits) for a in digits),
    )


def irreducible(prime: int, power: int) -> tuple[int, ...]:
    """The lower coefficients of the first monic polynomial of that degree that is not a product."""
    monic = {
        degree: [(*low, 1) for low in product(range(prime), repeat=degree)] for degree in range(1, power)
    }
    reducible = {
        tuple(_plain_product(a, b, prime))
        for degree in range(1, power // 2 + 1)
        for a in monic[degree]
        for b in monic[power - degree]
    }
    return next(low for low in product(range(prime), repeat=power) if (*low, 1) not in reducible)


def _plain_product(a: tuple[int, ...], b: tuple[int, ...], prime: int) -> list[int]:
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] = (found[i + j] + x * y) % prime
    return found


def _product(a: tuple[int, ...], b: tuple[int, ...], modulus: tuple[int, ...], prime: int) -> tuple[int, ...]:
    found = _plain_product(a, b, prime)
    power = len(modulus)
    for top in range(len(found) - 1, power - 1, -1):
        lead = found[top]
        for i, low in enumerate(modulus):
            found[top - power + i] = (found[top - power + i] - lead * low) % prime
    return tuple(found[:power])

"""Random lines for the property tests: scores with ties, weighted scores, rulings and absences."""

from fractions import Fraction

from hypothesis import strategies as st

from scoring.entries import AVERAGE, AVERAGE_MINUS, AVERAGE_PLUS, Artificial, NoScore, Weighted

few = st.integers(-4, 4)
wide = st.integers(-900, 900)


@st.composite
def weighted(draw: st.DrawFn, scores: st.SearchStrategy[int] = few) -> Weighted:
    held = draw(st.lists(scores, min_size=1, max_size=3, unique=True))
    shares = [draw(st.integers(1, 5)) for _ in held]
    return Weighted(tuple((s, Fraction(n, sum(shares))) for s, n in zip(held, shares, strict=True)))


def entries(scores: st.SearchStrategy[int] = few) -> st.SearchStrategy[object]:
    plain = st.one_of(scores, scores, scores)  # mostly scores
    rulings = st.sampled_from([AVERAGE, AVERAGE_PLUS, AVERAGE_MINUS, Artificial(Fraction(125, 2)), *NoScore])
    return st.one_of(plain, plain, weighted(scores), rulings)


def lines(scores: st.SearchStrategy[int] = few, most: int = 40) -> st.SearchStrategy[list[object]]:
    return st.lists(entries(scores), min_size=1, max_size=most)

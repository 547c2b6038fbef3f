"""How tables are called, on every page."""


def table_name(section: str, number: int, *, several: bool) -> str:
    """As a table is called in the room: with its section, where there are several.

    >>> table_name("A", 4, several=False), table_name("B", 4, several=True)
    ('4', 'B4')
    """
    return f"{section}{number}" if several else str(number)

"""What a club prints: values in, pages of a PDF out. Nothing here asks the database."""

from typing import Literal

Format = Literal["A4", "Letter"]
FORMATS: tuple[Format, ...] = ("A4", "Letter")

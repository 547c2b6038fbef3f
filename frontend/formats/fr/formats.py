"""Dates as in English, with the month in small letters: 22 nov. 2026, 19 h 30 (which no line breaks)."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j N Y"
DATETIME_FORMAT = "j F Y, G\xa0\\h\xa0i"
SHORT_DATETIME_FORMAT = "j N Y, G\xa0\\h\xa0i"
TIME_FORMAT = "G\xa0\\h\xa0i"

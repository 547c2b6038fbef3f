"""Clients that generators make from the API's own description: see `python -m tests.clients`."""

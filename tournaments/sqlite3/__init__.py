"""SQLite for a service of several processes."""

"""The REST API under /api/v1/: views parse, call one service, and present."""

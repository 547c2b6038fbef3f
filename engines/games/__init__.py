"""One module per game, each in the order of its rules."""

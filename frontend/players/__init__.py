"""The pages of players: links, own results and data, registration."""

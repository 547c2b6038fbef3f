"""The page that lies on the table: who sits where, the results, and the way to the director."""

"""The pages of a club's register."""

"""What may be done, each one transaction with keyword arguments; may be repeated without harm."""

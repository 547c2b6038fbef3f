"""What a club prints: values in, pages of a PDF out. Nothing here asks the database."""

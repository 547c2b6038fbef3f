"""What goes in and out, field by field."""

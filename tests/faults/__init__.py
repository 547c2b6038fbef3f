"""A campaign of faults: whatever is killed, stopped, filled or lost, no acknowledged result is."""

"""The director's desk: tournaments and sessions, and how a session is set up."""

"""Pages of people: signing in, one's own account, who may do what, invitations."""

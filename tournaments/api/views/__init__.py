"""Resources. Who may see what is the querysets' `visible_to`; who may do what, `models.access`."""

"""Resources. Who may see what is the querysets' `visible_to`; who may do what is said in each method."""

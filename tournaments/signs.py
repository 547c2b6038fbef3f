"""How a worker shows that it is alive, to whoever watches it without importing what a worker does."""

SIGN = "ETUI_SIGN_OF_LIFE"  # the variable that names the file which it touches

"""How processes show how they are, to whoever watches them without importing what they do."""

SIGN = "ETUI_SIGN_OF_LIFE"  # the variable that names the file which a worker touches
COUNTS = "PROMETHEUS_MULTIPROC_DIR"  # the one that names the folder into which all processes count

"""`python -m scoring`: the library on the command line."""

import sys

from .cli import main

sys.exit(main())

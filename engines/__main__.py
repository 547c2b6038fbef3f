"""`python -m engines`: the library on the command line."""

import sys

from .cli import main

sys.exit(main())

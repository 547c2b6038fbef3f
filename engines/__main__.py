"""`python -m engines`: the library on the command line."""

import os
import sys

from .cli import main

try:
    sys.exit(main())
except BrokenPipeError:  # the reader (a pager, head) has seen enough
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)

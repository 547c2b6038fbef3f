"""The project's settings with a folder of the tests' own; the broker and the database are real ones."""

import atexit
import os
import shutil
import tempfile

_folder = tempfile.mkdtemp(prefix="etui-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["VAR_DIR"] = _folder
os.environ.setdefault("RATE_ANONYMOUS", "100000/min")
os.environ.setdefault("RATE_TOKEN", "100000/min")

from tournaments.settings import *  # noqa: E402, F403

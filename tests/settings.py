"""The project's settings with a folder of the tests' own; the broker and the database are real ones."""

import atexit
import base64
import os
import shutil
import tempfile
from urllib.parse import urlsplit

_folder = tempfile.mkdtemp(prefix="etui-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["VAR_DIR"] = _folder
os.environ.setdefault("RATE_ANONYMOUS", "100000/min")
os.environ.setdefault("RATE_TOKEN", "100000/min")
os.environ["SEED_KEYS"] = base64.urlsafe_b64encode(os.urandom(32)).decode()
for _annealed in ("BALANCING_SECONDS", "CHOOSING_STEPS"):
    os.environ[_annealed] = "0"  # the same seats each time; what annealing does has tests of its own

if os.environ.get("REDIS_URL"):  # each process of the tests has a database of its own
    _worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{_worker % 15 + 1}").geturl()

from tournaments.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["tests.passwords.Cheap", *PASSWORD_HASHERS[1:]]  # noqa: F405 - nobody guesses at them
WHITENOISE_AUTOREFRESH = (
    True  # each client makes its own middleware: none reads all static files at its start
)
if not os.environ.get("DATABASE_URL"):
    DATABASES["default"]["TEST"] = {"NAME": ":memory:"}  # noqa: F405 - pytest-xdist knows Django's engine alone
    # Where no order was asked rows come backwards: what leans on an order by chance fails here, each time.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA reverse_unordered_selects=ON;"  # noqa: F405
elif DATABASES["default"]["ENGINE"].endswith("postgresql"):  # noqa: F405
    # What tests have taken back makes tables look large, and compiling a query for a few rows seem to pay.
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c jit=off"  # noqa: F405

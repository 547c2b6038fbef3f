"""One form of the service: `benchmarks.load.__main__` starts this in a process of its own, with the variables
of the service."""

import argparse
import json
import os
import resource
from pathlib import Path

import django
from django.core.management import call_command

from tests.servers import end_on_request


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--tables", type=int, nargs="+", required=True)
    parser.add_argument("--watchers", type=int, nargs="+", required=True)
    parser.add_argument("--json", type=Path, required=True)
    arguments = parser.parse_args()
    end_on_request()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a watcher is an open file
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the loop of the load waits for nobody else
    django.setup()
    call_command("migrate", verbosity=0)
    from .figures import Run
    from .measuring import measure  # models come after the settings

    run = Run(arguments.form)
    measure(run, arguments.seconds, arguments.tables, arguments.watchers)
    arguments.json.write_text(json.dumps(run.to_json()))


if __name__ == "__main__":
    main()

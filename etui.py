"""The command `etui`, as pip installs it: `etui serve`, `etui engines games`, and all that `manage.py` does.

Without VAR_DIR what the service keeps is in the user's own folder of data. The games' command line imports
nothing of the service, and so does without what that needs.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def main() -> None:
    if sys.argv[1:2] == ["engines"]:
        from engines import cli

        sys.exit(cli.main(sys.argv[2:]))
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        print(f"Étui {version('etui')}")
        return
    if not os.environ.get("VAR_DIR"):
        os.environ["VAR_DIR"] = str(data_folder(sys.platform, os.environ, Path.home()))
    command()


def command() -> None:
    """Run one of the service's commands."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Étui cannot start: {error}")
    except BrokenPipeError:  # the reader (a pager, head) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def data_folder(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where the programs of a user keep their data, as each system has it."""
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "etui"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "etui"
    named = environment.get(
        "XDG_DATA_HOME", ""
    )  # the specification: another than an absolute path is ignored
    return (Path(named) if named.startswith("/") else home / ".local" / "share") / "etui"


if __name__ == "__main__":
    main()

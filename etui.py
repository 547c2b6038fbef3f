"""The command `etui`, as pip installs it: `etui serve`, `etui engines games`, and all that `manage.py` does;
and `etui-admin`, which is the same for a service of Debian (deploy/systemd/).

Without VAR_DIR what the service keeps is in the user's own folder of data. The games' command line imports
nothing of the service, and so does without what that needs.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

USER = "etui"
ENVIRONMENT = Path("/etc/etui/environment")
DATA = Path("/var/lib/etui")
"""Where deploy/systemd/install puts the service."""


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


def admin() -> None:
    """`etui` as the service's own user, with the service's variables and nobody else's, on its data."""
    import pwd

    try:
        user = pwd.getpwnam(USER)
        given = variables(ENVIRONMENT.read_text("utf-8"))
        if os.getuid() != user.pw_uid:
            os.initgroups(USER, user.pw_gid)
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
    except (KeyError, FileNotFoundError):
        sys.exit(
            f"There is no service here: no user {USER}, or no {ENVIRONMENT}. `etui` is for your own data."
        )
    except PermissionError:
        sys.exit("etui-admin becomes the user of the service, and for that needs root: sudo etui-admin …")
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TERM", "TZ") if name in os.environ}
    os.environ.clear()
    os.environ.update({**kept, "HOME": str(DATA), "VAR_DIR": str(DATA), **given})
    os.umask(0o077)
    os.chdir(DATA)
    main()


def variables(text: str) -> dict[str, str]:
    """Those of a file as systemd's EnvironmentFile= reads it: one to a line, perhaps in quotation marks, and
    nothing in it is worked out. SystemExit, in one line, for a line that is none."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.isidentifier():
            sys.exit(f"{ENVIRONMENT}, line {number}: NAME=value is expected.")
        if value[:1] in {'"', "'"} and value[-1:] == value[:1] and len(value) > 1:
            value = value[1:-1]
        found[name] = value
    return found


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

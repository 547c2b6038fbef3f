"""Install the wheel of `make dist` as a service of Debian below a folder, and keep what its unit promises.

systemd itself is not started: it checks the unit (`systemd-analyze verify`, `security`). What the unit asks
for is asked of the kernel by other means, where this process is root: nothing can be written but the data, no
capability is left, no memory is both written and run. The filter of system calls is not tried. logrotate
turns the logs while the service writes them. Nothing is fetched (`tests/installed.py`).
"""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from urllib.request import urlopen

from tests.running import PATIENCE, ROOT, SPECIAL, answers, free_port, wait_until

UNITS = ROOT / "deploy" / "systemd"
EXPOSURE = 20  # of 100, at most, by systemd's own account
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
HARDENED = """\
set -e
mount --make-rprivate /
mount --bind "$VAR_DIR" "$VAR_DIR"
mount -o bind,remount,ro /
umask 077
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""
WITHOUT_CODE_IN_DATA = (
    "import ctypes, os, sys\n"
    f"assert ctypes.CDLL(None).prctl({PR_SET_MDWE}, {REFUSE_EXEC_GAIN}, 0, 0, 0) == 0\n"
    "for place in ('/etc/etui-probe', sys.argv[1] + '-probe'):\n"
    "    try: open(place, 'w')\n"
    "    except OSError: continue\n"
    "    sys.exit(place + ' could be written')\n"
    "os.execv(sys.argv[1], sys.argv[1:])\n"
)


def main() -> None:
    (wheel,) = Path(sys.argv[1]).glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        install(wheel, root)
        check_unit(root)
        serve(root)
    print("installed, checked by systemd, served from a read-only system, logs turned, asked by etui-admin")


def install(wheel: Path, root: Path) -> None:
    """Twice, as for an upgrade: what somebody has written into the variables stays, and the program is the
    wheel's, though its version is the same."""
    given = {"DESTDIR": str(root), "PYTHON": sys.executable, "PIP_OPTIONS": "--no-index --no-deps"}
    install = str(ROOT / "deploy/systemd/install")
    done(install, str(wheel), **given)
    variables = root / "etc" / "etui" / "environment"
    (program,) = (root / "opt" / "etui").glob("lib/python*/site-packages/etui.py")
    packed = program.read_bytes()
    program.write_text("older = True\n")
    with variables.open("a") as file:
        file.write("LOG_LEVEL=INFO\n")
    done(install, str(wheel), **given)
    assert program.read_bytes() == packed
    assert "LOG_LEVEL=INFO" in variables.read_text()
    assert variables.stat().st_mode & 0o777 == 0o640
    (site,) = (root / "opt" / "etui").glob("lib/python*/site-packages")
    (site / "beside.pth").write_text(sysconfig.get_path("purelib") + "\n")


def check_unit(root: Path) -> None:
    folder = root / "check"
    folder.mkdir()
    for unit in UNITS.glob("etui*.*"):
        if unit.suffix in {".service", ".timer"}:
            text = unit.read_text().replace("/opt/etui", f"{root}/opt/etui")
            (folder / unit.name).write_text(text)
    names = sorted(str(path) for path in folder.iterdir())
    assert len(names) == 3
    assert done("systemd-analyze", "verify", "--man=no", *names) == ""
    services = [name for name in names if name.endswith(".service")]
    done("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", *services)


def serve(root: Path) -> None:
    data, port = root / "var" / "lib" / "etui", free_port()
    data.mkdir(parents=True)
    etui = str(root / "opt" / "etui" / "bin" / "etui")
    temporary = data / "tmp"  # the unit's PrivateTmp
    temporary.mkdir()
    environment = SPECIAL | {"VAR_DIR": str(data), "HOME": "/nonexistent", "TMPDIR": str(temporary)}
    command = [etui, "serve", "--port", str(port)]
    if os.getuid() == 0:
        command = [
            "unshare",
            "--mount",
            "sh",
            "-c",
            HARDENED,
            "sh",
            sys.executable,
            "-c",
            WITHOUT_CODE_IN_DATA,
            *command,
        ]
    else:
        print("not root: served without a read-only system")
    out = root / "serve.log"
    with out.open("w") as file:
        process = subprocess.Popen(command, cwd=data, env=environment, stdout=file, stderr=file)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: process.poll() is not None or answers(address), what="the service to answer")
        assert process.poll() is None, out.read_text()
        with urlopen(f"{address}/en/help/", timeout=PATIENCE) as page:
            assert page.status == 200
        token = asked_by_admin(root, data, "token", "organiser", "Ana").strip()
        assert token.startswith("etui_"), token
        backup = asked_by_admin(root, data, "backup", str(root / "var/backups/etui"), "--keep", "30")
        assert "whole" in backup
        turn_logs(root, data)
        with urlopen(f"{address}/readyz", timeout=PATIENCE) as ready:
            assert ready.status == 200
        process.send_signal(signal.SIGTERM)  # as systemd stops it
        assert process.wait(PATIENCE) == 0, out.read_text()
    finally:
        process.kill()


def asked_by_admin(root: Path, data: Path, *arguments: str) -> str:
    """What `etui-admin` answers, here as the user who runs this."""
    here = (
        "import etui, getpass, pathlib; etui.USER = getpass.getuser()\n"
        f"etui.DATA = pathlib.Path({str(data)!r})\n"
        f"etui.ENVIRONMENT = pathlib.Path({str(root / 'etc/etui/environment')!r}); etui.admin()"
    )
    assert (root / "usr/local/sbin/etui-admin").readlink() == Path("/opt/etui/bin/etui-admin")
    assert (root / "opt/etui/bin/etui-admin").exists()
    return done(str(root / "opt" / "etui" / "bin" / "python"), "-c", here, *arguments)


def turn_logs(root: Path, data: Path) -> None:
    """Each line that was written is in the log or in the one before it; the log is written on."""
    user = done("id", "-un").strip()
    group = done("id", "-gn").strip()
    rules = (root / "etc" / "logrotate.d" / "etui").read_text().replace("/var/lib/etui", str(data))
    here = root / "logrotate"
    here.write_text(rules.replace("su etui etui", f"su {user} {group}"))
    here.chmod(0o644)
    log = data / "log" / "web.log"
    with log.open("a") as file:
        file.write("a line of before\n")
    done(
        shutil.which("logrotate") or "/usr/sbin/logrotate",
        "--force",
        "--state",
        str(root / "state"),
        str(here),
    )
    before = data / "log" / "web.log.1.gz"
    assert b"a line of before" in subprocess.run(["zcat", before], check=True, capture_output=True).stdout
    assert "a line of before" not in log.read_text()
    assert before.stat().st_mode & 0o077 == 0


def done(*command: str, **environment: str) -> str:
    """What it writes, errors too."""
    ended = subprocess.run(
        command, env=SPECIAL | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert ended.returncode == 0, (command, ended.stdout)
    return ended.stdout


if __name__ == "__main__":
    main()

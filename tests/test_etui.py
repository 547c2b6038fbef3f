"""The commands `etui` and `etui-admin`, which `make test-dist` and `make test-service` install and use."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

import etui
from etui import data_folder
from tests.running import ROOT, SPECIAL

HOME = Path("/home/ana")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ana/.local/share/etui"),
        ("linux", {"XDG_DATA_HOME": "/data/ana"}, "/data/ana/etui"),
        ("linux", {"XDG_DATA_HOME": "data"}, "/home/ana/.local/share/etui"),  # no absolute path: ignored
        ("linux", {"LOCALAPPDATA": "/other"}, "/home/ana/.local/share/etui"),
        ("darwin", {}, "/home/ana/Library/Application Support/etui"),
        ("win32", {}, "/home/ana/AppData/Local/etui"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/etui"),
    ],
)
def test_data_lie_where_each_system_has_them(platform: str, environment: dict[str, str], folder: str) -> None:
    assert data_folder(platform, environment, HOME).as_posix() == folder


def test_the_games_are_asked_without_anything_of_the_service(tmp_path: Path) -> None:
    """Nor is a folder made for it."""
    code = (
        "import sys, etui; sys.argv = ['etui', 'engines', 'games']\n"
        "try: etui.main()\nexcept SystemExit as end: assert end.code == 0\n"
        "sys.exit(bool({'django', 'celery', 'tournaments'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=SPECIAL | {"HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "belote-noisette" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_variables_are_read_as_systemd_reads_them() -> None:
    text = "# Of it\n\n; too\nMAIL_FROM=Étui <etui@example.org>\nSECRET_KEY=\"a$b #c\"\nPORT='8'\nNONE=\n"
    read = etui.variables(text)
    assert read == {"MAIL_FROM": "Étui <etui@example.org>", "SECRET_KEY": "a$b #c", "PORT": "8", "NONE": ""}
    with pytest.raises(SystemExit, match="line 2"):
        etui.variables("A=1\nexport B=2\n")
    shipped = (ROOT / "deploy" / "systemd" / "environment").read_text("utf-8")
    assert etui.variables(shipped) == {}
    uncommented = [line[1:] for line in shipped.splitlines() if line.startswith("#") and line[1:2].isupper()]
    documented = (ROOT / "docs" / "running.md").read_text("utf-8")
    assert uncommented
    assert all(f"`{name}`" in documented for name in etui.variables("\n".join(uncommented)))


def test_an_administrator_is_the_services_user_with_its_variables_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it would do as root is only noted down."""
    file, data, done = tmp_path / "environment", tmp_path / "data", []
    file.write_text("LOG_LEVEL=INFO\n")
    data.mkdir()
    user = pwd.getpwuid(os.getuid())
    monkeypatch.setattr("etui.ENVIRONMENT", file)
    monkeypatch.setattr("etui.DATA", data)
    monkeypatch.setattr("pwd.getpwnam", lambda name: user)
    monkeypatch.setattr("os.getuid", lambda: user.pw_uid + 1)
    for name in ("initgroups", "setgid", "setuid", "umask", "chdir"):
        monkeypatch.setattr(f"os.{name}", lambda *given, name=name: done.append((name, *given)))
    monkeypatch.setattr("etui.main", lambda: done.append(("main", dict(os.environ))))
    environment = {"PATH": "/bin", "DATABASE_URL": "postgres://mine", "PYTHONPATH": "/mine"}
    monkeypatch.setattr("os.environ", environment)
    etui.admin()
    assert done == [
        ("initgroups", "etui", user.pw_gid),
        ("setgid", user.pw_gid),
        ("setuid", user.pw_uid),
        ("umask", 0o077),
        ("chdir", data),
        ("main", {"PATH": "/bin", "HOME": str(data), "VAR_DIR": str(data), "LOG_LEVEL": "INFO"}),
    ]
    file.unlink()
    with pytest.raises(SystemExit, match="no service here"):
        etui.admin()


def test_an_administrator_who_is_not_root_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "environment"
    file.touch()
    monkeypatch.setattr("etui.ENVIRONMENT", file)
    user = pwd.getpwuid(os.getuid())
    monkeypatch.setattr("pwd.getpwnam", lambda name: user)
    monkeypatch.setattr("os.getuid", lambda: user.pw_uid + 1)

    def refused(*_given: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.initgroups", refused)
    with pytest.raises(SystemExit, match="needs root"):
        etui.admin()

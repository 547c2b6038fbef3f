"""The archive of an evening as a file: one zipped folder, and a manifest with the hash of everything in it.

An archive comes from anywhere. It is looked at from the outside in: how large it says that it is, what its
files are called and how they are packed, then each by its hash. Nothing is unpacked beyond what was allowed,
and nothing is written to a disk.
"""

import io
import json
import re
import stat
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from .errors import BadField
from .phrases import Phrase

FORM = "etui archive 1"
FOLDER = "archive/"
MANIFEST = "manifest.json"
SIGN = b"PK\x03\x04"

PACKED_AT_MOST = 20_000_000
UNPACKED_AT_MOST = 80_000_000
FILES_AT_MOST = 1_000
ONE_VALUE_AT_MOST = 2_000_000  # bytes of a file that is read as one
LEVEL = 6  # of compression

NAME = re.compile(r"archive/(sessions/[0-9]{1,6}/)?(tables/)?[a-z0-9-]{1,60}\.(json|jsonl|csv)")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the same content is the same archive
DIRECTORY_END = struct.Struct("<4sHHHHIIH")
DIRECTORY_SIGN = b"PK\x05\x06"
COMMENT_AT_MOST = 65_535
ENTRY_AT_MOST = 400  # bytes of the directory for each file
ENCRYPTED = 0x1
UNREADABLE = (BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError)


class BadArchive(BadField):
    """`field`: the file in the archive that is wrong, or "archive"; `constraint`: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Archive:
    """What an archive holds: its files by their names in the folder, whose hashes are right."""

    files: Mapping[str, bytes]

    @property
    def sessions(self) -> list[int]:
        """The numbers of its sessions, in order."""
        found = {int(name.split("/")[1]) for name in self.files if name.startswith("sessions/")}
        return sorted(found)

    def value(self, name: str) -> Any:
        """What a JSON file says. BadArchive: it is missing, or not JSON."""
        if name not in self.files:
            raise BadArchive(name, Phrase("is missing"))
        if len(self.files[name]) > ONE_VALUE_AT_MOST:
            raise BadArchive(name, Phrase("is larger than {bytes} bytes", bytes=ONE_VALUE_AT_MOST))
        try:
            return json.loads(self.files[name])
        except (ValueError, RecursionError):
            raise BadArchive(name, Phrase("is not JSON")) from None

    def rows(self, name: str) -> list[Any]:
        """The values of a file of JSON lines; none where there is no such file."""
        rows = []
        for number, line in enumerate(self.files.get(name, b"").splitlines(), 1):
            try:
                rows.append(json.loads(line))
            except (ValueError, RecursionError):
                raise BadArchive(name, Phrase("line {line} is not JSON", line=number)) from None
        return rows


def digest(files: Mapping[str, bytes]) -> str:
    """What tells an archive from others: the hash of its manifest."""
    return sha256(manifest_of(files)).hexdigest()


def manifest_of(files: Mapping[str, bytes]) -> bytes:
    """The file that names these files, with their lengths and hashes."""
    said = {
        "form": FORM,
        "files": {
            name: {"bytes": len(files[name]), "sha256": sha256(files[name]).hexdigest()}
            for name in sorted(files)
        },
    }
    return json.dumps(said, indent=1, sort_keys=True).encode() + b"\n"


def write(files: Mapping[str, bytes]) -> bytes:
    """The archive of some files: the same files are the same bytes."""
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, compresslevel=LEVEL) as parts:
        for name, data in [(MANIFEST, manifest_of(files)), *sorted(files.items())]:
            info = ZipInfo(FOLDER + name, LONG_AGO)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.create_system = 3
            parts.writestr(info, data)
    return content.getvalue()


def read(
    content: bytes, *, packed_at_most: int = PACKED_AT_MOST, unpacked_at_most: int = UNPACKED_AT_MOST
) -> Archive:
    """The files of an archive, each as its manifest says. BadArchive says what is wrong. The memory that this
    takes is the archive’s own, and `unpacked_at_most`."""
    if len(content) > packed_at_most:
        raise BadArchive("archive", Phrase("is larger than {bytes} bytes", bytes=packed_at_most))
    if not content.startswith(SIGN):
        raise BadArchive("archive", Phrase("is not a zipped folder"))
    _check_directory(content)
    try:
        with ZipFile(io.BytesIO(content)) as parts:
            _check_names(parts, unpacked_at_most)
            files = {info.filename.removeprefix(FOLDER): _unpacked(parts, info) for info in parts.infolist()}
    except BadArchive:
        raise
    except UNREADABLE:
        raise BadArchive("archive", Phrase("is damaged, or not whole")) from None
    _checkmanifest_of(files)
    return Archive(files)


def _check_directory(content: bytes) -> None:
    """Whether the directory at the end is whole, and of a size that is worth reading."""
    at = content.rfind(DIRECTORY_SIGN, max(len(content) - COMMENT_AT_MOST - DIRECTORY_END.size, 0))
    if at < 0 or at + DIRECTORY_END.size > len(content):
        raise BadArchive("archive", Phrase("is damaged, or not whole"))
    _sign, _disk, _first, _here, count, size, _offset, _comment = DIRECTORY_END.unpack_from(content, at)
    if count > FILES_AT_MOST or size > FILES_AT_MOST * ENTRY_AT_MOST:
        raise BadArchive("archive", Phrase("holds more than {count} files", count=FILES_AT_MOST))


def _check_names(parts: ZipFile, unpacked_at_most: int) -> None:
    """Whether all files are plain ones that an archive has, each once, and together not too large."""
    seen: set[str] = set()
    for info in parts.infolist():
        shown = info.filename[:80] if info.filename.isprintable() else "archive"
        mode = info.external_attr >> 16
        if info.orig_filename != info.filename or not NAME.fullmatch(info.filename):
            raise BadArchive(shown, Phrase("is not a file of an archive"))
        if mode and not stat.S_ISREG(mode):
            raise BadArchive(shown, Phrase("is not a plain file"))
        if info.filename in seen:
            raise BadArchive(shown, Phrase("is there twice"))
        if info.flag_bits & ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadArchive(shown, Phrase("is packed in a way that archives are not"))
        seen.add(info.filename)
    if len(seen) > FILES_AT_MOST:
        raise BadArchive("archive", Phrase("holds more than {count} files", count=FILES_AT_MOST))
    if sum(info.file_size for info in parts.infolist()) > unpacked_at_most:
        raise BadArchive("archive", Phrase("unpacks to more than {bytes} bytes", bytes=unpacked_at_most))


def _unpacked(parts: ZipFile, info: ZipInfo) -> bytes:
    """A file, which is no longer than it was said to be."""
    with parts.open(info) as part:
        content = part.read(info.file_size)
        if len(content) != info.file_size or part.read(1):
            raise BadArchive(info.filename[:80], Phrase("is longer or shorter than the folder says"))
    return content


def _checkmanifest_of(files: dict[str, bytes]) -> None:
    """Take the manifest from among the files: it names each of the others with its length and hash."""
    text = files.pop(MANIFEST, None)
    if text is None:
        raise BadArchive(MANIFEST, Phrase("is missing"))
    said = Archive({MANIFEST: text}).value(MANIFEST)
    if not isinstance(said, dict) or not isinstance(said.get("form"), str):
        raise BadArchive(MANIFEST, Phrase("does not say what form the archive has"))
    if said["form"] != FORM:
        reason = Phrase("the form is “{form}”; this release reads “{own}”", form=said["form"][:40], own=FORM)
        raise BadArchive(MANIFEST, reason)
    named = said.get("files")
    if said.keys() != {"form", "files"} or not isinstance(named, dict):
        raise BadArchive(MANIFEST, Phrase("must have the form and the files, and nothing else"))
    for name in sorted(named.keys() | files.keys()):
        if name not in files:
            raise BadArchive(name[:80], Phrase("is missing"))
        if name not in named:
            raise BadArchive(name[:80], Phrase("is not in the manifest"))
        known = {"bytes": len(files[name]), "sha256": sha256(files[name]).hexdigest()}
        if named[name] != known:
            raise BadArchive(name[:80], Phrase("is not the file that the manifest names: its hash is other"))

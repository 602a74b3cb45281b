"""Members of a zip archive, those packed with Zstandard among them, which Python reads from 3.14 on only."""

from __future__ import annotations

import zipfile
import zlib

import pyarrow as pa

_ZSTANDARD = 93
_HEADER = 30  # bytes before the name in the local header of a member; the lengths of name and extra field end it


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The content of a member.

    Raises:
        BadZipFile: It is not what the archive says it is.
    """
    info = archive.getinfo(name)
    if info.compress_type != _ZSTANDARD:
        return archive.read(name)
    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    header = archive.fp.read(_HEADER)
    skipped = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    archive.fp.seek(skipped, 1)
    packed = archive.fp.read(info.compress_size)
    with pa.input_stream(pa.BufferReader(packed), compression="zstd") as stream:
        content = bytes(stream.read())
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile(f"bad checksum of {name!r}")
    return content

#!/usr/bin/env python3
"""Writes the part of ICU's data that Firetally needs, as an assembly file for the linker.

    icu_data.py LIB_FOUNDATION_ICU.a OUT.s

Swift's static Foundation holds 34 MB of ICU's data, for every language of the world. Firetally
writes English and asks ICU only for time zones. With the linker's --wrap, whoever asks for the
data gets these, and the archive's own stay out of the binary; docs/decisions/027-package.md says
why. Prints the symbol.
"""
import re
import struct
import subprocess
import sys

# Trees of other languages keep what English and the root need; all other files that are not named
# in DROPPED stay, among them the time zones, Unicode's properties and normalisation.
TREES = ("lang", "curr", "region", "zone", "unit", "coll", "brkitr", "rbnf", "translit")
KEPT_IN_TREE = re.compile(r"(root|en|en_US|res_index|pool|supplementalData|tzdbNames)\.res$|\.icu$")
KEPT_AT_TOP = re.compile(r"(root|en|en_001|en_US|en_US_POSIX)\.res$")
LOCALE_AT_TOP = re.compile(r"[a-z]{2,3}(_[A-Za-z0-9]+)*\.res$")
DROPPED = re.compile(r"\.(dict|cnv)$|^brkitr/(?!char|word|sent|line\.|root|en|res_index)|^translit/")


def is_kept(name):
    tree, _, rest = name.rpartition("/")
    if DROPPED.search(name):
        return False
    if tree in TREES:
        return bool(KEPT_IN_TREE.search(rest)) or name.endswith(".brk")
    if not tree and LOCALE_AT_TOP.match(rest):
        return bool(KEPT_AT_TOP.match(rest))
    return True


def archive_member(archive):
    """The data and its symbol's name, for example icudt76_dat."""
    listing = subprocess.run(["nm", "-A", archive], capture_output=True, text=True).stdout
    found = re.search(r":([^:\n]+):\S+ R (icudt\d+_dat)$", listing, re.MULTILINE)
    if not found:
        sys.exit(f"{archive} holds no ICU data")
    member, symbol = found[1], found[2]
    data = subprocess.run(["ar", "p", archive, member], check=True, capture_output=True).stdout
    # The data begins with its header's size and two magic bytes; the object has nothing before it
    # that looks the same.
    start = re.search(rb"..\xda\x27\x14\0{5}\x02\0CmnD", data, re.DOTALL).start()
    return data[start:], symbol


def entries(data):
    """The names, without the package's, and the bytes of each file."""
    base = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, base)[0]
    places = [struct.unpack_from("<II", data, base + 4 + 8 * index) for index in range(count)]
    for index, (name_at, at) in enumerate(places):
        name = data[base + name_at:data.index(b"\0", base + name_at)].decode()
        end = places[index + 1][1] if index + 1 < count else None
        yield name, data[base + at:base + end if end else len(data)]


def packed(header, files):
    """A package of ICU's: header, table of contents, names, files at multiples of 16 bytes."""
    names = b"".join(name.encode() + b"\0" for name, _ in files)
    start = 4 + 8 * len(files)
    at = (start + len(names) + 15) // 16 * 16
    table, name_at, body = struct.pack("<I", len(files)), start, b""
    for name, content in files:
        table += struct.pack("<II", name_at, at + len(body))
        name_at += len(name.encode()) + 1
        body += content + b"\0" * (-len(content) % 16)
    return header + table + names + b"\0" * (at - start - len(names)) + body


def main():
    data, symbol = archive_member(sys.argv[1])
    header = data[:struct.unpack_from("<H", data)[0]]
    files = list(entries(data))
    # Nothing of the object's own end after the last file.
    prefix = files[0][0].split("/")[0] + "/"
    kept = [(name, content) for name, content in files if is_kept(name.removeprefix(prefix))]
    out = sys.argv[2]
    with open(out + ".dat", "wb") as file:
        file.write(packed(header, kept))
    with open(out, "w") as file:
        file.write(
            f".section .rodata\n.globl __wrap_{symbol}\n.type __wrap_{symbol}, @object\n"
            f".balign 16\n__wrap_{symbol}:\n"
            f'.incbin "{out}.dat"\n.section .note.GNU-stack,"",@progbits\n')
    size = sum(len(content) for _, content in kept)
    print(f"ICU's data: {len(kept)} of {len(files)} files, {size / 1e6:.1f} MB of "
          f"{len(data) / 1e6:.1f}", file=sys.stderr)
    print(symbol)


if __name__ == "__main__":
    main()

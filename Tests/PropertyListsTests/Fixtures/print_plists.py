"""Print property lists in a canonical form: print_plists.py FILE... Needs the standard library only."""

import datetime
import pathlib
import plistlib
import struct
import sys

EPOCH = datetime.datetime(2001, 1, 1)


def canonical(value):
    if isinstance(value, dict):
        if list(value) == ["CF$UID"] and isinstance(value["CF$UID"], int):
            return f"u{value['CF$UID']}"
        return "{" + ",".join(f"{key.encode().hex()}:{canonical(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, str):
        return "s" + value.encode().hex()
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "rnan" if value != value else f"r{int.from_bytes(struct.pack('>d', value), 'big'):x}"
    if isinstance(value, datetime.datetime):
        return f"d{(value - EPOCH) // datetime.timedelta(seconds=1)}"
    if isinstance(value, plistlib.UID):
        return f"u{value.data}"
    return "b" + value.hex()


def show(path):
    print(path, canonical(plistlib.loads(pathlib.Path(path).read_bytes())), sep="\t")


if __name__ == "__main__":
    for path in sys.argv[1:]:
        show(path)
